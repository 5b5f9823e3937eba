/* moves: blocks that only move values from thread to thread, through shared memory and one barrier: turned
 * round, rotated, dealt out like cards, swapped in pairs; of 8 to 64 bits, several arrays in one allocation,
 * the last block with fewer values than threads, arrays over each other that see the same bytes. Every value
 * is checked against the host's.
 */
#include "program.h"

#include <algorithm>

enum { BLOCK = 256 };

/* Where the value of thread t comes from, of so many. */
__host__ __device__ inline int turned(int t, int count) { return count - 1 - t; }
__host__ __device__ inline int rotated(int t, int count) { return t + 1 < count ? t + 1 : 0; }
__host__ __device__ inline int dealt(int t, int count) {
    const int half = (count + 1) / 2;
    return t < half ? 2 * t : 2 * (t - half) + 1;
}
__host__ __device__ inline int paired(int t, int count) { return (t ^ 1) < count ? t ^ 1 : t; }

#define MOVE(name)                                                                                           \
    template <class T> __global__ void move_##name(T *values, int n) {                                       \
        __shared__ T part[BLOCK];                                                                            \
        const int first = blockIdx.x * BLOCK, count = min(BLOCK, n - first), t = threadIdx.x;                \
        if (t < count) part[t] = values[first + t];                                                          \
        __syncthreads();                                                                                     \
        if (t < count) values[first + t] = part[name(t, count)];                                             \
    }
MOVE(turned)
MOVE(rotated)
MOVE(dealt)
MOVE(paired)

/* One allocation for three arrays, whose sizes follow from the launch. */
template <class A, class B, class C> __global__ void divided(A *a, B *b, C *c, int n) {
    extern __shared__ char whole[];
    A *as = reinterpret_cast<A *>(whole);
    B *bs = reinterpret_cast<B *>(as + blockDim.x);
    C *cs = reinterpret_cast<C *>(bs + blockDim.x);
    const int first = blockIdx.x * blockDim.x, count = min((int)blockDim.x, n - first), t = threadIdx.x;
    if (t < count) as[t] = a[first + t], bs[t] = b[first + t], cs[t] = c[first + t];
    __syncthreads();
    if (t < count) {
        a[first + t] = as[count - 1 - t];
        b[first + t] = bs[count - 1 - t];
        c[first + t] = cs[count - 1 - t];
    }
}

/* The bytes of words: the same memory by two names. */
__global__ void bytes_of_words(const uint32_t *words, unsigned char *bytes) {
    __shared__ uint32_t part[BLOCK];
    const int t = threadIdx.x;
    part[t] = words[blockIdx.x * BLOCK + t];
    __syncthreads();
    const unsigned char *seen = reinterpret_cast<const unsigned char *>(part);
    bytes[blockIdx.x * BLOCK + t] = seen[4 * (BLOCK - 1 - t) + 1];
}

/* Narrow values that are more than moved: sign, sums, comparisons, and a wider store. */
__global__ void used(const signed char *in, int *out, signed char *same, int n) {
    __shared__ signed char part[BLOCK];
    const int first = blockIdx.x * BLOCK, count = min(BLOCK, n - first), t = threadIdx.x;
    if (t < count) part[t] = in[first + t];
    __syncthreads();
    if (t >= count) return;
    const signed char x = part[count - 1 - t];
    out[first + t] = x < 0 ? x * 3 : x + 100000;
    same[first + t] = t & 1 ? x : in[first + t];
}

/* Both arrays are one: what is stored to the first is loaded from the second. */
__global__ void shifted(int *a, const int *b, int *c) {
    __shared__ int part[BLOCK];
    const int t = threadIdx.x;
    part[t] = a[t];
    __syncthreads();
    a[t] = part[BLOCK - 1 - t];
    c[t] = b[t];
}

static int wrong;

static void tell(const char *what, int n, int bad) {
    if (bad) printf("%s of %d: %d wrong\n", what, n, bad);
    wrong += bad;
}

template <class T> static T value(int i) { return T(i * 2654435761u >> 7); }

template <class T, class Kernel, class From>
static void moved(const char *what, int n, Kernel kernel, From from) {
    Array<T> a(n + 1);
    int bad = 0;
    for (int i = 0; i < n; i++) a[i] = value<T>(i);
    a[n] = T(77);
    kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(a, n);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        const int first = i / BLOCK * BLOCK, count = std::min<int>(BLOCK, n - first);
        bad += a[i] != value<T>(first + from(i - first, count));
    }
    tell(what, n, bad + (a[n] != T(77)));
}

template <class T> static void all_moves(int n) {
    moved<T>("turned", n, move_turned<T>, turned);
    moved<T>("rotated", n, move_rotated<T>, rotated);
    moved<T>("dealt", n, move_dealt<T>, dealt);
    moved<T>("paired", n, move_paired<T>, paired);
}

template <class A, class B, class C> static void three(int n, int block) {
    Array<A> a(n);
    Array<B> b(n);
    Array<C> c(n);
    int bad = 0;
    for (int i = 0; i < n; i++) a[i] = value<A>(i), b[i] = value<B>(i + 1), c[i] = value<C>(i + 2);
    divided<A, B, C>
        <<<(n + block - 1) / block, block, block * (sizeof(A) + sizeof(B) + sizeof(C))>>>(a, b, c, n);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        const int first = i / block * block, count = std::min(block, n - first),
                  at = first + count - 1 - (i - first);
        bad += a[i] != value<A>(at) || b[i] != value<B>(at + 1) || c[i] != value<C>(at + 2);
    }
    tell("three arrays", n, bad);
}

static void seen_as_bytes() {
    const int n = 2 * BLOCK;
    Array<uint32_t> words(n);
    Array<unsigned char> bytes(n);
    int bad = 0;
    for (int i = 0; i < n; i++) words[i] = value<uint32_t>(i);
    bytes_of_words<<<2, BLOCK>>>(words, bytes);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        bad += bytes[i] != (unsigned char)(words[i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK] >> 8);
    tell("bytes of words", n, bad);
}

static void more_than_moved(int n) {
    Array<signed char> in(n), same(n);
    Array<int> out(n);
    int bad = 0;
    for (int i = 0; i < n; i++) in[i] = value<signed char>(i);
    used<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, same, n);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        const int first = i / BLOCK * BLOCK, count = std::min<int>(BLOCK, n - first), t = i - first;
        const signed char x = in[first + count - 1 - t];
        bad += out[i] != (x < 0 ? x * 3 : x + 100000) || same[i] != (t & 1 ? x : in[i]);
    }
    tell("narrow values", n, bad);
}

static void one_array() {
    Array<int> a(BLOCK), c(BLOCK);
    int bad = 0;
    for (int i = 0; i < BLOCK; i++) a[i] = 3 * i;
    shifted<<<1, BLOCK>>>(a, a, c);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < BLOCK; i++) bad += a[i] != 3 * (BLOCK - 1 - i) || c[i] != a[i];
    tell("one array", BLOCK, bad);
}

int main() {
    for (int n : {1024, 1000, 3}) {
        all_moves<int>(n);
        all_moves<unsigned char>(n);
    }
    all_moves<short>(700);
    all_moves<double>(700);
    for (int n : {512, 777}) {
        three<int, float, char>(n, 256);
        three<double, short, unsigned char>(n, 128);
        three<float, int, short>(n, 96);
        more_than_moved(n);
    }
    seen_as_bytes();
    one_array();
    printf("moves: %s\n", wrong ? "WRONG" : "all right");
    return wrong != 0;
}
