/* atomics: each function, type and scope; what they leave behind, and that the old values are each given out
 * once. */
#include "program.h"

template <typename T> __global__ void integers(T *a, T *b) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    T v = (T)i * 37 + 5;
    atomicAdd(&a[0], v);
    atomicMin(&a[1], v - 100);
    atomicMax(&a[2], v);
    atomicAnd(&a[3], ~(T)(i & 12));
    atomicOr(&a[4], v << 3);
    atomicXor(&a[5], v);
    atomicExch(&a[6], (T)9);
    atomicCAS(&a[7], (T)0, (T)77);
    atomicAdd_block(&b[blockIdx.x * 2], v);
    atomicMax_block(&b[blockIdx.x * 2 + 1], v);
    atomicAdd_system(&a[8], v);
    atomicCAS_system(&a[9], (T)i, (T)(i + 1));
    for (T old = atomicAdd(&a[10], (T)0), seen;; old = seen)
        if ((seen = atomicCAS(&a[10], old, (T)(old + 3))) == old) break;
}

__global__ void counters(unsigned *a, unsigned *seen) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicInc(&a[0], 9);
    atomicDec(&a[1], 9);
    seen[atomicInc(&a[2], ~0u)] += 1;
    atomicSub(&a[3], i);
    atomicInc_block(&a[4 + blockIdx.x], 1000);
    atomicExch(&((float *)a)[10], 2.5f);
}

__global__ void reals(float *f, double *d) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&f[0], (float)(i % 8) * 0.25f);
    atomicAdd_block(&f[1 + blockIdx.x], 1.0f);
    atomicAdd(&d[0], i * 0.5);
    atomicAdd_system(&d[1], 1.0);
    float old = atomicAdd(&f[10], 0.0f);
    if (old != 0) atomicAdd(&f[11], 1);
}

/* In shared memory, and with every lane at its own or at one address. */
__global__ void shared_counts(const unsigned *in, unsigned *out) {
    __shared__ unsigned bins[32];
    __shared__ unsigned long long total;
    __shared__ int least;
    __shared__ float sum;
    if (threadIdx.x == 0) total = 0, least = 1 << 30, sum = 0;
    if (threadIdx.x < 32) bins[threadIdx.x] = 0;
    __syncthreads();
    unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(&bins[v % 32], 1);
    atomicAdd(&total, (unsigned long long)v);
    atomicMin(&least, (int)(v & 0xffff) - 30000);
    atomicAdd(&sum, 0.5f);
    __syncthreads();
    if (threadIdx.x < 32) out[blockIdx.x * 36 + threadIdx.x] = bins[threadIdx.x];
    if (threadIdx.x == 32) {
        out[blockIdx.x * 36 + 32] = (unsigned)total;
        out[blockIdx.x * 36 + 33] = (unsigned)(total >> 32);
        out[blockIdx.x * 36 + 34] = least;
        out[blockIdx.x * 36 + 35] = (unsigned)sum;
    }
}

__global__ void short_swap(unsigned short *s) {
    unsigned short old = atomicCAS(&s[threadIdx.x % 2], 0, 0), seen;
    while ((seen = atomicCAS(&s[threadIdx.x % 2], old, (unsigned short)(old + 3))) != old) old = seen;
}

int main() {
    Array<int> a(11), ab(8);
    Array<unsigned> u(11), ub(8), c(12), seen(512), in(4 * 200), out(4 * 36);
    Array<unsigned long long> l(11), lb(8);
    Array<float> f(12);
    Array<double> d(2);
    Array<unsigned short> s(2);
    a[3] = ~0, u[3] = ~0u, l[3] = ~0ull, a[1] = 7, u[1] = 1u << 31, l[1] = 1ull << 60;
    integers<int><<<4, 128>>>(a.p, ab.p);
    integers<unsigned><<<4, 128>>>(u.p, ub.p);
    integers<unsigned long long><<<4, 128>>>(l.p, lb.p);
    CALL(cudaDeviceSynchronize());
    a[9] = a[9] > 0, u[9] = u[9] > 0, l[9] = l[9] > 0;
    show("int", a, 11);
    show("int in blocks", ab, 8);
    show("unsigned", u, 11);
    show("unsigned in blocks", ub, 8);
    show("unsigned long long", l, 11);
    show("unsigned long long in blocks", lb, 8);
    c[1] = 4;
    counters<<<4, 128>>>(c, seen);
    show("counters", c, 12);
    show("given out", seen);
    reals<<<4, 128>>>(f, d);
    show("float", f, 12);
    show("double", d);
    uint32_t state = 5;
    for (size_t i = 0; i < in.n; i++) in[i] = next_random(state);
    shared_counts<<<4, 200>>>(in, out);
    show("shared", out, 36);
    short_swap<<<1, 90>>>(s);
    show("short", s);
    return 0;
}
