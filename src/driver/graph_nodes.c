/* Nodes of any type, by one structure that says which: cuGraphAddNode and its like. */
#include "driver/graph.h"
#include <string.h>

/* ---- What it says -------------------------------------------------------------------------------- */

/* Its first members are those of the structure that has functions of its own. */
_Static_assert(offsetof(CUDA_MEMSET_NODE_PARAMS_v2, height) == offsetof(CUDA_MEMSET_NODE_PARAMS, height),
               "same layout");
_Static_assert(sizeof(CUgraphNodeParams) == 256, "as cuda.h has it");

static CUresult child_work(CUgraph g, const CUDA_CHILD_GRAPH_NODE_PARAMS *p, struct wg_node_work *w) {
    if (!wg_handle_is(p->graph, WG_H_GRAPH) || p->graph == g ||
        (unsigned)p->ownership > CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE)
        return CUDA_ERROR_INVALID_VALUE;
    bool moved = p->ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    if (moved && (p->graph->owned || p->graph->captured)) return CUDA_ERROR_INVALID_VALUE;
    if (moved && !g) return wg_not_supported("a child graph that is moved into an executable graph");
    if (wg_graph_has_conditional(p->graph)) return CUDA_ERROR_NOT_SUPPORTED;
    if (wg_graph_has_memory(p->graph))
        return moved ? wg_not_supported("a child graph whose nodes allocate or free, moved into its parent")
                     : CUDA_ERROR_NOT_SUPPORTED;
    if (moved) p->graph->owned = true;
    *w = (struct wg_node_work){.type = CU_GRAPH_NODE_TYPE_GRAPH,
                               .child = moved ? p->graph : wg_graph_copy(p->graph, true)};
    return CUDA_SUCCESS;
}

static CUresult event_work(CUevent event, CUgraphNodeType type, struct wg_node_work *w) {
    struct wg_event *e;
    *w = (struct wg_node_work){.type = type, .event = event};
    CUresult r = wg_event_of(event, &e);
    return r == CUDA_ERROR_INVALID_HANDLE ? CUDA_ERROR_INVALID_VALUE : r;
}

/* What is behind the type's own structure must be zeros. */
static bool is_clean(const CUgraphNodeParams *p) {
#define SIZE(TYPE, MEMBER) [CU_GRAPH_NODE_TYPE_##TYPE] = sizeof p->MEMBER
    static const uint8_t sizes[] = {SIZE(KERNEL, kernel),
                                    SIZE(MEMCPY, memcpy),
                                    SIZE(MEMSET, memset),
                                    SIZE(HOST, host),
                                    SIZE(GRAPH, graph),
                                    SIZE(WAIT_EVENT, eventWait),
                                    SIZE(EVENT_RECORD, eventRecord),
                                    SIZE(MEM_ALLOC, alloc),
                                    SIZE(MEM_FREE, free),
                                    SIZE(CONDITIONAL, conditional)};
#undef SIZE
    const unsigned char *bytes = (const void *)p->reserved1;
    size_t used = (unsigned)p->type < sizeof sizes ? sizes[p->type] : 0;
    bool known = used || p->type == CU_GRAPH_NODE_TYPE_EMPTY; /* of others we do not know how much is used */
    for (size_t i = used; known && i < sizeof p->reserved1; i++)
        if (bytes[i]) return false;
    return !p->reserved0[0] && !p->reserved0[1] && !p->reserved0[2] && !p->reserved2;
}

/* Edges that let a kernel begin early are those between kernels. */
static bool is_possible(const CUgraphEdgeData *e, const struct CUgraphNode_st *from, CUgraphNodeType to) {
    static const CUgraphEdgeData plain;
    bool kernels = from->work.type == CU_GRAPH_NODE_TYPE_KERNEL && to == CU_GRAPH_NODE_TYPE_KERNEL;
    if (!memcmp(e, &plain, sizeof plain)) return true;
    return kernels && e->type == 1 && (e->from_port == 1 || e->from_port == 2) && !e->to_port &&
           !memcmp(e->reserved, plain.reserved, sizeof plain.reserved);
}
static CUresult check_edges(CUgraph g, const CUgraphNode *before, const CUgraphEdgeData *edges, size_t n,
                            CUgraphNodeType to) {
    CUresult r = wg_nodes_of(g, before, n);
    for (size_t i = 0; i < n && !r; i++) {
        for (size_t k = 0; k < i; k++)
            if (before[k] == before[i]) r = CUDA_ERROR_INVALID_VALUE;
        if (edges && !is_possible(&edges[i], before[i], to)) r = CUDA_ERROR_INVALID_VALUE;
    }
    return r;
}

