// Each block has places of its own, and one row of it fills what they share.
const int N = 64;
struct alignas(16) Four {
    float v[4];
};
__global__ void squares(float *out, Four *wide, const float *in) {
    __shared__ Four tile[N / 4];
    for (int i = threadIdx.x; threadIdx.y == 0 && i < N / 4; i += 32) tile[i] = ((const Four *)in)[i];
    __syncthreads();
    int i = threadIdx.x + 32 * threadIdx.y;
    out[blockIdx.x * N + i] = in[i] * in[i];
    if (i < N / 4) wide[blockIdx.x * N / 4 + i] = tile[i];
}

int main() {
    float *in, *out;
    Four *wide;
    cudaMallocManaged(&in, N * sizeof(float));
    cudaMallocManaged(&out, 4 * N * sizeof(float));
    cudaMallocManaged(&wide, 4 * N * sizeof(float));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    squares<<<4, dim3(32, 2)>>>(out, wide, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
