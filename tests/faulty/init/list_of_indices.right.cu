// An index list that is shorter than its length says: mended.
// options: --only init

#include <cstdio>

__global__ void gather(const float *x, const int *index, float *out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = x[index[i] & 63];
}

int main() {
    static int index[64];
    float *x, *out, result[64];
    int *list;
    cudaMalloc(&x, 64 * sizeof(float));
    cudaMalloc(&out, sizeof result);
    cudaMalloc(&list, sizeof index);
    cudaMemset(x, 0, 64 * sizeof(float));
    cudaMemset(out, 0, sizeof result);
    cudaMemcpy(list, index, 40 * sizeof(int), cudaMemcpyHostToDevice);
    gather<<<1, 64>>>(x, list, out, 40);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%g\n", result[0]);
    cudaFree(x);
    cudaFree(out);
    cudaFree(list);
}