/* `g`: the graph that gets the node; NULL: it has it already. */
static CUresult work_of(CUgraph g, CUgraphNodeParams *p, struct wg_node_work *w) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!p || !is_clean(p)) return CUDA_ERROR_INVALID_VALUE;
    switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return wg_kernel_work(&p->kernel, w);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return wg_copy_work(&p->memcpy.copyParams, w);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return wg_fill_work((const CUDA_MEMSET_NODE_PARAMS *)(const void *)&p->memset, w);
    case CU_GRAPH_NODE_TYPE_HOST: return wg_host_work(&p->host, w);
    case CU_GRAPH_NODE_TYPE_GRAPH: return child_work(g, &p->graph, w);
    case CU_GRAPH_NODE_TYPE_EMPTY: *w = (struct wg_node_work){.type = p->type}; return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return event_work(p->eventWait.event, p->type, w);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return event_work(p->eventRecord.event, p->type, w);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return g ? wg_alloc_work(&p->alloc, w) : CUDA_ERROR_NOT_SUPPORTED;
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return g ? wg_free_work(p->free.dptr, w) : CUDA_ERROR_NOT_SUPPORTED;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return g ? wg_conditional_work(g, &p->conditional, w) : CUDA_ERROR_NOT_SUPPORTED;
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT: return wg_not_supported("a graph's node of external semaphores");
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: return wg_not_supported("a graph's node of memory operations");
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

/* ---- The calls ----------------------------------------------------------------------------------- */

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph g, const CUgraphNode *before, const CUgraphEdgeData *edges,
                        size_t n, CUgraphNodeParams *p) {
    struct wg_node_work w;
    if (!node || !p || !wg_handle_is(g, WG_H_GRAPH)) return CUDA_ERROR_INVALID_VALUE;
    CUresult r = check_edges(g, before, edges, n, p->type); /* when a node may begin early it need not */
    if (!r) r = work_of(g, p, &w);
    return r ? r : wg_graph_add_own(g, before, n, &w, node);
}
#undef cuGraphAddNode
WG_EXPORT CUresult cuGraphAddNode(CUgraphNode *node, CUgraph g, const CUgraphNode *before, size_t n,
                                  CUgraphNodeParams *p);
CUresult cuGraphAddNode(CUgraphNode *node, CUgraph g, const CUgraphNode *before, size_t n,
                        CUgraphNodeParams *p) {
    return cuGraphAddNode_v2(node, g, before, NULL, n, p);
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *p) {
    struct wg_node_work w;
    if (!p || !wg_handle_is(node, WG_H_GRAPH_NODE) || node->work.type != p->type)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->type == CU_GRAPH_NODE_TYPE_GRAPH) return CUDA_ERROR_NOT_SUPPORTED;
    return wg_node_set(node, p->type, work_of(NULL, p, &w), &w);
}
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *p) {
    struct wg_node_work w;
    if (!p) return CUDA_ERROR_INVALID_VALUE;
    return wg_exec_set(exec, node, work_of(NULL, p, &w), &w);
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
    struct wg_node_work w;
    CUDA_CHILD_GRAPH_NODE_PARAMS p = {child, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE};
    return wg_exec_set(exec, node, child_work(NULL, &p, &w), &w);
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    struct wg_node_work w;
    return wg_exec_set(exec, node, event_work(event, CU_GRAPH_NODE_TYPE_EVENT_RECORD, &w), &w);
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    struct wg_node_work w;
    return wg_exec_set(exec, node, event_work(event, CU_GRAPH_NODE_TYPE_WAIT_EVENT, &w), &w);
}
