/* Kernels whose accesses are not ordinary loads and stores, each launched once for a profiler as those of
 * patterns.cu are: copies to shared memory (cp.async), copies of the copy engine (bulk and tensor), and the
 * operands of matrix instructions (ldmatrix, stmatrix, and with WGK_SM90A wgmma).
 *
 * Each is one or two warps that do a thing a few times, so that what a profiler counts can be read as a rule.
 */
#include "../../kernels/matrix_product/tiles.cuh"
#include "../../kernels/matrix_product/wgmma_u8.cuh"
#include "measure.cuh"

#include <cooperative_groups.h>
#include <cuda_fp16.h>

using wgk::shared_address;

/* ---- cp.async: lane l copies from word l * from_stride + shift to word l * to_stride ---- */

template <int bytes> __device__ inline void copy_async(void *to, const void *from, int filled) {
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
                     "r"(filled));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(shared_address(to)), "l"(from),
                     "r"(filled), "n"(bytes));
}
template <int bytes>
__global__ void async_copies(const int *in, int *out, int from_stride, int to_stride, int shift,
                             unsigned lanes, int filled) {
    __shared__ __align__(16) int part[4096];
    if (lanes >> threadIdx.x % 32 & 1)
        copy_async<bytes>(&part[threadIdx.x * to_stride], &in[threadIdx.x * from_stride + shift], filled);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x * to_stride];
}
/* The same through L1, 16 bytes. */
__global__ void async_copies_ca16(const int *in, int *out, int from_stride, int to_stride) {
    __shared__ __align__(16) int part[4096];
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(shared_address(&part[threadIdx.x * to_stride])),
        "l"(&in[threadIdx.x * from_stride]));
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x * to_stride];
}

/* ---- ldmatrix, stmatrix: lane l's row begins at half l * stride ---- */

template <int count, bool turned> __global__ void load_matrices(int *out, int stride, int skew) {
    __shared__ __align__(16) __half rows[32 * 136];
    for (int i = threadIdx.x; i < 32 * 136; i += blockDim.x) rows[i] = __int2half_rn(i % 64);
    __syncthreads();
    const uint32_t at = shared_address(&rows[threadIdx.x % 32 * stride + threadIdx.x / 8 % 4 * skew]);
    uint32_t r[4] = {};
    if (count == 1 && !turned)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
    if (count == 2 && !turned)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(r[0]), "=r"(r[1])
                     : "r"(at));
    if (count == 4 && !turned)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at));
    if (count == 4 && turned)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at));
    out[threadIdx.x] = r[0] + r[1] + r[2] + r[3];
}
template <int count, bool turned> __global__ void store_matrices(int *out, int stride) {
    __shared__ __align__(16) __half rows[32 * 136];
    const uint32_t at = shared_address(&rows[threadIdx.x % 32 * stride]), x = threadIdx.x;
    if (count == 1)
        asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(x) : "memory");
    if (count == 2)
        asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %1};" ::"r"(at), "r"(x) : "memory");
    if (count == 4 && !turned)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(at), "r"(x)
                     : "memory");
    if (count == 4 && turned)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(at),
                     "r"(x)
                     : "memory");
    __syncthreads();
    out[threadIdx.x] = reinterpret_cast<int *>(rows)[threadIdx.x];
}

/* ---- bulk copies by one thread ---- */

