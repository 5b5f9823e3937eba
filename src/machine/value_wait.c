/* Streams that wait for a value in memory. The host program, a kernel or another stream writes it, and nothing tells of
 * that: each wait has a thread, which looks.
 */
#include "base/clock.h"
#include "base/thread.h"
#include "machine/memory/gate.h"
#include "machine/watch/watch.h"
#include "machine/work.h"
#include <time.h>

enum { LOOK_FIRST_NS = 2 * 1000, LOOK_NS = 100 * 1000 };

static uint64_t look(const struct wg_work *w) {
    return w->wanted.bytes == 8 ? __atomic_load_n((const uint64_t *)w->wanted.at, __ATOMIC_ACQUIRE)
                                : __atomic_load_n((const uint32_t *)w->wanted.at, __ATOMIC_ACQUIRE);
}

static bool is_there(const struct wg_work *w) {
    uint64_t now = look(w), value = w->wanted.value;
    bool wide = w->wanted.bytes == 8;
    switch ((enum wg_value_test)w->wanted.test) {
    case WG_VALUE_GEQ: return (wide ? (int64_t)(now - value) : (int32_t)(uint32_t)(now - value)) >= 0;
    case WG_VALUE_EQ: return now == value;
    case WG_VALUE_AND: return (now & value) != 0;
    case WG_VALUE_NOR: return (wide ? ~(now | value) : (uint32_t)~(now | value)) != 0;
    }
    return true;
}

/* The value may be what work of other streams writes. Runs that are compared have the memory to themselves. */
static void let_others_go(struct wg_work *w) {
    struct wg_device *dev = w->dev;
    if (dev->in_order && !dev->options.verify && !wg_device_has_orders(dev)) wg_work_let_go_of(dev, w);
}

/* The value did not come in time, or before the program was to end. */
static void give_up(const struct wg_work *w, bool late) {
    static const char *const tests[] = {"to be at least", "to be", "to have a bit of",
                                        "to lack a bit that is not in"};
    struct wg_device *dev = w->dev;
    struct wg_strbuf text = {0};
    unsigned long long value = w->wanted.value, now = look(w);
    wg_strbuf_printf(&text, "stopped: stream %llu waited ", (unsigned long long)w->stream->id);
    if (late)
        wg_strbuf_printf(&text, "longer than %g seconds (--timeout, WARPGLASS_TIMEOUT) ",
                         dev->options.timeout);
    wg_strbuf_printf(
        &text,
        "for the %u bytes at %p %s %llu (0x%llx), as cuStreamWaitValue%u or cuStreamBatchMemOp asked%s\n"
        "    they are %llu (0x%llx): nobody has written such a value\n",
        w->wanted.bytes, w->wanted.at, tests[w->wanted.test], value, value, w->wanted.bytes * 8u,
        late ? "" : ", and was interrupted", now, now);
    pthread_mutex_lock(&dev->modules_lock);
    struct wg_fault_record *r = WG_NEW(&dev->fault_arena, struct wg_fault_record);
    *r = (struct wg_fault_record){.status = WG_LAUNCH_TIMEOUT,
                                  .kind = WG_FAULT_TIMEOUT,
                                  .message = wg_arena_strdup(&dev->fault_arena, text.s)};
    pthread_mutex_unlock(&dev->modules_lock);
    wg_strbuf_free(&text);
    wg_device_fail(dev, r->status, r);
}

static void wait(struct wg_work *w) {
    struct wg_device *dev = w->dev;
    double timeout = dev->options.timeout;
    uint64_t end = timeout > 0 ? wg_now_ns() + (uint64_t)(timeout * 1e9) : UINT64_MAX;
    for (long ns = LOOK_FIRST_NS; !is_there(w); ns = ns * 2 < LOOK_NS ? ns * 2 : LOOK_NS) {
        if (atomic_load(&dev->status) != WG_OK) return;
        bool late = wg_now_ns() > end;
        if (late || atomic_load(&dev->interrupted)) {
            give_up(w, late);
            return;
        }
        let_others_go(w);
        nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
    }
    wg_check_value_seen(w->stream);
}

/* Memory of the device is not closed to the host meanwhile (memory/gate.h). */
static void *run(void *work) {
    struct wg_device *dev = ((struct wg_work *)work)->dev;
    wg_gate_enter();
    wait(work);
    atomic_fetch_sub(&dev->value_waits, 1);
    wg_work_end(work);
    wg_gate_leave();
    return NULL;
}

bool wg_value_begin_wait(struct wg_work *w, bool failed) {
    pthread_t thread;
    if (failed) return true;
    atomic_fetch_add(&w->dev->value_waits, 1);
    bool open = w->own; /* in a call of the program's; on another thread it may be closed */
    if (!(open && is_there(w)) && wg_start_thread(&thread, run, w)) {
        pthread_detach(thread);
        return false;
    }
    atomic_fetch_sub(&w->dev->value_waits, 1);
    wait(w); /* it is there, or there is no thread to be had */
    return true;
}
