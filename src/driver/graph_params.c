/* Returns a graph node's parameters to the program; changes the events of nodes; writes a picture of a graph. */
#include "driver/graph.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(CUgraphNode node, CUgraphNodeType type) {
    return wg_handle_is(node, WG_H_GRAPH_NODE) && node->work.type == type;
}

/* Its arguments are pointers into the node's own copy, and stay until it is changed or asked again. */
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *p) {
    struct wg_func_info info;
    struct CUctx_st *ctx;
    struct wg_func *f;
    if (!p || !is(node, CU_GRAPH_NODE_TYPE_KERNEL)) return CUDA_ERROR_INVALID_VALUE;
    const struct wg_launch *l = &node->work.kernel.launch;
    CUresult r = wg_function_of(node->work.kernel.function, &ctx, &f);
    if (r) return r;
    wg_func_info(f, &info);
    free(node->arguments);
    node->arguments = wg_xcalloc(info.nparams + 1, sizeof *node->arguments);
    for (uint32_t i = 0; i < info.nparams; i++)
        node->arguments[i] = (uint8_t *)(uintptr_t)l->params + info.params[i].offset;
    *p = (CUDA_KERNEL_NODE_PARAMS){.func = node->work.kernel.function,
                                   .gridDimX = l->grid[0],
                                   .gridDimY = l->grid[1],
                                   .gridDimZ = l->grid[2],
                                   .blockDimX = l->block[0],
                                   .blockDimY = l->block[1],
                                   .blockDimZ = l->block[2],
                                   .sharedMemBytes = (unsigned)l->dynamic_shared,
                                   .kernelParams = info.nparams ? node->arguments : NULL,
                                   .ctx = ctx};
    return CUDA_SUCCESS;
}
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *copy) {
    if (!copy || !is(node, CU_GRAPH_NODE_TYPE_MEMCPY)) return CUDA_ERROR_INVALID_VALUE;
    *copy = node->work.copy;
    return CUDA_SUCCESS;
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *p) {
    if (!p || !is(node, CU_GRAPH_NODE_TYPE_MEMSET)) return CUDA_ERROR_INVALID_VALUE;
    *p = node->work.fill;
    return CUDA_SUCCESS;
}
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *p) {
    if (!p || !is(node, CU_GRAPH_NODE_TYPE_HOST)) return CUDA_ERROR_INVALID_VALUE;
    *p = node->work.host;
    return CUDA_SUCCESS;
}

/* ---- Events ------------------------------------------------------------------------------------- */

static CUresult event_of(CUgraphNode node, CUgraphNodeType type, CUevent *event) {
    if (!event || !is(node, type)) return CUDA_ERROR_INVALID_VALUE;
    *event = node->work.event;
    return CUDA_SUCCESS;
}
static CUresult set_event(CUgraphNode node, CUgraphNodeType type, CUevent event) {
    struct wg_event *e;
    CUresult r = wg_event_of(event, &e);
    if (r) return r;
    if (!is(node, type)) return CUDA_ERROR_INVALID_VALUE;
    node->work.event = event;
    return CUDA_SUCCESS;
}
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
    return event_of(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
    return set_event(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
    return event_of(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
    return set_event(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}

/* ---- A picture, in Graphviz's language ---------------------------------------------------------- */

static const char *label_of(const struct CUgraphNode_st *node) {
    const char *name;
    switch (node->work.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return cuFuncGetName(&name, node->work.kernel.function) ? "kernel" : name;
    case CU_GRAPH_NODE_TYPE_MEMCPY: return "memcpy";
    case CU_GRAPH_NODE_TYPE_MEMSET: return "memset";
    case CU_GRAPH_NODE_TYPE_HOST: return "host function";
    case CU_GRAPH_NODE_TYPE_GRAPH: return "child graph";
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return "wait for an event";
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return "record an event";
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return "allocate";
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return "free";
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: return wg_conditional_name(node->work.conditional);
    default: return "empty";
    }
}

static uint32_t place_of(const struct CUgraph_st *g, const struct CUgraphNode_st *node) {
    uint32_t i = 0;
    while (g->nodes.v[i] != node) i++;
    return i;
}

static void draw(FILE *out, const struct CUgraph_st *g, const char *name);
static void draw_inner(FILE *out, const struct wg_node_work *w, const char *name, uint32_t node) {
    CUgraph const *graphs = &w->child;
    unsigned n = w->type == CU_GRAPH_NODE_TYPE_GRAPH         ? 1
                 : w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL ? wg_conditional_graphs(w->conditional, &graphs)
                                                             : 0;
    for (unsigned i = 0; i < n; i++) {
        struct wg_strbuf inner = {0};
        wg_strbuf_printf(&inner, "%s_%u_%s", name, node,
                         w->type == CU_GRAPH_NODE_TYPE_GRAPH ? "child" : "body");
        if (n > 1) wg_strbuf_printf(&inner, "_%u", i);
        draw(out, graphs[i], inner.s);
        wg_strbuf_free(&inner);
    }
}

/* `name`: what the graph's nodes begin with, so that a child's are others. */
static void draw(FILE *out, const struct CUgraph_st *g, const char *name) {
    fprintf(out, "subgraph cluster_%s {\nlabel=\"%s\"\n", name, name);
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        const struct CUgraphNode_st *node = g->nodes.v[i];
        fprintf(out, "\"%s_%u\" [label=\"%u: %s\"];\n", name, i, i, label_of(node));
        draw_inner(out, &node->work, name, i);
    }
    for (uint32_t i = 0; i < g->nodes.n; i++)
        for (uint32_t k = 0; k < g->nodes.v[i]->before.n; k++)
            fprintf(out, "\"%s_%u\" -> \"%s_%u\";\n", name, place_of(g, g->nodes.v[i]->before.v[k]), name, i);
    fprintf(out, "}\n");
}

CUresult cuGraphDebugDotPrint(CUgraph g, const char *path, unsigned int flags) {
    (void)flags; /* how much is written of each node; here always its name */
    if (!path || !wg_handle_is(g, WG_H_GRAPH)) return CUDA_ERROR_INVALID_VALUE;
    FILE *out = fopen(path, "w");
    if (!out) return CUDA_ERROR_OPERATING_SYSTEM;
    fprintf(out, "digraph dot {\n");
    draw(out, g, "graph_1");
    fprintf(out, "}\n");
    bool bad = ferror(out) != 0;
    return fclose(out) || bad ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
}
