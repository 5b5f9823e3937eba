/* Capture: a program puts work into streams as usual, and it becomes a graph.
 *
 *     cuStreamBeginCapture(a)      a's work is taken down: each piece behind the one before
 *     cuEventRecord(e, a)          e stands for where a is now
 *     cuStreamWaitEvent(b, e)      b is captured too, and goes on from there
 *     cuStreamEndCapture(a)        the graph; every other stream must have been waited for by then
 *
 * What cannot be taken down (waiting on the host, work of the legacy stream, allocations) makes the capture
 * invalid, as on a GPU: its end gives no graph then.
 */
#include "driver/graph.h"
#include <stdlib.h>

struct wg_capture {
    CUgraph graph;
    CUstream origin;
    pthread_t thread; /* that began it */
    CUstreamCaptureMode mode;
    unsigned long long id;
    bool invalid, given;      /* given: the graph is one that the program has */
    WG_VEC(CUstream) streams; /* the origin and those that joined */
    WG_VEC(CUgraphNode) left; /* the last work of those that are destroyed: it has to be waited for, too */
    struct wg_capture *next;
};

/* The captures under way, and everything of theirs: few and short. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct wg_capture *captures;
static atomic_uint under_way;
static unsigned long long next_id;
static _Thread_local CUstreamCaptureMode thread_mode; /* global, as every thread begins */

static bool is_named(CUstream stream) { return (uintptr_t)stream > (uintptr_t)CU_STREAM_PER_THREAD; }
bool wg_captured(CUstream stream) { return is_named(stream) && stream->capture; }

static CUresult invalidate(struct wg_capture *c, CUresult why) {
    c->invalid = true;
    return why;
}

/* ---- Beginning and ending ------------------------------------------------------------------------ */

static void join(struct wg_capture *c, CUstream s) {
    *WG_PUSH(&c->streams) = s;
    s->capture = c;
}
static void leave(CUstream s) {
    s->capture = NULL;
    s->tail.n = 0;
}

static void go_on_from(CUstream s, CUgraphNode node) {
    for (uint32_t i = 0; i < s->tail.n; i++)
        if (s->tail.v[i] == node) return;
    *WG_PUSH(&s->tail) = node;
}

/* `g`: NULL for a new graph. */
static CUresult begin(CUstream stream, CUstreamCaptureMode mode, CUgraph g, const CUgraphNode *before,
                      size_t n) {
    CUresult r = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    if (stream->capture || (g && g->captured)) {
        r = CUDA_ERROR_ILLEGAL_STATE;
    } else {
        struct wg_capture *c = wg_xcalloc(1, sizeof *c);
        *c = (struct wg_capture){.graph = g,
                                 .origin = stream,
                                 .thread = pthread_self(),
                                 .mode = mode,
                                 .id = ++next_id,
                                 .given = g != NULL,
                                 .next = captures};
        if (!g) cuGraphCreate(&c->graph, 0);
        c->graph->captured = true;
        join(c, stream);
        for (size_t i = 0; i < n; i++) go_on_from(stream, before[i]);
        captures = c;
        atomic_fetch_add(&under_way, 1);
    }
    pthread_mutex_unlock(&lock);
    return r;
}

static CUresult may_begin(CUstream stream, CUstreamCaptureMode mode) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
    return is_named(stream) ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    CUresult r = may_begin(stream, mode);
    return r ? r : begin(stream, mode, NULL, NULL, 0);
}
CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph g, const CUgraphNode *before,
                                     const CUgraphEdgeData *edges, size_t n, CUstreamCaptureMode mode) {
    CUresult r = may_begin(stream, mode);
    (void)edges; /* as in cuGraphAddNode */
    if (!r) r = wg_handle_is(g, WG_H_GRAPH) ? wg_nodes_of(g, before, n) : CUDA_ERROR_INVALID_VALUE;
    return r ? r : begin(stream, mode, g, before, n);
}

