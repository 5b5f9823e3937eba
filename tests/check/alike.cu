// Blocks that do the same in shared memory, but for what a definition brings in: one block, or all from some block on, races.
// Printed: how many blocks there are.
#include <cstdio>

const int BLOCKS = 200, ODD = 150;

__global__ void tree(const int *x, int *sums, int n, int turns) {
    __shared__ int part[256];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    part[t] = i < n ? x[i] : 0;
    __syncthreads();
#ifdef ADDRESS // of the block's index: from block 150 on, neighbours write one element
    int at = blockIdx.x < ODD ? t : t / 2;
    part[at] = i;
    __syncthreads();
#elif defined STEP   // 128 bytes on for each block, from 32 on into what others read
    int next = part[(t + 1) % 128];
    part[128 + (t + blockIdx.x % 40 * 32) % 128 - (blockIdx.x >= 100) * 128] = next;
    __syncthreads();
#elif defined BRANCH // one block goes without the barrier
    int before = part[127 - t];
    if (blockIdx.x != ODD) __syncthreads();
    part[t] = before + 1;
    __syncthreads();
#elif defined DATA   // which is 1 in one block
    int before = part[127 - t];
    if (x[blockIdx.x * 128] != 1) __syncthreads();
    part[t] = before + 1;
    __syncthreads();
#elif defined INDEX  // which is data
    part[x[i] ? 0 : t] = 7 * t;
    __syncthreads();
#elif defined EQUAL  // all threads write the same number in the first blocks, and not in the later ones
    part[128] = x[i];
    __syncthreads();
#elif defined ALL    // in each block
    part[t] += part[(t + 1) % 128];
    __syncthreads();
#endif
    for (int k = 0, s = 1; k < turns; k++, s *= 2) {
        if (t % (2 * s) == 0) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

int main() {
    const int n = BLOCKS * 128 - 30;
    int *x, *sums, *h = new int[BLOCKS * 128]();
    h[ODD * 128] = 1;
    for (int i = ODD * 128; i < ODD * 128 + 20; i++) h[i] += i - ODD * 128;
    cudaMalloc(&x, BLOCKS * 128 * sizeof *x);
    cudaMalloc(&sums, BLOCKS * sizeof *sums);
#ifdef LATER // the data comes after a launch that is clean
    cudaMemset(x, 0, BLOCKS * 128 * sizeof *x);
    tree<<<BLOCKS, 128>>>(x, sums, n, 7);
    cudaDeviceSynchronize();
#endif
    cudaMemcpy(x, h, BLOCKS * 128 * sizeof *x, cudaMemcpyHostToDevice);
    for (int times = 0; times < 3; times++) tree<<<BLOCKS, 128>>>(x, sums, n, 7);
    cudaMemcpy(h, sums, BLOCKS * sizeof *h, cudaMemcpyDeviceToHost);
    printf("%d blocks\n", BLOCKS);
    delete[] h;
    return 0;
}
