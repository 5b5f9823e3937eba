// Half of the warp waits; then all do.
const int N = 1024;
__global__ void exchange(int *out, const int *in) {
    __shared__ int part[32];
    int t = threadIdx.x;
    part[t] = in[t];
    if (t < 16) __syncwarp(0xffff);
    __syncwarp();
    out[t] = part[31 - t];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    exchange<<<1, 32>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
