// The threads that write fence before the barrier; or the one that begins the copy, behind it.
#include "async.h"

__global__ void squares(int *out) {
    alignas(128) __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x * threadIdx.x;
    PROXY_FENCE();
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE(out, tile, sizeof tile);
        COMMIT();
        WAIT_ALL(0);
    }
}

__global__ void behind(int *out) {
    alignas(128) __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x * threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        PROXY_FENCE();
        STORE(out, tile, sizeof tile);
        COMMIT();
        WAIT_ALL(0);
    }
}

/* One warp sends what the others have written and handed over, each with its arrival. */
__global__ void specialised(int *out) {
    alignas(128) __shared__ int tile[2][96];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; s++) {
            INIT(&full[s], 96);
            INIT(&empty[s], 1);
        }
    __syncthreads();
    for (int k = 0; k < 6; k++) {
        int s = k % 2, parity = k / 2 % 2;
        if (threadIdx.x >= 32) {
            if (k >= 2) WAIT(&empty[s], parity ^ 1);
            tile[s][threadIdx.x - 32] = k * 1000 + threadIdx.x;
            PROXY_FENCE();
            ARRIVE(&full[s]);
        } else if (threadIdx.x == 0) {
            WAIT(&full[s], parity);
            STORE(out + k * 96, tile[s], sizeof tile[s]);
            COMMIT();
            WAIT_READ(0);
            ARRIVE(&empty[s]);
        }
    }
    if (threadIdx.x == 0) WAIT_ALL(0);
}

/* A tile that is used again and again: named barriers, and one leader for each half of the block. */
__global__ void halves(int *out) {
    alignas(128) __shared__ int tile[2][64];
    int half = threadIdx.x / 64, lane = threadIdx.x % 64;
    for (int k = 0; k < 4; k++) {
        if (lane == 0) WAIT_READ(0);
        asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
        tile[half][lane] = k * 100 + lane;
        PROXY_FENCE();
        asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
        if (lane == 0) {
            STORE(out + (k * 2 + half) * 64, tile[half], sizeof tile[half]);
            COMMIT();
        }
    }
    if (lane == 0) WAIT_ALL(0);
}

int main() {
    int *out;
    cudaMallocManaged(&out, 1024 * sizeof(int));
    squares<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[7]);
    behind<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[7]);
    specialised<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[200]);
    halves<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[200]);
    return 0;
}
