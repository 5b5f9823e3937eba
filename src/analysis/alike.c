/* See alike.h. */
#include "analysis/alike.h"
#include "analysis/alike_value.h"
#include "cfg/cfg.h"
#include "ptx/op.h"
#include <string.h>

enum { MOST_TESTS = 24, MOST_ROUNDS = 64, PATIENCE = 3, LINE = 128, MOST_STEPS = 1 << 17, SPARE = 4 };

/* A comparison of rest + step . ctaid with 0, the rest in lo .. hi. */
struct test {
    int64_t step[3], lo, hi;
    uint8_t cmp; /* enum wg_mod: eq, ne, lt, le, gt, ge */
    bool exact;  /* the range is not known: it comes out alike where the step makes the same number */
    const struct wg_ir_instr *chooses; /* the least or greatest that it decides, or NULL */
    uint8_t gate;                      /* as in struct wg_alike_value: where that is not the other number */
    bool side;
};
/* The address of an access, modulo 128. */
struct address {
    uint32_t step[3];
    uint8_t gate;
    bool side;
};

struct state {
    const struct wg_alike_launch *l;
    struct wg_arena arena;
    struct wg_alike_value *regs, *seconds; /* seconds: a register that is one of two numbers; else UNSET */
    uint8_t gate;                          /* of the number that is looked at */
    bool side;
    uint8_t *widened; /* [register] how often its range has grown */
    bool changed, collects, fails;
    uint32_t ntests, naddresses;
    struct test tests[MOST_TESTS];
    struct address addresses[MOST_TESTS];
};

/* ---- comparisons ---- */

static bool is_unsigned(const struct wg_ir_instr *in) {
    uint8_t cmp = in->mod[WG_MC_CMP];
    return wg_type_kind(in->type) == WG_K_U || cmp == WG_M_lo || cmp == WG_M_ls || cmp == WG_M_hi ||
           cmp == WG_M_hs;
}

static uint8_t plain_cmp(uint8_t cmp) {
    switch (cmp) {
    case WG_M_lo: return WG_M_lt;
    case WG_M_ls: return WG_M_le;
    case WG_M_hi: return WG_M_gt;
    case WG_M_hs: return WG_M_ge;
    default: return cmp;
    }
}

static bool is_same_test(const struct test *a, const struct test *b) {
    return memcmp(a->step, b->step, sizeof a->step) == 0 && a->lo == b->lo && a->hi == b->hi &&
           a->cmp == b->cmp && a->exact == b->exact && a->chooses == b->chooses && a->gate == b->gate &&
           a->side == b->side;
}

static void add_test(struct state *s, const struct wg_alike_value *d, uint8_t cmp, bool exact) {
    struct test t = {.lo = d->lo, .hi = d->hi, .cmp = cmp, .exact = exact, .gate = s->gate, .side = s->side};
    memcpy(t.step, d->step, sizeof t.step);
    for (uint32_t i = 0; i < s->ntests; i++)
        if (is_same_test(&s->tests[i], &t)) return;
    if (s->ntests == MOST_TESTS)
        s->fails = true;
    else
        s->tests[s->ntests++] = t;
}

/* The number of the comparison that decides a least or greatest, from 1; 0: there are too many. */
static uint8_t choosing_test(struct state *s, const struct wg_ir_instr *in, const struct wg_alike_value *d) {
    uint32_t i = 0;
    while (i < s->ntests && s->tests[i].chooses != in) i++;
    if (i == MOST_TESTS) return 0;
    if (i == s->ntests) s->ntests++;
    s->tests[i] = (struct test){
        .lo = d->lo, .hi = d->hi, .cmp = in->op == WG_OP_MIN_I ? WG_M_lt : WG_M_gt, .chooses = in};
    memcpy(s->tests[i].step, d->step, sizeof d->step);
    return (uint8_t)(i + 1);
}

