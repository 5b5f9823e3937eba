// Nobody looks whether there was memory; the kernel gets a null pointer.
// expect: null-pointer line 4

__global__ void set(int *x) { x[threadIdx.x] = 7; }

int main() {
    int *x = nullptr;
    set<<<1, 32>>>(x);
    cudaDeviceSynchronize();
}
