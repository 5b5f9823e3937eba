/* A tiled convolution, a scan of each block, and particles whose fields functions give. What is counted was
 * worked out by hand: filters.budget. */
#include <cstdio>

#include "particles.h"
constexpr int RADIUS = 4, BLOCK = 128, N = 1 << 16;
__constant__ float weights[2 * RADIUS + 1];

__global__ void convolve(const float *in, float *out) {
    __shared__ float tile[BLOCK + 2 * RADIUS];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    tile[threadIdx.x + RADIUS] = in[i];
    if (threadIdx.x < RADIUS) {
        tile[threadIdx.x] = i >= RADIUS ? in[i - RADIUS] : 0;
        tile[threadIdx.x + BLOCK + RADIUS] = i + BLOCK < N ? in[i + BLOCK] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 2 * RADIUS; k++) sum += weights[k] * tile[threadIdx.x + k];
    out[i] = sum;
}

__global__ void scan(const int *in, int *out, int *sums) {
    __shared__ int part[2 * BLOCK];
    int t = threadIdx.x, base = blockIdx.x * 2 * BLOCK;
    part[2 * t] = in[base + 2 * t];
    part[2 * t + 1] = in[base + 2 * t + 1];
    int step = 1;
    for (int d = BLOCK; d > 0; d >>= 1, step *= 2) {
        __syncthreads();
        if (t < d) part[step * (2 * t + 2) - 1] += part[step * (2 * t + 1) - 1];
    }
    if (t == 0) {
        sums[blockIdx.x] = part[2 * BLOCK - 1];
        part[2 * BLOCK - 1] = 0;
    }
    for (int d = 1; d <= BLOCK; d *= 2) {
        step >>= 1;
        __syncthreads();
        if (t < d) {
            int left = part[step * (2 * t + 1) - 1];
            part[step * (2 * t + 1) - 1] = part[step * (2 * t + 2) - 1];
            part[step * (2 * t + 2) - 1] += left;
        }
    }
    __syncthreads();
    out[base + 2 * t] = part[2 * t];
    out[base + 2 * t + 1] = part[2 * t + 1];
}

__global__ void move(Particle *p, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!p[i].alive) return;
    axis<0>(p[i]) += p[i].vx * dt;
    axis<1>(p[i]) += p[i].vy * dt;
    axis<2>(p[i]) += p[i].vz * dt;
    p[i].vx += pull(p[i], 0.5f) * dt;
}

int main() {
    float *in, *out;
    int *a, *b, *s;
    Particle *p;
    cudaMallocManaged(&in, N * 4);
    cudaMallocManaged(&out, N * 4);
    cudaMallocManaged(&a, N * 4);
    cudaMallocManaged(&b, N * 4);
    cudaMallocManaged(&s, N * 4);
    cudaMallocManaged(&p, N * sizeof(Particle));
    for (int i = 0; i < N; i++) in[i] = i, a[i] = 1, p[i] = {1.f * i, 0, 0, 1, 1, 1, 1, i % 32 < 24};
    float w[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    cudaMemcpyToSymbol(weights, w, sizeof w);
    convolve<<<N / BLOCK, BLOCK>>>(in, out);
    scan<<<N / BLOCK / 2, BLOCK>>>(a, b, s);
    for (int step = 0; step < 3; step++) move<<<N / 256, 256>>>(p, 0.1f);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s %g %d %g\n", cudaGetErrorName(e), out[100], b[255], p[5].x);
}
