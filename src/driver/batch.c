/* Copies, prefetches and discards in batches. A batch that is not described as it should be does nothing. What is in it goes
 * into the stream one after the other, which is one of the orders that a program has to expect.
 */
#include "driver/array.h"

/* Batches have no place in the default stream of all threads. */
static CUresult check_batch(size_t n, CUstream stream) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    if (!n || !stream || stream == CU_STREAM_LEGACY) return CUDA_ERROR_INVALID_VALUE;
    return wg_stream_of(stream, &ctx, &s);
}

/* Which operation each attribute is for from on: the first, and later ones. */
static CUresult check_firsts(const size_t *firsts, size_t n, size_t operations) {
    if (!n || n > operations || !firsts || firsts[0]) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 1; i < n; i++)
        if (firsts[i] <= firsts[i - 1] || firsts[i] >= operations) return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

static bool is_order(CUmemcpySrcAccessOrder order) {
    return order >= CU_MEMCPY_SRC_ACCESS_ORDER_STREAM && order <= CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
}
static bool is_flag(unsigned int flags) {
    return !(flags & ~(unsigned)CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE);
}

/* A source that is to be read during the call has been when the stream has come to its end. */
static CUresult end_batch(CUresult r, bool at_once, CUstream stream) {
    return r || !at_once ? r : cuStreamSynchronize(stream);
}

CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t n,
                            CUmemcpyAttributes *attributes, size_t *firsts, size_t nattributes,
                            CUstream stream) {
    CUresult r = check_batch(n, stream);
    if (r) return r;
    if (!to || !from || !bytes || !attributes) return CUDA_ERROR_INVALID_VALUE;
    if ((r = check_firsts(firsts, nattributes, n))) return r;
    for (size_t i = 0; i < nattributes; i++)
        if (!is_order(attributes[i].srcAccessOrder) || !is_flag(attributes[i].flags))
            return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n; i++)
        if (!to[i] || !from[i] || !bytes[i]) return CUDA_ERROR_INVALID_VALUE;
    bool at_once = false;
    for (size_t i = 0; i < nattributes; i++)
        at_once |= attributes[i].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    for (size_t i = 0; i < n && !r; i++) r = cuMemcpyAsync(to[i], from[i], bytes[i], stream);
    return end_batch(r, at_once, stream);
}

/* ---- Boxes -------------------------------------------------------------------------------------- */

/* Bytes of the elements that extents and offsets count: an array's, or 1. */
static CUresult element_of(const CUmemcpy3DOperand *o, size_t *bytes) {
    if (o->type == CU_MEMCPY_OPERAND_TYPE_POINTER)
        return o->op.ptr.ptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (o->type != CU_MEMCPY_OPERAND_TYPE_ARRAY || !wg_is_array(o->op.array.array))
        return CUDA_ERROR_INVALID_VALUE;
    *bytes = o->op.array.array->texel_bytes;
    return CUDA_SUCCESS;
}

/* One side of a copy: SIDE is src or dst, as in both structs. */
#define FILL_SIDE(C, OP, SIDE, ELEMENT)                                                                      \
    do {                                                                                                     \
        if ((OP)->SIDE.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {                                               \
            (C)->SIDE##MemoryType = CU_MEMORYTYPE_ARRAY;                                                     \
            (C)->SIDE##Array = (OP)->SIDE.op.array.array;                                                    \
            (C)->SIDE##XInBytes = (OP)->SIDE.op.array.offset.x * (ELEMENT);                                  \
            (C)->SIDE##Y = (OP)->SIDE.op.array.offset.y;                                                     \
            (C)->SIDE##Z = (OP)->SIDE.op.array.offset.z;                                                     \
        } else {                                                                                             \
            (C)->SIDE##MemoryType = CU_MEMORYTYPE_UNIFIED;                                                   \
            (C)->SIDE##Device = (OP)->SIDE.op.ptr.ptr;                                                       \
            (C)->SIDE##Pitch = (OP)->SIDE.op.ptr.rowLength * (ELEMENT);                                      \
            (C)->SIDE##Height = (OP)->SIDE.op.ptr.layerHeight;                                               \
        }                                                                                                    \
    } while (0)

static CUresult box_of(const CUDA_MEMCPY3D_BATCH_OP *op, CUDA_MEMCPY3D *c) {
    size_t element = 1;
    CUresult r = element_of(&op->src, &element) ?: element_of(&op->dst, &element);
    if (r) return r;
    if (!op->extent.width || !op->extent.height || !op->extent.depth || !is_order(op->srcAccessOrder) ||
        !is_flag(op->flags))
        return CUDA_ERROR_INVALID_VALUE;
    *c = (CUDA_MEMCPY3D){
        .WidthInBytes = op->extent.width * element, .Height = op->extent.height, .Depth = op->extent.depth};
    FILL_SIDE(c, op, src, element);
    FILL_SIDE(c, op, dst, element);
    return CUDA_SUCCESS;
}

CUresult cuMemcpy3DBatchAsync(size_t n, CUDA_MEMCPY3D_BATCH_OP *operations, unsigned long long flags,
                              CUstream stream) {
    CUDA_MEMCPY3D c;
    CUresult r = check_batch(n, stream);
    if (r) return r;
    if (!operations || flags) return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n && !r; i++) r = box_of(&operations[i], &c);
    bool at_once = false;
    for (size_t i = 0; i < n && !r; i++) {
        at_once |= operations[i].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
        if (!(r = box_of(&operations[i], &c))) r = cuMemcpy3DAsync(&c, stream);
    }
    return end_batch(r, at_once, stream);
}

/* ---- Managed memory ----------------------------------------------------------------------------- */

CUresult cuMemPrefetchBatchAsync(CUdeviceptr *pointers, size_t *bytes, size_t n, CUmemLocation *places,
                                 size_t *firsts, size_t nplaces, unsigned long long flags, CUstream stream) {
    CUresult r = check_batch(n, stream);
    if (r) return r;
    if (!pointers || !bytes || !places || flags) return CUDA_ERROR_INVALID_VALUE;
    if ((r = check_firsts(firsts, nplaces, n))) return r;
    for (size_t i = 0, a = 0; i < n && !r; i++) {
        if (a + 1 < nplaces && firsts[a + 1] == i) a++;
        r = cuMemPrefetchAsync(pointers[i], bytes[i], places[a], 0, stream);
    }
    return r;
}
/* What is discarded may keep its values. */
CUresult cuMemDiscardBatchAsync(CUdeviceptr *pointers, size_t *bytes, size_t n, unsigned long long flags,
                                CUstream stream) {
    CUresult r = check_batch(n, stream);
    if (r) return r;
    if (!pointers || !bytes || flags) return CUDA_ERROR_INVALID_VALUE;
    CUmemLocation host = {.type = CU_MEM_LOCATION_TYPE_HOST};
    for (size_t i = 0; i < n && !r; i++) r = cuMemPrefetchAsync(pointers[i], bytes[i], host, 0, stream);
    return r;
}
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *pointers, size_t *bytes, size_t n,
                                           CUmemLocation *places, size_t *firsts, size_t nplaces,
                                           unsigned long long flags, CUstream stream) {
    return cuMemPrefetchBatchAsync(pointers, bytes, n, places, firsts, nplaces, flags, stream);
}
