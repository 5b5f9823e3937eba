/* Memory of graphs: nodes that allocate and free.
 *
 *     cuGraphAddMemAllocNode(&n, g, ..., &p)    p.dptr: an address, which is the node's for good
 *     cuGraphLaunch                             from the alloc node on p.dptr may be used, up to the free node, which the
 *                                               same graph may have, or another, or cuMemFree or cuMemFreeAsync
 *
 * The memory is there from the beginning: an alloc node notes that it is in use, and a free node that it is not. It
 * is given back when nothing has it any more: no graph, no executable one, and no program that has yet to free it.
 */
#include "driver/graph.h"
#include "driver/memory.h"
#include <stdlib.h>

struct wg_graph_memory {
    CUDA_MEM_ALLOC_NODE_PARAMS params;
    struct CUctx_st *ctx; /* NULL: it has ended, and the memory with it */
    bool in_use;
    bool ran;       /* a launch had it, and it was not trimmed since */
    uint32_t nodes; /* that allocate it: the program's, and those of executable graphs */
    struct wg_graph_memory *next;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct wg_graph_memory *all;
/* By device, in bytes: the most that was in use, and that there was. */
struct most {
    uint64_t used, reserved;
};
static WG_VEC(struct most) most;

/* Under the lock. */
static struct wg_graph_memory *find(CUdeviceptr p) {
    struct wg_graph_memory *m = all;
    while (m && m->params.dptr != p) m = m->next;
    return m;
}
static struct most count(CUdevice device) {
    struct most n = {0};
    for (const struct wg_graph_memory *m = all; m; m = m->next) {
        if (m->ctx->device != device) continue;
        n.reserved += m->params.bytesize;
        n.used += m->ran ? m->params.bytesize : 0;
    }
    return n;
}
static struct most *highest(CUdevice device) {
    while (most.n <= (uint32_t)device) *WG_PUSH(&most) = (struct most){0};
    struct most now = count(device), *m = &most.v[device];
    if (m->used < now.used) m->used = now.used;
    if (m->reserved < now.reserved) m->reserved = now.reserved;
    return m;
}

static void unlist(const struct wg_graph_memory *m) {
    struct wg_graph_memory **at = &all;
    while (*at && *at != m) at = &(*at)->next;
    if (*at) *at = m->next;
}

/* Nothing has it: out of the list. The caller frees it, without the lock. */
static struct wg_graph_memory *take_out(struct wg_graph_memory *m) {
    if (m->nodes || m->in_use) return NULL;
    unlist(m);
    return m;
}
static void give_back(struct wg_graph_memory *m) {
    if (m && m->ctx) {
        wg_handle_remove(m, WG_H_GRAPH_MEMORY);
        wg_mem_free(m->ctx->dev, WG_MEM_DEVICE, (void *)(uintptr_t)m->params.dptr);
    }
    free(m);
}

/* ---- What nodes have of it ----------------------------------------------------------------------- */

void wg_graph_memory_keep(struct wg_graph_memory *m) {
    pthread_mutex_lock(&lock);
    m->nodes++;
    pthread_mutex_unlock(&lock);
}
void wg_graph_memory_drop(struct wg_graph_memory *m) {
    pthread_mutex_lock(&lock);
    m->nodes--;
    struct wg_graph_memory *gone = take_out(m);
    pthread_mutex_unlock(&lock);
    give_back(gone);
}

CUresult wg_graph_memory_run(const struct wg_node_work *w) {
    CUresult r = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    bool frees = w->type == CU_GRAPH_NODE_TYPE_MEM_FREE;
    struct wg_graph_memory *m = frees ? find(w->freed) : w->memory;
    struct wg_graph_memory *gone = NULL;
    if (!m || !m->ctx || m->in_use != frees) {
        r = CUDA_ERROR_INVALID_VALUE;
    } else {
        m->in_use = !frees, m->ran = true;
        highest(m->ctx->device);
        gone = take_out(m);
    }
    pthread_mutex_unlock(&lock);
    give_back(gone);
    return r;
}

/* Whether a graph may be launched: not while what it allocates is in use, unless it is asked to free that. */
CUresult wg_graph_memory_ready(CUgraph g, bool frees) {
    CUresult r = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < g->nodes.n && !r; i++) {
        struct wg_node_work *w = &g->nodes.v[i]->work;
        if (w->type != CU_GRAPH_NODE_TYPE_MEM_ALLOC) continue;
        if (frees) w->memory->in_use = false;
        if (w->memory->in_use || !w->memory->ctx) r = CUDA_ERROR_INVALID_VALUE;
    }
    pthread_mutex_unlock(&lock);
    return r;
}

bool wg_graph_has_memory(const struct CUgraph_st *g) {
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        CUgraphNodeType type = g->nodes.v[i]->work.type;
        if (type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || type == CU_GRAPH_NODE_TYPE_MEM_FREE) return true;
    }
    return false;
}

bool wg_graph_frees(const struct CUgraph_st *g, CUdeviceptr p) {
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        const struct wg_node_work *w = &g->nodes.v[i]->work;
        if (w->type == CU_GRAPH_NODE_TYPE_MEM_FREE && w->freed == p) return true;
    }
    return false;
}

