/* See spin.h. */
#include "check/instrument/spin.h"
#include "cfg/cfg.h"
#include "check/finding.h"
#include "check/instrument/meeting.h"

enum { MOST_BETWEEN = 16 }; /* blocks of a branch that only takes time, itself among them */

struct spins { /* of a function */
    const struct wg_ir_module *m;
    struct wg_cfg cfg; /* liveness, dominators */
    wg_bits headers;   /* of loops that tell */
    wg_bits *keeps;    /* [header] registers */
    bool *inside;      /* [block] it is in a loop that tells */
    enum wg_spin asks;
    bool calls;       /* from within these loops */
    bool asks_shared; /* such a loop, or one of a function that is called, may ask a block's shared memory */
    bool called;      /* such a loop may call the function */
    struct callee *callees; /* [function] */
};
struct callee { /* of a call from within a loop */
    bool seen, understood, looks, others;
};

/* ---- loops ---- */

static bool in_loop(const struct wg_ir_func *f, uint32_t block, uint32_t header) {
    uint32_t l = f->blocks[block].loop;
    while (l != WG_NO_REG && l != header) l = f->blocks[l].outer;
    return l == header;
}

/* The loop's blocks are contiguous. */
static uint32_t loop_end(const struct wg_ir_func *f, uint32_t header) {
    uint32_t b = header;
    while (b < f->nblocks && in_loop(f, b, header)) b++;
    return b;
}

static bool tests_phase(const struct wg_ir_instr *in) {
    return in->op == WG_OP_MBARRIER_WAIT || in->op == WG_OP_MBARRIER_WAIT_PARITY;
}

static struct callee of_call(struct spins *s, const struct wg_ir_instr *in);

/* It reads what others may change, or lets them continue. */
static bool looks_for_others(struct spins *s, const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_MBARRIER_WAIT:
    case WG_OP_MBARRIER_WAIT_PARITY:
    case WG_OP_ATOM:
    case WG_OP_MEMBAR:
    case WG_OP_FENCE:
    case WG_OP_NANOSLEEP: return true;
    case WG_OP_CALL: return of_call(s, in).looks;
    case WG_OP_LD: return !wg_ir_is_weak(in);
    default: return false;
    }
}

/* An atomic that changes what it finds, whatever that is. */
static bool always_changes(const struct wg_ir_instr *in) {
    enum wg_mod op = in->mod[WG_MC_AOP];
    if (op != WG_M_add && op != WG_M_inc && op != WG_M_dec) return false;
    return in->nsrc > 1 && in->src[1].kind == WG_O_IMM && in->src[1].imm;
}

/* Its result depends on when it is asked. */
static bool asks_the_time(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_ACTIVEMASK) return true;
    if (in->op != WG_OP_MOV_SREG) return false;
    switch (in->sreg) {
    case WG_SR_clock:
    case WG_SR_clock_hi:
    case WG_SR_clock64:
    case WG_SR_globaltimer:
    case WG_SR_globaltimer_lo:
    case WG_SR_globaltimer_hi: return true;
    default: return false;
    }
}

/* Memory that threads of other units may change. */
static bool asks_others(struct spins *s, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CALL) return of_call(s, in).others;
    if (!wg_op_is(in->op, WG_IS_LOAD) && in->op != WG_OP_ATOM) return false;
    switch (in->space) {
    case WG_S_SHARED:
    case WG_S_CLUSTER:
    case WG_S_LOCAL:
    case WG_S_CONST:
    case WG_S_PARAM: return false;
    default: return true;
    }
}

static bool is_understood(struct spins *s, const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_LD:
    case WG_OP_LDU:
    case WG_OP_ST:
    case WG_OP_MBARRIER_WAIT:
    case WG_OP_MBARRIER_WAIT_PARITY:
    case WG_OP_NANOSLEEP: return true;
    case WG_OP_ATOM: return !always_changes(in);
    case WG_OP_RED: return false;
    case WG_OP_CALL: return of_call(s, in).understood;
    default: return !(wg_op_flags(in->op) & ~(uint32_t)(WG_F_SYNC | WG_F_CC));
    }
}

