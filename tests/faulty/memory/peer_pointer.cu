// A kernel of one device gets memory of another one, which it was not let reach.
// options: --devices 2
// expect: peer-memory line 6
// says: at byte 0 of 256 bytes of device memory of device 1, allocated by cudaMalloc

__global__ void twice(float *x) { x[threadIdx.x] *= 2; }

int main() {
    float *x;
    cudaSetDevice(1);
    cudaMalloc(&x, 64 * sizeof(float));
    cudaMemset(x, 0, 64 * sizeof(float));
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    twice<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
