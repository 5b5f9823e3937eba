// Memory of a stream's pool is used behind the free in the stream: mended.

__global__ void set(int *x) { x[threadIdx.x] = 1; }

int main() {
    cudaStream_t stream;
    int *x;
    cudaStreamCreate(&stream);
    cudaMallocAsync(&x, 64 * sizeof(int), stream);
    set<<<1, 64, 0, stream>>>(x);
    cudaFreeAsync(x, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
