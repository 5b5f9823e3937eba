/* Launches: CUDA's arguments into a wg_launch; machine/ checks and runs it.
 *
 *     cuLaunchKernelEx   attributes: cluster size, cooperative; those that only steer a real GPU's scheduling
 *                        (priority, cache windows, memory domains, early start of the next kernel) are
 *                        accepted, since running kernels one after the other is among what they allow
 */
#include "driver/graph.h"
#include "driver/launch_arguments.h"
#include "driver/library.h"
#include "driver/references.h"
#include "base/mangled.h"
#include "base/thread_text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    CUfunction function;
    struct wg_launch l;
    CUstream stream;
    struct wg_launch_arguments arguments;
    CUevent done[2]; /* events to record when it has run */
};

static CUresult capture(struct request *q) {
    struct wg_node_work w;
    if (q->done[0] || q->done[1])
        return wg_not_supported("a launch attribute's event in a stream that is captured");
    CUresult r = wg_launch_keep(q->function, &q->l, &q->arguments, &w);
    if (!r) return wg_capture_add(q->stream, &w);
    wg_capture_fails(q->stream);
    return r;
}

/* What a launch on a GPU may come to, of each kernel once. */
static void tell_doubt(const struct wg_launch *l, const struct wg_func_info *info) {
    char why[WG_TEXT_BYTES];
    if (!wg_launch_doubt(l, why, sizeof why) || wg_told_before(info->name, CUDA_SUCCESS)) return;
    char *name = wg_function_name(info->name);
    wg_say("note: kernel %s: %s", name, why);
    free(name);
}

static CUresult refuse_stream(const struct CUctx_st *ctx, const struct CUctx_st *of_stream) {
    char *detail = wg_thread_text(WG_TEXT_LAUNCH);
    if (ctx->device != of_stream->device)
        snprintf(detail, WG_TEXT_BYTES,
                 "its stream was created on device %d, and its function is of a module on device %d",
                 of_stream->device, ctx->device);
    else
        snprintf(detail, WG_TEXT_BYTES, "its stream belongs to another context");
    return CUDA_ERROR_INVALID_HANDLE;
}

/* A library's kernel is taken in the context of its stream, whichever is current. */
static CUresult take_function(struct request *q) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    if (!wg_handle_is(q->function, WG_H_KERNEL)) return CUDA_SUCCESS;
    CUresult r = wg_stream_of(q->stream, &ctx, &s);
    return r ? r : wg_kernel_function_in((CUkernel)(void *)q->function, ctx, &q->function);
}

static CUresult do_launch(struct request *q) {
    struct CUctx_st *ctx, *stream_ctx;
    struct wg_stream *s;
    struct wg_func_info info;
    uint8_t padded[WG_LAUNCH_PARAM_BYTES];
    wg_launch_detail_clear();
    CUresult r = take_function(q) ?: wg_function_of(q->function, &ctx, &q->l.func);
    if (r || (r = wg_stream_of(q->stream, &stream_ctx, &s))) return r;
    if (ctx != stream_ctx) return refuse_stream(ctx, stream_ctx);
    if ((r = wg_done(ctx, wg_device_status(ctx->dev)))) return r;
    if (wg_captured(q->stream)) return capture(q);
    if ((r = wg_capture_forbids(q->stream)) || (r = wg_references_write(q->function->module))) return r;
    wg_func_info(q->l.func, &info);
    if ((r = wg_launch_give(&q->l, &q->arguments, &info, padded, sizeof padded))) return r;
    enum wg_status status = wg_launch(s, &q->l);
    if (status == WG_OK) tell_doubt(&q->l, &info);
    status = (enum wg_status)wg_launch_refusal(status, &q->l, &info);
    for (int i = 0; i < 2 && status == WG_OK; i++)
        if (q->done[i]) status = (enum wg_status)cuEventRecord(q->done[i], q->stream);
    return wg_done(ctx, status);
}

static CUresult launch(struct request *q) {
    struct wg_call call = WG_CALL_BEGIN();
    CUresult r = do_launch(q);
    const char *name;
    if (r == CUDA_ERROR_NOT_SUPPORTED) wg_check_not_run();
    if (r && !cuFuncGetName(&name, q->function)) wg_check_refused(name);
    wg_call_end(&call, "cuLaunchKernel", r);
    return r;
}

/* For programs that call the driver themselves; the runtime tells it in its own words. */
static CUresult launch_and_tell(struct request *q) {
    CUresult r = launch(q);
    const char *why = wg_launch_detail(), *name = "?", *code = "?";
    if (!r || !*why || wg_is_handed_on(r) || cuFuncGetName(&name, q->function)) return r;
    cuGetErrorName(r, &code);
    char *pretty = wg_function_name(name);
    if (!wg_told_before(name, r)) wg_say("kernel %s was not launched: %s (%s)", pretty, why, code);
    free(pretty);
    return r;
}

