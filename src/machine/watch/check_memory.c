/* The memory check of one lane's access: see check.h. A valid access returns the window around it, so that
 * the next accesses of the same instruction need no call. */
#include "machine/child_memory.h"
#include "machine/memory/reserved.h"
#include "machine/watch/check.h"
#include <string.h>
#include <sys/mman.h>

enum { NEAR_NULL = 65536 };

typedef const struct wg_check_access_at *access_at;

static const struct wg_cta *cta_of(access_at a) { return a->w->machine; }
static struct wg_grid *grid_of(access_at a) { return cta_of(a)->unit->grid; }
static const struct wg_ir_module *ir_of(access_at a) { return grid_of(a)->func->module->ir; }

static const struct wg_ir_sym *variable_of(access_at a, enum wg_sym_kind kind) {
    uint32_t v = a->site->variable;
    return v != WG_NO_REG && ir_of(a)->syms[v].kind == kind ? &ir_of(a)->syms[v] : NULL;
}

static bool writes(access_at a) { return a->site->instr->op != WG_OP_LD && a->site->instr->op != WG_OP_LDU; }

/* ---- verdicts ---- */

/* [base, base + size) holds the access, or not. `window`: whether the answer stands for all of it. */
static bool inside(access_at a, uint64_t base, uint64_t size, bool window, struct wg_check_verdict *out) {
    uint64_t offset = a->address - base;
    if (size < a->bytes || offset > size - a->bytes) return false;
    out->good = true;
    if (window) out->window = (struct wg_check_window){.lo = base, .starts = size - a->bytes + 1};
    return true;
}

static void is_wrong(struct wg_check_verdict *out, enum wg_finding_kind kind) {
    out->good = false;
    out->kind = kind;
}

static void about(access_at a, struct wg_check_verdict *out, uint64_t base, uint64_t size, const char *what,
                  const char *name) {
    struct wg_finding_memory *m = &out->memory;
    m->has_allocation = true;
    m->base = base;
    m->size = size;
    m->what = what;
    m->name = name;
    m->offset = (int64_t)(m->address - base);
}

static const char *what_is(const struct wg_span *s) {
    static const char *const kinds[] = {
        [WG_MEM_DEVICE] = "device",   [WG_MEM_PINNED] = "host",   [WG_MEM_MANAGED] = "managed",
        [WG_MEM_REGISTERED] = "host", [WG_MEM_MODULE] = "module", [WG_MEM_HEAP] = "kernel heap",
        [WG_MEM_SCRATCH] = "scratch",
    };
    return kinds[s->kind];
}

static void about_span(access_at a, struct wg_check_verdict *out, const struct wg_span *s) {
    about(a, out, s->base, s->end - s->base, what_is(s), NULL);
    out->memory.made_by = s->origin.made_by;
    out->memory.made_at = s->origin.made_at;
    if (out->memory.freed) out->memory.freed_at = s->origin.freed_at;
}

/* ---- shared memory ---- */

static bool block_has_ended(access_at a, uint64_t rank) {
    const struct wg_cta *c = &cta_of(a)->unit->ctas[rank];
    return c != cta_of(a) && c->ndone == c->nwarps;
}

static bool any_has_ended(access_at a) {
    const struct wg_unit *u = cta_of(a)->unit;
    bool any = false;
    for (uint32_t k = 0; k < u->shape.nctas; k++) any |= block_has_ended(a, k);
    return any;
}

