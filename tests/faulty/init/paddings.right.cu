// Structures of every layout, with all their members written.
#include <cstdio>
#include <cstdlib>
#define FORGOTTEN 0

struct A {
    char a;
    int b;
};
struct B {
    int a;
    char b;
};
struct C {
    double a;
    int b;
};
struct D {
    int a;
    double b;
    char c;
};
struct E {
    short a;
    char b;
};
struct F {
    char a;
    short b;
    float c;
    long long d;
};
struct G {
    float2 a;
    float b;
};
struct H {
    A a;
    B b;
    char c[3];
};
struct I {
    unsigned char *p;
    bool has;
};

__device__ void set(A &x, int i) { x.a = 1, x.b = i; }
__device__ void set(B &x, int i) { x.a = i, x.b = 1; }
__device__ void set(C &x, int i) { x.a = i, x.b = 1; }
__device__ void set(D &x, int i) { x.a = i, x.b = 1, x.c = 2; }
__device__ void set(E &x, int i) { x.a = i, x.b = 1; }
__device__ void set(F &x, int i) {
    x.a = 1, x.b = i, x.c = 2;
    if (i < 0 || FORGOTTEN == 0) x.d = 3;
}
__device__ void set(G &x, int i) { x.a = make_float2(i, 1), x.b = 2; }
__device__ void set(H &x, int i) { set(x.a, i), set(x.b, i), x.c[0] = x.c[1] = x.c[2] = 7; }
__device__ void set(I &x, int i) { x.p = nullptr, x.has = i; }

template <class T> __global__ void fill(T *x) {
    T mine;
    set(mine, threadIdx.x);
    if (threadIdx.x % 2)
        x[threadIdx.x] = mine;
    else
        set(x[threadIdx.x], threadIdx.x);
}

template <class T> void run(int n) {
    T *x, *host = (T *)malloc(n * sizeof(T));
    cudaMalloc(&x, n * sizeof(T));
    fill<<<1, n>>>(x);
    cudaMemcpy(host, x, n * sizeof(T), cudaMemcpyDeviceToHost);
    printf("%d\n", ((char *)host)[0]);
    cudaFree(x);
    free(host);
}

int main() {
    for (int n : {1, 2, 3, 5, 100}) {
        run<A>(n), run<B>(n), run<C>(n), run<D>(n), run<E>(n), run<G>(n), run<H>(n), run<I>(n);
        if (FORGOTTEN == 0) run<F>(n);
    }
    if (FORGOTTEN) run<F>(100);
}
