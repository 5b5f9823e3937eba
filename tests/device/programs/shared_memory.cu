/* Static and dynamic shared memory, a barrier, and a launch with a stream. */
// PTX: \.shared
// PTX: bar\.sync
template <int Tile> __global__ void transpose(const int *in, int *out, int n) {
    __shared__ int tile[Tile][Tile + 1];
    int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[x * n + y] = tile[threadIdx.y][threadIdx.x];
}
__global__ void reverse(int *data) {
    extern __shared__ int scratch[];
    scratch[blockDim.x - 1 - threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = scratch[threadIdx.x];
}
int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    transpose<32><<<dim3(4, 4), dim3(32, 32), 0, stream>>>(nullptr, nullptr, 128);
    cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
    reverse<<<1, 256, 256 * sizeof(int), stream>>>(nullptr);
    cudaStreamSynchronize(stream);
    return cudaStreamDestroy(stream);
}
