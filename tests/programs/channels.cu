/* channels: bytes three and four apart, as one channel of an image with interleaved channels is loaded, by whole warps,
 * by those of which some lanes have left, and up to the last byte of an allocation.
 */
#include "program.h"

template <int N> __global__ void one(const unsigned char *in, unsigned *out, int pixels, int channel) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = in[N * i + channel];
}

template <int N> __global__ void grey(const unsigned char *in, unsigned char *out, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        out[i] = (unsigned char)(0.25f * in[N * i] + 0.5f * in[N * i + 1] + 0.25f * in[N * i + 2]);
}

/* All lanes, signed, and every second warp's lanes in part. */
template <int N> __global__ void deepest(const signed char *in, int *out, int channel, int apart) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int low = in[N * i + channel];
    if (i % 64 < apart) low += in[N * i];
    out[i] = low;
}

static int wrong;

static void compare(const char *what, int n, size_t i, int got, int want) {
    if (got != want && wrong++ < 5)
        printf("%s, %d channels: pixel %zu is %d, not %d\n", what, n, i, got, want);
}

template <int N> static void check(int pixels) {
    const size_t bytes = (size_t)pixels * N, room = (bytes + 4095) / 4096 * 4096;
    unsigned char *whole, *back;
    unsigned *out;
    cudaMallocManaged(&whole, room);
    cudaMallocManaged(&back, pixels);
    cudaMallocManaged(&out, pixels * sizeof *out);
    unsigned char *in = whole + (room - bytes); /* its last byte is the allocation's */
    for (size_t i = 0; i < bytes; i++) in[i] = (unsigned char)(i * 2654435761u >> 13);
    const int blocks = (pixels + 95) / 96;
    for (int c = 0; c < N; c++) {
        one<N><<<blocks, 96>>>(in, out, pixels, c);
        cudaDeviceSynchronize();
        for (int i = 0; i < pixels; i++) compare("one", N, i, (int)out[i], in[N * i + c]);
        for (int apart : {0, 1, 40, 64}) {
            deepest<N><<<pixels / 64, 64>>>((const signed char *)in, (int *)out, c, apart);
            cudaDeviceSynchronize();
            for (int i = 0; i < pixels / 64 * 64; i++) {
                int want = (signed char)in[N * i + c];
                compare("deepest", N, i, (int)out[i], want + (i % 64 < apart ? (signed char)in[N * i] : 0));
            }
        }
    }
    grey<N><<<blocks, 96>>>(in, back, pixels);
    cudaDeviceSynchronize();
    for (int i = 0; i < pixels; i++) {
        float sum = 0.25f * in[N * i] + 0.5f * in[N * i + 1] + 0.25f * in[N * i + 2];
        compare("grey", N, i, back[i], (unsigned char)sum);
    }
    printf("%d channels, %d pixels: %s, %s\n", N, pixels, wrong ? "wrong" : "right",
           cudaGetErrorString(cudaGetLastError()));
    cudaFree(whole);
    cudaFree(back);
    cudaFree(out);
}

int main() {
    for (int pixels : {64, 1024, 4096, 1111}) {
        check<3>(pixels);
        check<4>(pixels);
    }
    return wrong != 0;
}
