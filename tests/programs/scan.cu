/* scan: prefix sums: Blelloch's in shared memory, by warps, and in one pass with decoupled look-back. */
#include "program.h"

/* Exclusive, of 2 * blockDim.x values. */
__global__ void blelloch(const int *in, int *out) {
    extern __shared__ int t[];
    int i = threadIdx.x, n = 2 * blockDim.x, offset = 1;
    t[2 * i] = in[2 * i], t[2 * i + 1] = in[2 * i + 1];
    for (int d = n / 2; d > 0; d /= 2) {
        __syncthreads();
        if (i < d) t[offset * (2 * i + 2) - 1] += t[offset * (2 * i + 1) - 1];
        offset *= 2;
    }
    if (i == 0) t[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (i < d) {
            int a = offset * (2 * i + 1) - 1, b = offset * (2 * i + 2) - 1, v = t[a];
            t[a] = t[b];
            t[b] += v;
        }
    }
    __syncthreads();
    out[2 * i] = t[2 * i], out[2 * i + 1] = t[2 * i + 1];
}

__device__ int warp_inclusive(int v) {
    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(~0u, v, d);
        if ((threadIdx.x & 31) >= d) v += u;
    }
    return v;
}

__device__ int block_inclusive(int v, int *warps) {
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    v = warp_inclusive(v);
    if (lane == 31) warps[warp] = v;
    __syncthreads();
    if (warp == 0) warps[lane] = warp_inclusive(lane < blockDim.x / 32 ? warps[lane] : 0);
    __syncthreads();
    return v + (warp ? warps[warp - 1] : 0);
}

/* Each block publishes its sum, then looks back over those before it until it meets a whole prefix. */
enum { NOTHING, SUM, PREFIX };
__global__ void look_back(const int *in, int *out, int n, volatile unsigned long long *states,
                          unsigned *next) {
    __shared__ int warps[32], before;
    __shared__ unsigned block;
    if (threadIdx.x == 0) block = atomicAdd(next, 1);
    __syncthreads();
    int i = block * blockDim.x + threadIdx.x, v = block_inclusive(i < n ? in[i] : 0, warps);
    if (threadIdx.x == blockDim.x - 1) {
        states[block] = (unsigned long long)(block ? SUM : PREFIX) << 32 | (unsigned)v;
        int sum = 0;
        for (int b = block - 1; b >= 0; b--) {
            unsigned long long s;
            do s = states[b];
            while (s >> 32 == NOTHING);
            sum += (int)s;
            if (s >> 32 == PREFIX) break;
        }
        if (block) states[block] = (unsigned long long)PREFIX << 32 | (unsigned)(sum + v);
        before = sum;
    }
    __syncthreads();
    if (i < n) out[i] = v + before;
}

__device__ int load_acquire(const int *p) {
    int v;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ void store_release(int *p, int v) {
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

/* A chain of blocks: each waits for the one before. */
__global__ void chained(const int *in, int *out, int *flags, int *sums) {
    __shared__ int warps[32], before;
    int b = blockIdx.x, v = block_inclusive(in[b * blockDim.x + threadIdx.x], warps);
    if (threadIdx.x == blockDim.x - 1) {
        before = 0;
        if (b) {
            while (!load_acquire(&flags[b - 1]));
            before = sums[b - 1];
        }
        sums[b] = before + v;
        store_release(&flags[b], 1);
    }
    __syncthreads();
    out[b * blockDim.x + threadIdx.x] = v + before;
}

int main() {
    const int n = 100 * 256 - 77;
    Array<int> in(100 * 256), out(100 * 256), flags(100), sums(100);
    Array<unsigned long long> states(100);
    Array<unsigned> next(1);
    uint32_t state = 4;
    for (int i = 0; i < n; i++) in[i] = (int)(next_random(state) % 2001) - 1000;
    std::vector<int> right(in.n);
    int s = 0;
    for (size_t i = 0; i < in.n; i++) right[i] = s += in[i];
    blelloch<<<1, 512, 1024 * 4>>>(in, out);
    show("blelloch", out);
    printf("%s\n", !memcmp(out + 1, right.data(), 1023 * 4) ? "right" : "WRONG");
    look_back<<<100, 256>>>(in, out, n, states, next);
    show("look-back", out);
    printf("%s\n", !memcmp(out, right.data(), n * 4) ? "right" : "WRONG");
    chained<<<100, 256>>>(in, out, flags, sums);
    show("chained", out);
    printf("%s\n", !memcmp(out, right.data(), in.n * 4) ? "right" : "WRONG");
    return 0;
}
