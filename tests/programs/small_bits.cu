// Floats of six and four bits (cuda_fp6.h, cuda_fp4.h): every conversion there is, from every half, from floats and
// doubles with all exponents, and from all codes back; in kernels and on the host.
#include <cstdio>
#include <cstring>
#include <cuda_fp4.h>
#include <cuda_fp6.h>

static __host__ __device__ float as_float(unsigned int bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static __host__ __device__ double as_double(unsigned long long bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}
static __host__ __device__ unsigned int mix(unsigned int h, unsigned int v) { return (h ^ v) * 16777619u; }
static __host__ __device__ __half half_of(unsigned int bits) {
    __half_raw r;
    r.x = (unsigned short)bits;
    return r;
}
static __host__ __device__ __nv_bfloat16 bfloat_of(unsigned int bits) {
    __nv_bfloat16_raw r;
    r.x = (unsigned short)bits;
    return r;
}

#define NARROW(FP, KIND)                                                                                     \
    __host__ __device__ unsigned int narrow_##KIND(unsigned int i, cudaRoundMode mode) {                     \
        __half a = half_of(i), b = half_of(i * 40503u);                                                      \
        __nv_bfloat16 s = bfloat_of(i), t = bfloat_of(i * 40503u);                                           \
        float f = as_float(i * 65537u + 77u), g = as_float(0x3e000000u + i * 3001u);                         \
        double d = as_double(i * 281483566907400ull + 5), e = (double)g * (i & 1 ? 1 : 1 + 1e-15);           \
        unsigned int h = __nv_cvt_halfraw_to_##FP(static_cast<__half_raw>(a), KIND, mode);                   \
        h = mix(h,                                                                                           \
                __nv_cvt_halfraw2_to_##FP##x2(static_cast<__half2_raw>(__halves2half2(a, b)), KIND, mode));  \
        h = mix(h, __nv_cvt_bfloat16raw_to_##FP(static_cast<__nv_bfloat16_raw>(s), KIND, mode));             \
        h = mix(h, __nv_cvt_bfloat16raw2_to_##FP##x2(                                                        \
                       static_cast<__nv_bfloat162_raw>(__halves2bfloat162(s, t)), KIND, mode));              \
        h = mix(h, __nv_cvt_float_to_##FP(f, KIND, mode));                                                   \
        h = mix(h, __nv_cvt_float2_to_##FP##x2(make_float2(g, f), KIND, mode));                              \
        h = mix(h, __nv_cvt_double_to_##FP(d, KIND, mode));                                                  \
        return mix(h, __nv_cvt_double2_to_##FP##x2(make_double2(d, e), KIND, mode));                         \
    }
NARROW(fp6, __NV_E2M3)
NARROW(fp6, __NV_E3M2)
NARROW(fp4, __NV_E2M1)

template <typename SMALL> __host__ __device__ unsigned int values(unsigned int i) {
    SMALL e;
    e.__x = (unsigned char)(i & (sizeof(SMALL) == 1 ? 0x3f : 0));
    float f = float(e);
    double d = double(e);
    unsigned int h = 0, bits;
    unsigned short half = static_cast<__half_raw>(__half(e)).x,
                   bfloat = static_cast<__nv_bfloat16_raw>(__nv_bfloat16(e)).x;
    memcpy(&bits, &f, sizeof bits);
    h = mix(mix(h, bits), f == d);
    h = mix(mix(h, half), bfloat);
    h = mix(h, (unsigned int)(int)e + (unsigned char)e + (unsigned short)e * 3 +
                   (unsigned int)(signed char)e * 5);
    h = mix(h, (unsigned int)(unsigned long long)e + (unsigned int)(long long)e * 3 +
                   (unsigned int)(short)e * 5);
    h = mix(h, bool(e));
    SMALL again(f), whole((int)i % 80 - 40), wide((unsigned long long)i), exact((double)i / 70),
        other((short)-(int)(i % 9));
    return mix(mix(h, again.__x),
               (unsigned int)other.__x << 24 | whole.__x << 16 | wide.__x << 8 | exact.__x);
}
template <typename TWO, typename FOUR> __host__ __device__ unsigned int several(unsigned int i) {
    float x = (float)(i % 1000) / 33;
    TWO two(make_float2(x, -x / 3));
    FOUR four(make_float4(x, x / 2, -x / 4, 1.0f / (float)(i + 1)));
    FOUR doubles(make_double4(x, x / 2, -x / 4, 1.0 / (i + 1)));
    FOUR halves(__floats2half2_rn(x, 0.25f), __floats2half2_rn(-x, 0.75f));
    float2 pair = float2(two);
    float4 back = float4(four);
    unsigned int h = mix(two.__x, (unsigned int)(int)(pair.x * 16 + pair.y * 1024));
    h = mix(mix(h, four.__x), mix(doubles.__x, halves.__x));
    return mix(h, (unsigned int)(int)(back.x * 16 + back.y * 512 - back.z * 1024 + back.w * 4096));
}

struct Sums {
    unsigned int e2m3, e3m2, e2m1, of_e2m3, of_e3m2, of_e2m1, more_e2m3, more_e3m2, more_e2m1;
};
__host__ __device__ Sums sums(unsigned int i) {
    const cudaRoundMode near = cudaRoundNearest, zero = cudaRoundZero;
    return {narrow___NV_E2M3(i, near) + 3 * narrow___NV_E2M3(i, zero),
            narrow___NV_E3M2(i, near) + 3 * narrow___NV_E3M2(i, zero),
            narrow___NV_E2M1(i, near) + 3 * narrow___NV_E2M1(i, zero),
            values<__nv_fp6_e2m3>(i),
            values<__nv_fp6_e3m2>(i),
            values<__nv_fp4_e2m1>(i & 15),
            several<__nv_fp6x2_e2m3, __nv_fp6x4_e2m3>(i),
            several<__nv_fp6x2_e3m2, __nv_fp6x4_e3m2>(i),
            several<__nv_fp4x2_e2m1, __nv_fp4x4_e2m1>(i)};
}
__global__ void all(unsigned int *out) {
    Sums s = sums(blockIdx.x * blockDim.x + threadIdx.x);
    const unsigned int *p = (const unsigned int *)&s;
    for (unsigned int k = 0; k < sizeof s / sizeof *p; k++) atomicAdd(&out[k], p[k]);
}

int main() {
    const unsigned int n = 65536, fields = sizeof(Sums) / sizeof(unsigned int);
    unsigned int host[fields] = {}, device[fields] = {}, *out;
    for (unsigned int i = 0; i < n; i++) {
        Sums s = sums(i);
        const unsigned int *p = (const unsigned int *)&s;
        for (unsigned int k = 0; k < fields; k++) host[k] += p[k];
    }
    cudaMalloc(&out, sizeof device);
    cudaMemset(out, 0, sizeof device);
    all<<<n / 256, 256>>>(out);
    cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
    const char *names[] = {"e2m3",    "e3m2",      "e2m1",      "of e2m3",  "of e3m2",
                           "of e2m1", "more e2m3", "more e3m2", "more e2m1"};
    for (unsigned int k = 0; k < fields; k++)
        printf("%-9s  host %08x  kernel %08x\n", names[k], host[k], device[k]);
    return memcmp(host, device, sizeof host) != 0;
}
