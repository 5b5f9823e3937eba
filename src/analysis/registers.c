/* See registers.h. */
#include "analysis/registers.h"
#include "cfg/cfg.h"
#include "analysis/inline.h"
#include <string.h>

/* The fit, in tenths of a register. */
enum {
    OF_VARYING = 11,     /* for a word that differs from thread to thread */
    OF_LAUNCH = 2,       /* for one that is the launch's */
    LAUNCH_MOST = 20,    /* words of the launch; more of them are read again from constant memory */
    ALWAYS = 60,         /* the stack pointer, addresses in the making */
    FLOAT_DIVISION = 15, /* division, roots and reciprocals that are exact have a slow path */
    DOUBLE_DIVISION = 10,
    DIVISION = 55,
    LONG_DIVISION = 25,
    CALLS = 30, /* what outlives a call */
};
enum {
    LEAST = 4,
    MOST = 255,
    TOGETHER = 30,   /* loads are moved up to so many registers, which cost no occupancy */
    CONVENTION = 24, /* the least of a kernel that calls */
    WITHOUT_WORDS = 7,
    EMPTY = 3, /* instructions: a kernel that does nothing */
};

struct pressure {
    struct wg_arena *arena;
    const struct wg_ir_func *f;
    const struct wg_cfg *cfg;
    wg_bits live, launch; /* live now; uniform for the whole launch */
    uint32_t *defs;       /* [register] how often it is written */
    uint32_t *early;      /* [register] struct early's; 0 between blocks */
    uint32_t varying, of_launch;
    uint32_t most_varying, most_all, most_together;
};

static uint32_t words_of(const struct wg_ir_reg *r) {
    return r->width == WG_W128 ? 4 : r->width == WG_W64 ? 2 : r->width == WG_W1 ? 0 : 1;
}

/* ---- What is the launch's ---- */

static bool is_launch_special(uint32_t sreg) {
    switch (sreg) {
    case WG_SR_ctaid_x:
    case WG_SR_ctaid_y:
    case WG_SR_ctaid_z:
    case WG_SR_ntid_x:
    case WG_SR_ntid_y:
    case WG_SR_ntid_z:
    case WG_SR_nctaid_x:
    case WG_SR_nctaid_y:
    case WG_SR_nctaid_z: return true;
    default: return false;
    }
}

static bool is_launchs(const struct pressure *p, const struct wg_ir_instr *in) {
    if (in->ndst != 1 || in->dst[0].kind != WG_O_REG || in->guard != WG_NO_REG) return false;
    if (p->defs[in->dst[0].index] != 1) return false;
    if (in->op == WG_OP_MOV_SREG) return is_launch_special(in->sreg);
    uint32_t flags = wg_op_flags(in->op);
    if (flags & WG_F_MEM) return in->op == WG_OP_LD && in->space == WG_S_PARAM && in->src[0].kind == WG_O_SYM;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind == WG_O_REG && !wg_bits_has(p->launch, in->src[i].index)) return false;
    return flags == 0;
}

static void find_launchs(struct pressure *p) {
    const struct wg_ir_func *f = p->f;
    /* One write each, and blocks in reverse postorder: what a sum is made of comes before it. */
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (is_launchs(p, in)) wg_bits_add(p->launch, in->dst[0].index);
        }
}

/* ---- Loads that may be under way together ---- */

static bool can_move_up(const struct wg_ir_instr *in) {
    return in->op == WG_OP_LD && in->space != WG_S_PARAM && in->guard == WG_NO_REG;
}

/* The earliest position of each value in the block, and what loads must not be hoisted over. */
struct early {
    uint32_t *at;                    /* [register] */
    uint32_t behind[WG_S_PARAM + 1]; /* [space] */
    uint32_t behind_all;
};

static uint32_t earliest_load(const struct early *e, const struct wg_ir_instr *in, uint32_t operands) {
    uint32_t at = operands > e->behind_all ? operands : e->behind_all;
    for (uint32_t s = 0; s <= WG_S_PARAM; s++) {
        bool may_alias = s == in->space || s == WG_S_GENERIC || in->space == WG_S_GENERIC;
        if (may_alias && e->behind[s] > at) at = e->behind[s];
    }
    return at;
}

