/* Copies and fills.
 *
 * A direction promises on which side device addresses stand; as on the GPU, a promise that the pointers break
 * is cudaErrorInvalidValue, and pinned or managed memory may stand anywhere.
 */
#include "runtime/runtime.h"

static CUdeviceptr device_address(const void *p) { return (CUdeviceptr)(uintptr_t)p; }
enum { MAX_PITCH = 0x7fffffff };

static CUresult check_kind(enum cudaMemcpyKind kind) {
    return (unsigned)kind <= cudaMemcpyDefault ? CUDA_SUCCESS : (CUresult)cudaErrorInvalidMemcpyDirection;
}
static CUmemorytype side(bool device) { return device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_UNIFIED; }
static bool to_device(enum cudaMemcpyKind k) {
    return k == cudaMemcpyHostToDevice || k == cudaMemcpyDeviceToDevice;
}
static bool from_device(enum cudaMemcpyKind k) {
    return k == cudaMemcpyDeviceToHost || k == cudaMemcpyDeviceToDevice;
}

/* ---- Lines -------------------------------------------------------------------------------------- */

static CUresult copy_line(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t stream,
                          bool wait) {
    CUdeviceptr t = device_address(to), f = device_address(from);
    CUresult r = wg_start();
    if (r || !n) return r;
    if ((r = check_kind(kind))) return r;
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return wait ? cuMemcpyHtoD(t, from, n) : cuMemcpyHtoDAsync(t, from, n, stream);
    case cudaMemcpyDeviceToHost: return wait ? cuMemcpyDtoH(to, f, n) : cuMemcpyDtoHAsync(to, f, n, stream);
    case cudaMemcpyDeviceToDevice: return wait ? cuMemcpyDtoD(t, f, n) : cuMemcpyDtoDAsync(t, f, n, stream);
    default: return wait ? cuMemcpy(t, f, n) : cuMemcpyAsync(t, f, n, stream);
    }
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind) {
    return wg_note(copy_line(to, from, n, kind, NULL, true));
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return wg_note(copy_line(to, from, n, kind, stream, false));
}

static CUresult check_peers(int a, int b) {
    CUdevice d;
    return cuDeviceGet(&d, a) ?: cuDeviceGet(&d, b);
}
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t n) {
    return wg_note(wg_start() ?: check_peers(to_device, from_device) ?: copy_line(to, from, n, cudaMemcpyDeviceToDevice, NULL, true));
}
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t n,
                                cudaStream_t stream) {
    return wg_note(wg_start() ?: check_peers(to_device, from_device) ?: copy_line(to, from, n, cudaMemcpyDeviceToDevice, stream, false));
}

/* ---- To and from variables ---------------------------------------------------------------------- */

static CUresult symbol_range(const void *symbol, size_t n, size_t offset, CUdeviceptr *at) {
    size_t size;
    CUresult r = wg_start() ?: wg_symbol_of(symbol, at, &size);
    if (r) return r;
    if (n && (offset > size || n > size - offset)) return CUDA_ERROR_INVALID_VALUE;
    *at += offset;
    return CUDA_SUCCESS;
}
static CUresult copy_to_symbol(const void *symbol, const void *from, size_t n, size_t offset,
                               enum cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
    CUdeviceptr at;
    CUresult r = symbol_range(symbol, n, offset, &at);
    if (r) return r;
    if (!to_device(kind) && kind != cudaMemcpyDefault) return (CUresult)cudaErrorInvalidMemcpyDirection;
    return copy_line((void *)(uintptr_t)at, from, n, kind, stream, wait);
}
static CUresult copy_from_symbol(void *to, const void *symbol, size_t n, size_t offset,
                                 enum cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
    CUdeviceptr at;
    CUresult r = symbol_range(symbol, n, offset, &at);
    if (r) return r;
    if (!from_device(kind) && kind != cudaMemcpyDefault) return (CUresult)cudaErrorInvalidMemcpyDirection;
    return copy_line(to, (const void *)(uintptr_t)at, n, kind, stream, wait);
}
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t n, size_t offset,
                               enum cudaMemcpyKind kind) {
    return wg_note(copy_to_symbol(symbol, from, n, offset, kind, NULL, true));
}
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t n, size_t offset,
                                 enum cudaMemcpyKind kind) {
    return wg_note(copy_from_symbol(to, symbol, n, offset, kind, NULL, true));
}
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t n, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
    return wg_note(copy_to_symbol(symbol, from, n, offset, kind, stream, false));
}
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t n, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
    return wg_note(copy_from_symbol(to, symbol, n, offset, kind, stream, false));
}

/* ---- Boxes -------------------------------------------------------------------------------------- */

