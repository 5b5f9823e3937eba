/* See check_stream.h. */
#include "machine/watch/check_stream_state.h"
#include "check/race/race.h"
#include "machine/work.h"
#include <stdlib.h>
#include <string.h>

static struct wg_check_streams *of(const struct wg_device *dev) { return dev->check_streams; }

/* ---- what is found ---- */

void wg_check_stream_place(struct wg_arena *a, const struct wg_stream_work *w, const struct wg_touched *t,
                           uint64_t address, struct wg_finding_place *out) {
    static const char *const accesses[] = {
        [WG_RACE_LOAD] = "read", [WG_RACE_STORE] = "write", [WG_RACE_ATOMIC] = "atomic"};
    const struct wg_check_asked *k = w->user;
    *out = (struct wg_finding_place){.op = k->by, .access = accesses[t->access]};
    if (k->func) {
        *out = wg_check_place(a, k->func, t->site);
        char *pretty = wg_func_pretty(k->func);
        out->kernel = wg_arena_strdup(a, pretty);
        free(pretty);
        out->launch = k->launch;
        uint64_t lowest = t->from + (uint64_t)__builtin_ctz(t->mask) * (t->unit == 128 ? 4 : 1);
        if (lowest == address && t->thread != WG_SOME_THREAD)
            wg_check_place_thread(k->blocks, k->threads, t->block, t->thread, out);
    }
    out->asked_by = k->by;
    out->asked_at = k->at;
    out->launcher = k->launcher;
}

/* Both are nodes of one graph, launched by one call. */
static bool in_one_graph(const struct wg_check_asked *a, const struct wg_check_asked *b) {
    return a->by && b->by && strstr(a->by, "GraphLaunch") && strstr(b->by, "GraphLaunch") && a->at == b->at;
}

static const char *what_is_missing(const struct wg_stream_found *f) {
    const struct wg_check_asked *first = f->first->user, *second = f->second->user;
    if (in_one_graph(first, second))
        return "nothing orders the two nodes of the graph: no path along its edges leads from one to the "
               "other";
    if (first->before || second->before)
        return "nothing orders the two: a kernel that a block launches comes after what the block did "
               "before, "
               "not after what other blocks do, unless the block has waited for them. What is to come after "
               "all "
               "blocks is a kernel that is launched into cudaStreamTailLaunch";
    if (first->late || second->late)
        return "nothing orders the two: a kernel does not wait for those that it launches. What is to come "
               "after them is a kernel that it launches into cudaStreamTailLaunch";
    if (first->launcher && second->launcher)
        return "nothing orders the two, which kernels launched: threads of one block have to launch both "
               "into one stream, or the second's stream has to wait for an event in the first's "
               "(cudaEventRecord, "
               "cudaStreamWaitEvent), or the second is launched into cudaStreamTailLaunch";
    if (f->first->device == f->second->device)
        return "nothing orders the two: the second's stream has to wait for an event in the first's "
               "(cudaEventRecord, cudaStreamWaitEvent), or the host has to wait for the first before it "
               "submits the second";
    if (f->one->strong && f->two->strong)
        return "nothing orders the two, and an atomic operation is atomic only among the threads of its own "
               "device: the functions whose names end in _system (atomicAdd_system), or "
               "cuda::thread_scope_system, are for several devices";
    return "nothing orders the two, which are work of two devices: the second's stream has to wait for an "
           "event in the first's (cudaEventRecord, cudaStreamWaitEvent), or the host for the first before it "
           "submits the second (cudaDeviceSynchronize waits for the current device alone)";
}

