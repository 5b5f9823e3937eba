#!/bin/bash
# `cc`: several files, several languages, options as clang and nvcc spell them, and programs that run by themselves.
. "$(dirname "$0")/expect.sh"
mkdir -p inc objects
cat > main.cpp << 'END'
#include <cstdio>
#include "app.h"
int main() {
    printf("%d %d %s %ld\n", doubled(21), c_part(1), NAME, (long)__cplusplus);
    return 0;
}
END
cat > inc/app.h << 'END'
#pragma once
#ifdef __cplusplus
extern "C"
#endif
int c_part(int x);
int doubled(int x);
END
printf '#include <cuda_runtime_api.h>\n#include "app.h"\nint c_part(int x) { return x + (int)sizeof(cudaStream_t); }\n' > part.c
printf '__global__ void kernel(int *x) { x[0] *= 2; }\nint doubled(int x) { return FACTOR * x; }\n' > kernels.cu
options=(-Iinc -D NAME='"a name"' --define-macro FACTOR=2 -std=c++14)

expect 0 '' -- warpglass cc "${options[@]}" -O2 main.cpp part.c kernels.cu -o app
expect 0 '' -- ./app
said '^42 9 a name 201402$'
rm app
expect 0 '' -- warpglass cc "${options[@]}" -c main.cpp part.c kernels.cu
[[ -s main.o && -s part.o && -s kernels.o ]] || fail "no objects"
expect 0 '' -- warpglass cc main.o part.o kernels.o
expect 0 '' -- ./a.out
expect 0 '' -- warpglass cc "${options[@]}" -c kernels.cu -o objects/k.o
expect 0 '' -- ar rc objects/libk.a objects/k.o
expect 0 '' -- warpglass cc main.o part.o -Lobjects -lk -o app
expect 0 '' -- ./app
said '^42 9'
expect 0 '' -- warpglass cc "${options[@]}" -shared kernels.cu -o libk.so
expect 0 '' -- warpglass cc main.o part.o libk.so -Wl,-rpath,"$scratch" -o app
expect 0 '' -- ./app
expect 0 '' -- warpglass cc "${options[@]}" main.cpp part.c -x cu kernels.cu -x none -o app
cp kernels.cu kernels.txt
expect 0 '' -- warpglass cc "${options[@]}" main.cpp part.c -x cu kernels.txt -o app
expect 2 '-x fortran: the languages are' -- warpglass cc -x fortran kernels.txt

# nvcc's spellings.
echo 'int main() { return 0; }' > one.cu
for option in "-lineinfo --generate-line-info --expt-relaxed-constexpr -expt-relaxed-constexpr --extended-lambda" \
    "--use_fast_math -arch=sm_80 -rdc=false -cudart shared --cudart=shared" \
    "-arch sm_80 --gpu-architecture=compute_75 -Xcompiler -Wall,-O1 -Xcompiler=-fno-strict-aliasing" \
    "-gencode arch=compute_86,code=sm_86 -gencode=arch=compute_90,code=[sm_90,compute_90] -O3 -g -std c++17" \
    "--fmad=false -pthread -fopenmp-simd -march=x86-64-v2 -lcudart -lcudart_static -lcuda -Xlinker --as-needed" \
    "--arch sm_120 -Wextra -w -isystem inc -include app.h -UX"; do
    # shellcheck disable=SC2086
    expect 0 '' -- warpglass cc $option one.cu -o one
    expect 0 '' -- ./one
done
# The host's arithmetic is gcc's: constants, too, are multiplied and added with two roundings, and the device's with one.
cat > fused.cu << 'EOF'
#include <cstdio>
__global__ void fused(double x, double y, double *out) { *out = x * x + y; }
int main() {
    double x = 2.891903, y = -3.980364, *out;
    cudaMallocManaged(&out, sizeof *out);
    fused<<<1, 1>>>(x, y, out);
    cudaDeviceSynchronize();
    printf("%.20g %.20g\n", x * x + y, *out);
}
EOF
expect 0 '' -- warpglass cc fused.cu -o fused
expect 0 '' -- ./fused
read -r ours device < "$stdout"
[[ $ours != "$device" ]] || fail "host and device round alike: $ours"
cat > fused.c << 'EOF'
#include <stdio.h>
int main(void) {
    double x = 2.891903, y = -3.980364;
    printf("%.20g\n", x * x + y);
    return 0;
}
EOF
gcc -O2 fused.c -o fused
expect 0 '' -- ./fused
said "^$ours$"

for option in "-Xptxas -dlcm=ca" "-maxrregcount=32"; do
    # shellcheck disable=SC2086
    expect 0 "note: .*for NVIDIA's assembler, which is not used: (all but -v is )?ignored" -- warpglass cc $option one.cu -o one
done
expect 0 "note: -cudart=static: programs get Warpglass's shared runtime" -- warpglass cc -cudart static one.cu -o one
expect 1 "-rdc=true: one.o cannot be made relocatable: it is not an ELF object" -- \
    warpglass cc -rdc=true -flto -c one.cu -o one.o
