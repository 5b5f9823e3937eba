/* Comparison of two schedules of one launch: what `warpglass check --schedules` does in each of its runs. See
 * verify.h.
 *
 *     the launch runs in the order of its blocks and warps    what it wrote is kept, and memory put back
 *     it runs in the order of --schedule (schedule.h)         and the program goes on with that
 *     where the two differ                                    the reference runs both once more, to see who wrote it
 *
 * Both runs start from the same memory, so a launch that differs does so by itself, not because an earlier
 * one did. A difference only in the rounding of floating-point sums is a note of its own.
 */
#include "base/clock.h"
#include "machine/verify/verify.h"
#include "machine/watch/watch.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>

/* A launch that may wait for other work does, if nothing moves so long. */
#define QUIET_NS (3 * UINT64_C(1000000000))
enum { WORD = WG_VERIFY_WORD };

/* ---- who wrote it ---- */

struct writer { /* of a word: the last one */
    const struct wg_ir_instr *instr;
    uint32_t block[3], thread[3], bytes;
    uint64_t at;
};
struct look {
    struct wg_verify *v;
    uint64_t words, lowest; /* that differ; the lowest that anything but a sum of floats wrote */
    uint64_t word;          /* that is watched */
    struct writer *writer;
};

static bool note_word(void *user, uint64_t word) {
    struct look *x = user;
    x->words++;
    wg_replay_mark(x->v->overlay, word, WORD);
    return true;
}

static bool is_marked(struct wg_replay *r, uint64_t at) {
    return wg_replay_line_at(r, at).marked >> at % WG_VERIFY_LINE & 1;
}

static bool find_lowest(void *user, const struct wg_warp *w, const struct wg_access *a) {
    struct look *x = user;
    (void)w;
    if (a->kind == WG_ACCESS_LOAD || wg_verify_adds_floats(a)) return true;
    for (uint64_t at = a->address; at < a->address + a->size; at++)
        if (at < x->lowest && is_marked(x->v->overlay, at)) x->lowest = at & ~(uint64_t)(WORD - 1);
    return true;
}

static bool watch(void *user, const struct wg_warp *w, const struct wg_access *a) {
    struct look *x = user;
    struct writer *t = x->writer;
    const struct wg_cta *c = w->machine;
    const uint32_t *n = c->block.ntid;
    uint32_t thread = w->id * WG_LANES + a->lane;
    if (a->kind == WG_ACCESS_LOAD || a->address >= x->word + WORD || a->address + a->size <= x->word)
        return true;
    uint32_t element = (wg_type_bits(a->instr->type) + 7u) / 8;
    if (!element || element > 8 || element > a->size) element = WORD;
    uint64_t into = x->word > a->address ? x->word - a->address : 0;
    *t = (struct writer){.instr = a->instr, .bytes = element, .at = a->address + into / element * element};
    memcpy(t->block, c->block.ctaid, sizeof t->block);
    memcpy(t->thread, (uint32_t[]){thread % n[0], thread / n[0] % n[1], thread / n[0] / n[1]},
           sizeof t->thread);
    return true;
}

/* By the reference, in one of the two orders. False: it cannot run it. */
static bool replay(struct look *x, bool in_order, wg_replay_allow allow) {
    if (!wg_verify_prepare_reference(x->v, in_order)) return false;
    wg_replay_free(wg_verify_replay(x->v, allow, x));
    wg_grid_release(x->v->ref);
    x->v->ref = NULL;
    return true;
}

/* ---- what is told ---- */

static struct wg_finding_place place_of(struct wg_arena *a, const struct wg_grid *g, const struct writer *w,
                                        uint64_t value) {
    const struct wg_ir_module *m = wg_grid_ir(g);
    struct wg_finding_place p = {.op = "nothing", .has_value = w->instr != NULL, .value = value};
    if (!w->instr) return p;
    char *pretty = wg_func_pretty(g->func);
    p.frames = wg_ir_frames(a, m, w->instr->loc, wg_arena_strdup(a, pretty), &p.nframes);
    free(pretty);
    p.ptx_line = w->instr->ptx_line;
    p.op = wg_op_name(w->instr->op);
    p.access = w->instr->op == WG_OP_ST ? "write" : "atomic";
    p.bytes = w->bytes;
    p.has_thread = true;
    memcpy(p.block, w->block, sizeof p.block);
    memcpy(p.thread, w->thread, sizeof p.thread);
    return p;
}

