/* tensor_maps: what programs do to a tensor map between encoding and use. CUTLASS clears a flag of NVIDIA's
 * in it where the driver is 13.1 or older; others copy it through arrays, constant, device and shared memory,
 * and replace its address. Each way must find the same box.
 */
#include "program.h"
#include <cuda.h>

enum { WIDTH = 16, HEIGHT = 32, BOX = WIDTH * HEIGHT };

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/* By one thread, for all: the box in whose corner is element (0, y). */
__device__ void load(const CUtensorMap *map, int y, unsigned *out) {
    alignas(1024) __shared__ unsigned box[BOX];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&bar)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&bar)),
                     "r"((int)sizeof box)
                     : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
                     "[%1, {%2, %3}], [%4];" ::"r"(at(box)),
                     "l"(map), "r"(0), "r"(y), "r"(at(&bar))
                     : "memory");
    }
    __syncthreads();
    asm volatile("{ .reg .pred p; again_%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra "
                 "again_%=; }" ::"r"(at(&bar))
                 : "memory");
    for (int i = threadIdx.x; i < BOX; i += blockDim.x) out[i] = box[i];
}
__constant__ CUtensorMap constant_map;
__device__ CUtensorMap device_map;
__global__ void by_parameter(const __grid_constant__ CUtensorMap map, unsigned *out) { load(&map, 0, out); }
__global__ void by_constant(unsigned *out) { load(&constant_map, 0, out); }
__global__ void by_address(const CUtensorMap *map, unsigned *out) { load(map, 0, out); }
/* Into shared memory and out again, four bytes a lane, as a map is changed by a kernel. */
__global__ void by_lanes(const __grid_constant__ CUtensorMap map, CUtensorMap *room, unsigned *out) {
    alignas(128) __shared__ unsigned copy[sizeof(CUtensorMap) / 4];
    if (threadIdx.x < 32) {
        copy[threadIdx.x] = reinterpret_cast<const unsigned *>(&map)[threadIdx.x];
        __syncwarp();
        reinterpret_cast<unsigned *>(&room[blockIdx.x])[threadIdx.x] = copy[threadIdx.x];
        __threadfence();
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(&room[blockIdx.x])
                     : "memory");
    }
    __syncthreads();
    load(&room[blockIdx.x], blockIdx.x, out + blockIdx.x * BOX);
}

static void *entry(const char *name) {
    void *f = nullptr;
    cudaDriverEntryPointQueryResult found;
    CALL(cudaGetDriverEntryPointByVersion(name, &f, 12000, cudaEnableDefault, &found));
    return f;
}
static CUtensorMap map_of(unsigned *p) {
    CUtensorMap m;
    cuuint64_t dims[] = {WIDTH, HEIGHT}, strides[] = {WIDTH * 4};
    cuuint32_t box[] = {WIDTH, HEIGHT}, steps[] = {1, 1};
    auto encode = (decltype(&cuTensorMapEncodeTiled))entry("cuTensorMapEncodeTiled");
    CUresult r = encode(&m, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, p, dims, strides, box, steps,
                        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                        CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r != CUDA_SUCCESS) printf("cuTensorMapEncodeTiled: %d\n", (int)r);
    int driver = 0;
    CALL(cudaDriverGetVersion(&driver));
    if (driver <= 13010) reinterpret_cast<uint64_t *>(&m)[1] &= ~(1llu << 21);
    return m;
}

static int wrong_values(const unsigned *got, unsigned first, int rows) {
    int wrong = 0;
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < BOX; i++) wrong += got[i] != (i < rows * WIDTH ? first + i : 0);
    return wrong;
}

int main() {
    enum { TENSORS = 6, APART = 3 << 18 }; /* 3 MiB: their addresses have bit 21 in turn */
    unsigned *pool;
    CALL(cudaMalloc(&pool, (TENSORS + 1) * APART * sizeof *pool));
    CALL(cudaMemset(pool, 0x33, (TENSORS + 1) * APART * sizeof *pool));
    Array<unsigned> out(4 * BOX);
    Array<CUtensorMap> maps(4);
    std::vector<unsigned> values(BOX);
    for (int k = 0; k < TENSORS; k++) {
        for (int i = 0; i < BOX; i++) values[i] = k * 1000 + i;
        CALL(cudaMemcpy(pool + k * APART, values.data(), BOX * 4, cudaMemcpyHostToDevice));
    }
    auto replace = (CUresult(*)(CUtensorMap *, void *))entry("cuTensorMapReplaceAddress");
    int wrong[6] = {};
    for (int k = 0; k < TENSORS; k++) {
        CUtensorMap map = map_of(pool + k * APART);
        by_parameter<<<1, 128>>>(map, out);
        wrong[0] += wrong_values(out, k * 1000, HEIGHT);
        CALL(cudaMemcpyToSymbol(constant_map, &map, sizeof map));
        by_constant<<<1, 128>>>(out);
        wrong[1] += wrong_values(out, k * 1000, HEIGHT);
        CALL(cudaMemcpyToSymbol(device_map, &map, sizeof map));
        void *symbol;
        CALL(cudaGetSymbolAddress(&symbol, device_map));
        by_address<<<1, 128>>>((const CUtensorMap *)symbol, out);
        wrong[2] += wrong_values(out, k * 1000, HEIGHT);
        memcpy((void *)&maps[k % 4], &map, sizeof map);
        by_address<<<1, 128>>>(&maps[k % 4], out);
        wrong[3] += wrong_values(out, k * 1000, HEIGHT);
        by_lanes<<<4, 128>>>(map, maps, out);
        for (int b = 0; b < 4; b++) wrong[4] += wrong_values(out + b * BOX, k * 1000 + b * WIDTH, HEIGHT - b);
        int other = (k + 1) % TENSORS;
        CUresult r = replace(&map, pool + other * APART);
        by_parameter<<<1, 128>>>(map, out);
        wrong[5] += wrong_values(out, other * 1000, HEIGHT) + (r != CUDA_SUCCESS);
    }
    const char *const ways[] = {"a parameter",    "constant memory",        "device memory",
                                "managed memory", "shared memory and back", "another address"};
    for (int w = 0; w < 6; w++) printf("%s: %d wrong\n", ways[w], wrong[w]);
    return 0;
}
