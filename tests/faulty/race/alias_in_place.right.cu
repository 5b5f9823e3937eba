// A kernel that reads one argument and writes another of another allocation.
const int N = 1024;

__global__ void shift(int *out, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
}

int main() {
    int *x, *y;
    cudaMalloc(&x, (N + 128) * sizeof(int));
    cudaMalloc(&y, N * sizeof(int));
    cudaMemset(x, 0, (N + 128) * sizeof(int));
    shift<<<N / 128, 128>>>(y, x + 128);
    return cudaDeviceSynchronize() != cudaSuccess;
}
