// Blocks take items by tickets, and an item's result has the item's place.
// options: --only memory --schedules 2
// says: output is the same in 4 other orders
#include <cstdio>
__global__ void squares(unsigned *next, int *out) {
    __shared__ unsigned item;
    for (;;) {
        if (threadIdx.x == 0) item = atomicAdd(next, 1);
        __syncthreads();
        if (item >= 64) break;
        if (threadIdx.x == 0) out[item] = item * item;
        __syncthreads();
    }
}
int main() {
    unsigned *next;
    int *out, h[64], sum = 0;
    cudaMalloc(&next, sizeof(unsigned));
    cudaMalloc(&out, sizeof h);
    cudaMemset(next, 0, sizeof(unsigned));
    squares<<<8, 64>>>(next, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) sum += i * h[i];
    printf("%d\n", sum);
    return 0;
}
