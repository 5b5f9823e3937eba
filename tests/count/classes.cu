// Kernels whose blocks are alike, or only just not: count.classes compares what is counted of them with and without
// sorting blocks into classes (analysis/alike.h). Each violates or keeps one of its conditions.
#include <cstdio>

#define CHECK(call)                                                                                          \
    if ((call) != cudaSuccess) return 1

// Alike but for the guard: whole blocks, one in part, none.
__global__ void guarded(int n, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}

// Neighbouring blocks begin 4, 12 or 96 bytes apart: 32 classes, 32, 4.
__global__ void shifted(int step, const int *x, int *y) {
    int i = blockIdx.x * step + threadIdx.x;
    atomicAdd(&y[i], x[i]);
}

// As in a picture: 32 columns and 8 rows each, all but the border.
__global__ void inside(int width, int height, const int *x, int *y) {
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (c < 1 || r < 1 || c >= width - 1 || r >= height - 1) return;
    int at = r * width + c;
    y[at] = x[at - 1] + x[at + 1] + x[at - width] + x[at + width];
}

// The same by the greater of both: which one that is differs from block to block.
__global__ void below(int n, const int *x, int *y) {
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (max(c, r) < n) y[r * n + c] = x[c * n + r];
}

// A block's number of rounds is its own.
__global__ void triangle(int n, const int *x, int *y) {
    int sum = 0;
    for (unsigned k = 0; k < blockIdx.x; k++) sum += x[k * 32 + threadIdx.x % 32];
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// What was loaded decides where lanes go.
__global__ void data(int n, const int *x, int *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] & 1) y[x[i] % n] = i;
}

// In place, a tree in memory with the rest of the last block left out.
__global__ void tree(int n, int *x) {
    int *mine = x + blockIdx.x * blockDim.x, there = min(int(blockDim.x), n - int(blockIdx.x * blockDim.x));
    for (int half = 1; half < int(blockDim.x); half *= 2) {
        int i = threadIdx.x;
        if (i % (2 * half) == 0 && i + half < there) mine[i] += mine[i + half];
        __syncthreads();
    }
}

// Banks: by the thread alone, and by the block, too.
__global__ void banks(int stride, int *y) {
    __shared__ int s[1088];
    s[threadIdx.x * stride % 1024 + blockIdx.x % 64] = threadIdx.x;
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}

// Rows and columns of a flat index.
__global__ void flat(int width, int height, const int *x, int *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, r = i / width, c = i % width;
    if (r < height) y[c * height + r] = x[r * width + c];
}

// A grid's loop: blocks of low numbers make a round more.
__global__ void strided(int n, const int *x, int *y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i];
}

// The least and greatest of numbers with the block's index: which one it is decides what is loaded.
__global__ void clamped(int n, const int *x, int *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x,
        last = min(int(blockDim.x), n - int(blockIdx.x * blockDim.x));
    int from = max(int(blockIdx.x) * 40, 4000), to = min(i, 9000);
    for (int k = 0; k < 40; k += 1 + k)
        if (int(threadIdx.x) + k < last) y[i] += x[from + k] + x[to];
    if (min(int(blockIdx.x) * 3, int(blockIdx.y) * 5) + int(threadIdx.x) < 100) y[i]++;
}

// Neighbours that are held within the picture: the border's blocks are others than those within.
__global__ void held(int width, int height, const int *x, int *y) {
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, sum = 0;
    if (c >= width || r >= height) return;
    for (int d = -1; d <= 1; d++)
        sum += x[min(max(r + d, 0), height - 1) * width + min(max(c + 20 * d, 0), width - 1)];
    y[r * width + c] = sum;
}

// Neighbours on a torus, and the other way round.
__global__ void around(int width, int height, const int *x, int *y) {
    int c = blockIdx.x * 32 + threadIdx.x, r = (gridDim.y - 1 - blockIdx.y) * 4 + threadIdx.y;
    y[r * width + c] =
        x[(r + height - 1) % height * width + (c + 1) % width] + x[r * width + (c + width - 5) % width];
}

// Quotients and rests of a flat index whose blocks are no whole rows: every n-th block is alike, or none is.
__global__ void folded(unsigned width, unsigned more, const int *x, int *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x + more;
    y[i] = x[i / width * 16 + i % width * 3] + x[i & 511] + x[(i >> 9) * 32];
    if (i % width < width / 3) y[i]++;
}

// The lesser of a row and a column decides, in each of the comparisons and in none that asks for more.
__global__ void corner(int a, int b, const int *x, int *y) {
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, least = min(c, r),
        most = max(c, r);
    int sum = 0;
    if (least < a) sum += x[c];
    if (b <= least) sum += x[c + r * 3];
    if (most > b) sum += x[r * 32];
    if (a != b && most == a) sum += x[c * 2];
    y[r * 256 + c] = sum;
}

// The lesser of a row and a column as a number: equal to one, and in an address.
__global__ void equal(int a, const int *x, int *y) {
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (max(c, r) == a) y[r * 256 + c] = x[c];
}
__global__ void lesser(const int *x, int *y) {
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    y[r * 256 + c] = x[min(c, r) * 3];
}