static void found(void *user, const struct wg_stream_found *f) {
    (void)user;
    const struct wg_check_asked *first = f->first->user, *second = f->second->user;
    struct wg_device *dev = second->dev;
    struct wg_arena a = {0};
    struct wg_finding x = {.kind = WG_F_race_stream,
                           .launch = second->func ? second->launch : first->launch,
                           .site = second->func ? f->two->site : second->at,
                           .other_site = first->func ? f->one->site : first->at,
                           .has_other = true,
                           .count = f->words,
                           .detail = what_is_missing(f)};
    wg_check_stream_place(&a, f->second, f->two, f->address, &x.here);
    wg_check_stream_place(&a, f->first, f->one, f->address, &x.other);
    const struct wg_func *func = second->func ? second->func : first->func;
    wg_check_describe_global(dev, func ? func->module : NULL, f->address, &x.memory);
    if (second->func) {
        x.kernel = x.here.kernel;
        x.launcher = second->launcher;
        x.module = wg_check_module_number(second->func);
    } else {
        x.host_at = second->at;
    }
    wg_findings_add(dev->options.findings, &x);
    wg_arena_free(&a);
}

static void drop(void *streams, void *asked) {
    struct wg_check_asked *k = asked;
    if (k->shown) ((struct wg_check_streams *)streams)->nshown--;
    wg_check_shown_free(k->shown);
    free(k->launcher);
    free(k);
}

/* There will be more than the first device's default stream. `waits`: for what that has. Under the lock. */
static void becomes_several(struct wg_check_streams *c, struct wg_device *dev, bool waits) {
    if (c->several) return;
    c->several = true;
    if (waits || !c->early || wg_clock_has(&c->host, 0, c->early)) return;
    wg_findings_note(dev->options.findings,
                     c->vague && !wg_clock_has(&c->host, 0, c->vague)
                         ? "launches still pending when the first stream was created were checked "
                           "only in part: what they only read, and some of what they write, is not "
                           "compared with work of other streams"
                         : "launches still pending when the first stream was created were checked "
                           "only in part: what they only read is not compared with work of other "
                           "streams");
}

void wg_check_stream_made(struct wg_stream *s) {
    struct wg_check_streams *c = of(s->dev);
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    s->known.slot = c->slots++;
    bool waits = s->dev->legacy && !(s->flags & WG_STREAM_NONBLOCKING);
    if (s->known.slot > 0) becomes_several(c, s->dev, waits);
    pthread_mutex_unlock(&c->lock);
}

void wg_check_streams_expect(struct wg_device *dev) {
    struct wg_check_streams *c = of(dev);
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    becomes_several(c, dev, false);
    pthread_mutex_unlock(&c->lock);
}

/* ---- order ---- */

/* The host's accesses matter as long as there is work that it does not know to have ended. Under the lock. */
static void watch(const struct wg_check_streams *c, struct wg_host_watch *h) {
    const struct wg_stream_work *w = wg_stream_races_first(c->races);
    if (!h) return;
    while (w && !wg_check_unknown_to_host(c, w)) w = w->next;
    h->base = c->low;
    h->dev = w ? ((const struct wg_check_asked *)w->user)->dev : NULL;
    h->size = w || h->undefined ? c->high - c->low : 0;
}

void wg_check_stream_watches(struct wg_device *dev) {
    struct wg_check_streams *c = of(dev);
    struct wg_host_watch *h = dev->options.host;
    if (!h) return;
    h->undefined = dev;
    if (c) {
        pthread_mutex_lock(&c->lock);
        watch(c, h);
        pthread_mutex_unlock(&c->lock);
    } else {
        h->base = dev->memory.base;
        h->size = UINT64_C(1) << (dev->memory.bits - 1);
    }
}

bool wg_check_streams_loose(const struct wg_device *dev) {
    struct wg_check_streams *c = of(dev);
    if (!c) return false;
    pthread_mutex_lock(&c->lock);
    bool several = c->several;
    pthread_mutex_unlock(&c->lock);
    return several;
}

struct wg_check_asked *wg_check_stream_asked(const struct wg_work *w) {
    struct wg_check_asked *k = wg_xcalloc(1, sizeof *k);
    k->dev = w->dev;
    wg_caller(&k->by, &k->at);
    if (w->kind == WG_WORK_LAUNCH) {
        const struct wg_grid *g = w->grid;
        k->func = g->func;
        k->launch = g->block.gridid - 1;
        memcpy(k->blocks, g->block.nctaid, sizeof k->blocks);
        memcpy(k->threads, g->block.ntid, sizeof k->threads);
        k->launcher = g->launched_by ? wg_xstrdup(g->launched_by) : NULL;
    } else if (w->kind == WG_WORK_FREE) {
        struct wg_found f;
        if (wg_fleet_find(w->dev, (uint64_t)w->memory, &f)) k->freed = f.span.end - f.span.base;
    }
    return k;
}

