/* undefined: what C++ leaves undefined and nvcc's device compiler does not take advantage of, so that
 * programs lean on it: values that are read as another type than they were written as, pointers that may be
 * null where C++ forbids it, functions that end without a value, objects that outlive their types. Each
 * kernel prints what nvcc's code computes.
 */
#include "program.h"
#include <cuda_fp16.h>
#include <new>

/* ---- One type's bytes through another's pointer ---- */

template <typename T> __device__ void take(const T *from, T *to) {
    *reinterpret_cast<uint4 *>(to) = *reinterpret_cast<const uint4 *>(from);
}
/* A thread's own floats are filled one by one and stored as one uint4. */
template <int N> __global__ void normalise(const float *in, const float *weight, float *out, int n) {
    float value[N], sum = 0;
    for (int i = threadIdx.x * N; i < n; i += blockDim.x * N) {
        take(in + i, value);
#pragma unroll
        for (int k = 0; k < N; k++) sum += value[k];
    }
    float mean = sum / n, result[N], w[N];
    for (int i = threadIdx.x * N; i < n; i += blockDim.x * N) {
        take(in + i, value);
        take(weight + i, w);
#pragma unroll
        for (int k = 0; k < N; k++) result[k] = (value[k] - mean) * w[k];
        take(result, out + i);
    }
}
/* Halves that are packed as integers, and the bits of floats that are changed where they lie. */
__global__ void halves(const float *in, unsigned *out) {
    int t = threadIdx.x;
    __half pair[2] = {__float2half(in[t]), __float2half(in[t + 1])};
    out[t] = *reinterpret_cast<unsigned *>(pair);
    __half2 sum = *reinterpret_cast<__half2 *>(&out[t]);
    pair[0] = __hadd(sum.x, sum.y);
    *reinterpret_cast<unsigned short *>(&pair[1]) ^= 0x8000;
    out[t + 64] = *reinterpret_cast<unsigned *>(pair);
}
__global__ void signs(float *x, int *seen) {
    int t = threadIdx.x;
    float value = x[t];
    int *bits = (int *)&value;
    *bits ^= 0x80000000;
    seen[t] = value < 0;
    *(int *)&x[t] += 1 << 23; /* twice as much */
    value += x[t];
    x[t] = value;
}
/* One shared array for two types in turn, and a float that is found again as a double's half. */
__global__ void shared_for_two(int *out) {
    __shared__ double place[32];
    float *as_float = (float *)place;
    int *as_int = (int *)place;
    int t = threadIdx.x;
    as_float[t] = t + 0.5f;
    int before = as_int[t];
    as_int[t] = before + (1 << 23);
    float after = as_float[t];
    __syncthreads();
    out[t] = before + (int)after + (int)((long long *)place)[t / 2];
}
union word {
    float f;
    unsigned u;
    unsigned short h[2];
    unsigned char b[4];
};
__global__ void unions(const float *in, unsigned *out) {
    word w;
    w.f = in[threadIdx.x];
    w.h[0] ^= 0x1234;
    w.b[3] += 1;
    out[threadIdx.x] = w.u;
}

/* ---- Numbers that do not fit ---- */

/* By way of an int, which has the nearest value that there is. */
__global__ void narrow(const float *in, int *out) {
    float f = in[threadIdx.x];
    double d = f;
    int *mine = out + threadIdx.x * 8;
    mine[0] = (short)f;
    mine[1] = (unsigned short)f;
    mine[2] = (signed char)f + 1000 * (unsigned char)f;
    mine[3] = (int)f;
    mine[4] = (unsigned)d;
    mine[5] = (short)d + 1000 * (unsigned char)d;
    mine[6] = (int)((long long)f >> 32);
    mine[7] = (int)((unsigned long long)d >> 32);
}
__device__ int nearest(const float *at, int n) {
    int least = 1e10, where = -1; /* the greatest int */
    for (int i = 0; i < n; i++)
        if (at[i] < least) least = at[i], where = i;
    return where * 1000 + least;
}
template <int steps> __device__ int grown() {
    float x = 1;
#pragma unroll
    for (int i = 0; i < steps; i++) x *= 1000;
    return x;
}
__global__ void constant(const float *in, int *out) {
    const float far = INFINITY, below = -3e9f;
    unsigned none = -1.0f;
    out[0] = nearest(in, 5);
    out[1] = (int)far;
    out[2] = far;
    out[3] = below;
    out[4] = none;
    out[5] = (short)70000.f;
    out[6] = (unsigned char)300.f + (signed char)-200.0 * 1000;
    out[7] = grown<2>();
    out[8] = grown<4>();
    out[9] = (unsigned)5e9 == 0xffffffff;
    out[10] = (int)NAN;
    out[11] = in[0] < (int)1e10;
}
/* Products that wrap, and have the sign that they have. */
__global__ void random_numbers(int *out) {
    int t = threadIdx.x, seed = t * 1103515245 + 12345;
    if (seed < 0) seed = -seed;
    out[2 * t] = seed % 1000;
    int next = (t + 1) * 214013 + 2531011;
    out[2 * t + 1] = (next >> 16) % 100;
}
/* A byte that is not zero is true. */
__global__ void bools(const bool *in, int *out) {
    int t = threadIdx.x;
    out[t] =
        (in[t] ? 1 : 2) + (!in[t] ? 10 : 20) + (in[t] && in[t + 1] ? 100 : 200) + (in[t] == false) * 1000;
    if (in[t + 1]) out[t] += 5000;
}

