/* Executable graphs: a copy of a graph whose nodes stand in the order in which they go into a stream. */
#include "driver/graph.h"
#include <stdlib.h>

struct CUgraphExec_st {
    uint64_t number; /* no other has it */
    CUgraph graph;
    unsigned long long flags;
    struct wg_branches *branches; /* NULL: none were needed yet */
    struct wg_conditions conditions;
    CUevent done; /* its latest launch; NULL: none, or its launches need not be one after the other */
};

/* ---- Making them -------------------------------------------------------------------------------- */

static bool is_ready(const struct CUgraphNode_st *n) {
    for (uint32_t i = 0; i < n->before.n; i++)
        if (!n->before.v[i]->seen) return false;
    return true;
}

static bool put_in_order(CUgraph g);
static bool put_inner_in_order(const struct wg_node_work *w) {
    CUgraph const *graphs;
    if (w->type == CU_GRAPH_NODE_TYPE_GRAPH) return put_in_order(w->child);
    unsigned n =
        w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL ? wg_conditional_graphs(w->conditional, &graphs) : 0;
    for (unsigned i = 0; i < n; i++)
        if (!put_in_order(graphs[i])) return false;
    return true;
}

/* Puts nodes behind those that come before them. False: the edges go in a circle. */
static bool put_in_order(CUgraph g) {
    uint32_t done = 0;
    for (uint32_t i = 0; i < g->nodes.n; i++) g->nodes.v[i]->seen = false;
    for (bool more = true; more && done < g->nodes.n;) {
        more = false;
        for (uint32_t i = done; i < g->nodes.n; i++) {
            CUgraphNode n = g->nodes.v[i];
            if (!is_ready(n)) continue;
            for (uint32_t k = i; k > done; k--)
                g->nodes.v[k] = g->nodes.v[k - 1]; /* the others stay in order */
            g->nodes.v[done++] = n;
            n->seen = more = true;
        }
    }
    for (uint32_t i = 0; i < g->nodes.n; i++)
        if (!put_inner_in_order(&g->nodes.v[i]->work)) return false;
    return done == g->nodes.n;
}

/* `why` is told where the graph itself is at fault. */
static CUresult instantiate(CUgraphExec *exec, CUgraph g, unsigned long long flags,
                            CUgraphInstantiateResult *why) {
    enum { KNOWN = 15 };
    if (!exec || !wg_handle_is(g, WG_H_GRAPH) || flags & ~(unsigned long long)KNOWN)
        return CUDA_ERROR_INVALID_VALUE;
    if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
        return wg_not_supported("a graph that kernels launch");
    if (g->body) return CUDA_ERROR_NOT_SUPPORTED;
    if (g->spoiled) return CUDA_ERROR_INVALID_VALUE;
    *why = CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED;
    if (!wg_conditions_used(g)) return CUDA_ERROR_INVALID_VALUE;
    static _Atomic uint64_t numbers;
    struct CUgraphExec_st made = {
        .number = atomic_fetch_add(&numbers, 1) + 1, .graph = wg_graph_copy(g, true), .flags = flags};
    bool in_order = put_in_order(made.graph);
    *why = in_order ? CUDA_GRAPH_INSTANTIATE_ERROR : CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
    CUresult r =
        in_order ? wg_conditions_take(made.graph, made.number, &made.conditions) : CUDA_ERROR_INVALID_VALUE;
    wg_graph_mark(made.graph, made.number);
    if (r) {
        wg_graph_free(made.graph);
        return r;
    }
    *why = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    *exec = wg_xcalloc(1, sizeof **exec);
    **exec = made;
    wg_handle_add(*exec, WG_H_GRAPH_EXEC);
    return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph g, unsigned long long flags) {
    CUgraphInstantiateResult why;
    return instantiate(exec, g, flags, &why);
}
CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph g, CUDA_GRAPH_INSTANTIATE_PARAMS *p) {
    if (!p) return CUDA_ERROR_INVALID_VALUE;
    p->hErrNode_out = NULL;
    p->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
    CUresult r = instantiate(exec, g, p->flags, &p->result_out);
    if (r || !(p->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD)) return r;
    r = cuGraphUpload(*exec, p->hUploadStream);
    if (!r) return r;
    cuGraphExecDestroy(*exec);
    p->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
    return r;
}
CUresult cuGraphExecDestroy(CUgraphExec exec) {
    if (!wg_handle_remove(exec, WG_H_GRAPH_EXEC)) return CUDA_ERROR_INVALID_VALUE;
    wg_branches_free(exec->branches);
    if (exec->done) cuEventDestroy(exec->done);
    wg_conditions_leave(&exec->conditions);
    wg_graph_free(exec->graph);
    free(exec);
    return CUDA_SUCCESS;
}
CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags) {
    if (!wg_handle_is(exec, WG_H_GRAPH_EXEC) || !flags) return CUDA_ERROR_INVALID_VALUE;
    *flags = exec->flags;
    return CUDA_SUCCESS;
}

