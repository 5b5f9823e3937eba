// Divisions, roots and reciprocals of operands of all kinds, for tests/count/slow_paths.sh: in `even` the blocks are alike, in
// `uneven` data decides which lanes go on.
#include <cstdint>
#include <cstdio>
#include <cstring>

#define KERNELS(name, T, C, text)                                                                            \
    __device__ T name(T a, T b) {                                                                            \
        T q;                                                                                                 \
        asm volatile(text : "=" C(q) : C(a), C(b));                                                          \
        return q;                                                                                            \
    }                                                                                                        \
    extern "C" __global__ void even_##name(const T *a, const T *b, T *q, int) {                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
        q[i] = name(a[i], b[i]);                                                                             \
    }                                                                                                        \
    extern "C" __global__ void uneven_##name(const T *a, const T *b, T *q, int n) {                          \
        int i = blockIdx.x * blockDim.x + threadIdx.x, turns = (int)(i * 2654435761u >> 29);                 \
        T sum = 0;                                                                                           \
        if (i >= n) return;                                                                                  \
        for (int k = 0; k < turns; k++)                                                                      \
            if (a[(i + k) % n] > 1) sum += name(b[(i + k) % n], a[i]);                                       \
        q[i] = sum;                                                                                          \
    }

KERNELS(div_f32, float, "f", "div.rn.f32 %0, %1, %2;")
KERNELS(div_ftz, float, "f", "div.rn.ftz.f32 %0, %1, %2;")
KERNELS(rcp_f32, float, "f", "rcp.rn.f32 %0, %1;")
KERNELS(rcp_ftz, float, "f", "rcp.rn.ftz.f32 %0, %1;")
KERNELS(sqrt_f32, float, "f", "sqrt.rn.f32 %0, %1;")
KERNELS(sqrt_ftz, float, "f", "sqrt.rn.ftz.f32 %0, %1;")
KERNELS(div_f64, double, "d", "div.rn.f64 %0, %1, %2;")
KERNELS(rcp_f64, double, "d", "rcp.rn.f64 %0, %1;")
KERNELS(sqrt_f64, double, "d", "sqrt.rn.f64 %0, %1;")

// All lanes of one warp divide 0, one of the next, none of the third, and one of the last a number that is too small.
extern "C" __global__ void known(const float *a, float *q) {
    q[threadIdx.x] = a[threadIdx.x] / (q[threadIdx.x] + 3);
}

static const int N = 1 << 12;

template <class T, class Bits> static void fill(T *a, int digits, uint64_t x) {
    const uint64_t most = sizeof(T) == 4 ? 255 : 2047;
    for (int i = 0; i < N; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        uint64_t kind = x >> 60, exponent = (x >> 20) % (most + 1),
                 fraction = x & ((UINT64_C(1) << digits) - 1);
        if (kind == 0 || i / 32 % 16 == 5) exponent = fraction = 0;
        if (kind == 1) exponent = most, fraction = 0;
        if (kind == 2) exponent %= 4, fraction &= 3;
        if (kind > 6 || i / 64 % 4 == 0) exponent = most / 2 + exponent % 3;
        Bits bits = (Bits)(exponent << digits | fraction) | (Bits)(x >> 59 & 1) << (8 * sizeof(T) - 1);
        memcpy(&a[i], &bits, sizeof bits);
    }
}

template <class T>
static void launch(void (*even)(const T *, const T *, T *, int),
                   void (*uneven)(const T *, const T *, T *, int), const T *a, const T *b, T *q) {
    even<<<N / 128, 128>>>(a, b, q, 0);
    even<<<N / 128 / 2, 128>>>(a + N / 2, b, q, 0);
    uneven<<<(N + 95) / 96, 96>>>(a, b, q, N - 5);
}
#define LAUNCH(name) launch(even_##name, uneven_##name, a, b, q)

template <class T, class Bits> static void make(int digits, T **a, T **b, T **q) {
    for (T **p : {a, b, q}) cudaMallocManaged(p, N * sizeof(T));
    fill<T, Bits>(*a, digits, 88172645463325252u);
    fill<T, Bits>(*b, digits, 1181783497276652981u);
}

static void floats() {
    float *a, *b, *q;
    make<float, uint32_t>(23, &a, &b, &q);
    LAUNCH(div_f32), LAUNCH(div_ftz), LAUNCH(rcp_f32), LAUNCH(rcp_ftz), LAUNCH(sqrt_f32), LAUNCH(sqrt_ftz);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; i++) a[i] = i < 32 || i == 35 ? 0 : i == 100 ? 1e-33f : (float)i, q[i] = 0;
    known<<<1, 128>>>(a, q);
    cudaDeviceSynchronize();
}
static void doubles() {
    double *a, *b, *q;
    make<double, uint64_t>(52, &a, &b, &q);
    LAUNCH(div_f64), LAUNCH(rcp_f64), LAUNCH(sqrt_f64);
    cudaDeviceSynchronize();
}
int main() {
    floats();
    doubles();
    return cudaGetLastError() != cudaSuccess;
}
