#!/bin/bash
# What nvcc's users write: each word is understood, or refused with a word on what to write instead.
. "$(dirname "$0")/expect.sh"
mkdir -p made
cat > kernel.cu << 'EOF'
#include <cstdio>
#ifdef LIBRARY
#define divide divide_in_library
#endif
__global__ void divide(float *x) { x[0] = x[0] / x[1] + sqrtf(x[2]); }
#ifdef LIBRARY
int value() { return 42; }
#else
int value();
int main() { printf("%d\n", value()); }
#endif
EOF
echo 'int main() { return 0; }' > one.cu
printf 'int reordered(int n) { int unused; return n; }\nint main() { return reordered(0); }\n' > warns.cu

# Libraries of objects.
expect 0 '' -- warpglass cc -DLIBRARY -lib kernel.cu -o made/libvalue.a
expect 0 '' -- warpglass cc kernel.cu -Lmade -lvalue -o value
expect 0 '' -- ./value
said '^42$'
expect 0 '' -- warpglass cc -DLIBRARY -c kernel.cu -o made/k.o
expect 0 '' -- warpglass cc --lib made/k.o
expect 0 '' -- warpglass cc kernel.cu a.a -o value
expect 0 '' -- ./value
said '^42$'
expect 0 '' -- warpglass cc --lib made/k.o
[[ $(ar t made/libvalue.a) == kernel.o && $(ar t a.a) == k.o ]] || fail "the library was not made anew: $(ar t a.a)"
expect 1 'a.a: -lib makes a library from objects' -- warpglass cc -lib a.a made/k.o
expect 2 'no file to compile' -- warpglass cc -lib

# Device code alone, and host code as text.
expect 0 '' -- warpglass cc -ptx -arch=sm_80 kernel.cu
grep -q '^.target sm_80' kernel.ptx || fail "-ptx: no PTX for sm_80"
grep -q 'div.rn.f32' kernel.ptx && grep -q 'sqrt.rn.f32' kernel.ptx || fail "-ptx: divisions and roots are not exact"
expect 0 '' -- warpglass cc --ptx --use_fast_math -prec-sqrt=true kernel.cu -o made/fast.ptx -MMD
grep -q 'div.approx.ftz.f32' made/fast.ptx && grep -q 'sqrt.rn.ftz.f32' made/fast.ptx || fail "--use_fast_math -prec-sqrt=true"
grep -q '^made/fast.ptx: kernel.cu$' made/fast.d || fail "-MMD of -ptx: $(cat made/fast.d)"
expect 0 '' -- warpglass cc -ptx -ftz=true --prec-div=false kernel.cu -o made/fast.ptx
grep -q 'div.full.ftz.f32' made/fast.ptx || fail "-ftz=true --prec-div=false"
expect 2 'ftz=yes: expected true or false' -- warpglass cc -ftz=yes kernel.cu
expect 2 'ptx with -o writes one file, but there are 2' -- warpglass cc -ptx kernel.cu one.cu -o one.ptx
printf 'int main() { return 0; }\n' > host.cpp
expect 1 'host.cpp: -ptx is for CUDA source' -- warpglass cc -ptx host.cpp
expect 0 '' -- warpglass cc -E one.cu
said '^int main\(\) \{ return 0; \}$'
expect 0 '' -- warpglass cc -E -Xcompiler -P host.cpp -o made/host.i
[[ $(cat made/host.i) == "int main() { return 0; }" ]] || fail "-E -o: $(cat made/host.i)"

# Sizes from a makefile: no header has names that they could take the meaning of.
cat > sizes.cu << 'EOF'
#define tile 16
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <mma.h>
__global__ void add(float *to) { to[threadIdx.x] += A * (K + C) + tile + sqrtf(n) + __half2float(__float2half(M)) + F; }
int main() {
    float *to, all[N] = {};
    cudaMalloc(&to, sizeof all);
    cudaMemset(to, 0, sizeof all);
    add<<<1, N>>>(to);
    cudaMemcpy(all, to, sizeof all, cudaMemcpyDeviceToHost);
    return all[m] != 2 * (3 + 4) + 16 + 5 + 6 + 7;
}
EOF
expect 0 '' -- warpglass run -DN=32 -DA=2 -DK=3 -DC=4 -Dn=25.0f -DM=6.0f -DF=7 -Dm=31 -Di -Dk=1 -DT=int -DBLOCK_SIZE=16 sizes.cu

