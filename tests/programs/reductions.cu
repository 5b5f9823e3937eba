/* reductions: a block's threads come down to one, step by step; who works in a step follows from the thread's
 * number alone: those below a bound, one of each 2, 4, ... threads, odd ones, a middle stretch. Of every
 * element's width, with and without loops that a compiler unrolls, in blocks of whole and of broken warps.
 */
#include "program.h"

template <typename T> __device__ T value(int i) {
    return static_cast<T>((i * 7919 + 13) % 251) - static_cast<T>(i % 3);
}

struct Sum {
    template <typename T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct Most {
    template <typename T> __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

/* Threads below the bound; all that it leaves in shared memory is seen. */
template <typename T, int N, typename F> __global__ void halves(T *out, F f) {
    __shared__ T part[N];
    const int t = threadIdx.x;
    part[t] = value<T>(blockIdx.x * N + t);
    __syncthreads();
#pragma unroll
    for (int s = N / 2; s > 0; s /= 2) {
        if (t < s) part[t] = f(part[t], part[t + s]);
        __syncthreads();
    }
    out[blockIdx.x * N + t] = part[t];
}

template <typename T, int N, typename F> __global__ void pairs(T *out, F f) {
    __shared__ T part[N];
    const int t = threadIdx.x;
    part[t] = value<T>(blockIdx.x * N + t);
    __syncthreads();
#pragma unroll
    for (int s = 1; s < N; s *= 2) {
        if (t % (2 * s) == 0) part[t] = f(part[t], part[t + s]);
        __syncthreads();
    }
    out[blockIdx.x * N + t] = part[t];
}

/* The last of each group has the sum; those before it what it was. */
template <typename T, int N, typename F> __global__ void upward(T *out, F f) {
    __shared__ T part[N];
    const int t = threadIdx.x;
    part[t] = value<T>(blockIdx.x * N + t);
    __syncthreads();
#pragma unroll
    for (int s = 1; s < N; s *= 2) {
        if ((t & (2 * s - 1)) == 2 * s - 1) part[t] = f(part[t - s], part[t]);
        __syncthreads();
    }
    out[blockIdx.x * N + t] = part[t];
}

/* Packed to the front: thread t adds what lies 2 * s * t on. */
template <typename T, int N, typename F> __global__ void packed(T *out, F f) {
    __shared__ T part[N];
    const int t = threadIdx.x;
    part[t] = value<T>(blockIdx.x * N + t);
    __syncthreads();
#pragma unroll
    for (int s = 1; s < N; s *= 2) {
        const int i = 2 * s * t;
        if (i < N) part[i] = f(part[i], part[i + s]);
        __syncthreads();
    }
    out[blockIdx.x * N + t] = part[t];
}

/* Stretches and patterns of all kinds, one array behind the other so that a lane too many would show. */
template <typename T> __global__ void stretches(T *out, int n) {
    __shared__ T before[40], part[168], behind[40], from[168];
    const int t = threadIdx.x, u = t + threadIdx.y * blockDim.x;
    if (u < 40) before[u] = behind[u] = static_cast<T>(u);
    for (int i = u; i < 168; i += blockDim.x * blockDim.y) part[i] = from[i] = value<T>(i);
    __syncthreads();
    if (u >= 5 && u < 23) part[u] += from[u - 5];
    __syncthreads();
    if (u & 1) part[u] += part[u - 1];
    __syncthreads();
    if (u % 3 == 1) part[u + 1] += part[u - 1];
    __syncthreads();
    if ((u ^ 5) < 19) part[u] += static_cast<T>(3);
    __syncthreads();
    if (u < 48 && u % 4 != 2) part[u] += from[u + 17];
    __syncthreads();
    if (u == 31 || u == 33) part[u] += part[u + 1];
    __syncthreads();
    if (u < n && u > 2) part[u] += from[u + 2];
    __syncthreads();
    if (u < 11)
        part[u] += from[u + 3], before[u + 29] += part[u];
    else if (u < 29)
        behind[u - 11] += part[u];
    __syncthreads();
    for (int i = u; i < 40; i += blockDim.x * blockDim.y) {
        out[blockIdx.x * 248 + i] = before[i];
        out[blockIdx.x * 248 + 208 + i] = behind[i];
    }
    for (int i = u; i < 168; i += blockDim.x * blockDim.y) out[blockIdx.x * 248 + 40 + i] = part[i];
}

/* In global memory, whose other elements are others' to write: threads of two blocks share a line. */
template <typename T> __global__ void in_place(T *values, int n, int count) {
    T *mine = values + blockIdx.x * n;
    const int t = threadIdx.x;
    for (int s = 1; s < (int)blockDim.x; s *= 2) {
        if (t % (2 * s) == 0 && t + s < count) mine[t] += mine[t + s];
        __syncthreads();
    }
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s && t + s < count) mine[t] += mine[t + s];
        __syncthreads();
    }
    for (int s = 1; s < (int)blockDim.x; s *= 2) {
        const int i = 2 * s * t;
        if (i + s < count) mine[i] += mine[i + s];
        __syncthreads();
    }
}

/* Loops whose turns only the block's shape says: carried values, a way out in the middle, one inside another,
 * a stride that is no power of two, and one that nobody knows. */
