/* Streams and events by their handles: which machine stream or event, of which context. */
#include "driver/driver.h"

static _Thread_local bool per_thread;
bool wg_default_stream_per_thread(bool on) {
    bool was = per_thread;
    per_thread = on;
    return was;
}

CUresult wg_stream_of(CUstream stream, struct CUctx_st **ctx, struct wg_stream **s) {
    CUresult r;
    if ((uintptr_t)stream <= (uintptr_t)CU_STREAM_PER_THREAD) {
        if ((r = wg_current(ctx))) return r;
        bool own = stream == CU_STREAM_PER_THREAD || (!stream && per_thread);
        *s = wg_device_stream((*ctx)->dev, own ? WG_STREAM_PER_THREAD : WG_STREAM_LEGACY);
        return *s ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
    if ((r = wg_initialized())) return r;
    if (!wg_handle_is(stream, WG_H_STREAM)) return CUDA_ERROR_INVALID_HANDLE;
    *ctx = stream->ctx;
    *s = stream->s;
    return CUDA_SUCCESS;
}

CUresult wg_event_of(CUevent event, struct wg_event **e) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_is(event, WG_H_EVENT)) return CUDA_ERROR_INVALID_HANDLE;
    *e = event->e;
    return CUDA_SUCCESS;
}
