/* Finds them by addresses as sums of products: see earlier_rows.h. */
#include "analysis/earlier_rows.h"

#include <string.h>

enum { MOST_TERMS = 12, MOST_DEPTH = 24, MOST_STEPS = 2000, MOST_ROWS = 8, MOST_ACCESSES = 48 };

/* What is not taken apart: a special register, a parameter, a symbol's address, any other register. NOTHING:
 * a factor that is not there. */
enum kind { NOTHING, SREG, PARAM, SYMBOL, REGISTER };

static uint64_t factor(enum kind kind, uint32_t index, uint64_t offset) {
    return (uint64_t)kind << 60 | (uint64_t)index << 24 | (offset & 0xffffff);
}

struct term {
    uint64_t factor[2]; /* the greater one first */
    int64_t times;      /* not 0 */
};

struct sum {
    struct term term[MOST_TERMS];
    uint32_t n;
};

struct finder {
    const struct wg_ir_instr *const *def;
    const uint32_t *ntid;
    uint32_t steps; /* what is written down as a sum of sums twice is taken apart twice, and so on */
};

static bool add(struct sum *to, uint64_t x, uint64_t y, int64_t times) {
    uint64_t high = x > y ? x : y, low = x > y ? y : x;
    uint32_t i = 0;
    while (i < to->n && (to->term[i].factor[0] != high || to->term[i].factor[1] != low)) i++;
    if (i == to->n) {
        if (i == MOST_TERMS) return false;
        to->term[to->n++] = (struct term){{high, low}, 0};
    }
    to->term[i].times = (int64_t)((uint64_t)to->term[i].times + (uint64_t)times);
    if (!to->term[i].times) to->term[i] = to->term[--to->n];
    return true;
}

static bool add_times(struct sum *to, const struct sum *from, int64_t times) {
    for (uint32_t i = 0; i < from->n; i++)
        if (!add(to, from->term[i].factor[0], from->term[i].factor[1],
                 (int64_t)((uint64_t)from->term[i].times * (uint64_t)times)))
            return false;
    return true;
}

/* Of sums whose products have no more than two factors. */
static bool add_product(struct sum *to, const struct sum *a, const struct sum *b) {
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < b->n; k++) {
            uint64_t all[5] = {0};
            uint32_t n = 0;
            for (uint32_t x = 0; x < 2; x++) {
                if (a->term[i].factor[x]) all[n++] = a->term[i].factor[x];
                if (b->term[k].factor[x]) all[n++] = b->term[k].factor[x];
            }
            int64_t times = (int64_t)((uint64_t)a->term[i].times * (uint64_t)b->term[k].times);
            if (n > 2 || !add(to, all[0], all[1], times)) return false;
        }
    return true;
}

static struct sum sum_of_reg(struct finder *f, uint32_t reg, uint32_t depth);

static struct sum sum_of(struct finder *f, const struct wg_ir_opd *o, uint32_t bits, uint32_t depth) {
    struct sum s = {.n = 0};
    if (o->kind == WG_O_REG) return sum_of_reg(f, o->index, depth + 1);
    int64_t x = bits > 32 ? (int64_t)o->imm : (int32_t)o->imm;
    if (o->kind == WG_O_IMM && x) add(&s, NOTHING, NOTHING, x);
    if (o->kind == WG_O_SYM) add(&s, factor(SYMBOL, o->index, o->imm), NOTHING, 1);
    return s;
}

