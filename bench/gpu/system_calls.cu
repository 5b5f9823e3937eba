/* What CUDA's own functions in kernels (printf, malloc, free) access, each form launched once for a profiler as those of
 * patterns.cu are: texts and values of many sizes, few and many lanes. src/count/system_calls.h has the rules.
 */
#include <cstdio>

#define T     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" /* 50 characters */
#define D4    "%d %d %d %d "
#define F4    "%f %f %f %f "
#define I4(i) t + (i), t + (i) + 1, t + (i) + 2, t + (i) + 3
#define R4(i) t *((i) + 1.0), t *((i) + 1.5), t *((i) + 2.0), t *((i) + 2.5)

/* name, lanes that take part, what they do */
#define CALLS(X)                                                                                             \
    X(text_2, true, printf("a\n"))                                                                           \
    X(text_50, true, printf(T))                                                                              \
    X(text_200, true, printf(T T T T))                                                                       \
    X(text_250, true, printf(T T T T T))                                                                     \
    X(text_500, true, printf(T T T T T T T T T T))                                                           \
    X(text_1000, true, printf(T T T T T T T T T T T T T T T T T T T T))                                      \
    X(text_empty, true, printf(""))                                                                          \
    X(text_percent, true, printf("100%% of %d\n", t))                                                        \
    X(int_1, true, printf("%d\n", t))                                                                        \
    X(int_2, true, printf("%d %d\n", t, t + 1))                                                              \
    X(int_4, true, printf(D4, I4(0)))                                                                        \
    X(int_8, true, printf(D4 D4, I4(0), I4(4)))                                                              \
    X(int_16, true, printf(D4 D4 D4 D4, I4(0), I4(4), I4(8), I4(12)))                                        \
    X(int_20, true, printf(D4 D4 D4 D4 D4, I4(0), I4(4), I4(8), I4(12), I4(16)))                             \
    X(int_32, true,                                                                                          \
      printf(D4 D4 D4 D4 D4 D4 D4 D4, I4(0), I4(4), I4(8), I4(12), I4(16), I4(20), I4(24), I4(28)))          \
    X(int_36, true,                                                                                          \
      printf(D4 D4 D4 D4 D4 D4 D4 D4 D4, I4(0), I4(4), I4(8), I4(12), I4(16), I4(20), I4(24), I4(28),        \
             I4(32)))                                                                                        \
    X(int_long, true, printf(T T T T "%d\n", t))                                                             \
    X(int_width, true, printf("%*d\n", 5, t))                                                                \
    X(long_1, true, printf("%lld\n", (long long)t))                                                          \
    X(character_1, true, printf("%c\n", 'a' + t % 26))                                                       \
    X(pointer_1, true, printf("%p\n", (void *)out))                                                          \
    X(double_1, true, printf("%8.3f\n", t * 2.0))                                                            \
    X(double_4, true, printf(F4, R4(0)))                                                                     \
    X(double_16, true, printf(F4 F4 F4 F4, R4(0), R4(4), R4(8), R4(12)))                                     \
    X(double_20, true, printf(F4 F4 F4 F4 F4, R4(0), R4(4), R4(8), R4(12), R4(16)))                          \
    X(double_32, true,                                                                                       \
      printf(F4 F4 F4 F4 F4 F4 F4 F4, R4(0), R4(4), R4(8), R4(12), R4(16), R4(20), R4(24), R4(28)))          \
    X(int_double, true, printf("%d: %f\n", t, t * 2.0))                                                      \
    X(string_5, true, printf("%s\n", "hello"))                                                               \
    X(string_50, true, printf("%s\n", T))                                                                    \
    X(string_200, true, printf("%s\n", T T T T))                                                             \
    X(string_300, true, printf("%s\n", T T T T T T))                                                         \
    X(string_2, true, printf("%s %s\n", "hello", "there"))                                                   \
    X(string_int, true, printf("%s %d\n", "hello", t))                                                       \
    X(string_null, true, printf("%s\n", (char *)(long long)(n - 4)))                                         \
    X(string_of_each, true, printf("%s\n", T + t))                                                           \
    X(string_of_halves, true, printf("%s\n", t % 2 ? "odd" : "an even lane"))                                \
    X(int_lane, t == 0, printf("%d\n", t))                                                                   \
    X(int_last_lane, t == 31, printf("%d\n", t))                                                             \
    X(int_4_lanes, t < 4, printf("%d\n", t))                                                                 \
    X(int_half, t < 16, printf("%d\n", t))                                                                   \
    X(int_even, t % 2 == 0, printf("%d\n", t))                                                               \
    X(int_20_lanes_5, t < 5, printf(D4 D4 D4 D4 D4, I4(0), I4(4), I4(8), I4(12), I4(16)))                    \
    X(double_lane, t == 0, printf("%f\n", t * 2.0))                                                          \
    X(double_12_lanes, t < 12, printf("%f\n", t * 2.0))                                                      \
    X(string_lane, t == 0, printf("%s\n", "hello"))                                                          \
    X(string_fourth, t % 4 == 0, printf("%s\n", "hello"))                                                    \
    X(twice, true, (printf("%d\n", t), printf("%d\n", t + 1)))                                               \
    X(malloc_lane, t == 0, out[t] = malloc(16))                                                              \
    X(free_lane, t == 0, free(out[t]))                                                                       \
    X(malloc_2_lanes, t < 2, out[t] = malloc(16))                                                            \
    X(free_2_lanes, t < 2, free(out[t]))                                                                     \
    X(malloc_4_lanes, t < 4, out[t] = malloc(16))                                                            \
    X(free_4_lanes, t < 4, free(out[t]))                                                                     \
    X(malloc_16_lanes, t < 16, out[t] = malloc(64))                                                          \
    X(free_16_lanes, t < 16, free(out[t]))

#define KERNEL(name, condition, call)                                                                        \
    __global__ void name(int n, void **out) {                                                                \
        int t = threadIdx.x;                                                                                 \
        if (condition) call;                                                                                 \
    }
CALLS(KERNEL)

int main() {
    void **out;
    cudaMalloc(&out, 32 * sizeof *out);
#define LAUNCH(name, condition, call)                                                                        \
    name<<<1, 32>>>(4, out);                                                                                 \
    cudaDeviceSynchronize();
    CALLS(LAUNCH)
    return cudaGetLastError() != cudaSuccess;
}
