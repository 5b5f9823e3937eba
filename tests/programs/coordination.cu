/* coordination: what threads of a block and of a grid wait for each other with: pipelines whose producers and
 * consumers quit, a thread's own pipelines, barriers on which fewer or more arrive than a block has threads,
 * that are dropped, waited for by parity or for a time, latches and semaphores. Each kernel's results are
 * known; what is printed is how many of them are wrong.
 */
#include "program.h"
#include <chrono>
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/chrono>
#include <new>

namespace cg = cooperative_groups;
constexpr auto BLOCK = cuda::thread_scope_block;

/* ---- Pipelines ---- */

/* The threads below `producers` copy rows of `width` numbers, the others add them up, and all quit. */
template <int stages, bool counted>
__global__ void quits(const int *in, int *out, int producers, int rounds, int *last) {
    constexpr int width = 32;
    __shared__ int row[stages][width];
    __shared__ cuda::pipeline_shared_state<BLOCK, stages> state;
    auto block = cg::this_thread_block();
    bool produces = (int)threadIdx.x < producers;
    auto role = produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = [&] {
        if constexpr (counted)
            return cuda::make_pipeline(block, &state, producers);
        else
            return cuda::make_pipeline(block, &state, role);
    }();
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        if (produces) {
            pipe.producer_acquire();
            for (int k = threadIdx.x; k < width; k += producers)
                cuda::memcpy_async(&row[r % stages][k], &in[r * width + k], sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum = sum * 3 + row[r % stages][(threadIdx.x - producers) % width];
            pipe.consumer_release();
        }
    }
    if (pipe.quit()) atomicAdd(last, 1);
    if (!produces) out[blockIdx.x * (blockDim.x - producers) + threadIdx.x - producers] = sum;
}
template <int stages, bool counted> int wrong_quits(int producers, int consumers, int rounds) {
    constexpr int blocks = 3;
    Array<int> in(rounds * 32), out(blocks * consumers), last(1);
    for (int i = 0; i < rounds * 32; i++) in[i] = i * 37 % 1001;
    quits<stages, counted><<<blocks, producers + consumers>>>(in, out, producers, rounds, last);
    CALL(cudaDeviceSynchronize());
    int wrong = last[0] != blocks;
    for (int t = 0; t < blocks * consumers; t++) {
        int sum = 0;
        for (int r = 0; r < rounds; r++) sum = sum * 3 + in[r * 32 + t % consumers % 32];
        wrong += out[t] != sum;
    }
    return wrong;
}
/* All threads produce and consume; some rounds are under way when the last ones are consumed. */
template <int stages> __global__ void unified(const int *in, int *out, int rounds) {
    __shared__ int row[stages][64];
    __shared__ cuda::pipeline_shared_state<BLOCK, stages> state;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
    int fetched = 0, t = threadIdx.x, sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (; fetched < rounds && fetched < r + stages; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&row[fetched % stages][t], &in[fetched * 64 + t], sizeof(int), pipe);
            pipe.producer_commit();
        }
        while (!pipe.consumer_wait_for(cuda::std::chrono::microseconds(5))) {
        }
        sum += row[r % stages][63 - t] * (r + 1);
        pipe.consumer_release();
    }
    pipe.quit();
    out[t] = sum;
}
template <int stages> int wrong_unified(int rounds) {
    Array<int> in(rounds * 64), out(64);
    for (int i = 0; i < rounds * 64; i++) in[i] = i * 91 % 4099;
    unified<stages><<<1, 64>>>(in, out, rounds);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int t = 0; t < 64; t++) {
        int sum = 0;
        for (int r = 0; r < rounds; r++) sum += in[r * 64 + 63 - t] * (r + 1);
        wrong += out[t] != sum;
    }
    return wrong;
}
/* A thread's own: each wait is for the next batch, whether or not the one before was released. */
__global__ void own(const int *in, int *out) {
    __shared__ int row[12][32];
    int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    auto fetch = [&](int r) {
        pipe.producer_acquire();
        cuda::memcpy_async(&row[r][t], &in[r * 32 + t], sizeof(int), pipe);
        pipe.producer_commit();
    };
    for (int r = 0; r < 4; r++) fetch(r);
    for (int r = 0; r < 2; r++) {
        pipe.consumer_wait();
        out[r * 32 + t] = row[r][t];
    }
    for (int r = 4; r < 8; r++) fetch(r);
    cuda::pipeline_consumer_wait_prior<3>(pipe);
    for (int r = 2; r < 5; r++) out[r * 32 + t] = row[r][t];
    pipe.consumer_wait();
    pipe.consumer_release();
    out[5 * 32 + t] = row[5][t];
    for (int r = 8; r < 12; r++) fetch(r);
    for (int r = 6; r < 12; r++) {
        pipe.consumer_wait();
        out[r * 32 + t] = row[r][t];
    }
    pipe.consumer_wait(); /* for nothing */
    if (!pipe.quit()) out[t] = -1;
}
int wrong_own() {
    Array<int> in(12 * 32), out(12 * 32);
    for (int i = 0; i < 12 * 32; i++) in[i] = i * i;
    own<<<1, 32>>>(in, out);
    CALL(cudaDeviceSynchronize());
    return memcmp(in.p, out.p, in.n * sizeof(int)) != 0;
}

