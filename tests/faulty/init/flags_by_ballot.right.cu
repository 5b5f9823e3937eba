// Flags of which only some lanes loaded theirs are voted on: mended.
// options: --only init

#include <cstdio>

__global__ void any_set(const int *flags, int n, int *result) {
    __shared__ int mine[32];
    if (threadIdx.x < n) mine[threadIdx.x] = flags[threadIdx.x];
    __syncwarp();
    unsigned votes = __ballot_sync(0xffffffff, mine[threadIdx.x] != 0);
    if (votes & ((1u << 20) - 1)) *result = 1;
}

int main() {
    int *flags, *out, result;
    cudaMalloc(&flags, 32 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(flags, 0, 32 * sizeof(int));
    cudaMemset(out, 0, sizeof(int));
    any_set<<<1, 32>>>(flags, 20, out);
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(flags);
    cudaFree(out);
}
