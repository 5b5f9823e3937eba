/* See check_stream.h. */
#include "machine/watch/check_stream.h"
#include "base/clock.h"
#include "check/prove/places.h"
#include "check/race/race.h"
#include "machine/watch/check.h"
#include "machine/work.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TOLD_MOST = 32, SHOWN_MOST = 4096 };
#define WAIT_NS (10 * UINT64_C(1000000000)) /* for work to end that the host touches memory of */

struct wg_check_streams {
    pthread_mutex_t lock;
    struct wg_stream_races *races;
    struct wg_clock host; /* what the host program knows to have ended */
    struct wg_clock told; /* what functions of streams are behind, who may tell any thread of it */
    uint32_t slots;
    bool several;    /* there is more than the default stream: what launches touch is asked for */
    bool asked;      /* ...and of those before there was, it has been */
    uint32_t early;  /* the last launch before there was: its number in the default stream */
    uint32_t vague;  /* the same, of those that did what nothing tells of */
    uint32_t nshown; /* launches that are remembered by what was shown of them */
    struct wg_stream_work *latest; /* while it is */
    struct wg_check_pageable *pageable;
};

/* A piece of work, as a report has it. */
struct asked {
    const char *by; /* the host program's call, and where it is */
    uint64_t at;
    const struct wg_func *func; /* NULL: no launch */
    uint64_t launch;
    uint32_t blocks[3], threads[3];
    uint64_t freed;               /* bytes */
    bool told;                    /* a launch: what it touched is known */
    struct wg_check_shown *shown; /* the rest of its footprint; evaluated on demand */
    struct {
        uint64_t at;
        uint32_t site;
    } told_host[TOLD_MOST]; /* where the host touched what this does: has been told */
    uint32_t ntold_host;
};

static struct wg_check_streams *of(const struct wg_device *dev) { return dev->check_streams; }

/* ---- what is found ---- */

/* The word that a copy or a fill is told by, and a launch's instruction. */
static void place(struct wg_arena *a, const struct wg_stream_work *w, const struct wg_touched *t,
                  uint64_t address, struct wg_finding_place *out) {
    static const char *const accesses[] = {
        [WG_RACE_LOAD] = "read", [WG_RACE_STORE] = "write", [WG_RACE_ATOMIC] = "atomic"};
    const struct asked *k = w->user;
    *out = (struct wg_finding_place){.op = k->by, .access = accesses[t->access]};
    if (k->func) {
        *out = wg_check_place(a, k->func, t->site);
        char *pretty = wg_func_pretty(k->func);
        out->kernel = wg_arena_strdup(a, pretty);
        free(pretty);
        out->launch = k->launch;
        uint64_t lowest = t->from + (uint64_t)__builtin_ctz(t->mask) * (t->unit == 128 ? 4 : 1);
        if (lowest == address) wg_check_place_thread(k->blocks, k->threads, t->block, t->thread, out);
    }
    out->asked_by = k->by;
    out->asked_at = k->at;
}

/* Both are nodes of one graph, launched by one call. */
static bool in_one_graph(const struct asked *a, const struct asked *b) {
    return a->by && b->by && strstr(a->by, "GraphLaunch") && strstr(b->by, "GraphLaunch") && a->at == b->at;
}

static void found(void *user, const struct wg_stream_found *f) {
    struct wg_device *dev = user;
    const struct asked *first = f->first->user, *second = f->second->user;
    struct wg_arena a = {0};
    struct wg_finding x = {
        .kind = WG_F_race_stream,
        .launch = second->func ? second->launch : first->launch,
        .site = second->func ? f->two->site : second->at,
        .other_site = first->func ? f->one->site : first->at,
        .has_other = true,
        .count = f->words,
        .detail =
            in_one_graph(first, second)
                ? "nothing orders the two nodes of the graph: no path along its edges leads from one to "
                  "the other"
                : "nothing orders the two: the second's stream has to wait for an event in the first's "
                  "(cudaEventRecord, cudaStreamWaitEvent), or the host has to wait for the first before it "
                  "submits the second"};
    place(&a, f->second, f->two, f->address, &x.here);
    place(&a, f->first, f->one, f->address, &x.other);
    const struct wg_func *func = second->func ? second->func : first->func;
    wg_check_describe_global(dev, func ? func->module : NULL, f->address, &x.memory);
    if (second->func) {
        x.kernel = x.here.kernel;
        x.module = wg_check_module_number(second->func);
    } else {
        x.host_at = second->at;
    }
    wg_findings_add(dev->options.findings, &x);
    wg_arena_free(&a);
}

