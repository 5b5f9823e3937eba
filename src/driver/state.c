/* The process: options, contexts of its devices.
 *
 * cuInit reads the options from the environment (WARPGLASS_ARCH and the rest of machine/options.h). A context
 * opens a machine device; a primary one when it is first needed. A thread has a stack of contexts; its top
 * is current.
 *
 *     WARPGLASS_ARCH=sm_70 ./program     cuDeviceGetAttribute answers for a V100
 *     CUDA_VISIBLE_DEVICES= ./program    no device: programs take their path without a GPU (devices.c)
 */
#include "driver/devices.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int init_state; /* 0: cuInit not called; 1: called; then init_result holds */
static CUresult init_result;
static struct wg_options options;
static struct CUctx_st *contexts; /* all, the primary ones first */
static unsigned long long last_id;

/* Each thread's contexts, the current one last, in memory that is gone with the thread. */
struct stack {
    unsigned n, most;
    struct CUctx_st *v[];
};
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;
static pthread_key_t stack_key;

static void make_stack_key(void) { pthread_key_create(&stack_key, free); }
static struct stack *own_stack(void) {
    pthread_once(&stack_once, make_stack_key);
    return pthread_getspecific(stack_key);
}

static struct CUctx_st *top(void) {
    const struct stack *s = own_stack();
    return s && s->n ? s->v[s->n - 1] : NULL;
}

static void push(struct CUctx_st *ctx) {
    struct stack *s = own_stack();
    if (!s || s->n == s->most) {
        unsigned n = s ? s->n : 0, most = 2 * n + 4;
        s = wg_xrealloc(s, sizeof *s + most * sizeof *s->v);
        s->n = n;
        s->most = most;
        pthread_setspecific(stack_key, s);
    }
    s->v[s->n++] = ctx;
}

static void pop(void) {
    struct stack *s = own_stack();
    if (s && s->n) s->n--;
}

static _Thread_local bool called_by_stream;
void wg_called_by_stream(bool on) { called_by_stream = on; }

CUresult wg_initialized(void) {
    if (called_by_stream) return CUDA_ERROR_NOT_PERMITTED;
    if (!atomic_load_explicit(&init_state, memory_order_acquire)) return CUDA_ERROR_NOT_INITIALIZED;
    return init_result;
}

static void listen_for_exit(void);

static void tell_of_notice(const char *message) { wg_say("%.*s", (int)strlen(message) - 1, message); }

static CUresult initialize(void) {
    struct wg_diag d = {0};
    CUresult r = CUDA_SUCCESS;
    wg_options_init(&options);
    if (!wg_options_from_env(&options, &d)) {
        const char *what =
            d.text.n ? strstr(d.text.s, "error: ") : NULL; /* without the name of a text there is not */
        wg_say("%.*s", what ? (int)strcspn(what + 7, "\n") : 0, what ? what + 7 : "");
        r = CUDA_ERROR_NO_DEVICE;
    }
    wg_say_up_to(options.verbose);
    if (r == CUDA_SUCCESS && !wg_devices_find(&options)) r = CUDA_ERROR_NO_DEVICE;
    wg_diag_free(&d);
    if (r == CUDA_SUCCESS) {
        options.fleet = wg_fleet_new();
        for (unsigned i = wg_device_count(); i-- > 0;) {
            struct CUctx_st *c = &wg_known_device((CUdevice)i)->primary;
            c->next = contexts;
            c->id = i + 1;
            contexts = c;
        }
        last_id = wg_device_count();
        listen_for_exit();
        wg_profile_listen(&options);
        wg_check_listen(&options);
        wg_verify_listen(&options);
        wg_interrupt_listen(&options);
        options.on_notice = tell_of_notice;
    }
    return r;
}

