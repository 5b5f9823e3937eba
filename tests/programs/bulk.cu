/* Copies of many bytes by one thread: bulk copies, tensors with swizzled boxes and edges, several blocks. */
#include "program.h"
#include <cstdint>
#include <cuda.h>

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(uint64_t *bar, int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(bar)), "r"(count) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
}
__device__ void expect(uint64_t *bar, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes)
                 : "memory");
}
__device__ void wait(uint64_t *bar, unsigned parity) {
    unsigned done;
    do
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
            : "=r"(done)
            : "r"(at(bar)), "r"(parity)
            : "memory");
    while (!done);
}

/* in -> shared -> out and, added, -> sums */
__global__ void lines(const int *in, int *out, int *sums) {
    alignas(128) __shared__ int buffer[256];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        init(&bar, 1);
        expect(&bar, sizeof buffer);
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                at(buffer)),
            "l"(in + blockIdx.x * 256), "r"((int)sizeof buffer), "r"(at(&bar))
            : "memory");
    }
    __syncthreads();
    wait(&bar, 0);
    buffer[threadIdx.x] += 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile(
            "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + blockIdx.x * 256),
            "r"(at(buffer)), "r"((int)sizeof buffer)
            : "memory");
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(sums),
                     "r"(at(buffer)), "r"((int)sizeof buffer)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

/* A 32x32 box of a matrix at (x, y) goes to another at (x2, y2); the boxes may stick out. */
__global__ void boxes(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to,
                      int *seen, int x, int y, int x2, int y2) {
    alignas(1024) __shared__ int box[32 * 32];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        init(&bar, 1);
        expect(&bar, sizeof box);
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
            "{%2, %3}], [%4];" ::"r"(at(box)),
            "l"(&from), "r"(x), "r"(y), "r"(at(&bar))
            : "memory");
    }
    __syncthreads();
    wait(&bar, 0);
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) seen[i] = box[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to),
                     "r"(x2), "r"(y2), "r"(at(box))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

/* Each block of a cluster of two loads half a tile for both. */
__global__ void __cluster_dims__(2, 1, 1) shared_tile(const int *in, int *out) {
    alignas(128) __shared__ int tile[128];
    __shared__ uint64_t bar;
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        init(&bar, 1);
        expect(&bar, sizeof tile);
    }
    asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                     "[%0], [%1], "
                     "256, [%2], %3;" ::"r"(at(tile + rank * 64)),
                     "l"(in + rank * 64), "r"(at(&bar)), "h"((short)3)
                     : "memory");
    wait(&bar, 0);
    out[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x];
    asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
}

static CUtensorMap map_of(int *p, int width, int height, CUtensorMapSwizzle swizzle) {
    CUtensorMap m;
    cuuint64_t dims[] = {(cuuint64_t)width, (cuuint64_t)height}, strides[] = {(cuuint64_t)width * 4};
    cuuint32_t box[] = {32, 32}, steps[] = {1, 1};
    void *encode = nullptr;
    cudaDriverEntryPointQueryResult found;
    CALL(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault,
                                          &found));
    CUresult r = ((decltype(&cuTensorMapEncodeTiled))encode)(
        &m, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, p, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
        swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r != CUDA_SUCCESS) printf("cuTensorMapEncodeTiled: %d\n", (int)r);
    return m;
}

static int check_boxes(CUtensorMapSwizzle swizzle, int x, int y) {
    const int width = 100, height = 70;
    Array<int> a(width * height), b(width * height), seen(1024);
    for (int i = 0; i < width * height; i++) a[i] = i + 1, b[i] = -1;
    CUtensorMap from = map_of(a.p, width, height, swizzle), to = map_of(b.p, width, height, swizzle);
    boxes<<<1, 64>>>(from, to, seen.p, x, y, 80, 3);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int r = 0; r < 32; r++)
        for (int c = 0; c < 32; c++) {
            bool inside = x + c >= 0 && x + c < width && y + r >= 0 && y + r < height;
            int want = inside ? (y + r) * width + x + c + 1 : 0;
            int byte = (r * 32 + c) * 4,
                place = swizzle == CU_TENSOR_MAP_SWIZZLE_128B ? byte ^ (byte >> 3 & 0x70) : byte;
            wrong += seen[place / 4] != want;
            if (80 + c < width) wrong += b[(3 + r) * width + 80 + c] != want;
        }
    for (int i = 0; i < width * height; i++)
        if (i / width < 3 || i / width >= 35 || i % width < 80) wrong += b[i] != -1;
    return wrong;
}

int main() {
    const int blocks = 3;
    Array<int> in(blocks * 256), out(blocks * 256), sums(256), twice(256);
    for (int i = 0; i < blocks * 256; i++) in[i] = i * 3;
    lines<<<blocks, 256>>>(in.p, out.p, sums.p);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < blocks * 256; i++) wrong += out[i] != i * 3 + 1;
    for (int i = 0; i < 256; i++) wrong += sums[i] != 9 * i + 3 * 256 * 3 + 3;
    printf("lines: %d wrong\n", wrong);
    printf("boxes: %d wrong inside, %d at the edges, ", check_boxes(CU_TENSOR_MAP_SWIZZLE_NONE, 8, 5),
           check_boxes(CU_TENSOR_MAP_SWIZZLE_NONE, 88, -7));
    printf("%d swizzled\n", check_boxes(CU_TENSOR_MAP_SWIZZLE_128B, -4, 60));
    shared_tile<<<2, 128>>>(in.p, twice.p);
    CALL(cudaDeviceSynchronize());
    wrong = 0;
    for (int i = 0; i < 256; i++) wrong += twice[i] != i % 128 * 3;
    printf("shared tile: %d wrong\n", wrong);
    return 0;
}
