// A constant is written through its address.
// expect: read-only line 6

__constant__ float weights[4] = {1, 2, 3, 4};
__device__ float scratch[4];
__global__ void scale(float *w) { w[threadIdx.x] *= 0.5f; }

int main() {
    void *w;
    cudaGetSymbolAddress(&w, weights);
    scale<<<1, 4>>>((float *)w);
    cudaDeviceSynchronize();
}
