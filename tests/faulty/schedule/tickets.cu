// A block's place in the output is the ticket that it draws: whose comes first depends on the order of blocks.
// options: --only memory --schedules 2
// expect: order-dependent line 10
// says: With --schedule reverse, line 1 of the output is
#include <cstdio>
__global__ void squares(unsigned *next, int *out) {
    __shared__ unsigned at;
    if (threadIdx.x == 0) at = atomicAdd(next, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[at] = blockIdx.x * blockIdx.x;
}
int main() {
    unsigned *next;
    int *out, h[64], sum = 0;
    cudaMalloc(&next, sizeof(unsigned));
    cudaMalloc(&out, sizeof h);
    cudaMemset(next, 0, sizeof(unsigned));
    squares<<<64, 64>>>(next, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) sum += i * h[i];
    printf("%d\n", sum);
    return 0;
}