static bool are_numbers(const struct state *s, const struct wg_ir_instr *in, const struct wg_alike_value *a,
                        const struct wg_alike_value *b) {
    uint32_t bits = wg_type_bits(in->type);
    bool sign = !is_unsigned(in), whole = wg_type_kind(in->type) != WG_K_F && bits >= 32;
    return whole && wg_alike_fits(s->l, a, bits, sign) && wg_alike_fits(s->l, b, bits, sign);
}

/* What steps make is a number. */
static bool is_small(const struct state *s, const struct wg_alike_value *d) {
    struct wg_alike_value steps = *d;
    steps.known = true;
    steps.lo = steps.hi = 0;
    return wg_alike_fits(s->l, &steps, 62, true);
}

static struct wg_alike_value compared(struct state *s, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    struct wg_alike_value a = wg_alike_operand(&in->src[0], s->regs, bits),
                          b = wg_alike_operand(&in->src[1], s->regs, bits), d;
    if (a.kind == WG_ALIKE_UNSET || b.kind == WG_ALIKE_UNSET) return (struct wg_alike_value){0};
    if (a.kind == WG_ALIKE_OTHER || b.kind == WG_ALIKE_OTHER) return wg_alike_other();
    if (!wg_alike_has_step(&a) && !wg_alike_has_step(&b)) return wg_alike_same();
    d = wg_alike_minus(&a, &b);
    bool exact = !are_numbers(s, in, &a, &b) || !wg_alike_fits(s->l, &d, 62, true);
    if (exact && (!s->gate || (wg_alike_has_step(&a) && wg_alike_has_step(&b)) || !is_small(s, &d)))
        return wg_alike_other();
    if (s->collects) add_test(s, &d, plain_cmp(in->mod[WG_MC_CMP]), exact);
    return wg_alike_same();
}

/* ---- values ---- */

static bool is_access(const struct wg_ir_instr *in) { return wg_op_is(in->op, WG_IS_ACCESS); }

static struct wg_alike_value stored(struct state *s, const struct wg_ir_instr *in, uint32_t n) {
    bool load = in->op == WG_OP_LD || in->op == WG_OP_LDU;
    if (load && in->space == WG_S_PARAM) return wg_alike_param(s->l, in, n, s->regs);
    if (wg_op_flags(in->op) & (WG_F_MEM | WG_F_WAIT | WG_F_EFFECT)) return wg_alike_other();
    return in->op == WG_OP_SETP ? compared(s, in) : wg_alike_result(s->l, in, n, s->regs);
}

/* Whether its range has grown too often: loops. */
static bool grows(struct state *s, uint32_t reg, const struct wg_alike_value *from,
                  const struct wg_alike_value *to) {
    return from->kind == WG_ALIKE_STEP && from->known && to->known && ++s->widened[reg] > PATIENCE;
}

static void set(struct state *s, uint32_t reg, struct wg_alike_value v, struct wg_alike_value second) {
    struct wg_alike_value *to = &s->regs[reg], *to2 = &s->seconds[reg];
    struct wg_alike_value all = wg_alike_join(to, &v), all2 = wg_alike_join(to2, &second);
    bool once = to->kind == WG_ALIKE_STEP && v.kind == WG_ALIKE_STEP &&
                (to2->kind == WG_ALIKE_UNSET) != (second.kind == WG_ALIKE_UNSET);
    if (once || all.kind == WG_ALIKE_OTHER || all2.kind == WG_ALIKE_OTHER) {
        all = wg_alike_other();
        all2 = (struct wg_alike_value){0};
    }
    if (wg_alike_equal(&all, to) && wg_alike_equal(&all2, to2)) return;
    if (grows(s, reg, to, &all)) {
        all.known = all2.known = false;
        all.lo = all.hi = all2.lo = all2.hi = 0;
    }
    *to = all;
    *to2 = all2;
    s->changed = true;
}

static bool decides(const struct wg_alike_value *v) {
    return v->kind == WG_ALIKE_STEP && !wg_alike_has_step(v);
}