/* ---- Launching ---------------------------------------------------------------------------------- */

CUresult wg_node_run(const struct wg_node_work *w, CUstream stream) {
    switch (w->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return wg_launch_again(w->kernel.function, &w->kernel.launch, stream);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return wg_copy_run(&w->copy, stream);
    case CU_GRAPH_NODE_TYPE_MEMSET: return wg_fill_again(&w->fill, stream);
    case CU_GRAPH_NODE_TYPE_HOST: return cuLaunchHostFunc(stream, w->host.fn, w->host.userData);
    case CU_GRAPH_NODE_TYPE_GRAPH: return wg_graph_run(w->child, stream);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return cuStreamWaitEvent(stream, w->event, 0);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return cuEventRecord(w->event, stream);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return wg_graph_memory_run(w);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: return wg_conditional_run(w->conditional, stream);
    default: return CUDA_SUCCESS; /* an empty node */
    }
}
CUresult wg_graph_run(CUgraph g, CUstream stream) {
    CUresult r = CUDA_SUCCESS;
    for (uint32_t i = 0; i < g->nodes.n && !r; i++)
        if (!g->nodes.v[i]->off) r = wg_node_run(&g->nodes.v[i]->work, stream);
    return r;
}

/* With conditional nodes: their values are the executable graph's, so a launch comes behind the one before it. */
static CUresult launch_conditional(CUgraphExec exec, CUstream stream, struct CUctx_st *ctx) {
    CUcontext was;
    CUevent done;
    CUresult r = exec->done ? cuStreamWaitEvent(stream, exec->done, 0) : CUDA_SUCCESS;
    if (!r) r = wg_conditions_begin(&exec->conditions, stream);
    if (!r) r = wg_branches_run(&exec->branches, exec->graph, stream);
    if (r || (r = cuCtxPushCurrent(ctx))) return r;
    if (!(r = cuEventCreate(&done, CU_EVENT_DISABLE_TIMING))) {
        if (exec->done) cuEventDestroy(exec->done);
        exec->done = done;
        r = cuEventRecord(done, stream);
    }
    cuCtxPopCurrent(&was);
    return r;
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    struct wg_call call = WG_CALL_BEGIN();
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (!r && !wg_handle_is(exec, WG_H_GRAPH_EXEC)) r = CUDA_ERROR_INVALID_VALUE;
    bool freed = !r && exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    if (!r && wg_captured(stream) && (exec->conditions.n || wg_graph_has_memory(exec->graph))) {
        r = CUDA_ERROR_NOT_SUPPORTED;
    } else if (!r && wg_captured(stream)) {
        struct wg_node_work w = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = wg_graph_copy(exec->graph, true)};
        r = wg_capture_add(stream, &w);
    } else if (!r && !(r = wg_graph_memory_ready(exec->graph, freed))) {
        r = exec->conditions.n ? launch_conditional(exec, stream, ctx)
                               : wg_branches_run(&exec->branches, exec->graph, stream);
        if (!r) r = wg_objects_launched(exec->graph, ctx, s);
    }
    wg_call_end(&call, "cuGraphLaunch", r);
    return r;
}
/* There is nothing to send ahead. */
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    return wg_handle_is(exec, WG_H_GRAPH_EXEC) ? wg_stream_of(stream, &ctx, &s) : CUDA_ERROR_INVALID_VALUE;
}

/* ---- Changing them ------------------------------------------------------------------------------ */

/* Also in the graphs of conditional nodes. */
static CUgraphNode find_in(CUgraph g, CUgraphNode of) {
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        CUgraphNode n = g->nodes.v[i], found = n->made_of == of ? n : NULL;
        CUgraph const *graphs;
        unsigned inner = n->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL
                             ? wg_conditional_graphs(n->work.conditional, &graphs)
                             : 0;
        for (unsigned k = 0; k < inner && !found; k++) found = find_in(graphs[k], of);
        if (found) return found;
    }
    return NULL;
}
static CUgraphNode find(CUgraphExec exec, CUgraphNode of) {
    return wg_handle_is(exec, WG_H_GRAPH_EXEC) ? find_in(exec->graph, of) : NULL;
}
CUresult wg_exec_set(CUgraphExec exec, CUgraphNode of, CUresult r, struct wg_node_work *w) {
    if (r) return r;
    CUgraphNode node = find(exec, of);
    bool fits = node && node->work.type == w->type;
    if (fits) {
        wg_attributes_keep(&node->work, w);
        wg_node_replace(&node->work, w);
        wg_node_mark(&node->work, exec->number);
    } else
        wg_node_replace(w, &(struct wg_node_work){.type = CU_GRAPH_NODE_TYPE_EMPTY});
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *p) {
    struct wg_node_work w;
    return wg_exec_set(exec, node, wg_kernel_work(p, &w), &w);
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *p,
                                        CUcontext context) {
    struct wg_node_work w;
    return wg_exec_set(exec, node, wg_copy_work(p, &w), &w);
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p,
                                        CUcontext context) {
    struct wg_node_work w;
    return wg_exec_set(exec, node, wg_fill_work(p, &w), &w);
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p) {
    struct wg_node_work w;
    return wg_exec_set(exec, node, wg_host_work(p, &w), &w);
}
static bool may_be_off(const struct CUgraphNode_st *n) {
    CUgraphNodeType type = n->work.type;
    return type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMSET ||
           type == CU_GRAPH_NODE_TYPE_MEMCPY;
}
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode of, unsigned int enabled) {
    CUgraphNode node = find(exec, of);
    if (!node || !may_be_off(node)) return CUDA_ERROR_INVALID_VALUE;
    node->off = !enabled;
    return CUDA_SUCCESS;
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode of, unsigned int *enabled) {
    CUgraphNode node = find(exec, of);
    if (!node || !enabled || !may_be_off(node)) return CUDA_ERROR_INVALID_VALUE;
    *enabled = !node->off;
    return CUDA_SUCCESS;
}