static void drop(void *user, void *asked) {
    struct wg_device *dev = user;
    struct asked *k = asked;
    if (k->shown) dev->check_streams->nshown--;
    wg_check_shown_free(k->shown);
    free(k);
}

void wg_check_stream_made(struct wg_stream *s) {
    struct wg_check_streams *c = of(s->dev);
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    s->known.slot = c->slots++;
    if (s->known.slot > 0 && !c->several) { /* the first is the default stream */
        c->several = true;
        if (s->flags & WG_STREAM_NONBLOCKING && c->early && !wg_clock_has(&c->host, 0, c->early))
            wg_findings_note(s->dev->options.findings,
                             c->vague && !wg_clock_has(&c->host, 0, c->vague)
                                 ? "launches still pending when the first stream was created were checked "
                                   "only in part: what they only read, and some of what they write, is not "
                                   "compared with work of other streams"
                                 : "launches still pending when the first stream was created were checked "
                                   "only in part: what they only read is not compared with work of other "
                                   "streams");
    }
    pthread_mutex_unlock(&c->lock);
}

/* ---- order ---- */

static bool unknown_to_host(const struct wg_check_streams *c, const struct wg_stream_work *w) {
    return !wg_clock_has(&c->host, w->slot, w->number);
}

/* The host's accesses matter as long as there is work that it does not know to have ended. Under the lock. */
static void watch(struct wg_device *dev) {
    struct wg_check_streams *c = of(dev);
    struct wg_host_watch *h = dev->options.host;
    const struct wg_stream_work *w = wg_stream_races_first(c->races);
    if (!h) return;
    while (w && !unknown_to_host(c, w)) w = w->next;
    h->base = dev->memory.base;
    h->dev = w ? dev : NULL;
    h->size = w ? UINT64_C(1) << (dev->memory.bits - 1) : 0;
}

bool wg_check_streams_loose(const struct wg_device *dev) {
    struct wg_check_streams *c = of(dev);
    if (!c) return false;
    pthread_mutex_lock(&c->lock);
    bool several = c->several;
    pthread_mutex_unlock(&c->lock);
    return several;
}

static struct asked *describe(const struct wg_work *w) {
    struct asked *k = wg_xcalloc(1, sizeof *k);
    wg_caller(&k->by, &k->at);
    if (w->kind == WG_WORK_LAUNCH) {
        const struct wg_grid *g = w->grid;
        k->func = g->func;
        k->launch = g->block.gridid - 1;
        memcpy(k->blocks, g->block.nctaid, sizeof k->blocks);
        memcpy(k->threads, g->block.ntid, sizeof k->threads);
    } else if (w->kind == WG_WORK_FREE) {
        struct wg_found f;
        if (wg_fleet_find(w->dev, (uint64_t)w->memory, &f)) k->freed = f.span.end - f.span.base;
    }
    return k;
}