/* ---- Barriers ---- */

/* One thread of each warp arrives, all wait; the phase's number is all that they know. */
__global__ void by_leaders(int *out, int rounds) {
    __shared__ cuda::barrier<BLOCK> bar;
    __shared__ int row[2][128];
    int t = threadIdx.x, sum = 0;
    if (t == 0) init(&bar, blockDim.x / 32);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        row[r & 1][t] = t * (r + 1);
        __syncwarp();
        if (t % 32 == 0) (void)bar.arrive();
        bar.wait_parity(r & 1);
        sum += row[r & 1][(t + 33) % blockDim.x];
    }
    out[t] = sum;
}
/* More arrivals than threads, some of them at once; half of the threads drop out after each other. */
template <class Barrier> __device__ void in_parts(Barrier &bar, int *out) {
    int t = threadIdx.x, n = blockDim.x;
    if (t == 0) init(&bar, 3 * n);
    __syncthreads();
    for (int r = 0; r < 4; r++) {
        atomicAdd(&out[r], t + 1);
        if (r % 2) {
            (void)bar.arrive(2);
            bar.wait(bar.arrive());
        } else {
            auto token = bar.arrive(3);
            bar.wait(std::move(token));
        }
        if (out[r] != n * (n + 1) / 2) atomicAdd(&out[4], 1);
    }
}
template <class Barrier> __device__ void drop_out(Barrier &bar, int *out) {
    int t = threadIdx.x, n = blockDim.x;
    if (t == 0) init(&bar, n);
    __syncthreads();
    for (int r = 0; r < n / 2; r++) {
        atomicAdd(&out[r], 1);
        if (t == 2 * r) return bar.arrive_and_drop();
        bar.arrive_and_wait();
        if (*(volatile int *)&out[r] != n - r) atomicAdd(&out[n], 1);
    }
}
template <class Barrier> __global__ void parts(int *out) {
    __shared__ Barrier bar;
    in_parts(bar, out + blockIdx.x * 5);
}
template <class Barrier> __global__ void drops(int *out) {
    __shared__ Barrier bar;
    drop_out(bar, out + blockIdx.x * 65);
}
template <class Barrier> int wrong_parts() {
    Array<int> out(4 * 5);
    parts<Barrier><<<4, 96>>>(out);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int b = 0; b < 4; b++)
        for (int r = 0; r < 5; r++) wrong += out[b * 5 + r] != (r < 4 ? 96 * 97 / 2 : 0);
    return wrong;
}
template <class Barrier> int wrong_drops() {
    Array<int> out(2 * 65);
    drops<Barrier><<<2, 64>>>(out);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int b = 0; b < 2; b++)
        for (int r = 0; r < 65; r++) wrong += out[b * 65 + r] != (r < 32 ? 64 - r : 0);
    return wrong;
}
/* Nobody waits for what is not over; who asks is told so. */
template <class Barrier> __global__ void asks(int *out) {
    using namespace cuda::std::chrono_literals;
    __shared__ Barrier bar;
    int t = threadIdx.x, wrong = 0;
    if (t == 0) init(&bar, blockDim.x + 1);
    __syncthreads();
    auto token = bar.arrive();
    wrong += bar.try_wait_parity_for(false, 0ns);
    wrong += bar.try_wait_parity_for(false, 100ns);
    wrong += !bar.try_wait_parity_for(true, 0ns); /* the phase before is over */
    __syncthreads();
    if (t == 5) (void)bar.arrive();
    wrong += !bar.try_wait_for(std::move(token), 10s);
    wrong += !bar.try_wait_parity_for(false, 0ns);
    wrong += bar.try_wait_parity_for(true, 0ns);
    wrong += bar.try_wait_for(bar.arrive(), 50ns);
    out[t] = wrong;
}
template <class Barrier> int wrong_asks() {
    Array<int> out(64);
    asks<Barrier><<<1, 64>>>(out);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int t = 0; t < 64; t++) wrong += out[t];
    return wrong;
}
/* What is done between two phases is done once, when all have arrived and nobody has gone on. */
struct Closes {
    int *sum, *totals, *phase;
    __device__ void operator()() noexcept {
        totals[(*phase)++] = *sum;
        *sum = 0;
    }
};
__global__ void closes(int *totals, int *wrong) {
    __shared__ cuda::barrier<BLOCK, Closes> bar;
    __shared__ int sum, phase;
    int t = threadIdx.x, n = blockDim.x;
    if (t == 0) {
        sum = phase = 0;
        init(&bar, n, Closes{&sum, totals, &phase});
    }
    __syncthreads();
    for (int r = 0; r < 6; r++) {
        atomicAdd(&sum, (t + 1) * (r + 1));
        if (t % 2) {
            bar.arrive_and_wait();
        } else {
            auto token = bar.arrive();
            bar.wait(std::move(token));
        }
        if (totals[r] != (r + 1) * n * (n + 1) / 2) atomicAdd(wrong, 1);
    }
    if (phase != 6) atomicAdd(wrong, 1);
}
/* All threads of the grid, at one barrier in memory; one block drops out. */
__global__ void meets(cuda::barrier<cuda::thread_scope_device> *bar, int *sums, int *wrong) {
    int n = gridDim.x * blockDim.x;
    for (int r = 0; r < 5; r++) {
        atomicAdd(&sums[r], 1);
        if (blockIdx.x == 1 && r == 2) return bar->arrive_and_drop();
        bar->arrive_and_wait();
        if (*(volatile int *)&sums[r] != (r > 2 ? n - (int)blockDim.x : n)) atomicAdd(wrong, 1);
    }
}
int wrong_meetings() {
    using Barrier = cuda::barrier<cuda::thread_scope_device>;
    Array<int> totals(8), wrong(1);
    closes<<<1, 96>>>(totals, wrong);
    Array<Barrier> bar(1);
    new (bar.p) Barrier(4 * 40);
    Array<int> sums(5);
    meets<<<4, 40>>>(bar, sums, wrong);
    CALL(cudaDeviceSynchronize());
    return wrong[0];
}

