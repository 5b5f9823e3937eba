/* joined_rows: kernels whose blocks have rows of fewer threads than a warp, in many shapes and grids. Rows of
 * neighbouring blocks may run side by side as one, if the kernel cannot tell: here are some that cannot, and
 * some that ask for what their thread, lane or block is called in ways that must keep rows apart.
 */
#include "program.h"

#define X      (blockIdx.x * blockDim.x + threadIdx.x)
#define Y      (blockIdx.y * blockDim.y + threadIdx.y)
#define Z      (blockIdx.z * blockDim.z + threadIdx.z)
#define WIDTH  (gridDim.x * blockDim.x)
#define HEIGHT (gridDim.y * blockDim.y)
#define ROW    (Z * HEIGHT + Y)
#define AT     (ROW * WIDTH + X)

/* Each thread is known by its place in the grid alone. */
__global__ void plain(const int *in, int *out) {
    const unsigned i = AT;
    out[i] = in[i] * 3 + in[i ^ 1];
}
__global__ void clamped_filter(const unsigned char *in, unsigned char *out, int w, int h) {
    const int x = X, y = Y;
    if (x >= w || y >= h) return;
    int sum = 0;
    for (int d = -1; d <= 1; d++) sum += in[min(max(y + d, 0), h - 1) * w + min(max(x - d, 0), w - 1)];
    out[y * w + x] = sum / 3;
}
__global__ void way(int *way, int n, int k) {
    const int j = X, i = Y;
    if (i >= n || j >= n) return;
    const int over = way[i * n + k] + way[k * n + j];
    if (over < way[i * n + j]) way[i * n + j] = over;
}
__global__ void turned(const int *in, int *out) { out[(Z * WIDTH + X) * HEIGHT + Y] = in[AT]; }
__global__ void from_the_end(const int *in, int *out) {
    const unsigned x = (gridDim.x - 1 - blockIdx.x) * blockDim.x + (blockDim.x - 1 - threadIdx.x);
    out[ROW * WIDTH + x] = in[AT] + x;
}
__global__ void each_third(const int *in, int *out) {
    const unsigned x = blockIdx.x * blockDim.x * 3 + threadIdx.x * 3 + 2;
    for (unsigned k = 0; k < 3; k++) out[ROW * WIDTH * 3 + x - k] = in[AT] + k;
}
template <int B> __global__ void constant_width(const int *in, int *out, int w) {
    const int x = blockIdx.x * B + threadIdx.x;
    out[ROW * w + x] = in[ROW * w + x] - x;
}
__global__ void parting(const int *in, int *out, int turns) {
    const int i = AT;
    int sum = 0;
    for (int k = 0; k < turns + in[i] % 5; k++) sum = sum * 3 + in[(i + k) & 255];
    if (sum & 1) sum -= i;
    out[i] = sum;
}
__global__ void by_thread(int *p, const int *in, int turns) {
    const int i = AT;
    for (int k = 0; k < turns; k++) p[i] = p[i] * 3 + in[i & 63];
}

