// A surface is written one element too far to the right, which traps.
// expect: trap line 6
#include <cstdio>

__global__ void fill(cudaSurfaceObject_t s) {
    surf2Dwrite((int)threadIdx.x, s, (int)(threadIdx.x * sizeof(int)) + 4, 0);
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
