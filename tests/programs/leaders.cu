// One lane of those that are on does something for all of them and tells the others by a shuffle. The
// variable that it sets is set in no other lane: as in most published forms of warp-aggregated atomics.
#include "program.h"

template <typename T> __device__ T tell(unsigned mask, T value, int leader) {
    return __shfl_sync(mask, value, leader);
}

__device__ int next(int *counter) {
    unsigned mask = __activemask();
    int lane = threadIdx.x % 32, leader = __ffs(mask) - 1, place;
    if (lane == leader) place = atomicAdd(counter, __popc(mask));
    place = __shfl_sync(mask, place, leader);
    return place + __popc(mask & ((1u << lane) - 1));
}

__global__ void keep(const int *in, int n, int *out, int *counter) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (in[i] % 5 < 2) out[next(counter)] = in[i];
}

// Each warp draws a ticket of its own; through a function, in 64 bits, as a fraction.
__global__ void draw(unsigned long long *tickets, float *shares, unsigned long long *taken, float *sums) {
    unsigned long long ticket;
    float share;
    int lane = threadIdx.x % 32;
    if (lane == 3) ticket = atomicAdd(tickets, 1ull);
    if (lane == 30) share = atomicAdd(shares, 0.5f);
    ticket = tell(0xffffffff, ticket, 3);
    share = tell(0xffffffff, share, 30);
    if (lane == 0) atomicAdd(&taken[ticket], 1ull);
    if (lane == 7) atomicAdd(&sums[(int)(share * 2)], 1.0f);
}

int main() {
    const int n = 10000, warps = 64;
    int *in, *out, *counter;
    unsigned long long *tickets, *taken;
    float *shares, *sums;
    CALL(cudaMallocManaged(&in, n * sizeof(int)));
    CALL(cudaMallocManaged(&out, n * sizeof(int)));
    CALL(cudaMallocManaged(&counter, sizeof(int)));
    CALL(cudaMallocManaged(&tickets, sizeof *tickets));
    CALL(cudaMallocManaged(&taken, warps * sizeof *taken));
    CALL(cudaMallocManaged(&shares, sizeof *shares));
    CALL(cudaMallocManaged(&sums, warps * sizeof *sums));
    for (int i = 0; i < n; i++) in[i] = i * 7;
    *counter = 0, *tickets = 0, *shares = 0;
    for (int i = 0; i < warps; i++) taken[i] = 0, sums[i] = 0;

    keep<<<(n + 255) / 256, 256>>>(in, n, out, counter);
    CALL(cudaDeviceSynchronize());
    long long sum = 0;
    for (int i = 0; i < *counter && i < n; i++) sum += out[i];
    printf("%d kept, their sum is %lld\n", *counter, sum);

    draw<<<8, 256>>>(tickets, shares, taken, sums);
    CALL(cudaDeviceSynchronize());
    int once = 0, whole = 0;
    for (int i = 0; i < warps; i++) once += taken[i] == 1, whole += sums[i] == 1;
    printf("%llu tickets, %d taken once, %d of the shares too\n", *tickets, once, whole);
    return 0;
}
