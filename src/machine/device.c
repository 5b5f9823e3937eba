/* Devices: opened, closed, failed; and the memory functions, which only look at handles before memory.c does
 * the work. */
#include "machine/watch/watch.h"
#include "base/thread.h"
#include "base/clock.h"
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
};

/* ---- forks: a child has the handles and none of the threads ---- */

static _Atomic uint32_t forks;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;
static void forked(void) { atomic_fetch_add(&forks, 1); }
static void watch_forks(void) { pthread_atfork(NULL, NULL, forked); }

static bool here(const struct wg_device *dev) { return dev->fork_count == atomic_load(&forks); }

static enum wg_status not_here(void) {
    return wg_fail(WG_NOT_INITIALIZED,
                   "the device was opened before fork(); a child process has to open its own");
}

enum wg_status wg_device_usable(struct wg_device *dev) {
    if (!dev) return wg_fail(WG_INVALID_VALUE, "no device");
    if (!here(dev)) return not_here();
    enum wg_status status = atomic_load(&dev->status);
    if (status == WG_OK) return WG_OK;
    const struct wg_fault_record *r = atomic_load(&dev->fault);
    return wg_fail(status, "%s", r ? r->message : wg_status_text(status));
}

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
    pthread_once(&watch_once, watch_forks);
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
    dev->fork_count = atomic_load(&forks);
    dev->limit_stack = STACK_DEFAULT;
    dev->limit_printf = PRINTF_DEFAULT;
    dev->limit_heap = HEAP_DEFAULT;
    pthread_mutex_init(&dev->modules_lock, NULL);
    pthread_mutex_init(&dev->print_lock, NULL);
    pthread_mutex_init(&dev->heap_lock, NULL);
    pthread_cond_init(&dev->caller_wakes, NULL);
    wg_fleet_join(dev, options->fleet);
    wg_pool_init(&dev->pool, dev, options->threads ? options->threads : wg_cpus());
    dev->in_order = options->deterministic || options->schedule.kind || options->result ||
                    options->findings || options->verify;
    wg_check_open(dev);
    wg_streams_open(dev);
    wg_trap_install();
    *out = dev;
    return WG_OK;
}

static void stop_caller(struct wg_device *dev) {
    pthread_mutex_lock(dev->lock);
    bool started = dev->caller_started;
    dev->caller_stopping = true;
    pthread_cond_signal(&dev->caller_wakes);
    pthread_mutex_unlock(dev->lock);
    if (started) pthread_join(dev->caller, NULL);
}

void wg_device_close(struct wg_device *dev) {
    if (!dev || !here(dev)) return; /* a forked child's copy: its threads are not there to be joined */
    if (atomic_load(&dev->status) != WG_OK) wg_device_interrupt(dev);
    wg_work_wait_all(dev, NULL);
    wg_fleet_wait_for_lent(dev);
    wg_print_flush(dev);
    stop_caller(dev);
    wg_pool_close(&dev->pool);
    wg_events_close(dev);
    wg_streams_close(dev);
    wg_work_close(dev);
    wg_fleet_leave(dev);
    wg_grids_close(dev);
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
    free(dev);
}

/* ---- state ---- */

const struct wg_chip *wg_device_chip(const struct wg_device *dev) { return dev->chip; }
const struct wg_options *wg_device_options(const struct wg_device *dev) { return &dev->options; }
uint32_t wg_device_threads(const struct wg_device *dev) { return dev->pool.nworkers; }

/* A function that a stream calls: the work to be waited for includes itself. It may end the process, which
 * waits on its way out. */
static bool is_called(struct wg_device *dev) {
    pthread_mutex_lock(dev->lock);
    bool called = dev->caller_started && pthread_equal(pthread_self(), dev->caller);
    pthread_mutex_unlock(dev->lock);
    return called;
}

enum wg_status wg_device_sync(struct wg_device *dev) {
    if (!here(dev)) return not_here();
    if (!is_called(dev)) wg_work_wait_all(dev, NULL);
    wg_print_flush(dev);
    return wg_device_usable(dev);
}

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

