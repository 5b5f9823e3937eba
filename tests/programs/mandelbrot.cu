/* mandelbrot: how soon points of the plane escape, in double and in float: a class template with methods for
 * host and device, operators, loops that each lane leaves by itself, and a picture that the kernel prints.
 */
#include "program.h"

constexpr int W = 75, H = 41, TURNS = 200;

/* Every sum and product is rounded by itself, so that all compilers agree. */
__host__ __device__ inline double product(double a, double b) {
#ifdef __CUDA_ARCH__
    return __dmul_rn(a, b);
#else
    volatile double p = a * b;
    return p;
#endif
}
__host__ __device__ inline float product(float a, float b) {
#ifdef __CUDA_ARCH__
    return __fmul_rn(a, b);
#else
    volatile float p = a * b;
    return p;
#endif
}

template <typename T> class Complex {
  public:
    __host__ __device__ Complex(T real, T imaginary) : re(real), im(imaginary) {}
    __host__ __device__ Complex operator*(const Complex &o) const {
        return {product(re, o.re) - product(im, o.im), product(re, o.im) + product(im, o.re)};
    }
    __host__ __device__ Complex operator+(const Complex &o) const { return {re + o.re, im + o.im}; }
    __host__ __device__ T norm() const { return product(re, re) + product(im, im); }

  private:
    T re, im;
};

template <typename T> __host__ __device__ int escape(int x, int y) {
    Complex<T> c(product(T(x), T(0.046875)) - T(2.5), product(T(y), T(0.0625)) - T(1.25)), z(0, 0);
    int n = 0;
    while (n < TURNS && z.norm() <= T(4)) {
        z = z * z + c;
        n++;
    }
    return n;
}

template <typename T> __global__ void mandelbrot(int *turns) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H) turns[y * W + x] = escape<T>(x, y);
}

/* One thread, so that the lines come in order. */
__global__ void picture(const int *turns) {
    const char *shades = " .:-=+*#%@";
    for (int y = 0; y < H; y += 4) {
        char line[W / 2 + 2];
        int n = 0;
        for (int x = 0; x < W; x += 2) line[n++] = shades[min(turns[y * W + x] / 3, 9)];
        line[n] = 0;
        printf("%2d |%s|\n", y, line);
    }
}

template <typename T> static void run(const char *name) {
    Array<int> turns(W * H);
    mandelbrot<T><<<dim3((W + 15) / 16, (H + 7) / 8), dim3(16, 8)>>>(turns.p);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < W * H; i++) wrong += turns[i] != escape<T>(i % W, i / W);
    printf("%s: %d wrong\n", name, wrong);
    show(name, turns);
    if (sizeof(T) == 8) picture<<<1, 1>>>(turns.p);
    CALL(cudaDeviceSynchronize());
}

int main() {
    run<double>("double");
    run<float>("float");
    return 0;
}
