// Threads write bytes of one word each, but of odd bytes none.
// expect: race-warp line 6 other 6
const int N = 1024;
__global__ void bytes(int *out, const int *in) {
    __shared__ unsigned char part[64];
    part[threadIdx.x & 62] = (unsigned char)in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    bytes<<<1, 64>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
