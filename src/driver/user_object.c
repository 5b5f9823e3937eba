/* User objects: something of the program's that is destroyed with its last reference. The program has references, and
 * graphs, their copies and executable graphs; so has a launch, until it has ended.
 *
 * The function that destroys it runs on the thread that gives the last reference back: the program's, or for a launch
 * the one that calls host functions. As on hardware, it must not call CUDA.
 */
#include "driver/graph.h"
#include <stdlib.h>

struct CUuserObject_st {
    void *pointer;
    CUhostFn destroy;
    _Atomic uint64_t references;
};

static bool is_object(CUuserObject object) { return object && wg_handle_is(object, WG_H_USER_OBJECT); }

static void give_back(CUuserObject object, uint64_t count) {
    uint64_t before = atomic_load(&object->references);
    uint64_t left = before - (count < before ? count : before);
    while (!atomic_compare_exchange_weak(&object->references, &before, left))
        left = before - (count < before ? count : before);
    if (left || !wg_handle_remove(object, WG_H_USER_OBJECT)) return;
    object->destroy(object->pointer);
    free(object);
}

CUresult cuUserObjectCreate(CUuserObject *object, void *pointer, CUhostFn destroy, unsigned int count,
                            unsigned int flags) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!object || !destroy || !count || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
    *object = wg_xcalloc(1, sizeof **object);
    **object = (struct CUuserObject_st){.pointer = pointer, .destroy = destroy, .references = count};
    wg_handle_add(*object, WG_H_USER_OBJECT);
    return CUDA_SUCCESS;
}
CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) {
    if (!count || !is_object(object)) return CUDA_ERROR_INVALID_VALUE;
    atomic_fetch_add(&object->references, count);
    return CUDA_SUCCESS;
}
CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
    if (!count || !is_object(object)) return CUDA_ERROR_INVALID_VALUE;
    give_back(object, count);
    return CUDA_SUCCESS;
}

/* ---- A graph's ---------------------------------------------------------------------------------- */

static struct wg_object_held *held_by(CUgraph g, CUuserObject object) {
    for (uint32_t i = 0; i < g->objects.n; i++)
        if (g->objects.v[i].object == object) return &g->objects.v[i];
    return NULL;
}

static void hold(struct wg_objects *objects, CUuserObject object, uint64_t count) {
    *WG_PUSH(objects) = (struct wg_object_held){object, count};
}

CUresult cuGraphRetainUserObject(CUgraph g, CUuserObject object, unsigned int count, unsigned int flags) {
    if (!wg_handle_is(g, WG_H_GRAPH) || !is_object(object) || !count ||
        flags & ~(unsigned)CU_GRAPH_USER_OBJECT_MOVE)
        return CUDA_ERROR_INVALID_VALUE;
    if (!(flags & CU_GRAPH_USER_OBJECT_MOVE)) atomic_fetch_add(&object->references, count);
    struct wg_object_held *h = held_by(g, object);
    if (h)
        h->count += count;
    else
        hold(&g->objects, object, count);
    return CUDA_SUCCESS;
}
CUresult cuGraphReleaseUserObject(CUgraph g, CUuserObject object, unsigned int count) {
    if (!wg_handle_is(g, WG_H_GRAPH) || !is_object(object) || !count) return CUDA_ERROR_INVALID_VALUE;
    struct wg_object_held *h = held_by(g, object);
    if (!h || h->count < count) return CUDA_ERROR_INVALID_VALUE;
    h->count -= count;
    if (!h->count) *h = g->objects.v[--g->objects.n];
    give_back(object, count);
    return CUDA_SUCCESS;
}

void wg_objects_copy(struct wg_objects *to, const struct wg_objects *from) {
    for (uint32_t i = 0; i < from->n; i++) {
        atomic_fetch_add(&from->v[i].object->references, 1);
        hold(to, from->v[i].object, 1);
    }
}
void wg_objects_drop(struct wg_objects *objects) {
    for (uint32_t i = 0; i < objects->n; i++) give_back(objects->v[i].object, objects->v[i].count);
    free(objects->v);
    *objects = (struct wg_objects){0};
}

/* Those of the graphs of its nodes as well. */
static void collect(struct wg_objects *all, const struct CUgraph_st *g) {
    wg_objects_copy(all, &g->objects);
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        const struct wg_node_work *w = &g->nodes.v[i]->work;
        CUgraph const *graphs = &w->child;
        unsigned n = w->type == CU_GRAPH_NODE_TYPE_GRAPH ? 1
                     : w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL
                         ? wg_conditional_graphs(w->conditional, &graphs)
                         : 0;
        for (unsigned k = 0; k < n; k++) collect(all, graphs[k]);
    }
}
static void launch_has_ended(void *objects, enum wg_status status) {
    (void)status;
    wg_called_by_stream(true);
    wg_objects_drop(objects);
    wg_called_by_stream(false);
    free(objects);
}
CUresult wg_objects_launched(const struct CUgraph_st *g, struct CUctx_st *ctx, struct wg_stream *s) {
    struct wg_objects all = {0}, *kept;
    collect(&all, g);
    if (!all.n) return CUDA_SUCCESS;
    kept = wg_xmalloc(sizeof *kept);
    *kept = all;
    enum wg_status status = wg_stream_call(s, launch_has_ended, kept, WG_CALL_ALWAYS | WG_CALL_TOUCHES);
    if (status != WG_OK) launch_has_ended(kept, status);
    return wg_done(ctx, status);
}
