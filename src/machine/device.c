/* Devices: opening and closing one with everything that belongs to it; and its limits. */
#include "machine/here.h"
#include "machine/watch/watch.h"
#include "base/thread.h"
#include "base/clock.h"
#include "machine/children.h"
#include "machine/conditions.h"
#include "machine/device.h"
#include "machine/module.h"
#include "machine/work.h"
#include "machine/worker.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <string.h>

enum {
    STACK_DEFAULT = 1024,
    PRINTF_DEFAULT = 1 << 20,
    HEAP_DEFAULT = 8 << 20,
    PENDING_DEFAULT = 2048,
};

/* ---- opening and closing ---- */

static enum wg_status no_address_space(bool shadows) {
    unsigned long long least = wg_memory_least(shadows) >> 20;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return wg_fail(WG_OUT_OF_MEMORY,
                       "no address space for the device's memory: it needs at least %llu MiB; each context "
                       "keeps its own until it is destroyed",
                       least);
    return wg_fail(
        WG_OUT_OF_MEMORY,
        "no address space for the device's memory: it needs at least %llu MiB besides the program's own, "
        "and the process may have %llu (ulimit -v)",
        least, (unsigned long long)limit.rlim_cur >> 20);
}

enum wg_status wg_device_open(const struct wg_options *options, struct wg_device **out, struct wg_diag *d) {
    const struct wg_chip *chip = wg_chip_find(options->arch);
    *out = NULL;
    if (!chip) {
        if (d)
            wg_diag_error(d, (struct wg_pos){0}, NULL, "'%s' is not an arch or chip that Warpglass models",
                          options->arch);
        return wg_fail(WG_INVALID_DEVICE, "'%s' is not an arch or chip that Warpglass models", options->arch);
    }
    struct wg_device *dev = wg_xcalloc(1, sizeof *dev);
    dev->options = *options;
    bool shadows = wg_checks(dev) & 1u << WG_CHECK_init;
    struct wg_memory_place place = {options->ordinal, options->ndevices};
    if (!wg_memory_open(&dev->memory, chip->memory_bytes, shadows, place)) {
        enum wg_status status = no_address_space(shadows);
        free(dev);
        if (d) wg_diag_error(d, (struct wg_pos){0}, NULL, "%s", wg_last_detail());
        return status;
    }
    dev->chip = chip;
    dev->ordinal = options->ordinal;
    wg_device_note_forks(dev);
    dev->limit_stack = STACK_DEFAULT;
    dev->limit_printf = PRINTF_DEFAULT;
    dev->limit_heap = HEAP_DEFAULT;
    dev->limit_pending = PENDING_DEFAULT;
    pthread_mutex_init(&dev->modules_lock, NULL);
    pthread_mutex_init(&dev->print_lock, NULL);
    pthread_mutex_init(&dev->heap_lock, NULL);
    pthread_cond_init(&dev->caller_wakes, NULL);
    pthread_cond_init(&dev->families_wake, NULL);
    pthread_cond_init(&dev->steps_wake, NULL);
    wg_fleet_join(dev, options->fleet);
    wg_pool_init(&dev->pool, dev, options->threads ? options->threads : wg_cpus(), wg_worker_main);
    dev->in_order = options->deterministic || options->schedule.kind || options->result ||
                    options->findings || options->verify;
    wg_check_open(dev);
    wg_host_memory_open(dev);
    wg_streams_open(dev);
    wg_trap_install();
    *out = dev;
    return WG_OK;
}

