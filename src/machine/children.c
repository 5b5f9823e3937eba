/* Launches that kernels have asked for, and copies and fills, once the launch that asked has ended: see children.h.
 *
 *     parent ends -> wg_children_follow -> a thread of the device's: children into streams -> tails -> parent's work ends
 *
 * Each of the parent's blocks has a stream of its own, as has each stream that it created and each launch that is fired
 * and forgotten; they are streams of the machine (stream.c), and so what the race check knows of streams holds of them.
 * The parent's work has not ended meanwhile: what follows it in its stream waits for all its descendants.
 */
#include "machine/children.h"
#include "machine/module.h"
#include "machine/watch/watch.h"
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum stage { CHILDREN, TAILS, OVER };

/* Streams of the parent's threads, by block and number; and events, by what was recorded last. */
struct own_stream {
    uint64_t block, number;
    struct wg_stream *s;
};
struct own_event {
    uint64_t number;
    struct wg_event *e;
};

/* What a block of the parent did after so many launches: work of a stream, for the race check alone (check_late.h). What
 * blocks did that launch nothing is all of one. */
static const uint64_t OF_OTHERS = UINT64_MAX;
struct late_piece {
    uint64_t block;
    uint32_t after, number;
    struct wg_stream *s;
};

/* A call that launches, as reports have it. */
struct launch_place {
    uint32_t id;
    const char *text;
};

/* The children of one launch. */
struct wg_family {
    struct wg_children *c;
    struct wg_work *work;   /* the parent's */
    struct wg_work *latest; /* of the children's, held: work.h, wg_work_in_line */
    enum stage stage;
    uint32_t next_child;
    const char *asked_by; /* the host program's call that all comes from, and its address */
    uint64_t asked_at;
    WG_VEC(struct own_stream) streams; /* by block */
    WG_VEC(struct wg_stream *) taken;
    WG_VEC(struct own_event) events;
    WG_VEC(struct launch_place) places;
    struct wg_check_known before,
        after;                  /* what the parent comes after, with itself; what its children come after */
    struct wg_check_late *late; /* what the parent did beside them; NULL: nothing */
    struct wg_check_asked *late_of;
    WG_VEC(struct late_piece) pieces; /* by block, and in its order */
    _Atomic uint32_t left;            /* streams with work that has not ended, and one while work is put */
    struct wg_family *next;
};

/* ---- the thread ---- */

static void go_on(struct wg_family *f);

static void *main_of_families(void *arg) {
    struct wg_device *dev = arg;
    pthread_mutex_lock(dev->lock);
    for (;;) {
        struct wg_family *f = dev->families;
        if (!f && dev->families_stopping) break;
        if (!f) {
            pthread_cond_wait(&dev->families_wake, dev->lock);
            continue;
        }
        dev->families = f->next;
        pthread_mutex_unlock(dev->lock);
        go_on(f);
        pthread_mutex_lock(dev->lock);
    }
    pthread_mutex_unlock(dev->lock);
    return NULL;
}

/* What has just become possible comes first: a child's own children before its parent's others. */
static bool queue(struct wg_family *f) {
    struct wg_device *dev = f->c->dev;
    pthread_mutex_lock(dev->lock);
    if (!dev->families_started) {
        dev->families_started = pthread_create(&dev->families_thread, NULL, main_of_families, dev) == 0;
        if (dev->families_started) pthread_setname_np(dev->families_thread, "warpglass");
    }
    bool started = dev->families_started;
    if (started) {
        f->next = dev->families;
        dev->families = f;
        pthread_cond_signal(&dev->families_wake);
    }
    pthread_mutex_unlock(dev->lock);
    return started;
}

void wg_children_close(struct wg_device *dev) {
    pthread_mutex_lock(dev->lock);
    bool started = dev->families_started;
    dev->families_stopping = true;
    pthread_cond_signal(&dev->families_wake);
    pthread_mutex_unlock(dev->lock);
    if (started) pthread_join(dev->families_thread, NULL);
    for (uint32_t i = 0; i < dev->child_streams.n; i++) wg_stream_destroy(dev->child_streams.v[i]);
    free(dev->child_streams.v);
    wg_child_memory_close(dev);
}

