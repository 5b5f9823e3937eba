/* wide_integers: integers of 128 bits, and the carry flag that they go by: a subtraction that borrows nothing
 * sets it, and additions may take it on, as in the division that nvcc makes.
 */
#include "program.h"

typedef unsigned __int128 wide;

__host__ __device__ void quotients(wide x, wide y, wide *out) {
    out[0] = x / y;
    out[1] = x % y;
    out[2] = (wide)((__int128)x / (__int128)(y >> 1));
    out[3] = (wide)((__int128)x % -(__int128)(y >> 3));
    out[4] = x * y + (x << 7) - (y >> 70);
    out[5] = x / 12345678901u + x % 97;
}

__global__ void divide(const wide *x, wide *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) quotients(x[i], x[(i + 1) % n] >> i % 100 | 8, &out[6 * i]);
}

/* What is added after a subtraction, and subtracted after an addition. */
__global__ void chains(const uint32_t *x, uint32_t *out) {
    uint32_t a = x[2 * threadIdx.x], b = x[2 * threadIdx.x + 1], r[4];
    asm("sub.cc.u32 %0, %4, %5;\n\taddc.u32 %1, 0, 0;\n\t"
        "add.cc.u32 %2, %4, %5;\n\tsubc.u32 %3, 10, 0;"
        : "=r"(r[0]), "=r"(r[1]), "=&r"(r[2]), "=r"(r[3])
        : "r"(a), "r"(b));
    for (int k = 0; k < 4; k++) out[4 * threadIdx.x + k] = r[k];
}

int main() {
    const int n = 300;
    Array<wide> x(n), out(6 * n);
    uint32_t state = 1;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++) x[i] = x[i] << 32 | next_random(state);
        x[i] >>= i * 7 % 97;
    }
    divide<<<3, 128>>>(x, out, n);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        wide right[6];
        quotients(x[i], x[(i + 1) % n] >> i % 100 | 8, right);
        wrong += memcmp(right, &out[6 * i], sizeof right) != 0;
    }
    printf("128 bits: %d wrong\n", wrong);
    show("quotients", out, 2);

    Array<uint32_t> pairs(64), sums(128);
    for (int i = 0; i < 64; i++) pairs[i] = i < 16 ? i % 3 - 1 : next_random(state);
    chains<<<1, 32>>>(pairs, sums);
    CALL(cudaDeviceSynchronize());
    for (int i = wrong = 0; i < 32; i++) {
        uint32_t a = pairs[2 * i], b = pairs[2 * i + 1];
        uint32_t right[4] = {a - b, a >= b, a + b, a + b < a ? 10u : 9u};
        wrong += memcmp(right, &sums[4 * i], sizeof right) != 0;
    }
    printf("chains: %d wrong\n", wrong);
    return 0;
}
