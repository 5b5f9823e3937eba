// printf in a kernel is given a string that was copied to the device, and one of device code.
__global__ void greet(const char *name) { printf("%d %s %s\n", threadIdx.x, name, "device"); }

int main() {
    char *name;
    cudaMalloc(&name, 5);
    cudaMemcpy(name, "host", 5, cudaMemcpyHostToDevice);
    greet<<<1, 2>>>(name);
    cudaDeviceSynchronize();
    cudaFree(name);
}