/* ---- Latches and semaphores ---- */

using Latch = cuda::latch<cuda::thread_scope_device>;
/* Some blocks count down, several at once; the others wait for them. */
__global__ void opens(Latch *latch, int *done, int *wrong) {
    alignas(8) __shared__ char room[sizeof(cuda::latch<BLOCK>)];
    auto &own = *(cuda::latch<BLOCK> *)room;
    int t = threadIdx.x;
    if (t == 0) new (room) cuda::latch<BLOCK>(blockDim.x);
    __syncthreads();
    if (blockIdx.x % 2) {
        latch->wait();
        if (!latch->try_wait() || *(volatile int *)done != (int)(gridDim.x / 2 * blockDim.x))
            atomicAdd(wrong, 1);
    } else {
        atomicAdd(done, 1);
        own.arrive_and_wait();
        if (t == 0) latch->count_down(blockDim.x - 1);
        if (t == 1) latch->arrive_and_wait();
    }
}
using Permits = cuda::counting_semaphore<cuda::thread_scope_device, 3>;
using Lock = cuda::binary_semaphore<cuda::thread_scope_device>;
/* At most three at a time, and one at a time. */
enum way { acquire, try_acquire, try_acquire_for };
template <way how> __global__ void takes(Permits *permits, Lock *lock, int *inside, int *sum, int *wrong) {
    using namespace cuda::std::chrono_literals;
    if (how == acquire) permits->acquire();
    while (how == try_acquire && !permits->try_acquire()) {
    }
    while (how == try_acquire_for && !permits->try_acquire_for(5us)) {
    }
    if (atomicAdd(inside, 1) >= 3) atomicAdd(wrong, 1);
    lock->acquire();
    *(volatile int *)sum = *(volatile int *)sum + 1;
    if (lock->try_acquire() || lock->try_acquire_for(100ns)) atomicAdd(wrong, 1);
    lock->release();
    atomicAdd(inside, -1);
    permits->release();
}
int wrong_permits() {
    Array<Latch> latch(1);
    Array<int> done(1), inside(1), sum(1), wrong(1);
    new (latch.p) Latch(2 * 64);
    opens<<<4, 64>>>(latch, done, wrong);
    Array<Permits> permits(1);
    Array<Lock> lock(1);
    new (permits.p) Permits(0);
    permits[0].release(3);
    new (lock.p) Lock(1);
    takes<acquire><<<3, 40>>>(permits, lock, inside, sum, wrong);
    takes<try_acquire><<<3, 40>>>(permits, lock, inside, sum, wrong);
    takes<try_acquire_for><<<3, 40>>>(permits, lock, inside, sum, wrong);
    CALL(cudaDeviceSynchronize());
    return wrong[0] + (sum[0] != 9 * 40) + inside[0];
}

