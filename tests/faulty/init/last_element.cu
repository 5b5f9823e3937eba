// The last element is left out: four bytes, which might be mistaken for a structure's padding.
// expect: uninitialised-copy line 27
// says: 4 of the 400 bytes copied were never written, the first of them at byte 396
// options: --only init

#include <cstdio>

struct pair {
    double weight;
    int index; // and four bytes of padding
};

__global__ void squares(int *out, pair *pairs, int n) {
    int i = threadIdx.x;
    if (i < n - 1) out[i] = i * i;
    if (i < n) pairs[i].weight = i, pairs[i].index = i;
}

int main() {
    static int result[100];
    static pair answers[100];
    int *out;
    pair *pairs;
    cudaMalloc(&out, sizeof result);
    cudaMalloc(&pairs, sizeof answers);
    squares<<<1, 128>>>(out, pairs, 100);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaMemcpy(answers, pairs, sizeof answers, cudaMemcpyDeviceToHost);
    printf("%d %d\n", result[5], answers[5].index);
    cudaFree(out);
    cudaFree(pairs);
}
