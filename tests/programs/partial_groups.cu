// Warps that run side by side, in blocks whose last warp is not whole: nothing is stored for its absent threads. The kernel
// has no guard, so that each thread that there is stores, and only those.
#include <cstdio>

static constexpr int WORDS = 16384;
static constexpr unsigned GUARD = 0xdead;

template <int N> __global__ void lanes(unsigned *out) {
    unsigned v[N];
#pragma unroll
    for (int i = 0; i < N; i++) asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(v[i]));
    const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    for (int i = 0; i < N; i++) out[t * N + i] = v[i];
}

template <int N> __global__ void sums(unsigned *out, const unsigned *in, int rounds) {
    const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned s = t;
    for (int k = 0; k < rounds; k++) s += in[k] * 3 + (s >> 7);
    for (int i = 0; i < N; i++) out[t * N + i] = s + i;
}

/* The same in two phases: what the first one stored is read by other warps. */
template <int N> __global__ void phases(unsigned *out) {
    __shared__ unsigned words[1024];
    const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned n = blockDim.x * blockDim.y * blockDim.z;
    words[t] = t * 5;
    __syncthreads();
    const unsigned v = words[n - 1 - t];
    __syncthreads();
    for (int i = 0; i < N; i++) out[t * N + i] = v + i;
}

static unsigned *out, *in;
static int bad, shapes;

static void begin() {
    for (int i = 0; i < WORDS; i++) out[i] = GUARD;
}

static void end(const char *what, dim3 b, int per_thread) {
    const cudaError_t error = cudaDeviceSynchronize();
    const int n = b.x * b.y * b.z * per_thread;
    int stray = 0, missing = 0;
    for (int i = 0; i < n; i++) missing += out[i] == GUARD;
    for (int i = n; i < WORDS; i++) stray += out[i] != GUARD;
    shapes++;
    if (!stray && !missing && error == cudaSuccess) return;
    bad++;
    printf("%s, %u x %u x %u: %d words past the end, %d not stored (%s)\n", what, b.x, b.y, b.z, stray,
           missing, cudaGetErrorString(error));
}

template <int N> static void run(dim3 b) {
    begin();
    lanes<N><<<1, b>>>(out);
    end("lanes", b, N);
    begin();
    sums<N><<<1, b>>>(out, in, 9);
    end("sums", b, N);
    begin();
    phases<N><<<1, b>>>(out);
    end("phases", b, N);
}

int main() {
    cudaMallocManaged(&out, WORDS * sizeof *out);
    cudaMallocManaged(&in, 64 * sizeof *in);
    for (int i = 0; i < 64; i++) in[i] = i * i;
    for (int threads : {33, 97, 127, 250, 1000}) {
        run<2>(threads);
        run<5>(threads);
    }
    for (dim3 b : {dim3(3, 5, 7), dim3(10, 10)}) {
        run<2>(b);
    }
    printf("%d shapes, %d wrong\n", shapes, bad);
    return bad != 0;
}
