/* Kernels that the assembler changes before the hardware counts: aggregated atomics, loops of compare-and-swap, loads
 * on both sides of a branch that it made, vectors with dead elements, static shared memory that is rounded, loops that
 * it unrolls. Each is launched once (bench/gpu/counters runs the profiler, docs/accuracy.md has the table).
 */
#include "measure.cuh"
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

constexpr int n = 1 << 14, block = 256;

/* ---- atomics on one address by all lanes ---- */

#define ON_ONE(name, T, call)                                                                                \
    __global__ void one_##name(T *p, const T *in, T *out) {                                                  \
        const int i = each();                                                                                \
        const T v = in[i];                                                                                   \
        call;                                                                                                \
    }                                                                                                        \
    __global__ void one_shared_##name(T *p, const T *in, T *out) {                                           \
        __shared__ T s;                                                                                      \
        T *const global = p;                                                                                 \
        if (threadIdx.x == 0) s = *global;                                                                   \
        __syncthreads();                                                                                     \
        p = &s;                                                                                              \
        const int i = each();                                                                                \
        const T v = in[i];                                                                                   \
        call;                                                                                                \
        __syncthreads();                                                                                     \
        if (threadIdx.x == 0) global[1 + blockIdx.x] = s;                                                    \
    }
ON_ONE(add, unsigned, atomicAdd(p, v))
ON_ONE(add_const, unsigned, (void)v; atomicAdd(p, 3u))
ON_ONE(add_used, unsigned, out[i] = atomicAdd(p, v))
ON_ONE(add_const_used, unsigned, (void)v; out[i] = atomicAdd(p, 1u))
ON_ONE(sub, unsigned, atomicSub(p, v))
ON_ONE(min, int, atomicMin(p, v))
ON_ONE(max, unsigned, atomicMax(p, v))
ON_ONE(max_used, unsigned, out[i] = atomicMax(p, v))
ON_ONE(and, unsigned, atomicAnd(p, v))
ON_ONE(or, unsigned, atomicOr(p, v))
ON_ONE(xor, unsigned, atomicXor(p, v))
ON_ONE(or_used, unsigned, out[i] = atomicOr(p, v))
ON_ONE(inc, unsigned, atomicInc(p, v))
ON_ONE(exch, unsigned, atomicExch(p, v))
ON_ONE(exch_used, unsigned, out[i] = atomicExch(p, v))
ON_ONE(cas, unsigned, atomicCAS(p, 0u, v))
ON_ONE(cas_used, unsigned, out[i] = atomicCAS(p, 0u, v))
ON_ONE(add_float, float, atomicAdd(p, v))
ON_ONE(add_float_used, float, out[i] = atomicAdd(p, v))
ON_ONE(add_double, double, atomicAdd(p, v))
ON_ONE(add_double_used, double, out[i] = atomicAdd(p, v))
ON_ONE(add64, unsigned long long, atomicAdd(p, v))
ON_ONE(add64_const, unsigned long long, (void)v; atomicAdd(p, 1ull))
ON_ONE(add64_used, unsigned long long, out[i] = atomicAdd(p, v))
ON_ONE(min64, long long, atomicMin(p, v))
ON_ONE(max64, unsigned long long, atomicMax(p, v))
ON_ONE(and64, unsigned long long, atomicAnd(p, v))
ON_ONE(exch64, unsigned long long, atomicExch(p, v))
ON_ONE(cas64, unsigned long long, atomicCAS(p, 0ull, v))
ON_ONE(add_half2, __half2, atomicAdd(p, v))
ON_ONE(add_bf162, __nv_bfloat162, atomicAdd(p, v))

/* ---- atomics on words of their own, or a few ---- */

#define ON_MANY(name, T, call)                                                                               \
    __global__ void many_##name(T *q, const T *in, T *out) {                                                 \
        const int i = each();                                                                                \
        const T v = in[i];                                                                                   \
        T *const p = q + (i * 7 & 15);                                                                       \
        call;                                                                                                \
    }                                                                                                        \
    __global__ void many_shared_##name(T *q, const T *in, T *out) {                                          \
        __shared__ T s[64];                                                                                  \
        if (threadIdx.x < 64) s[threadIdx.x] = q[threadIdx.x];                                               \
        __syncthreads();                                                                                     \
        const int i = each();                                                                                \
        const T v = in[i];                                                                                   \
        T *const p = s + (i * 7 & 15);                                                                       \
        call;                                                                                                \
        __syncthreads();                                                                                     \
        if (threadIdx.x < 64) q[threadIdx.x] = s[threadIdx.x];                                               \
    }
