// clang-format off: what findings.json is about, a tile that is read too early; it has a tab
__device__ inline float pick(const float *t, int i) { return t[i]; }
__global__ void tile(float *out, const float *in) {
    __shared__ float t[64];
	t[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = pick(t, 63 - threadIdx.x);
}
int main() {
    float *p;
    cudaMalloc(&p, 400);
    tile<<<1, 64>>>(p, p);
    cudaDeviceSynchronize();
}
