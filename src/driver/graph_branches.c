/* A graph's launch under the race check: nodes that no edge orders go into different streams, whose events
 * say what the edges say, so that races between them are found as those between streams are.
 *
 * A node goes on in the stream of one that it comes behind, if that is the last there; else it gets another
 * one, while there are any: those beyond are taken again, which orders more than the graph does, and finds
 * less. A child graph's nodes go into their node's stream one after the other.
 */
#include "driver/graph.h"
#include <stdlib.h>

enum { MOST_STREAMS = 16 };

struct wg_branches {
    CUstream streams[MOST_STREAMS];
    uint32_t nstreams;
    CUevent begin;
    WG_VEC(CUevent) done; /* [node] */
};

/* Which stream each node goes into, and which node is the last in each. */
struct plan {
    uint32_t *stream;
    uint32_t last[MOST_STREAMS], used;
};

static uint32_t choose(struct plan *p, const struct CUgraphNode_st *n) {
    for (uint32_t i = 0; i < n->before.n; i++) {
        uint32_t before = n->before.v[i]->place, s = p->stream[before];
        if (p->last[s] == before) return s;
    }
    return p->used++ % MOST_STREAMS;
}

static bool is_chain(CUgraph g) {
    for (uint32_t i = 1; i < g->nodes.n; i++) {
        bool behind = false;
        for (uint32_t k = 0; k < g->nodes.v[i]->before.n; k++)
            behind |= g->nodes.v[i]->before.v[k] == g->nodes.v[i - 1];
        if (!behind) return false;
    }
    return true;
}

/* Streams and events for it; kept for the next launch. */
static CUresult prepare(struct wg_branches *b, CUgraph g, uint32_t streams) {
    CUresult r = b->begin ? CUDA_SUCCESS : cuEventCreate(&b->begin, CU_EVENT_DISABLE_TIMING);
    while (!r && b->nstreams < streams) {
        r = cuStreamCreate(&b->streams[b->nstreams], CU_STREAM_NON_BLOCKING);
        if (!r) b->nstreams++;
    }
    while (!r && b->done.n < g->nodes.n) {
        CUevent e;
        r = cuEventCreate(&e, CU_EVENT_DISABLE_TIMING);
        if (!r) *WG_PUSH(&b->done) = e;
    }
    return r;
}

static CUresult run_node(struct wg_branches *b, const struct plan *p, const struct CUgraphNode_st *n) {
    CUstream s = b->streams[p->stream[n->place]];
    CUresult r = n->before.n ? CUDA_SUCCESS : cuStreamWaitEvent(s, b->begin, 0);
    for (uint32_t i = 0; i < n->before.n && !r; i++)
        r = cuStreamWaitEvent(s, b->done.v[n->before.v[i]->place], 0);
    if (!r && !n->off) r = wg_node_run(&n->work, s);
    return r ? r : cuEventRecord(b->done.v[n->place], s);
}

CUresult wg_branches_run(struct wg_branches **kept, CUgraph g, CUstream stream) {
    if (!wg_check_finds_races() || is_chain(g)) return wg_graph_run(g, stream);
    if (!*kept) *kept = wg_xcalloc(1, sizeof **kept);
    struct wg_branches *b = *kept;
    struct plan p = {.stream = wg_xcalloc(g->nodes.n, sizeof *p.stream)};
    for (uint32_t i = 0; i < g->nodes.n; i++) g->nodes.v[i]->place = i;
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        p.stream[i] = choose(&p, g->nodes.v[i]);
        p.last[p.stream[i]] = i;
    }
    CUresult r = prepare(b, g, p.used < MOST_STREAMS ? p.used : MOST_STREAMS);
    if (!r) r = cuEventRecord(b->begin, stream);
    for (uint32_t i = 0; i < g->nodes.n && !r; i++) r = run_node(b, &p, g->nodes.v[i]);
    for (uint32_t i = 0; i < g->nodes.n && !r; i++) r = cuStreamWaitEvent(stream, b->done.v[i], 0);
    free(p.stream);
    return r;
}

void wg_branches_free(struct wg_branches *b) {
    if (!b) return;
    for (uint32_t i = 0; i < b->nstreams; i++) cuStreamDestroy(b->streams[i]);
    for (uint32_t i = 0; i < b->done.n; i++) cuEventDestroy(b->done.v[i]);
    if (b->begin) cuEventDestroy(b->begin);
    free(b->done.v);
    free(b);
}
