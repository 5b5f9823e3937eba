/* The symbolic executor: follows the control flow of a thread block, for all its threads at once, and around loops. See
 * trace.h. */
#include "analysis/plan.h"
#include "cfg/cfg.h"
#include "analysis/touch.h"
#include "jit/emit/emit.h"
#include "jit/trace/trace.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_BARRIERS = 2,
    LEAST_SHUFFLES = 2,
    MOST_OPERATIONS = 700,
    MOST_OF_LOOPS = 1000, /* of vectors of 256 bits, where loops were followed */
    MOST_AT_FIRST = 2800,
    MOST_EXECUTED = 1 << 18, /* instructions of threads, of loops as often as they run */
    MOST_THREADS = WG_TRACE_WARPS * WG_LANES
};

/* ---- which kernels ---- */

/* Threads communicate through barriers or shuffles. */
static bool leads_on(const struct wg_emit *e) {
    bool meets = false;
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        const struct wg_ir_block *blk = &e->func->blocks[b];
        if (blk->term == WG_TERM_BRX || blk->term >= WG_TERM_TRAP) return false;
        for (uint32_t i = 0; i < blk->ninstrs; i++)
            meets |= wg_is_plain_barrier(&blk->instrs[i]) || blk->instrs[i].op == WG_OP_SHFL;
    }
    return meets;
}

static bool kernel_fits(const struct wg_emit *e) {
    const struct wg_code_opts *o = e->opts;
    if (!wg_may_use(o, WG_FORM_trace) || !e->L.avx2 || wg_touch_any(e->an)) return false;
    return o->ntid[0] * o->ntid[1] * o->ntid[2] <= MOST_THREADS && leads_on(e);
}

/* ---- control flow ---- */

struct mask {
    uint32_t on[WG_TRACE_WARPS];
};

static bool any(const struct wg_trace *t, const uint32_t *mask) {
    for (uint32_t w = 0; w < t->nwarps; w++)
        if (mask[w]) return true;
    return false;
}

static void join(const struct wg_trace *t, uint32_t *to, const uint32_t *mask) {
    for (uint32_t w = 0; w < t->nwarps; w++) to[w] |= mask[w];
}

static void branch(struct wg_trace *t, const struct wg_ir_block *blk, const uint32_t *mask, uint32_t *yes,
                   uint32_t *no) {
    const struct wg_trace_value *c = &t->reg[blk->cond];
    if (c->kind != WG_TRACE_FORM || c->sum.n) {
        t->failed = true;
        return;
    }
    for (uint32_t i = 0; i < t->nthreads; i++)
        if (wg_trace_on(mask, i))
            ((wg_trace_c(c, i) != 0) != blk->cond_neg ? yes : no)[i / WG_LANES] |= 1u << i % WG_LANES;
}

static void run_block(struct wg_trace *t, uint32_t b, const uint32_t *mask, struct mask *in) {
    const struct wg_ir_block *blk = &t->e->func->blocks[b];
    t->executed += blk->ninstrs + 1;
    t->failed |= t->goes_back && t->executed > MOST_EXECUTED / t->nthreads;
    for (uint32_t i = 0; i < blk->ninstrs && !t->failed; i++) {
        t->e->instr = i;
        if (!wg_is_plain_barrier(&blk->instrs[i])) {
            wg_trace_instr(t, &blk->instrs[i], mask);
            continue;
        }
        t->failed |= memcmp(mask, t->alive, t->nwarps * sizeof *mask) != 0;
        t->phase++;
    }
    if (t->failed) return;
    if (blk->term == WG_TERM_RET || blk->term == WG_TERM_EXIT)
        for (uint32_t w = 0; w < t->nwarps; w++) t->alive[w] &= ~mask[w];
    else if (blk->term == WG_TERM_CBR)
        branch(t, blk, mask, in[blk->succ[0]].on, in[blk->succ[1]].on);
    else
        join(t, in[blk->succ[0]].on, mask);
}