ON_MANY(add, unsigned, atomicAdd(p, v))
ON_MANY(add_const, unsigned, (void)v; atomicAdd(p, 1u))
ON_MANY(add_used, unsigned, out[i] = atomicAdd(p, v))
ON_MANY(min, int, atomicMin(p, v))
ON_MANY(or, unsigned, atomicOr(p, v))
ON_MANY(exch, unsigned, atomicExch(p, v))
ON_MANY(cas, unsigned, atomicCAS(p, 0u, v))
ON_MANY(add_float, float, atomicAdd(p, v))
ON_MANY(add_float_used, float, out[i] = atomicAdd(p, v))
ON_MANY(add_double, double, atomicAdd(p, v))
ON_MANY(add64, unsigned long long, atomicAdd(p, v))
ON_MANY(max64, unsigned long long, atomicMax(p, v))
ON_MANY(exch64, unsigned long long, atomicExch(p, v))
ON_MANY(cas64, unsigned long long, atomicCAS(p, 0ull, v))
ON_MANY(add_half2, __half2, atomicAdd(p, v))

__global__ void cas_loop_float(float *p,
                               const float *in) { /* how a maximum of floats was written for years */
    int *const word = (int *)&p[threadIdx.x & 3];
    int old = *word, expected;
    const float v = in[each()];
    do {
        expected = old;
        if (__int_as_float(expected) >= v) break;
        old = atomicCAS(word, expected, __float_as_int(v));
    } while (old != expected);
}
__global__ void some_lanes_add(unsigned *p, const unsigned *in) {
    const unsigned v = in[each()];
    if (v & 1) atomicAdd(p, v);
}
__global__ void some_lanes_count(unsigned *p, const unsigned *in) {
    if (in[each()] & 1) atomicAdd(p, 1u);
}
__global__ void some_lanes_take(unsigned *p, const unsigned *in, unsigned *out) {
    const unsigned v = in[each()];
    if (v & 1) out[atomicAdd(p, 1u) & (n - 1)] = v;
}
__global__ void ticket(unsigned *p, unsigned *out) {
    __shared__ unsigned mine;
    if (threadIdx.x == 0) mine = atomicAdd(p, 1u);
    __syncthreads();
    out[each()] = mine;
}
__global__ void uniform_by_argument(unsigned *p, int which, const unsigned *in) {
    atomicAdd(p + which, in[each()]);
}
__global__ void uniform_by_block(unsigned *p, const unsigned *in) { atomicAdd(p + blockIdx.x, in[each()]); }
__global__ void uniform_by_warp(unsigned *p, const unsigned *in) {
    atomicAdd(p + threadIdx.x / 32, in[each()]);
}
__global__ void uniform_by_load(unsigned *p, const int *where, const unsigned *in) {
    atomicAdd(p + where[0], in[each()]);
}
__global__ void dies_behind_shuffles(unsigned *p, const unsigned *in) {
    unsigned v = 0;
    if (threadIdx.x % 32 == 0) v = atomicAdd(p, in[each()]);
    v = __shfl_sync(0xffffffff, v, 0);
    (void)v;
}
__global__ void by_coalesced_group(unsigned *p, const unsigned *in, unsigned *out) {
    const unsigned v = in[each()];
    if (v & 3) {
        const auto g = cooperative_groups::coalesced_threads();
        unsigned at = 0;
        if (g.thread_rank() == 0) at = atomicAdd(p, g.size());
        out[(g.shfl(at, 0) + g.thread_rank()) & (n - 1)] = v;
    }
}

/* ---- loads around what the assembler makes a branch of ---- */

