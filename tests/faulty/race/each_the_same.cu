// All blocks work out the same, and write it to the same places; so do the rows of each block with what they share.
// expect: race-block line 12 other 12 benign
// expect: race-grid line 15 other 15 benign
// expect: race-grid line 16 other 16 benign
// status: 0
const int N = 64;
struct alignas(16) Four {
    float v[4];
};
__global__ void squares(float *out, Four *wide, const float *in) {
    __shared__ Four tile[N / 4];
    for (int i = threadIdx.x; i < N / 4; i += 32) tile[i] = ((const Four *)in)[i];
    __syncthreads();
    int i = threadIdx.x + 32 * threadIdx.y;
    out[i] = in[i] * in[i];
    if (i < N / 4) wide[i] = tile[i];
}

int main() {
    float *in, *out;
    Four *wide;
    cudaMallocManaged(&in, N * sizeof(float));
    cudaMallocManaged(&out, N * sizeof(float));
    cudaMallocManaged(&wide, N * sizeof(float));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    squares<<<4, dim3(32, 2)>>>(out, wide, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