/* ---- Pointers ---- */

struct node {
    int value;
    node *next;
    __device__ int sum() { return this ? value + next->sum_of_rest() : 0; }
    __device__ __noinline__ int sum_of_rest() { return this == nullptr ? 0 : value + next->sum_of_rest(); }
    __device__ bool is_none() const { return !this; }
};
__global__ void lists(int *out) {
    int t = threadIdx.x;
    node c = {100, nullptr}, b = {10, &c}, a = {1, &b}, *first = t % 2 ? &a : t % 3 ? &b : nullptr;
    out[t] = first->sum() * 2 + first->is_none();
}
/* ---- Functions that end without a value, and objects that end ---- */

__device__ int forgotten(int *at, int n) {
    for (int i = 0; i < n; i++) at[i] += i;
    if (n > 1000) return n;
}
__device__ bool tell(int *at, int what) { *at = what; }
__global__ void no_value(int *out) {
    int *mine = out + threadIdx.x * 4;
    mine[3] = 7;
    forgotten(mine, 3);
    tell(&mine[3], mine[3] + (int)threadIdx.x);
    mine[0] += 100;
}
struct counted {
    int value, ended;
    __device__ counted() {}
    __device__ ~counted() { ended = value; }
};
__global__ void placed(int *out) {
    __shared__ int room[64 * 2];
    int *mine = room + 2 * threadIdx.x;
    mine[0] = 40 + threadIdx.x;
    counted *c = new (mine) counted;
    c->value += 2;
    c->~counted();
    out[threadIdx.x] = mine[1];
}

/* ---- Loops that do nothing but end ---- */

__global__ void halts(unsigned start, int *out) {
    unsigned x = start + threadIdx.x;
    while (x != 1) x = x & 1 ? 3 * x + 1 : x / 2;
    out[threadIdx.x] = 1;
}

int main() {
    const int n = 1024;
    Array<float> in(n), weight(n), out(n);
    for (int i = 0; i < n; i++) in[i] = i % 16 / 4 + 1, weight[i] = i, out[i] = -1;
    normalise<4><<<1, 4>>>(in, weight, out, n);
    show("normalise", out);
    Array<unsigned> words(128);
    halves<<<1, 64>>>(in, words);
    show("halves", words);
    Array<int> seen(256);
    signs<<<1, 64>>>(weight, seen);
    show("signs", weight);
    show("", seen);
    shared_for_two<<<1, 32>>>(seen);
    show("shared for two", seen);
    unions<<<1, 64>>>(weight, words);
    show("unions", words);
    Array<float> odd(16);
    const float values[16] = {0.5f,  -0.5f, -1.5f,    127.9f, 128,    255.5f, 300,   -200,
                              32767, 40000, 65535.9f, 70000,  -40000, 3e9f,   1e20f, -1e20f};
    for (int i = 0; i < 16; i++) odd[i] = values[i];
    narrow<<<1, 16>>>(odd, seen);
    show("narrow", seen, 16);
    constant<<<1, 1>>>(odd, seen);
    show("constant", seen, 12);
    random_numbers<<<1, 64>>>(seen);
    show("random numbers", seen, 12);
    Array<unsigned char> bytes(65);
    for (int i = 0; i < 65; i++) bytes[i] = i % 5 ? i * 4 + i % 2 : 0;
    bools<<<1, 64>>>((const bool *)bytes.p, seen);
    show("bools", seen, 8);
    lists<<<1, 64>>>(seen);
    show("lists", seen);
    no_value<<<1, 64>>>(seen);
    show("no value", seen, 8);
    placed<<<1, 64>>>(seen);
    show("placed", seen);
    halts<<<1, 64>>>(27, seen);
    show("halts", seen);
    return 0;
}
