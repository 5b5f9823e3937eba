// Threads write bytes of one word each.
const int N = 1024;
__global__ void bytes(int *out, const int *in) {
    __shared__ unsigned char part[64];
    part[threadIdx.x] = (unsigned char)in[threadIdx.x];
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