/* Registers that nobody reads from here on: what the last iteration left in them is not kept for the threads that are not
 * in this one. */
static void forget_dead(struct wg_trace *t, const struct mask *in) {
    uint32_t nregs = t->e->func->nregs;
    wg_bits lives = wg_bits_new(t->a, nregs);
    for (uint32_t b = 0; b < t->e->func->nblocks; b++)
        if (any(t, in[b].on)) wg_bits_join(lives, t->e->an->cfg.live_in[b], nregs);
    for (uint32_t r = 0; r < nregs; r++)
        if (!wg_bits_has(lives, r)) t->reg[r].kind = WG_TRACE_NONE;
}

/* Blends wait for no other lane, and the host has several units for them. */
static uint32_t moves_of(const struct wg_trace *t) { return t->permutations + t->blends / 2; }
static uint32_t operations_of(const struct wg_trace *t) { return t->operations + moves_of(t); }

/* The first block that threads wait for runs: those that leave a loop wait for the others behind it. */
static void run(struct wg_trace *t) {
    uint32_t n = t->e->func->nblocks;
    struct mask *in = WG_NEW_N(t->a, struct mask, n), now;
    for (uint32_t i = 0; i < t->nthreads; i++) t->alive[i / WG_LANES] |= 1u << i % WG_LANES;
    memcpy(in[0].on, t->alive, sizeof t->alive);
    for (uint32_t b = 0; b < n && !t->failed;) {
        t->e->block = b;
        now = in[b];
        memset(&in[b], 0, sizeof in[b]);
        if (any(t, now.on)) run_block(t, b, now.on, in);
        t->failed |= t->dry && operations_of(t) > MOST_AT_FIRST;
        uint32_t next = 0;
        while (next < n && !any(t, in[next].on)) next++;
        t->goes_back |= next <= b;
        if (next <= b) forget_dead(t, in);
        b = next;
    }
    for (uint32_t i = 0; i < t->objects.n && !t->failed; i++)
        if (!t->objects.v[i].shared && t->objects.v[i].ndirty) wg_trace_flush(t, &t->objects.v[i]);
}

static struct wg_trace begin(struct wg_emit *e, uint32_t chunk, const struct wg_trace *plan) {
    const uint32_t *n = e->opts->ntid;
    struct wg_trace t = {.e = e, .a = &e->an->arena, .dry = !plan, .plan = plan, .chunk = chunk};
    t.nthreads = n[0] * n[1] * n[2];
    t.nwarps = (t.nthreads + WG_LANES - 1) / WG_LANES;
    t.reg = WG_NEW_N(t.a, struct wg_trace_value, e->func->nregs);
    return t;
}

static void end(struct wg_trace *t) {
    for (uint32_t i = 0; i < t->objects.n; i++) free(t->objects.v[i].reads.v);
    free(t->atoms.v);
    free(t->vectors.v);
    free(t->objects.v);
    free(t->tests.v);
    free(t->steps.v);
    free(t->results.v);
}

/* Values that only go from thread to thread, by one barrier. */
static bool only_moves(const struct wg_trace *t) {
    return t->phase == 1 && !t->operations && t->forwarded >= t->nthreads && !t->in_pieces;
}

/* It can be done, and saves what phases cost: values that go from one to the next. */
static bool pays(struct wg_trace *t) {
    for (uint32_t i = 0; i < t->objects.n; i++)
        if (t->objects.v[i].reads.n)
            qsort(t->objects.v[i].reads.v, t->objects.v[i].reads.n, sizeof(int64_t), wg_trace_by_number);
    bool meet = t->phase >= LEAST_BARRIERS || t->shuffled >= LEAST_SHUFFLES * t->nthreads || only_moves(t);
    uint32_t moved = t->forwarded + t->shuffled;
    return !t->failed && meet && moved >= t->nthreads / 2 &&
           operations_of(t) <= (t->goes_back && !t->e->L.avx512 ? MOST_OF_LOOPS : MOST_OPERATIONS) &&
           moves_of(t) <= 2 * t->operations + moved / 4;
}