# Files of options, one in another, with quotes.
printf -- '-O2 -DTEXT=\\"a\\ b\\"\n--options-file made/more kernel.cu' > options
printf -- "-DMORE='1 + 1' -DLIBRARY -c" > made/more
expect 0 '' -- warpglass cc --options-file options -o made/k.o
[[ -s made/k.o ]] || fail "no object by a file of options"
printf 'const char *text = TEXT; int more = MORE;\nint main() { return more != 2 || text[1] != 32; }\n' > texts.cu
printf -- '-DMORE="1 + 1" -DTEXT=\\"a\\ b\\" texts.cu' > options
expect 0 '' -- warpglass run -optf options
printf -- '-optf options' > options
expect 2 'options: options files include each other in a circle' -- warpglass cc -optf options one.cu
expect 2 'nowhere: No such file' -- warpglass cc -optf=nowhere one.cu
printf -- '-- x' > options
expect 2 'not allowed in a file of options' -- warpglass cc -optf options one.cu

# Lists, as nvcc takes them: "\\," is a comma, and one in quotes is no end.
mkdir first second
echo '#define FIRST 1' > first/first.h
echo '#define SECOND 2' > second/second.h
cat > lists.cu << 'EOF'
#include "first.h"
#include "second.h"
#include TEXT
#ifdef GONE
#error
#endif
constexpr int all[] = {ALL};
static_assert(sizeof all == 3 * sizeof(int) && all[2] == 7 && ADD(1, 2) == 3 && sizeof COMMA == 4 && TWO == FIRST + 1);
int main() { return FIRST + SECOND - 3; }
EOF
for all in 'ALL=5\,6\,7' ALL=5,6,7; do
    expect 0 '' -- warpglass run -Ifirst,second -D "$all,TWO=2,GONE" -U KEPT,GONE '-DADD(a\,b)=a+b' '-DCOMMA="a,b"' \
        '-DTEXT="first.h"' --pre-include=cstdio,cstdlib -lm,dl -Lfirst,second lists.cu
done
printf -- '-Ifirst,second' > one.options
printf -- "-DALL=5\\\\,6\\\\,7 '-DADD(a,b)=a+b' '-DCOMMA=\"a,b\"' '-DTEXT=\"first.h\"' -DTWO=2" > two.options
expect 0 '' -- warpglass run --options-file one.options,two.options lists.cu
expect 2 'nowhere: No such file' -- warpglass cc -optf one.options,nowhere lists.cu
for option in "-I," "-U," "-l,," "--pre-include=,"; do
    expect 2 "option '[-a-zA-Z]+' needs a value" -- warpglass cc "$option" lists.cu
done
expect 0 '' -- warpglass run -Ifirst,,second, '-DALL=5\,6\,7' '-DADD(a,b)=a+b' '-DCOMMA="a,b"' '-DTEXT="first.h"' -DTWO=2 lists.cu

# Warnings: kinds are a word of their own, files are files.
expect 1 'unused variable.*-Werror' -- warpglass cc -Wall -Werror all-warnings warns.cu -o warns
expect 1 'unused variable.*-Werror' -- warpglass cc -Wall --Werror=all-warnings warns.cu -o warns
expect 1 'unused variable.*-Werror' -- warpglass cc -Wall -Werror warns.cu -o warns
expect 0 'unused variable' -- warpglass cc -Wall -Werror reorder,cross-execution-space-call warns.cu -o warns
expect 0 '' -- warpglass cc -Wno-deprecated-gpu-targets --Wno-deprecated-declarations -Wreorder -Wext-lambda-captures-this \
    -Werror default-stream-launch one.cu -o one
