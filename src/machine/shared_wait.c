/* Streams that wait for events of other processes: each wait has a thread, because nothing in this process ends
 * it. */
#include "base/thread.h"
#include "machine/shared_event.h"
#include "machine/work.h"

bool wg_shared_event_begin_record(struct wg_work *w, bool failed) {
    (void)failed; /* others do not fail with this device */
    wg_shared_event_ends(w->shared.event, w->shared.number);
    wg_shared_event_drop(w->shared.event);
    return true;
}

/* The device's other work may be what the other process waits for. */
static bool may_let_go(const struct wg_device *dev) {
    return dev->in_order && !dev->options.verify && !wg_device_has_orders(dev);
}

static bool is_given_up(struct wg_device *dev) {
    return atomic_load(&dev->status) != WG_OK || atomic_load(&dev->interrupted);
}

static void wait(struct wg_work *w) {
    struct wg_shared_event *e = w->shared.event;
    while (!wg_shared_event_wait(e, w->shared.number) && !is_given_up(w->dev))
        if (may_let_go(w->dev)) wg_work_let_go_of(w->dev, w);
    wg_shared_event_drop(e);
}

static void *run(void *work) {
    wait(work);
    wg_work_end(work);
    return NULL;
}

bool wg_shared_event_begin_wait(struct wg_work *w, bool failed) {
    pthread_t thread;
    if (!failed && !wg_shared_event_ended(w->shared.event, w->shared.number) &&
        wg_start_thread(&thread, run, w)) {
        pthread_detach(thread);
        return false;
    }
    if (!failed) { /* ended, or there is no thread to be had */
        wait(w);
        return true;
    }
    wg_shared_event_drop(w->shared.event);
    return true;
}
