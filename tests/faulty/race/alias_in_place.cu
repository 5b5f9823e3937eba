// A kernel that reads one argument and writes another, which are parts of one allocation.
// expect: race-grid line 7 other 7
const int N = 1024;

__global__ void shift(int *out, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
}

int main() {
    int *x;
    cudaMalloc(&x, (N + 128) * sizeof(int));
    cudaMemset(x, 0, (N + 128) * sizeof(int));
    shift<<<N / 128, 128>>>(x, x + 128);
    return cudaDeviceSynchronize() != cudaSuccess;
}
