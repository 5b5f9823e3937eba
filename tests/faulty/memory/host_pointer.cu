// The kernel gets the host's vector, which it reads and writes.
// expect: host-memory line 5

#include <vector>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }

int main() {
    std::vector<float> host(64, 1.0f);
    float *device;
    cudaMalloc(&device, 64 * sizeof(float));
    cudaMemcpy(device, host.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<1, 64>>>(host.data());
    cudaDeviceSynchronize();
    cudaFree(device);
}
