/* Spin loops: see spins.h.
 *
 * A loop yields if its exit depends on memory that it reads in the loop: directly, or because the condition
 * is computed or tested on paths that are control-dependent on such a value. It polls the same address (SOON)
 * unless the reads that matter differ in place or kind in each iteration: their operands are loop-carried
 * (`i++`), or they change what they read (atomicAdd).
 */
#include "analysis/spins.h"
#include "cfg/cfg.h"

struct loop {
    struct wg_arena *a;
    const struct wg_ir_module *m;
    const struct wg_ir_func *f;
    uint32_t header, end; /* its blocks are among these */
    wg_bits decide;       /* registers that its exit depends on */
    bool all;             /* all its branches decide */
    bool grew;
};

/* ---- what may wait at all ---- */

static bool function_may_wait(const struct wg_ir_module *m, uint32_t func, wg_bits seen);

/* What a loop that waits for another thread must have in it: an access that sees what the other wrote. */
static bool may_wait(const struct wg_ir_module *m, const struct wg_ir_instr *in, const uint64_t *used,
                     wg_bits seen) {
    switch (in->op) {
    case WG_OP_ATOM: return in->dst[0].kind == WG_O_REG && wg_bits_has(used, in->dst[0].index);
    case WG_OP_MEMBAR:
    case WG_OP_FENCE:
    case WG_OP_NANOSLEEP:
    case WG_OP_MBARRIER_WAIT:
    case WG_OP_MBARRIER_WAIT_PARITY: return true;
    case WG_OP_CHECK_EVENT: return in->check == WG_EVENT_SPIN_ROUND;
    case WG_OP_LD: return !wg_ir_is_weak(in);
    case WG_OP_CALL: return in->call->builtin == WG_B_none && function_may_wait(m, in->call->func, seen);
    default: return false;
    }
}

static void add(void *set, uint32_t r) { wg_bits_add(set, r); }

static wg_bits used_registers(struct wg_arena *a, const struct wg_ir_func *f) {
    wg_bits used = wg_bits_new(a, f->nregs);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        if (blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX) wg_bits_add(used, blk->cond);
        for (uint32_t i = 0; i < blk->ninstrs; i++) wg_each_use(&blk->instrs[i], add, used);
    }
    return used;
}

/* seen: functions that have been visited, or are being visited. */
static bool function_may_wait(const struct wg_ir_module *m, uint32_t func, wg_bits seen) {
    if (func == WG_NO_REG) return true;
    if (wg_bits_has(seen, func)) return false;
    wg_bits_add(seen, func);
    struct wg_arena a = {0};
    const struct wg_ir_func *f = &m->funcs[func];
    wg_bits used = used_registers(&a, f);
    bool waits = false;
    for (uint32_t b = 0; b < f->nblocks && !waits; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs && !waits; i++)
            waits = may_wait(m, &f->blocks[b].instrs[i], used, seen);
    wg_arena_free(&a);
    return waits;
}

/* Blocks with something that may wait. */
static wg_bits waiting_blocks(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f) {
    wg_bits waits = wg_bits_new(a, f->nblocks), used = used_registers(a, f);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            wg_bits seen = in->op == WG_OP_CALL ? wg_bits_new(a, m->nfuncs) : NULL;
            if (may_wait(m, in, used, seen)) wg_bits_add(waits, b);
        }
    return waits;
}

/* Whether a way back, from `block`, leads to a place that is not the header of a loop around it: into the
 * middle of a cycle that has several entries. */
static bool jumps_into_cycle(const struct wg_ir_func *f, uint32_t block, uint32_t target) {
    return target <= block && !wg_in_loop(f, block, target);
}

wg_bits wg_spins_candidates(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f) {
    wg_bits headers = wg_bits_new(a, f->nblocks), waits = waiting_blocks(a, m, f);
    uint32_t last = 0; /* block that may wait, plus one */
    WG_BITS_EACH(b, waits, f->nblocks) {
        last = b + 1;
        for (uint32_t h = f->blocks[b].loop; h != WG_NO_REG; h = f->blocks[h].outer) wg_bits_add(headers, h);
    }
    /* Such cycles are rare: each may wait if anything after its first block does. */
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t s = 0; s < f->blocks[b].nsucc; s++) {
            uint32_t target = f->blocks[b].succ[s];
            if (jumps_into_cycle(f, b, target) && target < last) wg_bits_add(headers, target);
        }
    return headers;
}

/* ---- what a loop's exit depends on ---- */

/* It may return what another thread has written. */
static bool reads(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_LD && (in->space == WG_S_PARAM || in->space == WG_S_CONST)) return false;
    return (wg_op_flags(in->op) & ~(uint32_t)(WG_F_SYNC | WG_F_CC)) != 0;
}

/* Whether every iteration of the loop runs the block, once. */
static bool is_in_every_iteration(const struct loop *l, uint32_t block) {
    const struct wg_ir_func *f = l->f;
    if (f->blocks[block].loop != l->header) return false;
    if (block == l->header) return true;
    wg_bits reached = wg_bits_new(l->a, f->nblocks);
    wg_bits_add(reached, l->header);
    for (uint32_t b = l->header; b < l->end; b++) /* inner loops' back edges reach nothing new */
        for (uint32_t s = 0; s < f->blocks[b].nsucc && wg_bits_has(reached, b); s++) {
            uint32_t to = f->blocks[b].succ[s];
            if (to == l->header) return false;
            if (to != block && to > b) wg_bits_add(reached, to);
        }
    return true;
}

static void decides(void *user, uint32_t reg) {
    struct loop *l = user;
    l->grew |= !wg_bits_has(l->decide, reg);
    wg_bits_add(l->decide, reg);
}