__global__ void around_division(const float *in, float *out) {
    __shared__ float s[block * 4];
    for (int k = 0; k < 4; k++) s[threadIdx.x + k * block] = in[each()] + k;
    __syncthreads();
    const float *const mine = s + threadIdx.x * 4;
    const float a = mine[0];
    const float q = out[0] / a;
    out[each()] = q + mine[1] + mine[2] * q + mine[3];
}
__global__ void around_root(const float *in, float *out) {
    const float *const mine = in + 4 * (each() & (n / 4 - 1));
    const float r = sqrtf(mine[0]);
    out[each()] = r + mine[1] * r + mine[2] + mine[3];
}
__global__ void around_reciprocal(const float *in, float *out) {
    const float *const mine = in + 4 * (each() & (n / 4 - 1));
    const float r = 1.f / mine[0];
    out[each()] = r + mine[1] * r + mine[2] + mine[3];
}
__global__ void around_double_division(const double *in, double *out) {
    const double *const mine = in + 2 * (each() & (n / 2 - 1));
    const double q = out[0] / mine[0];
    out[each()] = q * mine[1];
}
__global__ void around_remainder(const long long *in, long long *out) {
    const long long *const mine = in + 2 * (each() & (n / 2 - 1));
    const long long q = out[0] % (mine[0] | 1);
    out[each()] = q * mine[1];
}
__global__ void around_int_division(const int *in, int *out) {
    const int *const mine = in + 4 * (each() & (n / 4 - 1));
    const int q = out[0] / (mine[0] | 1);
    out[each()] = q * mine[1] + mine[2] % (mine[3] | 1);
}
__global__ void around_sine(const float *in, float *out) {
    const float *const mine = in + 4 * (each() & (n / 4 - 1));
    const float r = sinf(mine[0]);
    out[each()] = r + mine[1] * r + mine[2] + mine[3];
}
__global__ void all_before_division(const float *in, float *out) {
    const float *const mine = in + 4 * (each() & (n / 4 - 1));
    const float a = mine[0], b = mine[1], c = mine[2], d = mine[3];
    out[each()] = a / b + c / d;
}

/* ---- vectors with elements that nobody reads; what was stored just before ---- */

__global__ void dead_last(const float4 *in, float *out) {
    const float4 v = in[each() & (n / 4 - 1)];
    out[each()] = v.x + v.y + v.z;
}
__global__ void dead_first(const float4 *in, float *out) {
    const float4 v = in[each() & (n / 4 - 1)];
    out[each()] = v.y + v.z + v.w;
}
__global__ void dead_middle(const float4 *in, float *out) {
    const float4 v = in[each() & (n / 4 - 1)];
    out[each()] = v.x + v.w;
}
__global__ void dead_half(const float4 *in, float *out) {
    const float4 v = in[each() & (n / 4 - 1)];
    out[each()] = v.x + v.y;
}
__global__ void dead_three(const float4 *in, float *out) { out[each()] = in[each() & (n / 4 - 1)].z; }
__global__ void dead_of_two(const float2 *in, float *out) { out[each()] = in[each() & (n / 2 - 1)].y; }
__global__ void dead_of_two_doubles(const double2 *in, double *out) {
    out[each()] = in[each() & (n / 2 - 1)].y;
}
__global__ void dead_shared(const float4 *in, float *out) {
    __shared__ float4 s[block];
    s[threadIdx.x] = in[each() & (n / 4 - 1)];
    __syncthreads();
    const float4 v = s[threadIdx.x ^ 1];
    out[each()] = v.x + v.y + v.w;
}
__global__ void stored_before(const float *in, float *out) {
    __shared__ float s[block];
    s[threadIdx.x] = in[each()];
    const float again = s[threadIdx.x];
    __syncthreads();
    out[each()] = again + s[threadIdx.x ^ 33];
}
__global__ void stored_global_before(float *p, float *out) {
    const int i = each();
    p[i] = i * 0.5f;
    out[i] = p[i] + 1;
}
__global__ void loaded_twice(const float *in, float *out) {
    const int i = each();
    out[i] = in[i] * 2;
    out[i + n] = in[i] + 1;
}

/* ---- shared memory: scalars side by side, what is declared, rounding ---- */

__global__ void two_scalars(const int *in, int *out) {
    __shared__ int a, b;
    if (threadIdx.x == 0) a = in[blockIdx.x], b = in[blockIdx.x + 1];
    __syncthreads();
    out[each()] = a * threadIdx.x + b;
}
__global__ void four_scalars(const int *in, int *out) {
    __shared__ int a, b, c, d;
    if (threadIdx.x == 0) a = in[0], b = in[1], c = in[2], d = in[3];
    __syncthreads();
    out[each()] = (a * threadIdx.x + b) ^ (c + d);
}
__global__ void arrays_side_by_side(const float *in, float *out) {
    __shared__ float a[2], b[2];
    if (threadIdx.x < 2) a[threadIdx.x] = in[threadIdx.x], b[threadIdx.x] = in[threadIdx.x + 2];
    __syncthreads();
    out[each()] = a[0] + a[1] * b[0] + b[1] * threadIdx.x;
}
__global__ void odd_and_dynamic(const int *in, int *out) {
    __shared__ char a[1537];
    extern __shared__ __align__(16) int more[];
    a[threadIdx.x * 6] = (char)in[each()];
    more[threadIdx.x] = in[each()];
    __syncthreads();
    out[each()] = a[(threadIdx.x ^ 1) * 6] + more[threadIdx.x ^ 1];
}
__global__ void odd_alone(const int *in, int *out) {
    __shared__ char a[1537];
    a[threadIdx.x * 6] = (char)in[each()];
    __syncthreads();
    out[each()] = a[(threadIdx.x ^ 1) * 6];
}