CUresult cuInit(unsigned int flags) {
    if (flags) return CUDA_ERROR_INVALID_VALUE;
    if (atomic_load_explicit(&init_state, memory_order_acquire)) return wg_initialized();
    pthread_mutex_lock(&lock);
    if (!init_state) {
        init_result = initialize();
        atomic_store_explicit(&init_state, 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return init_result;
}

CUresult wg_check_device(CUdevice device) {
    CUresult r = wg_initialized();
    if (r) return r;
    return device >= 0 && (unsigned)device < wg_device_count() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

/* ---- Opening and closing ------------------------------------------------------------------------ */

static bool attribute(int *value, int which, int device) {
    return cuDeviceGetAttribute(value, (CUdevice_attribute)which, device) == CUDA_SUCCESS;
}

static CUresult open_device(struct CUctx_st *ctx) {
    struct wg_diag d = {0};
    struct wg_options own = options;
    own.attribute = attribute;
    if (wg_device_count() > 1) {
        snprintf(own.arch, sizeof own.arch, "%s", wg_chip_of(ctx->device)->name);
        own.ordinal = (uint32_t)ctx->device;
        own.ndevices = wg_device_count();
        for (unsigned i = 1; i < own.ndevices; i++) own.mixed |= wg_chip_of((CUdevice)i) != wg_chip_of(0);
    }
    enum wg_status s = wg_device_open(&own, &ctx->dev, &d);
    if (s != WG_OK) {
        static atomic_bool told;
        const char *detail = wg_last_detail();
        if (atomic_exchange(&told, true)) /* each call of the program's tries again */
            ;
        else if (detail[0])
            wg_say("%s", detail); /* of no text, so the diagnostic's place says nothing */
        else if (d.text.n)
            wg_say("%.*s", (int)d.text.n - 1, d.text.s);
        ctx->dev = NULL;
    } else {
        ctx->generation++;
        atomic_store(&ctx->fault_told, false);
        wg_interrupt_device(ctx->dev, true);
    }
    wg_diag_free(&d);
    return (CUresult)s;
}

static void tell_fault(struct CUctx_st *ctx) {
    const struct wg_fault_record *fault = ctx->dev ? wg_device_fault(ctx->dev) : NULL;
    if (fault) wg_done(ctx, fault->status);
}

/* Frees everything that is the context's. */
static void close_device(struct CUctx_st *ctx) {
    if (!ctx->dev) return;
    wg_device_sync(ctx->dev);
    tell_fault(ctx);
    while (wg_handle_end_one(ctx)) continue;
    wg_interrupt_device(ctx->dev, false);
    wg_device_close(ctx->dev);
    ctx->dev = NULL;
    ctx->default_pool = ctx->pool = NULL;
    ctx->cache = 0;
    memset(ctx->limits, 0, sizeof ctx->limits);
}

/* ---- The end of the process
 * -------------------------------------------------------------------------------- */

/* How long a process that ends waits for kernels that it never waited for itself. */
enum { LAST_WAIT_SECONDS = 5 };

struct last_wait {
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool over;
};
static void *stop_what_does_not_end(void *arg) {
    struct last_wait *w = arg;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LAST_WAIT_SECONDS;
    pthread_mutex_lock(&w->lock);
    int r = 0;
    while (!w->over && r == 0) r = pthread_cond_timedwait(&w->done, &w->lock, &until);
    bool over = w->over;
    pthread_mutex_unlock(&w->lock);
    if (!over)
        wg_say("kernels were still running %d seconds after the program ended, and are stopped",
               LAST_WAIT_SECONDS);
    for (struct CUctx_st *c = contexts; c && !over; c = c->next)
        if (c->dev) wg_device_interrupt(c->dev);
    return NULL;
}

/* Whether a kernel failed. */
static bool wait_for_kernels(void) {
    struct last_wait w = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    pthread_t watch;
    bool watched = pthread_create(&watch, NULL, stop_what_does_not_end, &w) == 0;
    bool fault = false;
    for (struct CUctx_st *c = contexts; c; c = c->next) {
        if (c->dev) wg_device_wait(c->dev);
        fault |= c->dev && wg_device_fault(c->dev);
        tell_fault(c);
    }
    if (!watched) return fault;
    pthread_mutex_lock(&w.lock);
    w.over = true;
    pthread_cond_signal(&w.done);
    pthread_mutex_unlock(&w.lock);
    pthread_join(watch, NULL);
    return fault;
}

void wg_at_exit(void) {
    bool fault = wait_for_kernels();
    for (struct CUctx_st *c = contexts; c; c = c->next)
        if (c->dev) wg_check_leaks(c->dev);
    wg_profile_finish(fault, 0);
    wg_check_finish(fault, 0);
    wg_verify_finish();
}

/* exit() destroys what a thread of its own has before it runs what atexit was given. So the main thread waits
 * as early as that: what the program does at its end comes behind its kernels. */
static void before_exit(void *unused) {
    (void)unused;
    wait_for_kernels();
}
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library);
extern void *__dso_handle __attribute__((visibility("hidden")));

/* CUDA prints nothing because the process ends. The library's destructor comes after all of the program's own,
 * which may still synchronise. */
__attribute__((destructor)) static void tell_of_unshown(void) {
    char first[80], other[80];
    uint64_t lines = 0;
    for (struct CUctx_st *c = contexts; c; c = c->next)
        if (c->dev) lines += wg_device_unshown(c->dev, lines ? other : first, sizeof first);
    if (lines)
        wg_say(
            "note: what kernels printed since the last synchronisation is not shown (%llu line%s, the first "
            "is \"%s\"), because the program ended without waiting for it. A GPU need not show it either; "
            "call "
            "cudaDeviceSynchronize() before the end",
            (unsigned long long)lines, lines == 1 ? "" : "s", first);
}

static void at_quick_end(void) {
    wg_at_exit();
    tell_of_unshown();
}

static void listen_for_exit(void) {
    atexit(wg_at_exit);
    at_quick_exit(at_quick_end);
    if (getpid() == gettid()) __cxa_thread_atexit_impl(before_exit, NULL, &__dso_handle);
}

static CUresult make_context(CUcontext *out, unsigned flags, CUdevice device) {
    struct CUctx_st *ctx = wg_xcalloc(1, sizeof *ctx);
    ctx->device = device;
    CUresult r = open_device(ctx);
    if (r) {
        free(ctx);
        return r;
    }
    ctx->flags = flags;
    pthread_mutex_lock(&lock);
    ctx->id = ++last_id;
    ctx->next = contexts;
    contexts = ctx;
    pthread_mutex_unlock(&lock);
    *out = ctx;
    return CUDA_SUCCESS;
}

bool wg_is_context(const struct CUctx_st *ctx) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (const struct CUctx_st *c = contexts; c && !found; c = c->next) found = c == ctx;
    pthread_mutex_unlock(&lock);
    return found;
}

struct CUctx_st *wg_context_of(const struct wg_device *dev) {
    struct CUctx_st *c = contexts;
    pthread_mutex_lock(&lock);
    while (c && c->dev != dev) c = c->next;
    pthread_mutex_unlock(&lock);
    return c;
}

struct CUctx_st *wg_owner_of(struct CUctx_st *ctx, const void *p) {
    struct wg_device *dev;
    wg_mem_query_owner(ctx->dev, p, &dev);
    struct CUctx_st *owner = dev && dev != ctx->dev ? wg_context_of(dev) : NULL;
    return owner ? owner : ctx;
}

static struct CUctx_st *primary_of(CUdevice device) { return &wg_known_device(device)->primary; }

/* Opens a primary context's device when nobody has yet. */
static CUresult open_primary(struct CUctx_st *primary) {
    pthread_mutex_lock(&lock);
    CUresult r = primary->dev ? CUDA_SUCCESS : open_device(primary);
    pthread_mutex_unlock(&lock);
    return r;
}

CUresult wg_current(struct CUctx_st **out) {
    CUresult r = wg_initialized();
    if (r) return r;
    struct CUctx_st *ctx = top();
    if (!ctx) return CUDA_ERROR_INVALID_CONTEXT;
    if (!ctx->dev) return CUDA_ERROR_CONTEXT_IS_DESTROYED; /* or the primary one after its reset */
    *out = ctx;
    return CUDA_SUCCESS;
}

static void set_current(struct CUctx_st *ctx) {
    pop();
    push(ctx);
}

CUresult wg_context_on(CUdevice device, struct CUctx_st **out) {
    CUresult r = wg_check_device(device);
    if (r || (wg_current(out) == CUDA_SUCCESS && (*out)->device == device)) return r;
    *out = primary_of(device);
    return open_primary(*out);
}

CUdevice wg_chosen_device(void) {
    const struct CUctx_st *ctx = top();
    return ctx ? ctx->device : 0;
}

CUresult wg_hold_primary(CUdevice device) {
    CUcontext ctx;
    CUresult r = cuInit(0) ?: wg_check_device(device);
    if (r) return r;
    bool held = atomic_exchange(&wg_known_device(device)->held, true);
    return held ? open_primary(primary_of(device)) : cuDevicePrimaryCtxRetain(&ctx, device);
}

CUresult wg_use_primary(void) {
    CUresult r = cuInit(0);
    if (r) return r;
    struct CUctx_st *ctx = top();
    if (ctx && (ctx->dev || !ctx->primary)) return CUDA_SUCCESS;
    CUdevice device = wg_chosen_device();
    r = wg_hold_primary(device);
    if (!r && !ctx) set_current(primary_of(device));
    return r;
}

CUresult wg_choose_device(CUdevice device) {
    CUresult r = wg_hold_primary(device);
    if (!r) set_current(primary_of(device)); /* a context that the program made gives way */
    return r;
}

/* ---- The primary context ------------------------------------------------------------------------ */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    struct CUctx_st *primary = primary_of(device);
    if ((r = open_primary(primary))) return r;
    pthread_mutex_lock(&lock);
    primary->retained++;
    pthread_mutex_unlock(&lock);
    *context = primary;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    struct CUctx_st *primary = primary_of(device);
    pthread_mutex_lock(&lock);
    if (!primary->retained)
        r = CUDA_ERROR_INVALID_CONTEXT;
    else if (--primary->retained == 0)
        close_device(primary);
    pthread_mutex_unlock(&lock);
    return r;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    pthread_mutex_lock(&lock);
    close_device(primary_of(device));
    primary_of(device)->flags = 0;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

static bool flags_valid(unsigned flags) {
    unsigned sched = flags & CU_CTX_SCHED_MASK;
    return !(flags & ~(unsigned)CU_CTX_FLAGS_MASK) && (sched & (sched - 1)) == 0;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    if (!flags_valid(flags)) return CUDA_ERROR_INVALID_VALUE;
    primary_of(device)->flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
    *active = primary_of(device)->dev != NULL;
    *flags = primary_of(device)->flags;
    return CUDA_SUCCESS;
}

/* ---- Contexts ----------------------------------------------------------------------------------- */

CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *parameters, unsigned int flags, CUdevice device) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    if (!context || !flags_valid(flags)) return CUDA_ERROR_INVALID_VALUE;
    if (parameters && (parameters->numExecAffinityParams || parameters->cigParams))
        return wg_not_supported("cuCtxCreate with execution affinity or sharing with graphics");
    if ((r = make_context(context, flags, device))) return r;
    return cuCtxPushCurrent(*context);
}
CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device) {
    return cuCtxCreate(context, NULL, flags, device);
}
CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *affinity, int count, unsigned int flags,
                        CUdevice device) {
    if (affinity && count) return wg_not_supported("cuCtxCreate with execution affinity");
    return cuCtxCreate(context, NULL, flags, device);
}

