/* Words of each thread's own, and of its neighbours', that are read and stored back in every order: reversed,
 * rotated, swapped in pairs; loads between stores to the same place; structures that overlap from thread to
 * thread, and threads that share one. Each kernel's result is compared with what threads one statement at a
 * time would have left. */
#include "program.h"

/* The order in which statement i of n comes: ascending, descending, evens first, and two shuffles. */
__host__ __device__ constexpr int place(int order, int i, int n) {
    return order == 0   ? i
           : order == 1 ? n - 1 - i
           : order == 2 ? (i < (n + 1) / 2 ? 2 * i : 2 * (i - (n + 1) / 2) + 1)
           : order == 3 ? (i * 5 + 3) % n
                        : (i * 7 + 1) % n;
}

/* Field k of the structure gets what field n - 1 - k was, and 1 more. */
template <int N, int ORDER, typename T> __global__ void reverse(T *p, int stride) {
    T *q = p + (blockIdx.x * blockDim.x + threadIdx.x) * stride, x[N];
#pragma unroll
    for (int i = 0; i < N; i++) x[i] = q[i];
#pragma unroll
    for (int i = 0; i < N; i++) q[place(ORDER, i, N)] = x[N - 1 - place(ORDER, i, N)] + 1;
}

template <int N, int ORDER, int ROW> __global__ void reverse_shared(float *out, const float *in, int stride) {
    __shared__ float tile[16 * ROW];
    int col = threadIdx.y * N + threadIdx.x, row = threadIdx.z * N;
    in += row * stride + col, out += row * stride + col;
    float *p = tile + row * ROW + col, x[N];
#pragma unroll
    for (int i = 0; i < N; i++) p[i * ROW] = in[i * stride];
    __syncthreads();
    float *v = tile + (row + threadIdx.x) * ROW + col - threadIdx.x;
#pragma unroll
    for (int i = 0; i < N; i++) x[i] = v[i];
#pragma unroll
    for (int i = 0; i < N; i++) v[place(ORDER, i, N)] = x[N - 1 - place(ORDER, i, N)];
    __syncthreads();
    for (int i = 0; i < N; i++) out[i * stride] = p[i * ROW];
}

/* Volatile assembly keeps the order of the text; the accesses are ordinary ones. */
__device__ float load(const float *p) {
    float x;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(p) : "memory");
    return x;
}
__device__ void store(float *p, float x) {
    asm volatile("st.global.f32 [%0], %1;" ::"l"(p), "f"(x) : "memory");
}

/* A store, a load beside it, a store, a load of what came first; and longer chains of that kind. */
template <int SIZE> __global__ void between(float *p, float *out) {
    int t = threadIdx.x;
    float *q = p + t * SIZE;
    store(q, 2);
    float b = load(q + 1);
    store(q + 2, 3);
    float a = load(q), c = load(q + 2);
    store(q + 1, a + c);
    store(q, b);
    float d = load(q + 1), e = load(q);
    store(q + 3, d);
    out[t] = a, out[t + 32] = b, out[t + 64] = c, out[t + 96] = d, out[t + 128] = e;
}

/* Neighbours' structures overlap: what a warp's first store left, its second one writes over, or reads. */
template <int STEP> __global__ void overlapping(float *p, float *out) {
    int t = threadIdx.x;
    float *q = p + t * STEP;
    store(q, t + 1);
    store(q + STEP, t + 100);
    float a = load(q), b = load(q + STEP);
    store(q + 2 * STEP, t + 1000);
    store(q + 1, a + b);
    float c = load(q + 2 * STEP);
    store(q + 2, c);
    out[t] = a, out[t + 32] = b, out[t + 64] = c;
}

/* So do those of threads whose places come from memory. */
__global__ void overlapping_anywhere(float *p, const int *index, float *out) {
    int t = threadIdx.x;
    float *q = p + index[t];
    store(q, t + 1);
    store(q + 1, t + 100);
    store(q + 2, t + 1000);
    float a = load(q + 1);
    store(q + 3, a);
    store(q + 1, 7);
    out[t] = a, out[t + 32] = load(q + 2);
}

/* Rows of threads, a pitch apart that is known as it runs: they may be one place, or overlap. */
__global__ void rows(float *p, int pitch, float *out) {
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    float *q = p + threadIdx.y * pitch + threadIdx.x * 4;
    store(q + 1, t);
    store(q, t + 100);
    float a = load(q + 2);
    store(q + 3, t + 200);
    store(q + 2, a + load(q + 1));
    out[t] = a, out[t + 32] = load(q + 3);
}

