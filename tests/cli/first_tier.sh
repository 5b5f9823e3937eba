#!/bin/bash
# Long kernels begin by the reference where little of them runs (machine/tier.h), and give the same from either.
. "$(dirname "$0")/expect.sh"

{
    echo '#include <cstdio>'
    echo '__global__ void k(unsigned *p) { unsigned x = p[threadIdx.x], y = threadIdx.x;'
    for ((i = 0; i < 1100; i++)); do echo "x = x * $((2 * i + 3)) + (y ^ $i); y = (y >> 3) - x;"; done
    echo 'p[threadIdx.x] = x + y; }
int main(int argc, char **) {
    unsigned *p;
    cudaMallocManaged(&p, 32 * 70 * 4);
    for (int launch = 0; launch < 6; launch++) {
        for (int i = 0; i < 32 * 70; i++) p[i] = i * 2654435761u;
        k<<<argc > 1 ? 70 : 1, 32>>>(p);
        cudaDeviceSynchronize();
        unsigned sum = 0;
        for (int i = 0; i < 32; i++) sum = sum * 31 + p[i];
        printf("%08x\n", sum);
    }
}'
} > long.cu
warpglass cc long.cu -o long || fail "it does not compile"
export WARPGLASS_VERBOSE=1 WARPGLASS_CACHE_DIR=none
times() { grep -c -- "$1" "$stderr"; }

expect 0 'by the reference in' -- ./long
[[ $(times 'compiled k\|compiled _Z1k') == 2 && $(times 'by the reference') == 1 ]] || fail "not the reference first, and code then"
[[ $(sort -u "$stdout" | wc -l) == 1 && $(wc -l < "$stdout") == 6 ]] || fail "they differ"
mv "$stdout" both

expect 0 'compiled' -- env WARPGLASS_BACKEND=jit ./long
not_said 'by the reference'
cmp -s both "$stdout" || fail "code alone gives something else"

# Many warps, or somebody counts on its being the same code each time: code is made at once.
expect 0 'compiled' -- ./long many
not_said 'by the reference'
expect 0 'compiled' -- env WARPGLASS_DETERMINISTIC=1 ./long
not_said 'by the reference'
finish
