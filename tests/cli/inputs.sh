#!/bin/bash
# Wrong files, and what they get: a message that names the file, a status that is not 0, nothing left behind.
. "$(dirname "$0")/expect.sh"
mkdir folder empty_tmp
touch empty.cu empty
echo 'int main() { return 0; }' > good.cu
export TMPDIR=$scratch/empty_tmp

for command in "run" "cc -o out"; do
    # shellcheck disable=SC2086
    expect 1 "missing.cu: no such file" -- warpglass $command missing.cu
    # shellcheck disable=SC2086
    expect 1 "folder: this is a folder" -- warpglass $command folder
    # shellcheck disable=SC2086
    expect 1 "empty.cu: this file is empty" -- warpglass $command empty.cu
done
expect 1 "./missing: no such file" -- warpglass run ./missing
expect 1 "empty: this file is empty" -- warpglass run empty
expect 1 "not_there.h" -- warpglass run -include not_there.h good.cu

printf 'not a program\n' > text
expect 126 "text: this is not a program. .*-x cu text" -- warpglass run text
chmod +x text
expect 126 "text: this is not a program" -- warpglass run text
echo 'print(1)' > script.py
expect 126 'script.py: this is a Python script' -- warpglass run script.py
printf '#!/bin/sh\necho ran\n' > script
expect 126 "script: this file is not executable" -- warpglass run script
chmod +x script
expect 0 '' -- warpglass run script
head -c 100 "$WARPGLASS" > half
chmod +x half
"$WARPGLASS" run ./half > "$stdout" 2> "$stderr" && fail "half a program ran"
[[ -s $stderr ]] || fail "half a program: no message"

printf '.version 8.0\n.target sm_90\n' > kernel.ptx
expect 1 "PTX is device code only" -- warpglass run kernel.ptx
echo words > words.txt
expect 1 "words.txt: unknown type of file" -- warpglass cc words.txt -o out

# Headers of NVIDIA's libraries (one that a toolkit does not have): which library it is, and what to do. A toolkit's folder does
# not replace our own headers.
printf '#include <cutensor.h>\nint main() { return 0; }\n' > library.cu
mkdir toolkit
echo '#error of the toolkit' > toolkit/cuda_runtime.h
echo 'what is this' > toolkit/cutensor.h
expect 1 'note: cutensor.h belongs to cuTENSOR' -- warpglass run -Itoolkit library.cu
mkdir alone && cp toolkit/cutensor.h alone
expect 1 'note: cutensor.h belongs to cuTENSOR' -- warpglass run -Ialone library.cu
printf '#include <cuda_runtime.h>\nint main() { return 0; }\n' > ours.cu
expect 0 '' -- warpglass run -Itoolkit ours.cu
printf '#include <cutlass/cutlass.h>\nint main() { return 0; }\n' > library.cu
expect 1 'note: cutlass/cutlass.h belongs to CUTLASS: add the folders' -- warpglass run library.cu
printf '#include <omp.h>\nint main() { return 0; }\n' > library.cu
if ! warpglass run library.cu 2> said; then
    grep -q 'note: omp.h belongs to OpenMP: on Debian, apt-get install libomp-19-dev' said || fail "no note on omp.h"
fi
printf '#include <thrust/nothing.h>\nint main() { return 0; }\n' > library.cu
expect 1 'note: thrust/nothing.h belongs to Thrust: on Debian, apt-get install libcub-dev' -- warpglass run library.cu
printf '#include <cuda/std/nothing>\nint main() { return 0; }\n' > library.cu
expect 1 'note: cuda/std/nothing belongs to libcu++' -- warpglass run library.cu

# nvcc and gcc take a word that C++17 does not have.
echo '__global__ void k(int *out) { register int x = 1; *out = x; } int main() { register int x = 0; return x; }' > word.cu
expect 0 '' -- warpglass run -std=c++17 word.cu
echo 'int main() { register int x = 0; return x; }' > word.cpp
expect 0 '' -- warpglass cc -std=c++17 word.cpp -o word

