/* See instrument.h. */
#include "check/instrument/instrument.h"
#include "base/hash.h"
#include "check/finding.h"
#include "check/instrument/access.h"
#include "check/instrument/barrier.h"
#include "check/instrument/guess.h"
#include "check/instrument/lock.h"
#include "check/instrument/quiet.h"
#include "check/instrument/shadow.h"
#include "check/instrument/shadow_calls.h"
#include "check/instrument/spin.h"
#include "check/instrument/variable.h"
#include "check/instrument/volatile.h"
#include "check/prove/roots.h"
#include <stdlib.h>
#include <string.h>

static const struct wg_instrument_pass *const passes[] = {&wg_spin_pass, &wg_access_pass, &wg_shadow_pass,
                                                          &wg_barrier_pass};
enum { NPASSES = sizeof passes / sizeof *passes };

#define EACH_PASS(x, hook, ...)                                                                              \
    for (int p_ = 0; p_ < NPASSES; p_++)                                                                     \
        if ((passes[p_]->checks & (x)->checks) && passes[p_]->hook) passes[p_]->hook(__VA_ARGS__)

/* ---- a function ---- */

/* What the instruction touches of memory that others than its block see: roots.h. */
static uint64_t touched(const struct wg_instrument *x, const struct wg_ir_instr *in) {
    uint64_t roots;
    if (in->op == WG_OP_LDMATRIX || in->op == WG_OP_STMATRIX) return 0;
    if (!wg_op_is(in->op, WG_IS_ACCESS) && in->op != WG_OP_WMMA_LOAD && in->op != WG_OP_WMMA_STORE)
        return wg_op_flags(in->op) & (WG_F_MEM | WG_F_BULK) ? WG_ROOT_UNKNOWN : 0;
    if (in->space != WG_S_GENERIC && in->space != WG_S_GLOBAL) return 0;
    roots = wg_roots_of(x->m, x->roots, &in->src[0]);
    if (roots || (in->src[0].kind == WG_O_REG && x->variable[in->src[0].index] != WG_NO_REG)) return roots;
    return WG_ROOT_UNKNOWN;
}

static void note_site(struct wg_instrument *x, const struct wg_ir_instr *in) {
    if (!in->id) return;
    struct wg_check_site *s = &x->sites[in->id];
    s->instr = in;
    s->func = x->func;
    s->roots = touched(x, in);
}

static void copy_block(struct wg_instrument *x, uint32_t b) {
    const struct wg_ir_block *blk = x->block = &x->from->blocks[b];
    x->begins[b] = x->blocks.n;
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        note_site(x, in);
        EACH_PASS(x, before, x, in);
        struct wg_ir_instr copy = *in;
        copy.checked = x->asked == in;
        if (x->call) copy.call = (struct wg_ir_call *)x->call;
        x->call = NULL;
        wg_instrument_put(x, copy);
        EACH_PASS(x, after, x, in);
    }
    if (blk->id)
        x->sites[blk->id] =
            (struct wg_check_site){.end = blk, .func = x->func, .variable = WG_NO_REG, .lanes = UINT32_MAX};
    EACH_PASS(x, end, x, blk);
    struct wg_ir_block last = *blk;
    bool waits = x->instrs.n && (wg_op_flags(x->instrs.v[x->instrs.n - 1].op) & WG_F_WAIT);
    if (waits && blk->term != WG_TERM_BR) wg_instrument_split(x);
    last.succ = WG_NEW_N(x->arena, uint32_t, blk->nsucc + 1);
    if (blk->nsucc) memcpy(last.succ, blk->succ, blk->nsucc * sizeof *last.succ);
    wg_instrument_end_block(x, last);
}

