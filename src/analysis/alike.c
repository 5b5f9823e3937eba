/* See alike.h. */
#include "analysis/alike.h"
#include "analysis/alike_value.h"
#include "cfg/cfg.h"
#include "ptx/op.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_TESTS = 24, MOST_ROUNDS = 64, PATIENCE = 3, LINE = 128, MOST_STEPS = 1 << 17, SPARE = 4 };
enum { MOST_BOXES = 128, MOST_CUTS = 128 };

/* A comparison of rest + step . ctaid with 0, the rest in lo .. hi. */
struct test {
    int64_t step[3], lo, hi;
    uint8_t cmp; /* enum wg_mod: eq, ne, lt, le, gt, ge */
    bool exact;  /* the range is not known: it comes out alike where the steps make the same number */
};
/* The address of an access, modulo 128. */
struct address {
    uint32_t step[3];
};

struct state {
    const struct wg_alike_launch *l;
    struct wg_arena arena;
    /* Of all that is stored in a register, anywhere; in the first block, of the latest. */
    struct wg_alike_value *regs, *first, *all;
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
           a->cmp == b->cmp && a->exact == b->exact;
}

static void add_test(struct state *s, const struct wg_alike_value *d, uint8_t cmp, bool exact) {
    struct test t = {.lo = d->lo, .hi = d->hi, .cmp = cmp, .exact = exact};
    memcpy(t.step, d->step, sizeof t.step);
    for (uint32_t i = 0; i < s->ntests; i++)
        if (is_same_test(&s->tests[i], &t)) return;
    if (s->ntests == MOST_TESTS)
        s->fails = true;
    else
        s->tests[s->ntests++] = t;
}

static bool are_numbers(const struct state *s, const struct wg_ir_instr *in, const struct wg_alike_value *a,
                        const struct wg_alike_value *b) {
    uint32_t bits = wg_type_bits(in->type);
    bool sign = !is_unsigned(in), whole = wg_type_kind(in->type) != WG_K_F && bits >= 32;
    return whole && wg_alike_fits(s->l, a, bits, sign) && wg_alike_fits(s->l, b, bits, sign);
}

/* What the steps make is a number. */
static bool is_small(const struct state *s, const struct wg_alike_value *d) {
    struct wg_alike_value steps = *d;
    steps.known = true;
    steps.lo = steps.hi = 0;
    return wg_alike_fits(s->l, &steps, 62, true);
}

static struct wg_alike_value compared_two(struct state *s, const struct wg_ir_instr *in,
                                          const struct wg_alike_value *a, const struct wg_alike_value *b) {
    if (a->kind == WG_ALIKE_UNSET || b->kind == WG_ALIKE_UNSET) return (struct wg_alike_value){0};
    if (a->kind != WG_ALIKE_STEP || b->kind != WG_ALIKE_STEP) return wg_alike_other();
    if (!wg_alike_has_step(a) && !wg_alike_has_step(b)) return wg_alike_same();
    struct wg_alike_value d = wg_alike_minus(a, b);
    bool exact = !are_numbers(s, in, a, b) || !wg_alike_fits(s->l, &d, 62, true);
    if (exact && ((wg_alike_has_step(a) && wg_alike_has_step(b)) || !is_small(s, &d)))
        return wg_alike_other();
    if (s->collects) add_test(s, &d, plain_cmp(in->mod[WG_MC_CMP]), exact);
    return wg_alike_same();
}

