/* Work that is put together when its stream comes to it, in steps: the bodies of a graph's conditional nodes.
 *
 *     begin -> a thread of the device's: step, which puts work into a stream of its own -> that has ended: the next step ->
 *     ... -> there is no more: the work ends
 *
 * The race check orders work as the program's calls do, and launches are numbered as they are put: where results must be
 * the same in every run, the thread that enqueues such work goes on when it has ended.
 */
#include "check/finding.h"
#include "machine/watch/watch.h"
#include "machine/work.h"
#include <stdlib.h>

#define WAIT_NS (60 * UINT64_C(1000000000)) /* it may be waiting for what the program does next */

struct wg_stepped {
    struct wg_steps steps;
    struct wg_work *work;    /* the stream's */
    struct wg_stream *inner; /* NULL: no step yet */
    struct wg_work *latest;  /* of what the steps put, held: work.h, wg_work_in_line */
    const char *asked_by;    /* the host program's call, and its address */
    uint64_t asked_at;
    struct wg_check_known before, after; /* what it comes after; what comes after its steps */
    struct wg_stepped *next;
};

static _Thread_local bool stepping; /* a step puts this work: its own steps come later, on this thread */

/* ---- the thread ---- */

static void go_on(struct wg_stepped *x);

static void *main_of_steps(void *arg) {
    struct wg_device *dev = arg;
    stepping = true;
    pthread_mutex_lock(dev->lock);
    for (;;) {
        struct wg_stepped *x = dev->stepped;
        if (!x && dev->steps_stopping) break;
        if (!x) {
            pthread_cond_wait(&dev->steps_wake, dev->lock);
            continue;
        }
        dev->stepped = x->next;
        pthread_mutex_unlock(dev->lock);
        go_on(x);
        pthread_mutex_lock(dev->lock);
    }
    pthread_mutex_unlock(dev->lock);
    return NULL;
}

static bool queue(struct wg_stepped *x) {
    struct wg_device *dev = x->work->dev;
    pthread_mutex_lock(dev->lock);
    if (!dev->steps_started) {
        dev->steps_started = pthread_create(&dev->steps_thread, NULL, main_of_steps, dev) == 0;
        if (dev->steps_started) pthread_setname_np(dev->steps_thread, "warpglass");
    }
    bool started = dev->steps_started;
    if (started) { /* behind the others, or a loop could keep them waiting */
        struct wg_stepped **at = &dev->stepped;
        while (*at) at = &(*at)->next;
        x->next = NULL;
        *at = x;
        pthread_cond_signal(&dev->steps_wake);
    }
    pthread_mutex_unlock(dev->lock);
    return started;
}

void wg_steps_close(struct wg_device *dev) {
    pthread_mutex_lock(dev->lock);
    bool started = dev->steps_started;
    dev->steps_stopping = true;
    pthread_cond_signal(&dev->steps_wake);
    pthread_mutex_unlock(dev->lock);
    if (started) pthread_join(dev->steps_thread, NULL);
    for (uint32_t i = 0; i < dev->step_streams.n; i++) wg_stream_destroy(dev->step_streams.v[i]);
    free(dev->step_streams.v);
}

/* ---- a step ---- */

/* Streams are used again: the race check keeps an account of each that there ever was. */
static bool take_stream(struct wg_stepped *x) {
    struct wg_device *dev = x->work->dev;
    if (x->inner) return true;
    if (dev->step_streams.n)
        x->inner = dev->step_streams.v[--dev->step_streams.n];
    else if (wg_stream_create(dev, WG_STREAM_NONBLOCKING, x->work->stream->priority, &x->inner) != WG_OK)
        return false;
    wg_check_event_before(x->inner, &x->before);
    return true;
}

static void end(struct wg_stepped *x) {
    struct wg_work *w = x->work;
    x->steps.over(x->steps.user);
    if (x->inner) {
        wg_check_stream_joins(&x->after, x->inner);
        *WG_PUSH(&w->dev->step_streams) = x->inner;
        wg_check_event_before(w->stream, &x->after);
    }
    if (x->latest) wg_work_drop(x->latest);
    wg_clock_free(&x->before.clock);
    wg_clock_free(&x->after.clock);
    free(x);
    wg_work_end(w);
}

static bool step_ended(struct wg_work *w, bool failed) {
    (void)failed;
    return queue(w->call.user);
}

/* What was to be put cannot be. */
static void cannot(struct wg_device *dev, enum wg_status status) {
    const char *detail = wg_last_detail();
    pthread_mutex_lock(&dev->modules_lock);
    struct wg_fault_record *r = WG_NEW(&dev->fault_arena, struct wg_fault_record);
    r->status = status;
    r->kernel = "";
    r->message = wg_arena_printf(&dev->fault_arena,
                                 "a node within a graph's conditional node cannot be launched: %s\n",
                                 *detail ? detail : wg_status_text(status));
    pthread_mutex_unlock(&dev->modules_lock);
    wg_device_fail(dev, status, r);
}

static bool step(struct wg_stepped *x) {
    struct wg_device *dev = x->work->dev;
    enum wg_status status = WG_OK;
    if (wg_device_usable(dev) != WG_OK || !take_stream(x)) return false;
    wg_last_detail_clear();
    bool more = x->steps.step(x->steps.user, x->inner, &status);
    if (status != WG_OK && wg_device_usable(dev) == WG_OK) cannot(dev, status);
    return more;
}

static void go_on(struct wg_stepped *x) {
    struct wg_device *dev = x->work->dev;
    wg_work_in_line(&x->latest);
    wg_work_is_of(x->asked_by, x->asked_at);
    bool more = step(x);
    if (more) {
        struct wg_work *w = wg_work_new(dev, WG_WORK_MARK, step_ended);
        w->call.user = x;
        wg_work_put(x->inner, w, NULL);
        wg_work_drop(w);
    }
    wg_work_in_line(NULL);
    wg_work_is_of(NULL, 0);
    if (!more) end(x);
}

/* ---- the work ---- */

static void drop(struct wg_stepped *x) {
    x->steps.over(x->steps.user);
    wg_clock_free(&x->before.clock);
    free(x);
}

static bool begin(struct wg_work *w, bool failed) {
    struct wg_stepped *x = w->call.user;
    if (!failed) {
        wg_check_event_put(&x->before, w->stream);
        if (queue(x)) return false;
        wg_device_fail(w->dev, WG_OUT_OF_RESOURCES, NULL);
    }
    drop(x);
    return true;
}

enum wg_status wg_stream_steps(struct wg_stream *s, const struct wg_steps *steps) {
    enum wg_status status = wg_stream_usable(s);
    if (status != WG_OK) {
        steps->over(steps->user);
        return status;
    }
    struct wg_device *dev = s->dev;
    struct wg_stepped *x = wg_xcalloc(1, sizeof *x);
    wg_check_streams_expect(dev);
    x->steps = *steps;
    wg_caller(&x->asked_by, &x->asked_at);
    x->work = wg_work_new(dev, WG_WORK_MARK, begin);
    x->work->call.user = x;
    struct wg_work *w = x->work;
    wg_work_put(s, w, NULL);
    if (dev->in_order && !stepping) wg_work_wait_most(w, WAIT_NS);
    if (dev->options.findings && !stepping && !wg_work_ended(w))
        wg_findings_note(dev->options.findings,
                         "a conditional node of a graph ran for longer than a minute: what the program "
                         "enqueued meanwhile may be said to race with it");
    wg_work_drop(w);
    return WG_OK;
}