static void mark(CUgraphNode n) {
    if (n->seen) return;
    n->seen = true;
    for (uint32_t i = 0; i < n->before.n; i++) mark(n->before.v[i]);
}
/* Does all work of the other streams come before the origin's last? */
static bool is_joined(const struct wg_capture *c) {
    for (uint32_t i = 0; i < c->graph->nodes.n; i++) c->graph->nodes.v[i]->seen = false;
    for (uint32_t i = 0; i < c->origin->tail.n; i++) mark(c->origin->tail.v[i]);
    for (uint32_t i = 0; i < c->streams.n; i++)
        for (uint32_t k = 0; k < c->streams.v[i]->tail.n; k++)
            if (!c->streams.v[i]->tail.v[k]->seen) return false;
    for (uint32_t i = 0; i < c->left.n; i++)
        if (!c->left.v[i]->seen) return false;
    return true;
}

static void forget(struct wg_capture *c) {
    for (struct wg_capture **at = &captures; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    for (uint32_t i = 0; i < c->streams.n; i++) leave(c->streams.v[i]);
    atomic_fetch_sub(&under_way, 1);
    free(c->streams.v);
    free(c->left.v);
    free(c);
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (graph) *graph = NULL;
    pthread_mutex_lock(&lock);
    struct wg_capture *c = is_named(stream) ? stream->capture : NULL;
    if (!c)
        r = CUDA_ERROR_ILLEGAL_STATE;
    else if (c->origin != stream)
        r = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    else if (c->mode != CU_STREAM_CAPTURE_MODE_RELAXED && !pthread_equal(c->thread, pthread_self()))
        r = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    if (c && !r) {
        r = c->invalid      ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
            : !is_joined(c) ? CUDA_ERROR_STREAM_CAPTURE_UNJOINED
                            : CUDA_SUCCESS;
        c->graph->captured = false;
        c->graph->spoiled |= r != CUDA_SUCCESS;
        if (!r && graph) *graph = c->graph;
        if ((r || !graph) && !c->given) wg_graph_free(c->graph); /* nobody could find it */
        forget(c);
    }
    pthread_mutex_unlock(&lock);
    return r;
}

/* ---- What is asked about it ---------------------------------------------------------------------- */

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                CUgraph *graph, const CUgraphNode **before, const CUgraphEdgeData **data,
                                size_t *n) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (!status) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    const struct wg_capture *c = is_named(stream) ? stream->capture : NULL;
    *status = !c           ? CU_STREAM_CAPTURE_STATUS_NONE
              : c->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                           : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    if (c) {
        if (id) *id = c->id;
        if (graph) *graph = c->graph;
        if (before) *before = stream->tail.v;
        if (data) *data = NULL;
        if (n) *n = stream->tail.n;
    }
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}
/* What the stream's next work comes behind, besides or instead. */
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *before, const CUgraphEdgeData *edges,
                                           size_t n, unsigned int flags) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    (void)edges;
    if (r) return r;
    if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES) return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    struct wg_capture *c = is_named(stream) ? stream->capture : NULL;
    if (!c || c->invalid)
        r = c ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_ERROR_ILLEGAL_STATE;
    else if (!(r = wg_nodes_of(c->graph, before, n))) {
        if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) stream->tail.n = 0;
        for (size_t i = 0; i < n; i++) go_on_from(stream, before[i]);
    }
    pthread_mutex_unlock(&lock);
    return r;
}
#undef cuStreamUpdateCaptureDependencies
WG_EXPORT CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *before, size_t n,
                                                     unsigned int flags);
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *before, size_t n,
                                           unsigned int flags) {
    return cuStreamUpdateCaptureDependencies_v2(stream, before, NULL, n, flags);
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
    return cuStreamGetCaptureInfo(stream, status, NULL, NULL, NULL, NULL, NULL);
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
    if (!mode || *mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
    CUstreamCaptureMode was = thread_mode;
    thread_mode = *mode;
    *mode = was;
    return CUDA_SUCCESS;
}

/* ---- Taking down --------------------------------------------------------------------------------- */

CUresult wg_capture_add(CUstream stream, struct wg_node_work *w) {
    CUgraphNode node;
    pthread_mutex_lock(&lock);
    CUresult r = stream->capture->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
    if (!r) r = wg_graph_add(stream->capture->graph, stream->tail.v, stream->tail.n, w, &node);
    if (!r) {
        stream->tail.n = 0;
        go_on_from(stream, node);
    }
    pthread_mutex_unlock(&lock);
    if (r) wg_node_replace(w, &(struct wg_node_work){.type = CU_GRAPH_NODE_TYPE_EMPTY});
    return r;
}

static struct wg_capture *capture_of(const struct CUevent_st *e) {
    struct wg_capture *c = captures;
    while (c && c->id != e->captured) c = c->next;
    return c;
}
CUresult wg_capture_asked(CUevent event) {
    pthread_mutex_lock(&lock);
    struct wg_capture *c = capture_of(event);
    if (c) invalidate(c, CUDA_SUCCESS);
    pthread_mutex_unlock(&lock);
    return CUDA_ERROR_CAPTURED_EVENT;
}

static void forget_event(CUevent e) {
    e->captured = 0;
    e->tail.n = 0;
}
void wg_capture_forget_event(CUevent event) {
    pthread_mutex_lock(&lock);
    forget_event(event);
    pthread_mutex_unlock(&lock);
}
CUresult wg_capture_record(CUstream stream, CUevent event) {
    pthread_mutex_lock(&lock);
    forget_event(event);
    event->captured = stream->capture->id;
    for (uint32_t i = 0; i < stream->tail.n; i++) *WG_PUSH(&event->tail) = stream->tail.v[i];
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* Either is captured. */
CUresult wg_capture_wait(CUstream stream, CUevent event) {
    CUresult r = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    struct wg_capture *c = capture_of(event);
    if (!event->captured)
        r = invalidate(stream->capture, CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    else if (!c)
        r = CUDA_ERROR_CAPTURED_EVENT; /* of a capture that has ended */
    else if (!is_named(stream))
        r = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    else if (stream->capture && stream->capture != c)
        r = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_MERGE);
    if (!r) {
        if (!stream->capture) join(c, stream);
        for (uint32_t i = 0; i < event->tail.n; i++) go_on_from(stream, event->tail.v[i]);
    }
    pthread_mutex_unlock(&lock);
    return r;
}

/* ---- What must not happen meanwhile -------------------------------------------------------------- */

static bool has_blocking(const struct wg_capture *c) {
    for (uint32_t i = 0; i < c->streams.n; i++)
        if (!(wg_stream_flags(c->streams.v[i]->s) & WG_STREAM_NONBLOCKING)) return true;
    return false;
}
/* The legacy stream waits for blocking streams, whatever is said about threads. */
static CUresult forbid_legacy(void) {
    CUresult r = CUDA_SUCCESS;
    if (!atomic_load(&under_way)) return r;
    pthread_mutex_lock(&lock);
    for (struct wg_capture *c = captures; c; c = c->next)
        if (has_blocking(c)) r = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    pthread_mutex_unlock(&lock);
    return r;
}

CUresult wg_capture_forbids(CUstream stream) {
    if (!wg_captured(stream)) return !stream || stream == CU_STREAM_LEGACY ? forbid_legacy() : CUDA_SUCCESS;
    wg_capture_fails(stream);
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}
void wg_capture_fails(CUstream stream) {
    pthread_mutex_lock(&lock);
    invalidate(stream->capture, CUDA_SUCCESS);
    pthread_mutex_unlock(&lock);
}

CUresult wg_capture_forbids_all(CUresult why) {
    CUresult r = CUDA_SUCCESS;
    if (!atomic_load(&under_way) || thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return r;
    pthread_mutex_lock(&lock);
    for (struct wg_capture *c = captures; c; c = c->next) {
        bool own = pthread_equal(c->thread, pthread_self());
        bool all = c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL && thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
        if (all || (own && c->mode != CU_STREAM_CAPTURE_MODE_RELAXED)) r = invalidate(c, why);
    }
    pthread_mutex_unlock(&lock);
    return r;
}

void wg_capture_forget_stream(CUstream stream) {
    pthread_mutex_lock(&lock);
    struct wg_capture *c = stream->capture;
    if (c && c->origin == stream) {
        c->graph->captured = false;
        if (!c->given) wg_graph_free(c->graph);
        forget(c);
    } else if (c) {
        for (uint32_t i = 0; i < stream->tail.n; i++) *WG_PUSH(&c->left) = stream->tail.v[i];
        for (uint32_t i = 0; i < c->streams.n; i++)
            if (c->streams.v[i] == stream) c->streams.v[i] = c->streams.v[--c->streams.n];
    }
    pthread_mutex_unlock(&lock);
}