/* Each thread takes its four words through its neighbour's. */
__global__ void rotate(int4 *p, int *words) {
    int t = threadIdx.x, *q = words + t * 4;
    int4 v = p[t];
    q[1] = v.x, q[3] = v.y;
    int a = q[1];
    q[0] = v.z, q[2] = a + v.w;
    int b = q[3];
    q[3] = q[0] + b;
    p[t] = make_int4(q[3], q[2], q[1], q[0]);
}

template <int N, int ORDER, typename T> void try_reverse(int stride, int threads) {
    const int blocks = 3;
    Array<T> p(blocks * threads * stride + N);
    for (size_t i = 0; i < p.n; i++) p[i] = T(i * 3 + 1);
    reverse<N, ORDER><<<blocks, threads>>>(p.p, stride);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int t = 0; t < blocks * threads; t++)
        for (int i = 0; i < stride; i++) {
            size_t from = i < N ? t * stride + N - 1 - i : t * stride + i;
            wrong += p[t * stride + i] != T(T(from * 3 + 1) + (i < N ? 1 : 0));
        }
    if (wrong)
        printf("reverse<%d, %d, %d bytes> stride %d, %d threads: %d wrong\n", N, ORDER, (int)sizeof(T),
               stride, threads, wrong);
}

template <int N, typename T> void try_orders() {
    for (int stride : {N, N + 1, 2 * N, 17}) {
        if (stride < N) continue;
        for (int threads : {32, 96, 50}) {
            try_reverse<N, 0, T>(stride, threads);
            try_reverse<N, 1, T>(stride, threads);
            try_reverse<N, 2, T>(stride, threads);
            if (N % 5) try_reverse<N, 3, T>(stride, threads);
            if (N % 7) try_reverse<N, 4, T>(stride, threads);
        }
    }
    printf("reversed %d words of %d bytes\n", N, (int)sizeof(T));
}

template <int N, int ORDER, int ROW> void try_shared(const char *name) {
    Array<float> in(512), out(512);
    for (int i = 0; i < 512; i++) in[i] = i;
    reverse_shared<N, ORDER, ROW><<<1, dim3(N, 32 / N, 16 / N)>>>(out.p, in.p, 32);
    show(name, out, 8);
}

int main() {
    try_orders<3, float>();
    try_orders<4, int>();
    try_orders<6, float>();
    try_orders<8, unsigned>();
    try_orders<4, double>();
    try_orders<5, long long>();
    try_shared<8, 0, 33>("shared, in order");
    try_shared<8, 2, 33>("shared, evens first");
    try_shared<8, 3, 36>("shared, by fives");
    try_shared<4, 4, 33>("shared, by sevens");
    Array<float> p(4096), out(256);
    Array<int> index(32), words(128);
    auto fill = [&] {
        for (int i = 0; i < 4096; i++) p[i] = 100 + i;
    };
    fill(), between<4><<<1, 32>>>(p.p, out.p), show("between 4", out), show("", p);
    fill(), between<6><<<1, 32>>>(p.p, out.p), show("between 6", out), show("", p);
    fill(), overlapping<1><<<1, 32>>>(p.p, out.p), show("a word on", out), show("", p, 8);
    fill(), overlapping<2><<<1, 32>>>(p.p, out.p), show("two words on", out), show("", p, 8);
    fill(), overlapping<4><<<1, 32>>>(p.p, out.p), show("four words on", out), show("", p, 8);
    for (int k : {0, 1, 2, 4, 7}) {
        for (int i = 0; i < 32; i++) index[i] = (i * k * 5) % 64;
        fill(), overlapping_anywhere<<<1, 32>>>(p.p, index.p, out.p), show("anywhere", out), show("", p, 8);
    }
    for (int pitch : {0, 1, 4, 33, 64}) {
        fill(), rows<<<1, dim3(16, 2)>>>(p.p, pitch, out.p), show("rows", out), show("", p, 8);
        fill(), rows<<<1, dim3(4, 8)>>>(p.p, pitch, out.p), show("rows", out), show("", p, 8);
    }
    Array<int4> four(32);
    for (int i = 0; i < 32; i++) four[i] = make_int4(i, i + 100, i + 200, i + 300);
    rotate<<<1, 32>>>(four.p, words.p), show("rotated", four), show("", words);
    return 0;
}
