/* Sampled comparison: only some blocks of a launch, for programs on which the reference would be too slow.
 * See verify.h.
 *
 * Each sampled block runs alone under an overlay of its own, before the launch; then the launch runs as it
 * always does, on all workers, and what a block wrote must be there in the end. This is conclusive only for
 * blocks that do not communicate: where one uses the result of an atomic, polls memory, or read what others
 * have changed since, the launch is compared whole, or not at all.
 *
 * When there is a difference, the block's inputs are known, so it can run again alone, in generated code
 * too. */
#include "analysis/memory.h"
#include "machine/verify/verify.h"
#include "machine/device.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>

enum { QUIET_SLICES = 1000 }; /* of a block by itself: it waits for another one */

/* ---- which blocks ---- */

static bool may_sample(const struct wg_verify *v) {
    uint32_t n = v->g->dev->options.verify;
    return n != WG_VERIFY_ALL && v->ref->job.units > n && !v->g->cooperative && !v->g->check &&
           !v->g->profile && !wg_module_allocates(v->g->func->module);
}

/* The first, the last, and others between them. */
static uint64_t unit_of(const struct wg_verify *v, uint32_t i, uint32_t n) {
    uint64_t last = v->ref->job.units - 1;
    return n > 1 ? last / (n - 1) * i + last % (n - 1) * i / (n - 1) : last / 2;
}

/* ---- one block ---- */

/* Whether an access may tell the block of others; asked once for each instruction in a row. */
static bool tells_of_others(struct wg_verify_sample *s, const struct wg_ir_module *m,
                            const struct wg_access *a) {
    if (a->instr == s->asked) return s->told;
    s->asked = a->instr;
    if (a->kind == WG_ACCESS_ATOMIC)
        s->told = wg_verify_uses_old_value(m, a->instr);
    else
        s->told = a->instr->op == WG_OP_LD && !wg_is_plain_access(a->instr);
    return s->told;
}

/* What atomics change is read by a plain load as well. */
static bool is_both(struct wg_replay *r, const struct wg_access *a) {
    struct wg_replay_line line = wg_replay_line_at(r, a->address);
    uint32_t at = a->address % WG_VERIFY_LINE;
    return a->kind == WG_ACCESS_ATOMIC ? line.read >> at & 1 && !(line.marked >> at & 1)
                                       : line.marked >> at & 1;
}

static bool note_access(void *user, const struct wg_warp *w, const struct wg_access *a) {
    struct wg_verify *v = user;
    const struct wg_memory *m = &v->g->dev->memory;
    struct wg_verify_sample *s = v->sample;
    if (a->kind == WG_ACCESS_STORE || s->depends) return true;
    if (wg_memory_holds(m, a->address) && (a->address - m->base) >> (m->bits - 1))
        return true; /* the block's own */
    s->depends = tells_of_others(s, wg_grid_ir(v->g), a) || is_both(v->running, a);
    if (a->kind == WG_ACCESS_ATOMIC) wg_replay_mark(v->running, a->address, a->size);
    return true;
}

/* True: the block hears of no other. */
static bool run_alone(struct wg_verify *v, struct wg_verify_sample *s) {
    v->sample = s;
    s->overlay = wg_replay_new(note_access, v);
    wg_replay_note_reads(s->overlay);
    wg_grid_again(v->ref);
    v->ref->quiet_slices = QUIET_SLICES;
    wg_verify_run_reference(v, s->overlay);
    wg_replay_forget_marked(s->overlay); /* others add there, too */
    bool ended = v->ref->fault_unit == UINT64_MAX && atomic_load(&v->ref->stop) == WG_STOP_NO;
    v->sample = NULL;
    return ended && !s->depends;
}

bool wg_verify_sample(struct wg_verify *v) {
    if (!may_sample(v)) return false;
    uint32_t n = v->g->dev->options.verify;
    v->samples = wg_xcalloc(n, sizeof *v->samples);
    for (v->nsamples = 0; v->nsamples < n; v->nsamples++) {
        struct wg_verify_sample *s = &v->samples[v->nsamples];
        s->unit = unit_of(v, v->nsamples, n);
        if (run_alone(v, s)) continue;
        v->nsamples++;
        wg_verify_sample_free(v);
        v->ref->quiet_slices = 0;
        wg_grid_again(v->ref);
        return false;
    }
    return true;
}

void wg_verify_sample_free(struct wg_verify *v) {
    for (uint32_t i = 0; i < v->nsamples; i++) wg_replay_free(v->samples[i].overlay);
    free(v->samples);
    v->samples = NULL;
    v->nsamples = 0;
}

/* ---- when the launch has ended ---- */

/* Something that the block read has been changed by others. */
static bool was_changed(const struct wg_replay *overlay) {
    struct wg_replay_line line;
    for (size_t at = 0; wg_replay_next(overlay, &at, &line);)
        for (uint64_t bytes = line.read & ~line.written; bytes; bytes &= bytes - 1) {
            int k = __builtin_ctzll(bytes);
            if (*(const volatile uint8_t *)(line.address + (uint64_t)k) != line.read_bytes[k]) return true;
        }
    return false;
}

enum { SAME, OTHER, UNKNOWN };

static int look_closer(struct wg_verify *v) {
    struct wg_verify_difference d;
    int result = UNKNOWN;
    v->snapshot = wg_snapshot_begin(&v->g->dev->memory);
    if (!v->snapshot) return UNKNOWN;
    struct wg_snapshot_state *now = wg_snapshot_take(v->snapshot);
    bool differs = wg_verify_find(v, now, &d);
    if (differs && wg_verify_differs_again(v)) {
        result = OTHER;
        if (wg_verify_is_new(v, &d)) {
            char *blame = wg_verify_blame(v);
            wg_verify_say_difference(v, &d, blame);
            free(blame);
        }
    }
    wg_snapshot_put(v->snapshot, now);
    wg_snapshot_end(v->snapshot);
    wg_replay_free(v->marks);
    v->marks = NULL;
    v->snapshot = NULL;
    return result;
}

static int judge_one(struct wg_verify *v, struct wg_verify_sample *s, uint64_t *bytes) {
    if (was_changed(s->overlay)) return UNKNOWN;
    v->sample = s;
    v->overlay = s->overlay;
    int result = wg_verify_is_equal(v) ? SAME : look_closer(v);
    *bytes += wg_verify_bytes_written(s->overlay);
    v->sample = NULL;
    v->overlay = NULL;
    return result;
}

void wg_verify_sampled(struct wg_grid *g) {
    struct wg_verify *v = g->verify;
    uint64_t bytes = 0;
    bool different = false, unknown = false;
    if (!v || !v->nsamples) return;
    if (g->fault_unit != UINT64_MAX || atomic_load(&g->stop) != WG_STOP_NO) {
        wg_verify_leave_out(v, "the launch was stopped, or ended with a fault");
        return;
    }
    wg_verify_lock();
    v->worker = wg_trap_self();
    for (uint32_t i = 0; i < v->nsamples && !different; i++) {
        int result = judge_one(v, &v->samples[i], &bytes);
        different |= result == OTHER;
        unknown |= result == UNKNOWN;
    }
    wg_verify_unlock();
    if (unknown && !different)
        wg_verify_leave_out(v, "blocks write where other blocks read or write");
    else
        wg_verify_count(v, different ? WG_VERIFY_DIFFERS : WG_VERIFY_EQUAL, bytes, 0, true);
}
