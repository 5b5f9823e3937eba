// Memory of a stream's pool is used behind the free in the stream.
// expect: use-after-free line 4

__global__ void set(int *x) { x[threadIdx.x] = 1; }

int main() {
    cudaStream_t stream;
    int *x;
    cudaStreamCreate(&stream);
    cudaMallocAsync(&x, 64 * sizeof(int), stream);
    cudaFreeAsync(x, stream);
    set<<<1, 64, 0, stream>>>(x);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