/* The source that is one of two numbers, or WG_NO_REG. *many: there are several. */
static uint32_t two_numbers(const struct state *s, const struct wg_ir_instr *in, bool *many) {
    uint32_t reg = WG_NO_REG;
    *many = false;
    for (uint32_t i = 0; i < in->nsrc; i++) {
        const struct wg_ir_opd *o = &in->src[i];
        if (o->kind != WG_O_REG || s->seconds[o->index].kind == WG_ALIKE_UNSET) continue;
        *many |= reg != WG_NO_REG && reg != o->index;
        reg = o->index;
    }
    return reg;
}

/* The register's other number in place of the one. */
static void turn(struct state *s, uint32_t reg) {
    struct wg_alike_value first = s->regs[reg];
    s->regs[reg] = s->seconds[reg];
    s->seconds[reg] = first;
    s->gate = s->regs[reg].gate;
    s->side = s->regs[reg].side;
}

/* The lesser or greater of two numbers: one where the test of them holds in all threads, the other where it holds in
 * none, and where that differs, blocks are alike for which the steps make the same number. */
static bool chosen(struct state *s, const struct wg_ir_instr *in, struct wg_alike_value out[2]) {
    bool least = in->op == WG_OP_MIN_I,
         whole = wg_type_bits(in->type) >= 32 && in->mod[WG_MC_RELU] == WG_M_none;
    if ((!least && in->op != WG_OP_MAX_I) || !whole || in->type == WG_T_U16X2 || in->type == WG_T_S16X2)
        return false;
    for (int i = 0; i < 2; i++) {
        out[i] = wg_alike_operand(&in->src[i], s->regs, wg_type_bits(in->type));
        if (out[i].kind != WG_ALIKE_STEP || out[i].gate) return false;
    }
    if (!wg_alike_has_step(&out[0]) && !wg_alike_has_step(&out[1])) return false;
    struct wg_alike_value d = wg_alike_minus(&out[0], &out[1]);
    if (!are_numbers(s, in, &out[0], &out[1]) || !wg_alike_fits(s->l, &d, 62, true)) return false;
    out[0].gate = out[1].gate = choosing_test(s, in, &d);
    out[0].side = true;
    return out[0].gate != 0;
}

static void store(struct state *s, const struct wg_ir_instr *in, uint32_t n) {
    bool many;
    uint32_t two = two_numbers(s, in, &many);
    struct wg_alike_value v[2] = {{0}, {0}};
    if (many) {
        v[0] = wg_alike_other();
    } else if (two != WG_NO_REG) {
        for (int i = 0; i < 2; i++) {
            s->gate = s->regs[two].gate;
            s->side = s->regs[two].side;
            v[i] = stored(s, in, n);
            v[i].gate = s->gate;
            v[i].side = s->side;
            turn(s, two);
        }
        if (in->op == WG_OP_SETP && v[0].kind == v[1].kind)
            v[0].gate = 0, v[0].side = false, v[1] = (struct wg_alike_value){0};
    } else if (!chosen(s, in, v)) {
        v[0] = stored(s, in, n);
        v[1] = (struct wg_alike_value){0};
    }
    s->gate = 0;
    s->side = false;
    if (in->guard != WG_NO_REG && s->regs[in->guard].kind == WG_ALIKE_OTHER) v[0] = wg_alike_other();
    if (v[0].kind == WG_ALIKE_OTHER || v[1].kind == WG_ALIKE_OTHER)
        v[0] = wg_alike_other(), v[1] = (struct wg_alike_value){0};
    set(s, in->dst[n].index, v[0], v[1]);
}

static void run(struct state *s, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG) store(s, in, i);
}

/* ---- what decides ---- */

/* Whether this could be counted in another way than by executing it as it stands. */
static bool is_simple(const struct wg_ir_instr *in) {
    uint32_t flags = wg_op_flags(in->op);
    if (in->op == WG_OP_NONE || in->op == WG_OP_CALL || in->op >= WG_OP_COUNT) return false;
    if (in->op == WG_OP_BAR_SYNC || in->op == WG_OP_BARRIER_SYNC) return true;
    if (is_access(in))
        return in->op == WG_OP_LD || in->op == WG_OP_LDU || in->op == WG_OP_ST || in->op == WG_OP_ATOM ||
               in->op == WG_OP_RED;
    if (in->op == WG_OP_CVTA || in->op == WG_OP_CVTA_TO)
        return in->space == WG_S_GLOBAL || in->space == WG_S_SHARED;
    return !(flags & ~WG_F_SYNC);
}