/* ---- streams ---- */

/* Streams are used again: the race check keeps an account of each that there ever was. */
static struct wg_stream *take(struct wg_family *f) {
    struct wg_device *dev = f->c->dev;
    struct wg_stream *s = NULL;
    if (dev->child_streams.n)
        s = dev->child_streams.v[--dev->child_streams.n];
    else if (wg_stream_create(dev, WG_STREAM_NONBLOCKING, 0, &s) != WG_OK)
        return NULL;
    *WG_PUSH(&f->taken) = s;
    wg_check_event_before(s, &f->before);
    return s;
}

static struct wg_stream *stream_of(struct wg_family *f, const struct wg_child *k) {
    if (k->stream == WG_RUNTIME_FORGET) return take(f);
    uint64_t block = k->stream == WG_RUNTIME_TAIL ? 0 : k->block;
    for (uint32_t i = f->streams.n; i-- > 0 && f->streams.v[i].block == block;)
        if (f->streams.v[i].number == k->stream) return f->streams.v[i].s;
    struct wg_stream *s = take(f);
    if (s) *WG_PUSH(&f->streams) = (struct own_stream){block, k->stream, s};
    return s;
}

static struct wg_event **event_of(struct wg_family *f, uint64_t number) {
    for (uint32_t i = f->events.n; i-- > 0;)
        if (f->events.v[i].number == number) return &f->events.v[i].e;
    *WG_PUSH(&f->events) = (struct own_event){number, NULL};
    return &f->events.v[f->events.n - 1].e;
}

static enum wg_status put_event(struct wg_family *f, const struct wg_child *k, struct wg_stream *s) {
    struct wg_event **e = event_of(f, k->event);
    if (k->kind == WG_CHILD_WAIT) return *e ? wg_stream_wait_event(s, *e) : WG_OK; /* never recorded */
    enum wg_status status = *e ? WG_OK : wg_event_create(f->c->dev, WG_EVENT_NO_TIMING, e);
    return status == WG_OK ? wg_event_record(*e, s) : status;
}

/* All that was put into them has ended. */
static void leave_streams(struct wg_family *f) {
    for (uint32_t i = 0; i < f->events.n; i++)
        if (f->events.v[i].e) wg_event_destroy(f->events.v[i].e);
    for (uint32_t i = 0; i < f->taken.n; i++) {
        wg_check_stream_joins(&f->after, f->taken.v[i]);
        *WG_PUSH(&f->c->dev->child_streams) = f->taken.v[i];
    }
    f->events.n = f->taken.n = f->streams.n = 0;
    wg_clock_join(&f->before.clock, &f->after.clock); /* tails come after all */
}

/* ---- what is put into them ---- */

/* It was right when it was asked for, and cannot be done: there is no code for the kernel, or a copy is of no memory of
 * the device's. */
static void cannot(const struct wg_children *c, const struct wg_child *k, enum wg_status status) {
    struct wg_device *dev = c->dev;
    const char *detail = wg_last_detail();
    char *parent = wg_func_pretty(c->of);
    pthread_mutex_lock(&dev->modules_lock);
    struct wg_fault_record *r = WG_NEW(&dev->fault_arena, struct wg_fault_record);
    r->status = status;
    r->kernel = wg_arena_strdup(&dev->fault_arena, parent);
    r->message = wg_arena_printf(&dev->fault_arena, "%s that kernel %s asked for cannot be made: %s\n",
                                 k->kind == WG_CHILD_LAUNCH ? "a launch"
                                 : k->kind == WG_CHILD_COPY ? "a copy"
                                                            : "work",
                                 parent, *detail ? detail : wg_status_text(status));
    pthread_mutex_unlock(&dev->modules_lock);
    free(parent);
    wg_device_fail(dev, status, r);
}

static int by_block(const void *block, const void *child) {
    uint64_t a = *(const uint64_t *)block, b = (*(struct wg_child *const *)child)->block;
    return a < b ? -1 : a > b;
}

static bool launches(const struct wg_children *c, uint64_t block) {
    return bsearch(&block, c->all.v, c->all.n, sizeof *c->all.v, by_block);
}

