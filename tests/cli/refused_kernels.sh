#!/bin/bash
# A program of which one kernel cannot run: the others run, and whoever asks for that one is told what is wrong and where.
. "$(dirname "$0")/expect.sh"

cat > kernels.cu << 'END'
#include <cstdio>
__global__ void good(int *x) { x[threadIdx.x] = threadIdx.x; }
__global__ void bad(int *x) {
    asm volatile("add.banana.s32 %0, %0, 1;" : "+r"(x[0]));
}
__device__ __noinline__ int helper(int v) {
    asm volatile("frobnicate.u32 %0; { }" : "+r"(v));
    return v;
}
__global__ void calls(int *x) { x[0] = helper(x[1]); }
__device__ int (*table)(int) = helper;
__global__ void calls_table(int *x) { x[0] = table(x[1]); }

static void say(const char *what, cudaError_t e) { printf("%s: %s\n", what, cudaGetErrorName(e)); }

int main() {
    int *x, n;
    cudaFuncAttributes a;
    cudaMallocManaged(&x, 4096);
    for (int i = 0; i < 2; i++) {
        bad<<<1, 32>>>(x);
        say("bad", cudaGetLastError());
    }
    calls<<<1, 32>>>(x);
    say("calls", cudaGetLastError());
    calls_table<<<1, 32>>>(x);
    say("calls_table", cudaGetLastError());
    say("attributes", cudaFuncGetAttributes(&a, bad));
    say("occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, bad, 32, 0));
    good<<<1, 32>>>(x);
    say("good", cudaDeviceSynchronize());
    printf("x[31] = %d\n", x[31]);
}
END
cat > answers << 'END'
bad: cudaErrorInvalidPtx
bad: cudaErrorInvalidPtx
calls: cudaErrorInvalidPtx
calls_table: cudaErrorInvalidPtx
attributes: cudaErrorInvalidPtx
occupancy: cudaErrorInvalidPtx
good: cudaSuccess
x[31] = 31
END
told() { # each kernel once, with the place in the PTX and in the source
    [[ $(grep -c "cannot run" "$stderr") == 3 ]] || fail "not three kernels are refused"
    grep -qE "kernel 'bad\(int ?\*\)' cannot run: PTX of kernels:[0-9]+:[0-9]+: error: unknown modifier '.banana'" "$stderr" ||
        fail "bad: what and where"
    grep -q "in kernel _Z3badPi, kernels.cu:4" "$stderr" || fail "bad: no line of the source"
    [[ $(grep -c "unknown instruction 'frobnicate'" "$stderr") == 2 ]] || fail "helper: what"
    grep -q "in function _Z6helperi, called by kernel _Z5callsPi, kernels.cu:7" "$stderr" || fail "helper: no line"
}
for backend in jit ref; do
    WARPGLASS_BACKEND=$backend expect 0 "cannot run" -- warpglass run kernels.cu
    cmp -s "$stdout" answers || fail "$backend: $(diff "$stdout" answers)"
    told
done
expect 3 "cannot run" -- warpglass check kernels.cu
told
expect 0 "cannot run" -- warpglass profile kernels.cu
told
# Who lists kernels is told of all that is wrong, and that it is.
expect 1 "unknown modifier '.banana'" -- warpglass occupancy kernels.cu
grep -q "unknown instruction 'frobnicate'" "$stderr" || fail "occupancy: the second error is not named"
finish