/* What is asked for in the stream now comes behind what it knows. Under the lock, and the device's. */
static void advance(struct wg_check_streams *c, struct wg_stream *s) {
    struct wg_device *dev = s->dev;
    wg_clock_join(&s->known.clock, &c->host);
    if (s == dev->legacy) {
        for (struct wg_stream *o = dev->streams; o; o = o->next)
            if (!(o->flags & WG_STREAM_NONBLOCKING)) wg_clock_join(&s->known.clock, &o->known.clock);
    } else if (!(s->flags & WG_STREAM_NONBLOCKING)) {
        wg_clock_join(&s->known.clock, &dev->legacy->known.clock);
    }
    wg_clock_set(&s->known.clock, s->known.slot, ++s->known.count);
}

static struct wg_stream_work *new_piece(struct wg_check_streams *c, const struct wg_stream *s,
                                        struct wg_check_asked *asked) {
    struct wg_stream_work *x = wg_stream_work_new(c->races);
    x->slot = s->known.slot;
    x->number = s->known.count;
    x->device = s->dev->ordinal;
    wg_clock_join(&x->clock, &s->known.clock);
    x->user = asked;
    return x;
}

struct wg_stream_work *wg_check_stream_piece(struct wg_stream *s, struct wg_check_asked *asked) {
    advance(of(s->dev), s);
    return new_piece(of(s->dev), s, asked);
}

static void put(struct wg_stream *s, struct wg_work *w) {
    struct wg_check_streams *c = of(s->dev);
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    advance(c, s);
    if (w->kind == WG_WORK_CALL) wg_check_pageable_call(c->pageable, w, s->known.slot, s->known.count);
    if (w->kind == WG_WORK_CALL && !w->touches) wg_clock_join(&c->told, &s->known.clock);
    if (w->kind != WG_WORK_MARK && (w->kind != WG_WORK_CALL || w->touches)) {
        struct wg_stream_work *x = new_piece(c, s, wg_check_stream_asked(w));
        x->bounds = w->kind == WG_WORK_FREE;
        x->listens = s->heeds_values || (w->kind == WG_WORK_LAUNCH && wg_check_race_orders(w->grid));
        if (w->kind == WG_WORK_LAUNCH && !c->several) {
            c->early = s->known.count;
            if (w->grid->check->races.vague) c->vague = c->early;
        }
        w->stream_work = x;
        watch(c, s->dev->options.host);
    }
    pthread_mutex_unlock(&c->lock);
}

void wg_check_event_put(struct wg_check_known *event, struct wg_stream *s) {
    struct wg_check_streams *c = of(s->dev);
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    event->clock.n = 0;
    wg_clock_join(&event->clock, &s->known.clock);
    pthread_mutex_unlock(&c->lock);
}

void wg_check_event_before(struct wg_stream *s, const struct wg_check_known *event) {
    struct wg_check_streams *c = of(s->dev);
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    wg_clock_join(&s->known.clock, &event->clock);
    pthread_mutex_unlock(&c->lock);
}

void wg_check_stream_joins(struct wg_check_known *into, const struct wg_stream *s) {
    struct wg_check_streams *c = of(s->dev);
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    wg_clock_join(&into->clock, &s->known.clock);
    pthread_mutex_unlock(&c->lock);
}

void wg_check_host_knows(struct wg_device *dev, const struct wg_clock *clock) {
    struct wg_check_streams *c = of(dev);
    wg_clock_join(&c->host, clock);
    wg_stream_races_settle(c->races, &c->host);
    wg_check_pageable_settle(c->pageable, &c->host);
    watch(c, dev->options.host);
}

