// Bytes are packed into words, and one of them was never written: mended.
// options: --only init

#include <cstdio>

__global__ void pack(const unsigned char *bytes, unsigned *words) {
    int i = threadIdx.x;
    unsigned word = 0;
    for (int k = 0; k < 4; k++) word |= (unsigned)bytes[4 * i + k] << 8 * k;
    words[i] = word;
}

__global__ void classify(const unsigned *words, int *odd) {
    if (words[threadIdx.x] >> 16 & 1) odd[threadIdx.x] = 1;
}

int main() {
    unsigned char *bytes;
    unsigned *words;
    int *odd, result[32];
    cudaMalloc(&bytes, 128);
    cudaMalloc(&words, 128);
    cudaMalloc(&odd, sizeof result);
    cudaMemset(odd, 0, sizeof result);
    cudaMemset2D(bytes, 4, 1, 3, 32); // three of each four
    pack<<<1, 32>>>(bytes, words);
    classify<<<1, 32>>>(words, odd);
    cudaMemcpy(result, odd, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[0]);
    cudaFree(bytes);
    cudaFree(words);
    cudaFree(odd);
}
