/* Graphs and their nodes: see graph.h. */
#include "driver/graph.h"
#include "driver/launch_arguments.h"
#include <stdlib.h>
#include <string.h>

/* ---- What nodes do ------------------------------------------------------------------------------ */

static void free_work(struct wg_node_work *w) {
    if (w->type == CU_GRAPH_NODE_TYPE_KERNEL) free((void *)w->kernel.launch.params);
    if (w->type == CU_GRAPH_NODE_TYPE_GRAPH) wg_graph_free(w->child);
    if (w->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) wg_graph_memory_drop(w->memory);
    if (w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) wg_conditional_free(w->conditional);
}

void wg_node_replace(struct wg_node_work *to, struct wg_node_work *from) {
    free_work(to);
    *to = *from;
}

CUresult wg_node_copy(const struct wg_node_work *from, struct wg_node_work *to) {
    *to = *from;
    if (from->type == CU_GRAPH_NODE_TYPE_KERNEL) {
        size_t n = from->kernel.launch.param_bytes;
        to->kernel.launch.params = memcpy(wg_xmalloc(n + 1), from->kernel.launch.params, n);
    }
    if (from->type == CU_GRAPH_NODE_TYPE_GRAPH) to->child = wg_graph_copy(from->child, true);
    if (from->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) wg_graph_memory_keep(from->memory);
    if (from->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        to->conditional = wg_conditional_copy(from->conditional);
    return CUDA_SUCCESS;
}

CUresult wg_kernel_work(const CUDA_KERNEL_NODE_PARAMS *p, struct wg_node_work *w) {
    if (!p) return CUDA_ERROR_INVALID_VALUE;
    struct wg_launch l = {.grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                          .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
                          .dynamic_shared = p->sharedMemBytes};
    struct wg_launch_arguments a = {p->kernelParams, p->extra};
    return wg_launch_keep(p->func ? p->func : (CUfunction)p->kern, &l, &a, w);
}
CUresult wg_copy_work(const CUDA_MEMCPY3D *p, struct wg_node_work *w) {
    if (!p) return CUDA_ERROR_INVALID_VALUE;
    *w = (struct wg_node_work){.type = CU_GRAPH_NODE_TYPE_MEMCPY, .copy = *p};
    return CUDA_SUCCESS;
}
CUresult wg_fill_work(const CUDA_MEMSET_NODE_PARAMS *p, struct wg_node_work *w) {
    if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
        return CUDA_ERROR_INVALID_VALUE;
    *w = (struct wg_node_work){.type = CU_GRAPH_NODE_TYPE_MEMSET, .fill = *p};
    return CUDA_SUCCESS;
}
CUresult wg_host_work(const CUDA_HOST_NODE_PARAMS *p, struct wg_node_work *w) {
    if (!p || !p->fn) return CUDA_ERROR_INVALID_VALUE;
    *w = (struct wg_node_work){.type = CU_GRAPH_NODE_TYPE_HOST, .host = *p};
    return CUDA_SUCCESS;
}

/* ---- Nodes -------------------------------------------------------------------------------------- */

CUresult wg_nodes_of(CUgraph g, const CUgraphNode *nodes, size_t n) {
    if (n && !nodes) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n; i++)
        if (!wg_handle_is(nodes[i], WG_H_GRAPH_NODE) || nodes[i]->graph != g) return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

static bool comes_before(const struct CUgraphNode_st *n, const struct CUgraphNode_st *before) {
    for (uint32_t i = 0; i < n->before.n; i++)
        if (n->before.v[i] == before) return true;
    return false;
}

static CUgraphNode make_node(CUgraph g, const struct wg_node_work *w) {
    CUgraphNode node = wg_xcalloc(1, sizeof *node);
    node->graph = g;
    node->work = *w;
    wg_handle_add(node, WG_H_GRAPH_NODE);
    *WG_PUSH(&g->nodes) = node;
    return node;
}

CUresult wg_graph_add(CUgraph g, const CUgraphNode *before, size_t n, const struct wg_node_work *w,
                      CUgraphNode *out) {
    CUresult r = wg_handle_is(g, WG_H_GRAPH) ? wg_nodes_of(g, before, n) : CUDA_ERROR_INVALID_VALUE;
    if (!r && w->type == CU_GRAPH_NODE_TYPE_MEM_FREE && wg_graph_frees(g, w->freed))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r) return r;
    CUgraphNode node = make_node(g, w);
    for (size_t i = 0; i < n; i++)
        if (!comes_before(node, before[i])) *WG_PUSH(&node->before) = before[i];
    if (out) *out = node;
    return CUDA_SUCCESS;
}