static struct callee of_call(struct spins *s, const struct wg_ir_instr *in) {
    if (in->call->func == WG_NO_REG) return (struct callee){0};
    if (!s->callees) s->callees = WG_NEW_N(&s->cfg.arena, struct callee, s->m->nfuncs);
    const struct wg_ir_func *f = &s->m->funcs[in->call->func];
    struct callee *known = &s->callees[in->call->func], c = {.understood = f->nblocks != 0};
    if (known->seen) return *known; /* what calls itself is not understood */
    known->seen = true;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *part = &f->blocks[b].instrs[i];
            c.understood &= is_understood(s, part) && !asks_the_time(part);
            c.looks |= looks_for_others(s, part);
            c.others |= asks_others(s, part);
        }
    c.seen = true;
    return *known = c;
}

/* All that comes of it is its results, which depend on its operands alone; or it takes time, and no more. */
static bool is_pure(const struct wg_ir_instr *in) {
    return in->op == WG_OP_NANOSLEEP || !(wg_op_flags(in->op) & ~(uint32_t)WG_F_SYNC);
}

/* ---- what a thread takes along ---- */

static void put_in(void *set, uint32_t r) { wg_bits_add(set, r); }

struct seek {
    uint64_t *set;
    bool hit;
};
static void seek(void *s, uint32_t r) {
    struct seek *k = s;
    k->hit |= wg_bits_has(k->set, r);
}
static bool writes_any(const struct wg_ir_instr *in, wg_bits set) {
    struct seek k = {.set = set};
    wg_each_def(in, seek, &k);
    return k.hit;
}

/* Nothing comes of the block but registers that are not in `set`, and that time goes by. */
static bool is_idle(const struct wg_ir_block *b, wg_bits set) {
    for (uint32_t i = 0; i < b->ninstrs; i++) {
        const struct wg_ir_instr *in = &b->instrs[i];
        if (!is_pure(in) || wg_op_flags(in->op) & WG_F_SYNC || writes_any(in, set)) return false;
    }
    return true;
}

/* Whether all ways on from block `b` lead to `join`, by idle blocks between the two. */
static bool leads_idly(const struct wg_ir_func *f, uint32_t b, uint32_t join, wg_bits set) {
    bool seen[MOST_BETWEEN] = {false};
    seen[0] = true;
    for (uint32_t at = b; at < join; at++) {
        const struct wg_ir_block *blk = &f->blocks[at];
        if (!seen[at - b]) continue;
        if (blk->nsucc == 0 || (at != b && !is_idle(blk, set))) return false;
        for (uint32_t k = 0; k < blk->nsucc; k++) {
            if (blk->succ[k] <= at || blk->succ[k] > join) return false;
            if (blk->succ[k] < join) seen[blk->succ[k] - b] = true;
        }
    }
    return true;
}

/* A branch whose ways lead to the same block of the loop, some of them later than others, and no more. */
static bool only_delays(struct spins *s, uint32_t b, uint32_t end, wg_bits set) {
    for (uint32_t join = b + 1; join < end && join - b <= MOST_BETWEEN; join++)
        if (leads_idly(s->cfg.func, b, join, set)) return true;
    return false;
}

/* What branches, accesses and effects of the loop depend on. */
static wg_bits find_deciding(struct spins *s, uint32_t header, uint32_t end) {
    const struct wg_ir_func *f = s->cfg.func;
    wg_bits set = wg_bits_new(&s->cfg.arena, f->nregs), was = wg_bits_new(&s->cfg.arena, f->nregs);
    do {
        wg_bits_copy(was, set, f->nregs);
        for (uint32_t b = header; b < end; b++) {
            const struct wg_ir_block *blk = &f->blocks[b];
            bool decides = blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX;
            if (decides && !only_delays(s, b, end, set)) wg_bits_add(set, blk->cond);
            for (uint32_t i = 0; i < blk->ninstrs; i++)
                if (!is_pure(&blk->instrs[i]) || writes_any(&blk->instrs[i], set))
                    wg_each_use(&blk->instrs[i], put_in, set);
        }
    } while (wg_bits_join(was, set, f->nregs));
    return set;
}

