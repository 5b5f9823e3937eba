// Vectors of 16 and 8 bytes are read where only a float may be, by way of variables.
// expect: misaligned line 6
// expect: misaligned line 8

__global__ void sums(const float *from, float *to) {
    float4 v = *(const float4 *)(from + 1 + 4 * threadIdx.x);
    to[threadIdx.x] = v.x + v.y + v.z + v.w;
    float2 p = ((const float2 *)(from + 1))[threadIdx.x];
    to[threadIdx.x] += p.x * p.y;
}

int main() {
    float *from, *to;
    cudaMalloc(&from, 4 * 34 * sizeof *from);
    cudaMalloc(&to, 32 * sizeof *to);
    cudaMemset(from, 0, 4 * 34 * sizeof *from);
    sums<<<1, 32>>>(from, to);
    cudaDeviceSynchronize();
    cudaFree(from);
    cudaFree(to);
}
