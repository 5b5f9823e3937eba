/* half_pairs: comparisons of pairs as pairs, masks and one answer, with NaN; complex products; stores with
 * hints of how to cache; bytes; bits of signed 64-bit words by atomics. Each is held against plain C.
 */
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

static const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, 1.5f, 300.0f, -300.0f, NAN, INFINITY, -INFINITY};
constexpr int E = 10, N = E * E, FORMS = 12;

#define EACH_FORM(DO)                                                                                        \
    DO(0, eq, a == b, 0)                                                                                     \
    DO(1, equ, a == b, 1)                                                                                    \
    DO(2, ne, a != b, 0)                                                                                     \
    DO(3, neu, a != b, 1)                                                                                    \
    DO(4, lt, a < b, 0)                                                                                      \
    DO(5, ltu, a < b, 1)                                                                                     \
    DO(6, le, a <= b, 0)                                                                                     \
    DO(7, leu, a <= b, 1)                                                                                    \
    DO(8, gt, a > b, 0)                                                                                      \
    DO(9, gtu, a > b, 1)                                                                                     \
    DO(10, ge, a >= b, 0)                                                                                    \
    DO(11, geu, a >= b, 1)

__device__ float low(__half2 v) { return __low2float(v); }
__device__ float low(__nv_bfloat162 v) { return __low2float(v); }
__device__ float high(__half2 v) { return __high2float(v); }
__device__ float high(__nv_bfloat162 v) { return __high2float(v); }

/* Bits 0 and 1: the pair's parts; 2 and 3: the mask's; 4: both. */
template <typename T, typename T2> __global__ void compare(const float *v, int *out) {
    int i = threadIdx.x;
    T2 a = T2(T(v[i / E]), T(v[i % E])), b = T2(T(v[i % E]), T(v[(i + 3) % E]));
#define DO(K, NAME, TEST, UNORDERED)                                                                         \
    {                                                                                                        \
        T2 pair = __h##NAME##2(a, b);                                                                        \
        unsigned mask = __h##NAME##2_mask(a, b);                                                             \
        out[i * FORMS + K] = (low(pair) == 1) + 2 * (high(pair) == 1) + 4 * ((mask & 0xffff) == 0xffff) +    \
                             8 * (mask >> 16 == 0xffff) + 16 * __hb##NAME##2(a, b);                          \
    }
    EACH_FORM(DO)
#undef DO
}

static bool plain(int form, float a, float b) {
    bool nan = a != a || b != b;
    switch (form) {
#define DO(K, NAME, TEST, UNORDERED)                                                                         \
    case K: return nan ? UNORDERED : (TEST);
        EACH_FORM(DO)
#undef DO
    }
    return false;
}

template <typename T, typename T2> static void comparisons(const char *name) {
    float *v;
    int *out, wrong = 0;
    cudaMallocManaged(&v, sizeof values);
    cudaMallocManaged(&out, N * FORMS * sizeof(int));
    memcpy(v, values, sizeof values);
    compare<T, T2><<<1, N>>>(v, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++)
        for (int k = 0; k < FORMS; k++) {
            int x = plain(k, v[i / E], v[i % E]), y = plain(k, v[i % E], v[(i + 3) % E]);
            wrong += out[i * FORMS + k] != (x + 2 * y) * 5 + 16 * (x && y);
        }
    printf("%s: %d wrong comparisons\n", name, wrong);
    cudaFree(v);
    cudaFree(out);
}

/* Small whole numbers: every product and sum is exact. */
template <typename T, typename T2> __global__ void complex_products(T2 *out) {
    int i = threadIdx.x;
    T2 a = T2(T(i % 7 - 3), T(i % 5 - 2)), b = T2(T(i % 3 - 1), T(i % 4)), c = T2(T(i % 6), T(-i % 8));
    out[i] = __hcmadd(a, b, c);
}

template <typename T, typename T2> static void products(const char *name) {
    T2 *out;
    int wrong = 0;
    cudaMallocManaged(&out, 128 * sizeof(T2));
    complex_products<T, T2><<<1, 128>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; i++) {
        int ar = i % 7 - 3, ai = i % 5 - 2, br = i % 3 - 1, bi = i % 4, cr = i % 6, ci = -i % 8;
        wrong += (float)out[i].x != ar * br - ai * bi + cr || (float)out[i].y != ar * bi + ai * br + ci;
    }
    printf("%s: %d wrong complex products\n", name, wrong);
    cudaFree(out);
}

