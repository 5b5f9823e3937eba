/* Launches of conditional nodes: see graph_conditional.h. */
#include "driver/graph_conditional.h"
#include <stdlib.h>

/* ---- What may be launched ------------------------------------------------------------------------ */

/* Memory of the device's, or page-locked: a copy of other memory reads it when the graph is launched. */
static bool is_reached(CUmemorytype type, const void *host, CUdeviceptr device) {
    unsigned kind;
    if (type == CU_MEMORYTYPE_ARRAY) return false;
    CUdeviceptr at = type == CU_MEMORYTYPE_HOST ? (CUdeviceptr)(uintptr_t)host : device;
    return cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at) == CUDA_SUCCESS;
}
static bool copy_may_be_within(const CUDA_MEMCPY3D *c) {
    return !c->WidthInBytes || (is_reached(c->srcMemoryType, c->srcHost, c->srcDevice) &&
                                is_reached(c->dstMemoryType, c->dstHost, c->dstDevice));
}

/* What the graphs of conditional nodes may have, as cuda.h and the programming guide say. */
static bool may_be_within(const struct CUgraph_st *g) {
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        const struct wg_node_work *w = &g->nodes.v[i]->work;
        switch (w->type) {
        case CU_GRAPH_NODE_TYPE_KERNEL:
        case CU_GRAPH_NODE_TYPE_MEMSET:
        case CU_GRAPH_NODE_TYPE_EMPTY:
        case CU_GRAPH_NODE_TYPE_CONDITIONAL: break;
        case CU_GRAPH_NODE_TYPE_MEMCPY:
            if (!copy_may_be_within(&w->copy)) return false;
            break;
        case CU_GRAPH_NODE_TYPE_GRAPH:
            if (!may_be_within(w->child)) return false;
            break;
        default: return false;
        }
    }
    return true;
}

static CUresult take(const struct CUgraph_st *g, uint64_t exec, struct wg_conditions *all) {
    CUresult r = CUDA_SUCCESS;
    for (uint32_t i = 0; i < g->nodes.n && !r; i++) {
        const struct wg_conditional *x = g->nodes.v[i]->work.conditional;
        if (g->nodes.v[i]->work.type != CU_GRAPH_NODE_TYPE_CONDITIONAL) continue;
        if (x->condition->taken) return CUDA_ERROR_NOT_SUPPORTED;
        x->condition->taken = true;
        wg_condition_give(x->condition->ctx->dev, x->condition->handle, exec);
        *WG_PUSH(all) = wg_condition_keep(x->condition);
        for (unsigned k = 0; k < x->n && !r; k++)
            r = may_be_within(x->graphs[k]) ? take(x->graphs[k], exec, all) : CUDA_ERROR_INVALID_VALUE;
    }
    return r;
}
CUresult wg_conditions_take(const struct CUgraph_st *g, uint64_t exec, struct wg_conditions *all) {
    CUresult r = take(g, exec, all);
    if (r) wg_conditions_leave(all);
    return r;
}
/* Launches that have not ended set them still. */
void wg_conditions_leave(struct wg_conditions *all) {
    for (uint32_t i = 0; i < all->n; i++) all->v[i]->taken = false;
    wg_conditions_free(all);
}

/* Its kernels may set its conditions. */
void wg_graph_mark(const struct CUgraph_st *g, uint64_t exec) {
    for (uint32_t i = 0; i < g->nodes.n; i++) wg_node_mark(&g->nodes.v[i]->work, exec);
}
void wg_node_mark(struct wg_node_work *w, uint64_t exec) {
    if (w->type == CU_GRAPH_NODE_TYPE_KERNEL) w->kernel.launch.graph = exec;
    if (w->type == CU_GRAPH_NODE_TYPE_GRAPH) wg_graph_mark(w->child, exec);
    unsigned n = w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL ? w->conditional->n : 0;
    for (unsigned i = 0; i < n; i++) wg_graph_mark(w->conditional->graphs[i], exec);
}

