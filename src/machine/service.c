/* Runtime services that kernel code calls: struct wg_services. */
#include "base/clock.h"
#include "base/lanes.h"
#include "base/thread_text.h"
#include "machine/children.h"
#include "machine/device.h"
#include "machine/later_sums.h"
#include "machine/verify/verify.h"
#include "machine/watch/watch.h"
#include "machine/worker.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wg_cta *cta_of(const struct wg_warp *w) { return w->machine; }
static struct wg_device *device_of(const struct wg_warp *w) { return cta_of(w)->unit->grid->dev; }

/* A page fault between these two is the machine's own. */
static void enter(const struct wg_warp *w) { cta_of(w)->unit->worker->in_service = true; }
static void leave(const struct wg_warp *w) { cta_of(w)->unit->worker->in_service = false; }

static void service_vprintf(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *format,
                            const uint64_t *args, uint32_t *ret) {
    enter(w);
    wg_count_printf(w, id, lanes, format, args);
    WG_EACH_LANE(l, lanes) ret[l] = wg_print(w, format[l], args[l]);
    leave(w);
}

static void service_malloc(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *size,
                           uint64_t *ret) {
    enter(w);
    wg_count_malloc(w, id, lanes);
    struct wg_verify *v = cta_of(w)->unit->grid->verify;
    WG_EACH_LANE(l, lanes)
        ret[l] = v && v->heap ? wg_verify_malloc(v, w, l, size[l]) : wg_heap_alloc(device_of(w), size[l]);
    leave(w);
}

static void service_free(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *ptr) {
    enter(w);
    wg_count_free(w, id, lanes);
    WG_EACH_LANE(l, lanes) wg_heap_free(device_of(w), ptr[l]);
    leave(w);
}

static void thread_of(const struct wg_warp *w, uint32_t lane, uint32_t out[3]) {
    const uint32_t *n = w->block->ntid, t = w->id * WG_LANES + lane;
    out[0] = t % n[0];
    out[1] = t / n[0] % n[1];
    out[2] = t / n[0] / n[1];
}

/* As CUDA prints it, to stderr. */
static void service_assertfail(struct wg_warp *w, uint32_t lanes, const uint64_t *message,
                               const uint64_t *file, const uint32_t *line, const uint64_t *function) {
    const uint32_t *b = w->block->ctaid;
    enter(w);
    flockfile(stderr);
    WG_EACH_LANE(l, lanes) {
        char *texts[3] = {wg_trap_string(message[l], 4096), wg_trap_string(file[l], 4096),
                          wg_trap_string(function[l], 4096)};
        uint32_t t[3];
        thread_of(w, l, t);
        if (l == (uint32_t)__builtin_ctz(lanes))
            snprintf(wg_thread_text(WG_TEXT_ASSERTION), WG_TEXT_BYTES, "%s", texts[0] ? texts[0] : "");
        fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                texts[1] ? texts[1] : "?", line[l], texts[2] ? texts[2] : "?", b[0], b[1], b[2], t[0], t[1],
                t[2], texts[0] ? texts[0] : "?");
        for (int i = 0; i < 3; i++) free(texts[i]);
    }
    funlockfile(stderr);
    leave(w);
}

static void service_bar_arrive(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t threads) {
    wg_barrier_arrive(cta_of(w), w, lanes, id, threads);
}

static void service_cluster_arrive(struct wg_warp *w, uint32_t lanes) {
    struct wg_cta *c = cta_of(w);
    c->cluster_arrived[w->id] |= lanes;
    c->unit->dirty = true;
}

static bool service_may_touch(struct wg_warp *w, uint64_t at, uint64_t bytes) {
    struct wg_worker *worker = cta_of(w)->unit->worker;
    struct wg_span span;
    bool was = worker->in_service;
    worker->in_service = true; /* it holds locks, and is not to be left by force */
    bool may = wg_fleet_may_touch(device_of(w), at, bytes, &span);
    worker->in_service = was;
    if (!may) return false;
    if (span.kind != WG_MEM_NONE) {
        struct wg_given *given = w->block->given;
        memmove(given + 1, given, (WG_GIVEN - 1) * sizeof *given);
        given[0] = (struct wg_given){span.base, span.end - span.base};
    }
    return true;
}

