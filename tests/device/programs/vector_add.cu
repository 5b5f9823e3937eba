/* One element a thread; the launch syntax and the memory functions with typed pointers. */
// PTX: ld\.global\.f32
// PTX: mov\.u32 .*%ctaid\.x
__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
int main() {
    const int n = 1000;
    float host[n], *a, *b, *c;
    cudaMalloc(&a, sizeof host);
    cudaMalloc((void **)&b, sizeof host);
    cudaMallocManaged(&c, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(a, b, c, n);
    cudaDeviceSynchronize();
    cudaMemcpyAsync(host, c, sizeof host, cudaMemcpyDefault, 0);
    cudaFree(a);
    return cudaGetLastError() != cudaSuccess;
}
