/* Copies and fills of one, two and three dimensions, and the synchronous and stream-ordered form of each.
 *
 * All end in one function each: copy() and fill(). A side is said to be host, device, or either ("unified");
 * with one address space that decides only what is refused: pageable host memory where a device address must
 * be.
 */
#include "driver/array.h"
#include "driver/graph.h"
#include <string.h>

/* The function that the program called, and where. */
struct caller {
    const char *name;
    const void *from;
};
#define CALLER(NAME) ((struct caller){#NAME, __builtin_return_address(0)})

enum side { HOST, DEVICE, EITHER };
enum when { ASYNC, WAITING, OF_GRAPH };
struct job {
    enum side dst_side, src_side;
    struct wg_copy c;
};

/* May `p` stand on this side? */
static bool fits(struct CUctx_st *ctx, const void *p, enum side side) {
    if (!p) return false;
    return side != DEVICE || wg_mem_query(ctx->dev, p).kind != WG_MEM_NONE;
}

static void tell(struct CUctx_st *ctx, const struct wg_copy *c, const struct wg_stream *s) {
    bool from_host = wg_mem_query(ctx->dev, c->src).kind == WG_MEM_NONE;
    bool to_host = wg_mem_query(ctx->dev, c->dst).kind == WG_MEM_NONE;
    wg_call_moves((uint64_t)c->width * c->height * c->depth,
                  from_host ? to_host ? "host to host" : "host to device"
                  : to_host ? "device to host"
                            : "device to device",
                  s);
    wg_profile_copied(ctx->dev, c);
}

static CUmemorytype type_of(enum side side) {
    return side == HOST ? CU_MEMORYTYPE_HOST : side == DEVICE ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_UNIFIED;
}
static CUresult capture(const struct job *j, CUstream stream) {
    const struct wg_copy *c = &j->c;
    CUDA_MEMCPY3D p = {.dstMemoryType = type_of(j->dst_side),
                       .dstHost = c->dst,
                       .dstDevice = (CUdeviceptr)(uintptr_t)c->dst,
                       .dstPitch = c->dst_pitch,
                       .dstHeight = c->dst_pitch ? c->dst_slice / c->dst_pitch : 0,
                       .srcMemoryType = type_of(j->src_side),
                       .srcHost = c->src,
                       .srcDevice = (CUdeviceptr)(uintptr_t)c->src,
                       .srcPitch = c->src_pitch,
                       .srcHeight = c->src_pitch ? c->src_slice / c->src_pitch : 0,
                       .WidthInBytes = c->width,
                       .Height = c->height,
                       .Depth = c->depth};
    struct wg_node_work w;
    return wg_copy_work(&p, &w) ?: wg_capture_add(stream, &w);
}

static enum wg_status put(struct wg_stream *s, const struct wg_copy *c, enum when when) {
    return when == WAITING ? wg_copy_sync(s, c) : wg_copy(s, c);
}

enum wg_status wg_order_streams(struct wg_stream *before, struct wg_stream *behind) {
    struct wg_event *e;
    enum wg_status s = wg_event_create(wg_stream_device(before), WG_EVENT_NO_TIMING, &e);
    if (s != WG_OK) return s;
    s = wg_event_record(e, before);
    if (s == WG_OK) s = wg_stream_wait_event(behind, e);
    wg_event_destroy(e);
    return s;
}

/* A copy in the default stream begins behind all work of the devices whose memory it is about, and theirs comes behind
 * it. */
static enum wg_status put_between(struct CUctx_st *ctx, struct wg_stream *s, const struct wg_copy *c,
                                  enum when when) {
    const void *sides[2] = {c->src, c->dst};
    struct wg_stream *other[2] = {NULL, NULL};
    enum wg_status status = WG_OK;
    for (int i = 0; i < 2 && s == wg_device_stream(ctx->dev, WG_STREAM_LEGACY); i++) {
        struct wg_device *dev;
        enum wg_mem_kind kind = wg_mem_query_owner(ctx->dev, sides[i], &dev).kind;
        bool counts = dev && dev != ctx->dev && (kind == WG_MEM_DEVICE || kind == WG_MEM_MODULE);
        if (counts) other[i] = wg_device_stream(dev, WG_STREAM_LEGACY);
    }
    if (other[0] == other[1]) other[1] = NULL;
    for (int i = 0; i < 2 && status == WG_OK; i++)
        if (other[i]) status = wg_order_streams(other[i], s);
    if (status == WG_OK) status = put(s, c, when);
    for (int i = 0; i < 2 && status == WG_OK; i++)
        if (other[i]) status = wg_order_streams(s, other[i]);
    return status;
}

