// A ring whose mbarriers wait for more consumers than there are: the producer waits for them, they for it.
// expect: deadlock line 25 other 18
// says: which waits for 32 of 96 arrivals to end its phase
// says: which waits for 1 of 1 arrivals to end its phase
#include "async.h"

__global__ void sums(const int *in, int *out, int tiles) {
    alignas(128) __shared__ int tile[2][64];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; i++) {
            INIT(&full[i], 1);
            INIT(&empty[i], 96);
        }
    __syncthreads();
    if (threadIdx.x == 64)
        for (int t = 0; t < tiles; t++) {
            if (t > 1) WAIT(&empty[t % 2], (t / 2 - 1) % 2);
            EXPECT(&full[t % 2], 256);
            LOAD(tile[t % 2], in + t * 64, 256, &full[t % 2]);
        }
    if (threadIdx.x < 64) {
        int sum = 0;
        for (int t = 0; t < tiles; t++) {
            WAIT(&full[t % 2], t / 2 % 2);
            sum += tile[t % 2][threadIdx.x];
            ARRIVE(&empty[t % 2]);
        }
        out[threadIdx.x] = sum;
    }
}

int main() {
    const int tiles = 4;
    int *in, *out;
    cudaMallocManaged(&in, tiles * 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < tiles * 64; i++) in[i] = i;
    sums<<<1, 96>>>(in, out, tiles);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    printf("%d\n", out[7]);
    return 0;
}
