/* Streams and events. */
#include "driver/graph.h"
#include "driver/host_access.h"
#include <stdlib.h>

/* ---- Streams ------------------------------------------------------------------------------------ */

enum { PRIORITY_LEAST = 0, PRIORITY_GREATEST = -5 };

static void end_stream(void *handle) {
    CUstream s = handle;
    wg_capture_forget_stream(s);
    free(s->tail.v);
    free(s);
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!stream || flags > CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
    if (priority < PRIORITY_GREATEST) priority = PRIORITY_GREATEST;
    if (priority > PRIORITY_LEAST) priority = PRIORITY_LEAST;
    if ((r = wg_done(ctx, wg_device_status(ctx->dev)))) return r;
    if ((r = wg_done(ctx, wg_stream_create(ctx->dev, flags ? WG_STREAM_NONBLOCKING : WG_STREAM_BLOCKING,
                                           priority, &s))))
        return r;
    struct CUstream_st *st = wg_xcalloc(1, sizeof *st);
    st->ctx = ctx;
    st->s = s;
    wg_handle_add_in(ctx, st, WG_H_STREAM, end_stream);
    *stream = st;
    return CUDA_SUCCESS;
}
CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
    return cuStreamCreateWithPriority(stream, flags, 0);
}

CUresult cuStreamDestroy(CUstream stream) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_remove(stream, WG_H_STREAM)) return CUDA_ERROR_INVALID_HANDLE;
    r = wg_done(stream->ctx, wg_stream_destroy(stream->s));
    end_stream(stream);
    return r;
}

CUresult cuStreamGetPriority(CUstream stream, int *priority) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (!priority) return CUDA_ERROR_INVALID_VALUE;
    *priority = wg_stream_priority(s);
    return CUDA_SUCCESS;
}
CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (!flags) return CUDA_ERROR_INVALID_VALUE;
    *flags = wg_stream_flags(s) & WG_STREAM_NONBLOCKING ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT;
    return CUDA_SUCCESS;
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    *device = ctx->device;
    return CUDA_SUCCESS;
}
CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (!id) return CUDA_ERROR_INVALID_VALUE;
    *id = wg_stream_id(s);
    return CUDA_SUCCESS;
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    *context = ctx;
    return CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    struct wg_event *e;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (flags > CU_EVENT_WAIT_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
    if ((r = wg_event_of(event, &e))) return r;
    if (wg_captured(stream) || event->captured) return wg_capture_wait(stream, event);
    return wg_done(ctx, wg_stream_wait_event(s, e));
}
CUresult cuStreamQuery(CUstream stream) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (!r) r = wg_capture_forbids(stream);
    return r ? r : wg_done(ctx, wg_stream_query(s));
}
CUresult cuStreamSynchronize(CUstream stream) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    struct wg_call call = WG_CALL_BEGIN();
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (!r) r = wg_capture_forbids(stream);
    if (!r) r = wg_done(ctx, wg_stream_sync(s));
    wg_call_end(&call, "cuStreamSynchronize", r);
    return r;
}

/* ---- Calls of the host's functions -------------------------------------------------------------- */

struct call {
    CUstream stream;
    CUstreamCallback callback;
    CUhostFn function;
    void *user;
    struct wg_device *dev;
};
/* Whose function a stream calls now, on this thread. */
static _Thread_local struct wg_device *calling;
static _Atomic CUhostFn library_function;

void wg_library_function(CUhostFn function) { library_function = function; }
bool wg_library_touches(const struct wg_toucher *by, const struct wg_operand_touch *t, unsigned n) {
    return calling && wg_call_touches(calling, by, t, n);
}

static void run_call(void *arg, enum wg_status status) {
    struct call *c = arg;
    wg_called_by_stream(true);
    calling = c->dev;
    if (c->callback)
        c->callback(c->stream, (CUresult)status, c->user);
    else if (status == WG_OK)
        c->function(c->user);
    calling = NULL;
    wg_called_by_stream(false);
    free(c);
}
static CUresult enqueue_call(CUstream stream, struct call what) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (wg_captured(stream) && what.function) {
        struct wg_node_work w = {.type = CU_GRAPH_NODE_TYPE_HOST, .host = {what.function, what.user}};
        return wg_capture_add(stream, &w);
    }
    if ((r = wg_capture_forbids(stream))) return r;
    struct call *c = wg_xmalloc(sizeof *c);
    *c = what;
    c->stream = stream;
    c->dev = ctx->dev;
    /* Always called, so that `c` is freed; run_call leaves out host functions after a fault. */
    uint32_t touches = what.function && what.function == library_function ? WG_CALL_TOUCHES : 0;
    enum wg_status status = wg_stream_call(s, run_call, c, WG_CALL_ALWAYS | touches);
    if (status != WG_OK) free(c);
    return wg_done(ctx, status);
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *user, unsigned int flags) {
    if (!callback || flags) return CUDA_ERROR_INVALID_VALUE;
    return enqueue_call(stream, (struct call){.callback = callback, .user = user});
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *user) {
    if (!function) return CUDA_ERROR_INVALID_VALUE;
    return enqueue_call(stream, (struct call){.function = function, .user = user});
}

/* ---- Attributes --------------------------------------------------------------------------------- */

