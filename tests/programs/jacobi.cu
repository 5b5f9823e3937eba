/* jacobi: a system of equations, its grid in two halves on two streams that wait for each other's border by
 * events; copies beside kernels, a residual by shuffles. Every operation is rounded by itself, so that plain
 * C has the same bits.
 */
#include "program.h"

constexpr int W = 130, H = 64, TURNS = 50;

__host__ __device__ inline float relaxed(const float *u, const float *f, int at) {
#ifdef __CUDA_ARCH__
    float s = __fadd_rn(__fadd_rn(u[at - 1], u[at + 1]), __fadd_rn(u[at - W], u[at + W]));
    return __fmul_rn(0.25f, __fadd_rn(s, f[at]));
#else
    volatile float a = u[at - 1] + u[at + 1], b = u[at - W] + u[at + W], s = a + b, t = s + f[at];
    return 0.25f * t;
#endif
}

__global__ void step(const float *u, const float *f, float *to, int from, int until) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + from;
    if (x < W - 1 && y < until) to[y * W + x] = relaxed(u, f, y * W + x);
}

/* The greatest difference: floats that are not negative have the order of their bits. */
__global__ void residual(const float *a, const float *b, int *most) {
    float d = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < W * H; i += gridDim.x * blockDim.x)
        d = fmaxf(d, fabsf(a[i] - b[i]));
    for (int o = 16; o; o /= 2) d = fmaxf(d, __shfl_xor_sync(~0u, d, o));
    if (threadIdx.x % 32 == 0) atomicMax(most, __float_as_int(d));
}

int main() {
    std::vector<float> f(W * H), u(W * H), v(W * H);
    uint32_t state = 5;
    for (float &x : f) x = next_random(state) % 1000 * 0.001f;
    for (int x = 0; x < W; x++) u[x] = v[x] = x * 0.5f;
    float *df, *d[2], *pinned;
    int *most, bits;
    CALL(cudaMallocHost(&pinned, W * H * sizeof(float)));
    CALL(cudaMalloc(&df, W * H * sizeof(float)));
    CALL(cudaMalloc(&most, sizeof(int)));
    for (float *&p : d) CALL(cudaMalloc(&p, W * H * sizeof(float)));
    cudaStream_t half[2];
    cudaEvent_t done[2], begin, end;
    for (int i = 0; i < 2; i++) {
        CALL(cudaStreamCreateWithFlags(&half[i], cudaStreamNonBlocking));
        CALL(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
    }
    CALL(cudaEventCreate(&begin));
    CALL(cudaEventCreate(&end));
    CALL(cudaMemcpy(df, f.data(), W * H * sizeof(float), cudaMemcpyHostToDevice));
    for (float *p : d) CALL(cudaMemcpy(p, u.data(), W * H * sizeof(float), cudaMemcpyHostToDevice));

    CALL(cudaEventRecord(begin, half[0]));
    dim3 block(32, 4), grid((W + 29) / 32, (H / 2 + 3) / 4);
    for (int t = 0; t < TURNS; t++) {
        for (int i = 0; i < 2; i++)
            step<<<grid, block, 0, half[i]>>>(d[t % 2], df, d[1 - t % 2], i ? H / 2 : 1, i ? H - 1 : H / 2);
        for (int i = 0; i < 2; i++) CALL(cudaEventRecord(done[i], half[i]));
        for (int i = 0; i < 2; i++) CALL(cudaStreamWaitEvent(half[i], done[1 - i], 0));
    }
    CALL(cudaMemsetAsync(most, 0, sizeof(int), half[0]));
    residual<<<3, 128, 0, half[0]>>>(d[0], d[1], most);
    CALL(cudaMemcpyAsync(&bits, most, sizeof bits, cudaMemcpyDeviceToHost, half[0]));
    CALL(cudaMemcpyAsync(pinned, d[TURNS % 2], W * H * sizeof(float), cudaMemcpyDeviceToHost, half[1]));
    CALL(cudaEventRecord(end, half[0]));
    for (cudaStream_t s : half) CALL(cudaStreamSynchronize(s));
    float ms = -1, greatest = 0;
    CALL(cudaEventElapsedTime(&ms, begin, end));

    for (int t = 0; t < TURNS; t++, u.swap(v))
        for (int y = 1; y < H - 1; y++)
            for (int x = 1; x < W - 1; x++) v[y * W + x] = relaxed(u.data(), f.data(), y * W + x);
    int wrong = 0;
    for (int i = 0; i < W * H; i++) {
        wrong += memcmp(&u[i], &pinned[i], sizeof(float)) != 0;
        greatest = fmaxf(greatest, fabsf(u[i] - v[i]));
    }
    float found;
    memcpy(&found, &bits, sizeof found);
    printf("jacobi: %016llx, %d wrong, the last turn changed %a, which is %s; a time was %s\n",
           (unsigned long long)hash_of(pinned, W * H * sizeof(float)), wrong, found,
           found == greatest ? "right" : "wrong", ms > 0 ? "taken" : "missing");
    for (int i = 0; i < 2; i++) {
        CALL(cudaStreamDestroy(half[i]));
        CALL(cudaEventDestroy(done[i]));
        CALL(cudaFree(d[i]));
    }
    CALL(cudaFreeHost(pinned));
    return 0;
}