/* Where launches are compared: by time and by what it is asked of, the same in every run. */
static bool counts_clocks(struct wg_warp *w, uint64_t *ns) {
    enum { STEP_NS = 1000 };
    const struct wg_grid *g = cta_of(w)->unit->grid;
    uint64_t block = wg_block_index(w->block) ^ g->block.gridid << 40;
    if (!g->clock_base) return false;
    if (w->clocks_of != block) w->clocks = 0;
    w->clocks_of = block;
    *ns = g->clock_base + STEP_NS * ++w->clocks;
    return true;
}

static uint64_t service_globaltimer(struct wg_warp *w) {
    struct timespec t;
    uint64_t ns;
    if (counts_clocks(w, &ns)) return ns;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t service_clock(struct wg_warp *w) {
    uint64_t ns;
    if (!counts_clocks(w, &ns)) ns = wg_now_ns();
    return (uint64_t)((double)ns * (device_of(w)->chip->clock_khz * 1e-6));
}

/* For a replay: the same, but nothing is said a second time. */
static void quiet_vprintf(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *format,
                          const uint64_t *args, uint32_t *ret) {
    WG_EACH_LANE(l, lanes) ret[l] = 0;
}
static void quiet_free(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *ptr) {}
static void quiet_assertfail(struct wg_warp *w, uint32_t lanes, const uint64_t *message, const uint64_t *file,
                             const uint32_t *line, const uint64_t *function) {}

/* A launch's time does not run while any of its warps waits for code. */
static void service_making(struct wg_warp *w, bool begins) {
    struct wg_grid *g = cta_of(w)->unit->grid;
    pthread_mutex_lock(&g->lock);
    if (begins) {
        if (g->making++ == 0) g->making_since = wg_now_ns();
    } else {
        uint64_t took = wg_now_ns() - g->making_since;
        if (g->making == 1 && g->deadline) atomic_fetch_add(&g->deadline, took);
        g->making--; /* last: who sees it sees the new deadline */
    }
    pthread_mutex_unlock(&g->lock);
}

#define SERVICES(vprintf_, free_, assertfail_)                                                               \
    {                                                                                                        \
        .vprintf = vprintf_,                                                                                 \
        .malloc = service_malloc,                                                                            \
        .free = free_,                                                                                       \
        .assertfail = assertfail_,                                                                           \
        .device_runtime = wg_device_runtime,                                                                 \
        .bar_arrive = service_bar_arrive,                                                                    \
        .cluster_arrive = service_cluster_arrive,                                                            \
        .clock = service_clock,                                                                              \
        .globaltimer = service_globaltimer,                                                                  \
        .combine_miss = wg_combine_service_miss,                                                             \
        .publish = wg_combine_service_publish,                                                               \
        .add_later = wg_later_service_add,                                                                   \
        .may_touch = service_may_touch,                                                                      \
        .making = service_making,                                                                            \
        .check_access = wg_check_service_access,                                                             \
        .check_event = wg_check_service_event,                                                               \
        .check_defined = wg_check_service_defined,                                                           \
        .check_undefined = wg_check_service_undefined,                                                       \
        .check_bulk = wg_check_service_bulk,                                                                 \
        .check_tile = wg_check_service_tile,                                                                 \
        .check_operands = wg_check_service_operands,                                                         \
    }
const struct wg_services wg_machine_services = SERVICES(service_vprintf, service_free, service_assertfail);
const struct wg_services wg_quiet_services = SERVICES(quiet_vprintf, quiet_free, quiet_assertfail);
const struct wg_services wg_dry_services = SERVICES(service_vprintf, service_free, quiet_assertfail);