static CUresult do_copy(const struct job *j, CUstream stream, enum when when) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r || (r = wg_done(ctx, wg_device_status(ctx->dev)))) return r;
    if (!j->c.width || !j->c.height || !j->c.depth) return CUDA_SUCCESS;
    if (!fits(ctx, j->c.dst, j->dst_side) || !fits(ctx, j->c.src, j->src_side))
        return CUDA_ERROR_INVALID_VALUE;
    if (wg_captured(stream)) return capture(j, stream);
    if ((r = wg_capture_forbids(stream))) return r;
    tell(ctx, &j->c, s);
    bool between = wg_device_count() > 1 && when != OF_GRAPH;
    return wg_done(ctx, between ? put_between(ctx, s, &j->c, when) : put(s, &j->c, when));
}

static CUresult copy(struct caller by, const struct job *j, CUstream stream, enum when when) {
    struct wg_call call = wg_call_begin(by.name, by.from);
    CUresult r = do_copy(j, stream, when);
    wg_call_end(&call, when == WAITING ? "cuMemcpy" : "cuMemcpyAsync", r);
    return r;
}

static CUresult linear(struct caller by, enum side dst_side, CUdeviceptr dst, enum side src_side,
                       CUdeviceptr src, size_t n, CUstream stream, enum when when) {
    struct job j = {dst_side,
                    src_side,
                    {.dst = (void *)(uintptr_t)dst,
                     .src = (const void *)(uintptr_t)src,
                     .width = n,
                     .height = 1,
                     .depth = 1}};
    return copy(by, &j, stream, when);
}
#define HOST_ADDRESS(P) ((CUdeviceptr)(uintptr_t)(P))

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t n) {
    return linear(CALLER(cuMemcpy), EITHER, to, EITHER, from, n, NULL, WAITING);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
    return linear(CALLER(cuMemcpyAsync), EITHER, to, EITHER, from, n, s, ASYNC);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t n) {
    return linear(CALLER(cuMemcpyHtoD), DEVICE, to, HOST, HOST_ADDRESS(from), n, NULL, WAITING);
}
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t n) {
    return linear(CALLER(cuMemcpyDtoH), HOST, HOST_ADDRESS(to), DEVICE, from, n, NULL, WAITING);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t n) {
    return linear(CALLER(cuMemcpyDtoD), DEVICE, to, DEVICE, from, n, NULL, WAITING);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t n, CUstream s) {
    return linear(CALLER(cuMemcpyHtoDAsync), DEVICE, to, HOST, HOST_ADDRESS(from), n, s, ASYNC);
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t n, CUstream s) {
    return linear(CALLER(cuMemcpyDtoHAsync), HOST, HOST_ADDRESS(to), DEVICE, from, n, s, ASYNC);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
    return linear(CALLER(cuMemcpyDtoDAsync), DEVICE, to, DEVICE, from, n, s, ASYNC);
}

/* Contexts as a peer copy names them: NULL is the current one. */
static CUresult check_peers(CUcontext a, CUcontext b) {
    CUresult r = wg_initialized();
    if (r) return r;
    return (!a || wg_is_context(a)) && (!b || wg_is_context(b)) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                      size_t n) {
    CUresult r = check_peers(to_context, from_context);
    return r ? r : linear(CALLER(cuMemcpyPeer), DEVICE, to, DEVICE, from, n, NULL, WAITING);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           size_t n, CUstream s) {
    CUresult r = check_peers(to_context, from_context);
    return r ? r : linear(CALLER(cuMemcpyPeerAsync), DEVICE, to, DEVICE, from, n, s, ASYNC);
}

/* ---- Boxes -------------------------------------------------------------------------------------- */

/* One side of a 2D or 3D copy as the program describes it. */
struct box {
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, z, pitch, height;
};

