/* extremes: fmin and fmax of what was loaded and of what was calculated, over NaNs of both kinds, zeros of
 * both signs, infinities and subnormals: lanes of a warp, values that are the same for all, running ones, and
 * both precisions. The host does by bits what CUDA says; any NaN is as good as another.
 */
#include "program.h"

template <class T> struct Format;
template <> struct Format<float> {
    typedef uint32_t Bits;
    static const Bits infinite = 0x7f800000, sign = 0x80000000;
};
template <> struct Format<double> {
    typedef uint64_t Bits;
    static const Bits infinite = 0x7ffull << 52, sign = 1ull << 63;
};

template <class T> static typename Format<T>::Bits bits_of(T x) {
    typename Format<T>::Bits b;
    memcpy(&b, &x, sizeof b);
    return b;
}

template <class T> static T extreme(T a, T b, bool greatest) {
    typedef Format<T> F;
    typename F::Bits x = bits_of(a), y = bits_of(b);
    bool x_nan = (x & ~F::sign) > F::infinite, y_nan = (y & ~F::sign) > F::infinite;
    if (x_nan || y_nan) return x_nan ? b : a;
    if (a == b) return (x & F::sign ? greatest : !greatest) ? b : a; /* zeros, or the same */
    return (a < b) == greatest ? b : a;
}

__device__ static float least(float a, float b) { return fminf(a, b); }
__device__ static double least(double a, double b) { return fmin(a, b); }
__device__ static float greatest(float a, float b) { return fmaxf(a, b); }
__device__ static double greatest(double a, double b) { return fmax(a, b); }

enum { WAYS = 12 };

/* Each thread a pair, each block one of them for all its threads. */
template <class T> __global__ void pairs(const T *in, T *out, int n, T one, T zero) {
    int i = blockIdx.x, j = threadIdx.x;
    if (j >= n) return;
    T a = in[i], b = in[j], up = a + b, twice = b * (T)2;
    T *to = out + ((size_t)i * n + j) * WAYS;
    to[0] = least(a, b), to[1] = greatest(a, b);
    to[2] = least(b, a), to[3] = greatest(b, a);
    to[4] = least(up, b), to[5] = greatest(up, twice);
    to[6] = greatest(greatest(a, b), up), to[7] = least(least(b, b), twice);
    to[8] = greatest(b * one, a), to[9] = least(b + zero, a); /* nothing, but for a NaN's kind */
    to[10] = greatest(b, (T)0), to[11] = least(-b, (T)1);
}

/* Running ones, of one row for all threads and of one for each. */
template <class T> __global__ void running(const T *in, T *out, int n) {
    int t = threadIdx.x;
    T low = INFINITY, high = -INFINITY, all = in[blockIdx.x % n], most = 0;
    for (int k = 0; k < n; k++) {
        T x = in[(t + k * 5) % n];
        low = least(low, x), high = greatest(x, high);
        all = greatest(all, in[k]);
        most = greatest(most, fabs(x));
        if (k % 7 == t % 7) low = in[(t * 3 + k) % n];
    }
    T *to = out + (blockIdx.x * blockDim.x + t) * 4;
    to[0] = low, to[1] = high, to[2] = all, to[3] = most;
}

template <class T> static bool is_same(T a, T b) { return bits_of(a) == bits_of(b) || (a != a && b != b); }

template <class T> static T from_bits(typename Format<T>::Bits b) {
    T x;
    memcpy(&x, &b, sizeof x);
    return x;
}

template <class T> static void test(const char *name) {
    typedef Format<T> F;
    const typename F::Bits one = bits_of((T)1), list[] = {0,
                                                          1,
                                                          one,
                                                          one + 3,
                                                          F::infinite - 1,
                                                          F::infinite,
                                                          F::infinite + 1,
                                                          F::infinite | F::infinite >> 1,
                                                          (F::infinite | F::infinite >> 1) + 5,
                                                          F::sign - 1,
                                                          one / 2,
                                                          one * 3 / 2};
    const int half = sizeof list / sizeof *list, n = 2 * half;
    Array<T> in(n), out((size_t)n * n * WAYS), rows(2 * 64 * 4);
    for (int i = 0; i < n; i++) {
        typename F::Bits b = list[i / 2] | (i % 2 ? F::sign : 0);
        memcpy(&in[i], &b, sizeof b);
    }
    pairs<T><<<n, 32>>>(in, out, n, 1, -(T)0);
    running<T><<<2, 64>>>(in, rows, n);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            T a = in[i], b = in[j], up = a + b, twice = b * (T)2;
            T minus = from_bits<T>(bits_of(b) ^ F::sign);
            T want[WAYS] = {extreme(a, b, false),
                            extreme(a, b, true),
                            extreme(b, a, false),
                            extreme(b, a, true),
                            extreme(up, b, false),
                            extreme(up, twice, true),
                            extreme(extreme(a, b, true), up, true),
                            extreme(b, twice, false),
                            extreme(b, a, true),
                            extreme(b, a, false),
                            extreme(b, (T)0, true),
                            extreme(minus, (T)1, false)};
            for (int k = 0; k < WAYS; k++) wrong += !is_same(out[((size_t)i * n + j) * WAYS + k], want[k]);
        }
    for (int i = 0; i < 128; i++) {
        int t = i % 64;
        T low = INFINITY, high = -INFINITY, all = in[i / 64 % n], most = 0;
        for (int k = 0; k < n; k++) {
            T x = in[(t + k * 5) % n];
            low = extreme(low, x, false), high = extreme(x, high, true), all = extreme(all, in[k], true);
            most = extreme(most, from_bits<T>(bits_of(x) & ~F::sign), true);
            if (k % 7 == t % 7) low = in[(t * 3 + k) % n];
        }
        T want[4] = {low, high, all, most};
        for (int k = 0; k < 4; k++) wrong += !is_same(rows[i * 4 + k], want[k]);
    }
    printf("%s: %d wrong\n", name, wrong);
}

int main() {
    test<float>("float");
    test<double>("double");
    return 0;
}
