// Every element of an array is written.
#include <cstdio>

template <class T> __global__ void fill(T *out, int step) { out[threadIdx.x * step] = 7; }

int main() {
    int host[128], few[4], *out;
    char text[128], *bytes;
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&bytes, sizeof text);
    fill<<<1, 128>>>(out, 1);
    fill<<<1, 128>>>(bytes, 1);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(text, bytes, sizeof text, cudaMemcpyDeviceToHost);
    cudaFree(out);
    cudaMalloc(&out, 4096);
    fill<<<1, 4>>>(out, 1);
    cudaMemcpy(few, out, sizeof few, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", host[0], text[0], few[0]);
    cudaFree(out);
    cudaFree(bytes);
}