static CUresult copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                        size_t height, enum cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
    CUresult r = wg_start();
    if (r || !width || !height) return r;
    if ((r = check_kind(kind))) return r;
    if (!to || !from || to_pitch > MAX_PITCH || from_pitch > MAX_PITCH) return CUDA_ERROR_INVALID_VALUE;
    if (width > to_pitch || width > from_pitch)
        return height > 1 ? (CUresult)cudaErrorInvalidPitchValue : CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY2D c = {.dstMemoryType = side(to_device(kind)),
                       .dstDevice = device_address(to),
                       .dstPitch = to_pitch,
                       .srcMemoryType = side(from_device(kind)),
                       .srcDevice = device_address(from),
                       .srcPitch = from_pitch,
                       .WidthInBytes = width,
                       .Height = height};
    return wait ? cuMemcpy2D(&c) : cuMemcpy2DAsync(&c, stream);
}
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) {
    return wg_note(copy_2d(to, to_pitch, from, from_pitch, width, height, kind, NULL, true));
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
    return wg_note(copy_2d(to, to_pitch, from, from_pitch, width, height, kind, stream, false));
}

/* `texel`: how many bytes the extent counts in. */
static CUDA_MEMCPY3D box_of(const struct cudaMemcpy3DParms *p, size_t texel) {
    return (CUDA_MEMCPY3D){.srcXInBytes = p->srcPos.x,
                           .srcY = p->srcPos.y,
                           .srcZ = p->srcPos.z,
                           .srcMemoryType = side(from_device(p->kind)),
                           .srcDevice = device_address(p->srcPtr.ptr),
                           .srcPitch = p->srcPtr.pitch,
                           .srcHeight = p->srcPtr.ysize,
                           .dstXInBytes = p->dstPos.x,
                           .dstY = p->dstPos.y,
                           .dstZ = p->dstPos.z,
                           .dstMemoryType = side(to_device(p->kind)),
                           .dstDevice = device_address(p->dstPtr.ptr),
                           .dstPitch = p->dstPtr.pitch,
                           .dstHeight = p->dstPtr.ysize,
                           .WidthInBytes = p->extent.width * texel,
                           .Height = p->extent.height,
                           .Depth = p->extent.depth};
}

/* Where an array takes part, extents and its own positions count texels. */
static void array_side(cudaArray_t array, struct cudaPos at, CUmemorytype *type, CUarray *out, size_t *x) {
    if (!array) return;
    CUDA_ARRAY3D_DESCRIPTOR d;
    *type = CU_MEMORYTYPE_ARRAY;
    *out = (CUarray)array;
    if (!cuArray3DGetDescriptor(&d, *out)) *x = at.x * wg_texel_bytes(&d);
}
static CUresult array_box_of(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *c) {
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult r = cuArray3DGetDescriptor(&d, (CUarray)(p->srcArray ? p->srcArray : p->dstArray));
    if (r) return r;
    if ((p->srcArray && p->srcPtr.ptr) || (p->dstArray && p->dstPtr.ptr) ||
        (!p->srcArray && !p->srcPtr.ptr) || (!p->dstArray && !p->dstPtr.ptr))
        return CUDA_ERROR_INVALID_VALUE;
    *c = box_of(p, wg_texel_bytes(&d));
    array_side(p->srcArray, p->srcPos, &c->srcMemoryType, &c->srcArray, &c->srcXInBytes);
    array_side(p->dstArray, p->dstPos, &c->dstMemoryType, &c->dstArray, &c->dstXInBytes);
    return CUDA_SUCCESS;
}