/* Of pairs each number is compared, which decides what is above or below. */
static struct wg_alike_value compared(struct state *s, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    struct wg_alike_value v[2] = {wg_alike_operand(&in->src[0], s->regs, bits),
                                  wg_alike_operand(&in->src[1], s->regs, bits)},
                          r = {0};
    uint8_t cmp = plain_cmp(in->mod[WG_MC_CMP]);
    int pair = v[1].kind == WG_ALIKE_PAIR;
    if (v[pair].kind != WG_ALIKE_PAIR) return compared_two(s, in, &v[0], &v[1]);
    if (cmp != WG_M_lt && cmp != WG_M_le && cmp != WG_M_gt && cmp != WG_M_ge) return wg_alike_other();
    for (int i = 0; i < 2; i++) {
        struct wg_alike_value one = s->l->pairs->v[v[pair].pair][i],
                              x = compared_two(s, in, pair ? &v[0] : &one, pair ? &one : &v[1]);
        r = wg_alike_join(&r, &x);
    }
    return r;
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

static void set(struct state *s, uint32_t reg, struct wg_alike_value v) {
    struct wg_alike_value *to = &s->all[reg], all = wg_alike_join(to, &v);
    if (wg_alike_equal(&all, to)) return;
    if (grows(s, reg, to, &all)) {
        /* What is halved again and again comes to 0, and goes no further. */
        all.known = all.hi == to->hi && all.lo >= 0;
        all.lo = 0;
        if (!all.known) all.hi = 0;
    }
    *to = all;
    s->changed = true;
}

static bool decides(const struct wg_alike_value *v) {
    return v->kind == WG_ALIKE_STEP && !wg_alike_has_step(v);
}

static void store(struct state *s, const struct wg_ir_instr *in, uint32_t n) {
    struct wg_alike_value v = stored(s, in, n);
    if (in->guard != WG_NO_REG && s->regs[in->guard].kind == WG_ALIKE_OTHER) v = wg_alike_other();
    uint32_t reg = in->dst[n].index;
    if (s->regs == s->first) s->first[reg] = in->guard == WG_NO_REG ? v : wg_alike_join(&s->first[reg], &v);
    set(s, reg, v);
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

/* All lanes access the same bytes, which are in one sector wherever they are: addresses are multiples of the size. */
static bool is_one_sector(const struct wg_ir_instr *in, const struct wg_alike_value *a) {
    enum { SECTOR = 32 };
    return a->known && a->lo == a->hi && wg_type_bits(in->type) / 8 * in->nvec <= SECTOR;
}

static bool see_address(struct state *s, const struct wg_ir_instr *in) {
    struct wg_alike_value a = wg_alike_operand(&in->src[0], s->regs, 64);
    struct address x;
    if (a.kind != WG_ALIKE_STEP) return false;
    for (int i = 0; i < 3; i++) x.step[i] = (uint32_t)((uint64_t)a.step[i] % LINE);
    if (!wg_alike_has_step(&a)) return true;
    if (in->space != WG_S_GLOBAL && in->space != WG_S_SHARED && in->space != WG_S_GENERIC) return false;
    if (!(x.step[0] | x.step[1] | x.step[2]) || is_one_sector(in, &a)) return true;
    for (uint32_t i = 0; i < s->naddresses; i++)
        if (memcmp(&s->addresses[i], &x, sizeof x) == 0) return true;
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

static bool see(struct state *s, const struct wg_ir_instr *in) {
    bool access = is_access(in) && in->space != WG_S_PARAM;
    bool meets = wg_op_flags(in->op) & (WG_F_SYNC | WG_F_WAIT);
    if ((access || meets) && in->guard != WG_NO_REG && !decides(&s->regs[in->guard])) return false;
    if (in->op == WG_OP_SETP) compared(s, in);
    return (!access || see_address(s, in)) && (!meets || see_meeting(s, in)) && !s->fails;
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
static bool reads_unset(const struct wg_ir_func *f) {
    struct wg_cfg c = {.func = f};
    wg_cfg_liveness(&c);
    bool any = !wg_bits_empty(c.live_in[0], f->nregs);
    wg_arena_free(&c.arena);
    return any;
}

/* The block is executed once, before all others. */
static bool is_first(const struct wg_ir_func *f, uint32_t block) {
    bool again = block != 0;
    for (uint32_t b = 0; b < f->nblocks && !again; b++)
        for (uint32_t i = 0; i < f->blocks[b].nsucc; i++) again |= f->blocks[b].succ[i] == block;
    return !again;
}

static bool run_block(struct state *s, uint32_t b) {
    const struct wg_ir_block *blk = &s->l->func->blocks[b];
    s->regs = is_first(s->l->func, b) ? s->first : s->all;
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        if (s->collects && !see(s, &blk->instrs[i])) return false;
        if (!s->collects || s->regs == s->first) run(s, &blk->instrs[i]);
        if (s->l->cut->wanted) return false;
    }
    bool asks = s->collects && (blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX);
    return !asks || decides(&s->regs[blk->cond]);
}

static bool find_tests(struct state *s) {
    const struct wg_ir_func *f = s->l->func;
    s->changed = true;
    for (uint32_t round = 0; s->changed; round++) {
        if (round == MOST_ROUNDS) return false;
        s->changed = s->l->pairs->changed = false;
        for (uint32_t b = 0; b < f->nblocks; b++)
            if (!run_block(s, b)) return false;
        s->changed |= s->l->pairs->changed;
    }
    s->collects = true;
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (!run_block(s, b)) return false;
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

struct key {
    int64_t v[2 * MOST_TESTS];
};

/* What the block's class depends on. Returns whether the next block along x has the same key, unless a test comes out
 * otherwise there. */
static bool make_key(const struct state *s, const uint32_t block[3], struct key *k) {
    bool steady = true;
    for (uint32_t i = 0; i < s->ntests; i++) {
        const struct test *t = &s->tests[i];
        int how = outcome(t, block);
        k->v[i] = how == MIXED ? along(t->step, block) : INT64_MAX - how;
        steady &= how != MIXED || !t->step[0];
    }
    for (uint32_t i = 0; i < s->naddresses; i++) {
        const uint32_t *step = s->addresses[i].step;
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
    uint32_t n = 1, left = s->l->box.blocks[0] - block[0];
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
    WG_VEC(int64_t) keys; /* of this box, `width` numbers each */
    uint32_t n, from;     /* those before `from` are of other boxes */
    uint32_t width, steps;
};

static bool put(struct sorted *to, const struct key *k, const uint32_t block[3], uint64_t blocks) {
    for (uint32_t i = to->n; i-- > to->from;)
        if (memcmp(to->keys.v + (i - to->from) * to->width, k->v, to->width * sizeof *k->v) == 0) {
            to->v[i].blocks += blocks;
            return true;
        }
    if (to->n == WG_ALIKE_CLASSES) return false;
    to->v[to->n++] = (struct wg_alike_class){{block[0], block[1], block[2]}, blocks};
    for (uint32_t i = 0; i < to->width; i++) *WG_PUSH(&to->keys) = k->v[i];
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
    while (block[0] < s->l->box.blocks[0]) {
        bool steady = make_key(s, block, &k);
        uint32_t blocks = run_length(s, block, steady);
        if (++to->steps > MOST_STEPS || !put(to, &k, block, blocks * row->blocks)) return false;
        block[0] += blocks;
    }
    return true;
}

/* Of a box that needs no cut. The classes have their blocks' places in the box, until they become those in the grid. */
static bool sort_box(struct state *s, struct sorted *to) {
    const struct wg_alike_box *box = &s->l->box;
    struct wg_alike_class v[WG_ALIKE_CLASSES];
    struct key k = {0};
    struct sorted rows = {.v = v, .width = s->ntests + s->naddresses};
    bool good = true;
    to->from = to->n;
    to->keys.n = 0;
    to->width = rows.width;
    for (uint32_t z = 0; z < box->blocks[2] && good; z++)
        for (uint32_t y = 0; y < box->blocks[1] && good; y++) {
            uint32_t first[3] = {0, y, z};
            make_row_key(s, first, &k);
            good = ++to->steps <= MOST_STEPS && put(&rows, &k, first, 1);
        }
    free(rows.keys.v);
    for (uint32_t i = 0; i < rows.n && good; i++) good = sort_row(s, &v[i], to);
    for (uint32_t i = to->from; i < to->n; i++)
        for (int a = 0; a < 3; a++) to->v[i].block[a] = box->first[a] + box->apart[a] * to->v[i].block[a];
    return good;
}

/* ---- boxes ---- */

struct boxes {
    uint32_t n;
    struct wg_alike_box v[MOST_BOXES];
};

static bool push(struct boxes *b, const struct wg_alike_box *box) {
    if (b->n == MOST_BOXES) return false;
    b->v[b->n++] = *box;
    return true;
}

static bool cut_box(struct boxes *to, const struct wg_alike_box *box, const struct wg_alike_cut *c) {
    uint32_t blocks = box->blocks[c->axis];
    struct wg_alike_box part = *box;
    if (!c->at) {
        part.apart[c->axis] *= c->every;
        for (uint32_t i = 0; i < c->every; i++) {
            part.first[c->axis] = box->first[c->axis] + i * box->apart[c->axis];
            part.blocks[c->axis] = (blocks - i + c->every - 1) / c->every;
            if (!push(to, &part)) return false;
        }
        return true;
    }
    part.blocks[c->axis] = c->at;
    if (!push(to, &part)) return false;
    part.blocks[c->axis] = blocks - c->at;
    part.first[c->axis] += c->at * box->apart[c->axis];
    return push(to, &part);
}

static bool sort_or_cut(const struct wg_alike_launch *l, struct boxes *todo, struct sorted *to) {
    struct state s = {.l = l};
    uint32_t n = l->func->nregs + 1;
    s.first = WG_NEW_N(&s.arena, struct wg_alike_value, n);
    s.all = WG_NEW_N(&s.arena, struct wg_alike_value, n);
    s.widened = WG_NEW_N(&s.arena, uint8_t, n);
    bool good = find_tests(&s) ? sort_box(&s, to) : l->cut->wanted && cut_box(todo, &l->box, l->cut);
    wg_arena_free(&s.arena);
    return good;
}

uint32_t wg_alike_classes(const struct wg_alike_launch *launch, struct wg_alike_class out[WG_ALIKE_CLASSES]) {
    if (!is_sortable(launch->func) || reads_unset(launch->func)) return 0;
    struct wg_alike_launch l = *launch;
    struct wg_alike_cut cut;
    struct wg_alike_pairs pairs;
    struct boxes todo = {.n = 1};
    struct sorted to = {.v = out};
    uint64_t all = 1;
    for (int i = 0; i < 3; i++) {
        todo.v[0].apart[i] = 1;
        todo.v[0].blocks[i] = l.nctaid[i];
        all *= l.nctaid[i];
    }
    l.cut = &cut;
    l.pairs = &pairs;
    bool good = true;
    for (uint32_t round = 0; good && todo.n; round++) {
        l.box = todo.v[--todo.n];
        cut.wanted = false;
        pairs.n = 0;
        good = round < MOST_CUTS && round * (uint64_t)SPARE <= all && sort_or_cut(&l, &todo, &to);
    }
    free(to.keys.v);
    return good && to.n * (uint64_t)SPARE <= all ? to.n : 0;
}