bool wg_graph_memory_free(CUdeviceptr p, CUresult *result) {
    pthread_mutex_lock(&lock);
    struct wg_graph_memory *m = all ? find(p) : NULL;
    *result = m && m->in_use ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (m) m->in_use = false;
    struct wg_graph_memory *gone = m ? take_out(m) : NULL;
    pthread_mutex_unlock(&lock);
    give_back(gone);
    return m != NULL;
}

/* ---- Making it ----------------------------------------------------------------------------------- */

/* The context ends, and what its memory was is another's from now on. */
static void end(void *memory) {
    struct wg_graph_memory *m = memory;
    pthread_mutex_lock(&lock);
    m->ctx = NULL;
    m->in_use = false;
    unlist(m);
    bool last = !m->nodes;
    pthread_mutex_unlock(&lock);
    if (last) free(m);
}

static CUresult make(struct CUctx_st *ctx, CUDA_MEM_ALLOC_NODE_PARAMS *p, struct wg_node_work *w) {
    void *memory;
    CUresult r = wg_done(ctx, wg_mem_alloc(ctx->dev, WG_MEM_DEVICE, p->bytesize, &memory));
    if (r) return r;
    wg_check_made(ctx->dev, memory);
    p->dptr = (CUdeviceptr)(uintptr_t)memory;
    struct wg_graph_memory *m = wg_xcalloc(1, sizeof *m);
    *m = (struct wg_graph_memory){.params = *p, .ctx = ctx, .nodes = 1};
    m->params.accessDescs = NULL; /* the program's memory */
    m->params.accessDescCount = 0;
    pthread_mutex_lock(&lock);
    m->next = all;
    all = m;
    highest(ctx->device);
    pthread_mutex_unlock(&lock);
    wg_handle_add_in(ctx, m, WG_H_GRAPH_MEMORY, end);
    *w = (struct wg_node_work){.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .memory = m};
    return CUDA_SUCCESS;
}

CUresult wg_alloc_work(CUDA_MEM_ALLOC_NODE_PARAMS *p, struct wg_node_work *w) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!p || !p->bytesize || p->poolProps.allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        p->poolProps.handleTypes || p->poolProps.location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->poolProps.location.id != ctx->device)
        return wg_not_supported("a graph's memory on another device than the current one");
    return make(ctx, p, w);
}
CUresult wg_free_work(CUdeviceptr p, struct wg_node_work *w) {
    pthread_mutex_lock(&lock);
    bool known = find(p) != NULL;
    pthread_mutex_unlock(&lock);
    *w = (struct wg_node_work){.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .freed = p};
    return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* cuMemAllocAsync and cuMemFreeAsync in a stream that is captured. */
CUresult wg_capture_alloc(struct CUctx_st *ctx, CUdeviceptr *p, size_t bytes, CUstream stream) {
    struct wg_node_work w;
    CUDA_MEM_ALLOC_NODE_PARAMS params = {
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = ctx->device}},
        .bytesize = bytes};
    CUresult r = make(ctx, &params, &w);
    if (!r) r = wg_capture_add(stream, &w);
    if (!r) *p = params.dptr;
    return r;
}
CUresult wg_capture_free(CUdeviceptr p, CUstream stream) {
    struct wg_node_work w;
    CUresult r = wg_free_work(p, &w);
    if (!r) r = wg_capture_add(stream, &w);
    if (r) wg_capture_fails(stream);
    return r;
}

/* ---- What is asked about it ---------------------------------------------------------------------- */

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *p) {
    if (!p || !wg_handle_is(node, WG_H_GRAPH_NODE) || node->work.type != CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        return CUDA_ERROR_INVALID_VALUE;
    *p = node->work.memory->params;
    return CUDA_SUCCESS;
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *p) {
    if (!p || !wg_handle_is(node, WG_H_GRAPH_NODE) || node->work.type != CU_GRAPH_NODE_TYPE_MEM_FREE)
        return CUDA_ERROR_INVALID_VALUE;
    *p = node->work.freed;
    return CUDA_SUCCESS;
}

/* What no graph has is given back at once; what one has stays, and is only counted no more. */
CUresult cuDeviceGraphMemTrim(CUdevice device) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    pthread_mutex_lock(&lock);
    for (struct wg_graph_memory *m = all; m; m = m->next)
        if (m->ctx->device == device && !m->in_use) m->ran = false;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value) {
    CUresult r = wg_check_device(device);
    if (r) return r;
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    struct most now = count(device), high = *highest(device);
    pthread_mutex_unlock(&lock);
    switch (attribute) {
    case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT: *(cuuint64_t *)value = now.used; return CUDA_SUCCESS;
    case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH: *(cuuint64_t *)value = high.used; return CUDA_SUCCESS;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT: *(cuuint64_t *)value = now.reserved; return CUDA_SUCCESS;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH: *(cuuint64_t *)value = high.reserved; return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}
/* High water marks can be set to 0: they begin again with what there is. */
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value) {
    CUresult r = wg_check_device(device);
    bool used = attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH;
    if (r) return r;
    if (!value || *(cuuint64_t *)value || (!used && attribute != CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    struct most now = count(device), *high = highest(device);
    *(used ? &high->used : &high->reserved) = used ? now.used : now.reserved;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}
