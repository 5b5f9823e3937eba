/* grid_phases: what blocks keep across the grid's barrier, and how they come to it: registers of all widths,
 * shared memory, warps that part before it, loops around it, barriers of the block beside it.
 */
#include "program.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void jacobi(float *a, float *b, int n, int rounds) {
    cg::grid_group grid = cg::this_grid();
    for (int k = 0; k < rounds; k++) {
        for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
            b[i] = i > 0 && i < n - 1 ? 0.5f * (a[i - 1] + a[i + 1]) : a[i];
        grid.sync();
        float *t = a;
        a = b;
        b = t;
    }
}

__global__ void plane(const float *from, float *to, float *other, int w, int h, int rounds) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float *a = to, *b = other;
    if (x < w && y < h) a[y * w + x] = from[y * w + x];
    for (int k = 0; k < rounds; k++) {
        cg::this_grid().sync();
        if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
            b[y * w + x] =
                0.25f * (a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]);
        float *t = a;
        a = b;
        b = t;
    }
}

/* Sums by a tree in shared memory, of the blocks' sums again, and back to all threads. */
__global__ void normalise(const int *in, double *out, int *sums, int n) {
    extern __shared__ int s[];
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    int t = threadIdx.x, mine = 0;
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size()) mine += in[i];
    s[t] = mine;
    block.sync();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        block.sync();
    }
    if (t == 0) sums[blockIdx.x] = s[0];
    s[t] = mine;
    grid.sync();
    long long all = 0;
    for (int i = 0; i < (int)gridDim.x; i++) all += sums[i];
    grid.sync();
    if (t == 0) sums[blockIdx.x] = -1;
    out[grid.thread_rank()] = (double)(s[t] + s[t ^ 1]) / (double)all;
}

/* A value of each kind goes through the barrier. */
__global__ void keeps(const int *in, unsigned long long *out, int rounds) {
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank();
    int whole = in[i], uniform = in[blockIdx.x];
    bool odd = whole & 1, few = in[i ^ 5] > 500;
    double part = whole * 0.125;
    short narrow = (short)(whole * 77);
    long long wide = (long long)whole * whole * whole;
    for (int k = 0; k < rounds; k++) {
        grid.sync();
        if (odd) whole += in[(i + k) % 1000];
        if (few) part = part * 1.5 + uniform;
        grid.sync();
        narrow = (short)(narrow + in[(i + 7 * k) % 1000]);
        wide ^= (long long)narrow << k;
        if (k % 3 == 0) uniform += in[k];
        few = few != odd;
    }
    out[i] = (unsigned long long)wide + (unsigned)whole + (unsigned long long)(long long)part +
             (unsigned short)narrow + (odd ? 1 : 0) + (few ? 2 : 0) + (unsigned)uniform;
}

/* Lanes and warps that part for long on their way. */
__global__ void parts(const int *in, int *out, int n, int rounds) {
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank(), x = 0;
    for (int k = 0; k < rounds; k++) {
        if (in[i] % 7 == k % 7 && threadIdx.x < 90) {
            for (int j = 0; j < in[(i + k) % n] % 40; j++) x = x * 3 + in[(i * 5 + j) % n];
        } else if (threadIdx.x / 32 == k % 3) {
            for (int j = 0; j < 5; j++) x ^= in[(i + j * 31) % n] << j;
        }
        out[i] = x;
        grid.sync();
        x += out[(i + 96) % n];
        grid.sync();
    }
    out[i] = x + 1;
}

/* Which of two barriers is what the whole grid agrees on; a barrier of the block between. */
__global__ void either(const int *in, int *out, volatile int *steer, int rounds) {
    __shared__ int s[64];
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank(), x = in[i];
    for (int k = 0; k < rounds; k++) {
        s[threadIdx.x] = x;
        if (i == 0) *steer = k % 3;
        grid.sync();
        int how = *steer;
        if (how == 0) {
            out[i] = x;
            grid.sync();
            x += out[(i + 64) % (int)grid.size()];
        } else if (how == 1) {
            __syncthreads();
            x += s[threadIdx.x ^ 33];
            __syncthreads();
        }
        grid.sync();
    }
    out[i] = x;
}

/* No barrier at all, in a launch that might have one; one at the very end. */
__global__ void none(const int *in, int *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x] + blockIdx.x;
}
__global__ void last_of_all(const int *in, int *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x] * (blockIdx.x + 1);
    cg::this_grid().sync();
}

template <typename... P, typename... A>
void launch(void (*f)(P...), dim3 grid, dim3 block, size_t shared, A... given) {
    auto run = [&](P... given_as) {
        void *args[] = {(void *)&given_as...};
        CALL(cudaLaunchCooperativeKernel((const void *)f, grid, block, args, shared));
    };
    run(given...);
    CALL(cudaDeviceSynchronize());
}

int main() {
    const int n = 5000;
    Array<float> a(n), b(n);
    Array<int> in(n), out(n), sums(64);
    Array<double> shares(64 * 128);
    Array<unsigned long long> wide(n);
    for (int i = 0; i < n; i++) a[i] = in[i] = i * 7919 % 1009;
    for (int threads : {32, 100, 256}) {
        launch(jacobi, 7, threads, 0, a.p, b.p, n, 9);
        show("jacobi", b);
    }
    for (int i = 0; i < n; i++) b[i] = a[i] = 0;
    Array<float> from(n);
    for (int i = 0; i < n; i++) from[i] = i % 37;
    launch(plane, dim3(6, 4), dim3(16, 16), 0, (const float *)from.p, a.p, b.p, 83, 60, 7);
    show("plane", b);
    for (int threads : {64, 128}) {
        launch(normalise, 33, threads, threads * sizeof(int), (const int *)in.p, shares.p, sums.p, n);
        show("shares", shares);
    }
    launch(keeps, 11, 96, 0, (const int *)in.p, wide.p, 10);
    show("keeps", wide);
    launch(keeps, 40, 25, 0, (const int *)in.p, wide.p, 4);
    show("keeps", wide);
    launch(parts, 9, 96, 0, (const int *)in.p, out.p, 9 * 96, 12);
    show("parts", out);
    launch(either, 20, 64, 0, (const int *)in.p, out.p, sums.p, 11);
    show("either", out);
    launch(none, 30, 64, 0, (const int *)in.p, out.p);
    show("none", out);
    launch(last_of_all, 30, 64, 0, (const int *)in.p, out.p);
    show("last of all", out);
    return 0;
}