CUresult cuCtxDestroy(CUcontext context) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    if (!wg_is_context(context) || context->primary) return CUDA_ERROR_INVALID_CONTEXT;
    if (!context->dev) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (top() == context) pop();
    pthread_mutex_lock(&lock);
    close_device(context);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}
CUresult cuCtxAttach(CUcontext *context, unsigned int flags) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!context || flags) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    ctx->attached++;
    pthread_mutex_unlock(&lock);
    *context = ctx;
    return CUDA_SUCCESS;
}
/* The last one to detach, who may be the one who made it, destroys it. A primary context is its device's. */
CUresult cuCtxDetach(CUcontext context) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_is_context(context) || top() != context) return CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    bool last = !context->attached && !context->primary;
    if (context->attached) context->attached--;
    pthread_mutex_unlock(&lock);
    return last ? cuCtxDestroy(context) : CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_is_context(context)) return CUDA_ERROR_INVALID_VALUE;
    push(context);
    return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext *context) {
    CUresult r = wg_initialized();
    if (r) return r;
    struct CUctx_st *was = top();
    if (!was) return CUDA_ERROR_INVALID_CONTEXT;
    pop();
    if (context) *context = was;
    return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (context && !wg_is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (context)
        set_current(context);
    else
        pop();
    return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext *context) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    *context = top();
    return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice *device) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    *device = ctx->device;
    return CUDA_SUCCESS;
}
CUresult cuCtxGetFlags(unsigned int *flags) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!flags) return CUDA_ERROR_INVALID_VALUE;
    *flags = ctx->flags | CU_CTX_MAP_HOST; /* with one address space it always is */
    return CUDA_SUCCESS;
}
CUresult cuCtxSetFlags(unsigned int flags) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!flags_valid(flags)) return CUDA_ERROR_INVALID_VALUE;
    ctx->flags = flags;
    return CUDA_SUCCESS;
}

/* `context` NULL means the current one. */
static CUresult named_context(CUcontext context, struct CUctx_st **out) {
    if (!context) return wg_current(out);
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_is_context(context) || !context->dev) return CUDA_ERROR_INVALID_CONTEXT;
    *out = context;
    return CUDA_SUCCESS;
}
CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
    struct CUctx_st *ctx;
    CUresult r = named_context(context, &ctx);
    if (r) return r;
    if (!id) return CUDA_ERROR_INVALID_VALUE;
    *id = ctx->id;
    return CUDA_SUCCESS;
}
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version) {
    struct CUctx_st *ctx;
    CUresult r = named_context(context, &ctx);
    if (r) return r;
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    *version = 3020;
    return CUDA_SUCCESS;
}
