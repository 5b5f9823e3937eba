/* masked_indices: indices of 32 bits that compilers keep in 64 and mask where they are used, as an int that
 * goes on by a size_t is; warps in which they wrap round.
 */
#include "program.h"

__global__ void stencil(const float *in, float *out, int n, size_t width) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += width)
        if (i > 0 && i < n - 1) out[i] = 0.5f * (in[i - 1] + in[i + 1]);
}

/* Past 2^32 somewhere in a warp: the lanes behind that begin again. */
__global__ void wrapped(const int *in, int *out, unsigned long long from, int n) {
    unsigned long long i = from + blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long low = i & 0xffffffffull;
    if (low < (unsigned)n) out[low] = in[low] + (int)(i >> 32);
}

__global__ void values(unsigned long long *out, unsigned long long from, unsigned long long step) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long x = from + t * step;
    out[t] = (x & 0xffffffffull) * 3 + ((x - 1) & 0xffffffffull) + ((x ^ 5) & 0x7fffffffull);
}

__global__ void around(const int *in, int *out, unsigned n, unsigned long long by) {
    unsigned long long t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long left = (t - by) & 0xffffffffull, right = (t + by) & 0xffffffffull;
    int sum = 0;
    if (left < n) sum += in[left];
    if (right < n) sum += in[right] * 2;
    if (t < n) out[t] = sum;
}

int main() {
    const int n = 3000;
    Array<float> a(n), b(n);
    Array<int> in(n), out(n);
    Array<unsigned long long> wide(256);
    for (int i = 0; i < n; i++) a[i] = in[i] = i * 37 % 1001;
    for (size_t width : {640, 1000, 12800}) {
        stencil<<<(unsigned)(width / 128), 128>>>(a, b, n, width / 128 * 128);
        show("stencil", b);
    }
    for (unsigned long long from : {0ull, 100ull, 0xffffffffull, 0x1fffffff0ull, 0xfffffffffffffff9ull}) {
        wrapped<<<10, 96>>>(in, out, from, n);
        show("wrapped", out);
        values<<<4, 64>>>(wide, from, 1);
        show("values", wide);
        values<<<4, 64>>>(wide, from, 0x80000001ull);
        show("values", wide);
    }
    for (unsigned long long by : {0ull, 1ull, 40ull, 0x100000003ull}) {
        around<<<24, 128>>>(in, out, n, by);
        show("around", out);
    }
    return 0;
}
