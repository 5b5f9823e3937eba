/* data_stores: stores in lanes that what was loaded selects: none, few, half, nearly all and all of a warp's, in blocks with
 * a part of a warp, of 4 and 8 bytes, and in place.
 */
#include "program.h"

template <class T> __global__ void chosen(const int *key, const T *in, T *out, int n, int below) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && key[i] < below) out[i] = in[i];
}

template <class T> __global__ void lowered(const T *in, T *out, int n, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
              i = y * width + x;
    if (x >= width || i >= n) return;
    const T sum = in[i] + in[y * width];
    if (sum < out[i]) out[i] = sum;
}

/* Pairs of a bitonic sort. */
template <class T> __global__ void swapped(T *a, int apart, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ apart;
    if (i >= n || other <= i) return;
    const T low = a[i], high = a[other];
    if (low > high) {
        a[i] = high;
        a[other] = low;
    }
}

static int wrong;

template <class T> static void compare(const char *what, const T *got, const T *want, int n) {
    for (int i = 0; i < n; i++)
        if (got[i] != want[i] && wrong++ < 5)
            printf("%s: element %d is %g, not %g\n", what, i, (double)got[i], (double)want[i]);
}

template <class T> static void check(const char *type) {
    const int n = 5000, width = 100, pairs = 4096;
    int *key;
    T *in, *out, *want = new T[n];
    cudaMallocManaged(&key, n * sizeof *key);
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    for (int i = 0; i < n; i++) key[i] = (int)(i * 2654435761u >> 8) % 1000, in[i] = (T)(key[i] * 7 % 501);
    for (int below : {0, 1, 30, 100, 300, 560, 600, 900, 990, 1000})
        for (int threads : {256, 100}) {
            for (int i = 0; i < n; i++) out[i] = (T)-1, want[i] = key[i] < below ? in[i] : (T)-1;
            chosen<<<(n + threads - 1) / threads, threads>>>(key, in, out, n, below);
            cudaDeviceSynchronize();
            compare("chosen", out, want, n);
        }
    for (dim3 block : {dim3(32, 8), dim3(16, 16), dim3(128, 1)}) {
        for (int i = 0; i < n; i++) {
            T sum = in[i] + in[i / width * width];
            out[i] = (T)(key[(i * 7) % n] % 700), want[i] = sum < out[i] ? sum : out[i];
        }
        lowered<<<dim3((width + block.x - 1) / block.x, (n / width + block.y - 1) / block.y), block>>>(
            in, out, n, width);
        cudaDeviceSynchronize();
        compare("lowered", out, want, n);
    }
    for (int apart = 1; apart < pairs; apart *= 2) {
        for (int i = 0; i < pairs; i++) out[i] = in[i];
        for (int i = 0; i < pairs; i++) {
            T a = in[i & ~apart], b = in[i | apart];
            want[i] = (i & apart) == 0 ? (a > b ? b : a) : (a > b ? a : b);
        }
        swapped<<<pairs / 128, 128>>>(out, apart, pairs);
        cudaDeviceSynchronize();
        compare("swapped", out, want, pairs);
    }
    printf("%s: %s\n", type, wrong ? "wrong" : "right");
    delete[] want;
}

int main() {
    check<int>("int");
    check<float>("float");
    check<double>("double");
    check<long long>("long long");
    return wrong != 0;
}