expect 1 'Werror,-Wunused-variable' -- warpglass cc -Werror=unused-variable warns.cu -o warns

# Words for the host compiler and the linker.
for option in "-Xcompiler -Wall,-O1 -Xcompiler=-fno-strict-aliasing" "-Xlinker -rpath,/nowhere" \
    "-Xlinker --as-needed -Xlinker=-rpath -Xlinker=/nowhere" "-Xcompiler -Wl,-rpath,/nowhere" \
    "-Xcompiler -rdynamic -t 4 -restrict -extra-device-vectorization -src-in-ptx -diag-suppress 177 -Xcudafe --x" \
    "--library m --library-path . --include-path inc --debug --optimize 2 --x cu --undefine-macro A -code=sm_90"; do
    # shellcheck disable=SC2086
    expect 0 '' -- warpglass cc $option one.cu -o one
    expect 0 '' -- ./one
done
expect 0 '' -- warpglass cc -Xcompiler "-Wall -O1" one.cu -o one
expect 0 '' -- warpglass cc -Xlinker -rpath,/nowhere one.cu -o one
readelf -d one | grep -q '/nowhere' || fail "-Xlinker -rpath,/nowhere is lost"
expect 0 '' -- warpglass cc -Xcompiler -Wl,-rpath,/somewhere one.cu -o one
readelf -d one | grep -q '/somewhere' || fail "-Xcompiler -Wl,-rpath,/somewhere is lost"

# Architectures: whatever there is, and the newest of several.
for arch in native all all-major; do expect 0 '' -- warpglass run -arch=$arch one.cu; done
expect 0 '' -- env WARPGLASS_ARCH=sm_70 "$WARPGLASS" cc -ptx -arch native kernel.cu
grep -q '^.target sm_70' kernel.ptx || fail "-arch native is not the machine modelled"
# What an architecture lacks is one error and a note, not an error for each use in a header.
cat > product.cu << 'END'
#include <mma.h>
using namespace nvcuda::wmma;
__global__ void product(half *a, half *b, float *c) {
    fragment<matrix_a, 16, 16, 16, half, row_major> left;
    fragment<matrix_b, 16, 16, 16, half, col_major> right;
    fragment<accumulator, 16, 16, 16, float> sum;
    load_matrix_sync(left, a, 16);
    load_matrix_sync(right, b, 16);
    load_matrix_sync(sum, c, 16, mem_row_major);
    mma_sync(sum, left, right, sum);
    store_matrix_sync(c, sum, 16, mem_row_major);
}
__global__ void only_store(float *c, const fragment<accumulator, 16, 16, 16, float> *sum) {
    store_matrix_sync(c, *sum, 16, mem_row_major);
}
END
expect 0 '' -- warpglass cc -ptx -arch=sm_70 product.cu
expect 1 '^warpglass: note: this and [0-9]* more like it need compute capability 7.0 or newer: compile with -arch=sm_70$' -- \
    warpglass cc -ptx -arch=sm_60 product.cu
grep -c 'error: ' "$stderr" | grep -qx 1 || fail "errors: $(cat "$stderr")"
grep -q "error: '__hmma_[a-z0-9_]*' needs target feature sm_70$" "$stderr" || fail "$(cat "$stderr")"
expect 0 '' -- warpglass cc -ptx -gencode arch=compute_70,code=sm_70 -gencode arch=compute_86,code=[sm_86,compute_86] \
    -gencode=arch=compute_75,code=sm_75 kernel.cu
grep -q '^.target sm_86' kernel.ptx || fail "-gencode: not the newest: $(grep target kernel.ptx)"

# Files of device code, kept.
mkdir -p kept
expect 0 '' -- warpglass cc --keep --keep-dir kept kernel.cu -DLIBRARY -c -o made/k.o
grep -q '^.target sm_90' kept/kernel.ptx || fail "--keep --keep-dir kept"
expect 1 '--keep: cannot write nowhere/one.ptx' -- warpglass cc -save-temps -keep-dir nowhere one.cu -c

