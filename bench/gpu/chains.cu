/*
 * chains: cycles from one instruction to the next that needs its result, by class, and what chains of loads, few lanes'
 * atomics, divergent constants, local arrays and copies cost, on the GPU at hand
 *
 *     nvcc -O3 -arch=native --extended-lambda bench/gpu/chains.cu -o chains && ./chains
 *
 * Lines of NAME, VALUE, UNIT, separated by tabs. docs/results/h200-chains.tsv is what an H200 gave.
 */
#include <cstdio>
#include <cstdint>
#include <algorithm>
#include <vector>
#include <cmath>
#define CHECK(x)                                                                                             \
    do {                                                                                                     \
        cudaError_t e = (x);                                                                                 \
        if (e) {                                                                                             \
            printf("error %s %s\n", #x, cudaGetErrorString(e));                                              \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)
enum { N = 256 };
template <class T, class F> __device__ void chain(F f, T x, T y, T *out, long long *cycles) {
    for (int r = 0; r < 3; r++) {
        long long t = clock64();
#pragma unroll 16
        for (int i = 0; i < N; i++) x = f(x, y);
        long long u = clock64();
        if (r == 2 && threadIdx.x == 0) *cycles = u - t;
    }
    out[threadIdx.x] = x;
}
#define CHAINS(X)                                                                                            \
    X(fma_f32, float, fmaf(x, y, y), 1.1f, 0.5f)                                                             \
    X(add_f32, float, x + y, 1.1f, 0.5f)                                                                     \
    X(div_f32, float, x / y, 1.1e3f, 1.0001f)                                                                \
    X(rcp_f32, float, 1.0f / x, 1.1f, 0.5f)                                                                  \
    X(fdividef, float, __fdividef(x, y), 1.1e3f, 1.0001f)                                                    \
    X(expf, float, expf(x), -1.0f, 1.0f)                                                                     \
    X(fast_expf, float, __expf(x), -1.0f, 1.0f)                                                              \
    X(logf, float, logf(x), 10.f, 1.0f)                                                                      \
    X(fast_logf, float, __logf(x), 10.f, 1.0f)                                                               \
    X(sinf, float, sinf(x), 1.0f, 1.0f)                                                                      \
    X(fast_sinf, float, __sinf(x), 1.0f, 1.0f)                                                               \
    X(powf, float, powf(x, y), 1.1f, 1.01f)                                                                  \
    X(tanhf, float, tanhf(x), 1.1f, 1.01f)                                                                   \
    X(fma_f64, double, fma(x, y, y), 1.1, 0.5)                                                               \
    X(add_f64, double, x + y, 1.1, 0.5)                                                                      \
    X(div_f64, double, x / y, 1.1e3, 1.0001)                                                                 \
    X(sqrt_f64, double, sqrt(x), 1.1e3, 1.0)                                                                 \
    X(exp_f64, double, exp(x), -1.0, 1.0)                                                                    \
    X(log_f64, double, log(x), 10.0, 1.0)                                                                    \
    X(sin_f64, double, sin(x), 1.0, 1.0)                                                                     \
    X(add_s32, int, (x + y) ^ y, 3, 5)                                                                       \
    X(mul_s32, int, x *y, 3, 5)                                                                              \
    X(div_s32, int, x / y, 1 << 30, 1)                                                                       \
    X(div_u32, unsigned, x / y, 1u << 30, 1u)                                                                \
    X(rem_s32, int, (x | 1024) % y, 1 << 30, 1000001)                                                        \
    X(mul_s64, long long, x *y, 3ll, 5ll)                                                                    \
    X(div_s64_small, long long, x / y, 1ll << 30, 1ll)                                                       \
    X(div_s64, long long, (x | 1ll << 40) / y, 1ll << 60, 1ll << 33 | 1)                                     \
    X(popc, int, __popc(x) + y, 3, 5)                                                                        \
    X(clz, int, __clz(x), 3, 5)                                                                              \
    X(float_to_int, int, (int)((float)x), 3, 5)                                                              \
    X(ballot, int, (int)__ballot_sync(~0u, x & 1), 3, 5)                                                     \
    X(redux, int, __reduce_add_sync(~0u, x), 3, 5)
#define X(name, T, e, a, b)                                                                                  \
    __global__ void chain_##name(T *out, T x0, T y0, long long *c) {                                         \
        chain<T>([] __device__(T x, T y) -> T { return e; }, x0, y0, out, c);                                \
    }
CHAINS(X)
#undef X
/* the same, many warps: what a launch of all SMs full takes, as throughput in warp results a cycle and SM */
#define X(name, T, e, a, b)                                                                                  \
    __global__ void rate_##name(T *out, T x0, T y0, int n) {                                                 \
        T x[4];                                                                                              \
        for (int k = 0; k < 4; k++) x[k] = x0 + (T)k;                                                        \
        T y = y0;                                                                                            \
        for (int i = 0; i < n; i++) _Pragma("unroll") for (int k = 0; k < 4; k++) {                          \
                T &z = x[k];                                                                                 \
                z = [](T x, T y) -> T { return e; }(z, y);                                                   \
            }                                                                                                \
        T s = x[0];                                                                                          \
        for (int k = 1; k < 4; k++) s += x[k];                                                               \
        if (s == (T)123457) out[0] = s;                                                                      \
    }
CHAINS(X)
#undef X
/* loads: ring of `stride` bytes, element size by type; lanes apart by `apart` bytes */
template <class T>
__global__ void chase(const T *p, int n, int lanes_apart, long long *c, int *out, int mask) {
    unsigned at = threadIdx.x * lanes_apart;
    long long best = 0;
    for (int r = 0; r < 2; r++) {
        long long t = clock64();
        unsigned a = at;
        for (int i = 0; i < n; i++) a = (a + 128 + (unsigned)p[a]) & mask; /* loads are 0 */
        long long u = clock64();
        best = u - t;
        if (a == 0x7654321) out[1] = (int)a;
    }
    if (!threadIdx.x) *c = best;
}
/* strided dependent loads: thread walks its own row (column accesses), sum carried: PolyBench's pattern */
__global__ void walk_rows(const float *a, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++) y[i] += a[(size_t)i * n + j] * a[j];
}
__global__ void walk_rows_register(const float *a, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int j = 0; j < n; j++) s += a[(size_t)i * n + j] * a[j];
    y[i] = s;
}
__global__ void walk_columns(const float *a, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++) y[i] += a[(size_t)j * n + i] * a[j];
}
__global__ void walk_columns_register(const float *a, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int j = 0; j < n; j++) s += a[(size_t)j * n + i] * a[j];
    y[i] = s;
}
/* memory of lanes apart: throughput and latency of one request with `apart` bytes between lanes */
template <int apart> __global__ void lines_in_l1(const int *p, int n, long long *c, int *out) {
    unsigned a = threadIdx.x * apart / 4;
    long long best = 0;
    for (int r = 0; r < 2; r++) {
        long long t = clock64();
        for (int i = 0; i < n; i++) a += (unsigned)__ldca(p + a);
        best = clock64() - t;
    }
    if (!threadIdx.x) *c = best, out[0] = a;
}
__constant__ int table[4096];
__global__ void constants(int n, int apart, long long *c, int *out) {
    int a = threadIdx.x * apart;
    long long best = 0;
    for (int r = 0; r < 2; r++) {
        long long t = clock64();
        for (int i = 0; i < n; i++) a += table[a];
        best = clock64() - t;
    }
    if (!threadIdx.x) *c = best;
    out[threadIdx.x] = a;
}
__global__ void constants_full(int n, int apart, int *out) {
    int a = (threadIdx.x % 32) * apart, s = 0;
    for (int i = 0; i < n; i++) s += table[(a + i) & 4095];
    if (s == 12345) out[0] = s;
}
template <int words> __global__ void local_array(int n, int k, int *out) {
    int x[words];
    for (int i = 0; i < words; i++) x[i] = i * k;
    int a = threadIdx.x & 7;
    for (int i = 0; i < n; i++) {
        a = (x[a % words] + i) & 0x7fffffff;
        x[(a + i) % words] = a;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
template <int kind> __global__ void atoms(int *p, int n, int lanes, int apart, int *out) {
    int lane = threadIdx.x % 32, s = 0;
    if (lane >= lanes) return;
    int *mine = p + (size_t)(lane * apart) + (size_t)(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 0;
    for (int i = 0; i < n; i++) {
        if (kind == 0) atomicAdd(mine, 1);
        if (kind == 1) s += atomicAdd(mine, 1);
        if (kind == 2) s += atomicCAS(mine, s, i);
        if (kind == 3) atomicAdd((float *)mine, 1.f);
        if (kind == 4) atomicAdd(mine + (i & 1023) * 32, 1);
        if (kind == 5) atomicMax(mine, i);
        if (kind == 6) atomicAdd((double *)mine, 1.0);
    }
    if (kind == 1 || kind == 2) out[threadIdx.x] = s;
}
template <int kind> __global__ void shared_atoms(int n, int lanes, int apart, int *out) {
    __shared__ int s[8192];
    int lane = threadIdx.x % 32;
    int r = 0;
    for (int i = threadIdx.x; i < 8192; i += blockDim.x) s[i] = 0;
    __syncthreads();
    if (lane < lanes)
        for (int i = 0; i < n; i++) {
            int *mine = s + lane * apart;
            if (kind == 0) atomicAdd(mine, 1);
            if (kind == 1) r += atomicAdd(mine, 1);
            if (kind == 3) atomicAdd((float *)mine, 1.f);
        }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x] + r;
}
__global__ void barriers(int n, int *out) {
    for (int i = 0; i < n; i++) __syncthreads();
    if (n < 0) *out = 1;
}
template <class T> __global__ void shared_chain(int n, int apart, long long *c, int *out) {
    __shared__ T s[8192];
    for (int i = threadIdx.x; i < 8192; i += blockDim.x) s[i] = 0;
    __syncthreads();
    unsigned a = threadIdx.x * apart;
    long long best = 0;
    for (int r = 0; r < 2; r++) {
        long long t = clock64();
        for (int i = 0; i < n; i++) a += s[a];
        best = clock64() - t;
    }
    if (!threadIdx.x) *c = best;
    out[threadIdx.x] = a;
}
template <class T> __global__ void bytes_read(const T *p, size_t n, int *out) {
    int s = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        s += p[i];
    if (s == 12345) *out = s;
}
__global__ void async_pipe(const int4 *p, int n, int *out) {
    __shared__ int4 s[2][256];
    int sum = 0;
    const int4 *mine = p + (size_t)blockIdx.x * n * 256 + threadIdx.x;
    auto get = [&](int i) {
        unsigned d = (unsigned)__cvta_generic_to_shared(&s[i & 1][threadIdx.x]);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(d), "l"(mine + (size_t)i * 256));
        asm volatile("cp.async.commit_group;");
    };
    get(0);
    for (int i = 0; i < n; i++) {
        if (i + 1 < n) {
            get(i + 1);
            asm volatile("cp.async.wait_group 1;");
        } else
            asm volatile("cp.async.wait_group 0;");
        __syncthreads();
        int4 v = s[i & 1][threadIdx.x ^ 1];
        sum += v.x + v.y;
        __syncthreads();
    }
    if (sum == 12345) *out = sum;
}
__global__ void prints(int n) {
    if (threadIdx.x < n) printf("%d\n", threadIdx.x);
}
__global__ void mallocs(int n, int *out) {
    for (int i = 0; i < n; i++) {
        int *p = (int *)malloc(16);
        if (!p) {
            *out = 1;
            return;
        }
        *p = i;
        free(p);
    }
}
template <class F> double us(F f) {
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    std::vector<float> v;
    for (int i = 0; i < 7; i++) {
        cudaEventRecord(a);
        f();
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        float m;
        cudaEventElapsedTime(&m, a, b);
        if (i > 1) v.push_back(m * 1000);
    }
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}
int main() {
    long long *c;
    char *out;
    char *big;
    size_t B = (size_t)512 << 20;
    CHECK(cudaMallocManaged(&c, 8));
    CHECK(cudaMalloc(&out, 64 << 20));
    CHECK(cudaMalloc(&big, B));
    CHECK(cudaMemset(big, 0, B));
    CHECK(cudaMemset(out, 0, 64 << 20));
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
#define X(name, T, e, a, b)                                                                                  \
    chain_##name<<<1, 32>>>((T *)out, a, b, c);                                                              \
    CHECK(cudaDeviceSynchronize());                                                                          \
    printf("chain of " #name "\t%.1f\tcycles\n", (double)*c / N);
    CHAINS(X)
#undef X
    double hz = 1.98e9;
#define X(name, T, e, a, b)                                                                                  \
    {                                                                                                        \
        double t = us([&] { rate_##name<<<132 * 2, 1024>>>((T *)out, a, b, 500); });                         \
        printf("rate of " #name "\t%.2f\tcycles a warp and SM\n", t * 1e-6 * hz / (500.0 * 4 * 64));         \
    }
    CHAINS(X)
#undef X
#define RUN(name, per, ...)                                                                                  \
    {                                                                                                        \
        __VA_ARGS__;                                                                                         \
        CHECK(cudaDeviceSynchronize());                                                                      \
        printf("%s\t%.1f\tcycles\n", name, (double)*c / (per));                                              \
    }
    for (int apart : {1, 4, 32, 128}) {
        char s[99];
        snprintf(s, 99, "chain of bytes in L1, lanes %d apart", apart);
        RUN(s, 512, (chase<char><<<1, 32>>>(big, 512, apart, c, (int *)out, 8191)));
    }
    for (int apart : {1, 32}) {
        char s[99];
        snprintf(s, 99, "chain of bytes in L2, lanes %d apart", apart);
        RUN(s, 8192, (chase<char><<<1, 32>>>(big, 8192, apart, c, (int *)out, (1 << 20) - 1)));
    }
    RUN("chain of int in L1, lanes 4 apart", 512,
        (lines_in_l1<4><<<1, 32>>>((int *)big, 512, c, (int *)out)));
    RUN("chain of int in L1, lanes 32 apart", 512,
        (lines_in_l1<32><<<1, 32>>>((int *)big, 512, c, (int *)out)));
    RUN("chain of int in L1, lanes 128 apart", 512,
        (lines_in_l1<128><<<1, 32>>>((int *)big, 512, c, (int *)out)));
    RUN("chain of int in L1, lanes 4096 apart", 512,
        (lines_in_l1<4096><<<1, 32>>>((int *)big, 512, c, (int *)out)));
    for (int apart : {0, 1, 2, 16, 64}) {
        char s[99];
        snprintf(s, 99, "chain of constants, lanes %d words apart", apart);
        RUN(s, 512, (constants<<<1, 32>>>(512, apart, c, (int *)out)));
    }
    for (int apart : {0, 1, 16}) {
        double t = us([&] { constants_full<<<132 * 2, 1024>>>(500, apart, (int *)out); });
        printf("constants, lanes %d words apart, full\t%.2f\tcycles a warp and SM\n", apart,
               t * 1e-6 * hz / (500.0 * 64));
    }
    RUN("chain of shared int", 512, (shared_chain<int><<<1, 32>>>(512, 1, c, (int *)out)));
    RUN("chain of shared int, 32 to a bank", 512, (shared_chain<int><<<1, 32>>>(512, 32, c, (int *)out)));
    RUN("chain of shared bytes", 512, (shared_chain<unsigned char><<<1, 32>>>(512, 1, c, (int *)out)));
#define US(name, unit, per, ...)                                                                             \
    printf("%s\t%.4g\t%s\n", name, us([&] { __VA_ARGS__; }) * 1000 / (per), unit);
    for (int blocks : {1, 4, 16, 32, 128}) {
        char s[99];
#define W(k)                                                                                                 \
    snprintf(s, 99, #k ", %d blocks of 128", blocks);                                                        \
    US(s, "ns a turn", 4096, (k<<<blocks, 128>>>((float *)big, (float *)out, 4096)));
        W(walk_rows) W(walk_rows_register) W(walk_columns) W(walk_columns_register)
    }
    for (int words : {0, 1})
        for (int blocks : {1, 132 * 4}) {
            char s[99];
            snprintf(s, 99, "local array of %d, %d blocks of 256", words ? 3584 : 64, blocks);
            US(s, "ns a turn", 256, if (words) local_array<3584><<<blocks, 256>>>(256, 3, (int *)out);
               else local_array<64><<<blocks, 256>>>(256, 3, (int *)out));
        }
    for (int lanes : {1, 2, 4, 8, 32})
        for (int apart : {0, 1, 8, 32})
            for (int blocks : {1, 132}) {
                char s[120];
#define A(k, what)                                                                                           \
    {                                                                                                        \
        snprintf(s, 120, "atomics: " what ", %d lanes %d words apart, %d blocks of 256", lanes, apart,       \
                 blocks);                                                                                    \
        US(s, "ns a warp's", 200.0 * blocks * 8,                                                             \
           (atoms<k><<<blocks, 256>>>((int *)big, 200, lanes, apart, (int *)out)));                          \
    }
                A(0, "add")
                A(1, "fetch")
                if (apart != 1) {
                    A(3, "float add")
                    A(5, "max")
                }
                if (lanes == 1 || lanes == 32) {
                    A(2, "cas")
                }
            }
    for (int lanes : {1, 2, 4, 8, 32})
        for (int apart : {0, 1, 32}) {
            char s[120];
#define S(k, what)                                                                                           \
    snprintf(s, 120, "shared atomics: " what ", %d lanes %d words apart", lanes, apart);                     \
    US(s, "ns a warp's", 200.0 * 8, (shared_atoms<k><<<132, 256>>>(200, lanes, apart, (int *)out)));
            S(0, "add") S(1, "fetch") S(3, "float add")
        }
    for (int t : {32, 128, 256, 512, 1024}) {
        char s[99];
        snprintf(s, 99, "barrier of %d threads", t);
        US(s, "ns", 1000, (barriers<<<132, t>>>(1000, (int *)out)));
    }
    US("bytes read", "ns a MB", 256, (bytes_read<char><<<132 * 8, 256>>>(big, 256 << 20, (int *)out)));
    US("ints read", "ns a MB", 256, (bytes_read<int><<<132 * 8, 256>>>((int *)big, 64 << 20, (int *)out)));
    for (int blocks : {132, 132 * 4}) {
        char s[99];
        snprintf(s, 99, "cp.async of 16 bytes, two stages, %d blocks of 256", blocks);
        US(s, "ns a stage", 64, (async_pipe<<<blocks, 256>>>((int4 *)big, 64, (int *)out)));
    }
    US("printf of 1 lane", "ns", 1, (prints<<<1, 32>>>(1)));
    US("printf of 32 lanes", "ns", 1, (prints<<<1, 32>>>(32)));
    US("malloc and free, 1 lane", "ns", 100, (mallocs<<<1, 1>>>(100, (int *)out)));
    US("malloc and free, 32 lanes", "ns", 100, (mallocs<<<1, 32>>>(100, (int *)out)));
    US("malloc and free, 132 blocks of 256", "ns", 10, (mallocs<<<132, 256>>>(10, (int *)out)));
    CHECK(cudaDeviceSynchronize());
}
