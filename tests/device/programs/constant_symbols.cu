/* __constant__ and __device__ variables, by name from the host. */
// PTX: \.const
// PTX: ld\.const
#include <cstdio>
struct Camera {
    float matrix[16];
    int width, height;
};
__constant__ Camera camera;
__constant__ float weights[5] = {1, 4, 6, 4, 1};
__device__ int counter = 7;
__device__ float table[256];
static __device__ unsigned seed;
__global__ void use(float *out) {
    out[threadIdx.x] = camera.matrix[threadIdx.x % 16] * weights[threadIdx.x % 5] + table[threadIdx.x] + seed;
    atomicAdd(&counter, camera.width);
}
int main() {
    Camera host = {};
    float line[256], *p;
    int count;
    size_t bytes;
    void *address;
    cudaMemcpyToSymbol(camera, &host, sizeof host);
    cudaMemcpyToSymbol(table, line, sizeof line, 0, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbolAsync(seed, &count, sizeof count);
    use<<<1, 256>>>(nullptr);
    cudaMemcpyFromSymbol(&count, counter, sizeof counter);
    cudaGetSymbolAddress(&address, table);
    cudaGetSymbolAddress((void **)&p, weights);
    cudaGetSymbolSize(&bytes, table);
    printf("%d %zu\n", count, bytes);
}
