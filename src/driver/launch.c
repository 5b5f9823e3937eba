/* Launches: CUDA's arguments into a wg_launch; machine/ checks and runs it.
 *
 *     cuLaunchKernelEx   attributes: cluster size, cooperative; those that only steer a real GPU's scheduling
 *                        (priority, cache windows, memory domains, early start of the next kernel) are
 *                        accepted, since running kernels one after the other is among what they allow
 */
#include "driver/graph.h"
#include "base/mangled.h"
#include "base/thread_text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *wg_launch_detail(void) { return wg_thread_text(WG_TEXT_LAUNCH); }
void wg_launch_detail_clear(void) { *wg_thread_text(WG_TEXT_LAUNCH) = 0; }

static CUresult refuse(const char *why) {
    snprintf(wg_thread_text(WG_TEXT_LAUNCH), WG_TEXT_BYTES, "%s", why);
    return CUDA_ERROR_INVALID_VALUE;
}

struct request {
    CUfunction function;
    struct wg_launch l;
    CUstream stream;
    void **arguments, **extra;
    CUevent done[2]; /* events to record when it has run */
};

/* `extra`: keys and values that give the packed parameter buffer. */
static CUresult read_extra(void **extra, struct wg_launch *l) {
    for (int i = 0; extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
        if (i >= 8) return CUDA_ERROR_INVALID_VALUE;
        if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            l->params = extra[i + 1];
        else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[i + 1])
            l->param_bytes = *(const size_t *)extra[i + 1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

/* The packed buffer may end early (the rest is zeros) but not be longer than the parameters. */
static CUresult give_parameters(struct request *q, const struct wg_func_info *info, uint8_t *padded,
                                size_t padded_bytes) {
    struct wg_launch *l = &q->l;
    CUresult r;
    if (q->arguments && q->extra)
        return refuse("its arguments are given twice: as pointers and as one buffer");
    if (q->extra) {
        if ((r = read_extra(q->extra, l))) return r;
        size_t room = (info->param_bytes + 3) & ~(size_t)3;
        if (l->param_bytes > room || info->param_bytes > padded_bytes)
            return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
        if (!l->params && l->param_bytes) return refuse("the buffer of its arguments is a null pointer");
        memset(padded, 0, info->param_bytes);
        size_t n = l->param_bytes < info->param_bytes ? l->param_bytes : info->param_bytes;
        if (n) memcpy(padded, l->params, n);
        l->params = padded;
        l->param_bytes = info->param_bytes;
        return CUDA_SUCCESS;
    }
    if (!info->nparams || l->params) return CUDA_SUCCESS;
    if (!q->arguments) return refuse("it has parameters, but no arguments were given");
    for (uint32_t i = 0; i < info->nparams; i++)
        if (!q->arguments[i]) return refuse("the pointer to one of its arguments is null");
    l->args = (const void *const *)q->arguments;
    return CUDA_SUCCESS;
}

/* More threads a block than .maxntid (__launch_bounds__) says? */
static bool beyond_bounds(const struct wg_launch *l, const struct wg_func_info *info) {
    uint64_t most = (uint64_t)info->maxntid[0] * (info->maxntid[1] ? info->maxntid[1] : 1) *
                    (info->maxntid[2] ? info->maxntid[2] : 1);
    return most && (uint64_t)l->block[0] * l->block[1] * l->block[2] > most;
}

/* Why machine/ would not have a launch, as the driver says it. */
static CUresult refusal(enum wg_status status, const struct wg_launch *l, const struct wg_func_info *info) {
    if (status == WG_OK) return CUDA_SUCCESS;
    char *detail = wg_thread_text(WG_TEXT_LAUNCH);
    snprintf(detail, WG_TEXT_BYTES, "%s", wg_last_detail());
    for (size_t n = strlen(detail); n && detail[n - 1] == '\n'; n--) detail[n - 1] = 0;
    bool invalid = status == WG_INVALID_CONFIGURATION || /* as the driver has it since CUDA 12 */
                   (status == WG_OUT_OF_RESOURCES && beyond_bounds(l, info));
    return invalid ? CUDA_ERROR_INVALID_VALUE : (CUresult)status;
}

/* The parameters as one buffer of their own. */
static void keep_parameters(struct wg_launch *l, const struct wg_func_info *info) {
    uint8_t *all = wg_xcalloc(1, info->param_bytes + 1);
    if (l->params) memcpy(all, l->params, l->param_bytes);
    for (uint32_t i = 0; i < info->nparams && !l->params; i++)
        memcpy(all + info->params[i].offset, l->args[i], info->params[i].size);
    l->params = all;
    l->param_bytes = info->param_bytes;
    l->args = NULL;
}

CUresult wg_launch_keep(CUfunction f, const struct wg_launch *l, void **arguments, void **extra,
                        struct wg_node_work *w) {
    struct CUctx_st *ctx;
    struct wg_func_info info;
    uint8_t padded[32768];
    struct request q = {.function = f, .l = *l, .arguments = arguments, .extra = extra};
    CUresult r = wg_function_of(f, &ctx, &q.l.func);
    if (r) return r;
    wg_func_info(q.l.func, &info);
    if ((r = give_parameters(&q, &info, padded, sizeof padded))) return r;
    if ((r = refusal(wg_launch_check(&q.l), &q.l, &info))) return r;
    keep_parameters(&q.l, &info);
    *w = (struct wg_node_work){.type = CU_GRAPH_NODE_TYPE_KERNEL, .kernel = {f, q.l}};
    return CUDA_SUCCESS;
}

static CUresult capture(struct request *q) {
    struct wg_node_work w;
    if (q->done[0] || q->done[1])
        return wg_not_supported("a launch attribute's event in a stream that is captured");
    CUresult r = wg_launch_keep(q->function, &q->l, q->arguments, q->extra, &w);
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
                 "its stream was created on device %d, and it is launched on device %d: call "
                 "cudaSetDevice(%d) before the launch",
                 of_stream->device, ctx->device, of_stream->device);
    else
        snprintf(detail, WG_TEXT_BYTES, "its stream belongs to another context");
    return CUDA_ERROR_INVALID_HANDLE;
}

static CUresult do_launch(struct request *q) {
    struct CUctx_st *ctx, *stream_ctx;
    struct wg_stream *s;
    struct wg_func_info info;
    uint8_t padded[32768];
    wg_launch_detail_clear();
    CUresult r = wg_function_of(q->function, &ctx, &q->l.func);
    if (r || (r = wg_stream_of(q->stream, &stream_ctx, &s))) return r;
    if (ctx != stream_ctx) return refuse_stream(ctx, stream_ctx);
    if ((r = wg_done(ctx, wg_device_status(ctx->dev)))) return r;
    if (wg_captured(q->stream)) return capture(q);
    if ((r = wg_capture_forbids(q->stream))) return r;
    wg_func_info(q->l.func, &info);
    if ((r = give_parameters(q, &info, padded, sizeof padded))) return r;
    enum wg_status status = wg_launch(s, &q->l);
    if (status == WG_OK) tell_doubt(&q->l, &info);
    status = (enum wg_status)refusal(status, &q->l, &info);
    for (int i = 0; i < 2 && status == WG_OK; i++)
        if (q->done[i]) status = (enum wg_status)cuEventRecord(q->done[i], q->stream);
    return wg_done(ctx, status);
}

static CUresult launch(struct request *q) {
    struct wg_call call = WG_CALL_BEGIN();
    CUresult r = do_launch(q);
    if (r == CUDA_ERROR_NOT_SUPPORTED) wg_check_not_run();
    wg_call_end(&call, "cuLaunchKernel", r);
    return r;
}

/* For programs that call the driver themselves; the runtime tells it in its own words. */
static CUresult launch_and_tell(struct request *q) {
    CUresult r = launch(q);
    const char *why = wg_launch_detail(), *name = "?", *code = "?";
    if (!r || !*why || wg_is_handed_on(r) || cuFuncGetName(&name, q->function)) return r;
    cuGetErrorName(r, &code);
    if (!wg_told_before(name, r)) wg_say("kernel %s was not launched: %s (%s)", name, why, code);
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
                        .arguments = arguments,
                        .extra = extra};
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
                        .arguments = arguments};
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
    q.arguments = arguments;
    q.extra = extra;
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
