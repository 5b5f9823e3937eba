// A kernel goes on behind the part of its input that was copied.
// expect: uninitialised-branch line 9
// options: --only init

#include <cstdio>

__global__ void find(const int *keys, int n, int wanted, int *place) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && keys[i] == wanted) *place = i;
}

int main() {
    static int keys[512];
    int *k, *place, result = -1;
    for (int i = 0; i < 300; i++) keys[i] = i;
    cudaMalloc(&k, 512 * sizeof(int));
    cudaMalloc(&place, sizeof(int));
    cudaMemcpy(k, keys, 300 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(place, 255, sizeof(int));
    find<<<2, 256>>>(k, 512, 17, place);
    cudaMemcpy(&result, place, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(k);
    cudaFree(place);
}