/* ---- what is used ---- */

/* From what memory gets backwards: threads whose results it comes from, step by step. */
static const uint32_t *find_wanted(const struct wg_trace *t) {
    wg_bits lanes = wg_bits_new(t->a, t->vectors.n * WG_TRACE_CHUNK + 1);
    uint32_t *wanted = WG_NEW_N(t->a, uint32_t, t->steps.n * t->nwarps + 1);
    for (uint32_t i = 0; i < t->results.n; i++)
        if (t->results.v[i] / WG_TRACE_CHUNK < t->vectors.n) wg_bits_add(lanes, t->results.v[i]);
    for (uint32_t k = t->steps.n; k-- > 0;) {
        const struct wg_trace_step *s = &t->steps.v[k];
        for (uint32_t i = 0; i < t->nthreads; i++) {
            bool used = false;
            for (uint32_t d = 0; d < 2; d++) used |= s->dst[d] && wg_bits_has(lanes, s->dst[d][i]);
            if (!used) continue;
            wanted[k * t->nwarps + i / WG_LANES] |= 1u << i % WG_LANES;
            for (uint32_t o = 0; o < 4; o++)
                if (s->src[o] && s->src[o][i] / WG_TRACE_CHUNK < t->vectors.n)
                    wg_bits_add(lanes, s->src[o][i]);
        }
    }
    return wanted;
}

static void dry_run(struct wg_trace *plan, struct wg_emit *e, uint32_t chunk, const uint32_t *wanted) {
    end(plan);
    *plan = begin(e, chunk, NULL);
    plan->wanted = wanted;
    run(plan);
}

static struct wg_trace make_plan(struct wg_emit *e) {
    uint32_t bytes = e->L.avx512 ? 64 : 32, chunk = bytes / 4;
    struct wg_trace plan = {0};
    dry_run(&plan, e, chunk, NULL);
    for (uint32_t i = 0; i < plan.objects.n; i++)
        if (plan.objects.v[i].bytes == 8) chunk = bytes / 8;
    if (chunk != plan.chunk && !plan.failed) dry_run(&plan, e, chunk, NULL);
    if (plan.failed) return plan;
    dry_run(&plan, e, chunk, find_wanted(&plan));
    if (plan.failed) dry_run(&plan, e, chunk, NULL); /* a comparison's result would be in the wrong lanes */
    return plan;
}

bool wg_fn_emit_trace(struct wg_emit *e, LLVMBasicBlockRef slow, LLVMBasicBlockRef done) {
    if (!kernel_fits(e)) return false;
    struct wg_trace plan = make_plan(e);
    if (!pays(&plan)) {
        wg_plan_no(e->opts, WG_FORM_trace,
                   plan.failed ? "not all of it is known while compiling" : "it does not pay");
        end(&plan);
        return false;
    }
    wg_plan_yes(e->opts, WG_FORM_trace, NULL);
    e->traced = true;
    struct wg_trace t = begin(e, plan.chunk, &plan);
    t.wanted = plan.wanted;
    LLVMBasicBlockRef early = wg_new_bb(e, "trace.tests"), body = wg_new_bb(e, "trace");
    t.early = LLVMCreateBuilderInContext(e->L.ctx);
    LLVMPositionBuilderAtEnd(t.early, early);
    LLVMPositionBuilderAtEnd(e->L.b, body);
    run(&t);
    LLVMBuildBr(e->L.b, done);
    LLVMBuildBr(e->block_b, early);
    LLVMValueRef fine = t.failed ? LLVMConstNull(e->i1) : wg_trace_tests(&t);
    LLVMBuildCondBr(t.early, fine ? fine : LLVMConstAllOnes(e->i1), body, slow);
    LLVMDisposeBuilder(t.early);
    end(&t);
    end(&plan);
    return true;
}