/* `offset`: from the cluster's shared memory. */
static void judge_shared(access_at a, int64_t offset, struct wg_check_verdict *out) {
    const struct wg_block *b = a->w->block;
    const struct wg_ir_sym *fixed = variable_of(a, WG_SYM_SHARED),
                           *dynamic = variable_of(a, WG_SYM_DYNSHARED);
    bool own = a->site->instr->space == WG_S_SHARED;
    int64_t rank = own ? b->cluster_ctarank : offset >= 0 ? offset / WG_SHARED_STRIDE : -1;
    int64_t place = offset - rank * WG_SHARED_STRIDE;
    uint64_t window = (uint64_t)b->cluster_shared + (uint64_t)rank * WG_SHARED_STRIDE;
    out->memory.space = own || rank == b->cluster_ctarank ? "shared" : "distributed shared";
    out->memory.address = (uint64_t)place;
    if (rank < 0 || rank >= b->cluster_nctarank) {
        is_wrong(out, WG_F_cluster_rank);
        return;
    }
    if (block_has_ended(a, (uint64_t)rank)) {
        is_wrong(out, WG_F_cluster_ended);
        return;
    }
    uint64_t base = 0, size = cta_of(a)->unit->shape.window_bytes;
    const char *name = NULL;
    if (fixed) base = fixed->offset, size = fixed->size, name = fixed->name;
    if (dynamic) base = b->static_shared, size = b->dynamic_shared, name = dynamic->name;
    if (inside(a, window + base, size, true, out)) {
        if (!own && b->cluster_nctarank > 1) /* generated code looks at the place in a block's memory */
            out->window = any_has_ended(a)
                              ? (struct wg_check_window){0}
                              : (struct wg_check_window){.lo = base, .starts = out->window.starts};
        return;
    }
    is_wrong(out, WG_F_shared_bounds);
    about(a, out, base, size, dynamic ? "dynamic shared" : "shared", name);
}

/* ---- local memory ---- */

/* While the kernel's own code runs, what lies behind its variables is of no function. */
static uint64_t local_bytes_of(access_at a) {
    const struct wg_grid *g = grid_of(a);
    bool own = a->site->func == g->func->index && a->site->instr->space == WG_S_GENERIC;
    bool told = g->dev->options.findings; /* a GPU does not mind */
    return own && told ? g->func->module->instrumented->module->funcs[a->site->func].local_bytes
                       : a->w->local_stride;
}

static void judge_local(access_at a, struct wg_check_verdict *out) {
    const struct wg_ir_sym *s = a->variable >= 0 ? variable_of(a, WG_SYM_LOCAL) : NULL;
    uint64_t frame = (uint64_t)a->w->local + a->lane * a->w->local_stride;
    uint64_t base = s ? (uint64_t)a->variable : 0, size = s ? s->size : local_bytes_of(a);
    if (inside(a, frame + base, size, false, out)) return;
    is_wrong(out, WG_F_local_bounds);
    uint64_t offset = a->address - frame;
    if (!s && offset >= size && offset + a->bytes <= a->w->local_stride) {
        out->memory.space = NULL; /* where that is says nothing */
        out->detail = "it is memory of a function that has returned: another one's variables may be there "
                      "by now";
        return;
    }
    out->memory.space = "local";
    out->memory.address = offset;
    about(a, out, base, size, "local", s ? s->name : NULL);
}

static bool is_local(access_at a) {
    const struct wg_unit *u = cta_of(a)->unit;
    uint64_t bytes = (uint64_t)u->shape.nctas * u->shape.nwarps * WG_LANES * u->shape.local_stride;
    return u->local && a->address - (uint64_t)u->local < bytes;
}

/* ---- global memory ---- */

/* The variable of a module's image that holds the address, or that it was made from. */
static const struct wg_ir_sym *module_variable(access_at a, const struct wg_module *m, uint64_t *at) {
    uint32_t v = a->site->variable;
    if (m == grid_of(a)->func->module && v != WG_NO_REG && m->ir->syms[v].kind == WG_SYM_GLOBAL) {
        *at = m->symbols[v];
        return &m->ir->syms[v];
    }
    for (uint32_t i = 0; i < m->ir->nsyms; i++) {
        const struct wg_ir_sym *s = &m->ir->syms[i];
        if (s->kind != WG_SYM_GLOBAL || a->address - m->symbols[i] >= s->size) continue;
        *at = m->symbols[i];
        return s;
    }
    return NULL;
}

