// A number behind a header of three bytes.
// expect: misaligned line 6

__global__ void lengths(const unsigned char *packets, unsigned *length) {
    const unsigned char *p = packets + threadIdx.x * 8;
    length[threadIdx.x] = *(const unsigned *)(p + 3);
}

int main() {
    unsigned char *packets;
    unsigned *length;
    cudaMalloc(&packets, 256);
    cudaMalloc(&length, 32 * sizeof(unsigned));
    cudaMemset(packets, 1, 256);
    lengths<<<1, 32>>>(packets, length);
    cudaDeviceSynchronize();
    cudaFree(packets);
    cudaFree(length);
}