/* The array's texels as a box of device memory. */
static CUresult place_array(const struct box *b, size_t width, size_t rows, size_t slices, uintptr_t *start,
                            size_t *pitch, size_t *slice) {
    const struct CUarray_st *a = b->array;
    if (!wg_is_array(b->array)) return CUDA_ERROR_INVALID_HANDLE;
    if (b->x + width > a->d.Width * a->texel_bytes || b->y + rows > a->rows || b->z + slices > a->slices)
        return CUDA_ERROR_INVALID_VALUE;
    *pitch = a->pitch;
    *slice = a->slice;
    *start = (uintptr_t)a->texels + b->z * a->slice + b->y * a->pitch + b->x;
    return CUDA_SUCCESS;
}

static CUresult place_box(const struct box *b, size_t width, size_t rows, size_t slices, enum side *side,
                          uintptr_t *start, size_t *pitch, size_t *slice) {
    uintptr_t base;
    if (b->type == CU_MEMORYTYPE_HOST)
        *side = HOST, base = (uintptr_t)b->host;
    else if (b->type == CU_MEMORYTYPE_DEVICE)
        *side = DEVICE, base = (uintptr_t)b->device;
    else if (b->type == CU_MEMORYTYPE_UNIFIED)
        *side = EITHER, base = (uintptr_t)b->device;
    else if (b->type == CU_MEMORYTYPE_ARRAY) {
        *side = DEVICE;
        return place_array(b, width, rows, slices, start, pitch, slice);
    } else
        return CUDA_ERROR_INVALID_VALUE;
    *pitch = b->pitch ? b->pitch : width + b->x;
    size_t height = b->height ? b->height : rows + b->y;
    if (!base || *pitch < width + b->x || (slices > 1 && height < rows + b->y))
        return CUDA_ERROR_INVALID_VALUE;
    if (__builtin_mul_overflow(*pitch, height, slice)) return CUDA_ERROR_INVALID_VALUE;
    *start = base + b->z * *slice + b->y * *pitch + b->x;
    return CUDA_SUCCESS;
}

static CUresult copy_boxes(struct caller by, const struct box *dst, const struct box *src, size_t width,
                           size_t rows, size_t slices, CUstream stream, enum when when) {
    struct job j = {.c = {.width = width, .height = rows, .depth = slices}};
    uintptr_t to = 0, from = 0;
    if (!width || !rows || !slices) return wg_initialized();
    CUresult r = place_box(dst, width, rows, slices, &j.dst_side, &to, &j.c.dst_pitch, &j.c.dst_slice);
    if (r || (r = place_box(src, width, rows, slices, &j.src_side, &from, &j.c.src_pitch, &j.c.src_slice)))
        return r;
    j.c.dst = (void *)to;
    j.c.src = (const void *)from;
    return copy(by, &j, stream, when);
}

static CUresult copy_2d(struct caller by, const CUDA_MEMCPY2D *c, CUstream stream, enum when when) {
    if (!c) return CUDA_ERROR_INVALID_VALUE;
    struct box dst = {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, 0,
                      c->dstPitch,      0};
    struct box src = {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, 0,
                      c->srcPitch,      0};
    return copy_boxes(by, &dst, &src, c->WidthInBytes, c->Height, 1, stream, when);
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy) { return copy_2d(CALLER(cuMemcpy2D), copy, NULL, WAITING); }
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy) {
    return copy_2d(CALLER(cuMemcpy2DUnaligned), copy, NULL, WAITING);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
    return copy_2d(CALLER(cuMemcpy2DAsync), copy, stream, ASYNC);
}

static CUresult copy_3d(struct caller by, const CUDA_MEMCPY3D *c, CUstream stream, enum when when) {
    if (!c || c->srcLOD || c->dstLOD) return CUDA_ERROR_INVALID_VALUE;
    struct box dst = {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes,
                      c->dstY,          c->dstZ,    c->dstPitch,  c->dstHeight};
    struct box src = {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes,
                      c->srcY,          c->srcZ,    c->srcPitch,  c->srcHeight};
    return copy_boxes(by, &dst, &src, c->WidthInBytes, c->Height, c->Depth, stream, when);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy) { return copy_3d(CALLER(cuMemcpy3D), copy, NULL, WAITING); }
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream) {
    return copy_3d(CALLER(cuMemcpy3DAsync), copy, stream, ASYNC);
}