static bool holds(const void *image, uint64_t bytes, uint64_t a) {
    return image && a - (uint64_t)image < bytes;
}

static void judge_module(access_at a, const struct wg_span *span, struct wg_check_verdict *out) {
    struct wg_device *dev = grid_of(a)->dev;
    const struct wg_ir_sym *s = NULL;
    uint64_t at = 0;
    pthread_mutex_lock(&dev->modules_lock);
    for (const struct wg_module *m = dev->modules; m && !s; m = m->next)
        if (holds(m->globals, m->ir->global_bytes, a->address) ||
            holds(m->consts, m->ir->const_bytes, a->address))
            s = module_variable(a, m, &at);
    pthread_mutex_unlock(&dev->modules_lock);
    bool constant = s && s->space == WG_S_CONST;
    if (s && !(constant && writes(a)) && inside(a, at, s->size, true, out)) return;
    is_wrong(out, constant && writes(a) ? WG_F_read_only : WG_F_out_of_bounds);
    if (constant) out->memory.space = "constant";
    if (s)
        about(a, out, at, s->size, "module", s->name);
    else
        about_span(a, out, span);
}

/* Through the name of a variable that is elsewhere. */
static bool leaves_variable(access_at a, struct wg_check_verdict *out) {
    const struct wg_ir_sym *s = variable_of(a, WG_SYM_GLOBAL);
    if (!s) return false;
    uint64_t at = grid_of(a)->func->module->symbols[a->site->variable];
    if (inside(a, at, s->size, false, out)) return false;
    is_wrong(out, WG_F_out_of_bounds);
    if (s->space == WG_S_CONST) out->memory.space = "constant";
    about(a, out, at, s->size, "module", s->name);
    return true;
}

static bool host_has(uint64_t a) {
    unsigned char present;
    return a >> 47 == 0 && mincore((void *)(a & ~(uint64_t)(WG_PAGE - 1)), 1, &present) == 0;
}

static void judge_params(access_at a, struct wg_check_verdict *out) {
    const struct wg_grid *g = grid_of(a);
    uint64_t size = g->func->ir->param_bytes;
    if (!writes(a) && inside(a, (uint64_t)g->params, size, true, out)) return;
    is_wrong(out, writes(a) ? WG_F_read_only : WG_F_out_of_bounds);
    out->memory.space = "parameter";
    about(a, out, (uint64_t)g->params, size, "kernel parameters", NULL);
}

/* Memory of another device, which is reached or not. */
static bool judge_other_device(access_at a, struct wg_check_verdict *out) {
    struct wg_device *dev = grid_of(a)->dev;
    struct wg_found f;
    if (!wg_fleet_find(dev, a->address, &f) || f.dev == dev || f.span.kind == WG_MEM_SCRATCH) return false;
    if (f.reached && inside(a, f.span.base, f.span.end - f.span.base, true, out)) return true;
    is_wrong(out, f.reached ? WG_F_out_of_bounds : WG_F_peer_memory);
    about_span(a, out, &f.span);
    out->memory.device = f.dev->ordinal + 1;
    return true;
}

static void judge_unknown(access_at a, struct wg_check_verdict *out) {
    struct wg_memory *m = &grid_of(a)->dev->memory;
    struct wg_span s;
    if (a->address < NEAR_NULL) {
        is_wrong(out, WG_F_null_pointer);
    } else if (!wg_memory_holds(m, a->address) && judge_other_device(a, out)) {
        return;
    } else if (!wg_memory_holds(m, a->address) && host_has(a->address)) {
        is_wrong(out, WG_F_host_memory);
    } else if (wg_memory_freed(m, a->address, &s)) {
        is_wrong(out, WG_F_use_after_free);
        out->memory.freed = true;
        about_span(a, out, &s);
    } else if (grid_of(a)->depth > 1 && wg_memory_find(m, a->address, &s) && s.kind == WG_MEM_SCRATCH) {
        is_wrong(out, WG_F_out_of_bounds);
        out->memory.space = "another thread's shared or local"; /* the parent's, most likely */
    } else {
        struct wg_reserved_at r;
        is_wrong(out, WG_F_out_of_bounds);
        if (wg_memory_reserved(m, a->address, &r))
            about(a, out, r.base, r.size, r.mapped ? "mapped but inaccessible" : "reserved but unmapped",
                  NULL);
        else if (wg_memory_nearest(m, a->address, &s))
            about_span(a, out, &s);
    }
}

