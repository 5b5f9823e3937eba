/* bounded_gathers: a long kernel of steps that gather where both of two indices are in bounds, which one
 * comparison of the greater one tells: of whole warps by scalars, of warps at the border lane by lane.
 */
#include "program.h"

enum { STEPS = 16 };

template <int K> __device__ int step(int n, int x, int y, const int *where, const int *what) {
    const int a = x + 3 * K, b = y + 7 * K;
    int sum = 0;
    if (max(a, b) < n) sum = what[where[(a * 5 + b) & 1023]] * (K + 1);
    return sum;
}
template <int K> __device__ int steps(int n, int x, int y, const int *where, const int *what) {
    int sum = step<K>(n, x, y, where, what);
    if constexpr (K + 1 < STEPS) sum += steps<K + 1>(n, x, y, where, what) ^ K;
    return sum;
}
__global__ void gather(int n, const int *where, const int *what, int *out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = 2 * threadIdx.x;
    out[x] = steps<0>(n, x, y, where, what);
}
/* The same in a loop, and the lower bound as well. */
__global__ void gather_around(int n, const int *where, const int *what, int *out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int dy = -2; dy <= 2; dy++)
#pragma unroll
        for (int dx = -3; dx <= 3; dx++) {
            const int a = x + dx, b = threadIdx.x + dy;
            if (min(a, b) >= 0 && max(a, b) < n)
                sum += what[where[(a + 31 * b) & 1023]] * dx + what[where[b & 1023]];
        }
    out[x] = sum;
}

int main() {
    Array<int> where(1024), what(1024), out(1024);
    uint32_t state = 7;
    for (int i = 0; i < 1024; i++) where[i] = next_random(state) & 1023, what[i] = next_random(state) & 4095;
    for (int n : {0, 1, 100, 300, 511, 1000, 5000}) {
        gather<<<4, 256>>>(n, where, what, out);
        show("gather", out, 2);
        gather_around<<<8, 128>>>(n, where, what, out);
        show("gather around", out, 2);
    }
    return 0;
}