expect 2 "-rdc=maybe: expected true or false" -- warpglass cc -rdc=maybe one.cu -o one
expect 2 "expected arch=" -- warpglass cc -gencode sm_90 one.cu -o one
expect 2 "-O99: the levels are" -- warpglass cc -O99 one.cu -o one
expect 2 "unknown option '--frobnicate'" -- warpglass cc --frobnicate one.cu -o one
expect 2 "cc does not run one" -- warpglass cc one.cu -- x

# A shift that C++ does not define is an error where it would be carried out.
cat > shifts.cu << 'END'
template <int bits> __device__ unsigned mask() { return bits < 32 ? (1u << bits) - 1 : ~0u; }
__global__ void k(unsigned *out) { *out = mask<31>() + mask<32>() + (SHIFT); }
int main() { return 0; }
END
expect 0 '' -- warpglass cc '-DSHIFT=1u << 31' shifts.cu -o shifts
expect 1 "shifts.cu:2:.* error: this value is undefined" -- warpglass cc '-DSHIFT=(1u << 32) - 1' shifts.cu -o shifts
# A clang of another LLVM compiles without the passes that say so.
printf '#!/bin/sh\nexec clang++-19 "$@"\n' > other-clang && chmod +x other-clang
expect 0 'shift count' -- env WARPGLASS_CLANG=./other-clang "$WARPGLASS" cc '-DSHIFT=1u << 32' shifts.cu -o shifts
expect 0 '' -- env WARPGLASS_CLANG=./other-clang "$WARPGLASS" info
said 'not of LLVM'

# Device code in nvcc's dialect: a loop that may never end is not taken for one that does. What -f says about the
# language holds for both kinds of code.
cat > waits.cu << 'END'
__global__ void waits(const int *flag, int *out) {
    while (!*flag) {
    }
    *out = 1;
}
__global__ void grows(int n, int *out) { *out = n + 1 > n; }
int main() { return 0; }
END
expect 0 '' -- warpglass cc -ptx waits.cu -o waits.ptx
[[ $(grep -c 'ld.global\|bra' waits.ptx) -ge 2 ]] || fail "the loop is gone: $(cat waits.ptx)"
grep -q 'setp.*s32' <(sed -n '/entry.*grows/,$p' waits.ptx) && fail "signed numbers wrap"
expect 0 '' -- warpglass cc -ptx -fwrapv -ffinite-loops waits.cu -o waits.ptx
grep -q bra waits.ptx && fail "-ffinite-loops: the loop is there"
grep -q 'setp.*s32' <(sed -n '/entry.*grows/,$p' waits.ptx) || fail "-fwrapv: signed numbers do not wrap"

# Vectors are copied whole, although what is stored may be what is read.
cat > vectors.cu << 'END'
__global__ void four(const float *from, float4 *to) { to[threadIdx.x] = *(const float4 *)(from + 4 * threadIdx.x); }
__global__ void two(const double2 *from, double2 *to) { to[threadIdx.x] = from[threadIdx.x]; }
struct pair { int4 a, b; };
__global__ void pairs(const pair *from, pair *to) { to[threadIdx.x] = from[threadIdx.x]; }
END
expect 0 '' -- warpglass cc -ptx vectors.cu -o vectors.ptx
[[ $(grep -c 'global\.v4\.[a-z]*32' vectors.ptx) == 6 && $(grep -c 'global\.v2\.[a-z]*64' vectors.ptx) == 2 ]] ||
    fail "vectors are copied in parts: $(grep global vectors.ptx)"

# Arrays of a thread's own that loops of known lengths go through are registers, as nvcc has them; a stack is not.
cat > arrays.cu << 'END'
__global__ void rows(const float *in, float *out, int n) {
    float a[40] = {};
    for (int j = 0; j < n; j++)
        for (int k = 0; k < 40; k++) a[k] = a[k] * 0.5f + in[j * 40 + k] / (a[k] + 2);
    for (int k = 0; k < 40; k++) out[threadIdx.x * 40 + k] = a[k];
}
END
expect 0 '' -- warpglass cc -ptx arrays.cu -o arrays.ptx
! grep -q 'ld\.local' arrays.ptx || fail "an array of 40 is in memory"
sed 's/a\[k\] \* 0.5f/a[n % (k + 1)]/' arrays.cu > stack.cu
expect 0 '' -- warpglass cc -ptx stack.cu -o arrays.ptx
grep -q 'ld\.local' arrays.ptx || fail "an index that nobody knows is a register"

# The linker's words pass through.
printf 'int missing(void);\nint main() { return missing(); }\n' > unresolved.cu
expect 1 "undefined reference to .missing" -- warpglass cc unresolved.cu -o unresolved
[[ ! -e unresolved ]] || fail "a program was made in spite of it"
expect 1 "cannot find -lnot_there" -- warpglass cc one.cu -lnot_there -o unresolved
echo 'damaged' > damaged.o
expect 1 "damaged.o" -- warpglass cc one.cu damaged.o -o unresolved

