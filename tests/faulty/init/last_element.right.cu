// The last element is left out: four bytes, which might be mistaken for a structure's padding: mended.
// options: --only init

#include <cstdio>

struct pair {
    double weight;
    int index; // and four bytes of padding
};

__global__ void squares(int *out, pair *pairs, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = i * i;
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
