/* The device runtime: see children.h. What a thread asks for is checked here as CUDA checks it (its errors, as an H200 with CUDA 13.0 gives
 * them), and listed. */
#include "base/lanes.h"
#include "machine/children.h"
#include "machine/conditions.h"
#include "machine/watch/watch.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>

/* A stream or an event: which of the two, its block's number, and its own in the block, from 1 on. */
enum { OF_STREAM = 1, OF_EVENT = 2, KIND_AT = 60, BLOCK_AT = 20, HANDLES_MOST = 1 << 14, NUMBER_AT = 5 };

/* ---- who asks ---- */

struct asker {
    struct wg_grid *g;
    struct wg_cta *cta;
    const struct wg_warp *warp;
    struct wg_children *children;
    uint64_t block;
    uint32_t thread, id;
};

static struct wg_children *children_of(struct wg_grid *g) {
    if (!g->children) {
        g->children = wg_xcalloc(1, sizeof *g->children);
        g->children->dev = g->dev;
        g->children->of = g->func;
        g->children->depth = g->depth;
    }
    return g->children;
}

/* What is counted by block: code that runs whole blocks goes from one to the next by itself. */
static struct wg_runtime_counts *counts_of(const struct asker *x) {
    struct wg_runtime_counts *c = &x->cta->runtime;
    uint64_t of = wg_runtime_counts_of(x->g, x->block);
    if (c->of != of) *c = (struct wg_runtime_counts){.of = of};
    return c;
}

static struct wg_child_error *error_of(const struct asker *x) {
    struct wg_children *c = x->children;
    for (uint32_t i = c->errors.n; i-- > 0;)
        if (c->errors.v[i].block == x->block && c->errors.v[i].thread == x->thread) return &c->errors.v[i];
    return NULL;
}

/* Gives what the function that is called gives its thread. */
static uint64_t fail(const struct asker *x, uint32_t error) {
    struct wg_child_error *e = error ? error_of(x) : NULL;
    if (e)
        e->error = error;
    else if (error)
        *WG_PUSH(&x->children->errors) = (struct wg_child_error){x->block, x->thread, error};
    return error;
}

static uint64_t refuse(const struct asker *x, uint32_t error, const struct wg_func *child, const char *why) {
    if (!x->g->dry) wg_check_child_refused(x->warp, x->thread % WG_LANES, x->id, child, why);
    return fail(x, error);
}

static uint64_t last_error(const struct asker *x, bool forget) {
    struct wg_child_error *e = error_of(x);
    if (!e) return 0;
    uint32_t error = e->error;
    if (forget) *e = x->children->errors.v[--x->children->errors.n];
    return error;
}

/* ---- streams and events ---- */

static uint64_t make(const struct asker *x, uint64_t kind, uint64_t flags, uint64_t needed) {
    struct wg_runtime_counts *c = counts_of(x);
    if ((flags & needed) != needed || flags >> 2 || c->handles >= HANDLES_MOST) {
        fail(x, c->handles < HANDLES_MOST ? WG_INVALID_VALUE : WG_OUT_OF_MEMORY);
        return 0;
    }
    return kind << KIND_AT | x->block << BLOCK_AT | (uint64_t)++c->handles << NUMBER_AT;
}

/* They belong to their block. */
static bool is_own(const struct asker *x, uint64_t kind, uint64_t handle) {
    uint64_t number = (handle & ((1 << BLOCK_AT) - 1)) >> NUMBER_AT;
    return handle >> KIND_AT == kind && (handle & ((1 << NUMBER_AT) - 1)) == 0 && number > 0 &&
           number <= counts_of(x)->handles &&
           (handle >> BLOCK_AT & ((UINT64_C(1) << (KIND_AT - BLOCK_AT)) - 1)) == x->block;
}
static bool is_stream(const struct asker *x, uint64_t s) {
    return s <= WG_RUNTIME_FORGET || is_own(x, OF_STREAM, s);
}

/* ---- work ---- */

