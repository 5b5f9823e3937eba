/* Runs of a launch that is compared: the reference under an overlay, or code like the launch's own, as many
 * times as requested. See verify.h. */
#include "base/clock.h"
#include "machine/profile.h"
#include "machine/verify/verify.h"
#include "machine/watch/watch.h"
#include "machine/worker.h"
#include <stdlib.h>

/* A launch that takes the reference longer is reported, repeatedly. */
#define SOON_NS  (5 * UINT64_C(1000000000))
#define AGAIN_NS (30 * UINT64_C(1000000000))

static void say_how_far(struct wg_verify *v, const struct wg_cta *c, uint64_t now) {
    char *kernel = wg_func_pretty(v->g->func);
    v->g->dev->options.verified->say(
        "verify: %s, launch %llu: the reference has run it for %.0f s, and is at block %llu of %llu", kernel,
        (unsigned long long)v->g->block.gridid - 1, (double)(now - v->began) * 1e-9,
        (unsigned long long)c->index + 1, (unsigned long long)v->ref->job.units * v->ref->shape.nctas);
    free(kernel);
}

static enum wg_warp_status run_under_overlay(struct wg_warp *w) {
    const struct wg_cta *c = w->machine;
    struct wg_verify *v = c->unit->grid->verify;
    uint64_t now = wg_now_ns();
    if (now > v->tell_at && !v->orders) {
        say_how_far(v, c, now);
        v->tell_at = now + AGAIN_NS;
    }
    return wg_replay_run(v->running, w);
}

bool wg_verify_prepare_reference(struct wg_verify *v, bool in_order) {
    struct wg_how how = wg_how_asked(&v->g->dev->options);
    enum wg_status status;
    how.backend = WG_BACKEND_REF;
    how.in_order = in_order;
    how.plain = wg_checks(v->g->dev) != 0;
    v->ref = wg_grid_make(v->g->dev, &v->order, &how, &status);
    if (!v->ref) return false;
    v->code = *v->ref->code;
    v->code.run = run_under_overlay;
    v->code.whole = NULL;
    v->ref->code = &v->code;
    wg_verify_like(v, v->ref);
    if (v->g->profile) wg_profile_begin(v->ref, 0);
    return true;
}

void wg_verify_like(struct wg_verify *v, struct wg_grid *g) {
    g->verify = v;
    g->block.gridid = v->g->block.gridid;
    g->block.services = &wg_dry_services;
    g->schedule_key = v->g->schedule_key;
    if (g->schedule) g->block.lane_order = v->g->block.lane_order;
    g->clock_base = v->g->clock_base;
    g->dry = true;
    g->deadline = 0;
    g->job.alone = true;
    g->residents = v->g->cooperative ? UINT32_MAX : (uint32_t)(v->order.resident / g->shape.nctas ?: 1);
}

/* All of it, or the sampled block. */
void wg_verify_run_units(struct wg_verify *v, struct wg_grid *g) {
    uint64_t begin = v->sample ? v->sample->unit : 0, end = v->sample ? begin + 1 : g->job.units;
    wg_worker_run_grid(v->worker, g, begin, end);
}

void wg_verify_run_reference(struct wg_verify *v, struct wg_replay *overlay) {
    const struct wg_memory *m = &v->g->dev->memory;
    /* Memory of running blocks is in the upper half: it belongs to the reference itself. */
    uint64_t half = UINT64_C(1) << (m->bits - 1);
    wg_replay_own(overlay, m->base + half, half);
    v->running = overlay;
    if (v->heap) wg_verify_heap_begin(v, true);
    v->began = wg_now_ns();
    v->tell_at = v->began + SOON_NS;
    wg_verify_run_units(v, v->ref);
    v->running = NULL;
}

/* ---- once more ---- */

/* Memory as the block found it, as far as it looked; where it only writes, what it will not leave there. */
static void rewind_sample(const struct wg_verify *v) {
    struct wg_replay_line line;
    wg_snapshot_restore(v->snapshot, WG_SNAPSHOT_ALL);
    for (size_t at = 0; wg_replay_next(v->sample->overlay, &at, &line);)
        for (uint64_t bytes = line.read | line.written; bytes; bytes &= bytes - 1) {
            int k = __builtin_ctzll(bytes);
            uint8_t *p = (uint8_t *)line.address + k;
            *p = line.read >> k & 1 ? line.read_bytes[k] : (uint8_t)~line.bytes[k];
        }
}

static void rewind_memory(struct wg_verify *v) {
    if (v->sample)
        rewind_sample(v);
    else
        wg_snapshot_restore(v->snapshot, WG_SNAPSHOT_ALL);
}

struct wg_replay *wg_verify_replay(struct wg_verify *v, wg_replay_allow allow, void *user) {
    struct wg_replay *r = wg_replay_new(allow, user);
    rewind_memory(v);
    wg_grid_again(v->ref);
    wg_verify_run_reference(v, r);
    if (v->heap) wg_verify_heap_keep(v);
    return r;
}

void wg_verify_run(struct wg_verify *v, struct wg_grid *g) {
    rewind_memory(v);
    if (v->heap) wg_verify_heap_begin(v, false);
    wg_verify_run_units(v, g);
}