/* A block of the kernels' heap. None is told as a window: it may be freed while others run. */
static void judge_heap(access_at a, struct wg_check_verdict *out) {
    struct wg_heap_block b;
    if (!wg_heap_find(grid_of(a)->dev, a->address, &b)) {
        is_wrong(out, WG_F_out_of_bounds);
        return;
    }
    bool in = inside(a, b.base, b.size, false, out);
    if (in && !b.freed) return;
    is_wrong(out, in ? WG_F_use_after_free : WG_F_out_of_bounds);
    about(a, out, b.base, b.size, "kernel heap", NULL);
    out->memory.freed = b.freed;
    out->memory.made_by = b.made_by;
}

/* What %envreg1 and %envreg2 point at: nvcc's headers keep the barrier of the grid there. */
static bool is_in_workspace(access_at a, struct wg_check_verdict *out) {
    return inside(a, (uint64_t)grid_of(a)->params + WG_PARAM_BYTES, WG_WORKSPACE_BYTES, true, out);
}

/* By cuMemSetAccess or cudaHostRegister. */
static bool is_read_only(const struct wg_span *s) {
    return s->read_only || (s->kind == WG_MEM_REGISTERED && s->flags & WG_REGISTERED_READ_ONLY);
}

/* The parameters of a kernel that the thread is about to launch. */
static bool is_for_child(access_at a, struct wg_check_verdict *out) {
    uint64_t base, bytes = wg_child_memory_range(grid_of(a)->dev, &base);
    return bytes && inside(a, base, bytes, true, out);
}

static void judge_global(access_at a, struct wg_check_verdict *out) {
    struct wg_span s;
    if (leaves_variable(a, out)) return;
    if (is_in_workspace(a, out) || is_for_child(a, out)) return;
    if (!wg_memory_find(&grid_of(a)->dev->memory, a->address, &s) || s.kind == WG_MEM_SCRATCH) {
        judge_unknown(a, out);
    } else if (s.kind == WG_MEM_MODULE) {
        judge_module(a, &s, out);
    } else if (s.kind == WG_MEM_HEAP) {
        judge_heap(a, out);
    } else if (!inside(a, s.base, s.end - s.base, true, out)) {
        is_wrong(out, WG_F_out_of_bounds);
        about_span(a, out, &s);
    } else if (writes(a) && is_read_only(&s)) {
        is_wrong(out, WG_F_read_only);
        about_span(a, out, &s);
        out->memory.what = s.mapped ? "read-only device" : "read-only host";
    }
}

/* ---- any ---- */

static void judge_place(access_at a, struct wg_check_verdict *out) {
    const struct wg_block *b = a->w->block;
    int64_t shared = (int64_t)(a->address - (uint64_t)b->cluster_shared);
    bool in_cluster = (uint64_t)shared < (uint64_t)b->cluster_nctarank * WG_SHARED_STRIDE;
    uint8_t space = a->site->instr->space;
    /* The address of a shared variable, taken to a block that there is not. */
    bool beyond = (variable_of(a, WG_SYM_SHARED) || variable_of(a, WG_SYM_DYNSHARED)) && shared >= 0 &&
                  shared >> 32 == 0;
    if (space == WG_S_SHARED || space == WG_S_CLUSTER || (space == WG_S_GENERIC && (in_cluster || beyond)))
        judge_shared(a, shared, out);
    else if (space == WG_S_LOCAL || (space == WG_S_GENERIC && is_local(a)))
        judge_local(a, out);
    else if (space == WG_S_PARAM ||
             (space == WG_S_GENERIC && holds(grid_of(a)->params, WG_PARAM_BYTES, a->address)))
        judge_params(a, out);
    else
        judge_global(a, out);
}