static struct wg_child *new_child(const struct asker *x, enum wg_child_kind kind) {
    struct wg_child *k = WG_NEW(&x->children->arena, struct wg_child);
    k->kind = (uint8_t)kind;
    k->block = x->block;
    k->thread = x->thread;
    k->id = x->id;
    *WG_PUSH(&x->children->all) = k;
    return k;
}

static void list(const struct asker *x, struct wg_child *k, uint64_t stream) {
    k->asked = true;
    k->id = x->id;
    k->stream = stream < WG_RUNTIME_TAIL ? 0 : stream;
    k->order = ++counts_of(x)->asked;
    k->after_others = wg_check_race_heard_others(x->cta);
}

/* Of the thread's own, the one that is not complete yet. */
static struct wg_child *unasked(const struct asker *x, uint64_t memory) {
    for (uint32_t i = x->children->all.n; i-- > 0;) {
        struct wg_child *k = x->children->all.v[i];
        if (k->memory == memory && !k->asked && k->block == x->block && k->thread == x->thread) return k;
    }
    return NULL;
}

/* A kernel of the module by what its name stands for in PTX: wg_module.symbols. */
static struct wg_func *kernel_at(const struct asker *x, uint64_t address) {
    struct wg_module *m = x->g->func->module;
    for (uint32_t i = 0; i < m->nfuncs; i++)
        if ((uint64_t)m->funcs[i].index + 1 == address) return &m->funcs[i];
    return NULL;
}

static uint64_t take_launch(const struct asker *x, uint64_t kernel, uint64_t b, uint64_t c) {
    struct wg_func *f = kernel_at(x, kernel);
    /* On a GPU a parent's children run beside it and make room for others: an H200 refused none of 6,000 launches of a block with
     * a limit of 32. But all ancestors wait, and each of them but the first is a launch. */
    bool exceeded = x->children->depth > x->g->dev->limit_pending;
    uint32_t error = !f ? WG_RUNTIME_INVALID_KERNEL : exceeded ? WG_RUNTIME_PENDING_EXCEEDED : 0;
    uint64_t memory = error ? 0 : wg_child_memory_take(x->g->dev, f->ir->param_bytes);
    if (!memory) {
        refuse(x, error ? error : WG_OUT_OF_MEMORY, f,
               !f         ? "the module has no kernel at this address"
               : exceeded ? "kernels that launch each other are nested deeper than "
                            "cudaLimitDevRuntimePendingLaunchCount allows"
                          : "there is no memory for its parameters");
        return 0;
    }
    struct wg_child *k = new_child(x, WG_CHILD_LAUNCH);
    k->memory = memory;
    k->launch = (struct wg_launch){.func = f,
                                   .grid = {(uint32_t)b, (uint32_t)c, (uint32_t)(c >> 32)},
                                   .dynamic_shared = b >> 32,
                                   .params = (const void *)memory,
                                   .param_bytes = f->ir->param_bytes};
    return memory;
}

static uint64_t take_shape(const struct asker *x, uint64_t memory, uint64_t b, uint64_t c) {
    struct wg_child *k = unasked(x, memory);
    if (!memory || !k) return 0;
    k->launch.block[0] = (uint32_t)b;
    k->launch.block[1] = (uint32_t)(b >> 32);
    k->launch.block[2] = (uint32_t)c;
    enum wg_status status = x->g->launcher ? x->g->launcher->child(&k->launch) : WG_OK;
    if (status == WG_OK) return memory;
    wg_child_memory_give(x->g->dev, memory, k->launch.func->ir->param_bytes);
    k->memory = 0;
    refuse(x, (uint32_t)(status == WG_INVALID_VALUE ? WG_INVALID_CONFIGURATION : status), k->launch.func,
           *wg_last_detail() ? wg_last_detail() : wg_status_text(status));
    return 0;
}

/* A copy's or a fill's number stands for memory that it needs none of. */
static uint64_t number(const struct asker *x, struct wg_child *k) {
    k->memory = x->children->all.n;
    return k->memory;
}

