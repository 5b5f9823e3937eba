/* clamped: neighbours at indices that are kept inside an image by minimum, maximum or a choice, of elements
 * of 1 to 8 bytes, where warps lie inside, across the border and wholly past it; and indices that wrap round.
 * Each is held against plain C.
 */
#include "program.h"

constexpr int W = 211, H = 23, N = W * H;

__host__ __device__ inline int least(int a, int b) { return a < b ? a : b; }
__host__ __device__ inline int most(int a, int b) { return a > b ? a : b; }

/* What becomes of index i of n: repeated border, mirror, the other side. */
__host__ __device__ inline int inside(int how, int i, int n) {
    if (how == 0) return least(most(i, 0), n - 1);
    if (how == 1) return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
    return i < 0 ? i + n : i >= n ? i - n : i;
}

template <typename T> __host__ __device__ T sum_at(const T *in, int how, int x, int y, int reach) {
    T sum = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -reach; i <= reach; i += reach)
            sum += in[inside(how, y + j, H) * W + inside(how, x + i, W)] * (T)(i + 2 * j + 40);
    return sum;
}

template <typename T> __global__ void gathered(const T *in, T *out, int how, int reach) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H) out[y * W + x] = sum_at(in, how, x, y, reach);
}

/* All warps whole: threads past the image take the last pixel. */
template <typename T> __global__ void whole(const T *in, T *out, int shift) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[least(most(i + shift, 0), N - 1)];
}

/* Indices of 32 bits without a sign that wrap round before they are clamped. */
__global__ void wrapped(const unsigned char *in, unsigned char *out, unsigned base) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned at = min(base + i, (unsigned)(N - 1));
    out[i] = in[at];
}

template <typename T> static void run(const char *name) {
    const int padded = (N + 255) / 256 * 256;
    Array<T> in(N), out(N), line(padded);
    uint32_t state = 3;
    for (int i = 0; i < N; i++) in[i] = (T)(next_random(state) % 201);
    int wrong = 0;
    for (dim3 block : {dim3(32, 4), dim3(16, 8), dim3(96, 1)})
        for (int how = 0; how < 3; how++)
            for (int reach : {1, 5}) {
                const dim3 grid((W + block.x - 1) / block.x, (H + block.y - 1) / block.y);
                gathered<T><<<grid, block>>>(in, out, how, reach);
                CALL(cudaDeviceSynchronize());
                for (int k = 0; k < N; k++) wrong += out[k] != sum_at<T>(in, how, k % W, k / W, reach);
            }
    for (int shift : {0, -3, 40, -N, N, N - 40}) {
        whole<T><<<padded / 256, 256>>>(in, line, shift);
        CALL(cudaDeviceSynchronize());
        for (int k = 0; k < padded; k++) wrong += line[k] != in[least(most(k + shift, 0), N - 1)];
    }
    printf("%s: %d wrong\n", name, wrong);
    show(name, out);
}

int main() {
    run<unsigned char>("bytes"), run<short>("shorts"), run<int>("ints"), run<float>("floats"),
        run<double>("doubles");
    Array<unsigned char> in(N), out(512);
    for (int i = 0; i < N; i++) in[i] = i * 7 / 3;
    for (unsigned base : {0u, 4000u, (unsigned)N - 70, 0u - 45, 0x7fffffffu - 100}) {
        wrapped<<<4, 128>>>(in, out, base);
        show("wrapped", out);
    }
    return 0;
}
