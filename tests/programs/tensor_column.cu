/* A box of a tensor that begins at its column 1: rows of tensors are copied from multiples of 16 bytes only,
 * and an H200 stops with an illegal instruction. */
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                           const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                           CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

__device__ static unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void load_box(const __grid_constant__ CUtensorMap map, int *out, int column) {
    alignas(128) __shared__ int box[8][8];
    __shared__ uint64_t arrived;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&arrived)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&arrived)), "r"(256)
                     : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, "
                     "{%2, 0}], [%3];" ::"r"(at(box)),
                     "l"(&map), "r"(column), "r"(at(&arrived))
                     : "memory");
    }
    asm volatile("{ .reg .pred done; again_%=: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0; "
                 "@!done bra again_%=; }" ::"r"(at(&arrived))
                 : "memory");
    out[threadIdx.x] = box[threadIdx.x / 8][threadIdx.x % 8];
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 64 * 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(in, 0, 64 * 64 * sizeof(int));
    CUtensorMap map;
    const cuuint64_t size[] = {64, 64}, stride[] = {256};
    const cuuint32_t box[] = {8, 8}, every[] = {1, 1};
    void *encode = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found);
    reinterpret_cast<Encode>(encode)(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, in, size, stride, box, every,
                                     CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                     CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    for (int column : {4, 1}) {
        load_box<<<1, 64>>>(map, out, column);
        printf("column %d: %s\n", column, cudaDeviceSynchronize() == cudaSuccess ? "copied" : "refused");
    }
    return 0;
}