void wg_check_event_waited(struct wg_device *dev, const struct wg_check_known *event) {
    struct wg_check_streams *c = of(dev);
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    wg_check_host_knows(dev, &event->clock);
    pthread_mutex_unlock(&c->lock);
}

void wg_check_stream_waited(struct wg_device *dev, const struct wg_stream *s) {
    struct wg_check_streams *c = of(dev);
    if (!c) return;
    pthread_mutex_lock(dev->lock);
    pthread_mutex_lock(&c->lock);
    for (struct wg_stream *o = dev->streams; o; o = o->next)
        if (!s || o == s || (s == dev->legacy && !(o->flags & WG_STREAM_NONBLOCKING)))
            wg_clock_join(&c->host, &o->known.clock);
    wg_check_host_knows(dev, &c->host);
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_unlock(dev->lock);
}

void wg_check_copy_waited(const struct wg_stream *s) {
    struct wg_check_streams *c = of(s->dev);
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    wg_check_host_knows(s->dev, &s->known.clock);
    pthread_mutex_unlock(&c->lock);
}

/* What has been asked for by now may come before the value, or after it: it is held to come before. */
void wg_check_value_seen(struct wg_stream *s) {
    struct wg_check_streams *c = of(s->dev);
    struct wg_clock before = {0};
    if (!c) return;
    wg_findings_note(
        s->dev->options.findings,
        "a stream waited for a value in memory (cuStreamWaitValue32 and its like): what it did then is not "
        "compared with work that was asked for before the wait ended");
    pthread_mutex_lock(s->dev->lock);
    pthread_mutex_lock(&c->lock);
    for (struct wg_device *d = s->dev->fleet->first; d; d = d->sibling)
        for (struct wg_stream *o = d->streams; o; o = o->next) wg_clock_join(&before, &o->known.clock);
    wg_clock_join(&s->known.clock, &before);
    for (struct wg_stream_work *w = wg_stream_races_first(c->races); w; w = w->next)
        if (w->slot == s->known.slot && !w->ended) wg_clock_join(&w->clock, &before);
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_unlock(s->dev->lock);
    wg_clock_free(&before);
}

/* ---- what work touches ---- */

static void touch(struct wg_stream_work *x, uint8_t access, const void *p, uint64_t pitch, uint64_t slice,
                  uint64_t width, uint64_t height, uint64_t depth) {
    for (uint64_t i = 0; i < height * depth; i++) {
        uint64_t from = (uint64_t)p + i % height * pitch + i / height * slice;
        struct wg_touched t = {.from = from,
                               .to = from + width,
                               .mask = UINT32_MAX,
                               .unit = 1,
                               .access = access,
                               .strong = access == WG_RACE_ATOMIC};
        if (width) wg_stream_work_touched(x, &t);
    }
}

/* Memory of the program's own that is no business of the device's is copied before the call returns. */
static bool stays(const struct wg_device *dev, const void *p) {
    struct wg_found f;
    return wg_fleet_find((struct wg_device *)dev, (uint64_t)p, &f);
}

static void touch_moved(struct wg_work *w, struct wg_stream_work *x) {
    const struct wg_copy *c = &w->copy;
    const struct wg_fill *f = &w->fill;
    switch ((enum wg_work_kind)w->kind) {
    case WG_WORK_COPY:
        if (!w->staged && stays(w->dev, c->src))
            touch(x, WG_RACE_LOAD, c->src, c->src_pitch, c->src_slice, c->width, c->height, c->depth);
        if (stays(w->dev, c->dst))
            touch(x, WG_RACE_STORE, c->dst, c->dst_pitch, c->dst_slice, c->width, c->height, c->depth);
        break;
    case WG_WORK_FILL:
        touch(x, f->signals ? WG_RACE_ATOMIC : WG_RACE_STORE, f->dst, f->pitch, 0, f->width * f->element,
              f->height, 1);
        break;
    case WG_WORK_FREE:
        touch(x, WG_RACE_STORE, w->memory, 0, 0, ((const struct wg_check_asked *)x->user)->freed, 1, 1);
        break;
    default: break;
    }
}