/* A lock that the thread itself may hold is not waited for: there is a next time. */
void wg_device_kick(struct wg_device *dev) {
    if (pthread_mutex_trylock(dev->lock) != 0) return;
    for (struct wg_grid *g = dev->running; g; g = g->next) wg_grid_stop(g, WG_STOP_INTERRUPT);
    pthread_mutex_unlock(dev->lock);
    uint32_t n = *(volatile uint32_t *)&dev->pool.nstarted;
    for (uint32_t i = 0; i < n; i++) wg_trap_kick(&dev->pool.workers[i]);
}

bool wg_device_busy(struct wg_device *dev) {
    return atomic_load(&dev->pool.idle) < *(volatile uint32_t *)&dev->pool.nstarted;
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

static size_t *limit_of(struct wg_device *dev, enum wg_limit which) {
    switch (which) {
    case WG_LIMIT_STACK: return &dev->limit_stack;
    case WG_LIMIT_PRINTF_BUFFER: return &dev->limit_printf;
    case WG_LIMIT_MALLOC_HEAP: return &dev->limit_heap;
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

enum wg_status wg_limit_set(struct wg_device *dev, enum wg_limit which, size_t value) {
    size_t *limit = limit_of(dev, which);
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    if (!limit) return wg_fail(WG_UNSUPPORTED_LIMIT, "no such limit");
    if (which == WG_LIMIT_STACK && value > 512 * 1024)
        return wg_fail(WG_INVALID_VALUE, "a stack of %zu bytes per thread; the maximum is 512 KB", value);
    wg_work_wait_all(dev, NULL);
    pthread_mutex_lock(&dev->heap_lock);
    if (which == WG_LIMIT_MALLOC_HEAP && dev->heap)
        status = wg_fail(WG_INVALID_VALUE, "the heap's size cannot change once a kernel has used malloc");
    else
        *limit = value;
    pthread_mutex_unlock(&dev->heap_lock);
    return status;
}

/* ---- memory ---- */

enum wg_status wg_mem_alloc_flags(struct wg_device *dev, enum wg_mem_kind kind, size_t size, uint32_t flags,
                                  void **out) {
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    if (kind != WG_MEM_DEVICE && kind != WG_MEM_PINNED && kind != WG_MEM_MANAGED)
        return wg_fail(WG_INVALID_VALUE, "no such kind of memory");
    status = wg_memory_alloc(&dev->memory, kind, size, flags, out);
    if (status == WG_OK) wg_check_stream_forget(dev, (uint64_t)*out, size);
    return status;
}

enum wg_status wg_mem_alloc(struct wg_device *dev, enum wg_mem_kind kind, size_t size, void **out) {
    return wg_mem_alloc_flags(dev, kind, size, 0, out);
}

enum wg_status wg_mem_free(struct wg_device *dev, enum wg_mem_kind kind, void *p) {
    if (!p) return wg_device_status(dev);
    if (!here(dev)) return not_here();
    wg_work_wait_all(dev, NULL);
    wg_fleet_wait_for_lent(dev);
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    uint32_t kinds = 1u << kind | (kind == WG_MEM_DEVICE ? 1u << WG_MEM_MANAGED : 0);
    return wg_memory_free(&dev->memory, kinds, p);
}

enum wg_status wg_mem_alloc_async(struct wg_stream *s, size_t size, void **out) {
    enum wg_status status = wg_stream_usable(s);
    return status == WG_OK ? wg_mem_alloc(s->dev, WG_MEM_DEVICE, size, out) : status;
}

enum wg_status wg_mem_free_async(struct wg_stream *s, void *p) {
    enum wg_status status = wg_stream_usable(s);
    struct wg_found f;
    if (status != WG_OK || !p) return status;
    if (!wg_fleet_find(s->dev, (uint64_t)p, &f) || f.span.base != (uint64_t)p ||
        (f.span.kind != WG_MEM_DEVICE && f.span.kind != WG_MEM_MANAGED))
        return wg_fail(WG_INVALID_VALUE, "%p is not the start of an allocation", p);
    struct wg_work *w = wg_work_new(s->dev, WG_WORK_FREE);
    w->memory = p;
    wg_work_put(s, w, NULL);
    wg_work_drop(w);
    return WG_OK;
}

enum wg_status wg_mem_register(struct wg_device *dev, void *host, size_t size, uint32_t flags) {
    enum wg_status status = wg_device_usable(dev);
    return status == WG_OK ? wg_memory_register(&dev->memory, WG_MEM_REGISTERED, host, size, flags) : status;
}

enum wg_status wg_mem_unregister(struct wg_device *dev, void *host) {
    if (!here(dev)) return not_here();
    wg_work_wait_all(dev, NULL);
    enum wg_status status = wg_device_usable(dev);
    return status == WG_OK ? wg_memory_unregister(&dev->memory, WG_MEM_REGISTERED, host) : status;
}

static struct wg_mem_info info_of(const struct wg_span *s) {
    return (struct wg_mem_info){s->kind, (void *)s->base, s->end - s->base, s->id, s->flags};
}

struct wg_mem_info wg_mem_query_owner(struct wg_device *dev, const void *p, struct wg_device **owner) {
    struct wg_found f;
    *owner = NULL;
    if (!here(dev) || !wg_fleet_find(dev, (uint64_t)p, &f)) return (struct wg_mem_info){0};
    *owner = f.dev;
    return info_of(&f.span);
}

struct wg_mem_info wg_mem_query(struct wg_device *dev, const void *p) {
    struct wg_device *owner;
    return wg_mem_query_owner(dev, p, &owner);
}

void wg_mem_made(struct wg_device *dev, const void *base, const char *by, uint64_t at) {
    wg_memory_note(&dev->memory, (uint64_t)base, &(struct wg_mem_origin){.made_by = by, .made_at = at});
}

void wg_mem_freeing(struct wg_device *dev, const void *base, uint64_t at) {
    wg_memory_note(&dev->memory, (uint64_t)base, &(struct wg_mem_origin){.freed_at = at});
}

struct each {
    void (*fn)(void *user, const struct wg_mem_info *info, const struct wg_mem_origin *o);
    void *user;
};

static void each_block(void *user, const struct wg_heap_block *least, uint64_t count) {
    const struct each *e = user;
    struct wg_mem_info info = {.kind = WG_MEM_HEAP, .base = (void *)least->base, .size = least->size};
    struct wg_mem_origin o = {.made_by = least->made_by};
    for (; count; count--) e->fn(e->user, &info, &o);
}

void wg_mem_each(struct wg_device *dev,
                 void (*fn)(void *user, const struct wg_mem_info *info, const struct wg_mem_origin *o),
                 void *user) {
    uint32_t n;
    struct wg_span *v = wg_memory_spans(&dev->memory, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct wg_mem_info info = info_of(&v[i]);
        bool own = v[i].kind == WG_MEM_DEVICE || v[i].kind == WG_MEM_PINNED || v[i].kind == WG_MEM_MANAGED;
        if (own) fn(user, &info, &v[i].origin);
    }
    free(v);
    struct each e = {fn, user};
    wg_heap_each_left(dev, each_block, &e);
}

bool wg_mem_around(struct wg_device *dev, const void *p, struct wg_mem_info *info, struct wg_mem_origin *o,
                   bool *freed) {
    struct wg_span s;
    *freed = wg_memory_freed(&dev->memory, (uint64_t)p, &s);
    if (!*freed && !wg_memory_find(&dev->memory, (uint64_t)p, &s)) return false;
    *info = info_of(&s);
    *o = s.origin;
    return true;
}

enum wg_status wg_mem_totals(struct wg_device *dev, size_t *free_bytes, size_t *total_bytes) {
    uint64_t left;
    enum wg_status status = wg_device_usable(dev);
    if (status != WG_OK) return status;
    wg_memory_totals(&dev->memory, &left);
    if (free_bytes) *free_bytes = left;
    if (total_bytes) *total_bytes = dev->chip->memory_bytes;
    return WG_OK;
}
