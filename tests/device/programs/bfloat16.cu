/* __nv_bfloat16 and its pair. */
// PTX: bf16
#include <cuda_bf16.h>
__global__ void kernel(__nv_bfloat16 *h, __nv_bfloat162 *p, float *f) {
    int i = threadIdx.x;
    h[i] = h[i] * h[i + 1] + __float2bfloat16(2.5f);
    p[i] = __hfma2(p[i], p[1], __float2bfloat162_rn(1.f)) + p[2];
    f[i] = __bfloat162float(h[i]) + __bfloat1622float2(p[1]).y + __bfloat162int_rn(h[2]);
    h[i] = __hmax(h[0], htanh(h[1])), h[2] = __int2bfloat16_rn(i), atomicAdd(p, p[1]);
}
int main() {
    kernel<<<1, 32>>>(0, 0, 0);
    __nv_bfloat16 x = __float2bfloat16(1.5f), y = 2;
    return (int)__bfloat162float(x * y + x);
}
