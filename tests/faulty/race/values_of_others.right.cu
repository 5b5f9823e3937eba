// Each turn reads what the one before wrote, and one lane of two writes.
const int n = 256 * 64;
__global__ void mix(int *to, const int *from, int *out) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, v = from[i];
    to[(i + 300) % n] = v + i;
    if (t % 2) s[t / 2] = v;
    __syncthreads();
    if (t < 128) out[blockIdx.x * 128 + t] = s[t];
}

int main() {
    int *a, *b, *out;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMalloc(&out, n / 2 * sizeof(int));
    cudaMemset(a, 0, n * sizeof(int));
    for (int turn = 0; turn < 3; turn++) turn % 2 ? mix<<<64, 256>>>(a, b, out) : mix<<<64, 256>>>(b, a, out);
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(out);
    return e != cudaSuccess;
}
