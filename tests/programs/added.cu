/* added: what a block has summed is added to one place of global memory, by one thread or one of each warp,
 * and what such a place is used for besides: stored to before, loaded after, several operations, blocks that
 * are not full.
 */
#include "program.h"

template <typename T> __device__ T tree(T v) {
    __shared__ T part[256];
    const int t = threadIdx.x;
    part[t] = v;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) part[t] += part[t + d];
        __syncthreads();
    }
    return part[0];
}
template <typename T> __device__ T warp_sum(T v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    return v;
}

template <typename T> __global__ void one(const T *in, T *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const T sum = tree(i < n ? in[i] : T(0));
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
/* One of each warp: all at once for whole numbers. */
template <typename T> __global__ void warps(const T *in, T *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const T sum = warp_sum(i < n ? in[i] : T(0));
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
/* To a place for each eight blocks, and to the next one as well, by another thread of the first warp. */
template <typename T> __global__ void places(const T *in, T *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const T sum = tree(i < n ? in[i] : T(0));
    if (threadIdx.x == 0) atomicAdd(out + blockIdx.x, sum);
    if (threadIdx.x == 7) atomicAdd(out + blockIdx.x + 1, sum + T(1));
}
/* Stored, then added to; and the other way round. */
template <typename T> __global__ void stored(const T *in, T *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const T sum = tree(i < n ? in[i] : T(0));
    if (threadIdx.x == 0) {
        out[2 * blockIdx.x] = T(5);
        atomicAdd(out + 2 * blockIdx.x, sum);
        atomicAdd(out + 2 * blockIdx.x + 1, sum);
        out[2 * blockIdx.x + 1] = T(7);
    }
}
template <typename T> __global__ void loaded(const T *in, T *out, T *seen, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const T sum = tree(i < n ? in[i] : T(0));
    if (threadIdx.x == 0) atomicAdd(out + blockIdx.x, sum);
    __syncthreads();
    seen[i] = out[blockIdx.x] + T(threadIdx.x);
}
/* Other operations; every thread's value is in each. */
template <typename T> __global__ void others(const T *in, T *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    T most = i < n ? in[i] : T(0), least = most, all = most, odd = most;
    for (int d = 16; d > 0; d /= 2) {
        most = max(most, __shfl_down_sync(~0u, most, d));
        least = min(least, __shfl_down_sync(~0u, least, d));
        all |= __shfl_down_sync(~0u, all, d);
        odd ^= __shfl_down_sync(~0u, odd, d);
    }
    if (threadIdx.x % 32 == 0) {
        atomicMax(out, most), atomicMin(out + 1, least), atomicOr(out + 2, all), atomicXor(out + 3, odd);
        atomicAnd(out + 4, ~all);
    }
}
/* Two of the warps add, one behind a barrier. */
template <typename T> __global__ void twice(const T *in, T *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const T sum = tree(i < n ? in[i] : T(0));
    if (threadIdx.x == 64) atomicAdd(out, sum);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, -sum - sum);
}

template <typename T> void sums(const char *name) {
    const int blocks = 41, n = blocks * 256 - 77;
    Array<T> in(blocks * 256), a(1), b(1), c(blocks + 1), d(2 * blocks), e(blocks), seen(blocks * 256), f(1);
    for (int i = 0; i < blocks * 256; i++) in[i] = T((i * 7919 + 13) % 251);
    for (int i = 0; i < 2 * blocks; i++) d[i] = T(3);
    one<<<blocks, 256>>>(in.p, a.p, n);
    one<<<blocks * 4, 64>>>(in.p, a.p, n);
    warps<<<blocks, 256>>>(in.p, b.p, n);
    places<<<blocks, 256>>>(in.p, c.p, n);
    stored<<<blocks, 256>>>(in.p, d.p, n);
    loaded<<<blocks, 256>>>(in.p, e.p, seen.p, n);
    twice<<<blocks, 256>>>(in.p, f.p, n);
    printf("%s\n", name);
    show("one", a), show("warps", b), show("places", c), show("stored", d), show("loaded", seen),
        show("twice", f);
}

int main() {
    sums<int>("int");
    sums<unsigned long long>("unsigned long long");
    sums<float>("float");
    sums<double>("double");
    const int n = 40 * 256 - 100;
    Array<int> in(40 * 256), o(5);
    Array<unsigned long long> in8(40 * 256), o8(5);
    for (int i = 0; i < 40 * 256; i++) in[i] = i * 7919 % 30011 - 15000, in8[i] = i * 7919ull << 20;
    o[4] = -1, o8[1] = o8[4] = ~0ull;
    others<<<40, 256>>>(in.p, o.p, n);
    others<<<40, 256>>>(in8.p, o8.p, n);
    show("others", o), show("of 64 bits", o8);
    return 0;
}