__global__ void turns(int *out, int runs) {
    __shared__ int part[256];
    const int t = threadIdx.x, n = blockDim.x;
    int carried = t, last = -1;
    part[t] = t * 7 % 31;
    __syncthreads();
    for (int s = n / 2; s > 0; s >>= 1) {
        const int from = part[(t + s) % n];
        carried = carried * 3 + from;
        if (from % 5 == 1) last = s;
        __syncthreads();
        if (t < s) part[t] += carried & 15;
        __syncthreads();
    }
    for (int s = n;; s = (s + 1) / 2) {
        if (t < s) part[t] ^= s;
        if (s <= 4) break;
        __syncthreads();
        if (t >= s / 2 && t < s) part[t - s / 2] += part[t];
        __syncthreads();
    }
    __syncthreads();
    int step = n;
    for (int r = 0; r < runs; r++) {
        for (; step > 2; step /= 2) {
            if (t % step == 1) part[t] += step + r;
            __syncthreads();
        }
        step = n / 4 + r;
        if (t == 3) part[t] += r;
        __syncthreads();
    }
    for (int s = n - 1; s > 3; s -= n / 4) {
        if (t <= s) carried += part[t] + s;
        __syncthreads();
        part[(t * 7 + s) % n] = carried;
        __syncthreads();
    }
    out[blockIdx.x * n + t] = part[t] + 1000 * last + carried;
}

/* The greatest and where it is; warps first, then their results. */
__global__ void greatest(const int *values, int *at, int n) {
    __shared__ int best[32], where[32];
    int most = INT32_MIN, place = -1;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (values[i] > most) most = values[i], place = i;
    for (int d = 16; d > 0; d /= 2) {
        const int other = __shfl_down_sync(~0u, most, d), there = __shfl_down_sync(~0u, place, d);
        if (other > most || (other == most && there < place)) most = other, place = there;
    }
    if (threadIdx.x % 32 == 0) best[threadIdx.x / 32] = most, where[threadIdx.x / 32] = place;
    __syncthreads();
    for (unsigned s = 16; s > 0; s /= 2) {
        if (threadIdx.x < s && threadIdx.x + s < blockDim.x / 32) {
            const int other = best[threadIdx.x + s], there = where[threadIdx.x + s];
            if (other > best[threadIdx.x] || (other == best[threadIdx.x] && there < where[threadIdx.x]))
                best[threadIdx.x] = other, where[threadIdx.x] = there;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) at[0] = where[0], at[1] = best[0];
}

/* Each row: its greatest, the sum of the rest's distances from it, and each one's share. */
__global__ void shares(const float *in, float *out, int columns) {
    __shared__ float part[128];
    const float *row = in + blockIdx.x * columns;
    const int t = threadIdx.x;
    float most = -1e30f, sum = 0;
    for (int i = t; i < columns; i += 128) most = fmaxf(most, row[i]);
    part[t] = most;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (t < s) part[t] = fmaxf(part[t], part[t + s]);
        __syncthreads();
    }
    most = part[0];
    __syncthreads();
    for (int i = t; i < columns; i += 128) sum += most - row[i];
    part[t] = sum;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    for (int i = t; i < columns; i += 128) out[blockIdx.x * columns + i] = (most - row[i]) / part[0];
}

template <typename T> void all_ways(const char *name) {
    Array<T> a(5 * 256), b(5 * 256), c(5 * 256), d(5 * 256), e(5 * 96), f(3 * 248), g(3 * 248), h(3 * 248),
        i(1300);
    halves<T, 256><<<5, 256>>>(a, Sum());
    pairs<T, 256><<<5, 256>>>(b, Sum());
    upward<T, 256><<<5, 256>>>(c, Most());
    packed<T, 256><<<5, 256>>>(d, Sum());
    halves<T, 64><<<5, 64>>>(e, Most());
    stretches<<<3, 128>>>(f.p, 100);
    stretches<<<3, 77>>>(g.p, 50);
    stretches<<<3, dim3(24, 4)>>>(h.p, 90);
    CALL(cudaDeviceSynchronize());
    for (int k = 0; k < 1300; k++) i[k] = static_cast<T>(k * 31 % 101);
    in_place<<<5, 256>>>(i.p, 251, 251);
    in_place<<<5, 128>>>(i.p, 251, 128);
    in_place<<<5, 50>>>(i.p, 251, 49);
    printf("%s\n", name);
    show("halves", a), show("pairs", b), show("upward", c), show("packed", d), show("of 64", e);
    show("stretches", f), show("of 77", g), show("of 24 x 4", h), show("in place", i);
}

int main() {
    all_ways<int>("int");
    all_ways<float>("float");
    all_ways<double>("double");
    all_ways<short>("short");
    all_ways<unsigned char>("bytes");
    for (int n : {256, 96, 64, 50}) {
        Array<int> out(3 * n);
        turns<<<3, n>>>(out.p, 3);
        show("turns", out);
    }
    Array<int> values(10000), at(2);
    for (int i = 0; i < 10000; i++) values[i] = i * 7919 % 9973;
    greatest<<<1, 256>>>(values, at, 10000);
    show("greatest", at);
    greatest<<<1, 96>>>(values, at, 9000);
    show("greatest", at);
    Array<float> in(7 * 300), out(7 * 300);
    for (int i = 0; i < 2100; i++) in[i] = (i * 37 % 256) / 4.0f;
    shares<<<7, 128>>>(in, out, 300);
    show("shares", out);
    return 0;
}