# Macros and folders behind -Xcompiler are device code's, too; -G is told of.
mkdir -p folder
echo '#define IN_FOLDER 1' > folder/in_folder.h
cat > both.cu << 'EOF'
#include <in_folder.h>
#if !defined(HOST_DEFINE) || !defined(__CUDACC_DEBUG__) || !IN_FOLDER
#error "not seen"
#endif
int main() { return 0; }
EOF
expect 0 'note: -G' -- warpglass cc -G -Xcompiler -DHOST_DEFINE --compiler-options=-Ifolder both.cu -o both
expect 0 'note: -G' -- warpglass cc -G -Xcompiler=-DHOST_DEFINE,-Ifolder both.cu -o both
expect 1 'not seen' -- warpglass cc -Xcompiler -DHOST_DEFINE,-Ifolder both.cu -o both

# What programs ask of the compiler, and use without asking for it.
cat > asks.cu << 'EOF'
#if __CUDACC__ != 1 || __CUDACC_VER_MAJOR__ != 13 || __CUDA_API_VER_MAJOR__ != 13 || __CUDA_ARCH_LIST__ != 800
#error "no version"
#endif
#if !defined(__CUDACC_EXTENDED_LAMBDA__) || !defined(__CUDACC_RELAXED_CONSTEXPR__) || !defined(__CUDA_RUNTIME_H__)
#error "no mark"
#endif
__global__ void k(uint32_t *x) { *x = clock() != 0; }
int main() {
    clock_t before = clock();
    uintptr_t now = (uintptr_t)time(0);
    auto lambda = [] __host__ __device__(int x) { return x; };
    static_assert(!__nv_is_extended_host_device_lambda_closure_type(decltype(lambda)), "clang's are as they are");
    static_assert(CUDA_R_32F == (cudaDataType_t)0 && MAJOR_VERSION == (libraryPropertyType)0, "NVIDIA's curand.h needs these");
    printf("%d\n", (int)(before >= 0 && now > 0));
}
EOF
expect 0 '' -- warpglass run -arch=sm_80 --extended-lambda --expt-relaxed-constexpr asks.cu
said '^1$'

# Stream 0 is each thread's own: what one thread waits for, another launches.
cat > threads.cu << 'EOF'
#include <atomic>
#include <cstdio>
#include <thread>
__global__ void spin(volatile int *flag) { while (!*flag) {} }
__global__ void set(volatile int *flag) { *flag = 1; }
int main() {
    int *flag; std::atomic<bool> launched{false};
    cudaMallocHost(&flag, sizeof *flag); *flag = 0;
    std::thread a([&] { spin<<<1,1>>>(flag); launched = true; cudaStreamSynchronize(0); });
    while (!launched) {}
    set<<<1,1>>>(flag); cudaStreamSynchronize(0);
    a.join();
    puts("both");
}
EOF
expect 0 '' -- warpglass run -default-stream=per-thread --timeout 60 threads.cu
said '^both$'
expect 124 'stopped after 0.5 seconds' -- warpglass run --default-stream legacy --timeout 0.5 threads.cu
expect 2 'default-stream=mine: expected legacy, null or per-thread' -- warpglass run -default-stream=mine threads.cu

# What has no meaning here says what has.
refused() { expect 2 "option '$1' of 'cc': .*$2" -- warpglass cc "$1" one.cu; }
refused -cuda '-E writes preprocessed code'
refused -m32 'programs of 64 bits'
expect 2 "unknown option '--resource-use' of 'cc': did you mean '--resource-usage'" -- warpglass cc --resource-use one.cu
# nvcc's word, and no library called "ib".
for command in run profile check occupancy; do
    for word in -lib --lib; do
        expect 2 "option '$word' of '$command': \"warpglass cc $word\" makes libraries" -- warpglass $command $word one.cu
    done
done
finish
