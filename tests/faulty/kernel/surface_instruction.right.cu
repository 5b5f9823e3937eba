// Each thread writes its own element.
#include <cstdio>

__global__ void fill(cudaSurfaceObject_t s) {
    asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], {%3};" ::"l"(s), "r"(4 * threadIdx.x), "r"(0),
                 "r"(threadIdx.x));
}

int main() {
    int host[32];
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<int>();
    cudaMallocArray(&a, &f, 32, 4, cudaArraySurfaceLoadStore);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaSurfaceObject_t s;
    cudaCreateSurfaceObject(&s, &r);
    fill<<<1, 32>>>(s);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(e));
    cudaDestroySurfaceObject(s);
    cudaFreeArray(a);
    return 0;
}