/* ---- loops that are unrolled and lanes that leave them at different turns ---- */

__global__ void rows_of_lengths(const int *length, const float *in, float *out) {
    float sum = 0;
    const int m = length[each()] & 15;
    for (int k = 0; k < m; k++) sum += in[(each() * 16 + k) & (n - 1)];
    out[each()] = sum;
}
__global__ void stepping(const float *in, float *out, int m) {
    float sum = 0;
    for (int k = threadIdx.x; k < m; k += blockDim.x) sum += in[k];
    out[each()] = sum;
}
__global__ void until_found(const int *in, int *out) {
    int k = 0;
    while (k < 64 && (in[(each() + k) & (n - 1)] & 7)) k++;
    out[each()] = k;
}

/* ---- functions, constants, copies, fragments ---- */

__device__ __noinline__ float apart(float x, int k) { return x * k + 1; }
__global__ void calls(const float *in, float *out) { out[each()] = apart(in[each()], threadIdx.x); }
__constant__ float table[256];
__global__ void constant_same(float *out, int k) { out[each()] = table[k & 255]; }
__global__ void constant_different(float *out) { out[each()] = table[threadIdx.x * 7 & 255]; }
__global__ void copies_of_some(const float4 *in, float4 *out) {
    __shared__ float4 s[block];
    s[threadIdx.x] = make_float4(0, 0, 0, 0);
    __syncthreads();
    if (threadIdx.x % 3 != 0) __pipeline_memcpy_async(&s[threadIdx.x], &in[each() & (n / 4 - 1)], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[each() & (n / 4 - 1)] = s[threadIdx.x ^ 1];
}
__global__ void copies_of_words(const float *in, float *out) {
    __shared__ float s[block];
    if (each() % 5) __pipeline_memcpy_async(&s[threadIdx.x], &in[each()], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[each()] = each() % 5 ? s[threadIdx.x] : 0;
}
__global__ void dynamic_local(const int *in, int *out) {
    int a[32];
    for (int k = 0; k < 32; k++) a[k] = in[(each() + k) & (n - 1)];
    int sum = 0;
    for (int k = 0; k < 8; k++) sum += a[in[(each() * 3 + k) & (n - 1)] & 31];
    out[each()] = sum;
}
__global__ void halves(const __half *in, __half *out) {
    const __half *const mine = in + 4 * (each() & (n / 4 - 1));
    out[each()] = mine[0] + mine[1] * mine[2] + mine[3];
}
__global__ void bytes_of_a_word(const unsigned char *in, unsigned *out) {
    const unsigned char *const mine = in + 4 * (each() & (n / 4 - 1));
    out[each()] = mine[0] + mine[1] * mine[2] + mine[3];
}
__global__ void tiny(int *out) { out[threadIdx.x] = 1; }

template <class T> static void on(void (*kernel)(T *, const T *, T *)) {
    static T *p, *in, *out;
    if (!p) {
        CHECK(cudaMalloc(&p, n * sizeof(T)));
        CHECK(cudaMalloc(&in, n * sizeof(T)));
        CHECK(cudaMalloc(&out, n * sizeof(T)));
    }
    CHECK(cudaMemset(p, 0, n * sizeof(T)));
    draw_values<<<64, 256>>>((int32_t *)in, n * sizeof(T) / 4, 5, 1000);
    kernel<<<n / block, block>>>(p, in, out);
    CHECK(cudaDeviceSynchronize());
}

int main() {
#define BOTH(name) on(one_##name), on(one_shared_##name)
    BOTH(add), BOTH(add_const), BOTH(add_used), BOTH(add_const_used), BOTH(sub), BOTH(min), BOTH(max),
        BOTH(max_used);
    BOTH(and), BOTH(or), BOTH(xor), BOTH(or_used), BOTH(inc), BOTH(exch), BOTH(exch_used), BOTH(cas),
        BOTH(cas_used);
    BOTH(add_float), BOTH(add_float_used), BOTH(add_double), BOTH(add_double_used), BOTH(add64),
        BOTH(add64_const);
    BOTH(add64_used), BOTH(min64), BOTH(max64), BOTH(and64), BOTH(exch64), BOTH(cas64), BOTH(add_half2),
        BOTH(add_bf162);
#define MANY(name) on(many_##name), on(many_shared_##name)
    MANY(add), MANY(add_const), MANY(add_used), MANY(min), MANY(or), MANY(exch), MANY(cas), MANY(add_float);
    MANY(add_float_used), MANY(add_double), MANY(add64), MANY(max64), MANY(exch64), MANY(cas64),
        MANY(add_half2);

    const size_t bytes = n * 2 * sizeof(double);
    void *in, *out, *p;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMalloc(&p, bytes));
    CHECK(cudaMemset(p, 0, bytes));
    CHECK(cudaMemset(out, 0, bytes));
    draw_values<<<64, 256>>>((int32_t *)in, bytes / 4, 7, 1 << 20);
    const int grid = n / block;
    auto *const u = (unsigned *)in, *const q = (unsigned *)p, *const w = (unsigned *)out;
    auto *const f = (float *)in, *const g = (float *)out;
    auto *const i = (int *)in, *const o = (int *)out;
    cas_loop_float<<<grid, block>>>((float *)p, f);
    CHECK(cudaMemset(p, 0, bytes));
    some_lanes_add<<<grid, block>>>(q, u);
    some_lanes_count<<<grid, block>>>(q, u);
    some_lanes_take<<<grid, block>>>(q, u, w);
    ticket<<<grid, block>>>(q, w);
    uniform_by_argument<<<grid, block>>>(q, 3, u);
    uniform_by_block<<<grid, block>>>(q, u);
    uniform_by_warp<<<grid, block>>>(q, u);
    CHECK(cudaMemset(p, 0, bytes));
    uniform_by_load<<<grid, block>>>(q, (int *)p + 100, u);
    dies_behind_shuffles<<<grid, block>>>(q, u);
    by_coalesced_group<<<grid, block>>>(q, u, w);
    draw_floats<<<64, 256>>>(f, n, 3);
    around_division<<<grid, block>>>(f, g);
    around_root<<<grid, block>>>(f, g);
    around_reciprocal<<<grid, block>>>(f, g);
    around_double_division<<<grid, block>>>((double *)in, (double *)out);
    around_remainder<<<grid, block>>>((long long *)in, (long long *)out);
    around_int_division<<<grid, block>>>(i, o);
    around_sine<<<grid, block>>>(f, g);
    all_before_division<<<grid, block>>>(f, g);
    dead_last<<<grid, block>>>((float4 *)in, g);
    dead_first<<<grid, block>>>((float4 *)in, g);
    dead_middle<<<grid, block>>>((float4 *)in, g);
    dead_half<<<grid, block>>>((float4 *)in, g);
    dead_three<<<grid, block>>>((float4 *)in, g);
    dead_of_two<<<grid, block>>>((float2 *)in, g);
    dead_of_two_doubles<<<grid, block>>>((double2 *)in, (double *)out);
    dead_shared<<<grid, block>>>((float4 *)in, g);
    stored_before<<<grid, block>>>(f, g);
    stored_global_before<<<grid, block>>>((float *)p, g);
    loaded_twice<<<grid, block>>>(f, g);
    draw_values<<<64, 256>>>(i, n, 7, 1 << 20);
    two_scalars<<<grid, block>>>(i, o);
    four_scalars<<<grid, block>>>(i, o);
    arrays_side_by_side<<<grid, block>>>(f, g);
    odd_and_dynamic<<<grid, block, block * 4>>>(i, o);
    odd_alone<<<grid, block>>>(i, o);
    rows_of_lengths<<<grid, block>>>(i, f, g);
    stepping<<<grid, block>>>(f, g, 3000);
    until_found<<<grid, block>>>(i, o);
    calls<<<grid, block>>>(f, g);
    constant_same<<<grid, block>>>(g, 3);
    constant_different<<<grid, block>>>(g);
    copies_of_some<<<grid, block>>>((float4 *)in, (float4 *)out);
    copies_of_words<<<grid, block>>>(f, g);
    dynamic_local<<<grid, block>>>(i, o);
    halves<<<grid, block>>>((__half *)in, (__half *)out);
    bytes_of_a_word<<<grid, block>>>((unsigned char *)in, w);
    tiny<<<1, 32>>>(o);
    CHECK(cudaDeviceSynchronize());
    printf("done\n");
    return 0;
}
