# Device code of several files (-rdc=true): functions, variables and classes of each other's, statics of one name
# that stay apart, kernels of templates that both make, and what the host does with all of it.
# shellcheck source=tests/cli/expect.sh
. "$(dirname "$0")/expect.sh"

cat > parts.cuh << 'END'
#pragma once
#include <cstdio>
struct Shape { float a; __device__ Shape(float a) : a(a) {} __device__ virtual float area() const; __device__ virtual ~Shape() {} };
struct Square : Shape { __device__ Square(float a); __device__ float area() const override; };
extern __device__ int total;
extern __constant__ float weights[4];
extern __managed__ int seen;
__device__ float weigh(int i, float x);
__device__ Shape *make_square(float a);
inline __device__ __noinline__ int thrice(int x) { return 3 * x; }
inline __device__ int calls = 0;
template <typename T> __global__ void fill(T *p, T v, int n) { int i = threadIdx.x; if (i < n) p[i] = v + thrice(i); }
template <typename T> __device__ T table[2] = {T(5), T(6)};
typedef float (*Op)(float);
extern __device__ Op op;
int other_file(int *out);
END
cat > one.cu << 'END'
#include "parts.cuh"
__device__ int total = 10;
__constant__ float weights[4];
__managed__ int seen = 7;
static __device__ int step = 1;
static __constant__ int scale[2] = {2, 3};
namespace { __device__ int hidden = 100; __global__ void bump(int *p) { p[threadIdx.x] += hidden + step; } struct Tag { int v; }; }
template <typename T> __global__ void tagged(int *p, T t) { p[threadIdx.x] += t.v; }
static __global__ void local_kernel(int *p) { static __device__ int count = 1000; p[threadIdx.x] += scale[1] + count; }
__global__ void work(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Shape *s = i % 2 ? make_square(i) : new Shape(i);
    out[i] = weigh(i, s->area()) + op(i) + table<float>[i % 2];
    atomicAdd(&total, 1), atomicAdd(&calls, 1), atomicAdd_system(&seen, 2);
    delete s;
}
int main() {
    printf("seen %d\n", seen);
    float w[4] = {1, 2, 3, 4}, *out;
    int *p, n = 50, h;
    cudaMemcpyToSymbol(weights, w, sizeof w);
    cudaMallocManaged(&out, n * 4);
    cudaMallocManaged(&p, 64 * 4);
    work<<<2, 32>>>(out, n);
    fill<<<1, 64>>>(p, 1, 64);
    bump<<<1, 64>>>(p);
    local_kernel<<<1, 64>>>(p);
    tagged<<<1, 64>>>(p, Tag{5});
    h = 50;
    cudaMemcpyToSymbol(step, &h, 4);
    bump<<<1, 64>>>(p);
    cudaDeviceSynchronize();
    printf("%g %g %d %d\n", out[0], out[49], p[0], p[63]);
    cudaMemcpyFromSymbol(&h, total, 4);
    printf("total %d seen %d", h, seen);
    cudaMemcpyFromSymbol(&h, calls, 4);
    printf(" calls %d\n", h);
    h = other_file(p);
    printf("%d %d %d %s\n", h, p[0], p[63], cudaGetErrorString(cudaGetLastError()));
}
END
cat > two.cu << 'END'
#include "parts.cuh"
static __device__ int step = 2;
static __constant__ int scale[2] = {20, 30};
namespace { __device__ int hidden = 200; __global__ void bump(int *p) { p[threadIdx.x] += hidden + step; } struct Tag { int v; }; }
template <typename T> __global__ void tagged(int *p, T t) { p[threadIdx.x] -= t.v; }
static __global__ void local_kernel(int *p) { static __device__ int count = 2000; p[threadIdx.x] += scale[1] + count; }
__device__ float Shape::area() const { return a; }
__device__ Square::Square(float a) : Shape(a) {}
__device__ float Square::area() const { return a * a; }
__device__ Shape *make_square(float a) { return new Square(a); }
__device__ float weigh(int i, float x) { return weights[i % 4] * x; }
static __device__ float half_of(float x) { return x / 2; }
__device__ Op op = half_of;
int other_file(int *p) {
    int h = 0, got;
    cudaMemset(p, 0, 256);
    fill<<<1, 64>>>(p, 2, 64);
    bump<<<1, 64>>>(p);
    local_kernel<<<1, 64>>>(p);
    tagged<<<1, 64>>>(p, Tag{5});
    cudaMemcpyToSymbol(total, &h, 4);
    h = 70;
    cudaMemcpyToSymbol(hidden, &h, 4);
    bump<<<1, 64>>>(p);
    cudaMemcpyFromSymbol(&got, step, 4);
    cudaDeviceSynchronize();
    seen = 1;
    return got;
}
END