void wg_device_close(struct wg_device *dev) {
    if (!dev || !wg_device_is_here(dev))
        return; /* a forked child's copy: its threads are not there to be joined */
    if (atomic_load(&dev->status) != WG_OK) wg_device_interrupt(dev);
    wg_work_wait_all(dev, NULL);
    wg_work_wait_for_lent(dev);
    wg_print_flush(dev);
    wg_host_calls_close(dev);
    wg_steps_close(dev);
    wg_children_close(dev);
    wg_conditions_close(dev);
    wg_pool_close(&dev->pool);
    wg_here_close(dev);
    wg_events_close(dev);
    wg_streams_close(dev);
    wg_work_close(dev);
    wg_fleet_leave(dev);
    wg_grids_close(dev);
    wg_host_memory_close(dev);
    wg_check_close(dev);
    wg_modules_close(dev);
    wg_heap_close(dev);
    wg_strbuf_free(&dev->printed);
    wg_arena_free(&dev->fault_arena);
    wg_memory_close(&dev->memory);
    wg_fleet_drop(dev);
    pthread_mutex_destroy(&dev->modules_lock);
    pthread_mutex_destroy(&dev->print_lock);
    pthread_mutex_destroy(&dev->heap_lock);
    pthread_cond_destroy(&dev->caller_wakes);
    pthread_cond_destroy(&dev->families_wake);
    pthread_cond_destroy(&dev->steps_wake);
    free(dev);
}

/* ---- what is asked of all of it ---- */

enum wg_status wg_device_wait(struct wg_device *dev) {
    if (!wg_device_is_here(dev)) return wg_device_not_here();
    if (!wg_host_calls_are_here(dev)) wg_work_wait_all(dev, NULL);
    return wg_device_usable(dev);
}

enum wg_status wg_device_sync(struct wg_device *dev) {
    enum wg_status status = wg_device_wait(dev);
    if (wg_device_is_here(dev)) wg_print_flush(dev);
    return status;
}

static size_t *limit_of(struct wg_device *dev, enum wg_limit which) {
    switch (which) {
    case WG_LIMIT_STACK: return &dev->limit_stack;
    case WG_LIMIT_PRINTF_BUFFER: return &dev->limit_printf;
    case WG_LIMIT_MALLOC_HEAP: return &dev->limit_heap;
    case WG_LIMIT_PENDING_LAUNCHES: return &dev->limit_pending;
    }
    return NULL;
}

enum wg_status wg_limit_get(struct wg_device *dev, enum wg_limit which, size_t *out) {
    size_t *limit = limit_of(dev, which);
    if (!limit) return wg_fail(WG_UNSUPPORTED_LIMIT, "no such limit");
    pthread_mutex_lock(&dev->heap_lock);
    *out = *limit;
    pthread_mutex_unlock(&dev->heap_lock);
    return WG_OK;
}

/* As on an H200: 512 KB of local memory per thread, less what the driver keeps; smaller and larger buffers are
 * taken for the least and the largest. */
enum { MOST_STACK = 523712, LEAST_HEAP = 4 << 20, LEAST_PRINTF = 512 << 10 };
#define MOST_PRINTF (UINT64_C(2) << 30)

static size_t within_limits(enum wg_limit which, size_t value) {
    if (which == WG_LIMIT_MALLOC_HEAP && value < LEAST_HEAP) return LEAST_HEAP;
    if (which == WG_LIMIT_PRINTF_BUFFER && value < LEAST_PRINTF) return LEAST_PRINTF;
    return which == WG_LIMIT_PRINTF_BUFFER && value > MOST_PRINTF ? MOST_PRINTF : value;
}

enum wg_status wg_limit_set(struct wg_device *dev, enum wg_limit which, size_t value) {
    size_t *limit = limit_of(dev, which);
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    if (!limit) return wg_fail(WG_UNSUPPORTED_LIMIT, "no such limit");
    if (which == WG_LIMIT_STACK && value > MOST_STACK)
        return wg_fail(WG_INVALID_VALUE, "a stack of %zu bytes per thread; the maximum is %d", value,
                       MOST_STACK);
    wg_work_wait_all(dev, NULL);
    pthread_mutex_lock(&dev->heap_lock);
    if (which == WG_LIMIT_MALLOC_HEAP && dev->heap)
        status = wg_fail(WG_INVALID_VALUE, "the heap's size cannot change once a kernel has used malloc");
    else
        *limit = within_limits(which, value);
    pthread_mutex_unlock(&dev->heap_lock);
    return status;
}
