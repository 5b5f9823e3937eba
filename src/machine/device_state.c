/* Device state queries: usable or failed, idle or busy, and its clock. Some are safe in signal handlers. */
#include "base/clock.h"
#include "check/finding.h"
#include "machine/module.h"
#include "machine/worker.h"
#include <string.h>

/* ---- forks: a child has the handles and none of the threads ---- */

static _Atomic uint32_t forks;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;
static void forked(void) { atomic_fetch_add(&forks, 1); }
static void watch_forks(void) { pthread_atfork(NULL, NULL, forked); }

void wg_device_note_forks(struct wg_device *dev) {
    pthread_once(&watch_once, watch_forks);
    dev->fork_count = atomic_load(&forks);
}

bool wg_device_is_here(const struct wg_device *dev) { return dev->fork_count == atomic_load(&forks); }

enum wg_status wg_device_not_here(void) {
    return wg_fail(WG_NOT_INITIALIZED,
                   "the device was opened before fork(); a child process has to open its own");
}

enum wg_status wg_device_usable(struct wg_device *dev) {
    if (!dev) return wg_fail(WG_INVALID_VALUE, "no device");
    if (!wg_device_is_here(dev)) return wg_device_not_here();
    enum wg_status status = atomic_load(&dev->status);
    if (status == WG_OK) return WG_OK;
    const struct wg_fault_record *r = atomic_load(&dev->fault);
    return wg_fail(status, "%s", r ? r->message : wg_status_text(status));
}

/* ---- what it was opened with ---- */

const struct wg_chip *wg_device_chip(const struct wg_device *dev) { return dev->chip; }

/* What counts, what is compared and what is no code of ours has none of strict.c's. */
uint32_t wg_checks(const struct wg_device *dev) {
    const struct wg_options *o = &dev->options;
    if (o->findings) return o->checks;
    return o->strict && !o->result && !o->verify && !o->compile ? 1u << WG_CHECK_memory : 0;
}

/* ---- how it is ---- */

enum wg_status wg_device_status(struct wg_device *dev) { return wg_device_usable(dev); }

/* Two threads that compile at once take the same time out twice: the clock then stands, and never runs back.
 */
uint64_t wg_device_now(struct wg_device *dev) {
    uint64_t since = atomic_load(&dev->compiling_since), latest = atomic_load(&dev->latest_ns);
    uint64_t now = (since ? since : wg_now_ns()) - atomic_load(&dev->compiled_ns);
    while (now > latest && !atomic_compare_exchange_weak(&dev->latest_ns, &latest, now)) {
    }
    return now > latest ? now : latest;
}

bool wg_device_idle(struct wg_device *dev, uint64_t *launches) {
    pthread_mutex_lock(dev->lock);
    bool idle = dev->running == NULL;
    *launches = dev->next_grid_id;
    pthread_mutex_unlock(dev->lock);
    pthread_mutex_lock(&dev->pool.lock);
    idle &= dev->pool.first == NULL;
    pthread_mutex_unlock(&dev->pool.lock);
    return idle;
}

void wg_device_interrupt(struct wg_device *dev) { atomic_store(&dev->interrupted, 1); }

bool wg_device_busy(struct wg_device *dev) {
    return atomic_load(&dev->value_waits) ||
           atomic_load(&dev->pool.idle) < *(volatile uint32_t *)&dev->pool.nstarted;
}

/* Of a lock that is held no handler can wait for. */
bool wg_device_doing(struct wg_device *dev, bool *compiling, char *name, size_t size) {
    const char *found = atomic_load(&dev->compiling);
    *compiling = found != NULL;
    if (!found && pthread_mutex_trylock(dev->lock) != 0) return false;
    if (!found && dev->running)
        found = dev->running->func->shown ? dev->running->func->shown : dev->running->func->ir->name;
    size_t n = found ? strnlen(found, size - 1) : 0;
    memcpy(name, found ? found : "", n);
    name[n] = 0;
    if (!*compiling) pthread_mutex_unlock(dev->lock);
    return n > 0;
}

const struct wg_fault_record *wg_device_fault(struct wg_device *dev) { return atomic_load(&dev->fault); }

void wg_device_fail(struct wg_device *dev, enum wg_status status, struct wg_fault_record *record) {
    uint32_t ok = WG_OK;
    struct wg_fault_record *none = NULL;
    /* The record first: who sees the status may ask for it. */
    bool first = record && atomic_compare_exchange_strong(&dev->fault, &none, record);
    if (record && !first) status = none->status;
    atomic_compare_exchange_strong(&dev->status, &ok, (uint32_t)status);
    if (first && dev->options.on_fault) dev->options.on_fault(dev->options.on_fault_user, record->message);
}
