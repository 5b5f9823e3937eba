/* Host functions in streams: one thread of the device calls them, started at the first such call. */
#include "base/clock.h"
#include "machine/work.h"

/* Whatever such a function does to memory may matter, and is told. */
static void note_calling(struct wg_device *dev, bool begins) {
    struct wg_host_watch *h = dev->options.host;
    if (!h || !dev->check_streams) return;
    atomic_store(&h->calling, begins ? dev : NULL);
}

static void *caller_main(void *arg) {
    struct wg_device *dev = arg;
    pthread_mutex_lock(dev->lock);
    for (;;) {
        struct wg_work *w = dev->calls;
        if (!w && dev->caller_stopping) break;
        if (!w) {
            pthread_cond_wait(&dev->caller_wakes, dev->lock);
            continue;
        }
        dev->calls = w->link;
        dev->calling = w;
        dev->calling_since = wg_now_ns();
        pthread_mutex_unlock(dev->lock);
        note_calling(dev, true);
        w->call.fn(w->call.user, atomic_load(&dev->status));
        note_calling(dev, false);
        pthread_mutex_lock(dev->lock);
        dev->calling = NULL;
        pthread_mutex_unlock(dev->lock);
        wg_work_end(w);
        pthread_mutex_lock(dev->lock);
    }
    pthread_mutex_unlock(dev->lock);
    return NULL;
}

/* Creating the thread may fail, which is reported to it here. */
static bool begin(struct wg_work *w, bool failed) {
    struct wg_device *dev = w->dev;
    if (failed && !w->always) return true;
    pthread_mutex_lock(dev->lock);
    if (!dev->caller_started) {
        dev->caller_started = pthread_create(&dev->caller, NULL, caller_main, dev) == 0;
        if (dev->caller_started) pthread_setname_np(dev->caller, "warpglass");
    }
    bool started = dev->caller_started;
    if (started) {
        w->link = NULL;
        *(dev->calls ? &dev->calls_last->link : &dev->calls) = w;
        dev->calls_last = w;
        pthread_cond_signal(&dev->caller_wakes);
    }
    pthread_mutex_unlock(dev->lock);
    if (started) return false;
    wg_device_fail(dev, WG_OUT_OF_RESOURCES, NULL);
    w->call.fn(w->call.user, atomic_load(&dev->status));
    return true;
}

void wg_host_calls_close(struct wg_device *dev) {
    pthread_mutex_lock(dev->lock);
    bool started = dev->caller_started;
    dev->caller_stopping = true;
    pthread_cond_signal(&dev->caller_wakes);
    pthread_mutex_unlock(dev->lock);
    if (started) pthread_join(dev->caller, NULL);
}

/* A function that a stream calls: the work to be waited for includes itself. It may end the process, which
 * waits on its way out. */
bool wg_host_calls_are_here(struct wg_device *dev) {
    pthread_mutex_lock(dev->lock);
    bool called = dev->caller_started && pthread_equal(pthread_self(), dev->caller);
    pthread_mutex_unlock(dev->lock);
    return called;
}

enum wg_status wg_stream_call(struct wg_stream *s, void (*fn)(void *user, enum wg_status status), void *user,
                              uint32_t flags) {
    enum wg_status status = wg_stream_usable(s);
    if (status != WG_OK && !(flags & WG_CALL_ALWAYS && status != WG_INVALID_HANDLE)) return status;
    struct wg_work *w = wg_work_new(s->dev, WG_WORK_CALL, begin);
    w->call.fn = fn;
    w->call.user = user;
    w->always = flags & WG_CALL_ALWAYS;
    w->touches = flags & WG_CALL_TOUCHES;
    wg_work_put(s, w, NULL);
    wg_work_drop(w);
    return WG_OK;
}
