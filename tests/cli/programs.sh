#!/bin/bash
# CUDA programs from source to result: several modules in one program, faults and how they are told, endless
# kernels, dumps, other machines.
. "$(dirname "$0")/expect.sh"

# ---- Two files with kernels, one of host code, one of C -------------------------------------------------------
cat > one.cu << 'END'
#include <cstdio>
extern "C" int from_c(int);
int twice_on_device(int);
static __global__ void kernel(int *x) { *x += 1; } // the same name in both files
int main() {
    int *x;
    cudaMallocManaged(&x, sizeof *x);
    *x = from_c(19);
    kernel<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    printf("%d\n", twice_on_device(*x));
    return 0;
}
END
cat > two.cu << 'END'
__constant__ int factor = 2;
__device__ int calls;
static __global__ void kernel(int *x) { *x *= factor; atomicAdd(&calls, 1); }
int twice_on_device(int value) {
    int *x, n;
    cudaMallocManaged(&x, sizeof *x);
    *x = value;
    kernel<<<1, 1>>>(x);
    cudaMemcpyFromSymbol(&n, calls, sizeof n);
    return n == 1 ? *x : -1;
}
END
echo 'int from_c(int x) { return x + 1; }' > three.c
expect 0 '' -- warpglass run one.cu two.cu three.c
said '^42$'
expect 0 '' -- warpglass cc one.cu two.cu three.c -o whole
expect 0 '' -- ./whole
said '^42$'
expect 0 '' -- warpglass run ./whole
said '^42$'
expect 0 '' -- warpglass cc -shared two.cu -o libtwo.so
expect 0 '' -- warpglass cc one.cu three.c libtwo.so -Wl,-rpath,"$scratch" -o parts
expect 0 '' -- ./parts
said '^42$'

# ---- A launch that is refused, and faults: CUDA's codes, a message with the place, the process lives on ---------
cat > faults.cu << 'END'
#include <cassert>
#include <cstdio>
#include <cstdlib>
__global__ void store(int *a, size_t at) {
    a[at] = 1;
}
__global__ void misaligned(char *a) {
    *(int *)(a + 1) = 1;
}
__global__ void asserts(int x) {
    assert(x == 1);
}
__global__ void traps() {
    __trap();
}
__global__ void shared_memory(int *out) {
    extern __shared__ int s[];
    out[0] = s[threadIdx.x];
}
__global__ void endless(volatile int *a) {
    a[1] = 1;
    while (a[0] == 0) {
    }
}
int main(int argc, char **argv) {
    int *a;
    cudaMalloc(&a, 4096);
    switch (atoi(argv[1])) {
    case 0: store<<<2, 32>>>(a, 2000000000); break;
    case 1: misaligned<<<1, 1>>>((char *)a); break;
    case 2: asserts<<<1, 1>>>(0); break;
    case 3: traps<<<1, 1>>>(); break;
    case 4: store<<<1, 2048>>>(a, 0); break;
    case 5: store<<<0, 32>>>(a, 0); break;
    case 6: shared_memory<<<1, 32, 100000>>>(a); break;
    case 7:
        cudaMallocManaged(&a, 4096);
        endless<<<1, 32>>>(a);
        while (!((volatile int *)a)[1]) {
        }
        puts("running");
        fflush(stdout);
        break;
    case 8: store<<<1, 1>>>(NULL, 0); break;
    case 9: printf("%s\n", cudaGetErrorName(cudaMalloc(&a, (size_t)1 << 50))); return 0;
    }
    cudaError_t launch = cudaGetLastError(), wait = cudaDeviceSynchronize();
    printf("%s %s\n", cudaGetErrorName(launch), cudaGetErrorName(wait));
    printf("then %s\n", cudaGetErrorName(cudaMemset(a, 0, 4096)));
    return 3;
}
END
expect 0 '' -- warpglass cc faults.cu -o faults
expect 3 "faults.cu:5:11: illegal address in kernel store" -- warpglass run ./faults -- 0
grep -q "by thread (0,0,0) of block (0,0,0)" "$stderr" || fail "the thread is not told"
said '^cudaSuccess cudaErrorIllegalAddress$'
said '^then cudaErrorIllegalAddress$'
expect 3 "faults.cu:5:11: illegal address in kernel store" -- ./faults 8
said 'cudaErrorIllegalAddress$'
expect 3 "faults.cu:8:[0-9]+: misaligned address in kernel misaligned" -- ./faults 1
grep -q "the address is 1 byte into an allocation of 4096 bytes at 0x[0-9a-f]*, which is not a multiple of 4$" "$stderr" ||
    fail "the allocation is not told"