static bool is_same_address(const struct address *a, const struct address *b) {
    return memcmp(a->step, b->step, sizeof a->step) == 0 && a->gate == b->gate && a->side == b->side;
}

/* All lanes access the same bytes, which are in one sector wherever they are: addresses are multiples of the size. */
static bool is_one_sector(const struct wg_ir_instr *in, const struct wg_alike_value *a) {
    enum { SECTOR = 32 };
    return a->known && a->lo == a->hi && wg_type_bits(in->type) / 8 * in->nvec <= SECTOR;
}

static bool see_address(struct state *s, const struct wg_ir_instr *in) {
    struct wg_alike_value a = wg_alike_operand(&in->src[0], s->regs, 64);
    struct address x = {.gate = s->gate, .side = s->side};
    if (a.kind != WG_ALIKE_STEP) return false;
    for (int i = 0; i < 3; i++) x.step[i] = (uint32_t)((uint64_t)a.step[i] % LINE);
    if (!wg_alike_has_step(&a)) return true;
    if (in->space != WG_S_GLOBAL && in->space != WG_S_SHARED && in->space != WG_S_GENERIC) return false;
    if (!(x.step[0] | x.step[1] | x.step[2]) || is_one_sector(in, &a)) return true;
    for (uint32_t i = 0; i < s->naddresses; i++)
        if (is_same_address(&s->addresses[i], &x)) return true;
    if (s->naddresses == MOST_TESTS) return false;
    s->addresses[s->naddresses++] = x;
    return true;
}

/* Lanes that meet, and barriers: which, and how many. */
static bool see_meeting(const struct state *s, const struct wg_ir_instr *in) {
    uint32_t flags = wg_op_flags(in->op), first = in->nsrc && flags & WG_F_SYNC ? in->nsrc - 1 : 0;
    for (uint32_t i = first; i < in->nsrc; i++) {
        struct wg_alike_value v = wg_alike_operand(&in->src[i], s->regs, 32);
        if (in->src[i].kind != WG_O_NONE && !decides(&v)) return false;
    }
    return true;
}

static bool see_one(struct state *s, const struct wg_ir_instr *in) {
    bool access = is_access(in) && in->space != WG_S_PARAM;
    bool meets = wg_op_flags(in->op) & (WG_F_SYNC | WG_F_WAIT);
    if ((access || meets) && in->guard != WG_NO_REG && !decides(&s->regs[in->guard])) return false;
    if (in->op == WG_OP_SETP) compared(s, in);
    return (!access || see_address(s, in)) && (!meets || see_meeting(s, in)) && !s->fails;
}

static bool see(struct state *s, const struct wg_ir_instr *in) {
    bool many, good = true;
    uint32_t two = two_numbers(s, in, &many);
    if (two == WG_NO_REG) return see_one(s, in);
    if (many) return !is_access(in) && !(wg_op_flags(in->op) & (WG_F_SYNC | WG_F_WAIT));
    for (int i = 0; i < 2; i++) {
        s->gate = s->regs[two].gate;
        s->side = s->regs[two].side;
        good &= see_one(s, in);
        turn(s, two);
    }
    s->gate = 0;
    s->side = false;
    return good;
}

static bool is_sortable(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        if (blk->term >= WG_TERM_TRAP) return false;
        for (uint32_t i = 0; i < blk->ninstrs; i++)
            if (!is_simple(&blk->instrs[i])) return false;
    }
    return f->nblocks != 0;
}

/* Registers may have any value where they are read before they are written. */
static bool reads_unset(struct state *s) {
    struct wg_cfg c = {.func = s->l->func};
    wg_cfg_liveness(&c);
    bool any = !wg_bits_empty(c.live_in[0], s->l->func->nregs);
    wg_arena_free(&c.arena);
    return any;
}

