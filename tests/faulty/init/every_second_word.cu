// Every second element of an array is left out, of integers and of bytes.
// expect: uninitialised-copy line 19
// expect: uninitialised-copy line 20
// expect: uninitialised-copy line 24
// says: 256 of the 512 bytes copied were never written, the first of them at byte 4
// says: 64 of the 128 bytes copied were never written, the first of them at byte 1
// says: 4 of the 16 bytes copied were never written, the first of them at byte 12
#include <cstdio>

template <class T> __global__ void fill(T *out, int step) { out[threadIdx.x * step] = 7; }

int main() {
    int host[128], few[4], *out;
    char text[128], *bytes;
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&bytes, sizeof text);
    fill<<<1, 64>>>(out, 2);
    fill<<<1, 64>>>(bytes, 2);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(text, bytes, sizeof text, cudaMemcpyDeviceToHost);
    cudaFree(out);
    cudaMalloc(&out, 4096);
    fill<<<1, 3>>>(out, 1);
    cudaMemcpy(few, out, sizeof few, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", host[0], text[0], few[0]);
    cudaFree(out);
    cudaFree(bytes);
}
