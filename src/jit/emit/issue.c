/* The issue log of memory accesses, and the check of their order: see issue.h.
 *
 * Forms issue an access earlier, later, or together with others. Whatever they do, two properties must hold
 * for each warp in each piece of code generated for a basic block:
 *
 *   once      every store, atomic and other access with an effect is issued, and is issued once
 *   in order  two instructions that must keep their order (wg_keeps_order) do: the first is issued before the
 *             second
 *
 *     st [q]; ld [q+4]; st [q+8]; ld [q]       log: ld [q+4] and ld [q] together, then both stores
 *                                              broken: st [q] must be issued before ld [q]
 *
 * A load may be issued more than once, each time in order. The log records what is emitted, not what was
 * planned.
 */
#include "jit/emit/issue.h"
#include "analysis/memory.h"
#include "jit/emit/sides.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
    uint32_t instr, moment;
    uint8_t side;
};

struct wg_issues {
    uint32_t block, moments;
    uint32_t last;
    bool elsewhere, in_place; /* in_place: so far each was issued at its own position, in program order */
    WG_VEC(struct entry) log;
};

void wg_issues_begin(struct wg_emit *e) {
    if (!e->access.issues) e->access.issues = WG_NEW(&e->an->arena, struct wg_issues);
    e->access.issues->block = e->block;
    e->access.issues->moments = e->access.issues->log.n = e->access.issues->last = 0;
    e->access.issues->elsewhere = false;
    e->access.issues->in_place = true;
}

void wg_issues_free(struct wg_emit *e) {
    if (e->access.issues) free(e->access.issues->log.v);
    e->access.issues = NULL;
}

static bool is_open(const struct wg_emit *e) {
    return e->access.issues && e->access.issues->block == e->block;
}

void wg_issue(struct wg_emit *e, const uint32_t *instr, uint32_t n) {
    if (!is_open(e)) return;
    uint8_t side = e->sides ? (uint8_t)wg_side_now(e) : 0;
    uint32_t moment = e->access.issues->moments++;
    e->access.issues->in_place &= n == 1 && instr[0] == e->instr && instr[0] >= e->access.issues->last;
    e->access.issues->last = instr[0];
    for (uint32_t i = 0; i < n; i++)
        *WG_PUSH(&e->access.issues->log) = (struct entry){instr[i], moment, side};
}

void wg_issue_elsewhere(struct wg_emit *e) {
    if (!is_open(e)) return;
    e->access.issues->elsewhere = true;
    e->access.issues->in_place = false;
}

void wg_issue_here(struct wg_emit *e) {
    if (!is_open(e)) return;
    if (!e->access.issues->elsewhere && wg_touches_memory(&e->func->blocks[e->block].instrs[e->instr]))
        wg_issue(e, &e->instr, 1);
    e->access.issues->elsewhere = false;
}

/* ---- the proof ---- */

struct when {
    uint32_t times, first, last; /* positions in the log */
};

static bool has_effect(const struct wg_ir_instr *in) {
    return (wg_op_flags(in->op) & WG_F_MEM) && in->op < WG_OP_COUNT && !wg_op_is(in->op, WG_IS_LOAD);
}

static bool side_holds(const struct wg_emit *e, uint8_t side, struct when *when, uint32_t n,
                       struct wg_broken *b) {
    const struct wg_issues *x = e->access.issues;
    const struct wg_ir_block *blk = &e->func->blocks[x->block];
    for (uint32_t i = 0; i < x->log.n; i++) {
        const struct entry *y = &x->log.v[i];
        if (y->side != side) continue;
        if (!when[y->instr].times++) when[y->instr].first = y->moment;
        when[y->instr].last = y->moment;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!has_effect(&blk->instrs[i]) || when[i].times == 1) continue;
        *b = (struct wg_broken){when[i].times ? "an access is issued twice" : "an access is never issued", i,
                                i};
        return false;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            bool kept = !when[i].times || !when[k].times || when[i].last < when[k].first;
            if (kept || !wg_keeps_order(e->an, e->v, x->block, i, k)) continue;
            *b = (struct wg_broken){"two accesses are issued in the wrong order", i, k};
            return false;
        }
    return true;
}

bool wg_issues_hold(const struct wg_emit *e, uint32_t n, struct wg_broken *b) {
    const struct wg_issues *x = e->access.issues;
    const struct wg_ir_instr *instrs = e->func->blocks[x->block].instrs;
    uint32_t sides = e->sides ? e->sides->jam->warps : 1, effects = 0, made = 0;
    for (uint32_t i = 0; i < n; i++) effects += has_effect(&instrs[i]);
    for (uint32_t i = 0; i < x->log.n; i++) made += has_effect(&instrs[x->log.v[i].instr]);
    if (x->in_place && made == effects * sides) return true; /* program order, each once */
    for (uint32_t k = 0; k < sides; k++)
        if (!side_holds(e, (uint8_t)k, WG_NEW_N(&e->an->arena, struct when, n + 1), n, b)) return false;
    return true;
}

static void tell(struct wg_emit *e, uint32_t block, const struct wg_broken *b) {
    const struct wg_ir_instr *instrs = e->func->blocks[block].instrs, *x = &instrs[b->a], *y = &instrs[b->b];
    e->broken = e->failed = true;
    wg_diag_error(e->diag, (struct wg_pos){e->module->name, x->ptx_line, 0}, NULL,
                  "kernel '%s': %s: line %u and line %u (a bug in Warpglass)", e->func->name, b->what,
                  e->module->locs[x->loc].line, e->module->locs[y->loc].line);
#ifndef NDEBUG
    fprintf(stderr, "%s", e->diag->text.s);
    assert(!"code keeps what its forms promise");
#endif
}

void wg_issues_end(struct wg_emit *e) {
    struct wg_broken b;
    if (!is_open(e) || e->failed) return;
    uint32_t all = e->func->blocks[e->block].ninstrs, n = e->instr + 1 < all ? e->instr + 1 : all;
    if (!wg_issues_hold(e, n, &b)) tell(e, e->block, &b);
    e->access.issues->block = WG_NO_REG;
}

void wg_break_promise(struct wg_emit *e, const char *what) {
    if (!e->failed) tell(e, e->block, &(struct wg_broken){what, e->instr, e->instr});
}