said 'cudaErrorMisalignedAddress$'
expect 3 "faults.cu:11.*Assertion .x == 1. failed" -- ./faults 2
said 'cudaErrorAssert$'
expect 3 "faults.cu:14:5: trap in kernel traps" -- ./faults 3
said 'cudaErrorLaunchFailure$'
# What an H200 answers, and why.
for wrong in "4 a block of 2048x1x1 threads" "5 a grid of 0x1x1 blocks" "6 100000 bytes of dynamic shared memory"; do
    expect 3 "not launched: ${wrong#* }" -- ./faults "${wrong%% *}"
    said '^cudaErrorInvalidValue cudaSuccess$'
    said '^then cudaSuccess$'
done
expect 0 '' -- ./faults 9
said '^cudaErrorMemoryAllocation$'

# ---- An endless kernel --------------------------------------------------------------------------------------
for limit in 1 5 25 125; do # on a busy machine it may take a while to come to the kernel
    "$WARPGLASS" run --timeout $limit ./faults -- 7 > "$stdout" 2> "$stderr"
    status=$?
    ! grep -q running "$stdout" || break
done
[[ $status == 124 ]] || fail "time limit: status $status"
grep -q "in kernel endless" "$stderr" || fail "time limit: no word of where it was"
grep -q "stopped after $limit seconds" "$stderr" || fail "the time limit is not told"
: > "$stdout" # what the one before said is not to be taken for what this one says
env --default-signal=INT "$WARPGLASS" run ./faults -- 7 > "$stdout" 2> "$stderr" &
command=$!
until grep -q running "$stdout"; do sleep 0.05; done
kill -INT $command
wait $command
status=$?
[[ $status == 130 ]] || fail "Ctrl-C: status $status"
grep -qE "in kernel endless" "$stderr" || fail "Ctrl-C: no word of where it was"

# ---- A look inside, each stage by itself and all together ------------------------------------------------------
cat > look.cu << 'END'
__global__ void look(float *x) { x[threadIdx.x] *= 3; }
int main() {
    float *x;
    cudaMalloc(&x, 1024);
    look<<<1, 64>>>(x);
    return cudaDeviceSynchronize();
}
END
expect 0 'mul\.(rn\.)?f32' -- warpglass run --dump ptx look.cu
expect 0 'look' -- warpglass run --dump ir look.cu
expect 0 '<[0-9]+ x float>' -- warpglass run --dump llvm look.cu
expect 0 'mulps' -- warpglass run --dump asm look.cu
for word in 'ld\.global' '<[0-9]+ x float>' 'mulps'; do
    expect 0 "$word" -- warpglass run --dump ptx,ir,llvm,asm look.cu
done
[[ ! -s $stdout ]] || fail "a dump is on standard output"

# ---- Another machine ----------------------------------------------------------------------------------------
cat > which.cu << 'END'
#include <cstdio>
__global__ void which(int *v) {
#ifdef __CUDA_ARCH__
    *v = __CUDA_ARCH__;
#endif
}
int main() {
    int *v;
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    cudaMallocManaged(&v, sizeof *v);
    which<<<1, 1>>>(v);
    printf("%s: %d.%d, %d\n", cudaGetErrorString(cudaDeviceSynchronize()), p.major, p.minor, *v);
    return 0;
}
END
expect 0 '' -- warpglass run which.cu
said '^no error: 9.0, 900$'
expect 0 '' -- warpglass run --arch sm_70 which.cu
said '^no error: 7.0, 700$'
expect 0 '' -- warpglass run --arch sm_120 which.cu
said '^no error: 12.0, 900$'
finish
