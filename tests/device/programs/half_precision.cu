/* __half and its pair: operators, intrinsics, functions, atomics and shuffles. */
// PTX: fma\.rn\.f16|mul.*f16
// PTX: cvt\.rn\.f16\.f32
// PTX: atom.*f16x2
#include <cuda_fp16.h>
__global__ void kernel(half *h, half2 *p, float *f) {
    int i = threadIdx.x;
    h[i] = h[i] * h[i + 1] + __float2half(2.5f) - __int2half_rn(i);
    h[i] = __hfma(h[i], h[1], hexp(h[2])) / hsqrt(h[3]), h[i] += h[4], h[5] = -h[6];
    p[i] = __hfma2(p[i], p[1], __float2half2_rn(1.f)) + __floats2half2_rn(1.f, 2.f) * p[2];
    f[i] =
        __half2float(h[i]) + __low2float(p[i]) + (float)h[i] + __half22float2(p[1]).y + __half2int_rz(h[2]);
    if (h[i] > h[i + 1] || __hlt(h[0], h[1])) h[i] = __shfl_xor_sync(~0u, h[i], 1);
    atomicAdd(h, h[1]), atomicAdd(p, p[1]);
    p[3] = __ldg(p), h[7] = __hmax(h[1], h[2]), h[8] = __ushort_as_half(0x3c00);
}
int main() {
    half x = __float2half(0.1f), y = 3;
    half2 z = __halves2half2(x, y);
    static_assert(sizeof(half) == 2 && sizeof(half2) == 4 && alignof(half2) == 4, "");
    kernel<<<1, 32>>>(0, 0, 0);
    return (int)(__half2float(x * y + z.x) + __half2float(__float2half_rz(0.3f)));
}