/* Do both have the same nodes in the same order, and the same edges? `where`: the first that differs. */
static CUgraphExecUpdateResult compare(const struct CUgraph_st *a, const struct CUgraph_st *b,
                                       CUgraphNode *where);
static CUgraphExecUpdateResult compare_conditionals(const struct wg_node_work *a,
                                                    const struct wg_node_work *b, CUgraphNode *where) {
    CUgraph const *x, *y;
    if (a->type != CU_GRAPH_NODE_TYPE_CONDITIONAL) return CU_GRAPH_EXEC_UPDATE_SUCCESS;
    if (!wg_conditionals_alike(a->conditional, b->conditional))
        return CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
    unsigned n = wg_conditional_graphs(a->conditional, &x);
    wg_conditional_graphs(b->conditional, &y);
    CUgraphExecUpdateResult r = CU_GRAPH_EXEC_UPDATE_SUCCESS;
    for (unsigned i = 0; i < n && !r; i++) r = compare(x[i], y[i], where);
    return r;
}
static CUgraphExecUpdateResult compare(const struct CUgraph_st *a, const struct CUgraph_st *b,
                                       CUgraphNode *where) {
    if (a->nodes.n != b->nodes.n) return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    for (uint32_t i = 0; i < a->nodes.n; i++) {
        const struct CUgraphNode_st *x = a->nodes.v[i], *y = b->nodes.v[i];
        *where = y->made_of;
        if (x->work.type != y->work.type) return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
        if (x->before.n != y->before.n) return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
        CUgraphExecUpdateResult inner = compare_conditionals(&x->work, &y->work, where);
        if (inner != CU_GRAPH_EXEC_UPDATE_SUCCESS) return inner;
        *where = y->made_of;
    }
    *where = NULL;
    return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}
/* Handles of the first graph's nodes go on working. */
static void keep_names(const struct CUgraph_st *now, const struct CUgraph_st *was) {
    for (uint32_t i = 0; i < now->nodes.n; i++) {
        CUgraph const *x, *y;
        now->nodes.v[i]->made_of = was->nodes.v[i]->made_of;
        if (now->nodes.v[i]->work.type != CU_GRAPH_NODE_TYPE_CONDITIONAL) continue;
        unsigned n = wg_conditional_graphs(now->nodes.v[i]->work.conditional, &x);
        wg_conditional_graphs(was->nodes.v[i]->work.conditional, &y);
        for (unsigned k = 0; k < n; k++) keep_names(x[k], y[k]);
    }
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph g, CUgraphExecUpdateResultInfo *info) {
    if (!wg_handle_is(exec, WG_H_GRAPH_EXEC) || !wg_handle_is(g, WG_H_GRAPH)) return CUDA_ERROR_INVALID_VALUE;
    CUgraph now = wg_graph_copy(g, true);
    CUgraphNode where = NULL;
    CUgraphExecUpdateResult result =
        put_in_order(now) ? compare(exec->graph, now, &where) : CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    if (info) *info = (CUgraphExecUpdateResultInfo){result, where, NULL};
    if (result != CU_GRAPH_EXEC_UPDATE_SUCCESS) {
        wg_graph_free(now);
        return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    }
    wg_conditions_leave(&exec->conditions);
    CUresult r = wg_conditions_take(now, exec->number, &exec->conditions);
    if (r) { /* another executable graph has them */
        wg_conditions_take(exec->graph, exec->number, &exec->conditions);
        wg_graph_free(now);
        return r;
    }
    keep_names(now, exec->graph);
    wg_graph_mark(now, exec->number);
    wg_graph_free(exec->graph);
    exec->graph = now;
    return CUDA_SUCCESS;
}