/* False: the instruction is not taken apart. */
static bool take_apart(struct finder *f, const struct wg_ir_instr *in, uint32_t depth, struct sum *s) {
    uint32_t bits = wg_type_bits(in->type);
    if (in->guard != WG_NO_REG || in->ndst != 1 || depth > MOST_DEPTH || ++f->steps > MOST_STEPS)
        return false;
    if (in->op == WG_OP_LD && in->space == WG_S_PARAM && in->src[0].kind == WG_O_SYM && in->nvec == 1)
        return add(s, factor(PARAM, in->src[0].index, in->src[0].imm + (uint64_t)in->offset), NOTHING, 1);
    if (in->op == WG_OP_MOV_SREG && in->sreg >= WG_SR_ntid_x && in->sreg <= WG_SR_ntid_z)
        return add(s, NOTHING, NOTHING, f->ntid[in->sreg - WG_SR_ntid_x]);
    if (in->op == WG_OP_MOV_SREG) return add(s, factor(SREG, in->sreg, 0), NOTHING, 1);
    if (wg_type_kind(in->type) == WG_K_F || in->nsrc < 1 || in->nsrc > 3) return false;
    struct sum a = sum_of(f, &in->src[0], bits, depth), b, c;
    switch (in->op) {
    case WG_OP_CVT:
        if (wg_type_kind(in->type2) == WG_K_F) return false; /* fall through */
    case WG_OP_MOV:
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO: return add_times(s, &a, 1);
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
        b = sum_of(f, &in->src[1], bits, depth);
        return add_times(s, &a, 1) && add_times(s, &b, in->op == WG_OP_ADD_I ? 1 : -1);
    case WG_OP_SHL:
        return in->src[1].kind == WG_O_IMM && in->src[1].imm < 32 &&
               add_times(s, &a, INT64_C(1) << in->src[1].imm);
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
        if (in->mod[WG_MC_MULW] == WG_M_hi) return false;
        b = sum_of(f, &in->src[1], bits, depth);
        if (!add_product(s, &a, &b)) return false;
        if (in->op == WG_OP_MUL_I) return true;
        c = sum_of(f, &in->src[2], 64, depth);
        return add_times(s, &c, 1);
    default: return false;
    }
}

static struct sum sum_of_reg(struct finder *f, uint32_t reg, uint32_t depth) {
    struct sum s = {.n = 0}, itself = {.n = 0};
    if (f->def[reg] && take_apart(f, f->def[reg], depth, &s)) return s;
    add(&itself, factor(REGISTER, reg, 0), NOTHING, 1);
    return itself;
}

/* How much it grows with the special register. */
static bool growth(const struct sum *s, uint32_t sreg, struct sum *to) {
    const uint64_t x = factor(SREG, sreg, 0);
    *to = (struct sum){.n = 0};
    for (uint32_t i = 0; i < s->n; i++) {
        const struct term *t = &s->term[i];
        bool first = t->factor[0] == x, second = t->factor[1] == x;
        if (first && second) return false;
        if ((first || second) && !add(to, t->factor[first], NOTHING, t->times)) return false;
    }
    return to->n > 0;
}

/* What x reads y has read so many rows before. */
static bool is_earlier(const struct sum *x, const struct sum *y) {
    static const uint32_t rows[] = {WG_SR_ctaid_y, WG_SR_tid_y};
    struct sum apart = {.n = 0}, row;
    if (!add_times(&apart, y, 1) || !add_times(&apart, x, -1) || !apart.n) return false;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!growth(x, rows[i], &row)) continue;
        for (int64_t k = 1; k <= MOST_ROWS; k++) {
            struct sum rest = apart;
            if (add_times(&rest, &row, -k) && !rest.n) return true;
        }
    }
    return false;
}

void wg_find_earlier_rows(const struct wg_ir_instr *const *accesses, uint32_t n,
                          const struct wg_ir_instr *const *def, const uint32_t ntid[3], bool *earlier) {
    struct finder f = {def, ntid, 0};
    struct sum at[MOST_ACCESSES];
    memset(earlier, 0, n * sizeof *earlier);
    if (n > MOST_ACCESSES) n = MOST_ACCESSES;
    for (uint32_t i = 0; i < n; i++) {
        f.steps = 0;
        at[i] = sum_of(&f, &accesses[i]->src[0], 64, 0);
        if (accesses[i]->offset) add(&at[i], NOTHING, NOTHING, accesses[i]->offset);
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n && !earlier[i]; k++) earlier[i] = k != i && is_earlier(&at[i], &at[k]);
}