static bool rows_fit(const struct cudaPitchedPtr *p, struct cudaPos at, struct cudaExtent e) {
    return at.x + e.width <= p->pitch && (e.depth == 1 || at.y + e.height <= p->ysize);
}
CUresult wg_box_of(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *c) {
    CUresult r = wg_start();
    if (r) return r;
    if (!p) return CUDA_ERROR_INVALID_VALUE;
    struct cudaExtent e = p->extent;
    *c = (CUDA_MEMCPY3D){0};
    if ((r = check_kind(p->kind))) return r;
    if (!e.width || !e.height || !e.depth) return CUDA_SUCCESS;
    if (p->srcArray || p->dstArray) return array_box_of(p, c);
    if (!p->srcPtr.ptr || !p->dstPtr.ptr) return CUDA_ERROR_INVALID_VALUE;
    if (!rows_fit(&p->srcPtr, p->srcPos, e) || !rows_fit(&p->dstPtr, p->dstPos, e))
        return (CUresult)cudaErrorInvalidPitchValue;
    *c = box_of(p, 1);
    return CUDA_SUCCESS;
}
/* The other way round: a copy that a graph keeps. */
void wg_box_from(const CUDA_MEMCPY3D *c, struct cudaMemcpy3DParms *p) {
    bool to = c->dstMemoryType == CU_MEMORYTYPE_DEVICE || c->dstArray;
    bool from = c->srcMemoryType == CU_MEMORYTYPE_DEVICE || c->srcArray;
    const void *source =
        c->srcMemoryType == CU_MEMORYTYPE_HOST ? c->srcHost : (void *)(uintptr_t)c->srcDevice;
    void *target = c->dstMemoryType == CU_MEMORYTYPE_HOST ? c->dstHost : (void *)(uintptr_t)c->dstDevice;
    size_t to_pitch = c->dstPitch ? c->dstPitch : c->WidthInBytes;
    size_t from_pitch = c->srcPitch ? c->srcPitch : c->WidthInBytes;
    CUDA_ARRAY3D_DESCRIPTOR d;
    size_t texel = 1;
    CUarray array = c->srcArray ? c->srcArray : c->dstArray;
    if (array && !cuArray3DGetDescriptor(&d, array)) texel = wg_texel_bytes(&d);
    *p = (struct cudaMemcpy3DParms){
        .srcArray = (cudaArray_t)c->srcArray,
        .srcPos = {c->srcArray ? c->srcXInBytes / texel : c->srcXInBytes, c->srcY, c->srcZ},
        .srcPtr = {(void *)(uintptr_t)source, from_pitch, from_pitch,
                   c->srcHeight ? c->srcHeight : c->Height},
        .dstArray = (cudaArray_t)c->dstArray,
        .dstPos = {c->dstArray ? c->dstXInBytes / texel : c->dstXInBytes, c->dstY, c->dstZ},
        .dstPtr = {target, to_pitch, to_pitch, c->dstHeight ? c->dstHeight : c->Height},
        .extent = {c->WidthInBytes / texel, c->Height, c->Depth},
        .kind = to && from ? cudaMemcpyDeviceToDevice
                : to       ? cudaMemcpyHostToDevice
                : from     ? cudaMemcpyDeviceToHost
                           : cudaMemcpyDefault};
}
CUresult wg_line_of(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, CUDA_MEMCPY3D *c) {
    CUresult r = wg_start() ?: check_kind(kind);
    if (r) return r;
    *c = (CUDA_MEMCPY3D){.srcMemoryType = side(from_device(kind)),
                         .srcDevice = device_address(from),
                         .dstMemoryType = side(to_device(kind)),
                         .dstDevice = device_address(to),
                         .WidthInBytes = n,
                         .Height = 1,
                         .Depth = 1};
    return CUDA_SUCCESS;
}
static CUresult copy_3d(const struct cudaMemcpy3DParms *p, cudaStream_t stream, bool wait) {
    CUDA_MEMCPY3D c;
    CUresult r = wg_box_of(p, &c);
    if (r || !c.Depth) return r;
    return wait ? cuMemcpy3D(&c) : cuMemcpy3DAsync(&c, stream);
}
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy) { return wg_note(copy_3d(copy, NULL, true)); }
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream) {
    return wg_note(copy_3d(copy, stream, false));
}

static CUresult copy_3d_peer(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream, bool wait) {
    CUresult r = wg_start();
    if (r) return r;
    if (!p) return CUDA_ERROR_INVALID_VALUE;
    struct cudaMemcpy3DParms c = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                  p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDefault};
    return check_peers(p->srcDevice, p->dstDevice) ?: copy_3d(&c, stream, wait);
}
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *copy) {
    return wg_note(copy_3d_peer(copy, NULL, true));
}
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *copy, cudaStream_t stream) {
    return wg_note(copy_3d_peer(copy, stream, false));
}

/* ---- Fills -------------------------------------------------------------------------------------- */

cudaError_t cudaMemset(void *pointer, int byte, size_t n) {
    return wg_note(wg_start() ?: cuMemsetD8(device_address(pointer), (unsigned char)byte, n));
}
cudaError_t cudaMemsetAsync(void *pointer, int byte, size_t n, cudaStream_t stream) {
    return wg_note(wg_start() ?: cuMemsetD8Async(device_address(pointer), (unsigned char)byte, n, stream));
}
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int byte, size_t width, size_t height) {
    return wg_note(wg_start()
                       ?: cuMemsetD2D8(device_address(pointer), pitch, (unsigned char)byte, width, height));
}
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int byte, size_t width, size_t height,
                              cudaStream_t stream) {
    return wg_note(
        wg_start()
            ?: cuMemsetD2D8Async(device_address(pointer), pitch, (unsigned char)byte, width, height, stream));
}

/* Slice by slice: a slice's rows need not reach the next slice. */
static CUresult fill_3d(struct cudaPitchedPtr p, int byte, struct cudaExtent e, cudaStream_t stream,
                        bool wait) {
    CUresult r = wg_start();
    if (r || !e.width || !e.height || !e.depth) return r;
    if (!p.ptr || e.width > p.pitch || (e.depth > 1 && e.height > p.ysize)) return CUDA_ERROR_INVALID_VALUE;
    for (size_t z = 0; z < e.depth && !r; z++) {
        CUdeviceptr at = device_address(p.ptr) + z * p.pitch * p.ysize;
        r = wait ? cuMemsetD2D8(at, p.pitch, (unsigned char)byte, e.width, e.height)
                 : cuMemsetD2D8Async(at, p.pitch, (unsigned char)byte, e.width, e.height, stream);
    }
    return r;
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int byte, struct cudaExtent extent) {
    return wg_note(fill_3d(pointer, byte, extent, NULL, true));
}
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int byte, struct cudaExtent extent,
                              cudaStream_t stream) {
    return wg_note(fill_3d(pointer, byte, extent, stream, false));
}