void wg_check_judge(const struct wg_check_access_at *a, struct wg_check_verdict *out) {
    *out = (struct wg_check_verdict){.memory = {.space = "global", .address = a->address}};
    judge_place(a, out);
    struct wg_span s;
    if (!out->good || a->address % (a->align ? a->align : a->bytes) == 0) return;
    is_wrong(out, WG_F_misaligned);
    if (wg_fleet_find_reached(grid_of(a)->dev, a->address, &s) && s.kind != WG_MEM_SCRATCH)
        about_span(a, out, &s);
}

void wg_check_describe_global(struct wg_device *dev, const struct wg_module *module, uint64_t address,
                              struct wg_finding_memory *m) {
    struct wg_span s;
    m->space = "global";
    m->address = address;
    struct wg_found f;
    if (!wg_fleet_find(dev, address, &f)) return;
    s = f.span;
    bool of_device = s.kind != WG_MEM_MANAGED && s.kind != WG_MEM_PINNED && s.kind != WG_MEM_REGISTERED;
    if (f.dev != dev && of_device) m->device = f.dev->ordinal + 1;
    m->has_allocation = true;
    m->what = what_is(&s);
    m->made_by = s.origin.made_by;
    m->made_at = s.origin.made_at;
    m->base = s.base;
    m->size = s.end - s.base;
    for (uint32_t i = 0; module && i < module->ir->nsyms && s.kind == WG_MEM_MODULE; i++) {
        const struct wg_ir_sym *v = &module->ir->syms[i];
        if (v->kind != WG_SYM_GLOBAL || address - module->symbols[i] >= v->size) continue;
        m->name = v->name;
        m->base = module->symbols[i];
        m->size = v->size;
    }
    m->offset = (int64_t)(address - m->base);
}

/* No memory is large enough for this one, so it is reported with all that is known. */
void wg_check_describe(const struct wg_check_access_at *a, struct wg_finding_memory *out) {
    struct wg_check_access_at all = *a;
    struct wg_check_verdict v;
    all.bytes = UINT64_MAX;
    wg_check_judge(&all, &v);
    *out = v.memory;
}

/* ---- shared memory, by its instructions ---- */

/* The variable that one of the two addresses was made from. */
static const struct wg_ir_sym *variable_of_either(const struct wg_grid *g, uint32_t site, uint32_t other) {
    for (int i = 0; i < 2; i++) {
        uint32_t v = g->check->sites[i ? other : site].variable;
        if (v != WG_NO_REG) return &g->func->module->ir->syms[v];
    }
    return NULL;
}

void wg_check_describe_shared(const struct wg_grid *g, uint32_t site, uint32_t other, uint64_t offset,
                              bool of_cluster, struct wg_finding_memory *m) {
    const struct wg_ir_sym *s = variable_of_either(g, site, other);
    m->space = of_cluster ? "distributed shared" : "shared";
    m->address = offset;
    if (!s || (s->kind != WG_SYM_SHARED && s->kind != WG_SYM_DYNSHARED)) return;
    bool dynamic = s->kind == WG_SYM_DYNSHARED;
    m->has_allocation = true;
    m->what = dynamic ? "dynamic shared" : "shared";
    m->name = s->name;
    m->base = dynamic ? g->block.static_shared : s->offset;
    m->size = dynamic ? g->block.dynamic_shared : s->size;
    m->offset = (int64_t)(offset - m->base);
}