static void one_early(struct pressure *p, struct early *e, const struct wg_ir_instr *in, uint32_t i,
                      int32_t *extra) {
    uint32_t flags = wg_op_flags(in->op), operands = 0, at = i;
    for (uint32_t s = 0; s < in->nsrc; s++)
        if (in->src[s].kind == WG_O_REG && e->at[in->src[s].index] > operands)
            operands = e->at[in->src[s].index];
    if (can_move_up(in)) {
        at = earliest_load(e, in, operands);
        for (uint32_t d = 0; d < in->ndst; d++)
            if (in->dst[d].kind == WG_O_REG) {
                int32_t words = (int32_t)words_of(&p->f->regs[in->dst[d].index]);
                extra[at] += words;
                extra[i] -= words;
            }
    } else if (flags & WG_F_MEM) {
        if (in->op != WG_OP_LD) e->behind[in->space] = i + 1;
    } else if (flags & (WG_F_SYNC | WG_F_WAIT)) {
        e->behind_all = i + 1;
    } else if (in->guard == WG_NO_REG) {
        at = operands;
    }
    for (uint32_t d = 0; d < in->ndst; d++)
        if (in->dst[d].kind == WG_O_REG) e->at[in->dst[d].index] = at;
}

/* extra[i]: words of loads that follow instruction i and may be in flight before it. */
static int32_t *loads_under_way(struct pressure *p, const struct wg_ir_block *b) {
    struct early e = {.at = p->early};
    int32_t *extra = WG_NEW_N(p->arena, int32_t, b->ninstrs + 1);
    for (uint32_t i = 0; i < b->ninstrs; i++) one_early(p, &e, &b->instrs[i], i, extra);
    for (uint32_t i = 1; i <= b->ninstrs; i++) extra[i] += extra[i - 1];
    for (uint32_t i = 0; i < b->ninstrs; i++) /* for the next block */
        for (uint32_t d = 0; d < b->instrs[i].ndst; d++)
            if (b->instrs[i].dst[d].kind == WG_O_REG) e.at[b->instrs[i].dst[d].index] = 0;
    return extra;
}

/* ---- What is alive ---- */

static void change(struct pressure *p, uint32_t r, bool alive) {
    if (wg_bits_has(p->live, r) == alive) return;
    uint32_t words = words_of(&p->f->regs[r]),
             *count = wg_bits_has(p->launch, r) ? &p->of_launch : &p->varying;
    if (alive) {
        wg_bits_add(p->live, r);
        *count += words;
    } else {
        wg_bits_del(p->live, r);
        *count -= words;
    }
    if (p->varying > p->most_varying) p->most_varying = p->varying;
    if (p->varying + p->of_launch > p->most_all) p->most_all = p->varying + p->of_launch;
}
static void begins(void *p, uint32_t r) { change(p, r, true); }
static void ends(void *p, uint32_t r) { change(p, r, false); }

static void walk(struct pressure *p, uint32_t block) {
    const struct wg_ir_block *b = &p->f->blocks[block];
    const int32_t *extra = loads_under_way(p, b);
    memset(p->live, 0, (p->f->nregs + 63) / 64 * sizeof *p->live);
    p->varying = p->of_launch = 0;
    WG_BITS_EACH(r, p->cfg->live_out[block], p->f->nregs) begins(p, r);
    if (b->term == WG_TERM_CBR || b->term == WG_TERM_BRX) begins(p, b->cond);
    for (uint32_t i = b->ninstrs; i-- > 0;) {
        if (b->instrs[i].guard == WG_NO_REG) wg_each_def(&b->instrs[i], ends, p);
        wg_each_use(&b->instrs[i], begins, p);
        uint32_t together = p->varying + (uint32_t)extra[i];
        if (together > p->most_together) p->most_together = together;
    }
}

/* ---- The whole ---- */

/* Operations that become out-of-line code, each counted once. */
struct expensive {
    bool float_division, double_division, division, long_division, calls;
};

