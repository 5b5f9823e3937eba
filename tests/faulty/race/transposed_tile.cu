// A tile is read by columns before the rows are there.
// expect: race-block line 8 other 9
// (In either order of the two accesses: one finding.)
const int N = 4096;
__global__ void transpose(int *out, const int *in) {
    __shared__ int tile[32][33];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 1024;
    tile[y][x] = in[at + y * 32 + x];
    out[at + y * 32 + x] = tile[x][y];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    transpose<<<N / 1024, dim3(32, 32)>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