static void put_late(struct wg_family *f) {
    for (uint32_t i = 0; i < f->late->all.n; i++) {
        struct wg_late_access *x = &f->late->all.v[i];
        if (!x->after && !launches(f->c, x->block)) x->block = OF_OTHERS;
    }
    wg_check_late_sort(f->late);
    const struct wg_late_access *all = f->late->all.v;
    struct wg_stream *s = NULL;
    for (uint32_t i = 0, end; f->late_of && i < f->late->all.n; i = end) {
        const struct wg_late_access *x = &all[i];
        for (end = i + 1; end < f->late->all.n && all[end].block == x->block && all[end].after == x->after;)
            end++;
        if (!i || all[i - 1].block != x->block) s = take(f);
        if (!s) break;
        uint32_t number = wg_check_late_put(s, f->late_of, x, end - i);
        *WG_PUSH(&f->pieces) = (struct late_piece){x->block, x->after, number, s};
    }
    wg_check_late_free(f->late);
    f->late = NULL;
}

/* It comes after what its block did before it was launched, and after what others did that the block may have waited for. */
static void put_behind_parent(const struct wg_family *f, const struct wg_child *k, struct wg_stream *s) {
    bool found = false;
    for (uint32_t i = f->pieces.n; i-- > 0;) {
        const struct late_piece *p = &f->pieces.v[i];
        bool own = p->block == k->block;
        if (own ? found || p->after >= k->order : !k->after_others) continue;
        wg_check_late_before(s, p->s, p->number);
        found |= own;
    }
}

/* "parent(int*) at tree.cu:12": where the program's own code launches. */
static const char *launched_by(struct wg_family *f, uint32_t id) {
    for (uint32_t i = 0; i < f->places.n; i++)
        if (f->places.v[i].id == id) return f->places.v[i].text;
    const struct wg_module *m = f->c->of->module;
    const struct wg_ir_module *ir = m->instrumented ? m->instrumented->module : m->ir;
    char *pretty = wg_func_pretty(f->c->of);
    uint32_t n = 0, at = 0;
    const struct wg_frame *frames = wg_ir_frames(&f->c->arena, ir, wg_ir_call_loc(ir, id), pretty, &n);
    while (at < n && frames[at].file && strstr(frames[at].file, "cuda_device_runtime_api.h")) at++;
    const char *text = pretty, *file = at < n && frames[at].line ? frames[at].file : NULL;
    if (file && strrchr(file, '/')) file = strrchr(file, '/') + 1;
    if (file) text = wg_arena_printf(&f->c->arena, "%s at %s:%u", pretty, file, frames[at].line);
    *WG_PUSH(&f->places) = (struct launch_place){id, wg_arena_strdup(&f->c->arena, text)};
    free(pretty);
    return f->places.v[f->places.n - 1].text;
}

static enum wg_status put_one(struct wg_family *f, const struct wg_child *k) {
    struct wg_stream *s = stream_of(f, k);
    if (!s) return WG_OK; /* the device has failed */
    put_behind_parent(f, k, s);
    switch ((enum wg_child_kind)k->kind) {
    case WG_CHILD_LAUNCH: return wg_launch_child(s, &k->launch, f->c->depth + 1, launched_by(f, k->id));
    case WG_CHILD_COPY: return wg_copy(s, &k->copy);
    case WG_CHILD_FILL:
        return wg_fill(s, k->fill.dst, k->fill.pitch, (uint32_t)k->fill.value, 1, k->fill.width,
                       k->fill.height);
    case WG_CHILD_RECORD:
    case WG_CHILD_WAIT: return put_event(f, k, s);
    }
    return WG_OK;
}

static void one_less(struct wg_family *f) {
    if (atomic_fetch_sub(&f->left, 1) == 1) queue(f);
}

static bool stream_ended(struct wg_work *w, bool failed) {
    (void)failed;
    one_less(w->call.user);
    return true;
}

/* The family goes on when what is in its streams has ended. */
static void mark_ends(struct wg_family *f) {
    for (uint32_t i = 0; i < f->taken.n; i++) {
        struct wg_work *w = wg_work_new(f->c->dev, WG_WORK_MARK, stream_ended);
        w->call.user = f;
        atomic_fetch_add(&f->left, 1);
        wg_work_put(f->taken.v[i], w, NULL);
        wg_work_drop(w);
    }
}