void wg_check_stream_allocated(struct wg_stream *s, const void *p, uint64_t bytes) {
    struct wg_check_streams *c = of(s->dev);
    if (!c) return;
    struct wg_check_asked *k = wg_xcalloc(1, sizeof *k);
    k->dev = s->dev;
    wg_caller(&k->by, &k->at);
    pthread_mutex_lock(s->dev->lock);
    pthread_mutex_lock(&c->lock);
    advance(c, s);
    struct wg_stream_work *x = new_piece(c, s, k);
    x->bounds = true;
    touch(x, WG_RACE_STORE, p, 0, 0, bytes, 1, 1);
    wg_stream_work_ended(x);
    wg_stream_races_settle(c->races, &c->host);
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_unlock(s->dev->lock);
}

void wg_check_stream_call_touches(struct wg_work *w, const void *p, uint64_t bytes, bool write) {
    struct wg_check_streams *c = of(w->dev);
    if (!c || !w->stream_work) return;
    pthread_mutex_lock(&c->lock);
    touch(w->stream_work, write ? WG_RACE_STORE : WG_RACE_LOAD, p, 0, 0, bytes, 1, 1);
    pthread_mutex_unlock(&c->lock);
}

static void add(struct wg_stream_work *x, const struct wg_race_touched *t, const struct wg_grid *g) {
    uint32_t unit = t->sector ? 32 : 128;
    struct wg_touched r = {.from = t->address,
                           .to = t->address + unit,
                           .mask = t->mask,
                           .unit = (uint8_t)unit,
                           .access = t->access,
                           .strong = t->strong,
                           .of_block = t->of_block,
                           .of_device = g && wg_check_stream_of_device(g, t->site),
                           .site = t->site,
                           .thread = t->thread,
                           .block = t->block};
    wg_stream_work_touched(x, &r);
}

static void add_own(void *grid, const struct wg_race_touched *t) {
    const struct wg_grid *g = grid;
    add(g->work->stream_work, t, g);
}

static bool is_launch(const struct wg_check_asked *k, uint64_t launch) {
    return k->func && k->launch == launch;
}

/* Of launches before there was a second stream: what is left of them. */
static void add_earlier(void *streams, const struct wg_race_touched *t) {
    struct wg_check_streams *c = streams;
    struct wg_stream_work *x = c->latest;
    if (!x || !is_launch(x->user, t->launch))
        for (x = wg_stream_races_first(c->races); x && !is_launch(x->user, t->launch);) x = x->next;
    c->latest = x;
    if (x && !((const struct wg_check_asked *)x->user)->told) add(x, t, NULL);
}

void wg_check_stream_reads(struct wg_grid *g, uint64_t from, uint64_t to, uint32_t site) {
    struct wg_check_streams *c = of(g->dev);
    if (!c || !g->work->stream_work) return;
    struct wg_touched t = {.from = from,
                           .to = to,
                           .mask = UINT32_MAX,
                           .unit = 1,
                           .access = WG_RACE_LOAD,
                           .site = site,
                           .thread = WG_SOME_THREAD};
    pthread_mutex_lock(&c->lock);
    wg_stream_work_touched(g->work->stream_work, &t);
    pthread_mutex_unlock(&c->lock);
}

void wg_check_stream_settled(struct wg_grid *g) {
    struct wg_check_streams *c = of(g->dev);
    if (!c || !g->work->stream_work) return;
    pthread_mutex_lock(&c->lock);
    if (c->several || wg_check_host_tells(g->dev)) {
        wg_race_each_touched(g->dev->race, g->check->races.grid, add_own, g);
        ((struct wg_check_asked *)g->work->stream_work->user)->told = true;
    }
    pthread_mutex_unlock(&c->lock);
}

