#!/bin/bash
# A kernel of more than 30,000 instructions stays in the code that is made quickly, however long it runs, and one of
# nearly as many does not. Most of theirs add 1, of which LLVM makes one addition: better code takes it seconds.
. "$(dirname "$0")/expect.sh"

kernel() { # NAME ADDITIONS
    echo ".visible .entry $1(.param .u64 q, .param .u32 n) {"
    echo '.reg .pred %p; .reg .u32 %x, %y, %i, %n, %t; .reg .u64 %q, %o;'
    echo 'ld.param.u64 %q, [q]; ld.param.u32 %n, [n]; mov.u32 %t, %tid.x; mov.u32 %x, %t; mov.u32 %i, 0;'
    echo 'again:'
    for ((i = 0; i < 100; i++)); do
        echo "mad.lo.u32 %x, %x, $((2 * i + 3)), %i; shr.u32 %y, %x, $((i % 13 + 3)); xor.b32 %x, %x, %y;"
    done
    yes 'add.u32 %x, %x, 1;' | head -n "$2"
    echo 'add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %n; @%p bra again;'
    echo 'mul.wide.u32 %o, %t, 4; add.u64 %q, %q, %o; st.global.u32 [%q], %x; ret; }'
}
{
    printf '.version 8.0\n.target sm_80\n.address_size 64\n'
    kernel below 29000
    kernel above 30000
} > huge.ptx
cat > huge.cu << 'END'
#include <cstdio>
#include <cuda.h>
#include <unistd.h>
static bool launch(CUmodule m, const char *name, unsigned additions) {
    static unsigned *q;
    CUfunction f;
    unsigned n = 2000, bad = 0;
    if (!q) cudaMallocManaged(&q, 32 * sizeof *q);
    void *args[] = {&q, &n};
    if (cuModuleGetFunction(&f, m, name) || cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, 0)) return false;
    if (cudaDeviceSynchronize()) return false;
    for (unsigned t = 0; t < 32; t++) {
        unsigned x = t;
        for (unsigned i = 0; i < n; i++, x += additions)
            for (unsigned k = 0; k < 100; k++) {
                x = x * (2 * k + 3) + i;
                x ^= x >> (k % 13 + 3);
            }
        bad += q[t] != x;
    }
    if (bad) printf("%s: %u wrong\n", name, bad);
    return !bad;
}
int main(int argc, char **argv) { // until there is the file
    CUmodule m;
    cudaFree(0);
    if (cuModuleLoad(&m, "huge.ptx")) return 2;
    do
        if (!launch(m, "below", 29000) || !launch(m, "above", 30000)) return 1;
    while (access(argv[1], F_OK));
    puts("right");
}
END
warpglass cc huge.cu -o huge -lcuda
: > said
WARPGLASS_THREADS=1 WARPGLASS_CACHE_DIR=none WARPGLASS_VERBOSE=1 ./huge stop 2> said > out &
for ((i = 0; i < 1800; i++)); do
    grep -q 'compiled below once more' said && break
    sleep 0.1
done
sleep "$((3 + i / 10))" # it would be the other's turn
touch stop
wait $! || fail "$(cat said out)"
grep -q '^right$' out || fail "another result: $(cat out)"
grep -q 'compiled below once more, for speed' said || fail "no better code of 29,000: $(cat said)"
grep -q 'compiled above for' said || fail "the larger one did not run"
! grep -q 'compiled above once more' said || fail "better code of 30,000"
finish