static uint64_t take_copy(const struct asker *x, uint64_t to, uint64_t from, uint64_t bytes) {
    struct wg_child *k = new_child(x, WG_CHILD_COPY);
    k->copy = (struct wg_copy){
        .dst = (void *)to, .src = (const void *)from, .width = bytes, .height = 1, .depth = 1};
    return number(x, k);
}

static uint64_t take_fill(const struct asker *x, uint64_t to, uint64_t value, uint64_t bytes) {
    struct wg_child *k = new_child(x, WG_CHILD_FILL);
    k->fill = (struct wg_fill){(void *)to, bytes, bytes, 1, (uint32_t)(value & 0xff), 1, false};
    return number(x, k);
}

static uint64_t go(const struct asker *x, uint64_t memory, uint64_t stream) {
    struct wg_child *k = memory ? unasked(x, memory) : NULL;
    if (!k) return fail(x, WG_INVALID_VALUE);
    if (!is_stream(x, stream)) return fail(x, WG_INVALID_VALUE);
    list(x, k, stream);
    return 0;
}

static uint64_t order(const struct asker *x, enum wg_child_kind kind, uint64_t event, uint64_t stream) {
    if (!is_own(x, OF_EVENT, event) || !is_stream(x, stream) || stream == WG_RUNTIME_FORGET)
        return fail(x, WG_INVALID_HANDLE);
    struct wg_child *k = new_child(x, kind);
    k->event = event;
    list(x, k, stream);
    return 0;
}

/* ---- what is asked ---- */

static uint64_t attribute(const struct asker *x, uint64_t which, uint64_t device) {
    const struct wg_options *o = &x->g->dev->options;
    int value = 0;
    if (o->attribute && o->attribute(&value, (int)which, (int)device))
        return (uint32_t)value | UINT64_C(1) << 32;
    fail(x, WG_INVALID_VALUE);
    return 0;
}

static uint64_t occupancy(const struct asker *x, uint64_t kernel, uint64_t threads, uint64_t dynamic_shared) {
    struct wg_func *f = kernel_at(x, kernel);
    uint32_t blocks = 0;
    enum wg_status status = f ? wg_func_occupancy(f, (uint32_t)threads, dynamic_shared, &blocks) : WG_OK;
    if (f && status == WG_OK) return blocks | UINT64_C(1) << 32;
    fail(x, f ? (uint32_t)status : WG_RUNTIME_INVALID_KERNEL);
    return 0;
}

static uint64_t of_kernel(const struct asker *x, uint64_t kernel, uint64_t which) {
    struct wg_func *f = kernel_at(x, kernel);
    struct wg_func_info info;
    if (!f) {
        fail(x, WG_RUNTIME_INVALID_KERNEL);
        return 0;
    }
    wg_func_info(f, &info);
    const uint64_t all[] = {[WG_RUNTIME_SHARED] = info.shared_static,
                            [WG_RUNTIME_CONST] = info.const_bytes,
                            [WG_RUNTIME_LOCAL] = info.local_bytes,
                            [WG_RUNTIME_THREADS] = wg_func_max_threads(f),
                            [WG_RUNTIME_REGISTERS] = wg_func_registers(f).n,
                            [WG_RUNTIME_PTX] = info.ptx_version,
                            [WG_RUNTIME_BINARY] = x->g->dev->chip->limits->cc,
                            [WG_RUNTIME_DYNAMIC] = info.dynamic_shared_max};
    return which < sizeof all / sizeof *all ? all[which] | UINT64_C(1) << 63 : 0;
}

