/* Values in memory as signals: streams write them and wait for them. There is nothing to flush and no barrier to make: what
 * other streams, kernels and the host have written is seen in any case, and a stream's operations follow each other.
 */
#include "driver/graph.h"

enum { MOST = 256, TESTS = 3 }; /* a batch has fewer operations */

/* The stream, if values may be put into it now. */
static CUresult find_stream(CUstream stream, struct CUctx_st **ctx, struct wg_stream **s) {
    CUresult r = wg_stream_of(stream, ctx, s);
    if (r) return r;
    if (wg_captured(stream)) {
        wg_capture_fails(stream);
        return wg_not_supported("cuStreamBatchMemOp or one of its like in a stream that is captured");
    }
    return wg_capture_forbids(stream);
}

static bool is_place(CUdeviceptr at, unsigned bytes) { return at && at % bytes == 0; }

static CUresult check_wait(CUdeviceptr at, unsigned bytes, unsigned int flags) {
    bool good = is_place(at, bytes) && !(flags & ~(unsigned)(TESTS | CU_STREAM_WAIT_VALUE_FLUSH));
    return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
static CUresult check_write(CUdeviceptr at, unsigned bytes, unsigned int flags) {
    bool good = is_place(at, bytes) && !(flags & ~(unsigned)CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER);
    return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult check_operation(const CUstreamBatchMemOpParams *o) {
    switch (o->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32: return check_wait(o->waitValue.address, 4, o->waitValue.flags);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64: return check_wait(o->waitValue.address, 8, o->waitValue.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32: return check_write(o->writeValue.address, 4, o->writeValue.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64: return check_write(o->writeValue.address, 8, o->writeValue.flags);
    case CU_STREAM_MEM_OP_BARRIER:
        return o->memoryBarrier.flags > CU_STREAM_MEMORY_BARRIER_TYPE_GPU ? CUDA_ERROR_INVALID_VALUE
                                                                          : CUDA_SUCCESS;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        return o->flushRemoteWrites.flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

/* In the order of CUDA's flags. */
static enum wg_value_test test_of(unsigned int flags) { return (enum wg_value_test)(flags & TESTS); }

static enum wg_status put_operation(struct wg_stream *s, const CUstreamBatchMemOpParams *o) {
    bool wide =
        o->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 || o->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
    switch (o->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        return wg_stream_wait_value(s, (const void *)(uintptr_t)o->waitValue.address,
                                    wide ? o->waitValue.value64 : o->waitValue.value, wide ? 8 : 4,
                                    test_of(o->waitValue.flags));
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        return wg_stream_write_value(s, (void *)(uintptr_t)o->writeValue.address,
                                     wide ? o->writeValue.value64 : o->writeValue.value, wide ? 8 : 4);
    default: return WG_OK;
    }
}

static CUresult put(CUstream stream, unsigned int n, const CUstreamBatchMemOpParams *operations) {
    struct CUctx_st *ctx;
    struct wg_stream *s;
    CUresult r = find_stream(stream, &ctx, &s);
    for (unsigned int i = 0; i < n && !r; i++) r = check_operation(&operations[i]);
    for (unsigned int i = 0; i < n && !r; i++) r = wg_done(ctx, put_operation(s, &operations[i]));
    return r;
}

CUresult cuStreamBatchMemOp(CUstream stream, unsigned int n, CUstreamBatchMemOpParams *operations,
                            unsigned int flags) {
    struct wg_call call = wg_call_begin("cuStreamBatchMemOp", __builtin_return_address(0));
    CUresult r =
        flags || n >= MOST || (n && !operations) ? CUDA_ERROR_INVALID_VALUE : put(stream, n, operations);
    wg_call_end(&call, "cuStreamBatchMemOp", r);
    return r;
}

#define WAIT(BITS, FIELD)                                                                                    \
    CUresult cuStreamWaitValue##BITS##_v2(CUstream stream, CUdeviceptr at, cuuint##BITS##_t value,           \
                                          unsigned int flags) {                                              \
        struct wg_call call = wg_call_begin("cuStreamWaitValue" #BITS, __builtin_return_address(0));         \
        CUstreamBatchMemOpParams o = {                                                                       \
            .waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_##BITS, at, {.FIELD = value}, flags, 0}};              \
        CUresult r = put(stream, 1, &o);                                                                     \
        wg_call_end(&call, "cuStreamWaitValue" #BITS, r);                                                    \
        return r;                                                                                            \
    }
#define WRITE(BITS, FIELD)                                                                                   \
    CUresult cuStreamWriteValue##BITS##_v2(CUstream stream, CUdeviceptr at, cuuint##BITS##_t value,          \
                                           unsigned int flags) {                                             \
        struct wg_call call = wg_call_begin("cuStreamWriteValue" #BITS, __builtin_return_address(0));        \
        CUstreamBatchMemOpParams o = {                                                                       \
            .writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_##BITS, at, {.FIELD = value}, flags, 0}};            \
        CUresult r = put(stream, 1, &o);                                                                     \
        wg_call_end(&call, "cuStreamWriteValue" #BITS, r);                                                   \
        return r;                                                                                            \
    }
WAIT(32, value)
WAIT(64, value64)
WRITE(32, value)
WRITE(64, value64)