static CUresult copy_3d_peer(struct caller by, const CUDA_MEMCPY3D_PEER *p, CUstream stream, enum when when) {
    CUDA_MEMCPY3D c;
    _Static_assert(sizeof c == sizeof *p, "they differ in the contexts alone");
    CUresult r = p ? check_peers(p->srcContext, p->dstContext) : CUDA_ERROR_INVALID_VALUE;
    if (r) return r;
    memcpy(&c, p, sizeof c);
    return copy_3d(by, &c, stream, when);
}
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy) {
    return copy_3d_peer(CALLER(cuMemcpy3DPeer), copy, NULL, WAITING);
}
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream) {
    return copy_3d_peer(CALLER(cuMemcpy3DPeerAsync), copy, stream, ASYNC);
}
CUresult wg_copy_run(const CUDA_MEMCPY3D *copy, CUstream stream) {
    return copy_3d(CALLER(cuGraphLaunch), copy, stream, OF_GRAPH);
}

/* ---- Bytes of an array's first row -------------------------------------------------------------- */

static CUresult copy_bytes(struct caller by, const struct box *dst, const struct box *src, size_t n,
                           CUstream stream, enum when when) {
    bool missing = (dst->type == CU_MEMORYTYPE_ARRAY && !dst->array) ||
                   (src->type == CU_MEMORYTYPE_ARRAY && !src->array);
    return missing ? CUDA_ERROR_INVALID_VALUE : copy_boxes(by, dst, src, n, 1, 1, stream, when);
}
#define IN_ARRAY(ARRAY, OFFSET) (&(struct box){.type = CU_MEMORYTYPE_ARRAY, .array = (ARRAY), .x = (OFFSET)})
#define ON_HOST(P)              (&(struct box){.type = CU_MEMORYTYPE_HOST, .host = (P)})
#define ON_DEVICE(P)            (&(struct box){.type = CU_MEMORYTYPE_DEVICE, .device = (P)})
CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t n) {
    return copy_bytes(CALLER(cuMemcpyHtoA), IN_ARRAY(to, offset), ON_HOST(from), n, NULL, WAITING);
}
CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t n) {
    return copy_bytes(CALLER(cuMemcpyAtoH), ON_HOST(to), IN_ARRAY(from, offset), n, NULL, WAITING);
}
CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t n) {
    return copy_bytes(CALLER(cuMemcpyDtoA), IN_ARRAY(to, offset), ON_DEVICE(from), n, NULL, WAITING);
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t n) {
    return copy_bytes(CALLER(cuMemcpyAtoD), ON_DEVICE(to), IN_ARRAY(from, offset), n, NULL, WAITING);
}
CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t n) {
    return copy_bytes(CALLER(cuMemcpyAtoA), IN_ARRAY(to, to_offset), IN_ARRAY(from, from_offset), n, NULL,
                      WAITING);
}
CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void *from, size_t n, CUstream s) {
    return copy_bytes(CALLER(cuMemcpyHtoAAsync), IN_ARRAY(to, offset), ON_HOST(from), n, s, ASYNC);
}
CUresult cuMemcpyAtoHAsync(void *to, CUarray from, size_t offset, size_t n, CUstream s) {
    return copy_bytes(CALLER(cuMemcpyAtoHAsync), ON_HOST(to), IN_ARRAY(from, offset), n, s, ASYNC);
}

/* ---- Fills -------------------------------------------------------------------------------------- */

enum fill_call { FILL_AND_WAIT, FILL_IN_STREAM, FILL_IN_GRAPH };

/* As on hardware, a stream that the program made fills what kernels of its device may touch. The default streams are
 * not measured, and a graph's node is of the device that it was captured on. */
