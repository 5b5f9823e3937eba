// Decoupled look-back: blocks take tickets, and ask those before them what their sums are.
#include "hash.h"

__device__ unsigned ticket;

__global__ void scan(const unsigned *in, unsigned *out, volatile unsigned long long *state, int n) {
    __shared__ unsigned block, before, part[256];
    if (threadIdx.x == 0) block = atomicAdd(&ticket, 1);
    __syncthreads();
    int i = block * 256 + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        unsigned t = threadIdx.x >= d ? part[threadIdx.x - d] : 0;
        __syncthreads();
        part[threadIdx.x] += t;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        if (block) {
            state[block] = 1ull << 32 | part[255];
            __threadfence();
            for (int k = block - 1;;) {
                unsigned long long x = state[k];
                if (x >> 32 == 0) continue;
                sum += static_cast<unsigned>(x);
                if (x >> 32 == 2) break;
                k--;
            }
        }
        before = sum;
        __threadfence();
        state[block] = 2ull << 32 | (sum + part[255]);
    }
    __syncthreads();
    if (i < n) out[i] = part[threadIdx.x] + before;
}

int main() {
    const int n = 60000;
    std::vector<unsigned> h(n);
    for (int i = 0; i < n; i++) h[i] = i % 7;
    unsigned *in = zeros<unsigned>(n), *out = zeros<unsigned>(n);
    auto *state = zeros<unsigned long long>(n / 256 + 1);
    CK(cudaMemcpy(in, h.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    scan<<<(n + 255) / 256, 256>>>(in, out, state, n);
    print_hash("sums", out, n);
    return 0;
}