/* These can tell. */
__global__ void thread_itself(const int *in, int *out) { out[AT] = in[AT] * 100 + threadIdx.x; }
__global__ void block_itself(const int *in, int *out) { out[AT] = in[AT] * 100 + (blockIdx.x & 1); }
__global__ void other_way(const int *in, int *out) {
    const unsigned x = threadIdx.x * gridDim.x + blockIdx.x;
    out[ROW * WIDTH + x] = in[AT] + x;
}
__global__ void twice_the_block(const int *in, int *out) {
    const unsigned x = 2 * blockIdx.x * blockDim.x + threadIdx.x;
    out[AT] = in[AT] + x;
}
__global__ void square(const int *in, int *out) { out[AT] = in[AT] + threadIdx.x * threadIdx.x; }
__global__ void wide(const int *in, int *out) {
    const unsigned long long t = threadIdx.x, b = blockIdx.x;
    out[AT] = in[AT] + (unsigned)((b * blockDim.x + t) >> 1);
}
__global__ void high(const int *in, int *out) {
    out[AT] = in[AT] + __umulhi(blockIdx.x << 28, 16) + threadIdx.x / 2;
}
__global__ void in_a_loop(const int *in, int *out, int turns) {
    unsigned x = threadIdx.x;
    for (int k = 0; k < turns; k++) x += blockIdx.x * blockDim.x / turns;
    out[AT] = in[AT] + x;
}
__global__ void either(const int *in, int *out, int odd) {
    const unsigned x = odd ? threadIdx.x : blockIdx.x;
    out[AT] = in[AT] + x;
}
__global__ void guarded(const int *in, int *out, int w) {
    if (threadIdx.x == 1) return;
    out[AT] = in[AT] + w;
}
__global__ void chosen(const int *in, int *out) {
    int sum = in[AT];
    switch (threadIdx.x) {
    case 0: sum += 5; break;
    case 1: sum *= 7; break;
    case 2: sum ^= 99; break;
    case 3: sum -= 1000; break;
    case 4: sum = ~sum; break;
    case 5: sum = sum / 3; break;
    case 6: sum = sum % 7; break;
    }
    out[AT] = sum;
}
__global__ void lanes(const int *in, int *out) {
    unsigned lane;
    asm("mov.u32 %0, %laneid;" : "=r"(lane));
    out[AT] = in[AT] + lane;
}
__global__ void neighbours(const int *in, int *out) {
    out[AT] = __shfl_xor_sync(__activemask(), in[AT], 1) + in[AT];
}
__global__ void sizes(const int *in, int *out) {
    out[AT] = in[AT] + gridDim.x * 3 + gridDim.y * 5 + gridDim.z * 7 + blockDim.x * 11 + blockDim.y * 13 +
              blockDim.z * 17;
}
__global__ void together(const int *in, int *out) {
    __shared__ int cell[1024];
    const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    cell[t] = in[AT];
    __syncthreads();
    out[AT] = cell[t / 2];
}

int main() {
    const int most = 1 << 14;
    Array<int> in(most), out(3 * most), p(most);
    Array<unsigned char> bytes(most), filtered(most);
    uint32_t state = 1;
    for (int i = 0; i < most; i++) in[i] = next_random(state) % 1000, bytes[i] = next_random(state);
    struct Shape {
        dim3 grid, block;
    };
    const Shape shapes[] = {{dim3(8, 4), dim3(16, 16)}, {dim3(7, 4), dim3(16, 16)},
                            {dim3(16, 8), dim3(8, 8)},  {dim3(64), dim3(16)},
                            {dim3(64, 3), dim3(4, 5)},  {dim3(96), dim3(1)},
                            {dim3(32, 4), dim3(2, 3)},  {dim3(4, 2, 3), dim3(16, 4, 4)},
                            {dim3(8, 2), dim3(16, 40)}, {dim3(8, 8), dim3(12, 4)}};
    for (const Shape &s : shapes) {
        const dim3 &g = s.grid, &b = s.block;
        printf("%u %u %u of %u %u %u\n", g.x, g.y, g.z, b.x, b.y, b.z);
        const int w = g.x * b.x, h = g.y * b.y;
#define RUN(kernel, ...)                                                                                     \
    do {                                                                                                     \
        CALL(cudaMemset(out, 0, out.n * sizeof(int)));                                                       \
        kernel<<<g, b>>>(in, out, ##__VA_ARGS__);                                                            \
        show(#kernel, out, 2);                                                                               \
    } while (0)
        RUN(plain);
        clamped_filter<<<g, b>>>(bytes, filtered, w, h);
        clamped_filter<<<g, b>>>(bytes, filtered, w - 3, h - 1);
        show("clamped_filter", filtered, 2);
        CALL(cudaMemcpy(p, in, most * sizeof(int), cudaMemcpyDefault));
        const int n = w < h ? w : h;
        for (int k = 0; k < 3 && k < n; k++) way<<<g, b>>>(p, n, k);
        show("way", p, 2);
        by_thread<<<g, b>>>(p, in, 5);
        show("by_thread", p, 2);
        RUN(turned);
        RUN(from_the_end);
        RUN(each_third);
        if (b.x == 16) RUN(constant_width<16>, w);
        if (b.x == 8) RUN(constant_width<8>, w);
        RUN(parting, 3);
        RUN(thread_itself);
        RUN(block_itself);
        RUN(other_way);
        RUN(twice_the_block);
        RUN(square);
        RUN(wide);
        RUN(high);
        RUN(in_a_loop, 4);
        RUN(either, 0);
        RUN(either, 1);
        RUN(guarded, w);
        RUN(chosen);
        RUN(lanes);
        RUN(neighbours);
        RUN(sizes);
        RUN(together);
    }
    return 0;
}