# The driver's functions have types, which CUTLASS asks for.
cat > types.cu << 'END'
#include <cudaTypedefs.h>
int main() {
    void *p = nullptr;
    cudaDriverEntryPointQueryResult how;
    if (cudaGetDriverEntryPointByVersion("cuDriverGetVersion", &p, 12000, cudaEnableDefault, &how)) return 1;
    int version = 0;
    PFN_cuMemAlloc_v3020 alloc = cuMemAlloc;
    PFN_cuTensorMapEncodeIm2col_v12000 im2col = cuTensorMapEncodeIm2col;
    return ((PFN_cuDriverGetVersion_v2020)p)(&version) || version < 12000 || !alloc || !im2col;
}
END
expect 0 '' -- warpglass run types.cu -lcuda

# Launches as editors space them out; what is text stays. nvcc's programs have time() without asking for it.
mkdir -p spaced
cat > spaced/launch.h << 'END'
template <class T> __global__ void set(T *p, T v) { *p = v; }
template <class T> void launch(T *p) { set<T> << <dim3(1), 1, 0 >> > (p, 7); }
END
cat > spaced/main.cu << 'END'
#include "launch.h"
#include <cstdio>
#include <vector>
#include <string>
int main() { // a << <comment>> >
    int *p, n = 10'000, w;
    cudaMallocManaged(&p, 4);
    set<<<{1, 1}, {(unsigned)n / n, 1}, 0>>>(p, 4); set << < 1, {1}>> >(p, 5); puts("<< < \" >> >");
    cudaDeviceSynchronize(), w = *p;
    launch(p);
    std::vector<std::vector<int> > v(3 >> 1, {n >> 2 > 1});
    cudaDeviceSynchronize();
    printf("%d %d %c %s %d\n", w, *p, '"', R"x(>> >" << <)x", time(0) > 0); set<<< 1, 1 >>> (p, n << 1);
    return UNKNOWN;
}
END
expect 0 '' -- warpglass run -std=c++17 -DUNKNOWN=0 spaced/main.cu
said '^<< < " >> >$'
said '^5 7 " >> >" << < 1$'
expect 1 'spaced/main.cu:14:12: error: use of undeclared identifier .UNKNOWN.' -- warpglass run -std=c++17 spaced/main.cu
! grep -q 'expected expression' "$stderr" || fail "messages of launches that are taken"

# Initialisers of arrays of variable size, as g++ takes them.
cat > variable.cu << 'END'
#include <algorithm>
#include <cstdio>
__global__ void set(int *p) { *p = 3; }
static void show(int n, int q) {
    float row[n] = {1, 2.5}, other = 4;
    const int pairs[2][n] = {
        {1, q}, // "}"
        {3} /* ; */ };
    unsigned char deep[2][n][3] = {{{1, 255, 3}, {4}}, {{7, 8}}};
    const char *names[n] = {"a,]}", "b;"}, *fixed[] = {"c"};
    const char *const pinned[n] = {"d"}, *const *list = pinned;
    double none[n + 1] = {};
    struct Pair {
        int a;
        float b;
    } given[n] = {{1, 2}, {q + 3, 4}};
    if (given[1].a != 5 || given[1].b != 4 || given[2].a != 0) printf("structures\\n");
    printf("%g %g %g %d %d %d\n", row[1], row[n - 1], other, pairs[0][1], pairs[1][0], pairs[1][1]);
    printf("%d %d %d %s %s %s %g %zu\n", deep[0][0][1], deep[1][0][1], deep[1][2][2], names[0], names[1], *list, none[n], sizeof deep);
}
int main() {
    int *p, sizes[] = {1, 3, 2};
    cudaMallocManaged(&p, 4);
    set<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    show(*std::max_element(sizes, sizes + *p), 2);
}
END
expect 1 'variable.cu:5:1[0-9]: error: variable-sized object may not be initialized' -- warpglass run variable.cu
sed -i 's/, other = 4;/; float other = 4;/; s/, \*fixed\[\]/; const char *fixed[]/; s/, \*const \*list/; const char *const *list/' variable.cu
expect 0 '' -- warpglass run variable.cu
said '^2.5 0 4 2 3 0$'
said '^255 8 0 a,]} b; d 0 18$'