static bool leaves(const struct loop *l, uint32_t block) {
    const struct wg_ir_block *b = &l->f->blocks[block];
    for (uint32_t s = 0; s < b->nsucc; s++)
        if (!wg_in_loop(l->f, b->succ[s], l->header)) return true;
    return false;
}

struct among {
    const uint64_t *set;
    bool any;
};
static void see(void *user, uint32_t reg) {
    struct among *x = user;
    x->any |= wg_bits_has(x->set, reg);
}
static bool writes_any(const struct wg_ir_instr *in, const uint64_t *set) {
    struct among x = {.set = set};
    wg_each_def(in, see, &x);
    return x.any;
}

static void see_block(struct loop *l, uint32_t block) {
    const struct wg_ir_block *b = &l->f->blocks[block];
    bool branches = b->term == WG_TERM_CBR || b->term == WG_TERM_BRX;
    bool matters = branches && leaves(l, block);
    if (branches && (matters || l->all)) decides(l, b->cond);
    for (uint32_t i = 0; i < b->ninstrs; i++) {
        if (!writes_any(&b->instrs[i], l->decide)) continue;
        wg_each_use(&b->instrs[i], decides, l);
        matters = true;
    }
    if (!matters || l->all || is_in_every_iteration(l, block)) return;
    l->all = l->grew = true;
}

/* Whether the loop's exit depends on what it reads. */
static bool depends_on_others(struct loop *l) {
    bool ends = false, reading = false;
    for (l->grew = true; l->grew;) {
        l->grew = false;
        for (uint32_t b = l->header; b < l->end; b++)
            if (wg_in_loop(l->f, b, l->header)) see_block(l, b);
    }
    for (uint32_t b = l->header; b < l->end; b++) {
        if (!wg_in_loop(l->f, b, l->header)) continue;
        ends |= leaves(l, b);
        for (uint32_t i = 0; i < l->f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &l->f->blocks[b].instrs[i];
            reading |= reads(in) && writes_any(in, l->decide);
        }
    }
    return reading || !ends;
}

/* ---- whether it polls the same address ---- */

/* An atomic that changes the value it reads, so that it reads another one the next time. */
static bool changes(const struct wg_ir_instr *in) {
    enum wg_mod op = in->mod[WG_MC_AOP];
    if (in->op != WG_OP_ATOM || (op != WG_M_add && op != WG_M_inc && op != WG_M_dec)) return false;
    return in->nsrc > 1 && (in->src[1].kind != WG_O_IMM || in->src[1].imm);
}

/* extend: adds what the registers in `set` are computed from in the loop; else leaves of them those that are
 * computed there from one of them. True if it changed the set. */
static bool computed(const struct loop *l, wg_bits set, bool extend) {
    uint32_t n = l->f->nregs;
    wg_bits next = wg_bits_new(l->a, n);
    bool changed = false;
    if (extend) wg_bits_copy(next, set, n);
    for (uint32_t b = l->header; b < l->end; b++) {
        if (!wg_in_loop(l->f, b, l->header)) continue;
        for (uint32_t i = 0; i < l->f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &l->f->blocks[b].instrs[i];
            if (reads(in) || !writes_any(in, set)) continue;
            if (extend) {
                wg_each_use(in, add, next);
                continue;
            }
            struct among x = {.set = set};
            wg_each_use(in, see, &x);
            if (x.any) wg_each_def(in, add, next);
        }
    }
    for (uint32_t w = 0; w < (n + 63) / 64; w++) {
        if (!extend) next[w] &= set[w];
        changed |= next[w] != set[w];
    }
    wg_bits_copy(set, next, n);
    return changed;
}

/* Whether the deciding reads differ in each iteration. */
static bool goes_on_by_itself(const struct loop *l) {
    wg_bits operands = wg_bits_new(l->a, l->f->nregs);
    for (uint32_t b = l->header; b < l->end; b++) {
        if (!wg_in_loop(l->f, b, l->header)) continue;
        for (uint32_t i = 0; i < l->f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &l->f->blocks[b].instrs[i];
            if (!reads(in) || !writes_any(in, l->decide)) continue;
            if (changes(in)) return true;
            wg_each_use(in, add, operands);
        }
    }
    while (computed(l, operands, true)) continue;  /* all that they are computed from */
    while (computed(l, operands, false)) continue; /* what is computed from itself is left */
    return !wg_bits_empty(operands, l->f->nregs);
}

static enum wg_yields kind_of(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f,
                              uint32_t header) {
    struct loop l = {.a = a, .m = m, .f = f, .header = header, .end = header};
    while (l.end < f->nblocks && wg_in_loop(f, l.end, header)) l.end++;
    l.decide = wg_bits_new(a, f->nregs);
    if (!depends_on_others(&l)) return WG_YIELDS_NEVER;
    return goes_on_by_itself(&l) ? WG_YIELDS_LATE : WG_YIELDS_SOON;
}

uint8_t *wg_spins_find(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f) {
    uint8_t *kinds = WG_NEW_N(a, uint8_t, f->nblocks + 1);
    struct wg_arena own = {0};
    wg_bits headers = wg_spins_candidates(&own, m, f);
    WG_BITS_EACH(h, headers, f->nblocks)
    kinds[h] = f->blocks[h].loop == h ? kind_of(&own, m, f, h) : WG_YIELDS_SOON;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t s = 0; s < f->blocks[b].nsucc; s++) {
            uint32_t target = f->blocks[b].succ[s];
            if (jumps_into_cycle(f, b, target) && wg_bits_has(headers, target))
                kinds[target] = WG_YIELDS_SOON;
        }
    wg_arena_free(&own);
    return kinds;
}