static void free_node(CUgraphNode n) {
    wg_handle_remove(n, WG_H_GRAPH_NODE);
    free_work(&n->work);
    free(n->arguments);
    free(n->before.v);
    free(n);
}

CUresult wg_graph_add_own(CUgraph g, const CUgraphNode *before, size_t n, struct wg_node_work *w,
                          CUgraphNode *out) {
    CUresult r = out ? wg_graph_add(g, before, n, w, out) : CUDA_ERROR_INVALID_VALUE;
    if (r) free_work(w);
    return r;
}
#define ADD(NAME, WORK, PARAMETERS)                                                                          \
    CUresult NAME(CUgraphNode *node, CUgraph g, const CUgraphNode *before, size_t n, PARAMETERS) {           \
        struct wg_node_work w;                                                                               \
        CUresult r = wg_initialized();                                                                       \
        if (!r) r = WORK;                                                                                    \
        return r ? r : wg_graph_add_own(g, before, n, &w, node);                                             \
    }
#define WITH_CONTEXT(TYPE) const TYPE *p, CUcontext context
ADD(cuGraphAddKernelNode, wg_kernel_work(p, &w), const CUDA_KERNEL_NODE_PARAMS *p)
ADD(cuGraphAddMemcpyNode, wg_copy_work(p, &w), WITH_CONTEXT(CUDA_MEMCPY3D))
ADD(cuGraphAddMemsetNode, wg_fill_work(p, &w), WITH_CONTEXT(CUDA_MEMSET_NODE_PARAMS))
ADD(cuGraphAddHostNode, wg_host_work(p, &w), const CUDA_HOST_NODE_PARAMS *p)
ADD(cuGraphAddMemAllocNode, wg_alloc_work(p, &w), CUDA_MEM_ALLOC_NODE_PARAMS *p)
ADD(cuGraphAddMemFreeNode, wg_free_work(p, &w), CUdeviceptr p)

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph g, const CUgraphNode *before, size_t n) {
    struct wg_node_work w = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    return wg_graph_add_own(g, before, n, &w, node);
}
CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph g, const CUgraphNode *before, size_t n,
                                  CUgraph child) {
    if (!wg_handle_is(child, WG_H_GRAPH) || child == g) return CUDA_ERROR_INVALID_VALUE;
    if (wg_graph_has_memory(child) || wg_graph_has_conditional(child)) return CUDA_ERROR_NOT_SUPPORTED;
    struct wg_node_work w = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = wg_graph_copy(child, true)};
    return wg_graph_add_own(g, before, n, &w, node);
}
static CUresult add_event(CUgraphNode *node, CUgraph g, const CUgraphNode *before, size_t n, CUevent event,
                          CUgraphNodeType type) {
    struct wg_event *e;
    struct wg_node_work w = {.type = type, .event = event};
    CUresult r = wg_event_of(event, &e);
    return r ? r : wg_graph_add_own(g, before, n, &w, node);
}
CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph g, const CUgraphNode *before, size_t n,
                                   CUevent event) {
    return add_event(node, g, before, n, event, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
}
CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph g, const CUgraphNode *before, size_t n,
                                 CUevent event) {
    return add_event(node, g, before, n, event, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
}

CUresult wg_node_set(CUgraphNode node, CUgraphNodeType type, CUresult r, struct wg_node_work *w) {
    if (r) return r;
    bool fits = wg_handle_is(node, WG_H_GRAPH_NODE) && node->work.type == type;
    if (fits) {
        wg_attributes_keep(&node->work, w);
        wg_node_replace(&node->work, w);
    } else
        free_work(w);
    return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p) {
    struct wg_node_work w;
    return wg_node_set(node, CU_GRAPH_NODE_TYPE_KERNEL, wg_kernel_work(p, &w), &w);
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *p) {
    struct wg_node_work w;
    return wg_node_set(node, CU_GRAPH_NODE_TYPE_MEMCPY, wg_copy_work(p, &w), &w);
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p) {
    struct wg_node_work w;
    return wg_node_set(node, CU_GRAPH_NODE_TYPE_MEMSET, wg_fill_work(p, &w), &w);
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p) {
    struct wg_node_work w;
    return wg_node_set(node, CU_GRAPH_NODE_TYPE_HOST, wg_host_work(p, &w), &w);
}

static void take_out(CUgraphNode node, const struct CUgraphNode_st *before) {
    for (uint32_t i = node->before.n; i-- > 0;)
        if (node->before.v[i] == before) node->before.v[i] = node->before.v[--node->before.n];
}
CUresult cuGraphDestroyNode(CUgraphNode node) {
    if (!wg_handle_is(node, WG_H_GRAPH_NODE) || node->graph->captured) return CUDA_ERROR_INVALID_VALUE;
    CUgraph g = node->graph;
    uint32_t kept = 0;
    if (wg_graph_has_memory(g)) return CUDA_ERROR_NOT_SUPPORTED; /* as no edge is taken out of such a graph */
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        take_out(g->nodes.v[i], node);
        if (g->nodes.v[i] != node) g->nodes.v[kept++] = g->nodes.v[i];
    }
    g->nodes.n = kept;
    free_node(node);
    return CUDA_SUCCESS;
}