/* Where work begins in order a launch's own children come before the next. */
static void put_some(struct wg_family *f) {
    bool one = f->c->dev->in_order, put = false;
    for (; f->next_child < f->c->all.n && !(one && put); f->next_child++) {
        const struct wg_child *k = f->c->all.v[f->next_child];
        if (!k->asked || (f->stage == TAILS) != (k->stream == WG_RUNTIME_TAIL)) continue;
        put = k->kind == WG_CHILD_LAUNCH;
        enum wg_status status = put_one(f, k);
        if (status != WG_OK && wg_device_usable(f->c->dev) == WG_OK) cannot(f->c, k, status);
    }
}

static void end(struct wg_family *f) {
    struct wg_work *work = f->work;
    wg_check_event_before(work->stream, &f->after);
    if (f->latest) wg_work_drop(f->latest);
    wg_children_free(f->c);
    wg_clock_free(&f->before.clock);
    wg_clock_free(&f->after.clock);
    wg_check_late_of_free(f->late_of);
    free(f->pieces.v);
    free(f->places.v);
    free(f->streams.v);
    free(f->taken.v);
    free(f->events.v);
    free(f);
    wg_work_end(work);
}

static void go_on(struct wg_family *f) {
    if (f->next_child == f->c->all.n) {
        leave_streams(f);
        f->stage++;
        f->next_child = 0;
    }
    if (f->stage == OVER) {
        end(f);
        return;
    }
    atomic_store(&f->left, 1);
    wg_work_in_line(&f->latest);
    wg_work_is_of(f->asked_by, f->asked_at);
    if (f->late) put_late(f);
    put_some(f);
    mark_ends(f);
    wg_work_in_line(NULL);
    wg_work_is_of(NULL, 0);
    one_less(f);
}

/* ---- the parent has ended ---- */

static int by_order(const void *a, const void *b) {
    const struct wg_child *x = *(struct wg_child *const *)a, *y = *(struct wg_child *const *)b;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* How many of them wait at once depends on a GPU's timing, so none is refused here (device_runtime.c). */
static void tell_of_pending(const struct wg_children *c) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->all.n; i++) n += c->all.v[i]->asked && c->all.v[i]->kind == WG_CHILD_LAUNCH;
    if (n <= c->dev->limit_pending || !c->dev->options.on_notice ||
        atomic_exchange(&c->dev->told_pending, true))
        return;
    struct wg_strbuf b = {0};
    char *parent = wg_func_pretty(c->of);
    wg_strbuf_printf(
        &b,
        "note: %s launched %u kernels; a GPU keeps %" PRIu64
        " waiting (cudaLimitDevRuntimePendingLaunchCount), and refuses launches while there are as many "
        "with cudaErrorLaunchPendingCountExceeded\n",
        parent, n, (uint64_t)c->dev->limit_pending);
    c->dev->options.on_notice(b.s);
    free(parent);
    wg_strbuf_free(&b);
}

bool wg_children_follow(struct wg_grid *g) {
    struct wg_children *c = g->children;
    struct wg_check_late *late = wg_check_late_take(g);
    g->children = NULL;
    if (!c) return false;
    if (c->all.n) qsort(c->all.v, c->all.n, sizeof(struct wg_child *), by_order);
    tell_of_pending(c);
    struct wg_family *f = wg_xcalloc(1, sizeof *f);
    f->c = c;
    f->work = g->work;
    f->asked_by = g->asked_by;
    f->asked_at = g->asked_at;
    f->late = late;
    f->late_of = late ? wg_check_late_of(g->work) : NULL;
    wg_check_event_put(&f->before, g->work->stream);
    if (c->all.n && queue(f)) return true;
    if (c->all.n) wg_device_fail(g->dev, WG_OUT_OF_RESOURCES, NULL);
    wg_children_free(c);
    wg_check_late_free(late);
    wg_check_late_of_free(f->late_of);
    free(f);
    return false;
}