__device__ inline void bulk_load(void *to, const void *from, int bytes, uint64_t *barrier) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(barrier))
        : "memory");
}
__device__ inline void bulk_store(void *to, const void *from, int bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
}
__device__ inline void bulk_add(void *to, const void *from, int bytes) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
}
__device__ inline void stores_done() {
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}
enum { LOAD, STORE, ADD };
template <int what> __global__ void bulk_copies(char *global, int bytes, int times) {
    __shared__ __align__(128) char part[16384];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        wgk::barrier_init(&barrier, 1);
        wgk::barriers_ready();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < times; i++) {
            if (what == LOAD) {
                wgk::barrier_expect(&barrier, bytes);
                bulk_load(part, global + i * bytes, bytes, &barrier);
                wgk::barrier_wait(&barrier, i % 2);
            } else {
                if (what == STORE)
                    bulk_store(global + i * bytes, part, bytes);
                else
                    bulk_add(global + i * bytes, part, bytes);
                stores_done();
            }
        }
}
/* To the shared memory of the next block of the cluster. */
__global__ void __cluster_dims__(2, 1, 1) bulk_to_neighbour(int bytes) {
    __shared__ __align__(128) char from[8192], to[8192];
    __shared__ uint64_t barrier;
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) {
        wgk::barrier_init(&barrier, 1);
        wgk::barriers_ready();
        wgk::barrier_expect(&barrier, bytes);
    }
    cluster.sync();
    if (threadIdx.x == 0) {
        asm volatile("{ .reg .b32 there, bar; mapa.shared::cluster.u32 there, %0, %3; "
                     "mapa.shared::cluster.u32 bar, %4, %3;"
                     "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [there], [%1], "
                     "%2, [bar]; }" ::"r"(shared_address(to)),
                     "r"(shared_address(from)), "r"(bytes), "r"(1 - cluster.block_rank()),
                     "r"(shared_address(&barrier))
                     : "memory");
        wgk::barrier_wait(&barrier, 0);
    }
    cluster.sync();
}

/* ---- tensor copies: boxes of a matrix of bytes ---- */

template <int what>
__global__ void tensor_copies(const __grid_constant__ CUtensorMap map, int x, int y, int bytes, int times) {
    __shared__ __align__(1024) char part[32768];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        wgk::barrier_init(&barrier, 1);
        wgk::barriers_ready();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < times; i++) {
            if (what == LOAD) {
                wgk::barrier_expect(&barrier, bytes);
                wgk::load_tile(part, &map, x, y, &barrier);
                wgk::barrier_wait(&barrier, i % 2);
            } else {
                asm volatile(
                    "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
                    "r"(x), "r"(y), "r"(shared_address(part))
                    : "memory");
                stores_done();
            }
        }
}
__global__ void __cluster_dims__(2, 1, 1) tensor_for_two(const __grid_constant__ CUtensorMap map, int bytes) {
    __shared__ __align__(1024) char part[32768];
    __shared__ uint64_t barrier;
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) {
        wgk::barrier_init(&barrier, 1);
        wgk::barriers_ready();
        wgk::barrier_expect(&barrier, bytes);
    }
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0) wgk::load_tile_for(part, &map, 0, 0, &barrier, 3);
    wgk::barrier_wait(&barrier, 0);
    cluster.sync();
}

/* ---- mbarrier alone ---- */

__global__ void barriers_only(int times) {
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        wgk::barrier_init(&barrier, 32);
        wgk::barriers_ready();
    }
    __syncthreads();
    for (int i = 0; i < times; i++) {
        wgk::barrier_arrive(&barrier);
        wgk::barrier_wait(&barrier, i % 2);
    }
}

/* ---- wgmma: 64 x 256 x 32 of bytes from shared memory ---- */

