/* shuffled: sums and others of a block by shuffles, in registers, and what is left over of them by way of
 * shared memory. Most lanes' results are nobody's, and in some of these kernels somebody's all the same.
 */
#include "program.h"

struct Sum {
    template <typename T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct Most {
    template <typename T> __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <typename T, typename F> __device__ T warp_down(T v, F f) {
    for (int d = 16; d > 0; d /= 2) v = f(v, __shfl_down_sync(~0u, v, d));
    return v;
}

/* The usual one: warps, then the first warp over their sums. */
template <typename T, typename F> __device__ T block_down(T v, F f, T none) {
    static __shared__ T part[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    v = warp_down(v, f);
    if (lane == 0) part[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? part[lane] : none;
    if (warp == 0) v = warp_down(v, f);
    return v;
}

template <typename T, typename F> __global__ void down(const T *in, T *out, int n, F f, T none) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    T v = i < n ? in[i] : none;
    v = block_down(v, f, none);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}

/* All lanes of the first warp are seen, the rest's sums of their warp as well. */
template <typename T, typename F> __global__ void seen(const T *in, T *out, int n, F f, T none) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    T v = i < n ? in[i] : none;
    v = block_down(v, f, none);
    out[i] = v;
}

/* Each warp's sum is everybody's; each block's is the first warp's, again by butterflies. */
template <typename T> __global__ void butterfly(const T *in, T *out, int n) {
    __shared__ T part[32];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    T v = i < n ? in[i] : T(0), mine = v;
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    if (t % 32 == 31) part[t / 32] = v;
    __syncthreads();
    if (t < 32) {
        T all = t < blockDim.x / 32 ? part[t] : T(0);
        for (int d = 16; d > 0; d /= 2) all += __shfl_xor_sync(~0u, all, d);
        part[t] = all;
    }
    __syncthreads();
    out[i] = mine + part[t / 32] - v;
}

/* Running sums: nobody's value is left out. Groups of eight, and the last one's value to all of a group. */
template <typename T> __global__ void running(const T *in, T *out, int n) {
    __shared__ T ends[32];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
    T v = i < n ? in[i] : T(0);
    for (int d = 1; d < 32; d *= 2) {
        const T before = __shfl_up_sync(~0u, v, d);
        if (lane >= d) v += before;
    }
    if (lane == 31) ends[t / 32] = v;
    __syncthreads();
    if (t == 0)
        for (unsigned w = 1; w < 8; w++)
            if (w < blockDim.x / 32) ends[w] += ends[w - 1];
    __syncthreads();
    if (t >= 32) v += ends[t / 32 - 1];
    T group = v;
    for (int d = 4; d > 0; d /= 2) group += __shfl_down_sync(~0u, group, d, 8);
    out[i] = v + __shfl_sync(~0u, group, 0, 8);
}

/* What nobody uses in the end goes to shared memory and comes back, is overwritten, is added to once more. */
template <typename T> __global__ void leftovers(const T *in, T *out, int n) {
    __shared__ T part[256], other[256];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    T v = i < n ? in[i] : T(1);
    part[t] = v;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    other[t] = v + part[t];
    __syncthreads();
    T w = other[t ^ 1] * T(2);
    part[t] = w;
    __syncthreads();
    for (int d = 16; d > 0; d /= 2) w += __shfl_down_sync(~0u, w, d);
    if (t % 64 == 0) other[t] = part[t] + w;
    __syncthreads();
    if (t == 64) part[64] = other[0] - other[128];
    __syncthreads();
    if (t < 2) out[2 * blockIdx.x + t] = part[64 * (1 - t)] + other[t * 192];
}

/* Results that stay in global memory: each step of the sum is somebody's to see. */
template <typename T> __global__ void steps(T *values, int n) {
    T *mine = values + blockIdx.x * blockDim.x;
    const int t = threadIdx.x;
    T v = blockIdx.x * blockDim.x + t < n ? mine[t] : T(0);
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_down_sync(~0u, v, d);
        if (blockIdx.x * blockDim.x + t < n && t % 32 < d) mine[t] = v;
        __syncthreads();
    }
}

/* The greatest value and where it is: one comparison picks both, and not all threads' are used. */
template <typename T> struct Place {
    T value;
    int at;
    __device__ void take_down(int d) {
        const Place other = {__shfl_down_sync(~0u, value, d), __shfl_down_sync(~0u, at, d)};
        if (other.value > value || (other.value == value && other.at < at)) *this = other;
    }
};
template <typename T> __global__ void place(const T *in, T *out, int n) {
    __shared__ T values[32];
    __shared__ int places[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    Place<T> p = {i < n ? in[i] : T(-1000), i};
    for (int d = 16; d > 0; d /= 2) p.take_down(d);
    if (lane == 0) values[warp] = p.value, places[warp] = p.at;
    __syncthreads();
    if (warp > 0) return;
    const bool has = threadIdx.x < blockDim.x / 32;
    p = {has ? values[lane] : T(-1000), has ? places[lane] : n};
    for (int d = 16; d > 0; d /= 2) p.take_down(d);
    if (lane == 0) out[2 * blockIdx.x] = p.value, out[2 * blockIdx.x + 1] = T(p.at);
}

template <typename T> void all_ways(const char *name) {
    const int n = 5 * 256 - 19;
    Array<T> in(5 * 256), a(5), b(5), c(5 * 256), d(5 * 256), e(5 * 256), f(5 * 256), g(10), h(5 * 256),
        small(20), where(10);
    for (int i = 0; i < 5 * 256; i++) in[i] = static_cast<T>((i * 7919 + 13) % 251) - static_cast<T>(i % 3);
    memcpy(h.p, in.p, sizeof(T) * 5 * 256);
    down<<<5, 256>>>(in.p, a.p, n, Sum(), T(0));
    down<<<5, 256>>>(in.p, b.p, n, Most(), T(-1000));
    down<<<20, 64>>>(in.p, small.p, n, Sum(), T(0));
    seen<<<5, 256>>>(in.p, c.p, n, Sum(), T(0));
    seen<<<10, 96>>>(in.p, d.p, n, Most(), T(-1000));
    butterfly<<<5, 256>>>(in.p, e.p, n);
    running<<<5, 256>>>(in.p, f.p, n);
    leftovers<<<5, 256>>>(in.p, g.p, n);
    steps<<<5, 256>>>(h.p, n);
    place<<<5, 256>>>(in.p, where.p, n);
    printf("%s\n", name);
    show("down", a), show("most", b), show("of 64", small), show("seen", c), show("of 96", d);
    show("butterfly", e), show("running", f), show("leftovers", g), show("steps", h);
    show("place", where);
}

int main() {
    all_ways<int>("int");
    all_ways<float>("float");
    all_ways<double>("double");
    return 0;
}