/* The only instruction of the loop that writes the register, in a block that every round comes through; else
 * NULL. */
static const struct wg_ir_instr *only_writer(struct spins *s, uint32_t header, uint32_t end, uint32_t reg) {
    const struct wg_ir_func *f = s->cfg.func;
    wg_bits one = wg_bits_new(&s->cfg.arena, f->nregs);
    const struct wg_ir_instr *found = NULL;
    wg_bits_add(one, reg);
    for (uint32_t b = header; b < end; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (!writes_any(in, one)) continue;
            if (found || in->guard != WG_NO_REG) return NULL;
            for (uint32_t p = 0; p < f->blocks[header].npred; p++)
                if (f->blocks[header].pred[p] >= header &&
                    !wg_dominates(&s->cfg, b, f->blocks[header].pred[p]))
                    return NULL;
            found = in;
        }
    return found;
}

static bool is_register(const struct wg_ir_opd *o, uint32_t reg) {
    return o->kind == WG_O_REG && o->index == reg;
}

/* It is another one in every round, as far as anybody waits. */
static bool counts(struct spins *s, uint32_t header, uint32_t end, uint32_t reg) {
    const struct wg_ir_instr *in = only_writer(s, header, end, reg);
    if (in && in->op == WG_OP_MOV && in->src[0].kind == WG_O_REG)
        in = only_writer(s, header, end, in->src[0].index);
    if (!in || (in->op != WG_OP_ADD_I && in->op != WG_OP_SUB_I)) return false;
    for (uint32_t k = 0; k < 2; k++) {
        const struct wg_ir_opd *by = &in->src[1 - k];
        if (!is_register(&in->src[k], reg)) continue;
        if (by->kind == WG_O_IMM) return by->imm != 0;
        if (by->kind == WG_O_SYM) return true;
        /* Which the loop itself does not write, and which then is not 0 where the program is right. */
        wg_bits one = wg_bits_new(&s->cfg.arena, s->cfg.func->nregs);
        wg_bits_add(one, by->index);
        for (uint32_t b = header; b < end; b++)
            for (uint32_t i = 0; i < s->cfg.func->blocks[b].ninstrs; i++)
                if (writes_any(&s->cfg.func->blocks[b].instrs[i], one)) return false;
        return true;
    }
    return false;
}

/* ---- which loops ---- */

/* It may wait for others; or nothing ends it. */
static bool may_wait(struct spins *s, uint32_t header, uint32_t end) {
    const struct wg_ir_func *f = s->cfg.func;
    bool looks = false, ends = false;
    for (uint32_t b = header; b < end; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            if (!is_understood(s, &blk->instrs[i])) return false;
            looks |= looks_for_others(s, &blk->instrs[i]);
        }
        ends |= blk->nsucc == 0;
        for (uint32_t k = 0; k < blk->nsucc; k++) ends |= blk->succ[k] < header || blk->succ[k] >= end;
    }
    return looks || !ends;
}

static void see_loop(struct spins *s, uint32_t header) {
    const struct wg_ir_func *f = s->cfg.func;
    uint32_t end = loop_end(f, header);
    if (!may_wait(s, header, end)) return;
    if (!s->cfg.idom) {
        wg_cfg_liveness(&s->cfg);
        wg_cfg_dominators(&s->cfg);
    }
    wg_bits deciding = find_deciding(s, header, end), keeps = wg_bits_new(&s->cfg.arena, f->nregs);
    enum wg_spin asks = WG_SPIN_OWN;
    bool calls = false;
    for (uint32_t b = header; b < end; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (asks_the_time(in) && writes_any(in, deciding)) return;
            calls |= in->op == WG_OP_CALL;
            if (asks_others(s, in)) asks = WG_SPIN_OTHERS;
            wg_each_def(in, put_in, keeps);
        }
    WG_BITS_EACH(r, keeps, f->nregs) {
        if (!wg_bits_has(deciding, r) || !wg_bits_has(s->cfg.live_in[header], r)) {
            wg_bits_del(keeps, r);
        } else if (f->regs[r].width == WG_W128 || counts(s, header, end, r)) {
            return;
        }
    }
    wg_bits_add(s->headers, header);
    s->keeps[header] = keeps;
    if (asks > s->asks) s->asks = asks;
    s->calls |= calls;
    for (uint32_t b = header; b < end; b++) s->inside[b] = true;
}