/* ---- A launch ------------------------------------------------------------------------------------ */

/* One node's, in one launch. */
struct run {
    struct wg_conditional *x; /* its own copy */
    struct CUstream_st stream;
    struct wg_branches *branches;
    CUgraph graph; /* that is being launched; NULL: the value is asked for next */
    uint32_t at;   /* its next node */
    bool last;
};

static CUgraph choose(const struct wg_conditional *x) {
    unsigned value = wg_condition(x->condition->ctx->dev, x->condition->handle);
    switch (x->type) {
    case CU_GRAPH_COND_TYPE_IF: return value ? x->graphs[0] : x->n == 2 ? x->graphs[1] : NULL;
    case CU_GRAPH_COND_TYPE_WHILE: return value ? x->graphs[0] : NULL;
    case CU_GRAPH_COND_TYPE_SWITCH: return value < x->n ? x->graphs[value] : NULL;
    default: return NULL;
    }
}

/* Up to the next node that has steps of its own: what comes behind it is put when they have ended. */
static CUresult put_some(struct run *run) {
    CUgraph g = run->graph;
    CUresult r = CUDA_SUCCESS;
    bool waits = false;
    if (!run->at && !wg_graph_has_conditional(g)) {
        run->at = g->nodes.n;
        return wg_branches_run(&run->branches, g, &run->stream);
    }
    while (run->at < g->nodes.n && !waits && !r) {
        const struct CUgraphNode_st *n = g->nodes.v[run->at++];
        waits = n->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
        if (!n->off) r = wg_node_run(&n->work, &run->stream);
    }
    return r;
}

static bool step(void *user, struct wg_stream *inner, enum wg_status *status) {
    struct run *run = user;
    struct CUctx_st *ctx = run->x->condition->ctx;
    CUcontext was;
    if (!run->graph) run->graph = run->last ? NULL : choose(run->x);
    if (!run->graph) return false;
    if (!run->stream.s) {
        run->stream.s = inner;
        wg_handle_add(&run->stream, WG_H_STREAM);
    }
    cuCtxPushCurrent(ctx);
    *status = (enum wg_status)put_some(run);
    cuCtxPopCurrent(&was);
    if (run->at == run->graph->nodes.n) {
        run->graph = NULL;
        run->at = 0;
        run->last = run->x->type != CU_GRAPH_COND_TYPE_WHILE;
    }
    return true;
}

static void over(void *user) {
    struct run *run = user;
    wg_branches_free(run->branches);
    if (run->stream.s) wg_handle_remove(&run->stream, WG_H_STREAM);
    free(run->stream.tail.v);
    wg_conditional_free(run->x);
    free(run);
}

CUresult wg_conditional_run(const struct wg_conditional *x, CUstream stream) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (ctx->device != x->condition->ctx->device)
        return wg_not_supported("a conditional node in a stream of another device than its handle's");
    struct run *run = wg_xcalloc(1, sizeof *run);
    run->x = wg_conditional_copy(x);
    run->stream.ctx = ctx;
    return wg_done(ctx, wg_stream_steps(s, &(struct wg_steps){step, over, run}));
}

/* ---- What the values begin with ------------------------------------------------------------------ */

static bool assign(void *user, struct wg_stream *inner, enum wg_status *status) {
    const struct wg_conditions *all = user;
    for (uint32_t i = 0; i < all->n; i++)
        if (all->v[i]->assigned) wg_condition_set(all->v[i]->ctx->dev, all->v[i]->handle, all->v[i]->value);
    return false;
}
static void assigned(void *user) {
    wg_conditions_free(user);
    free(user);
}

CUresult wg_conditions_begin(const struct wg_conditions *all, CUstream stream) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r || !all->n) return r;
    struct wg_conditions *own = wg_xcalloc(1, sizeof *own);
    for (uint32_t i = 0; i < all->n; i++) *WG_PUSH(own) = wg_condition_keep(all->v[i]);
    return wg_done(ctx, wg_stream_steps(s, &(struct wg_steps){assign, assigned, own}));
}