#ifdef WGK_SM90A
__global__ void __launch_bounds__(128) wgmma_tiles(int *out, int times) {
    __shared__ __align__(1024) char a[64 * 128], b[256 * 128];
    int d[128] = {};
    for (int i = threadIdx.x; i < 64 * 128 / 4; i += 128) reinterpret_cast<int *>(a)[i] = i;
    for (int i = threadIdx.x; i < 256 * 128 / 4; i += 128) reinterpret_cast<int *>(b)[i] = i;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const uint64_t tile_a = (shared_address(a) & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
    const uint64_t tile_b = (shared_address(b) & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
    for (int i = 0; i < times; i++) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        wgk::wgmma_u8(d, tile_a + 2 * (i % 4), tile_b + 2 * (i % 4));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }
    int sum = 0;
    for (int i = 0; i < 128; i++) sum += d[i];
    out[threadIdx.x] = sum;
}
#endif

static CUtensorMap boxes(void *base, unsigned width, unsigned height, CUtensorMapSwizzle swizzle) {
    CUtensorMap map;
    CHECK(wgk::tile_map(&map, CU_TENSOR_MAP_DATA_TYPE_UINT8, base, 1000, 512, 1008, width, height, swizzle));
    return map;
}

static void copy_asynchronously(const int *in, int *out) {
    const unsigned all = 0xffffffff;
    async_copies<4><<<1, 32>>>(in, out, 1, 1, 0, all, 4);
    async_copies<4><<<2, 64>>>(in, out, 1, 1, 1, all, 4);
    async_copies<4><<<1, 32>>>(in, out, 8, 1, 0, all, 4);
    async_copies<4><<<1, 32>>>(in, out, 1, 32, 0, all, 4);
    async_copies<4><<<1, 32>>>(in, out, 1, 2, 0, all, 4);
    async_copies<4><<<1, 32>>>(in, out, 0, 1, 0, all, 4);
    async_copies<4><<<1, 32>>>(in, out, 1, 1, 0, 0x0000ffff, 4);
    async_copies<4><<<1, 32>>>(in, out, 33, 33, 0, 0x55555555, 4);
    async_copies<4><<<1, 32>>>(in, out, 1, 1, 0, all, 0);
    async_copies<4><<<1, 32>>>(in, out, 5, 3, 2, all, 4);
    async_copies<8><<<1, 32>>>(in, out, 2, 2, 0, all, 8);
    async_copies<8><<<1, 32>>>(in, out, 4, 2, 0, all, 8);
    async_copies<8><<<1, 32>>>(in, out, 2, 4, 0, all, 8);
    async_copies<8><<<1, 32>>>(in, out, 2, 32, 0, all, 8);
    async_copies<8><<<1, 32>>>(in, out, 2, 2, 0, 0x0f0f0f0f, 8);
    async_copies<16><<<1, 32>>>(in, out, 4, 4, 0, all, 16);
    async_copies<16><<<2, 64>>>(in, out, 4, 4, 4, all, 16);
    async_copies<16><<<1, 32>>>(in, out, 8, 4, 0, all, 16);
    async_copies<16><<<1, 32>>>(in, out, 4, 8, 0, all, 16);
    async_copies<16><<<1, 32>>>(in, out, 4, 32, 0, all, 16);
    async_copies<16><<<1, 32>>>(in, out, 32, 4, 0, all, 16);
    async_copies<16><<<1, 32>>>(in, out, 4, 4, 0, 0x000000ff, 16);
    async_copies<16><<<1, 32>>>(in, out, 4, 4, 0, 0x55555555, 16);
    async_copies<16><<<1, 32>>>(in, out, 4, 4, 0, all, 8);
    async_copies<16><<<1, 32>>>(in, out, 12, 20, 4, all, 16);
    async_copies_ca16<<<1, 32>>>(in, out, 4, 4);
    async_copies_ca16<<<1, 32>>>(in, out, 8, 36);
}
static void move_matrices(int *out) {
    load_matrices<1, false><<<1, 32>>>(out, 8, 0);
    load_matrices<1, false><<<1, 32>>>(out, 64, 0);
    load_matrices<1, false><<<1, 32>>>(out, 72, 0);
    load_matrices<2, false><<<1, 32>>>(out, 8, 0);
    load_matrices<2, false><<<1, 32>>>(out, 64, 0);
    load_matrices<4, false><<<1, 32>>>(out, 8, 0);
    load_matrices<4, false><<<1, 32>>>(out, 64, 0);
    load_matrices<4, false><<<1, 32>>>(out, 72, 0);
    load_matrices<4, false><<<1, 32>>>(out, 16, 0);
    load_matrices<4, false><<<1, 32>>>(out, 24, 0);
    load_matrices<4, false><<<1, 32>>>(out, 0, 0);
    load_matrices<4, false><<<1, 32>>>(out, 64, 8);
    load_matrices<4, true><<<1, 32>>>(out, 64, 0);
    load_matrices<4, true><<<1, 32>>>(out, 72, 0);
    store_matrices<1, false><<<1, 32>>>(out, 64);
    store_matrices<2, false><<<1, 32>>>(out, 64);
    store_matrices<4, false><<<1, 32>>>(out, 8);
    store_matrices<4, false><<<1, 32>>>(out, 64);
    store_matrices<4, false><<<1, 32>>>(out, 16);
    store_matrices<4, true><<<1, 32>>>(out, 64);
    store_matrices<4, true><<<1, 32>>>(out, 72);
#ifdef WGK_SM90A
    wgmma_tiles<<<1, 128>>>(out, 1);
    wgmma_tiles<<<1, 128>>>(out, 4);
#endif
}
static void use_the_engine(int *in) {
    char *g = reinterpret_cast<char *>(in);
    for (int bytes : {16, 32, 48, 128, 1024, 4096, 8192}) {
        bulk_copies<LOAD><<<1, 32>>>(g, bytes, 1);
        bulk_copies<STORE><<<1, 32>>>(g, bytes, 1);
    }
    bulk_copies<LOAD><<<1, 32>>>(g + 16, 128, 1);
    bulk_copies<LOAD><<<4, 32>>>(g + 16, 1024, 8);
    bulk_copies<STORE><<<1, 32>>>(g + 16, 128, 1);
    bulk_copies<STORE><<<4, 32>>>(g + 16, 1024, 8);
    bulk_copies<ADD><<<1, 32>>>(g, 16, 1);
    bulk_copies<ADD><<<1, 32>>>(g, 1024, 1);
    bulk_to_neighbour<<<2, 32>>>(16);
    bulk_to_neighbour<<<2, 32>>>(4096);
    const unsigned shapes[][2] = {{16, 8}, {32, 8}, {64, 16}, {128, 64}, {256, 32}};
    for (const auto &box : shapes) {
        const int bytes = box[0] * box[1];
        const CUtensorMap plain = boxes(in, box[0], box[1], CU_TENSOR_MAP_SWIZZLE_NONE);
        tensor_copies<LOAD><<<1, 32>>>(plain, 0, 0, bytes, 1);
        tensor_copies<LOAD><<<1, 32>>>(plain, 16, 1, bytes, 1);
        tensor_copies<STORE><<<1, 32>>>(plain, 16, 1, bytes, 1);
    }
    const CUtensorMap swizzled = boxes(in, 128, 64, CU_TENSOR_MAP_SWIZZLE_128B);
    tensor_copies<LOAD><<<1, 32>>>(swizzled, 0, 0, 8192, 1);
    tensor_copies<LOAD><<<2, 32>>>(swizzled, 16, 0, 8192, 4);
    tensor_copies<LOAD><<<1, 32>>>(swizzled, 960, 500, 8192, 1);
    tensor_copies<STORE><<<1, 32>>>(swizzled, 0, 0, 8192, 1);
    tensor_copies<STORE><<<1, 32>>>(swizzled, 960, 500, 8192, 1);
    tensor_for_two<<<2, 32>>>(swizzled, 8192);
    barriers_only<<<1, 32>>>(1);
    barriers_only<<<1, 32>>>(10);
}

int main() {
    int *in, *out;
    CHECK(cudaMalloc(&in, 1 << 20));
    CHECK(cudaMalloc(&out, 1 << 20));
    CHECK(cudaMemset(in, 0, 1 << 20));
    CHECK(cudaMemset(out, 0, 1 << 20));
    copy_asynchronously(in, out);
    move_matrices(out);
    use_the_engine(in);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("engines: all launched\n");
    return 0;
}