/* NULL: there are none. */
static struct spins *find(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f) {
    bool loops = false;
    for (uint32_t b = 0; b < f->nblocks; b++) loops |= f->blocks[b].loop == b;
    if (!loops) return NULL;
    struct spins *s = WG_NEW(a, struct spins);
    s->m = m;
    s->cfg = (struct wg_cfg){.func = f};
    s->headers = wg_bits_new(a, f->nblocks);
    s->keeps = WG_NEW_N(a, wg_bits, f->nblocks);
    s->inside = WG_NEW_N(a, bool, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (f->blocks[b].loop == b) see_loop(s, b);
    return s;
}

const uint8_t *wg_spin_find(struct wg_arena *a, const struct wg_ir_module *m) {
    uint8_t *in = WG_NEW_N(a, uint8_t, m->nfuncs + 1), called = WG_SPIN_NO;
    bool any = false, calls = false;
    for (uint32_t k = 0; k < m->nfuncs; k++) {
        struct spins *s = find(a, m, &m->funcs[k]);
        if (!s) continue;
        in[k] = (uint8_t)s->asks;
        any |= in[k] != WG_SPIN_NO;
        calls |= s->calls;
        if (!m->funcs[k].entry && in[k] > called) called = in[k];
        wg_arena_free(&s->cfg.arena);
    }
    for (uint32_t k = 0; k < m->nfuncs; k++) {
        if (in[k] < called) in[k] = called;
        if (calls && !m->funcs[k].entry) in[k] |= WG_SPIN_CALLED;
    }
    return any ? in : NULL;
}

static bool may_be_shared(const struct wg_ir_instr *in) {
    if (tests_phase(in)) return true;
    if (!wg_op_is(in->op, WG_IS_ACCESS))
        return in->op == WG_OP_CALL || wg_op_flags(in->op) & (WG_F_MEM | WG_F_BULK);
    return in->space == WG_S_SHARED || in->space == WG_S_CLUSTER || in->space == WG_S_GENERIC;
}

/* Whether anybody who runs this function may wait for what others do to shared memory. */
static bool asks_shared(const struct spins *s, const struct wg_ir_func *f) {
    bool any = !f->entry;
    for (uint32_t b = 0; b < f->nblocks && !any; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs && !any; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            bool inside = s->inside && s->inside[b];
            any = inside ? may_be_shared(in) : in->op == WG_OP_CALL && in->call->builtin == WG_B_none;
        }
    return any;
}

/* ---- the pass ---- */

static void begin(struct wg_instrument *x) {
    x->spins = NULL;
    if (!x->spinning || !x->spinning[x->func]) return;
    struct spins *s = find(x->arena, x->m, x->from);
    if (!s) s = WG_NEW(x->arena, struct spins);
    s->called = x->spinning[x->func] & WG_SPIN_CALLED;
    s->asks_shared = asks_shared(s, x->from);
    x->spins = s;
}

static struct wg_ir_instr event(const struct wg_ir_instr *like, uint32_t what, struct wg_ir_opd *source) {
    struct wg_ir_instr e = wg_instrument_like(like, WG_OP_CHECK_EVENT, WG_T_NONE);
    e.check = what;
    e.src = source;
    e.nsrc = source ? 1 : 0;
    return e;
}

/* At the header of a loop that tells: a thread comes round, or in. */
static void come_round(struct wg_instrument *x, const struct wg_ir_block *blk) {
    const struct spins *s = x->spins;
    uint32_t b = (uint32_t)(blk - x->from->blocks);
    if (!s || !s->headers || !wg_bits_has(s->headers, b)) return;
    struct wg_ir_instr like = {.loc = blk->loc, .ptx_line = blk->ptx_line, .id = blk->id};
    if (blk->ninstrs && blk->instrs[0].id)
        like.loc = blk->instrs[0].loc, like.ptx_line = blk->instrs[0].ptx_line, like.id = blk->instrs[0].id;
    like.guard = WG_NO_REG;
    WG_BITS_EACH(r, s->keeps[b], x->from->nregs) {
        struct wg_ir_opd o = {.kind = WG_O_REG, .index = r};
        wg_instrument_put(x, event(&like, WG_EVENT_SPIN_KEEPS, &o));
    }
    wg_instrument_put(x, event(&like, WG_EVENT_SPIN_ROUND, NULL));
}

/* At a block behind a loop that tells, and in none: what threads do there is not looked at. */
static void leave(struct wg_instrument *x, const struct wg_ir_block *blk) {
    const struct spins *s = x->spins;
    bool left = false;
    if (!s || !s->inside || s->inside[blk - x->from->blocks]) return;
    for (uint32_t p = 0; p < blk->npred; p++) left |= s->inside[blk->pred[p]];
    if (!left) return;
    struct wg_ir_instr e = event(&(struct wg_ir_instr){.guard = WG_NO_REG}, WG_EVENT_SPIN_LEFT, NULL);
    wg_instrument_put(x, e);
}

/* In a loop that tells, or perhaps called by one. */
static bool is_inside(const struct wg_instrument *x) {
    const struct spins *s = x->spins;
    return s->called || (s->inside && s->inside[x->block - x->from->blocks]);
}

static bool is_told(const struct wg_instrument *x, const struct wg_ir_instr *in) {
    const struct spins *s = x->spins;
    bool inside = s && is_inside(x);
    if (!s || in->space == WG_S_CONST || in->space == WG_S_PARAM) return false;
    if (inside && tests_phase(in)) return true;
    if (!wg_instrument_is_access(x, in)) return false;
    if (!inside && in->space == WG_S_SHARED && !s->asks_shared) return false;
    return inside || wg_op_is(in->op, WG_IS_ATOMIC) || (in->op == WG_OP_ST && !wg_ir_is_weak(in));
}

/* Where all of the warp come to a meeting together nobody waits there, and outside of loops that tell nobody has gone
 * round in vain who goes on from it. */
static uint32_t unless_apart(const struct wg_instrument *x, const struct wg_ir_instr *in) {
    return wg_meeting_is_of_all(in) && !is_inside(x) ? WG_EVENT_IF_APART : 0;
}

static void before(struct wg_instrument *x, const struct wg_ir_instr *in) {
    if (!x->spins) return;
    if (in == x->block->instrs) come_round(x, x->block), leave(x, x->block);
    if (wg_op_flags(in->op) & WG_F_SYNC)
        wg_instrument_put(x, event(in, WG_EVENT_SPIN_MEETS | unless_apart(x, in), NULL));
    if (is_told(x, in)) wg_instrument_put(x, event(in, WG_EVENT_SPIN_LOOKS, &in->src[0]));
}

static void after(struct wg_instrument *x, const struct wg_ir_instr *in) {
    if (!x->spins) return;
    if (wg_op_flags(in->op) & WG_F_SYNC)
        wg_instrument_put(x, event(in, WG_EVENT_SPIN_MET | unless_apart(x, in), NULL));
    if (!is_told(x, in) || wg_op_is(in->op, WG_IS_LOAD) || tests_phase(in)) return;
    wg_instrument_put(x, event(in, WG_EVENT_SPIN_DONE, NULL));
}

static void end(struct wg_instrument *x, const struct wg_ir_block *blk) {
    if (x->spins && !blk->ninstrs) come_round(x, blk), leave(x, blk);
}

static void finish(struct wg_instrument *x, struct wg_ir_func *to) {
    struct spins *s = x->spins;
    (void)to;
    if (s) wg_arena_free(&s->cfg.arena);
}

const struct wg_instrument_pass wg_spin_pass = {
    .checks = 1u << WG_CHECK_barrier,
    .begin = begin,
    .before = before,
    .after = after,
    .end = end,
    .finish = finish,
};