CUresult cuStreamGetAttribute(CUstream stream, CUlaunchAttributeID id, CUlaunchAttributeValue *value) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r) return r;
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    *value = (CUlaunchAttributeValue){0};
    switch (id) {
    case CU_LAUNCH_ATTRIBUTE_PRIORITY: value->priority = wg_stream_priority(s); return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        value->syncPolicy = CU_SYNC_POLICY_AUTO;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: value->memSyncDomainMap.remote = 1; return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN: return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}
/* They steer a real GPU's caches and scheduling: accepted, without effect. */
CUresult cuStreamSetAttribute(CUstream stream, CUlaunchAttributeID id, const CUlaunchAttributeValue *value) {
    CUlaunchAttributeValue now;
    return value ? cuStreamGetAttribute(stream, id, &now) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuStreamCopyAttributes(CUstream destination, CUstream source) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(destination, &ctx, &s);
    return r ? r : wg_stream_of(source, &ctx, &s);
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (least) *least = PRIORITY_LEAST;
    if (greatest) *greatest = PRIORITY_GREATEST;
    return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize(void) {
    struct CUctx_st *ctx;
    struct wg_call call = WG_CALL_BEGIN();
    CUresult r = wg_current(&ctx);
    if (!r) r = wg_capture_forbids_all(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    if (!r) r = wg_done(ctx, wg_device_sync(ctx->dev));
    wg_call_end(&call, "cuCtxSynchronize", r);
    return r;
}

/* ---- Events ------------------------------------------------------------------------------------- */

static void end_event(void *handle) {
    CUevent e = handle;
    free(e->tail.v);
    free(e);
}

CUevent wg_event_handle(struct CUctx_st *ctx, struct wg_event *e) {
    struct CUevent_st *ev = wg_xcalloc(1, sizeof *ev);
    ev->ctx = ctx;
    ev->e = e;
    wg_handle_add_in(ctx, ev, WG_H_EVENT, end_event);
    return ev;
}

CUresult cuEventCreate(CUevent *event, unsigned int flags) {
    struct CUctx_st *ctx;
    struct wg_event *e;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!event || (flags & ~7u)) return CUDA_ERROR_INVALID_VALUE;
    if ((flags & CU_EVENT_INTERPROCESS) && !(flags & CU_EVENT_DISABLE_TIMING))
        return CUDA_ERROR_INVALID_VALUE;
    uint32_t of = (flags & CU_EVENT_DISABLE_TIMING ? WG_EVENT_NO_TIMING : WG_EVENT_DEFAULT) |
                  (flags & CU_EVENT_INTERPROCESS ? WG_EVENT_SHARED : WG_EVENT_DEFAULT);
    if ((r = wg_done(ctx, wg_device_status(ctx->dev)))) return r;
    if ((r = wg_done(ctx, wg_event_create(ctx->dev, of, &e)))) return r;
    *event = wg_event_handle(ctx, e);
    return CUDA_SUCCESS;
}
CUresult cuEventDestroy(CUevent event) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_remove(event, WG_H_EVENT)) return CUDA_ERROR_INVALID_HANDLE;
    r = wg_done(event->ctx, wg_event_destroy(event->e));
    end_event(event);
    return r;
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    struct wg_event *e;
    CUresult r = wg_event_of(event, &e);
    if (r || (r = wg_stream_of(stream, &ctx, &s))) return r;
    if (flags > CU_EVENT_RECORD_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
    if (event->ctx != ctx) return wg_done(ctx, wg_event_record(e, s)); /* says what is wrong */
    if (wg_captured(stream) && flags) { /* recorded each time that the graph runs */
        struct wg_node_work w = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .event = event};
        return wg_capture_add(stream, &w);
    }
    if (flags) return CUDA_ERROR_ILLEGAL_STATE;
    if (wg_captured(stream)) return wg_capture_record(stream, event);
    if ((r = wg_capture_forbids(stream))) return r;
    if (event->captured) wg_capture_forget_event(event);
    return wg_done(ctx, wg_event_record(e, s));
}
CUresult cuEventRecord(CUevent event, CUstream stream) { return cuEventRecordWithFlags(event, stream, 0); }
CUresult cuEventQuery(CUevent event) {
    struct wg_event *e;
    CUresult r = wg_event_of(event, &e);
    if (!r && event->captured) r = wg_capture_asked(event);
    return r ? r : wg_done(event->ctx, wg_event_query(e));
}
CUresult cuEventSynchronize(CUevent event) {
    struct wg_event *e;
    struct wg_call call = WG_CALL_BEGIN();
    CUresult r = wg_event_of(event, &e);
    if (!r && event->captured) r = wg_capture_asked(event);
    if (!r) r = wg_done(event->ctx, wg_event_sync(e));
    wg_call_end(&call, "cuEventSynchronize", r);
    return r;
}
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
    struct wg_event *a, *b;
    double ms = 0;
    CUresult r = wg_event_of(start, &a);
    if (r || (r = wg_event_of(end, &b))) return r;
    if (!milliseconds) return CUDA_ERROR_INVALID_HANDLE;
    r = wg_done(start->ctx, wg_event_elapsed(a, b, &ms));
    if (!r) *milliseconds = (float)ms;
    return r;
}
