/* The classic ways of working with the copy engine, each right: rings with a producer and consumers, buffers
 * that go out in turn, tiles that are changed in place, one lane that waits for its warp, named barriers,
 * sums of blocks, copies between blocks of a cluster. */
#include "program.h"
#include <cstdint>

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__device__ void init(uint64_t *bar, int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(AT(bar)), "r"(count) : "memory");
}
__device__ void inits_done() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ void expect(uint64_t *bar, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(bar)), "r"(bytes)
                 : "memory");
}
__device__ void arrive(uint64_t *bar) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(bar)) : "memory");
}
__device__ void wait(uint64_t *bar, int parity) {
    asm volatile("{ .reg .pred p; again_%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra "
                 "again_%=; }" ::"r"(AT(bar)),
                 "r"(parity)
                 : "memory");
}
__device__ void load(void *to, const void *from, int bytes, uint64_t *bar) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            AT(to)),
        "l"(from), "r"(bytes), "r"(AT(bar))
        : "memory");
}
__device__ void store(void *to, const void *from, int bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(AT(from)),
                 "r"(bytes)
                 : "memory");
}
__device__ void add(void *to, const void *from, int bytes) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(to),
                 "r"(AT(from)), "r"(bytes)
                 : "memory");
}
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int n> __device__ void wait_read() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory");
}
template <int n> __device__ void wait_group() {
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(n) : "memory");
}
__device__ void proxy_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void meet(int id, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

enum { TILE = 128, STAGES = 3 };

/* One lane of a warp fills a ring; four warps consume, and one lane of each says when its warp is done. */
__global__ void ring(const int *in, int *out, int tiles) {
    alignas(128) __shared__ int tile[STAGES][TILE];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) init(&full[s], 1), init(&empty[s], 4);
        inits_done();
    }
    __syncthreads();
    if (threadIdx.x >= TILE) {
        if (threadIdx.x == TILE)
            for (int t = 0; t < tiles; t++) {
                int s = t % STAGES;
                wait(&empty[s], (t / STAGES & 1) ^ 1);
                expect(&full[s], sizeof tile[s]);
                load(tile[s], in + (blockIdx.x * tiles + t) * TILE, sizeof tile[s], &full[s]);
            }
        return;
    }
    int sum = 0;
    for (int t = 0; t < tiles; t++) {
        int s = t % STAGES;
        wait(&full[s], t / STAGES & 1);
        sum += tile[s][threadIdx.x] + tile[s][TILE - 1 - threadIdx.x];
        __syncwarp();
        if (threadIdx.x % 32 == 0) arrive(&empty[s]);
    }
    out[blockIdx.x * TILE + threadIdx.x] = sum;
}

/* The same with two halves of a block, copies first announced when they are under way, and one waiting lane a
 * warp. */