# works PROGRAM: all that it says is right, by generated code and by the reference.
works() {
    local backend
    for backend in jit ref; do
        expect 0 '' -- env WARPGLASS_BACKEND=$backend "$1"
        [[ $(cat "$stdout") == "seen 7
5 4832.5 1260 1449
total 60 seen 107 calls 50
2 2301 2490 no error" ]] || fail "$1 says something else"
    done
}
expect 0 '' -- warpglass cc -rdc=true one.cu two.cu -o at_once
works ./at_once
expect 0 '' -- warpglass run -rdc=true one.cu two.cu
said '^2 2301 2490 no error$'
expect 0 '' -- warpglass cc -dc one.cu
expect 0 '' -- warpglass cc --relocatable-device-code=true -arch=sm_80 -O1 -g -c two.cu
expect 0 '' -- warpglass cc two.o one.o -o by_objects
works ./by_objects

# Files of one name in two folders, a library of objects, and one that is opened as the program runs.
mkdir -p sub lib
mv one.o sub
cp parts.cuh sub && cp two.cu sub/one.cu && cp one.cu lib/one.cu && cp parts.cuh lib
expect 0 '' -- env -C sub "$WARPGLASS" cc -dc one.cu -o two.o
expect 0 '' -- env -C lib "$WARPGLASS" cc -dc one.cu -o main.o
expect 0 '' -- warpglass cc -rdc=true -lib sub/one.cu -o libtwo.a
expect 0 '' -- warpglass cc lib/main.o sub/two.o -o same_names
works ./same_names
expect 0 '' -- warpglass cc -rdc=true one.cu -L. -ltwo -o by_library
works ./by_library

# Files of a library that need each other's device code, of which host code names only one; the linker of the host's, too.
cat > kernel.cu << 'END'
extern __device__ int thrice(int x);
__global__ void k(int *a) { *a = thrice(14); }
int launch() {
    int *a, got = 0;
    cudaMalloc(&a, sizeof got);
    k<<<1, 1>>>(a);
    cudaMemcpy(&got, a, sizeof got, cudaMemcpyDeviceToHost);
    return cudaFree(a) || got != 42;
}
END
echo 'extern __device__ int times(int n, int x); __device__ int thrice(int x) { return times(3, x); }' > thrice.cu
echo '__device__ int times(int n, int x) { return n * x; }' > times.cu
echo 'int launch(); int main() { return launch(); }' > starts.cpp
cp starts.cpp starts.cu
expect 0 '' -- warpglass cc -rdc=true -lib times.cu thrice.cu kernel.cu -o libkernel.a
expect 0 '' -- warpglass cc -rdc=true starts.cu libkernel.a -o starts
expect 0 '' -- ./starts
expect 0 '' -- warpglass cc starts.cpp -L. -lkernel -o starts
expect 0 '' -- ./starts
expect 0 '' -- warpglass cc -dc starts.cu
expect 0 '' -- warpglass cc -dlink starts.o libkernel.a -o linked.o
libraries=$(dirname "$WARPGLASS")/../lib/warpglass
expect 0 '' -- clang++-19 starts.o linked.o libkernel.a "$libraries/libcudart.so.13" -Wl,-rpath,"$libraries" -Wl,--allow-shlib-undefined -o starts
expect 0 '' -- ./starts

# Faults are found in either file, and the second one's device code has its lines.
sed 's/return weights\[i % 4\] \* x/return weights[i % 4] * x + *(float *)8/' two.cu > bad.cu
expect 0 'bad.cu:11:70: illegal address in kernel work' -- warpglass run -rdc=true one.cu bad.cu
expect 0 '' -- warpglass check ./at_once

# What no file has, and what two have.
cat > caller.cu << 'END'
extern __device__ int twice(int x);
__global__ void k(int *a) { *a = twice(21); }
int main() { k<<<1, 1>>>(nullptr); return cudaGetLastError() != cudaSuccess; }
END
echo '__device__ int twice(int x) { return 2 * x; }' > twice.cu
echo '__device__ int twice(int x) { return x + x; }' > again.cu
expect 1 "'_Z5twicei' is declared .extern but defined nowhere" -- warpglass run -rdc=true caller.cu
expect 1 "'_Z5twicei' .*defined" -- warpglass run -rdc=true caller.cu twice.cu again.cu

# A library that asks for the private tables of NVIDIA's driver, as NVIDIA's own do, is named.
cat > private.c << 'END'
#include <dlfcn.h>
int ask(void) {
    int (*get)(const void **, const void *) = dlsym(dlopen("libcuda.so.1", RTLD_LAZY), "cuGetExportTable");
    const void *table;
    char id[16] = {0};
    return get(&table, id);
}
END
gcc -shared -fPIC private.c -o libprivate.so
cat > asks.cu << 'END'
extern "C" int ask();
int main() { return cudaFree(0) || ask() != 801 || ask() != 801; }
END
expect 0 '' -- warpglass cc asks.cu -L. -lprivate -Xlinker -rpath,. -o asks
expect 0 "libprivate.so is made for NVIDIA's driver" -- ./asks
finish
