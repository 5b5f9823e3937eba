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
};
/* The address of an access, modulo 128. */
struct address {
    uint32_t step[3];
};

struct state {
    const struct wg_alike_launch *l;
    struct wg_arena arena;
    struct wg_alike_value *regs;
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
           a->cmp == b->cmp;
}

static void add_test(struct state *s, const struct wg_alike_value *d, uint8_t cmp) {
    struct test t = {.lo = d->lo, .hi = d->hi, .cmp = cmp};
    memcpy(t.step, d->step, sizeof t.step);
    for (uint32_t i = 0; i < s->ntests; i++)
        if (is_same_test(&s->tests[i], &t)) return;
    if (s->ntests == MOST_TESTS)
        s->fails = true;
    else
        s->tests[s->ntests++] = t;
}

static struct wg_alike_value compared(struct state *s, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    struct wg_alike_value a = wg_alike_operand(&in->src[0], s->regs, bits),
                          b = wg_alike_operand(&in->src[1], s->regs, bits), d;
    if (a.kind == WG_ALIKE_UNSET || b.kind == WG_ALIKE_UNSET) return (struct wg_alike_value){0};
    if (a.kind == WG_ALIKE_OTHER || b.kind == WG_ALIKE_OTHER) return wg_alike_other();
    if (!wg_alike_has_step(&a) && !wg_alike_has_step(&b)) return wg_alike_same();
    bool sign = !is_unsigned(in), whole = wg_type_kind(in->type) != WG_K_F && bits >= 32;
    if (!whole || !wg_alike_fits(s->l, &a, bits, sign) || !wg_alike_fits(s->l, &b, bits, sign))
        return wg_alike_other();
    d = wg_alike_minus(&a, &b);
    if (!d.known || !wg_alike_fits(s->l, &d, 63, true)) return wg_alike_other();
    if (s->collects) add_test(s, &d, plain_cmp(in->mod[WG_MC_CMP]));
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

static void set(struct state *s, uint32_t reg, struct wg_alike_value v) {
    struct wg_alike_value *to = &s->regs[reg], all = wg_alike_join(to, &v);
    if (wg_alike_equal(&all, to)) return;
    if (to->kind == WG_ALIKE_STEP && to->known && all.known && ++s->widened[reg] > PATIENCE) {
        all.known = false;
        all.lo = all.hi = 0;
    }
    *to = all;
    s->changed = true;
}

static bool decides(const struct wg_alike_value *v) {
    return v->kind == WG_ALIKE_STEP && !wg_alike_has_step(v);
}

static void run(struct state *s, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->ndst; i++) {
        if (in->dst[i].kind != WG_O_REG) continue;
        struct wg_alike_value v = stored(s, in, i);
        if (in->guard != WG_NO_REG && s->regs[in->guard].kind == WG_ALIKE_OTHER) v = wg_alike_other();
        set(s, in->dst[i].index, v);
    }
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

static bool see_address(struct state *s, const struct wg_ir_instr *in) {
    struct wg_alike_value a = wg_alike_operand(&in->src[0], s->regs, 64);
    struct address x;
    if (a.kind != WG_ALIKE_STEP) return false;
    for (int i = 0; i < 3; i++) x.step[i] = (uint32_t)((uint64_t)a.step[i] % LINE);
    if (!wg_alike_has_step(&a)) return true;
    if (in->space != WG_S_GLOBAL && in->space != WG_S_SHARED && in->space != WG_S_GENERIC) return false;
    if (!(x.step[0] | x.step[1] | x.step[2])) return true;
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
        if (blk->term == WG_TERM_TRAP || blk->term > WG_TERM_TRAP) return false;
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
    return always ? ALWAYS : never ? NEVER : MIXED;
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

static bool put(struct wg_alike_class *out, struct key *keys, uint32_t *n, const struct key *k, size_t bytes,
                const uint32_t block[3], uint32_t blocks) {
    for (uint32_t i = *n; i-- > 0;)
        if (memcmp(&keys[i], k, bytes) == 0) {
            out[i].blocks += blocks;
            return true;
        }
    if (*n == WG_ALIKE_CLASSES) return false;
    out[*n] = (struct wg_alike_class){{block[0], block[1], block[2]}, blocks};
    keys[(*n)++] = *k;
    return true;
}

static uint32_t sort(const struct state *s, struct wg_alike_class *out) {
    const uint32_t *grid = s->l->nctaid;
    struct key keys[WG_ALIKE_CLASSES], k = {0};
    size_t bytes = (s->ntests + s->naddresses) * sizeof *k.v;
    uint32_t n = 0, steps = 0, block[3];
    for (block[2] = 0; block[2] < grid[2]; block[2]++)
        for (block[1] = 0; block[1] < grid[1]; block[1]++)
            for (block[0] = 0; block[0] < grid[0];) {
                bool steady = make_key(s, block, &k);
                uint32_t blocks = run_length(s, block, steady);
                if (++steps > MOST_STEPS || !put(out, keys, &n, &k, bytes, block, blocks)) return 0;
                block[0] += blocks;
            }
    uint64_t all = (uint64_t)grid[0] * grid[1] * grid[2];
    return n * (uint64_t)SPARE <= all ? n : 0;
}

uint32_t wg_alike_classes(const struct wg_alike_launch *l, struct wg_alike_class out[WG_ALIKE_CLASSES]) {
    if (!is_sortable(l->func)) return 0;
    struct state s = {.l = l};
    uint32_t n = l->func->nregs + 1;
    s.regs = WG_NEW_N(&s.arena, struct wg_alike_value, n);
    s.widened = WG_NEW_N(&s.arena, uint8_t, n);
    uint32_t classes = !reads_unset(&s) && find_tests(&s) ? sort(&s, out) : 0;
    wg_arena_free(&s.arena);
    return classes;
}