static void put(struct wg_stream *s, struct wg_work *w) {
    struct wg_check_streams *c = of(s->dev);
    struct wg_device *dev = s->dev;
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    wg_clock_join(&s->known.clock, &c->host);
    if (s == dev->legacy) {
        for (struct wg_stream *o = dev->streams; o; o = o->next)
            if (!(o->flags & WG_STREAM_NONBLOCKING)) wg_clock_join(&s->known.clock, &o->known.clock);
    } else if (!(s->flags & WG_STREAM_NONBLOCKING)) {
        wg_clock_join(&s->known.clock, &dev->legacy->known.clock);
    }
    wg_clock_set(&s->known.clock, s->known.slot, ++s->known.count);
    if (w->kind == WG_WORK_CALL) wg_check_pageable_call(c->pageable, w, s->known.slot, s->known.count);
    if (w->kind == WG_WORK_CALL && !w->touches) wg_clock_join(&c->told, &s->known.clock);
    if (w->kind != WG_WORK_MARK && (w->kind != WG_WORK_CALL || w->touches)) {
        struct wg_stream_work *x = wg_stream_work_new(c->races);
        x->slot = s->known.slot;
        x->number = s->known.count;
        wg_clock_join(&x->clock, &s->known.clock);
        x->user = describe(w);
        x->listens = w->kind == WG_WORK_LAUNCH && wg_check_race_orders(w->grid);
        if (w->kind == WG_WORK_LAUNCH && !c->several) {
            c->early = s->known.count;
            if (w->grid->check->races.vague) c->vague = c->early;
        }
        w->stream_work = x;
        watch(dev);
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

/* All that was asked for on the device is what the clock stands behind. Under both locks. */
static void join_all(const struct wg_device *dev, struct wg_clock *clock) {
    for (const struct wg_stream *o = dev->streams; o; o = o->next) wg_clock_join(clock, &o->known.clock);
}

void wg_check_crossed(struct wg_stream *s) {
    struct wg_check_streams *c = of(s->dev);
    atomic_store(&s->dev->fleet->crossed, true);
    pthread_mutex_lock(s->dev->lock);
    if (c) pthread_mutex_lock(&c->lock), join_all(s->dev, &s->known.clock), pthread_mutex_unlock(&c->lock);
    pthread_mutex_unlock(s->dev->lock);
}

/* Under the lock. */
static void host_knows(struct wg_device *dev, const struct wg_clock *clock) {
    struct wg_check_streams *c = of(dev);
    wg_clock_join(&c->host, clock);
    wg_stream_races_settle(c->races, &c->host);
    wg_check_pageable_settle(c->pageable, &c->host);
    watch(dev);
}

/* Waiting for one device's work may imply waiting for that of others, which preceded it. */
static void know_others(struct wg_device *dev) {
    if (!atomic_load(&dev->fleet->crossed)) return;
    pthread_mutex_lock(dev->lock);
    for (struct wg_device *d = dev->fleet->first; d; d = d->sibling) {
        struct wg_check_streams *c = of(d);
        if (d == dev || !c) continue;
        pthread_mutex_lock(&c->lock);
        join_all(d, &c->host);
        host_knows(d, &c->host);
        pthread_mutex_unlock(&c->lock);
    }
    pthread_mutex_unlock(dev->lock);
}

void wg_check_event_waited(struct wg_device *dev, const struct wg_check_known *event) {
    struct wg_check_streams *c = of(dev);
    if (!c) return;
    know_others(dev);
    pthread_mutex_lock(&c->lock);
    host_knows(dev, &event->clock);
    pthread_mutex_unlock(&c->lock);
}

void wg_check_stream_waited(struct wg_device *dev, const struct wg_stream *s) {
    struct wg_check_streams *c = of(dev);
    if (!c) return;
    know_others(dev);
    pthread_mutex_lock(dev->lock);
    pthread_mutex_lock(&c->lock);
    for (struct wg_stream *o = dev->streams; o; o = o->next)
        if (!s || o == s || (s == dev->legacy && !(o->flags & WG_STREAM_NONBLOCKING)))
            wg_clock_join(&c->host, &o->known.clock);
    host_knows(dev, &c->host);
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_unlock(dev->lock);
}

void wg_check_copy_waited(const struct wg_stream *s) {
    struct wg_check_streams *c = of(s->dev);
    if (!c) return;
    know_others(s->dev);
    pthread_mutex_lock(&c->lock);
    host_knows(s->dev, &s->known.clock);
    pthread_mutex_unlock(&c->lock);
}

/* ---- what work touches ---- */

static void touch(struct wg_stream_work *x, uint8_t access, const void *p, uint64_t pitch, uint64_t slice,
                  uint64_t width, uint64_t height, uint64_t depth) {
    for (uint64_t i = 0; i < height * depth; i++) {
        uint64_t from = (uint64_t)p + i % height * pitch + i / height * slice;
        struct wg_touched t = {
            .from = from, .to = from + width, .mask = UINT32_MAX, .unit = 1, .access = access};
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
        touch(x, WG_RACE_STORE, f->dst, f->pitch, 0, f->width * f->element, f->height, 1);
        break;
    case WG_WORK_FREE:
        touch(x, WG_RACE_STORE, w->memory, 0, 0, ((const struct asked *)x->user)->freed, 1, 1);
        break;
    default: break;
    }
}

void wg_check_stream_call_touches(struct wg_work *w, const void *p, uint64_t bytes, bool write) {
    struct wg_check_streams *c = of(w->dev);
    if (!c || !w->stream_work) return;
    pthread_mutex_lock(&c->lock);
    touch(w->stream_work, write ? WG_RACE_STORE : WG_RACE_LOAD, p, 0, 0, bytes, 1, 1);
    pthread_mutex_unlock(&c->lock);
}

static void add(struct wg_stream_work *x, const struct wg_race_touched *t) {
    uint32_t unit = t->sector ? 32 : 128;
    struct wg_touched r = {.from = t->address,
                           .to = t->address + unit,
                           .mask = t->mask,
                           .unit = (uint8_t)unit,
                           .access = t->access,
                           .strong = t->strong,
                           .of_block = t->of_block,
                           .site = t->site,
                           .thread = t->thread,
                           .block = t->block};
    wg_stream_work_touched(x, &r);
}

static void add_own(void *work, const struct wg_race_touched *t) { add(work, t); }

static bool is_launch(const struct asked *k, uint64_t launch) { return k->func && k->launch == launch; }

/* Of launches before there was a second stream: what is left of them. */
static void add_earlier(void *streams, const struct wg_race_touched *t) {
    struct wg_check_streams *c = streams;
    struct wg_stream_work *x = c->latest;
    if (!x || !is_launch(x->user, t->launch))
        for (x = wg_stream_races_first(c->races); x && !is_launch(x->user, t->launch);) x = x->next;
    c->latest = x;
    if (x && !((const struct asked *)x->user)->told) add(x, t);
}

/* What is known of a launch by forms of its addresses. */
struct showing {
    struct wg_stream_work *to;
    const struct wg_check_shown *s;
};

static uint32_t number_of(const uint32_t at[3], const uint32_t n[3]) {
    return at[0] + n[0] * (at[1] + n[1] * at[2]);
}

static void add_place(void *user, const struct wg_form_place *p) {
    const struct showing *x = user;
    const struct asked *k = x->to->user;
    struct wg_touched t = {.from = p->from,
                           .to = p->to,
                           .mask = UINT32_MAX,
                           .unit = 1,
                           .access = x->s->reads ? WG_RACE_LOAD : WG_RACE_STORE,
                           .site = x->s->id,
                           .thread = number_of(p->tid, k->threads),
                           .block = number_of(p->ctaid, k->blocks)};
    wg_stream_work_touched(x->to, &t);
}

static void add_shown(struct wg_stream_work *to, struct wg_check_shown *list) {
    for (const struct wg_check_shown *s = list; s; s = s->next)
        wg_form_each_place(s->extent, add_place, &(struct showing){to, s});
    wg_check_shown_free(list);
}

void wg_check_stream_shown(struct wg_grid *g, struct wg_check_shown *s) {
    struct wg_check_streams *c = of(g->dev);
    struct wg_stream_work *x = g->work->stream_work;
    if (!c || !x || !s) {
        wg_check_shown_free(s);
        return;
    }
    pthread_mutex_lock(&c->lock);
    if (c->several) {
        add_shown(x, s);
    } else if (c->nshown < SHOWN_MOST) {
        c->nshown++;
        ((struct asked *)x->user)->shown = s;
    } else {
        if (x->number > c->vague) c->vague = x->number;
        wg_check_shown_free(s);
    }
    pthread_mutex_unlock(&c->lock);
}

void wg_check_stream_settled(struct wg_grid *g) {
    struct wg_check_streams *c = of(g->dev);
    if (!c || !g->work->stream_work) return;
    pthread_mutex_lock(&c->lock);
    if (c->several || wg_check_host_tells(g->dev)) {
        wg_race_each_touched(g->dev->race, g->check->races.grid, add_own, g->work->stream_work);
        ((struct asked *)g->work->stream_work->user)->told = true;
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
        if (w->dev->race) wg_race_each_touched(w->dev->race, NULL, add_earlier, c);
        for (struct wg_stream_work *x = wg_stream_races_first(c->races); x; x = x->next) {
            struct asked *k = x->user;
            add_shown(x, k->shown);
            k->shown = NULL;
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
    if (dev->race) wg_race_forget(dev->race, base, size);
    pthread_mutex_lock(&c->lock);
    wg_stream_races_forget(c->races, base, size);
    pthread_mutex_unlock(&c->lock);
}

/* ---- the host program's own accesses ---- */

/* Work that the host does not know to have ended is let end, so that all it does is known; not work that may
 * be waiting for the host itself. */
static void let_end(struct wg_device *dev) {
    struct wg_check_streams *c = of(dev);
    uint64_t until = wg_now_ns() + WAIT_NS;
    for (bool busy = true; busy && wg_now_ns() < until;) {
        bool listens = false;
        busy = false;
        pthread_mutex_lock(&c->lock);
        for (struct wg_stream_work *w = wg_stream_races_first(c->races); w; w = w->next) {
            busy |= !w->ended && unknown_to_host(c, w);
            listens |= !w->ended && w->listens;
        }
        pthread_mutex_unlock(&c->lock);
        if (listens) return;
        if (busy) nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
        wg_grids_watch(dev);
    }
}

static void tell_host(struct wg_device *dev, struct wg_stream_work *w, const struct wg_touched *t,
                      const struct wg_host_access *h) {
    const struct asked *k = w->user;
    struct wg_arena a = {0};
    struct wg_finding x = {
        .kind = WG_F_race_host,
        .launch = k->launch,
        .site = h->at,
        .other_site = k->func ? t->site : k->at,
        .has_other = true,
        .host_at = h->at,
        .here = {.access = h->write ? "write" : "read", .bytes = h->bytes},
        .detail = "nothing makes the host wait for it: cudaDeviceSynchronize, cudaStreamSynchronize or "
                  "cudaEventSynchronize has to come between the two"};
    x.here.asked_at = h->at;
    place(&a, w, t, h->address, &x.other);
    wg_check_describe_global(dev, k->func ? k->func->module : NULL, h->address, &x.memory);
    wg_findings_add(dev->options.findings, &x);
    wg_arena_free(&a);
}

/* The same two places are reported once for each piece of work. */
static bool is_new(struct asked *k, uint64_t at, uint32_t site) {
    for (uint32_t i = 0; i < k->ntold_host; i++)
        if (k->told_host[i].at == at && k->told_host[i].site == site) return false;
    if (k->ntold_host == TOLD_MOST) return false;
    k->told_host[k->ntold_host].at = at;
    k->told_host[k->ntold_host++].site = site;
    return true;
}

void wg_check_copy_asked(struct wg_device *dev, const struct wg_copy *x) {
    struct wg_check_streams *c = of(dev);
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

void wg_check_host_touches(struct wg_device *dev, const struct wg_host_access *h) {
    struct wg_check_streams *c = of(dev);
    if (!c) return;
    if (dev->caller_started && pthread_equal(pthread_self(), dev->caller)) { /* a stream's own */
        if (dev->calling && !wg_memory_holds(&dev->memory, h->address))
            wg_check_pageable_touched(dev, c->pageable, dev->calling, h);
        return;
    }
    if (!wg_memory_holds(&dev->memory, h->address)) return;
    let_end(dev);
    pthread_mutex_lock(&c->lock);
    for (struct wg_stream_work *w = wg_stream_races_first(c->races), *next; w; w = next) {
        next = w->next;
        if (!w->ended || !unknown_to_host(c, w) || may_be_told(c, w)) continue;
        const struct wg_touched *t = wg_stream_work_at(w, h->address, h->bytes, !h->write);
        if (t && t->strong) { /* a flag: who has seen it knows what was done before */
            host_knows(dev, &w->clock);
            break;
        }
        if (t && is_new(w->user, h->at, t->site)) tell_host(dev, w, t, h);
    }
    pthread_mutex_unlock(&c->lock);
}

void wg_host_touches(struct wg_host_watch *w, const struct wg_host_access *a) {
    struct wg_device *dev = w->dev, *calling = w->calling;
    if (dev || calling) wg_check_host_touches(dev ? dev : calling, a);
}

/* ---- life ---- */

static const struct wg_work_observer observer = {put, begins, over};

void wg_check_streams_open(struct wg_device *dev) {
    if (!(wg_checks(dev) & 1u << WG_CHECK_race)) return;
    struct wg_stream_races_options o = {.found = found, .drop = drop, .user = dev};
    dev->check_streams = wg_xcalloc(1, sizeof *dev->check_streams);
    dev->check_streams->races = wg_stream_races_new(&o);
    dev->check_streams->pageable = wg_check_pageable_new();
    pthread_mutex_init(&dev->check_streams->lock, NULL);
    dev->observer = &observer;
}

void wg_check_streams_close(struct wg_device *dev) {
    struct wg_check_streams *c = of(dev);
    if (!c) return;
    if (wg_stream_races_left_out(c->races))
        wg_findings_note(dev->options.findings,
                         "races between launches and copies of different streams were not checked for all "
                         "of their accesses: there were too many to remember");
    if (dev->options.host) dev->options.host->size = 0;
    wg_stream_races_free(c->races);
    wg_clock_free(&c->host);
    wg_clock_free(&c->told);
    wg_check_pageable_free(c->pageable);
    pthread_mutex_destroy(&c->lock);
    free(c);
    dev->check_streams = NULL;
    dev->observer = NULL;
}