/* x: what all functions of the module have in common. */
static void copy_function(struct wg_instrument x, uint32_t func, struct wg_ir_func *to) {
    const struct wg_ir_module *m = x.m;
    x.from = &m->funcs[func];
    x.func = func;
    *to = *x.from;
    if (!to->nblocks) return;
    for (uint32_t r = 0; r < x.from->nregs; r++) *WG_PUSH(&x.regs) = x.from->regs[r];
    x.begins = WG_NEW_N(x.arena, uint32_t, x.from->nblocks);
    x.variable = wg_variables_find(x.arena, m, x.from);
    x.roots = wg_roots_find(x.arena, m, x.from);
    if (x.checks & 1u << WG_CHECK_race) wg_guess_find(&x);
    if (x.checks & 1u << WG_CHECK_race) wg_volatile_find(&x);
    if (x.checks & 1u << WG_CHECK_race) wg_lock_find(&x);
    if (x.checks & 1u << WG_CHECK_race && !x.tell_all) x.pairs[func] = wg_quiet_find(&x);
    EACH_PASS(&x, begin, &x);
    for (uint32_t b = 0; b < x.from->nblocks; b++) copy_block(&x, b);
    to->nregs = x.regs.n;
    to->regs = WG_NEW_N(x.arena, struct wg_ir_reg, x.regs.n + 1);
    if (x.regs.n) memcpy(to->regs, x.regs.v, x.regs.n * sizeof *to->regs);
    to->nblocks = x.blocks.n;
    to->blocks = WG_NEW_N(x.arena, struct wg_ir_block, x.blocks.n);
    memcpy(to->blocks, x.blocks.v, x.blocks.n * sizeof *to->blocks);
    wg_instrument_renumber(&x, to);
    EACH_PASS(&x, finish, &x, to);
    free(x.regs.v);
    free(x.instrs.v);
    free(x.blocks.v);
}

/* ---- a module ---- */

static uint32_t count_parts(const struct wg_ir_module *m) {
    uint32_t n = 0;
    for (uint32_t f = 0; f < m->nfuncs; f++)
        for (uint32_t b = 0; b < m->funcs[f].nblocks; b++)
            for (uint32_t i = 0; i < m->funcs[f].blocks[b].ninstrs; i++)
                n += wg_instrument_parts(&m->funcs[f].blocks[b].instrs[i]);
    return n;
}

struct wg_instrumented *wg_instrument(const struct wg_ir_module *m, uint32_t checks, bool tell_all) {
    struct wg_instrumented *out = wg_xcalloc(1, sizeof *out);
    struct wg_ir_module *to = WG_NEW(&out->arena, struct wg_ir_module);
    out->nids = m->nids + count_parts(m);
    struct wg_check_site *sites = WG_NEW_N(&out->arena, struct wg_check_site, out->nids + 1);
    for (uint32_t i = 0; i < out->nids; i++) sites[i].variable = WG_NO_REG, sites[i].lanes = UINT32_MAX;
    out->sites = sites;
    out->pairs = WG_NEW_N(&out->arena, const struct wg_quiet_pairs *, m->nfuncs + 1);
    uint32_t nids = m->nids;
    *to = *m;
    to->arena = (struct wg_arena){0};
    struct wg_hash h = WG_HASH_INIT;
    wg_hash_add(&h, m->text_hash, sizeof m->text_hash);
    wg_hash_add(&h, &checks, sizeof checks);
    wg_hash_add(&h, &tell_all, sizeof tell_all);
    to->text_hash[0] = h.a;
    to->text_hash[1] = h.b;
    to->funcs = WG_NEW_N(&out->arena, struct wg_ir_func, m->nfuncs + 1);
    struct wg_instrument x = {.arena = &out->arena,
                              .m = m,
                              .checks = checks,
                              .tell_all = tell_all,
                              .pairs = out->pairs,
                              .sites = sites,
                              .nids = &nids};
    if (checks & 1u << WG_CHECK_init) {
        x.passes = wg_shadow_passing(&out->arena, m);
        x.careful = wg_shadow_is_careful(m, x.passes);
    }
    if (checks & 1u << WG_CHECK_barrier) x.spinning = wg_spin_find(&out->arena, m);
    out->spinning = x.spinning;
    for (uint32_t f = 0; f < m->nfuncs; f++) copy_function(x, f, &to->funcs[f]);
    out->module = to;
    return out;
}

void wg_instrumented_free(struct wg_instrumented *i) {
    if (!i) return;
    wg_arena_free((struct wg_arena *)&i->module->arena);
    struct wg_arena a = i->arena;
    wg_arena_free(&a);
    free(i);
}
