// A vector of four floats is read from where one float begins: mended.

__global__ void copy(const float *from, float4 *to) {
    to[threadIdx.x] = *(const float4 *)(from + 4 * threadIdx.x);
}

int main() {
    float *from;
    float4 *to;
    cudaMalloc(&from, 132 * sizeof(float));
    cudaMalloc(&to, 32 * sizeof(float4));
    cudaMemset(from, 0, 132 * sizeof(float));
    copy<<<1, 32>>>(from, to);
    cudaDeviceSynchronize();
    cudaFree(from);
    cudaFree(to);
}
