// A number behind a header of three bytes: mended.

__global__ void lengths(const unsigned char *packets, unsigned *length) {
    const unsigned char *p = packets + threadIdx.x * 8;
    length[threadIdx.x] = p[3] | p[4] << 8 | p[5] << 16 | unsigned(p[6]) << 24;
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
