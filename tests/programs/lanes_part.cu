/* lanes_part: lanes part in a loop with a break and in switches, and come together again. A GPU stores each
 * warp's 32 values by one request, and so does whoever brings lanes together where their ways join: see
 * ../count/lanes.sh.
 */
#include <cstdio>

__global__ void k(const float *in, float *out, int n) {
    int t = threadIdx.x, g = blockIdx.x * blockDim.x + t, v = (int)in[g % n], a = g;
    if ((v >> 2) & 1)
        a = a * 3 + 1, v -= 7;
    else
        v ^= a;
    for (int i = 0; i < ((v ^ g) & 7); i++) {
        a += v >> i;
        if (a % 7 == 0) break;
    }
    int u = __shfl_up_sync(~0u, v, 1);
    if ((t & 31) >= 4) v += u;
    switch (v & 3) {
    case 0: a += 1; break;
    case 1: a -= v; break;
    case 2: a ^= 5; break;
    default: v += a;
    }
    v += __shfl_xor_sync(~0u, v, 1);
    if ((v >> 3) & 1)
        a = a * 3 + 1, v -= 7;
    else
        v ^= a;
    switch (v & 3) {
    case 0: a += 1; break;
    case 1: a -= v; break;
    case 2: a ^= 5; break;
    default: v += a;
    }
    if (g < n) out[g] = (float)((v ^ a) & 0xffff);
}

int main() {
    const int n = 5000;
    float *in, *out;
    unsigned long long sum = 0;
    cudaMallocManaged(&in, n * 4), cudaMallocManaged(&out, n * 4);
    unsigned s = 5057;
    for (int i = 0; i < n; i++) s = s * 1664525u + 1013904223u, in[i] = (float)(s >> 22);
    k<<<5, 64>>>(in, out, n);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 320; i++) sum = sum * 31 + (unsigned)out[i];
    printf("%llx\n", sum);
}