# Operands of inline PTX without a comma between them.
cat > operands.cu << 'END'
#include <cstdio>
__global__ void add(int *p, int a) {
    int sum;
    asm volatile("add.s32 %0, %1, %2;" : "=r"(sum) : "r"(a) "r"(p[0]) : "memory");
    asm volatile("st.global.s32 [%1], %0;" ::"r"(sum)
                 "l"(p) : "memory");
}
int main() {
    int *p, x = 3;
    cudaMalloc(&p, 4);
    cudaMemcpy(p, &x, 4, cudaMemcpyDefault);
    add<<<1, 1>>>(p, 4);
    cudaMemcpy(&x, p, 4, cudaMemcpyDefault);
    printf("%d\n", x);
}
END
expect 0 '' -- warpglass run operands.cu
said '^7$'

# Inline PTX names registers with a single %, a template's templates do without `template`, and a function of the
# device is declared without __device__: in a header, too, and twice in a line.
mkdir -p spelled
cat > spelled/cast.h << 'END'
/* Declared for all. */
int add(int, int);
#define LANES(x) asm("mov.u32 %0, %lanemask_le;" : "=r"(x))
template <class D, class S> struct Cast {
    template <int n> __device__ static void all(D *d, const S *s) { for (int i = 0; i < n; i++) d[i] = s[i]; }
};
template <class D, class S, int n> __device__ void cast(D *d, const S *s) { Cast<D, S>::all<n>(d, s); }
END
cat > spelled/main.cu << 'END'
#include "cast.h"
#include <cstdio>
__global__ void k(int *out, const char *in) {
    unsigned lane, mask, sum;
    cast<int, char, 3>(out, in);
    asm("mov.u32 %0, %laneid;" : "=r"(lane)); LANES(mask);
    asm("{\n\t.reg .u32 %two;\n\t"
        "mov.u32 %two, 2; add.u32 %0, %two, %1;\n\t}" : "=r"(sum) : "r"(5));
    out[3] = add(lane, mask), out[4] = sum;
}
__device__ int add(int a, int b) { return a + b; }
int main() {
    int *out;
    char *in;
    cudaMallocManaged(&out, 20), cudaMallocManaged(&in, 3);
    in[0] = 3, in[1] = -4, in[2] = 5;
    k<<<1, 1>>>(out, in);
    cudaDeviceSynchronize();
    printf("%d %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4]);
    return UNKNOWN;
}
END
expect 0 '' -- warpglass run -DUNKNOWN=0 spelled/main.cu
said '^3 -4 5 1 7$'
expect 1 'spelled/main.cu:20:12: error: use of undeclared identifier .UNKNOWN.' -- warpglass run spelled/main.cu
# Pragmas that macros expand to, which nvcc sees in preprocessed text; variables of a block with both words.
cat > spelled/unroll.h << 'END'
#if defined(__CUDA_ARCH__)
#define UNROLL #pragma unroll // by hand
#define FOUR_TIMES # pragma unroll 4
#define EACH UNROLL
#define PUSH(x) x
#else
#define UNROLL
#define FOUR_TIMES
#define EACH
#endif
END
cat > spelled/unroll.cu << 'END'
#include "unroll.h"
#include <cstdio>
__global__ void sum(int *p) {
    __device__ __shared__ int words[32];
    __shared__ __device__ int more;
    int all = 0;
    words[threadIdx.x] = threadIdx.x, more = 1;
    __syncthreads();
    UNROLL
    for (int i = 0; i < 8; i++) all += words[i];
    FOUR_TIMES
    for (int i = 8; i < 32; i++) all += words[i];
    EACH
    for (int i = 0; i < more; i++) all++;
    *p = all;
}
int main() {
    int *p;
    cudaMallocManaged(&p, 4);
    sum<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    printf("%d\n", *p);
}
END
expect 0 '' -- warpglass run spelled/unroll.cu
said '^497$'
printf '__global__ void k() { __device__ int x; x = 1; }\nint main() {}\n' > spelled/local.cu
expect 1 'spelled/local.cu:1:23: error: .*not allowed on non-static local variables' -- warpglass run spelled/local.cu
# Functions that are for the device where nvcc compiles.
cat > spelled/both.h << 'END'
#ifdef __NVCC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
BOTH inline int twice(int x) { return 2 * x; }
END
cat > spelled/both.cu << 'END'
#include "both.h"
__global__ void k(int *p) { *p = twice(*p); }
int main() {}
END
expect 0 'note: spelled/both.h tests whether __NVCC__ is defined, as nvcc does: compiled with -D__NVCC__$' -- warpglass run spelled/both.cu
expect 0 '' -- warpglass run -D__NVCC__ spelled/both.cu
# All passes of a file are one, and so are those of the next.
printf '#include "both.h"\n#ifdef __NVCC__\nint host() { return 0; }\n#else\nint host() { return 1; }\n#endif\n__global__ void k(int *p) { *p = twice(*p); }\nint rest();\nint main() { return host() + rest(); }\n' > spelled/host.cu
printf '#ifdef __NVCC__\nint rest() { return 0; }\n#else\nint rest() { return 1; }\n#endif\n' > spelled/rest.cu
expect 0 'note: spelled/both.h tests' -- warpglass run spelled/host.cu spelled/rest.cu
# Names that are declared where nvcc compiles.
cat > spelled/declared.h << 'END'
namespace util {
#if defined(OTHER) && \
    1
int other();
#elif defined(__NVCC__)
#ifndef OTHER
template <class T>
T three(T x) { return 3 * x; }
#endif
using number = int;
#endif
int other_three();
}
END
for use in 'util::three(UNDER)' '(util::number)0' 'util::three<int>(0)'; do
    printf '#include "declared.h"\n#define UNDER 0\nint main() { return %s; }\n' "$use" > spelled/declared.cu
    expect 0 'note: spelled/declared.h tests whether __NVCC__ is defined.* -D__NVCC__' -- warpglass run spelled/declared.cu
    expect 0 '' -- warpglass run -D__NVCC__ spelled/declared.cu
done
for name in other absent; do
    printf '#include "declared.h"\nint main() { return util::%s(); }\n' $name > spelled/declared.cu
    expect 1 'error: no member named' -- warpglass run spelled/declared.cu
    not_said 'tests whether __NVCC__'
done
# What is refused where another compiler is expected.
for line in 'include <another/vendor.h>' 'error only nvcc'; do
    printf '#ifdef __NVCC__\n#include <cuda.h>\n#else\n#%s\n#endif\nint main() {}\n' "$line" > spelled/vendor.cu
    expect 0 'note: spelled/vendor.cu tests whether __NVCC__ is defined.* -D__NVCC__' -- warpglass run spelled/vendor.cu
    expect 0 '' -- warpglass run -D__NVCC__ spelled/vendor.cu
done
printf '#ifdef __NVCC__\n#endif\n#include <another/vendor.h>\n' > spelled/vendor.cu
expect 1 "fatal error: 'another/vendor.h' file not found" -- warpglass run spelled/vendor.cu
not_said 'tests whether __NVCC__'
# Not where the device has no such function: the call is the fault.
cat > spelled/host.cu << 'END'
int f(int);
__global__ void k(int *p) { *p = f(1); }
int f(int x) { return x; }
int main() {}
END
expect 1 'spelled/host.cu:2:34: error: no matching function for call to .f.' -- warpglass run spelled/host.cu

# What only kernels that launch kernels need is there for all.
cat > named.cu << 'END'
#include <cstdio>
__global__ void k(int *p) {
    *p = 1;
    if (USED) printf("%s %s\n", cudaGetErrorName(cudaPeekAtLastError()), cudaGetErrorString(cudaSuccess));
}
int main() {
    int *p;
    cudaMallocManaged(&p, 4);
    k<<<1, 1>>>(p);
    return cudaDeviceSynchronize() || cudaGetLastError() || *p != 1;
}
END
expect 0 '' -- warpglass run -DUSED=0 named.cu
expect 0 '' -- warpglass run '-DUSED=(p[1] || cudaPeekAtLastError() || !p[1])' named.cu
said '^cudaSuccess no error$'

# Launches through pointers are refused by name, in kernels and in functions.
for kind in __global__ __device__; do
    printf '%s void parent(int *p, void (*k)(int *)) { k<<<1, 1>>>(p); }\nint main() {}\n' "$kind" > pointed.cu
    expect 1 'note: device code can launch kernels by their names alone, not through pointers' -- warpglass run pointed.cu
done

# More launches than a GPU keeps waiting succeed, and are told once.
cat > waiting.cu << 'END'
__global__ void child(int *p) { atomicAdd(p, 1); }
__global__ void wide(int *p) { child<<<1, 1>>>(p); }
int main() {
    int *p;
    cudaMallocManaged(&p, 4);
    for (int i = 0; i < 2; i++) wide<<<BLOCKS, 1>>>(p);
    return cudaDeviceSynchronize() || *p != 2 * BLOCKS;
}
END
expect 0 '' -- warpglass run -DBLOCKS=2048 waiting.cu
expect 0 'note: wide\(int\*\) launched 2049 kernels; a GPU keeps 2048 waiting .*cudaErrorLaunchPendingCountExceeded$' -- \
    warpglass run -DBLOCKS=2049 waiting.cu
[[ $(wc -l < "$stderr") == 1 ]] || fail "told more than once"

# Old C is C, as with gcc.
printf 'static count = 3;\ndouble half(x) double x; { return x / 2; }\nmain() { return later(count) - 4; }\nlater(n) { return n + 1; }\n' > old.c
expect 0 'warning: .*implicit' -- warpglass cc old.c -o old
expect 0 '' -- ./old

# nvcc takes alignas behind __shared__, clang only before it; what else is wrong is still said.
cat > order.cu << 'END'
#include <cstdio>
struct alignas(double) Pair { char a, b; };
template <typename T> __global__ void k(int *out) {
    __shared__ char odd;
    __shared__ alignas(alignof(float4)) char a[4];
    __shared__ alignas(T) alignas(64) char b[4];
    *out = ((size_t)a % 16 == 0) + ((size_t)b % 64 == 0) + sizeof(Pair) + ((size_t)&odd == 1);
}
int main() {
    int *out;
    cudaMallocManaged(&out, sizeof *out);
    k<int><<<1, 1>>>(out);
    cudaDeviceSynchronize();
    return *out;
}
END
expect 10 '' -- warpglass run order.cu
printf 'typedef char byte;\n%s\n' '__global__ void k() { __shared__ alignas(16) byte a[4]; a[0] = 1; } int main() {}' > named.cu
expect 0 '' -- warpglass run named.cu
sed 's/__shared__ char odd;/& undeclared();/' order.cu > orders.cu
expect 1 "orders.cu:4:.*undeclared identifier 'undeclared'" -- warpglass run orders.cu
not_said 'attribute list'

# The compiler's own words, with the user's line, once.
printf '#include <stdio.h>\n__global__ void k(int *a) {\n    a[0] = b;\n}\nint main() { return 0; }\n' > wrong.cu
expect 1 "^wrong.cu:3:12: error: .*'b'" -- warpglass run wrong.cu
[[ $(grep -c 'error: ' "$stderr") == 1 ]] || fail "the error is told more than once"
not_said 'warpglass'
expect 1 "^wrong.cu:3:12: error" -- warpglass cc wrong.cu -o out
printf '__global__ void k() {}\nint main() {\n    return "x";\n}\n' > wrong_host.cu
expect 1 "^wrong_host.cu:3:12: error" -- warpglass run wrong_host.cu
head -c 30 wrong.cu > truncated.cu
expect 1 "^truncated.cu:2:.*error" -- warpglass run truncated.cu
warpglass cc good.cu -o whole
for bytes in 100 5000; do
    head -c $bytes whole > broken && chmod +x broken
    expect 126 "broken: the end of this executable is missing" -- warpglass run ./broken
done
printf '__global__ void k() { int unused; }\nint main() { int also; return 0; }\n' > warns.cu
expect 0 "unused variable 'unused'" -- warpglass cc -Wall warns.cu -c -o warns.o
[[ $(grep -c "unused variable" "$stderr") == 2 ]] || fail "a warning is told more than once"

[[ -z $(find . -maxdepth 1 -name out -o -name a.out) ]] || fail "something was made of wrong input"
expect 1 "out: No such file or directory|cannot open output file" -- warpglass cc good.cu -o nowhere/out
expect 2 "would overwrite the source" -- warpglass cc good.cu -o good.cu
expect 2 "-MF ./good.cu: this would overwrite the source" -- warpglass cc -c good.cu -MD -MF ./good.cu
expect 1 "-MF folder: this is a folder" -- warpglass cc -c good.cu -MD -MF folder
expect 2 "unknown arch 'compute_999'" -- warpglass cc -gencode arch=compute_999,code=sm_999 good.cu
[[ $(wc -l < "$stderr") == 1 ]] || fail "an unknown arch is told more than once"
expect 1 "folder: this is a folder" -- warpglass cc good.cu -o folder
expect 2 "there are 2 sources" -- warpglass cc -c good.cu warns.cu -o both.o

# Names are shown as they are, and their lines are found.
cat > 'a "b\c.cu' << 'END'
__global__ void k(int *a) { *a = 1; }
int main() {
    k<<<1, 1>>>(nullptr);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
END
expect 0 '^warpglass: a "b\\c.cu:1:' -- warpglass run 'a "b\c.cu'
expect 3 '' -- warpglass check 'a "b\c.cu'
said '^ +1 . __global__ void k'

# What there is not, or not with clang, says so.
cat > texture.cu << 'END'
int main() { cudaMipmappedArray_t a; return cudaFreeMipmappedArray(a); }
END
expect 0 "^texture.cu:1:45: warning: 'cudaFreeMipmappedArray.*: Warpglass does not have this function" -- warpglass cc texture.cu
cat > kernel.cu << 'END'
extern __device__ int twice(int x);
__global__ void k(int *a) { *a = twice(21); }
int main() { k<<<1, 1>>>(nullptr); return cudaGetLastError() != cudaSuccess; }
END
echo '__device__ int twice(int x) { return 2 * x; }' > twice.cu
expect 1 "function '_Z5twicei' is .*defined nowhere .*-rdc=true" -- \
    warpglass run kernel.cu twice.cu

# What device code cannot do here: launches of kernels that clang does not get to know by name.
cat > launches.cu << 'END'
__global__ void leaf(int *x) {}
__global__ void tree(int *x) {
    auto *kernel = &leaf;
    kernel<<<1, 1>>>(x);
}
int main() {}
END
expect 1 'note: device code can launch kernels by their names alone, not through pointers' -- warpglass run launches.cu
printf '__global__ void tree() { cudaDeviceSynchronize(); }\nint main() {}\n' > waits.cu
expect 1 'note: a kernel cannot wait for kernels that it launched, since CUDA 12.*cudaStreamTailLaunch' -- warpglass run waits.cu

# No compiler.
empty_path() { PATH=$scratch/folder WARPGLASS_CLANG='' "$WARPGLASS" "$@"; }
expect 1 "no clang 19 or later in PATH.*apt-get install clang-19" -- empty_path run good.cu
no_nvcc() { PATH=$scratch/folder WARPGLASS_NVCC=$scratch/no/nvcc "$WARPGLASS" "$@"; }
expect 1 "WARPGLASS_NVCC is .*which does not exist" -- no_nvcc run --compiler nvcc good.cu
no_clang() { WARPGLASS_CLANG=/nonexistent/clang "$WARPGLASS" "$@"; }
expect 1 "WARPGLASS_CLANG is /nonexistent/clang, which does not exist" -- no_clang cc good.cu

printf '#!/bin/sh\nexit 3\n' > silent
printf '#!/bin/sh\nkill -9 $$\n' > killed
chmod +x silent killed
broken_clang() { WARPGLASS_CLANG=$scratch/$1 "$WARPGLASS" cc good.cu; }
expect 3 "silent ended with status 3 and no message. Is there room in .*TMPDIR" -- broken_clang silent
expect 137 "killed was terminated by signal 9" -- broken_clang killed

# No place for temporary files.
no_tmp() { TMPDIR=/nonexistent/tmp "$WARPGLASS" "$@"; }
expect 1 "cannot make a temporary folder /nonexistent/tmp.*TMPDIR" -- no_tmp run good.cu

rmdir empty_tmp || fail "files are left in TMPDIR: $(ls empty_tmp)"
finish
