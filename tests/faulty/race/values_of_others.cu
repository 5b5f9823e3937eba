// What two lanes write to one place came from other blocks: the report is the same whoever was first.
// expect: race-grid line 7 other 8
// expect: race-warp line 9 other 9
const int n = 256 * 64;
__global__ void mix(int *a, int *out) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, v = a[i];
    a[(i + 300) % n] = v + i;
    s[t / 2] = v;
    __syncthreads();
    if (t < 128) out[blockIdx.x * 128 + t] = s[t];
}

int main() {
    int *a, *out;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&out, n / 2 * sizeof(int));
    cudaMemset(a, 0, n * sizeof(int));
    for (int turn = 0; turn < 3; turn++) mix<<<64, 256>>>(a, out);
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(out);
    return e != cudaSuccess;
}
