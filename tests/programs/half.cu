/* half: arithmetic, comparisons and conversions of half and bfloat16, alone and in pairs. */
#include "program.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

static const uint16_t edges[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00,
                                 0xbc00, 0x3555, 0x4248, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
                                 0x7e00, 0x3c01, 0x5640, 0x6400, 0x67ff, 0xe401};
constexpr int E = 20, N = E * E;

__device__ float as_float(__half h) { return __half2float(h); }
__device__ float as_float(__nv_bfloat16 h) { return __bfloat162float(h); }

template <typename T> struct Raw {
    uint16_t bits;
    __device__ T get() const {
        T t;
        memcpy(&t, &bits, 2);
        return t;
    }
};

template <typename T> __global__ void arithmetic(const Raw<T> *e, T *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    T a = e[i / E].get(), b = e[i % E].get(), c = e[(i * 7 + 3) % E].get(), *o = out + i * 16;
    o[0] = __hadd(a, b);
    o[1] = __hsub(a, b);
    o[2] = __hmul(a, b);
    o[3] = __hfma(a, b, c);
    o[4] = __hdiv(a, b);
    o[5] = __hneg(a);
    o[6] = __habs(a);
    o[7] = __hmin(a, b);
    o[8] = __hmax(a, b);
    o[9] = __hfma_sat(a, b, c);
    o[10] = hsqrt(a);
    o[11] = hfloor(a);
    o[12] = hceil(a);
    o[13] = hrint(a);
    o[14] = htrunc(a);
    o[15] = T((int)(__hlt(a, b) + 2 * __hle(a, b) + 4 * __heq(a, b) + 8 * __hne(a, b) + 16 * __hgtu(a, b) +
                    32 * __hisnan(a) + 64 * (a < b)));
}

__global__ void pairs(const uint16_t *e, __half2 *out) {
    int i = threadIdx.x;
    __half2 a = __halves2half2(__ushort_as_half(e[i % E]), __ushort_as_half(e[(i * 3 + 1) % E]));
    __half2 b = __halves2half2(__ushort_as_half(e[(i * 7 + 2) % E]), __ushort_as_half(e[(i * 11 + 5) % E]));
    out[i * 6] = __hadd2(a, b);
    out[i * 6 + 1] = __hmul2(a, b);
    out[i * 6 + 2] = __hfma2(a, b, b);
    out[i * 6 + 3] = __lowhigh2highlow(a);
    out[i * 6 + 4] = __hlt2(a, b);
    out[i * 6 + 5] = __floats2half2_rn(__low2float(a), __high2float(b));
}

template <typename T> __global__ void sums(T *sum, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, T(0.5f));
}

__global__ void conversions(const uint32_t *in, uint16_t *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float f = __uint_as_float(in[i]);
    uint16_t *o = out + i * 10;
    o[0] = __half_as_ushort(__float2half_rn(f));
    o[1] = __half_as_ushort(__float2half_rz(f));
    o[2] = __half_as_ushort(__float2half_ru(f));
    o[3] = __half_as_ushort(__float2half_rd(f));
    o[4] = __bfloat16_as_ushort(__float2bfloat16_rn(f));
    o[5] = __bfloat16_as_ushort(__float2bfloat16_rz(f));
    o[6] = __half_as_ushort(__int2half_rn((int)in[i]));
    o[7] = __half2int_rz(__ushort_as_half(in[i] & 0xffff));
    o[8] = __half2short_rn(__ushort_as_half(in[i] >> 16));
    o[9] = __half_as_ushort(__double2half((double)f * 1.0000001));
}

/* Any NaN will do. */
static void one_nan(uint16_t *bits, size_t n, unsigned infinity) {
    for (size_t i = 0; i < n; i++)
        if ((bits[i] & 0x7fff) > infinity) bits[i] = 0x7fff;
}

int main() {
    Array<uint16_t> e(E), converted(2000 * 10);
    Array<__half> h(N * 16), h1(1);
    Array<__nv_bfloat16> b(N * 16), b1(1);
    Array<__half2> p(64 * 6);
    Array<uint32_t> in(2000);
    memcpy(e.p, edges, sizeof edges);
    arithmetic<<<10, 40>>>((const Raw<__half> *)e.p, h.p);
    CALL(cudaDeviceSynchronize());
    one_nan((uint16_t *)h.p, h.n, 0x7c00);
    show("half", h, 16);
    arithmetic<<<10, 40>>>((const Raw<__nv_bfloat16> *)e.p, b.p);
    CALL(cudaDeviceSynchronize());
    one_nan((uint16_t *)b.p, b.n, 0x7f80);
    show("bfloat16", b, 16);
    pairs<<<1, 64>>>(e, p);
    CALL(cudaDeviceSynchronize());
    one_nan((uint16_t *)p.p, p.n * 2, 0x7c00);
    show("pairs", p, 6);
    sums<<<1, 64>>>(h1.p, 300);
    show("sum of halves", h1);
    sums<<<1, 64>>>(b1.p, 100);
    show("sum of bfloat16s", b1);
    uint32_t state = 9;
    for (size_t i = 0; i < in.n; i++) {
        uint32_t x = next_random(state);
        in[i] = (x & 0x80ffffff) | (0x65 + x % 50) << 24 >> 1; /* the exponents that half has, and around */
    }
    conversions<<<20, 100>>>(in, converted, in.n);
    show("conversions", converted, 10);
    return 0;
}