/* A graph's kernel of another device than the stream's: in a stream of its own device, between what is before it and
 * behind it. */
static CUresult launch_elsewhere(struct request *q, struct CUctx_st *ctx, struct wg_stream *s) {
    CUcontext own;
    struct wg_stream *there = wg_device_stream(ctx->dev, WG_STREAM_PER_THREAD);
    CUresult r = wg_done(ctx, wg_order_streams(s, there)) ?: cuCtxPushCurrent(ctx);
    if (r) return r;
    q->stream = CU_STREAM_PER_THREAD;
    r = do_launch(q);
    cuCtxPopCurrent(&own);
    return r ?: wg_done(ctx, wg_order_streams(there, s));
}

CUresult wg_launch_again(CUfunction f, const struct wg_launch *l, CUstream stream) {
    struct request q = {.function = f, .l = *l, .stream = stream};
    struct CUctx_st *ctx, *stream_ctx;
    struct wg_stream *s;
    CUresult r = wg_function_of(f, &ctx, &q.l.func) ?: wg_stream_of(stream, &stream_ctx, &s);
    if (r) return r;
    return ctx->device == stream_ctx->device ? do_launch(&q) : launch_elsewhere(&q, ctx, s);
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z,
                        unsigned int shared_bytes, CUstream stream, void **arguments, void **extra) {
    struct request q = {.function = function,
                        .l = {.grid = {grid_x, grid_y, grid_z},
                              .block = {block_x, block_y, block_z},
                              .dynamic_shared = shared_bytes},
                        .stream = stream,
                        .arguments = {arguments, extra}};
    return launch_and_tell(&q);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void **arguments) {
    struct request q = {.function = function,
                        .l = {.grid = {grid_x, grid_y, grid_z},
                              .block = {block_x, block_y, block_z},
                              .dynamic_shared = shared_bytes,
                              .cooperative = true},
                        .stream = stream,
                        .arguments = {.pointers = arguments}};
    return launch_and_tell(&q);
}

static CUresult read_attribute(const CUlaunchAttribute *a, struct request *q) {
    const CUlaunchAttributeValue *v = &a->value;
    switch (a->id) {
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        if (!v->clusterDim.x || !v->clusterDim.y || !v->clusterDim.z) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
        memcpy(q->l.cluster, &v->clusterDim, sizeof q->l.cluster);
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: q->l.cooperative = v->cooperative != 0; return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT: q->done[0] = v->programmaticEvent.event; return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
        q->done[1] = v->launchCompletionEvent.event;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        return wg_not_supported("the launch attribute for device-updatable graph nodes");
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING: return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

static CUresult read_config(const CUlaunchConfig *c, struct request *q) {
    if (!c || (c->numAttrs && !c->attrs)) return CUDA_ERROR_INVALID_VALUE;
    *q = (struct request){.l = {.grid = {c->gridDimX, c->gridDimY, c->gridDimZ},
                                .block = {c->blockDimX, c->blockDimY, c->blockDimZ},
                                .dynamic_shared = c->sharedMemBytes},
                          .stream = c->hStream};
    for (unsigned i = 0; i < c->numAttrs; i++) {
        CUresult r = read_attribute(&c->attrs[i], q);
        if (r) return r;
    }
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra) {
    struct request q;
    CUresult r = wg_initialized();
    if (r || (r = read_config(config, &q))) return r;
    q.function = function;
    q.arguments = (struct wg_launch_arguments){arguments, extra};
    return launch(&q);
}

/* ---- Clusters ----------------------------------------------------------------------------------- */

static CUresult cluster_query(int *out, CUfunction function, const CUlaunchConfig *config,
                              enum wg_status (*query)(const struct wg_launch *, uint32_t *)) {
    struct request q;
    struct CUctx_st *ctx;
    uint32_t n = 0;
    if (!out) return CUDA_ERROR_INVALID_VALUE;
    CUresult r = read_config(config, &q);
    if (r || (r = wg_function_of(function, &ctx, &q.l.func))) return r;
    enum wg_status s = query(&q.l, &n);
    if (s == WG_OK) *out = (int)n;
    return wg_done(ctx, s);
}
CUresult cuOccupancyMaxPotentialClusterSize(int *cluster_size, CUfunction function,
                                            const CUlaunchConfig *config) {
    return cluster_query(cluster_size, function, config, wg_launch_max_cluster_size);
}
CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction function, const CUlaunchConfig *config) {
    return cluster_query(clusters, function, config, wg_launch_max_clusters);
}