static bool may_fill(struct CUctx_st *ctx, const void *p, CUstream stream, enum fill_call how) {
    if (how != FILL_IN_STREAM || (uintptr_t)stream <= (uintptr_t)CU_STREAM_PER_THREAD ||
        wg_mem_query(ctx->dev, p).kind != WG_MEM_DEVICE || wg_mem_is_reached(ctx->dev, p) ||
        wg_owner_of(ctx, p)->device == ctx->device)
        return true;
    wg_say_verbose(1, "device %d, whose stream is to set the memory at %p, has no access to it", ctx->device,
                   p);
    return false;
}

static CUresult do_fill(CUdeviceptr pointer, size_t pitch, uint32_t value, unsigned element, size_t width,
                        size_t height, CUstream stream, enum fill_call how) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    size_t row;
    CUresult r = wg_stream_of(stream, &ctx, &s);
    if (r || (r = wg_done(ctx, wg_device_status(ctx->dev)))) return r;
    if (!width || !height) return CUDA_SUCCESS;
    void *p = (void *)(uintptr_t)pointer;
    if (__builtin_mul_overflow(width, (size_t)element, &row) || pointer % element ||
        (height > 1 && (pitch < row || pitch % element)))
        return CUDA_ERROR_INVALID_VALUE;
    if (!fits(ctx, p, DEVICE) || !may_fill(ctx, p, stream, how)) return CUDA_ERROR_INVALID_VALUE;
    if (wg_captured(stream)) {
        struct wg_node_work w;
        CUDA_MEMSET_NODE_PARAMS f = {pointer, pitch, value, element, width, height};
        return wg_fill_work(&f, &w) ?: wg_capture_add(stream, &w);
    }
    if ((r = wg_capture_forbids(stream))) return r;
    wg_call_moves((uint64_t)row * height, "fill", s);
    enum wg_status status = wg_fill(s, p, pitch, value, element, width, height);
    /* On the GPU a fill of device memory returns at once, one of host memory when it is done. */
    if (status == WG_OK && how == FILL_AND_WAIT && wg_mem_query(ctx->dev, p).kind != WG_MEM_DEVICE)
        status = wg_stream_sync(s);
    return wg_done(ctx, status);
}

static CUresult fill(struct caller by, CUdeviceptr pointer, size_t pitch, uint32_t value, unsigned element,
                     size_t width, size_t height, CUstream stream, enum fill_call how) {
    struct wg_call call = wg_call_begin(by.name, by.from);
    CUresult r = do_fill(pointer, pitch, value, element, width, height, stream, how);
    wg_call_end(&call, how == FILL_AND_WAIT ? "cuMemset" : "cuMemsetAsync", r);
    return r;
}

CUresult wg_fill_again(const CUDA_MEMSET_NODE_PARAMS *f, CUstream stream) {
    return fill(CALLER(cuGraphLaunch), f->dst, f->pitch, f->value, f->elementSize, f->width, f->height,
                stream, FILL_IN_GRAPH);
}

/* CUDA's versioned names: a plain cuMemsetD8 is the symbol cuMemsetD8_v2. */
#define FILL(BITS, TYPE)                                                                                     \
    CUresult cuMemsetD##BITS##_v2(CUdeviceptr p, TYPE v, size_t n) {                                         \
        return fill(CALLER(cuMemsetD##BITS), p, 0, v, BITS / 8, n, 1, NULL, FILL_AND_WAIT);                  \
    }                                                                                                        \
    CUresult cuMemsetD##BITS##Async(CUdeviceptr p, TYPE v, size_t n, CUstream s) {                           \
        return fill(CALLER(cuMemsetD##BITS##Async), p, 0, v, BITS / 8, n, 1, s, FILL_IN_STREAM);             \
    }                                                                                                        \
    CUresult cuMemsetD2D##BITS##_v2(CUdeviceptr p, size_t pitch, TYPE v, size_t w, size_t h) {               \
        return fill(CALLER(cuMemsetD2D##BITS), p, pitch, v, BITS / 8, w, h, NULL, FILL_AND_WAIT);            \
    }                                                                                                        \
    CUresult cuMemsetD2D##BITS##Async(CUdeviceptr p, size_t pitch, TYPE v, size_t w, size_t h, CUstream s) { \
        return fill(CALLER(cuMemsetD2D##BITS##Async), p, pitch, v, BITS / 8, w, h, s, FILL_IN_STREAM);       \
    }
FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned int)
