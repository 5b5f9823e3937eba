/* See graph_conditional.h. */
#include "driver/graph_conditional.h"
#include <stdlib.h>

/* ---- Handles ------------------------------------------------------------------------------------- */

struct wg_graph_condition *wg_condition_keep(struct wg_graph_condition *c) {
    atomic_fetch_add(&c->refs, 1);
    return c;
}
static void drop(struct wg_graph_condition *c) {
    if (atomic_fetch_sub(&c->refs, 1) != 1) return;
    if (c->ctx->dev && c->ctx->generation == c->generation) wg_condition_free(c->ctx->dev, c->handle);
    free(c);
}
void wg_conditions_free(struct wg_conditions *all) {
    for (uint32_t i = 0; i < all->n; i++) drop(all->v[i]);
    free(all->v);
    *all = (struct wg_conditions){0};
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph g, CUcontext context,
                                        unsigned int value, unsigned int flags) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!handle || !wg_handle_is(g, WG_H_GRAPH) || flags & ~(unsigned)CU_GRAPH_COND_ASSIGN_DEFAULT)
        return CUDA_ERROR_INVALID_VALUE;
    if (context && !wg_is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (context) ctx = context;
    struct wg_graph_condition *c = wg_xcalloc(1, sizeof *c);
    *c = (struct wg_graph_condition){.refs = 1,
                                     .ctx = ctx,
                                     .generation = ctx->generation,
                                     .handle = wg_condition_new(ctx->dev),
                                     .value = value,
                                     .assigned = flags != 0};
    *WG_PUSH(&g->conditions) = c;
    *handle = c->handle;
    return CUDA_SUCCESS;
}

/* One of the graph's, or of those that it is in. */
static struct wg_graph_condition *find(const struct CUgraph_st *g, CUgraphConditionalHandle handle) {
    for (; g; g = g->within)
        for (uint32_t i = 0; i < g->conditions.n; i++)
            if (g->conditions.v[i]->handle == handle) return g->conditions.v[i];
    return NULL;
}

/* ---- Nodes --------------------------------------------------------------------------------------- */

static bool possible(const CUDA_CONDITIONAL_NODE_PARAMS *p) {
    switch (p->type) {
    case CU_GRAPH_COND_TYPE_IF: return p->size == 1 || p->size == 2;
    case CU_GRAPH_COND_TYPE_WHILE: return p->size == 1;
    case CU_GRAPH_COND_TYPE_SWITCH: return p->size > 0;
    default: return false;
    }
}

static struct wg_conditional *new_conditional(struct wg_graph_condition *c, CUgraphConditionalNodeType type,
                                              unsigned n) {
    struct wg_conditional *x = wg_xcalloc(1, sizeof *x + n * sizeof x->graphs[0]);
    *x = (struct wg_conditional){wg_condition_keep(c), type, n};
    return x;
}

CUresult wg_conditional_work(CUgraph g, CUDA_CONDITIONAL_NODE_PARAMS *p, struct wg_node_work *w) {
    struct wg_graph_condition *c = wg_handle_is(g, WG_H_GRAPH) ? find(g, p->handle) : NULL;
    if (!c || c->used || !possible(p)) return CUDA_ERROR_INVALID_VALUE;
    if (p->ctx && p->ctx != c->ctx) return CUDA_ERROR_INVALID_CONTEXT;
    struct wg_conditional *x = new_conditional(c, p->type, p->size);
    for (unsigned i = 0; i < x->n; i++) {
        x->graphs[i] = wg_graph_new(true);
        x->graphs[i]->within = g;
        x->graphs[i]->body = true;
    }
    c->used = true;
    *w = (struct wg_node_work){.type = CU_GRAPH_NODE_TYPE_CONDITIONAL, .conditional = x};
    p->phGraph_out = x->graphs;
    return CUDA_SUCCESS;
}

struct wg_conditional *wg_conditional_copy(const struct wg_conditional *of) {
    struct wg_conditional *x = new_conditional(of->condition, of->type, of->n);
    for (unsigned i = 0; i < x->n; i++) x->graphs[i] = wg_graph_copy(of->graphs[i], true);
    return x;
}
void wg_conditional_free(struct wg_conditional *x) {
    for (unsigned i = 0; i < x->n; i++) {
        if (x->graphs[i]->body) x->condition->used = false; /* the node itself goes, and no copy of it */
        wg_graph_free(x->graphs[i]);
    }
    drop(x->condition);
    free(x);
}
unsigned wg_conditional_graphs(const struct wg_conditional *x, CUgraph const **graphs) {
    *graphs = x->graphs;
    return x->n;
}
const char *wg_conditional_name(const struct wg_conditional *x) {
    return x->type == CU_GRAPH_COND_TYPE_IF ? "if" : x->type == CU_GRAPH_COND_TYPE_WHILE ? "while" : "switch";
}
bool wg_conditionals_alike(const struct wg_conditional *a, const struct wg_conditional *b) {
    return a->type == b->type && a->n == b->n;
}

bool wg_graph_has_conditional(const struct CUgraph_st *g) {
    for (uint32_t i = 0; i < g->nodes.n; i++)
        if (g->nodes.v[i]->work.type == CU_GRAPH_NODE_TYPE_CONDITIONAL) return true;
    return false;
}

/* Handles that no node has are an error, as on a GPU. */
bool wg_conditions_used(const struct CUgraph_st *g) {
    bool all = true;
    for (uint32_t i = 0; i < g->conditions.n; i++) all &= g->conditions.v[i]->used;
    for (uint32_t i = 0; i < g->nodes.n && all; i++) {
        const struct wg_node_work *w = &g->nodes.v[i]->work;
        unsigned n = w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL ? w->conditional->n : 0;
        for (unsigned k = 0; k < n; k++) all &= wg_conditions_used(w->conditional->graphs[k]);
    }
    return all;
}
