/* histogram: by warps that join their equal bins, in shared memory with copies, in bytes that carry; and
 * compaction. */
#include "program.h"

__global__ void by_match(const unsigned char *in, int n, unsigned *bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned same = __match_any_sync(__activemask(), in[i]);
    if ((threadIdx.x & 31) == __ffs(same) - 1) atomicAdd(&bins[in[i]], __popc(same));
}

__global__ void by_copies(const unsigned char *in, int n, unsigned *bins) {
    __shared__ unsigned t[4][256];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) t[0][k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&t[threadIdx.x % 4][in[i]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        atomicAdd(&bins[k], t[0][k] + t[1][k] + t[2][k] + t[3][k]);
}

/* Four counters of 8 bits in a word; no thread counts above 255. */
__global__ void in_bytes(const unsigned char *in, int n, unsigned *bins) {
    __shared__ unsigned char t[64][64];
    unsigned char *mine = &t[0][0] + threadIdx.x;
    for (int k = 0; k < 64; k++) mine[k * 64] = 0;
    for (int i = threadIdx.x; i < n; i += 64) mine[(in[i] >> 2) * 64]++;
    __syncthreads();
    unsigned s = 0;
    for (int k = 0; k < 64; k++) s += t[threadIdx.x][(k + threadIdx.x) % 64];
    bins[threadIdx.x] = s;
}

/* Keeps the values above a limit, in their order. */
__global__ void compact(const unsigned char *in, int n, int limit, unsigned char *out, int *length) {
    __shared__ int warps[32], base;
    if (threadIdx.x == 0) base = 0;
    for (int start = 0; start < n; start += blockDim.x) {
        int i = start + threadIdx.x;
        bool keep = i < n && in[i] > limit;
        unsigned kept = __ballot_sync(~0u, keep);
        if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = __popc(kept);
        __syncthreads();
        int before = base;
        for (int w = 0; w < threadIdx.x / 32; w++) before += warps[w];
        if (keep) out[before + __popc(kept & ((1u << threadIdx.x % 32) - 1))] = in[i];
        int all = __syncthreads_count(keep);
        if (threadIdx.x == 0) base += all;
        __syncthreads();
    }
    if (threadIdx.x == 0) *length = base;
}

__global__ void conditions(const unsigned char *in, int *out) {
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int all = __syncthreads_and(v > 2), any = __syncthreads_or(v > 250), count = __syncthreads_count(v & 1);
    if (threadIdx.x == 0) out[blockIdx.x] = (all != 0) * 10000 + (any != 0) * 20000 + count;
}

int main() {
    const int n = 10000;
    Array<unsigned char> in(n), out(n);
    Array<unsigned> a(256), b(256), c(64);
    Array<int> length(1), conditional(25);
    uint32_t state = 14;
    for (int i = 0; i < n; i++) {
        uint32_t x = next_random(state);
        in[i] = (unsigned char)(x % 3 ? x >> 8 & 0xff : (x >> 8 & 7) + 60);
    }
    by_match<<<(n + 191) / 192, 192>>>(in, n, a);
    show("by match", a);
    by_copies<<<7, 100>>>(in, n, b);
    show("by copies", b);
    in_bytes<<<1, 64>>>(in, n, c);
    show("in bytes", c);
    compact<<<1, 256>>>(in, n, 200, out, length);
    show("compacted", out);
    printf("%d left\n", length[0]);
    conditions<<<25, 400>>>(in, conditional);
    show("conditions", conditional, 8);
    return 0;
}
