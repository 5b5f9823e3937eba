/* Barriers, pipelines, latches and semaphores of <cuda/...>, asynchronous copies by groups and by threads,
 * and what groups leave in atomic objects.
 */
#include "program.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <new>

namespace cg = cooperative_groups;
using Counter = cuda::atomic<int, cuda::thread_scope_device>;
using Permits = cuda::counting_semaphore<cuda::thread_scope_device, 4>;
using Latch = cuda::latch<cuda::thread_scope_device>;
using Barrier = cuda::barrier<cuda::thread_scope_device>;

__global__ void reverse(const int *in, int *out) {
    __shared__ int buffer[256];
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier bar;
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    for (int part = 0; part < 4; part++) {
        cuda::memcpy_async(&buffer[threadIdx.x], in + part * 256 + threadIdx.x, sizeof(int), bar);
        bar.arrive_and_wait();
        out[part * 256 + threadIdx.x] = buffer[255 - threadIdx.x];
        barrier::arrival_token token = bar.arrive();
        bar.wait(std::move(token));
    }
}
template <int stages> __global__ void unified(const int *in, int *out, int n) {
    auto block = cg::this_thread_block();
    __shared__ int buffer[stages][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto pipe = cuda::make_pipeline(block, &state);
    int fetched = 0;
    for (int i = 0; i < n; i++) {
        for (; fetched < n && fetched < i + stages; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, buffer[fetched % stages], in + fetched * 128,
                               cuda::aligned_size_t<16>(sizeof buffer[0]), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[i * 128 + threadIdx.x] = buffer[i % stages][threadIdx.x ^ 1] + i;
        pipe.consumer_release();
    }
}
template <int stages> __global__ void roles(const int *in, int *out, int n, bool counted) {
    auto block = cg::this_thread_block();
    __shared__ int buffer[stages][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    bool produces = threadIdx.x < 64;
    if (counted) {
        auto pipe = cuda::make_pipeline(block, &state, 64);
        if (produces)
            for (int i = 0; i < n; i++) {
                pipe.producer_acquire();
                buffer[i % stages][threadIdx.x] = in[i * 64 + threadIdx.x] * 2;
                pipe.producer_commit();
            }
        else
            for (int i = 0; i < n; i++) {
                pipe.consumer_wait();
                out[i * 64 + threadIdx.x - 64] = buffer[i % stages][127 - threadIdx.x];
                pipe.consumer_release();
            }
    } else {
        auto pipe = cuda::make_pipeline(
            block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
        if (produces)
            for (int i = 0; i < n; i++) {
                pipe.producer_acquire();
                cuda::memcpy_async(&buffer[i % stages][threadIdx.x], &in[i * 64 + threadIdx.x], 4, pipe);
                pipe.producer_commit();
            }
        else
            for (int i = 0; i < n; i++) {
                pipe.consumer_wait();
                out[i * 64 + threadIdx.x - 64] = buffer[i % stages][127 - threadIdx.x];
                pipe.consumer_release();
            }
    }
}
__global__ void own(const int *in, int *out, int n) {
    __shared__ int buffer[3][128];
    auto pipe = cuda::make_pipeline();
    auto one = cg::this_thread_block();
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&buffer[i][t], &in[i * 128 + t], sizeof(int), pipe);
        pipe.producer_commit();
    }
    for (int i = 0; i < n; i++) {
        pipe.producer_acquire();
        if (i + 2 < n) cuda::memcpy_async(&buffer[(i + 2) % 3][t], &in[(i + 2) * 128 + t], sizeof(int), pipe);
        pipe.producer_commit();
        if (i & 1)
            cuda::pipeline_consumer_wait_prior<2>(pipe);
        else
            pipe.consumer_wait();
        __syncthreads();
        out[i * 128 + t] = buffer[i % 3][127 - t];
        pipe.consumer_release();
        __syncthreads();
    }
}
__global__ void batches(const int *in, int *out, int n) {
    __shared__ int buffer[2][128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, buffer[0], in, cuda::aligned_size_t<16>(512));
    for (int i = 1; i < n; i++) {
        cg::memcpy_async(block, buffer[i % 2], 128, in + i * 128, (n - i) * 128);
        cg::wait_prior<1>(block);
        out[(i - 1) * 128 + threadIdx.x] = buffer[(i - 1) % 2][127 - threadIdx.x];
        block.sync();
    }
    cg::wait(block);
    out[(n - 1) * 128 + threadIdx.x] = buffer[(n - 1) % 2][127 - threadIdx.x];
}
/* Bulk copies in and out, whose bytes the barrier counts. */
__global__ void bulk(const int *in, int *out) {
    namespace cde = cuda::device::experimental;
    alignas(16) __shared__ int buffer[256];
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier bar;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(buffer, in, cuda::aligned_size_t<16>(sizeof buffer), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof buffer);
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    for (int i = threadIdx.x; i < 256; i += blockDim.x) buffer[i] *= 2;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_shared_to_global(out, buffer, sizeof buffer);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}
struct Count {
    int *at;
    __device__ void operator()() { ++*at; }
};
__global__ void completes(int *out) {
    __shared__ int phases;
    __shared__ cuda::barrier<cuda::thread_scope_block, Count> bar;
    if (threadIdx.x == 0) {
        phases = 0;
        init(&bar, blockDim.x, Count{&phases});
    }
    __syncthreads();
    for (int i = 0; i < 5; i++) {
        if (threadIdx.x == 7 && i == 3) {
            bar.arrive_and_drop();
            return;
        }
        bar.arrive_and_wait();
        out[i * blockDim.x + threadIdx.x] = phases;
        bar.arrive_and_wait();
    }
}
__global__ void grid(Barrier *bar, int *a, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    a[i] = i;
    bar->arrive_and_wait();
    out[i] = a[n - 1 - i];
}
__global__ void limited(Permits *s, Latch *l, Counter *in, int *most) {
    s->acquire();
    int now = in->fetch_add(1) + 1;
    atomicMax(most, now);
    in->fetch_sub(1);
    s->release();
    l->arrive_and_wait();
    if (threadIdx.x == 0 && blockIdx.x == 0) most[1] = in->load();
}
__global__ void groups(Counter *a, int *out) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    cg::reduce_update_async(tile, a[0], (int)threadIdx.x, cg::plus<int>());
    cg::reduce_update_async(tile, a[1], (int)threadIdx.x, cg::greater<int>());
    cg::reduce_store_async(tile, &out[threadIdx.x / 8], (int)threadIdx.x, cg::less<int>());
    if (threadIdx.x < 32) {
        auto warp = cg::coalesced_threads();
        out[64 + threadIdx.x] = cg::inclusive_scan_update(warp, a[2], 1 + (int)threadIdx.x, cg::plus<int>());
        out[96 + threadIdx.x] = cg::exclusive_scan_update(warp, a[2], 1);
    }
}

int main() {
    Array<int> in(8192), out(2048), a(256), most(2);
    for (int i = 0; i < 8192; i++) in[i] = i * i;
    reverse<<<1, 256>>>(in, out);
    show("barrier", out);
    unified<1><<<1, 128>>>(in, out, 13);
    show("one stage", out);
    unified<3><<<1, 128>>>(in, out, 13);
    show("three stages", out);
    roles<2><<<1, 128>>>(in, out, 13, true);
    show("producers counted", out);
    roles<3><<<1, 128>>>(in, out, 13, false);
    show("producers named", out);
    own<<<1, 128>>>(in, out, 9);
    show("a thread's own", out);
    batches<<<1, 128>>>(in, out, 9);
    show("batches", out);
    bulk<<<1, 64>>>(in, out);
    show("bulk", out);
    completes<<<1, 64>>>(out);
    show("completions", out);
    Array<Barrier> bar(1);
    new (bar.p) Barrier(4 * 64);
    grid<<<4, 64>>>(bar, a, out);
    show("of the grid", out);
    Array<Permits> permits(1);
    new (permits.p) Permits(4);
    Array<Latch> latch(1);
    new (latch.p) Latch(256);
    Array<Counter> counter(3);
    limited<<<4, 64>>>(permits, latch, counter, most);
    CALL(cudaDeviceSynchronize());
    printf("at most four: %d, at the end %d\n", most[0] <= 4, most[1]);
    for (int i = 0; i < 3; i++) new (&counter[i]) Counter(0);
    groups<<<1, 64>>>(counter, out);
    show("groups", out);
    printf("counters: %d %d %d\n", counter[0].load(), counter[1].load(), counter[2].load());
    return 0;
}
