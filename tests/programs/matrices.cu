/* matrices: products tiled with float4 and with registers, of sizes that no tile divides; LU; a triangular
 * solve. */
#include "program.h"

/* Small whole numbers: sums are exact in any order, so that all compilers agree. */
template <typename T> static void fill(Array<T> &a, uint32_t seed) {
    for (size_t i = 0; i < a.n; i++) a[i] = (T)((int)(next_random(seed) % 17) - 8);
}

/* 64 x 64 by 256 threads, 4 x 4 each; m, n and k are multiples of 64 and 16. */
__global__ void __launch_bounds__(256) tiled4(const float *a, const float *b, float *c, int n, int k) {
    __shared__ float ta[16][64 + 4], tb[16][64];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16, row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int base = 0; base < k; base += 16) {
        float4 va = *(const float4 *)&a[(row + threadIdx.x / 4) * k + base + threadIdx.x % 4 * 4];
        for (int i = 0; i < 4; i++) ta[threadIdx.x % 4 * 4 + i][threadIdx.x / 4] = (&va.x)[i];
        *(float4 *)&tb[ty][tx * 4] = *(const float4 *)&b[(base + ty) * n + column + tx * 4];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float4 x = *(const float4 *)&ta[i][ty * 4], y = *(const float4 *)&tb[i][tx * 4];
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int s = 0; s < 4; s++) sum[r][s] += (&x.x)[r] * (&y.x)[s];
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        *(float4 *)&c[(row + ty * 4 + r) * n + column + tx * 4] =
            make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
}

template <typename T, int B> __global__ void tiled(const T *a, const T *b, T *c, int m, int n, int k) {
    __shared__ T ta[B][B], tb[B][B + 1];
    int x = blockIdx.x * B + threadIdx.x, y = blockIdx.y * B + threadIdx.y;
    T sum = 0;
    for (int base = 0; base < k; base += B) {
        ta[threadIdx.y][threadIdx.x] = y < m && base + threadIdx.x < k ? a[y * k + base + threadIdx.x] : T(0);
        tb[threadIdx.y][threadIdx.x] =
            x < n && base + threadIdx.y < k ? b[(base + threadIdx.y) * n + x] : T(0);
        __syncthreads();
        for (int i = 0; i < B; i++) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
        __syncthreads();
    }
    if (x < n && y < m) c[y * n + x] = sum;
}

template <typename T, int B> static void product(const char *name, int m, int n, int k) {
    Array<T> a(m * k), b(k * n), c(m * n);
    fill(a, 1);
    fill(b, 2);
    tiled<T, B><<<dim3((n + B - 1) / B, (m + B - 1) / B), dim3(B, B)>>>(a.p, b.p, c.p, m, n, k);
    show(name, c);
}

/* Elimination modulo a prime: exact. One block; a barrier for each step. */
constexpr int P = 10007;
__global__ void eliminate(int *a, int n, int *determinant) {
    __shared__ int inverse, factor[64];
    long long d = 1;
    for (int k = 0; k < n; k++) {
        if (threadIdx.x == 0) {
            long long r = 1, x = a[k * n + k];
            for (int e = P - 2; e; e /= 2, x = x * x % P)
                if (e & 1) r = r * x % P;
            inverse = (int)r;
        }
        __syncthreads();
        d = d * a[k * n + k] % P;
        for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x)
            factor[i] = (int)((long long)a[i * n + k] * inverse % P);
        __syncthreads();
        for (int t = threadIdx.x; t < (n - k - 1) * (n - k); t += blockDim.x) {
            int i = k + 1 + t / (n - k), j = k + t % (n - k);
            a[i * n + j] = (int)(((a[i * n + j] - (long long)factor[i] * a[k * n + j]) % P + P) % P);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) *determinant = (int)d;
}

int main() {
    Array<float> a(128 * 96), b(96 * 192), c(128 * 192);
    fill(a, 3);
    fill(b, 4);
    tiled4<<<dim3(3, 2), 256>>>(a, b, c, 192, 96);
    show("by float4", c);
    product<float, 16>("float 50 x 70 x 33", 50, 70, 33);
    product<double, 16>("double 17 x 1 x 100", 17, 1, 100);
    product<int, 32>("int 65 x 31 x 64", 65, 31, 64);
    product<unsigned long long, 8>("unsigned long long 9 x 9 x 9", 9, 9, 9);
    product<short, 32>("short 33 x 33 x 7", 33, 33, 7);
    const int n = 64;
    Array<int> matrix(n * n), determinant(1);
    uint32_t state = 5;
    for (int i = 0; i < n * n; i++) matrix[i] = next_random(state) % P;
    eliminate<<<1, 192>>>(matrix, n, determinant);
    show("eliminated", matrix);
    printf("determinant %d mod %d\n", determinant[0], P);
    return 0;
}