/* ---- Edges -------------------------------------------------------------------------------------- */

static CUresult edges(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n, bool adds) {
    if (!wg_handle_is(g, WG_H_GRAPH)) return CUDA_ERROR_INVALID_VALUE;
    if (!adds && wg_graph_has_memory(g)) return CUDA_ERROR_NOT_SUPPORTED;
    CUresult r = wg_nodes_of(g, from, n);
    if (r || (r = wg_nodes_of(g, to, n))) return r;
    for (size_t i = 0; i < n; i++)
        if (from[i] == to[i] || comes_before(to[i], from[i]) == adds) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n; i++)
        if (adds)
            *WG_PUSH(&to[i]->before) = from[i];
        else
            take_out(to[i], from[i]);
    return CUDA_SUCCESS;
}
CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                const CUgraphEdgeData *data, size_t n) {
    return edges(g, from, to, n, true);
}
CUresult cuGraphRemoveDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t n) {
    return edges(g, from, to, n, false);
}

/* ---- Looking at graphs -------------------------------------------------------------------------- */

/* Lists are asked for twice: without room for their length, then with room for so many. */
struct list {
    CUgraphNode *out;
    size_t room, n;
};
static void put(struct list *l, CUgraphNode node) {
    if (l->out && l->n < l->room) l->out[l->n] = node;
    l->n++;
}
static CUresult end_list(struct list *l, size_t *n) {
    for (size_t i = l->n; l->out && i < l->room; i++) l->out[i] = NULL;
    *n = l->out && l->n > l->room ? l->room : l->n;
    return CUDA_SUCCESS;
}
static CUresult list_nodes(CUgraph g, CUgraphNode *nodes, size_t *n, bool roots) {
    if (!wg_handle_is(g, WG_H_GRAPH) || !n) return CUDA_ERROR_INVALID_VALUE;
    struct list l = {nodes, *n, 0};
    for (uint32_t i = 0; i < g->nodes.n; i++)
        if (!roots || !g->nodes.v[i]->before.n) put(&l, g->nodes.v[i]);
    return end_list(&l, n);
}
CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *nodes, size_t *n) { return list_nodes(g, nodes, n, false); }
CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode *nodes, size_t *n) {
    return list_nodes(g, nodes, n, true);
}

