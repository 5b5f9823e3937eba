/* Races of the host program with work of streams: what its instrumented code reads and writes of managed and page-locked
 * memory is held against the work that it does not know to have ended. */
#include "base/clock.h"
#include "machine/watch/check_stream_state.h"
#include "machine/work.h"
#include <time.h>

/* For work to end that the host touches memory of; for work that may be waiting for the host itself. */
#define WAIT_NS    (10 * UINT64_C(1000000000))
#define LISTENS_NS (100 * UINT64_C(1000000))

/* Work that the host does not know to have ended is let end, so that all it does is known. */
static void let_end(struct wg_check_streams *c) {
    uint64_t begin = wg_now_ns(), passed = 0;
    for (bool busy = true, listens = false; busy && passed < (listens ? LISTENS_NS : WAIT_NS);
         passed = wg_now_ns() - begin) {
        struct wg_device *on = NULL;
        bool in_vain = false;
        busy = listens = false;
        pthread_mutex_lock(&c->lock);
        for (struct wg_stream_work *w = wg_stream_races_first(c->races); w; w = w->next) {
            struct wg_check_asked *k = w->user;
            if (w->ended) continue;
            busy |= wg_check_unknown_to_host(c, w);
            listens |= w->listens;
            in_vain |= k->waited;
            k->waited |= w->listens && passed >= LISTENS_NS / 2;
            if (!on) on = k->dev;
        }
        pthread_mutex_unlock(&c->lock);
        if (in_vain && passed < LISTENS_NS / 2) return;
        if (busy) nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
        if (on) wg_grids_watch(on);
    }
}

static void tell_host(struct wg_stream_work *w, const struct wg_touched *t, const struct wg_host_access *h) {
    const struct wg_check_asked *k = w->user;
    struct wg_device *dev = k->dev;
    bool alone = dev->options.ndevices <= 1;
    struct wg_arena a = {0};
    struct wg_finding x = {
        .kind = WG_F_race_host,
        .launch = k->launch,
        .site = h->at,
        .other_site = k->func ? t->site : k->at,
        .has_other = true,
        .host_at = h->at,
        .here = {.access = h->write ? "write" : "read", .bytes = h->bytes},
        .detail = alone
                      ? "nothing makes the host wait for it: cudaDeviceSynchronize, cudaStreamSynchronize or "
                        "cudaEventSynchronize has to come between the two"
                      : "nothing makes the host wait for it: cudaStreamSynchronize or cudaEventSynchronize "
                        "has to come between the two, or cudaDeviceSynchronize, which waits for the current "
                        "device alone"};
    x.here.asked_at = h->at;
    wg_check_stream_place(&a, w, t, h->address, &x.other);
    wg_check_describe_global(dev, k->func ? k->func->module : NULL, h->address, &x.memory);
    wg_findings_add(dev->options.findings, &x);
    wg_arena_free(&a);
}

/* The same two places are reported once for each piece of work. */
static bool is_new(struct wg_check_asked *k, uint64_t at, uint32_t site) {
    for (uint32_t i = 0; i < k->ntold_host; i++)
        if (k->told_host[i].at == at && k->told_host[i].site == site) return false;
    if (k->ntold_host == TOLD_MOST) return false;
    k->told_host[k->ntold_host].at = at;
    k->told_host[k->ntold_host++].site = site;
    return true;
}

void wg_check_copy_asked(struct wg_device *dev, const struct wg_copy *x) {
    struct wg_check_streams *c = dev->check_streams;
    if (!c || !(x->width && x->height && x->depth)) return;
    uint64_t bytes = (x->depth - 1) * x->src_slice + (x->height - 1) * x->src_pitch + x->width;
    pthread_mutex_lock(&c->lock);
    wg_check_pageable_read(dev, c->pageable, &c->host, x->src, bytes);
    pthread_mutex_unlock(&c->lock);
}

/* Functions of streams come behind what is before them there, and tell whoever waits for them by ways that are not
 * seen: locks, threads that they start. */
static bool may_be_told(const struct wg_check_streams *c, const struct wg_stream_work *w) {
    return wg_clock_has(&c->told, w->slot, w->number);
}

/* The device whose streams call functions on this thread; NULL: it is one of the program's own. */
static struct wg_device *caller_here(struct wg_device *dev) {
    struct wg_device *d;
    pthread_rwlock_rdlock(&dev->fleet->members);
    for (d = dev->fleet->first; d; d = d->sibling)
        if (d->caller_started && pthread_equal(pthread_self(), d->caller)) break;
    pthread_rwlock_unlock(&dev->fleet->members);
    return d;
}

void wg_check_host_touches(struct wg_device *dev, const struct wg_host_access *h) {
    struct wg_check_streams *c = dev->check_streams;
    if (!c) return;
    struct wg_device *of = caller_here(dev);
    bool held = wg_memory_holds(wg_fleet_memory(dev, h->address), h->address);
    if (of && of->calling && !held) wg_check_pageable_touched(of, c->pageable, of->calling, h);
    if (of || !held) return;
    let_end(c);
    pthread_mutex_lock(&c->lock);
    for (struct wg_stream_work *w = wg_stream_races_first(c->races), *next; w; w = next) {
        next = w->next;
        if (!w->ended || !wg_check_unknown_to_host(c, w) || may_be_told(c, w)) continue;
        wg_check_stream_spread(w);
        const struct wg_touched *t = wg_stream_work_at(w, h->address, h->bytes, !h->write);
        if (t && t->strong) { /* a flag: who has seen it knows what was done before */
            wg_check_host_knows(dev, &w->clock);
            break;
        }
        if (t && is_new(w->user, h->at, t->site)) tell_host(w, t, h);
    }
    pthread_mutex_unlock(&c->lock);
}

void wg_host_touches(struct wg_host_watch *w, const struct wg_host_access *a) {
    struct wg_device *dev = w->dev, *calling = w->calling, *undefined = w->undefined;
    if (undefined) wg_check_init_host_touches(undefined, a);
    if (dev || calling) wg_check_host_touches(dev ? dev : calling, a);
}