static void tell(struct look *x, const struct writer by[2], const struct wg_snapshot_state *states[2]) {
    struct wg_arena a = {0};
    const struct wg_grid *g = x->v->g;
    uint64_t value[2] = {0}, at = by[0].instr ? by[0].at : x->word;
    uint32_t bytes = by[0].instr ? by[0].bytes : WORD;
    for (int k = 0; k < 2; k++) wg_snapshot_read(x->v->snapshot, states[k], at, &value[k], bytes);
    struct wg_finding f = {.kind = WG_F_order_dependent,
                           .site = by[0].instr ? (uint64_t)(uintptr_t)by[0].instr : at,
                           .here = place_of(&a, g, &by[0], value[0]),
                           .other = place_of(&a, g, &by[1], value[1]),
                           .has_other = by[1].instr != NULL};
    f.other_site = (uint64_t)(uintptr_t)by[1].instr;
    f.detail = wg_arena_printf(
        &a, "%llu word%s of memory differ%s after this launch: this one is %#llx here, and %#llx in order",
        (unsigned long long)x->words, x->words == 1 ? "" : "s", x->words == 1 ? "s" : "",
        (unsigned long long)value[0], (unsigned long long)value[1]);
    wg_check_describe_global(g->dev, g->func->module, at, &f.memory);
    wg_check_add(g, &f);
    wg_arena_free(&a);
}

static void note_rounding(const struct wg_verify *v) {
    struct wg_arena a = {0};
    char *pretty = wg_func_pretty(v->g->func);
    wg_findings_rounded(
        v->g->dev->options.findings,
        wg_arena_printf(&a,
                        "sums of floats by atomics are rounded differently in each order: launch %llu, %s",
                        (unsigned long long)v->g->block.gridid - 1, pretty));
    free(pretty);
    wg_arena_free(&a);
}

/* The program's launch ends with a fault, and does not in order. */
static void tell_fault(const struct wg_verify *v) {
    struct wg_arena a = {0};
    const struct wg_fault_record *r = wg_fault_report(v->g);
    struct wg_finding f = {.kind = WG_F_order_dependent, .here = {.op = "it ends with a fault"}};
    f.detail = wg_arena_printf(&a, "The launch succeeds in order, and fails here: %.*s",
                               (int)strcspn(r->message, "\n"), r->message);
    wg_check_add(v->g, &f);
    wg_arena_free(&a);
}

static void look_closer(struct wg_verify *v, const struct wg_snapshot_state *before) {
    struct look x = {.v = v, .lowest = UINT64_MAX};
    struct writer by[2] = {{0}};
    v->overlay = wg_replay_new(NULL, NULL); /* for its marks */
    wg_snapshot_compare(v->snapshot, before, note_word, &x);
    if (x.words && wg_verify_is_new_order(v)) {
        struct wg_snapshot_state *now = wg_snapshot_take(v->snapshot);
        struct wg_heap_state *heap = wg_heap_keep(v->g->dev);
        bool known = replay(&x, true, find_lowest) && replay(&x, false, find_lowest);
        x.word = x.lowest;
        for (int k = 0; k < 2 && known && x.lowest != UINT64_MAX; k++) {
            x.writer = &by[k];
            replay(&x, k == 1, watch);
        }
        if (known && x.lowest == UINT64_MAX)
            note_rounding(v);
        else
            tell(&x, by, (const struct wg_snapshot_state *[2]){now, before});
        wg_snapshot_put(v->snapshot, now);
        wg_heap_put(v->g->dev, heap);
        wg_heap_drop(heap);
    }
    wg_replay_free(v->overlay);
    v->overlay = NULL;
}

/* ---- the two runs ---- */

static bool has_failed(const struct wg_grid *g) {
    return g->fault_unit != UINT64_MAX || atomic_load(&((struct wg_grid *)g)->stop) != WG_STOP_NO;
}

/* False: it waits for later work, or for the host, and has not run. */
static bool run_both(struct wg_verify *v, struct wg_grid *in_order) {
    wg_verify_like(v, in_order);
    in_order->quiet_ns = wg_func_may_wait(v->g->func) ? QUIET_NS : 0;
    wg_verify_heap_begin(v, true);
    wg_worker_run_grid(v->worker, in_order, 0, in_order->job.units);
    bool waits = in_order->fault_unit == UINT64_MAX && atomic_load(&in_order->stop) == WG_STOP_FAULT;
    struct wg_snapshot_state *before = wg_snapshot_take(v->snapshot);
    wg_verify_heap_keep(v);
    wg_snapshot_restore(v->snapshot, WG_SNAPSHOT_ALL);
    wg_verify_heap_begin(v, false);
    if (!waits) {
        wg_grid_set_deadline(v->g);
        wg_worker_run_grid(v->worker, v->g, 0, v->g->job.units);
        if (!has_failed(in_order) && has_failed(v->g))
            tell_fault(v);
        else if (!has_failed(in_order) && wg_verify_heap_moved(v))
            wg_verify_leave_out(v, "malloc gave threads different addresses");
        else if (!has_failed(in_order))
            look_closer(v, before);
    }
    wg_snapshot_drop(before);
    return !waits;
}

bool wg_verify_orders(struct wg_verify *v) {
    enum wg_status status;
    struct wg_how how = wg_how_asked(&v->g->dev->options);
    how.backend = (uint8_t)v->g->dev->options.backend;
    how.in_order = true;
    struct wg_grid *in_order = wg_grid_make(v->g->dev, &v->order, &how, &status);
    bool ended = in_order && run_both(v, in_order);
    if (!ended) wg_verify_leave_out(v, "it waits for other work or for the host");
    if (in_order) wg_grid_release(in_order);
    return ended;
}
