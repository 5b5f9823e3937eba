// A kernel so long that its code is taken apart into several functions, against the same on the host.
#include <cstdio>

constexpr int LINES = 1500, THREADS = 96, BLOCKS = 3;

__host__ __device__ unsigned high(unsigned a, unsigned b) {
    return (unsigned)((unsigned long long)a * b >> 32);
}

__global__ void lines(unsigned *p, unsigned *q) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = p[i], y = i;
#pragma unroll
    for (unsigned k = 0; k < LINES; k++) {
        if (k % 2) {
            x = x * (2 * k + 3) + (y ^ k);
            y = high(x, y + k) - x;
        } else {
            q[i + (k / 2) * BLOCKS * THREADS] = x;
            x += y * k;
        }
    }
    p[i] = x + y;
}

int main() {
    constexpr int N = BLOCKS * THREADS;
    unsigned *p, *q, wrong = 0, sum = 0;
    cudaMallocManaged(&p, N * sizeof *p);
    cudaMallocManaged(&q, N * (LINES / 2) * sizeof *q);
    for (int i = 0; i < N; i++) p[i] = i * 2654435761u;
    lines<<<BLOCKS, THREADS>>>(p, q);
    cudaError_t status = cudaDeviceSynchronize();
    for (unsigned i = 0; i < N; i++) {
        unsigned x = i * 2654435761u, y = i;
        for (unsigned k = 0; k < LINES; k++) {
            if (k % 2) {
                x = x * (2 * k + 3) + (y ^ k);
                y = high(x, y + k) - x;
            } else {
                wrong += q[i + (k / 2) * N] != x;
                x += y * k;
            }
        }
        wrong += p[i] != x + y;
        sum += p[i];
    }
    printf("%s, %u wrong, %08x\n", cudaGetErrorName(status), wrong, sum);
    return status != cudaSuccess || wrong;
}