static bool find_tests(struct state *s) {
    const struct wg_ir_func *f = s->l->func;
    s->changed = true;
    for (uint32_t round = 0; s->changed; round++) {
        if (round == MOST_ROUNDS) return false;
        s->changed = false;
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) run(s, &f->blocks[b].instrs[i]);
    }
    s->collects = true;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        for (uint32_t i = 0; i < blk->ninstrs; i++)
            if (!see(s, &blk->instrs[i])) return false;
        bool asks = blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX;
        if (asks && !decides(&s->regs[blk->cond])) return false;
    }
    return true;
}

/* ---- classes ---- */

enum { ALWAYS, NEVER, MIXED };

static int64_t along(const int64_t step[3], const uint32_t block[3]) {
    return step[0] * block[0] + step[1] * block[1] + step[2] * block[2];
}

/* How the comparison comes out in the block's threads. */
static int outcome(const struct test *t, const uint32_t block[3]) {
    int64_t lo = t->lo + along(t->step, block), hi = t->hi + along(t->step, block);
    bool never = false, always = false;
    switch (t->cmp) {
    case WG_M_lt: always = hi < 0, never = lo >= 0; break;
    case WG_M_le: always = hi <= 0, never = lo > 0; break;
    case WG_M_gt: always = lo > 0, never = hi <= 0; break;
    case WG_M_ge: always = lo >= 0, never = hi < 0; break;
    case WG_M_eq: always = !lo && !hi, never = lo > 0 || hi < 0; break;
    case WG_M_ne: never = !lo && !hi, always = lo > 0 || hi < 0; break;
    default: break;
    }
    return t->exact ? MIXED : always ? ALWAYS : never ? NEVER : MIXED;
}

/* Whether it is about the one of two numbers that the block has not. */
static bool is_elsewhere(const struct state *s, uint8_t gate, bool side, const uint32_t block[3]) {
    return gate && outcome(&s->tests[gate - 1], block) == (side ? NEVER : ALWAYS);
}

struct key {
    int64_t v[2 * MOST_TESTS];
};

/* What the block's class depends on. Returns whether the next block along x has the same key, unless a test comes out
 * otherwise there. */
static bool make_key(const struct state *s, const uint32_t block[3], struct key *k) {
    bool steady = true;
    for (uint32_t i = 0; i < s->ntests; i++) {
        const struct test *t = &s->tests[i];
        bool elsewhere = is_elsewhere(s, t->gate, t->side, block);
        int how = elsewhere ? NEVER : outcome(t, block);
        k->v[i] = how == MIXED ? along(t->step, block) : INT64_MAX - how;
        steady &= how != MIXED || !t->step[0];
    }
    for (uint32_t i = 0; i < s->naddresses; i++) {
        const uint32_t *step = s->addresses[i].step;
        k->v[s->ntests + i] = 0;
        if (is_elsewhere(s, s->addresses[i].gate, s->addresses[i].side, block)) continue;
        k->v[s->ntests + i] = (step[0] * block[0] + step[1] * block[1] + step[2] * block[2]) % LINE;
        steady &= !step[0];
    }
    return steady;
}

static bool same_outcomes(const struct state *s, const uint32_t a[3], const uint32_t b[3]) {
    for (uint32_t i = 0; i < s->ntests; i++)
        if (outcome(&s->tests[i], a) != outcome(&s->tests[i], b)) return false;
    return true;
}

/* How many blocks from this one on along x have its key. Only eq and ne come out the same again. */
static uint32_t run_length(const struct state *s, const uint32_t block[3], bool steady) {
    uint32_t n = 1, left = s->l->nctaid[0] - block[0];
    if (!steady) return 1;
    for (uint32_t i = 0; i < s->ntests; i++) {
        const struct test *t = &s->tests[i];
        if ((t->cmp == WG_M_eq || t->cmp == WG_M_ne) && t->step[0]) left = left < 2 ? left : 1;
    }
    for (uint32_t add = left; add; add /= 2)
        while (n + add <= left) {
            uint32_t last[3] = {block[0] + n + add - 1, block[1], block[2]};
            if (!same_outcomes(s, block, last)) break;
            n += add;
        }
    return n;
}

