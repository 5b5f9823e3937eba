/* images: Sobel, a separable convolution with its kernel in constant memory, transposes of odd sizes, pitched
 * memory. */
#include "program.h"

constexpr int W = 203, H = 117, R = 4;
__constant__ int weights[2 * R + 1];

__global__ void sobel(const unsigned char *in, size_t pitch, unsigned char *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H) return;
    auto p = [&](int dx, int dy) {
        return (int)in[min(max(y + dy, 0), H - 1) * pitch + min(max(x + dx, 0), W - 1)];
    };
    int gx = p(1, -1) + 2 * p(1, 0) + p(1, 1) - p(-1, -1) - 2 * p(-1, 0) - p(-1, 1);
    int gy = p(-1, 1) + 2 * p(0, 1) + p(1, 1) - p(-1, -1) - 2 * p(0, -1) - p(1, -1);
    out[y * W + x] = (unsigned char)min(255, abs(gx) + abs(gy));
}

__global__ void rows(const unsigned char *in, int *out) {
    __shared__ int t[8][32 + 2 * R];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, row = min(y, H - 1);
    for (int i = threadIdx.x; i < 32 + 2 * R; i += 32) {
        int column = (int)(blockIdx.x * 32) + i - R;
        t[threadIdx.y][i] = column >= 0 && column < W ? in[row * W + column] : 0;
    }
    __syncthreads();
    if (x >= W || y >= H) return;
    int s = 0;
#pragma unroll
    for (int k = 0; k <= 2 * R; k++) s += weights[k] * t[threadIdx.y][threadIdx.x + k];
    out[y * W + x] = s;
}

__global__ void columns(const int *in, int *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, s = 0;
    if (x >= W || y >= H) return;
    for (int k = -R; k <= R; k++)
        if (y + k >= 0 && y + k < H) s += weights[k + R] * in[(y + k) * W + x];
    out[y * W + x] = s;
}

template <typename T> __global__ void transpose(const T *in, T *out, int w, int h) {
    __shared__ T t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < w && y + k < h) t[threadIdx.y + k][threadIdx.x] = in[(y + k) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < h && y + k < w) out[(y + k) * h + x] = t[threadIdx.x][threadIdx.y + k];
}

template <typename T> static void transposed(const char *name, int w, int h) {
    Array<T> in(w * h), out(w * h);
    for (size_t i = 0; i < in.n; i++) in[i] = (T)(i * 7 + 1);
    transpose<<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8)>>>(in.p, out.p, w, h);
    show(name, out);
    int wrong = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) wrong += out[x * h + y] != in[y * w + x];
    if (wrong) printf("%d WRONG\n", wrong);
}

int main() {
    Array<unsigned char> image(W * H), edges(W * H);
    Array<int> half(W * H), whole(W * H);
    uint32_t state = 13;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) image[y * W + x] = (unsigned char)(x * y / 16 + next_random(state) % 32);
    unsigned char *pitched;
    size_t pitch;
    CALL(cudaMallocPitch(&pitched, &pitch, W, H));
    CALL(cudaMemcpy2D(pitched, pitch, image, W, W, H, cudaMemcpyDefault));
    dim3 threads(32, 8), blocks((W + 31) / 32, (H + 7) / 8);
    sobel<<<blocks, threads>>>(pitched, pitch, edges);
    show("sobel", edges, 8);
    CALL(cudaMemset2D(pitched, pitch, 9, W / 2, H / 2));
    CALL(cudaMemcpy2D(edges, W, pitched, pitch, W, H, cudaMemcpyDefault));
    show("a quarter filled", edges, 4);
    CALL(cudaFree(pitched));
    int w[2 * R + 1] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
    CALL(cudaMemcpyToSymbol(weights, w, sizeof w));
    rows<<<blocks, threads>>>(image, half);
    columns<<<blocks, threads>>>(half, whole);
    show("smoothed", whole);
    transposed<int>("transpose 203 x 117", 203, 117);
    transposed<double>("transpose 31 x 65", 31, 65);
    transposed<unsigned char>("transpose 1 x 100", 1, 100);
    transposed<short>("transpose 97 x 1", 97, 1);
    return 0;
}
