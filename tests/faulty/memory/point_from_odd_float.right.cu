// A point of four floats begins at the first of four, and its first three members are read.
// options: --only memory

__global__ void norms(const float *data, float *out) {
    const int i = threadIdx.x;
    const float4 p = *(const float4 *)(data + 4 * i);
    out[i] = p.x * p.x + p.y * p.y + p.z * p.z;
}

__global__ void lengths(const float *data, float *out) {
    const float2 p = ((const float2 *)data)[threadIdx.x];
    out[threadIdx.x] += p.y;
}

int main() {
    float *data, *out;
    if (cudaMalloc(&data, 65 * 16) != cudaSuccess || cudaMalloc(&out, 64 * 4) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 65 * 16) != cudaSuccess) return 1;
    norms<<<1, 64>>>(data, out);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    lengths<<<1, 64>>>(data, out);
    if (cudaDeviceSynchronize() != cudaSuccess && good) return 1;
    if ((cudaFree(data) != cudaSuccess || cudaFree(out) != cudaSuccess) && good) return 1;
    return 0;
}