__global__ void waiting_lanes(const int *in, int *out, int tiles) {
    alignas(128) __shared__ int tile[2][TILE];
    __shared__ uint64_t full[2];
    if (threadIdx.x == 0) {
        init(&full[0], 1), init(&full[1], 1);
        inits_done();
        load(tile[0], in, sizeof tile[0], &full[0]);
        expect(&full[0], sizeof tile[0]);
    }
    __syncthreads();
    int sum = 0;
    for (int t = 0; t < tiles; t++) {
        if (threadIdx.x == 0 && t + 1 < tiles) {
            load(tile[(t + 1) % 2], in + (t + 1) * TILE, sizeof tile[0], &full[(t + 1) % 2]);
            expect(&full[(t + 1) % 2], sizeof tile[0]);
        }
        if (threadIdx.x % 32 == 0) wait(&full[t % 2], t / 2 & 1);
        __syncwarp();
        sum += tile[t % 2][threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

/* Two buffers go out in turn: one may still be read while the other is filled. */
__global__ void two_buffers(int *out, int tiles) {
    alignas(128) __shared__ int tile[2][TILE];
    for (int t = 0; t < tiles; t++) {
        if (threadIdx.x == 0) wait_read<1>();
        __syncthreads();
        tile[t % 2][threadIdx.x] = blockIdx.x * 1000 + t * TILE + threadIdx.x;
        proxy_fence();
        __syncthreads();
        if (threadIdx.x == 0) {
            store(out + (blockIdx.x * tiles + t) * TILE, tile[t % 2], sizeof tile[0]);
            commit();
        }
    }
    if (threadIdx.x == 0) wait_group<0>();
}

/* A tile comes, is changed in place by warps that meet at a barrier of their own, and goes back to where it
 * came from; what all blocks had is added up. */
__global__ void in_place(int *x, int *sums) {
    alignas(128) __shared__ int tile[TILE];
    __shared__ uint64_t full;
    int *here = x + blockIdx.x * TILE;
    if (threadIdx.x == 0) init(&full, 1), inits_done();
    __syncthreads();
    if (threadIdx.x == TILE) {
        expect(&full, sizeof tile);
        load(tile, here, sizeof tile, &full);
    }
    if (threadIdx.x >= TILE) return;
    wait(&full, 0);
    tile[threadIdx.x] = 3 * tile[threadIdx.x] + 1;
    proxy_fence();
    meet(1, TILE);
    if (threadIdx.x == 32) {
        store(here, tile, sizeof tile);
        add(sums, tile, sizeof tile);
        commit();
        wait_group<0>();
        here[0] += 1;
    }
    meet(1, TILE);
    if (threadIdx.x == 0) here[1] += here[2];
}

/* Each block hands its tile to the next one of its cluster, and takes the one of the block before. */
__global__ void __cluster_dims__(2, 1, 1) hand_over(const int *in, int *out) {
    alignas(128) __shared__ int mine[TILE], theirs[TILE];
    __shared__ uint64_t full;
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        init(&full, 1), inits_done();
        expect(&full, sizeof theirs);
    }
    mine[threadIdx.x] = in[blockIdx.x * TILE + threadIdx.x] + 1;
    proxy_fence();
    asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0)
        asm volatile("{ .reg .b32 to, bar; mapa.shared::cluster.u32 to, %0, %3; mapa.shared::cluster.u32 "
                     "bar, %1, %3;\n"
                     "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [%2], %4, "
                     "[bar]; }" ::"r"(AT(theirs)),
                     "r"(AT(&full)), "r"(AT(mine)), "r"(rank ^ 1), "r"((int)sizeof mine)
                     : "memory");
    wait(&full, 0);
    out[blockIdx.x * TILE + threadIdx.x] = theirs[threadIdx.x];
    asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
}

int main() {
    const int blocks = 4, tiles = 7, n = blocks * tiles * TILE;
    Array<int> in(n), out(n), sums(TILE);
    for (int i = 0; i < n; i++) in[i] = i * 7 % 1000;
    ring<<<blocks, TILE + 32>>>(in.p, out.p, tiles);
    CALL(cudaDeviceSynchronize());
    printf("ring: %016llx\n", (unsigned long long)hash_of(out.p, n * sizeof(int)));
    waiting_lanes<<<1, TILE>>>(in.p, out.p, tiles);
    CALL(cudaDeviceSynchronize());
    printf("waiting lanes: %016llx\n", (unsigned long long)hash_of(out.p, n * sizeof(int)));
    two_buffers<<<blocks, TILE>>>(out.p, tiles);
    CALL(cudaDeviceSynchronize());
    printf("two buffers: %016llx\n", (unsigned long long)hash_of(out.p, n * sizeof(int)));
    in_place<<<blocks, TILE + 32>>>(out.p, sums.p);
    CALL(cudaDeviceSynchronize());
    printf("in place: %016llx %016llx\n", (unsigned long long)hash_of(out.p, n * sizeof(int)),
           (unsigned long long)hash_of(sums.p, TILE * sizeof(int)));
    hand_over<<<blocks, TILE>>>(in.p, out.p);
    CALL(cudaDeviceSynchronize());
    printf("hand over: %016llx\n", (unsigned long long)hash_of(out.p, n * sizeof(int)));
    return 0;
}