int main() {
    int wrong = 0;
    for (int rounds : {1, 2, 3, 20}) {
        wrong += wrong_quits<1, false>(32, 32, rounds) + wrong_quits<2, false>(32, 32, rounds);
        wrong += wrong_quits<2, true>(32, 96, rounds) + wrong_quits<4, false>(96, 32, rounds);
        wrong += wrong_quits<3, true>(7, 50, rounds) + wrong_quits<3, false>(1, 40, rounds);
    }
    printf("producers and consumers that quit: %d wrong\n", wrong);
    wrong = 0;
    for (int rounds : {1, 2, 5, 17}) wrong += wrong_unified<1>(rounds) + wrong_unified<4>(rounds);
    printf("both at once: %d wrong\n", wrong);
    printf("a thread's own: %d wrong\n", wrong_own());
    using Hardware = cuda::barrier<BLOCK>;
    using Word = cuda::barrier<cuda::thread_scope_device>;
    Array<int> sums(128);
    by_leaders<<<1, 128>>>(sums, 9);
    CALL(cudaDeviceSynchronize());
    wrong = 0;
    for (int t = 0; t < 128; t++) wrong += sums[t] != (t + 33) % 128 * 45;
    printf("leaders: %d wrong\n", wrong);
    printf("in parts: %d and %d wrong\n", wrong_parts<Hardware>(), wrong_parts<Word>());
    printf("dropping out: %d and %d wrong\n", wrong_drops<Hardware>(), wrong_drops<Word>());
    printf("asking: %d wrong\n", wrong_asks<Hardware>());
    printf("meetings: %d wrong\n", wrong_meetings());
    printf("latches and semaphores: %d wrong\n", wrong_permits());
    return 0;
}