/* Four ways to store, two more to load; each thread one number and one pair. */
template <typename T, typename T2> __global__ void copy(const T *in, T *out, const T2 *in2, T2 *out2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    switch (threadIdx.x % 4) {
    case 0: __stwb(out + i, __ldlu(in + i)), __stwb(out2 + i, __ldlu(in2 + i)); break;
    case 1: __stcg(out + i, __ldcv(in + i)), __stcg(out2 + i, __ldcv(in2 + i)); break;
    case 2: __stcs(out + i, __ldcs(in + i)), __stcs(out2 + i, __ldcs(in2 + i)); break;
    case 3: __stwt(out + i, __ldcg(in + i)), __stwt(out2 + i, __ldcg(in2 + i)); break;
    }
}

template <typename T, typename T2> static void copies(const char *name) {
    T *in, *out;
    T2 *in2, *out2;
    int n = 320, wrong = 0;
    cudaMallocManaged(&in, n * sizeof(T));
    cudaMallocManaged(&out, n * sizeof(T));
    cudaMallocManaged(&in2, n * sizeof(T2));
    cudaMallocManaged(&out2, n * sizeof(T2));
    for (int i = 0; i < n; i++) in[i] = T(i * 0.25f), in2[i] = T2(T(i * 0.5f), T(-i * 0.125f));
    copy<<<n / 64, 64>>>(in, out, in2, out2);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) wrong += memcmp(in + i, out + i, 2) || memcmp(in2 + i, out2 + i, 4);
    printf("%s: %d wrong copies\n", name, wrong);
    cudaFree(in), cudaFree(out), cudaFree(in2), cudaFree(out2);
}

/* Multiples of 8 up to 320, which both formats hold. */
__global__ void bytes(int *out) {
    int v = (int)threadIdx.x * 8 - 200,
        low = v < -128  ? -128
              : v > 127 ? 127
                        : v,
        high = v < 0     ? 0
               : v > 255 ? 255
                         : v;
    __nv_bfloat16 b(v);
    __half h(v);
    out[threadIdx.x] = __bfloat162char_rz(b) != low || __half2char_rz(h) != low ||
                       __bfloat162uchar_rz(b) != high || __half2uchar_rz(h) != high;
}

__global__ void tanhs(int *wrong) {
    float x = (threadIdx.x - 128.0f) / 32;
    __half h = htanh_approx(__half(x));
    __nv_bfloat16 b = htanh_approx(__nv_bfloat16(x));
    __half2 h2 = h2tanh_approx(__half2(__half(x), __half(-x)));
    if (!(fabsf((float)h - tanhf(x)) < 2e-3f && fabsf((float)b - tanhf(x)) < 2e-2f)) atomicAdd(wrong, 1);
    if ((float)h2.x != (float)h || (float)h2.y != -(float)h) atomicAdd(wrong, 1);
}

__global__ void words(long long *w) {
    long long bit = 1ll << (threadIdx.x % 64);
    atomicOr(w, bit);
    atomicAnd(w + 1, ~bit);
    atomicXor(w + 2, bit);
    if (threadIdx.x % 64 < 60) atomicXor_block(w + 2, bit);
}

int main() {
    comparisons<__half, __half2>("half");
    comparisons<__nv_bfloat16, __nv_bfloat162>("bfloat16");
    products<__half, __half2>("half");
    products<__nv_bfloat16, __nv_bfloat162>("bfloat16");
    copies<__half, __half2>("half");
    copies<__nv_bfloat16, __nv_bfloat162>("bfloat16");
    int *out, wrong = 0;
    cudaMallocManaged(&out, 64 * sizeof(int));
    bytes<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) wrong += out[i];
    out[0] = 0;
    tanhs<<<1, 256>>>(out);
    long long *w;
    cudaMallocManaged(&w, 24);
    w[0] = 0, w[1] = -1, w[2] = 0;
    words<<<1, 64>>>(w);
    cudaDeviceSynchronize();
    printf("%d wrong bytes, %d wrong tanh, words %lld %lld %llx\n", wrong, out[0], w[0], w[1], w[2]);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
