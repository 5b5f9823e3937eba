// The same, and the kernel may.
// options: --devices 2

__global__ void twice(float *x) { x[threadIdx.x] *= 2; }

int main() {
    float *x;
    cudaSetDevice(1);
    cudaMalloc(&x, 64 * sizeof(float));
    cudaMemset(x, 0, 64 * sizeof(float));
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    cudaDeviceEnablePeerAccess(1, 0);
    twice<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
