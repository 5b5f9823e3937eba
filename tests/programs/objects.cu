/* objects: virtual functions, function pointers, recursion, templates, lambdas, and classes in device code.
 */
#include "program.h"

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
    __device__ int corners() const override { return 4; }
};
struct Triangle : Shape {
    float base, height;
    __device__ Triangle(float b, float h) : base(b), height(h) {}
    __device__ float area() const override { return base * height / 2; }
    __device__ int corners() const override { return 3; }
};
struct Disk : Shape {
    float r;
    __device__ explicit Disk(float radius) : r(radius) {}
    __device__ float area() const override { return 3 * r * r; }
};

__global__ void make(Shape **shapes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i % 3 == 0)
        shapes[i] = new Square(i);
    else if (i % 3 == 1)
        shapes[i] = new Triangle(i, 2);
    else
        shapes[i] = new Disk(i);
}
__global__ void measure(Shape **shapes, float *areas, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) areas[i] = shapes[i]->area() + 0.5f * shapes[i]->corners();
    if (i < n) delete shapes[i];
}

typedef int (*Operation)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
__device__ Operation table[3] = {plus, minus, times};
__device__ Operation chosen = minus;

__global__ void by_table(int *out) {
    int i = threadIdx.x;
    out[i] = table[i % 3](i, 7);
}
__global__ void by_argument(Operation f, int *out) { out[threadIdx.x] = f(threadIdx.x, 5); }

__device__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
__device__ bool odd(unsigned n);
__device__ bool even(unsigned n) { return n == 0 || odd(n - 1); }
__device__ bool odd(unsigned n) { return n != 0 && even(n - 1); }
__global__ void recursive(unsigned *out) {
    unsigned i = threadIdx.x;
    out[i] = fibonacci(i % 12) * 1000 + ackermann(2, i % 4) * 10 + even(i * 3);
}

/* Quick sort, each thread a piece of its own. */
__device__ void sort(int *a, int low, int high) {
    if (low >= high) return;
    int pivot = a[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j], a[j--] = t;
        }
    }
    sort(a, low, j);
    sort(a, i, high);
}
__global__ void sort_pieces(int *a, int n) { sort(a + threadIdx.x * n, 0, n - 1); }

template <int N> struct Power {
    __device__ static long long of(long long x) { return x * Power<N - 1>::of(x); }
};
template <> struct Power<0> {
    __device__ static long long of(long long) { return 1; }
};
template <typename T, typename F> __global__ void map(T *out, int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = f(i);
}
template <typename... T> __device__ int sum_all(T... v) { return (v + ... + 0); }

int main() {
    cudaDeviceSetLimit(cudaLimitStackSize, 16384); /* even() and odd() call each other 93 deep */
    Array<Shape *> shapes(100);
    Array<float> areas(100);
    make<<<2, 64>>>(shapes, 100);
    measure<<<2, 64>>>(shapes, areas, 100);
    show("areas", areas);
    Array<int> out(64), pieces(32 * 50);
    by_table<<<1, 64>>>(out);
    show("table", out, 6);
    Operation f;
    CALL(cudaMemcpyFromSymbol(&f, chosen, sizeof f));
    by_argument<<<1, 64>>>(f, out);
    show("argument", out);
    Array<unsigned> r(64);
    recursive<<<1, 64>>>(r);
    show("recursion", r, 12);
    uint32_t state = 11;
    for (size_t i = 0; i < pieces.n; i++) pieces[i] = next_random(state) >> 4;
    sort_pieces<<<1, 32>>>(pieces, 50);
    show("sorted", pieces);
    Array<long long> powers(1000);
    int scale = 3;
    map<<<3, 100>>>(powers.p, 1000, [=] __device__(int i) { return Power<5>::of(i % 50) * scale; });
    show("powers", powers);
    map<<<3, 100>>>(powers.p, 1000,
                    [] __device__(int i) -> long long { return sum_all(i, i + 1, 2 * i, 7); });
    show("sums", powers);
    return 0;
}