/* The value of a graph's conditional node. */
static uint64_t set_condition(const struct asker *x, uint64_t handle, uint32_t value) {
    struct wg_device *dev = x->g->dev;
    if (x->g->dry || wg_condition_set_by(dev, handle, value, x->g->graph)) return 0;
    char *kernel = wg_func_pretty(x->g->func);
    pthread_mutex_lock(&dev->modules_lock);
    struct wg_fault_record *r = WG_NEW(&dev->fault_arena, struct wg_fault_record);
    r->status = WG_ILLEGAL_ADDRESS;
    r->kernel = wg_arena_strdup(&dev->fault_arena, kernel);
    r->message = wg_arena_printf(&dev->fault_arena,
                                 "cudaGraphSetConditional in kernel %s: %#llx is not the handle of a "
                                 "conditional node of the graph that the "
                                 "kernel is launched by\n",
                                 kernel, (unsigned long long)handle);
    pthread_mutex_unlock(&dev->modules_lock);
    free(kernel);
    wg_device_fail(dev, r->status, r);
    return 0;
}

/* ---- the calls ---- */

static uint64_t end(const struct asker *x, uint64_t kind, uint64_t handle) {
    return is_own(x, kind, handle) ? 0 : fail(x, kind == OF_STREAM ? WG_INVALID_VALUE : WG_INVALID_HANDLE);
}

static uint64_t call(const struct asker *x, uint64_t what, uint64_t a, uint64_t b, uint64_t c) {
    switch ((enum wg_runtime_call)what) {
    case WG_RUNTIME_LAST_ERROR: return last_error(x, true);
    case WG_RUNTIME_PEEK_ERROR: return last_error(x, false);
    case WG_RUNTIME_ERROR: return fail(x, (uint32_t)a);
    case WG_RUNTIME_LAUNCH: return take_launch(x, a, b, c);
    case WG_RUNTIME_SHAPE: return take_shape(x, a, b, c);
    case WG_RUNTIME_COPY: return take_copy(x, a, b, c);
    case WG_RUNTIME_FILL: return take_fill(x, a, b, c);
    case WG_RUNTIME_GO: return go(x, a, b);
    case WG_RUNTIME_STREAM: return make(x, OF_STREAM, a, 0);
    case WG_RUNTIME_EVENT: return make(x, OF_EVENT, a, 2); /* cudaEventDisableTiming */
    case WG_RUNTIME_STREAM_END: return end(x, OF_STREAM, a);
    case WG_RUNTIME_EVENT_END: return end(x, OF_EVENT, a);
    case WG_RUNTIME_RECORD: return order(x, WG_CHILD_RECORD, a, b);
    case WG_RUNTIME_WAIT: return order(x, WG_CHILD_WAIT, b, a);
    case WG_RUNTIME_DEVICE: return x->g->dev->ordinal;
    case WG_RUNTIME_DEVICES: return x->g->dev->options.ndevices ? x->g->dev->options.ndevices : 1;
    case WG_RUNTIME_PENDING: return x->g->dev->limit_pending;
    case WG_RUNTIME_ATTRIBUTE: return attribute(x, a, b);
    case WG_RUNTIME_OCCUPANCY: return occupancy(x, a, b, c);
    case WG_RUNTIME_KERNEL: return of_kernel(x, a, b);
    case WG_RUNTIME_CONDITION: return set_condition(x, a, (uint32_t)b);
    case WG_RUNTIME_CALLS: break;
    }
    return fail(x, WG_NOT_SUPPORTED);
}

void wg_device_runtime(struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t *what,
                       const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *ret) {
    struct asker x = {.cta = w->machine, .warp = w, .block = wg_block_index(w->block), .id = id};
    x.g = x.cta->unit->grid;
    pthread_mutex_lock(&x.g->lock);
    x.children = children_of(x.g);
    WG_EACH_LANE(l, lanes) {
        x.thread = w->id * WG_LANES + l;
        ret[l] = call(&x, what[l], a[l], b[l], c[l]);
    }
    pthread_mutex_unlock(&x.g->lock);
}

void wg_children_free(struct wg_children *c) {
    if (!c) return;
    for (uint32_t i = 0; i < c->all.n; i++) {
        const struct wg_child *k = c->all.v[i];
        if (k->kind == WG_CHILD_LAUNCH && k->memory)
            wg_child_memory_give(c->dev, k->memory, k->launch.func->ir->param_bytes);
    }
    free(c->all.v);
    free(c->errors.v);
    wg_arena_free(&c->arena);
    free(c);
}