struct sorted {
    struct wg_alike_class *v;
    struct key *keys;
    uint32_t n, steps;
    size_t bytes; /* of a key that are in use */
};

static bool put(struct sorted *to, const struct key *k, const uint32_t block[3], uint64_t blocks) {
    for (uint32_t i = to->n; i-- > 0;)
        if (memcmp(&to->keys[i], k, to->bytes) == 0) {
            to->v[i].blocks += blocks;
            return true;
        }
    if (to->n == WG_ALIKE_CLASSES) return false;
    to->v[to->n] = (struct wg_alike_class){{block[0], block[1], block[2]}, blocks};
    to->keys[to->n++] = *k;
    return true;
}

/* What a row of blocks along x has in common: rows of the same key are sorted alike. */
static void make_row_key(const struct state *s, const uint32_t first[3], struct key *k) {
    for (uint32_t i = 0; i < s->ntests; i++) {
        const struct test *t = &s->tests[i];
        int how = t->step[0] ? MIXED : outcome(t, first);
        k->v[i] = how == MIXED ? along(t->step, first) : INT64_MAX - how;
    }
    for (uint32_t i = 0; i < s->naddresses; i++) {
        const uint32_t *step = s->addresses[i].step;
        k->v[s->ntests + i] = (step[1] * first[1] + step[2] * first[2]) % LINE;
    }
}

static bool sort_row(const struct state *s, const struct wg_alike_class *row, struct sorted *to) {
    struct key k = {0};
    uint32_t block[3] = {0, row->block[1], row->block[2]};
    while (block[0] < s->l->nctaid[0]) {
        bool steady = make_key(s, block, &k);
        uint32_t blocks = run_length(s, block, steady);
        if (++to->steps > MOST_STEPS || !put(to, &k, block, blocks * row->blocks)) return false;
        block[0] += blocks;
    }
    return true;
}

static uint32_t sort(struct state *s, struct wg_alike_class *out) {
    const uint32_t *grid = s->l->nctaid;
    struct key k = {0};
    size_t bytes = (s->ntests + s->naddresses) * sizeof *k.v;
    struct sorted rows = {.bytes = bytes}, to = {.v = out, .bytes = bytes};
    rows.v = WG_NEW_N(&s->arena, struct wg_alike_class, WG_ALIKE_CLASSES);
    rows.keys = WG_NEW_N(&s->arena, struct key, WG_ALIKE_CLASSES);
    to.keys = WG_NEW_N(&s->arena, struct key, WG_ALIKE_CLASSES);
    for (uint32_t z = 0; z < grid[2]; z++)
        for (uint32_t y = 0; y < grid[1]; y++) {
            uint32_t first[3] = {0, y, z};
            make_row_key(s, first, &k);
            if (++to.steps > MOST_STEPS || !put(&rows, &k, first, 1)) return 0;
        }
    for (uint32_t i = 0; i < rows.n; i++)
        if (!sort_row(s, &rows.v[i], &to)) return 0;
    uint64_t all = (uint64_t)grid[0] * grid[1] * grid[2];
    return to.n * (uint64_t)SPARE <= all ? to.n : 0;
}

uint32_t wg_alike_classes(const struct wg_alike_launch *l, struct wg_alike_class out[WG_ALIKE_CLASSES]) {
    if (!is_sortable(l->func)) return 0;
    struct state s = {.l = l};
    uint32_t n = l->func->nregs + 1;
    s.regs = WG_NEW_N(&s.arena, struct wg_alike_value, n);
    s.seconds = WG_NEW_N(&s.arena, struct wg_alike_value, n);
    s.widened = WG_NEW_N(&s.arena, uint8_t, n);
    uint32_t classes = !reads_unset(&s) && find_tests(&s) ? sort(&s, out) : 0;
    wg_arena_free(&s.arena);
    return classes;
}
