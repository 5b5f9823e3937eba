// The program that transposes.json is about: three ways to transpose a matrix of int.
const int n = 4096;

__global__ void transpose_naive(const int *in, int *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * n + x] = in[x * n + y];
}

template <int padding> __global__ void transpose_tiled(const int *in, int *out) {
    __shared__ int tile[32][32 + padding];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int tx = blockIdx.y * blockDim.x + threadIdx.x;
    int ty = blockIdx.x * blockDim.y + threadIdx.y;
    tile[threadIdx.x][threadIdx.y] = in[y * n + x];
    __syncthreads();
    out[ty * n + tx] = tile[threadIdx.y][threadIdx.x];
}
