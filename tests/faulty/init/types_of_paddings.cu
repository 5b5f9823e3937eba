// Structures that are padded beside arrays and structures in which as much was forgotten.
// expect: uninitialised-copy line 72
// expect: uninitialised-copy line 73
// options: --only init
// says: 256 of the 1024 bytes copied were never written, the first of them at byte 12
// says: 192 of the 256 bytes copied
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>
#define FORGOTTEN 1

struct small {
    char a;
    int b;
};
struct nested {
    small s[3];
    double d;
    char c;
};
struct range {
    double sum;
    float first, last;
};
struct rgba {
    unsigned char r, g, b, a;
};
using pair = std::pair<long long, short>;

__device__ void set(small &x, int i) { x.a = 1, x.b = i; }
__device__ void set(nested &x, int i) {
    for (small &s : x.s) set(s, i);
    x.d = i, x.c = 2;
}
__device__ void set(pair &x, int i) { x.first = i, x.second = 5; }
__device__ void set(range &x, int i) {
    x.sum = i, x.first = 1;
    if (i < 0 || !FORGOTTEN) x.last = 2;
}
__device__ void set(rgba &x, int i) {
    x.r = i;
    if (i < 0 || !FORGOTTEN) x.g = x.b = x.a = 3;
}

template <class T> __global__ void fill(T *x) {
    T mine;
    set(mine, threadIdx.x);
    if (threadIdx.x % 2)
        new (&x[threadIdx.x]) T(mine);
    else
        set(x[threadIdx.x], threadIdx.x);
}

#define RUN(T, n)                                                                                            \
    {                                                                                                        \
        T *x, *host = (T *)malloc(n * sizeof(T));                                                            \
        cudaMalloc(&x, n * sizeof(T));                                                                       \
        fill<<<1, n>>>(x);                                                                                   \
        cudaMemcpy(host, x, n * sizeof(T), cudaMemcpyDeviceToHost);                                          \
        printf("%d\n", ((char *)host)[0]);                                                                   \
        cudaFree(x);                                                                                         \
        free(host);                                                                                          \
    }

int main() {
    for (int n : {1, 2, 5, 64}) {
        RUN(small, n)
        RUN(nested, n)
        RUN(pair, n)
    }
    RUN(range, 64)
    RUN(rgba, 64)
}