static void look_for_expensive(const struct wg_ir_func *f, struct expensive *e) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            const char *name = wg_op_name(in->op);
            bool divides = !strcmp(name, "div") || !strcmp(name, "rem");
            bool exact = !strcmp(name, "div") || !strcmp(name, "sqrt") || !strcmp(name, "rcp");
            e->calls |= in->op == WG_OP_CALL;
            if (exact && in->type == WG_T_F32 && in->mod[WG_MC_RND]) e->float_division = true;
            if (exact && in->type == WG_T_F64) e->double_division = true;
            if (divides && (in->type == WG_T_S32 || in->type == WG_T_U32)) e->division = true;
            if (divides && (in->type == WG_T_S64 || in->type == WG_T_U64)) e->long_division = true;
        }
}

static uint32_t volume(const uint32_t d[3]) { return d[0] * (d[1] ? d[1] : 1) * (d[2] ? d[2] : 1); }

/* The limit by the kernel's own bounds: .maxnreg, and registers such that a block, or so many, fit an SM.
 */
static uint32_t bound(const struct wg_ir_func *f) {
    enum { SM = 65536, UNIT = 8 };
    uint32_t most = f->maxnreg ? f->maxnreg : MOST;
    uint32_t threads = f->reqntid[0] ? volume(f->reqntid) : f->maxntid[0] ? volume(f->maxntid) : 0;
    if (threads) {
        uint32_t warps = (threads + 31) / 32 * (f->minnctapersm ? f->minnctapersm : 1);
        uint32_t each = SM / (warps * 32) / UNIT * UNIT;
        if (each && each < most) most = each;
    }
    return most < MOST ? most : MOST;
}

static uint32_t weigh(const struct pressure *p, const struct expensive *e, bool empty) {
    uint32_t launch = p->most_all - p->most_varying, tenths;
    if (launch > LAUNCH_MOST) launch = LAUNCH_MOST;
    tenths = p->most_varying * OF_VARYING + launch * OF_LAUNCH + ALWAYS;
    if (!p->most_varying && !e->calls) tenths = empty ? 0 : 10 * WITHOUT_WORDS;
    uint32_t together = 10 * p->most_together + ALWAYS;
    if (together > 10 * TOGETHER) together = 10 * TOGETHER;
    if (p->most_together > p->most_varying && together > tenths) tenths = together;
    tenths += e->float_division * FLOAT_DIVISION + e->double_division * DOUBLE_DIVISION +
              e->division * DIVISION + e->long_division * LONG_DIVISION;
    if (e->calls && (tenths += CALLS) < 10 * CONVENTION) tenths = 10 * CONVENTION;
    return (tenths + 5) / 10;
}

static uint32_t count_instructions(const struct wg_ir_func *f) {
    uint32_t n = 0;
    for (uint32_t b = 0; b < f->nblocks; b++) n += f->blocks[b].ninstrs;
    return n;
}

uint32_t wg_registers_estimate(const struct wg_ir_module *m, uint32_t func) {
    const struct wg_ir_func *kernel = &m->funcs[func];
    struct wg_diag d = {0};
    struct wg_inlined inlined = {0};
    bool recursive = false;
    struct expensive e = {.calls = kernel->has_indirect_calls || kernel->recursive};
    if (kernel->has_calls && wg_inline_possible(m, func, &recursive) && !recursive)
        inlined = wg_inline_calls(m, func, &d);
    struct wg_cfg cfg = {.func = inlined.func ? inlined.func : kernel};
    struct pressure p = {.arena = &cfg.arena, .f = cfg.func, .cfg = &cfg};
    wg_cfg_liveness(&cfg);
    p.live = wg_bits_new(&cfg.arena, p.f->nregs);
    p.launch = wg_bits_new(&cfg.arena, p.f->nregs);
    p.defs = wg_count_defs(&cfg.arena, p.f);
    p.early = WG_NEW_N(&cfg.arena, uint32_t, p.f->nregs);
    find_launchs(&p);
    look_for_expensive(p.f, &e);
    for (uint32_t b = 0; b < p.f->nblocks; b++) walk(&p, b);
    uint32_t n = weigh(&p, &e, count_instructions(p.f) <= EMPTY), most = bound(kernel);
    wg_arena_free(&cfg.arena);
    if (kernel->has_calls) wg_inlined_free(&inlined);
    wg_diag_free(&d);
    return n < LEAST ? LEAST : n > most ? most : n;
}