CUresult cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *n) {
    if (!wg_handle_is(g, WG_H_GRAPH) || !n || !from != !to) return CUDA_ERROR_INVALID_VALUE;
    struct list f = {from, *n, 0}, t = {to, *n, 0};
    if (data && from) memset(data, 0, *n * sizeof *data);
    for (uint32_t i = 0; i < g->nodes.n; i++)
        for (uint32_t k = 0; k < g->nodes.v[i]->before.n; k++) {
            put(&f, g->nodes.v[i]->before.v[k]);
            put(&t, g->nodes.v[i]);
        }
    end_list(&t, n);
    return end_list(&f, n);
}
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *n) {
    if (!wg_handle_is(node, WG_H_GRAPH_NODE) || !n) return CUDA_ERROR_INVALID_VALUE;
    struct list l = {nodes, *n, 0};
    if (data && nodes) memset(data, 0, *n * sizeof *data);
    for (uint32_t i = 0; i < node->before.n; i++) put(&l, node->before.v[i]);
    return end_list(&l, n);
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data,
                                      size_t *n) {
    if (!wg_handle_is(node, WG_H_GRAPH_NODE) || !n) return CUDA_ERROR_INVALID_VALUE;
    struct list l = {nodes, *n, 0};
    if (data && nodes) memset(data, 0, *n * sizeof *data);
    for (uint32_t i = 0; i < node->graph->nodes.n; i++)
        if (comes_before(node->graph->nodes.v[i], node)) put(&l, node->graph->nodes.v[i]);
    return end_list(&l, n);
}
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
    if (!wg_handle_is(node, WG_H_GRAPH_NODE) || !type) return CUDA_ERROR_INVALID_VALUE;
    *type = node->work.type;
    return CUDA_SUCCESS;
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *g) {
    if (!wg_handle_is(node, WG_H_GRAPH_NODE) || node->work.type != CU_GRAPH_NODE_TYPE_GRAPH || !g)
        return CUDA_ERROR_INVALID_VALUE;
    *g = node->work.child;
    return CUDA_SUCCESS;
}

/* ---- Graphs ------------------------------------------------------------------------------------- */

CUgraph wg_graph_new(bool owned) {
    CUgraph g = wg_xcalloc(1, sizeof *g);
    g->owned = owned;
    wg_handle_add(g, WG_H_GRAPH);
    return g;
}
CUresult cuGraphCreate(CUgraph *g, unsigned int flags) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!g || flags) return CUDA_ERROR_INVALID_VALUE;
    *g = wg_graph_new(false);
    return CUDA_SUCCESS;
}

static CUgraphNode copy_in(const struct CUgraph_st *g, const struct CUgraphNode_st *of) {
    for (uint32_t i = 0; i < g->nodes.n; i++)
        if (g->nodes.v[i]->made_of == of) return g->nodes.v[i];
    return NULL;
}
CUgraph wg_graph_copy(const struct CUgraph_st *g, bool owned) {
    CUgraph copy = wg_graph_new(owned);
    wg_objects_copy(&copy->objects, &g->objects);
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        struct wg_node_work w;
        wg_node_copy(&g->nodes.v[i]->work, &w);
        make_node(copy, &w)->made_of = g->nodes.v[i];
    }
    for (uint32_t i = 0; i < g->nodes.n; i++)
        for (uint32_t k = 0; k < g->nodes.v[i]->before.n; k++)
            *WG_PUSH(&copy->nodes.v[i]->before) = copy_in(copy, g->nodes.v[i]->before.v[k]);
    return copy;
}
CUresult cuGraphClone(CUgraph *copy, CUgraph g) {
    if (!copy || !wg_handle_is(g, WG_H_GRAPH)) return CUDA_ERROR_INVALID_VALUE;
    if (wg_graph_has_memory(g) || wg_graph_has_conditional(g)) return CUDA_ERROR_NOT_SUPPORTED;
    *copy = wg_graph_copy(g, false);
    return CUDA_SUCCESS;
}
CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph copy) {
    if (!node || !wg_handle_is(original, WG_H_GRAPH_NODE) || !wg_handle_is(copy, WG_H_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    *node = copy_in(copy, original);
    return *node ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

void wg_graph_free(CUgraph g) {
    for (uint32_t i = 0; i < g->nodes.n; i++) free_node(g->nodes.v[i]);
    free(g->nodes.v);
    wg_conditions_free(&g->conditions);
    wg_objects_drop(&g->objects);
    wg_handle_remove(g, WG_H_GRAPH);
    free(g);
}
CUresult cuGraphDestroy(CUgraph g) {
    if (!wg_handle_is(g, WG_H_GRAPH) || g->owned) return CUDA_ERROR_INVALID_VALUE;
    if (g->captured) return CUDA_ERROR_ILLEGAL_STATE;
    wg_graph_free(g);
    return CUDA_SUCCESS;
}