static void begins(struct wg_work *w) {
    struct wg_check_streams *c = of(w->dev);
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    if (c->several && !c->asked) {
        c->asked = true;
        c->latest = NULL;
        pthread_rwlock_rdlock(&w->dev->fleet->members);
        for (struct wg_device *d = w->dev->fleet->first; d; d = d->sibling)
            if (d->race) wg_race_each_touched(d->race, NULL, add_earlier, c);
        pthread_rwlock_unlock(&w->dev->fleet->members);
        for (struct wg_stream_work *x = wg_stream_races_first(c->races); x; x = x->next) {
            wg_check_stream_spread(x);
        }
    }
    pthread_mutex_unlock(&c->lock);
}

static void over(struct wg_work *w) {
    struct wg_stream_work *x = w->stream_work;
    struct wg_check_streams *c = of(w->dev);
    if (!x) return;
    w->stream_work = NULL;
    pthread_mutex_lock(&c->lock);
    touch_moved(w, x);
    wg_stream_work_ended(x);
    wg_stream_races_settle(c->races, &c->host);
    pthread_mutex_unlock(&c->lock);
}

void wg_check_stream_forget(struct wg_device *dev, uint64_t base, uint64_t size) {
    struct wg_check_streams *c = of(dev);
    if (!c) return;
    pthread_rwlock_rdlock(&dev->fleet->members);
    for (struct wg_device *d = dev->fleet->first; d; d = d->sibling)
        if (d->race) wg_race_forget(d->race, base, size);
    pthread_rwlock_unlock(&dev->fleet->members);
    pthread_mutex_lock(&c->lock);
    wg_stream_races_forget(c->races, base, size);
    pthread_mutex_unlock(&c->lock);
}

/* ---- life ---- */

static const struct wg_work_observer observer = {put, begins, over};

/* Under the fleet's lock. */
static struct wg_check_streams *streams_of(struct wg_device *dev) {
    struct wg_check_streams *c = dev->fleet->check_streams;
    if (c) return c;
    c = dev->fleet->check_streams = wg_xcalloc(1, sizeof *c);
    c->races =
        wg_stream_races_new(&(struct wg_stream_races_options){.found = found, .drop = drop, .user = c});
    c->pageable = wg_check_pageable_new();
    c->low = UINT64_MAX;
    /* A launch on each device, one after the other, is what programs for several do first. */
    c->several = dev->options.ndevices > 1;
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

void wg_check_streams_open(struct wg_device *dev) {
    uint64_t base = dev->memory.base, end = base + (UINT64_C(1) << (dev->memory.bits - 1));
    if (!(wg_checks(dev) & 1u << WG_CHECK_race)) return;
    pthread_mutex_lock(dev->lock);
    struct wg_check_streams *c = streams_of(dev);
    c->users++;
    pthread_mutex_lock(&c->lock);
    if (base < c->low) c->low = base;
    if (end > c->high) c->high = end;
    pthread_mutex_unlock(&c->lock);
    dev->check_streams = c;
    dev->observer = &observer;
    pthread_mutex_unlock(dev->lock);
}

static void free_streams(struct wg_check_streams *c) {
    wg_stream_races_free(c->races);
    wg_clock_free(&c->host);
    wg_clock_free(&c->told);
    wg_check_pageable_free(c->pageable);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

static bool is_of(const void *asked, const void *dev) {
    return ((const struct wg_check_asked *)asked)->dev == dev;
}

/* All work of the device has ended, and what follows is behind it. */
void wg_check_streams_close(struct wg_device *dev) {
    struct wg_check_streams *c = of(dev);
    if (!c) return;
    pthread_mutex_lock(dev->lock);
    pthread_mutex_lock(&c->lock);
    if (wg_stream_races_left_out(c->races))
        wg_findings_note(dev->options.findings,
                         "races between launches and copies of different streams were not checked for all "
                         "of their accesses: there were too many to remember");
    wg_stream_races_drop(c->races, is_of, dev);
    watch(c, dev->options.host);
    pthread_mutex_unlock(&c->lock);
    bool last = --c->users == 0;
    if (last) dev->fleet->check_streams = NULL;
    dev->check_streams = NULL;
    dev->observer = NULL;
    pthread_mutex_unlock(dev->lock);
    if (last) free_streams(c);
}