// A number that comes below 0 in a loop.
__global__ void down(const int *x, int *y) {
    int c = blockIdx.x * 32 + threadIdx.x;
#pragma unroll 1
    for (int k = 100; k > -3000; k -= 77)
        if (c + k > 500) y[c] += x[c];
}

// What some lanes alone store in a register, in the first block.
__global__ void predicated(const int *x, int *y) {
    int at = threadIdx.x, there = blockIdx.x * 5 + threadIdx.x;
    asm("{ .reg .pred p; setp.lt.u32 p, %1, 16; @p mov.u32 %0, %2; }"
        : "+r"(at)
        : "r"(threadIdx.x), "r"(there));
    y[at] = x[at];
}

// All threads store to the same word, each block to another one: in one sector wherever that is.
__global__ void one_word(const int *x, int *y) {
    y[blockIdx.x * 3] = x[threadIdx.x];
    reinterpret_cast<long long *>(y)[blockIdx.x * 5 + 1] = x[threadIdx.x * 2];
}

// An index of 16 bits wraps in some blocks.
__global__ void narrow(const int *x, int *y) {
    unsigned short i = blockIdx.x * 96 + threadIdx.x + 65000;
    y[i] = x[i];
}

// One block does what no other does.
__global__ void first(int which, const int *x, int *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = blockIdx.x == which ? x[i * 2] : x[i];
    if (blockIdx.x != which + 3) y[i] += threadIdx.x;
}

/* The way through it hangs on how much shared memory it was given. */
__global__ void sized(int *y) {
    extern __shared__ int mine[];
    unsigned bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    for (unsigned i = threadIdx.x; i < bytes / sizeof(int); i += blockDim.x) mine[i] = i;
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = mine[threadIdx.x];
}

/* Launches like earlier ones have their counters: the same again, in turns, and after more others than are kept. */
static void launch_again(int *x, int *y) {
    for (int round = 0; round < 3; round++) {
        for (int step = 1; step < 12; step++) shifted<<<100, 64>>>(step, x, y);
        for (int again = 0; again < 3; again++) shifted<<<100, 64>>>(3, again % 2 ? y : x, again % 2 ? x : y);
        for (int blocks : {80, 100}) shifted<<<blocks, 64>>>(3, x, y);
        for (int threads : {64, 128}) shifted<<<100, threads>>>(3, x, y);
        for (int bytes : {512, 1024, 2048}) sized<<<100, 64, bytes>>>(y);
        data<<<100, 64>>>(1 << 17, x, y); /* whose blocks cannot be sorted */
    }
}

int main() {
    const int n = 1 << 17;
    int *x, *y;
    CHECK(cudaMallocManaged(&x, n * sizeof(int)));
    CHECK(cudaMallocManaged(&y, n * sizeof(int)));
    for (int i = 0; i < n; i++) x[i] = i * 7 % 1000, y[i] = 0;
    guarded<<<400, 128>>>(50000, (float *)x, (float *)y);
    guarded<<<400, 96>>>(400 * 96, (float *)x, (float *)y);
    for (int step : {1, 3, 24, 32, 100}) shifted<<<700, 64>>>(step, x, y);
    inside<<<dim3(8, 30), dim3(32, 8)>>>(250, 233, x, y);
    inside<<<dim3(8, 32), dim3(32, 8)>>>(256, 256, x, y);
    below<<<dim3(8, 32), dim3(32, 8)>>>(230, x, y);
    triangle<<<300, 64>>>(n, x, y);
    data<<<300, 64>>>(n, x, y);
    tree<<<400, 256>>>(100000, x);
    for (int stride : {1, 2, 3, 32}) banks<<<300, 128>>>(stride, y);
    flat<<<500, 128>>>(256, 240, x, y);
    flat<<<500, 128>>>(250, 240, x, y);
    strided<<<100, 128>>>(n - 100, x, y);
    clamped<<<dim3(300, 4), 96>>>(20000, x, y);
    clamped<<<dim3(300, 4), 96>>>(300 * 96, x, y);
    held<<<dim3(16, 20), dim3(16, 8)>>>(250, 155, x, y);
    held<<<dim3(16, 20), dim3(16, 8)>>>(256, 160, x, y);
    around<<<dim3(8, 30), dim3(32, 4)>>>(256, 120, x, y);
    for (unsigned width : {512, 1000, 1024, 96, 7}) folded<<<300, 128>>>(width, 0, x, y);
    folded<<<300, 128>>>(1024, 77, x, y);
    folded<<<900, 64>>>(1024, 32, x, y);
    corner<<<dim3(8, 30), dim3(32, 8)>>>(70, 131, x, y);
    corner<<<dim3(8, 30), dim3(32, 8)>>>(64, 64, x, y);
    equal<<<dim3(8, 30), dim3(32, 8)>>>(70, x, y);
    lesser<<<dim3(8, 30), dim3(32, 8)>>>(x, y);
    down<<<200, 32>>>(x, y);
    predicated<<<200, 64>>>(x, y);
    one_word<<<700, 64>>>(x, y);
    narrow<<<40, 32>>>(x, y);
    first<<<200, 128>>>(17, x, y);
    launch_again(x, y);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
