// Eight-bit floats of cuda_fp8.h: every conversion there is, over values with all exponents, and all pairs of
// bytes back; in kernels and on the host.
#include <cstdio>
#include <cstring>
#include <cuda_fp8.h>

static __host__ __device__ float as_float(unsigned int bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static __host__ __device__ unsigned int mix(unsigned int h, unsigned int v) { return (h ^ v) * 16777619u; }

template <__nv_fp8_interpretation_t KIND> __host__ __device__ unsigned int narrow(unsigned int i) {
    float a = as_float(i * 4111u), b = as_float(i * 65537u + 77u);
    if (a != a || b != b) return 1; /* what is no number is below */
    unsigned int h = __nv_cvt_float_to_fp8(a, __NV_SATFINITE, KIND);
    h = mix(h, __nv_cvt_float_to_fp8(b, __NV_NOSAT, KIND));
    h = mix(h, __nv_cvt_float2_to_fp8x2(make_float2(a, b), __NV_SATFINITE, KIND));
    h = mix(h, __nv_cvt_double_to_fp8((double)a * 1.0000001, __NV_SATFINITE, KIND));
    h = mix(h, __nv_cvt_double_to_fp8((double)b * 0.9999999, __NV_NOSAT, KIND));
    __half low = __float2half(as_float(0x38000000u + i * 511u % 0x10000000u)), high = __float2half(b);
    h = mix(h, __nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(low), __NV_SATFINITE, KIND));
    h = mix(h, __nv_cvt_halfraw2_to_fp8x2(static_cast<__half2_raw>(__halves2half2(low, high)), __NV_SATFINITE,
                                          KIND));
    __nv_bfloat16 s = __float2bfloat16(a), t = __float2bfloat16(b);
    h = mix(h, __nv_cvt_bfloat16raw_to_fp8(static_cast<__nv_bfloat16_raw>(s), __NV_SATFINITE, KIND));
    return mix(h, __nv_cvt_bfloat16raw2_to_fp8x2(static_cast<__nv_bfloat162_raw>(__halves2bfloat162(s, t)),
                                                 __NV_SATFINITE, KIND));
}
template <typename EIGHT> __host__ __device__ unsigned int values(unsigned int i) {
    EIGHT e;
    e.__x = (unsigned char)i;
    float f = float(e);
    unsigned int bits, h = 0;
    memcpy(&bits, &f, sizeof bits);
    if (f == f) h = mix(h, bits);
    h = mix(h, (unsigned int)(int)e + (unsigned char)e + (unsigned short)e + (unsigned int)(signed char)e);
    h = mix(h, bool(e));
    EIGHT again(f), whole((int)i * 3 - 300), wide((unsigned long long)i * i), exact((double)i / 7);
    return mix(mix(h, f == f ? again.__x : 0), whole.__x << 16 | wide.__x << 8 | exact.__x);
}
template <typename FOUR> __host__ __device__ unsigned int fours(unsigned int i) {
    FOUR four(make_float4((float)i, (float)i / 3, -(float)i / 64, 1.0f / (i + 1)));
    float4 back = float4(four);
    return mix(four.__x, (unsigned int)(back.x + back.y * 512 - back.z * 1024));
}

struct Sums {
    unsigned int e4m3, e5m2, of_e4m3, of_e5m2, four_e4m3, four_e5m2;
};
__host__ __device__ Sums sums(unsigned int i) {
    return {narrow<__NV_E4M3>(i),     narrow<__NV_E5M2>(i),      values<__nv_fp8_e4m3>(i),
            values<__nv_fp8_e5m2>(i), fours<__nv_fp8x4_e4m3>(i), fours<__nv_fp8x4_e5m2>(i)};
}
__global__ void all(Sums *out) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    Sums s = sums(i);
    atomicAdd(&out->e4m3, s.e4m3);
    atomicAdd(&out->e5m2, s.e5m2);
    atomicAdd(&out->of_e4m3, s.of_e4m3);
    atomicAdd(&out->of_e5m2, s.of_e5m2);
    atomicAdd(&out->four_e4m3, s.four_e4m3);
    atomicAdd(&out->four_e5m2, s.four_e5m2);
}
__global__ void pairs(unsigned int *out) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2_raw a = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)i, __NV_E4M3);
    __half2_raw b = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)i, __NV_E5M2);
    atomicAdd(&out[0], mix(a.x * 3u, a.y));
    atomicAdd(&out[1], mix(b.x * 3u, b.y));
}
__global__ void odd_ones(unsigned int *out) {
    const float nan = as_float(0x7fc00000u), infinity = as_float(0x7f800000u);
    for (int k = 0; k < 2; k++) {
        __nv_fp8_interpretation_t kind = k ? __NV_E5M2 : __NV_E4M3;
        out[k * 4] = __nv_cvt_float_to_fp8(nan, __NV_SATFINITE, kind);
        out[k * 4 + 1] = __nv_cvt_float_to_fp8(-infinity, __NV_SATFINITE, kind);
        out[k * 4 + 2] = __nv_cvt_float_to_fp8(infinity, __NV_NOSAT, kind);
        out[k * 4 + 3] = __nv_cvt_float_to_fp8(as_float(0xffc00001u), __NV_SATFINITE, kind);
    }
}

static void show(const char *where, const Sums &s) {
    printf("%s: %08x %08x %08x %08x %08x %08x\n", where, s.e4m3, s.e5m2, s.of_e4m3, s.of_e5m2, s.four_e4m3,
           s.four_e5m2);
}

int main() {
    Sums *device, host = {};
    unsigned int *out;
    cudaMallocManaged(&device, sizeof *device);
    cudaMallocManaged(&out, 16 * sizeof *out);
    memset(device, 0, sizeof *device);
    memset(out, 0, 16 * sizeof *out);
    all<<<1024, 256>>>(device);
    pairs<<<256, 256>>>(out);
    odd_ones<<<1, 1>>>(out + 2);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    show("device", *device);
    for (unsigned int i = 0; i < 1024 * 256; i++) {
        Sums s = sums(i);
        host.e4m3 += s.e4m3, host.e5m2 += s.e5m2, host.of_e4m3 += s.of_e4m3, host.of_e5m2 += s.of_e5m2;
        host.four_e4m3 += s.four_e4m3, host.four_e5m2 += s.four_e5m2;
    }
    show("host", host);
    printf("pairs: %08x %08x\nodd:", out[0], out[1]);
    for (int i = 2; i < 10; i++) printf(" %02x", out[i]);
    printf("\n");
    return 0;
}