# A program that calls the driver itself is told why a kernel was not launched, once.
cat > drives.cpp << 'END'
#include <cuda.h>
#include <stdio.h>
int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    const char *text = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u32 n) {\n"
                       ".reg .b32 %r<2>;\nvadd.u32.u32.u32 %r1, %r1, %r0;\nret;\n}\n";
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device)) return 1;
    if (cuCtxSetCurrent(context) || cuModuleLoadData(&module, text)) return 1;
    if (cuModuleGetFunction(&kernel, module, "k")) return 1;
    int n = 1;
    void *arguments[] = {&n};
    for (int i = 0; i < 2; i++) printf("%d\n", cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0));
    return 0;
}
END
expect 0 '' -- warpglass cc drives.cpp -lcuda -o drives
expect 0 "kernel k was not launched: .*:6: error: unsupported instruction 'vadd.*CUDA_ERROR_NOT_SUPPORTED" -- ./drives
[[ $(grep -c 'not launched' "$stderr") == 1 && $(tr -d '\n' < "$stdout") == 801801 ]] || fail "told twice, or another code"

# Too little address space for a device.
echo '#include <cuda_runtime.h>
int main() { return cudaFree(0) == cudaErrorMemoryAllocation ? 5 : 1; }' > free.cpp
expect 0 '' -- warpglass cc free.cpp -o free
little() { (ulimit -v 2000000 && "$@"); }
expect 5 "^warpglass: no address space for the device's memory: it needs at least [0-9]+ MiB besides .* may have [0-9]+ \(ulimit -v\)$" -- little ./free

# No thread to be had for what streams call.
cat > threadless.cpp << 'END'
#include <cuda_runtime.h>
#include <stdio.h>
#include <sys/resource.h>
static void add(void *sum) { ++*(int *)sum; }
static void look(cudaStream_t, cudaError_t status, void *seen) { *(cudaError_t *)seen = status; }
int main() {
    int sum = 0;
    cudaError_t seen = cudaSuccess;
    struct rlimit none = {1, 1};
    puts(cudaGetErrorName(cudaFree(0)));
    setrlimit(RLIMIT_AS, &none);
    cudaLaunchHostFunc(0, add, &sum);
    cudaStreamAddCallback(0, look, &seen, 0);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%d %s\n", sum, cudaGetErrorName(seen));
}
END
expect 0 '' -- warpglass cc threadless.cpp -o threadless
expect 0 '' -- timeout 60 ./threadless
[[ $(tr '\n' ' ' < "$stdout") == 'cudaSuccess cudaErrorLaunchOutOfResources 0 cudaErrorLaunchOutOfResources ' ]] ||
    fail "host functions without a thread"

# OpenMP's library of clang may not be there. GCC's, which makefiles for nvcc name, is replaced by it: with both in a program, a
# thread's number came from the one that had not made it.
cat > parallel.cu << 'END'
#include <cstdio>
#include <omp.h>
__global__ void put(int *p, int v) { p[threadIdx.x] = v; }
int main() {
    int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
        int *p, v = 0;
        cudaMalloc(&p, sizeof(int));
        put<<<1, 1>>>(p, 1 << omp_get_thread_num());
        cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
        cudaFree(p);
        sum += v;
    }
    printf("%d\n", sum);
}
END
if ! echo '#include <omp.h>' | clang++-19 -fopenmp -fsyntax-only -x c++ - 2> omp.log; then
    printf 'int main() { return 0; }\n' > serial.cu
    warpglass cc -Xcompiler -fopenmp serial.cu -o serial 2> linked
    grep -q 'note: -fopenmp needs .*apt-get install libomp-19-dev' linked || fail "no OpenMP, and no word: $(< linked)"
    finish
fi
for words in "-fopenmp" "-Xcompiler -fopenmp" "-Xcompiler=-fopenmp,-O1 -lgomp" "-lgomp -Xcompiler -fopenmp -lgomp"; do
    # shellcheck disable=SC2086
    expect 0 '' -- warpglass nvcc $words parallel.cu -o parallel
    expect 0 '' -- ./parallel
    [[ $(< "$stdout") == 15 ]] || fail "threads are not numbered with $words: $(< "$stdout")"
done
expect 0 '' -- warpglass nvcc -Xcompiler -fopenmp -c parallel.cu -o parallel.o
expect 0 '' -- warpglass nvcc parallel.o -lgomp -o parallel
expect 0 '' -- ./parallel
[[ $(< "$stdout") == 15 ]] || fail 'threads are not numbered where -lgomp is of the link alone'
# What g++ compiled asks for GCC's entry points.
cat > half.cpp << 'END'
#include <omp.h>
int threads() {
    int n = 0;
#pragma omp parallel num_threads(3)
#pragma omp critical
    n += 1 + omp_get_thread_num();
    return n;
}
END
printf '#include <cstdio>\nint threads();\nint main() { printf("%%d\\n", threads()); }\n' > whole.cu
g++ -fopenmp -c half.cpp
expect 0 '' -- warpglass nvcc whole.cu half.o -lgomp -o whole
expect 0 '' -- ./whole
[[ $(< "$stdout") == 6 ]] || fail 'code of g++ with OpenMP'

finish
