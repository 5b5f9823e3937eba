/* idioms: divisions by constants, masks and ors, as compilers write them for a GPU, and instructions that are nearly such.
 * Every thread's result is what the host computes.
 */
#include "program.h"

#include <climits>

static int wrong;

static void compare(const char *what, int which, const unsigned *got, unsigned want, int i) {
    if (got[i] != want && wrong++ < 9) printf("%s %d: word %d is %u, not %u\n", what, which, i, got[i], want);
}

/* Sums wrap round. */
__host__ __device__ inline int plus(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

/* ---- divisions ---- */

__host__ __device__ inline unsigned mixed(unsigned a, unsigned b, unsigned c, unsigned d) {
    return a * 3 + b * 5 + c * 7 + d * 11;
}

template <int D> __host__ __device__ unsigned divided(int n) {
    const unsigned u = (unsigned)n, e = (unsigned)D;
    return mixed((unsigned)(n / D), (unsigned)(n % D), u / e, u % e);
}

template <int D> __global__ void divide(unsigned *out, int start) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = divided<D>(plus(i, start));
}

template <int D> static void by(unsigned *out) {
    const int starts[] = {0,
                          1,
                          -200,
                          plus(D, -70),
                          plus((int)(D * 1000u), -33),
                          INT_MAX - 383,
                          INT_MIN,
                          INT_MAX - 100,
                          1 << 30,
                          (int)2654435761u};
    for (int start : starts) {
        divide<D><<<3, 128>>>(out, start);
        cudaDeviceSynchronize();
        for (int i = 0; i < 3 * 128; i++) compare("by", D, out, divided<D>(plus(i, start)), i);
    }
}

template <int... D> static void by_each(unsigned *out) { (by<D>(out), ...); }

/* ---- indices ---- */

enum { HEIGHT = 16, WIDEST = 1024 };

__host__ __device__ inline int held(int x, int n) { return x < 0 ? 0 : x >= n ? n - 1 : x; }
__host__ __device__ inline int round(int x, int n) { return x < 0 ? 0 : x % n; }

/* The elements around (x, y) of an image. */
template <int W> __host__ __device__ unsigned around(const int *in, int x, int y, int kind) {
    if (x >= W || y >= HEIGHT) return 5;
    switch (kind) {
    case 0:
        return in[y * W + held(x - 1, W)] + 3 * in[y * W + held(x + 1, W)] +
               5 * in[held(y - 1, HEIGHT) * W + x] + 7 * in[held(y + 1, HEIGHT) * W + held(x + 2, W)];
    case 1:
        return in[(y + HEIGHT - 1) % HEIGHT * W + (x + W - 1) % W] +
               3 * in[(y + 1) % HEIGHT * W + (x + 1) % W] +
               5 * in[(y * W + x + W * HEIGHT - 2) % (W * HEIGHT)];
    case 2: {
        const unsigned u = x, v = y;
        return in[(v + HEIGHT - 3) % HEIGHT * W + (u + W - 3) % W] +
               3 * in[(v + 2) % HEIGHT * W + (u + W / 2) % W];
    }
    default: {
        const int t = y * W + x;
        return in[t / W * W + round(t % W + 1, W)] + 3 * in[((y + 1) & (HEIGHT - 1)) * W + x] +
               (W & (W - 1) ? 0
                            : 5 * in[(y * W) | ((x - 1) & (W - 1))] + 7 * in[((x + 5) & (W - 1)) | (y * W)]);
    }
    }
}

template <int W, int KIND> __global__ void of_image(const int *in, unsigned *out, int start) {
    const int x = plus(blockIdx.x * blockDim.x + threadIdx.x, start),
              y = blockIdx.y * blockDim.y + threadIdx.y;
    out[(y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = around<W>(in, x, y, KIND);
}

template <int W, int KIND> static void image(const int *in, unsigned *out) {
    const dim3 blocks[] = {{32, 4}, {16, 16}, {128, 1}, {64, 2}};
    const int starts[] = {0, 1, 37, INT_MAX - 3000};
    for (const dim3 &block : blocks)
        for (int start : starts) {
            const dim3 grid((W + 33 + block.x) / block.x, HEIGHT / block.y + 1);
            of_image<W, KIND><<<grid, block>>>(in, out, start);
            cudaDeviceSynchronize();
            for (int y = 0, n = grid.x * block.x; y < (int)(grid.y * block.y); y++)
                for (int x = 0; x < n; x++)
                    compare("image", KIND, out, around<W>(in, plus(x, start), y, KIND), y * n + x);
        }
}

template <int W> static void images(const int *in, unsigned *out) {
    image<W, 0>(in, out);
    image<W, 1>(in, out);
    image<W, 2>(in, out);
    image<W, 3>(in, out);
}

/* ---- what is nearly an idiom ---- */

#ifdef __CUDA_ARCH__
#define AS(text, wanted, ...) asm volatile("{ .reg .u32 a, b, c; " text " }" : "=r"(r) : __VA_ARGS__)
#else
#define AS(text, wanted, ...) r = (unsigned)(wanted)
#endif

__host__ __device__ inline unsigned high(int a, int b) { return (unsigned)((long long)a * b >> 32); }
__host__ __device__ inline unsigned high(unsigned a, unsigned b) {
    return (unsigned)((unsigned long long)a * b >> 32);
}
__host__ __device__ inline unsigned signs(unsigned x) { return (int)x < 0 ? ~0u : 0; }
__host__ __device__ inline unsigned down(unsigned x, int by) { return (unsigned)((int)x >> by); }

template <int CASE> __host__ __device__ unsigned nearly(unsigned n, unsigned m) {
    unsigned r = 0, h;
    switch (CASE) {
    case 0: /* the factor of another number */
        h = high((int)n, 274877906);
        AS("mul.hi.s32 a, %1, 274877906; shr.u32 b, a, 31; shr.s32 c, a, 6; add.s32 %0, c, b;",
           down(h, 6) + (h >> 31), "r"(n));
        break;
    case 1: /* the quotient's sign is another number's */
        h = high((int)n, 274877907);
        AS("mul.hi.s32 a, %1, 274877907; shr.u32 b, %2, 31; shr.s32 c, a, 6; add.s32 %0, c, b;",
           down(h, 6) + (m >> 31), "r"(n), "r"(m));
        break;
    case 2: /* the dividend changes before its remainder is taken */
        h = high((int)n, 274877907);
        AS("mov.u32 c, %1; mul.hi.s32 a, c, 274877907; shr.u32 b, a, 31; shr.s32 a, a, 6; add.s32 a, a, b; "
           "mul.lo.s32 a, a, 1000;"
           "add.s32 c, c, 1; sub.s32 %0, c, a;",
           n + 1 - (down(h, 6) + (h >> 31)) * 1000, "r"(n));
        break;
    case 3: /* a remainder of another divisor */
        h = high((int)n, 274877907);
        AS("mul.hi.s32 a, %1, 274877907; shr.u32 b, a, 31; shr.s32 c, a, 6; add.s32 b, c, b; mul.lo.s32 b, "
           "b, 999;"
           "sub.s32 %0, %1, b;",
           n - (down(h, 6) + (h >> 31)) * 999, "r"(n));
        break;
    case 4: /* the bias of 4096, the mask of 2048 */
        h = n + (signs(n) >> 20);
        AS("shr.s32 a, %1, 31; shr.u32 b, a, 20; add.s32 c, %1, b; and.b32 c, c, -2048; sub.s32 %0, %1, c;",
           n - (h & -2048u), "r"(n));
        break;
    case 5: /* not the lowest bits */
        AS("shr.s32 a, %1, 31; shr.u32 b, a, 21; add.s32 c, %1, b; and.b32 c, c, 4096; sub.s32 %0, %1, c;",
           n - ((n + (signs(n) >> 21)) & 4096), "r"(n));
        break;
    case 6: /* a hash */
        AS("mul.hi.u32 a, %1, 3528531795; shr.u32 %0, a, 3;", high(n, 3528531795u) >> 3, "r"(n));
        break;
    case 7: /* right for even numbers of 31 bits only */
        AS("mul.hi.u32 a, %1, 613566757; shr.u32 %0, a, 1;", high(n, 613566757u) >> 1, "r"(n));
        break;
    case 8: /* half of another difference */
        h = high(n, 613566757u);
        AS("mul.hi.u32 a, %1, 613566757; sub.u32 b, %2, a; shr.u32 b, b, 1; add.u32 b, b, a; shr.u32 %0, b, "
           "2;",
           (((m - h) >> 1) + h) >> 2, "r"(n), "r"(m));
        break;
    case 9: /* bits that meet */
        AS("and.b32 a, %1, 127; shl.b32 b, %2, 6; or.b32 %0, a, b;", (n & 127) | m << 6, "r"(n), "r"(m));
        break;
    default: /* the sign of a sum that was made afterwards */
        h = n + (signs(n) >> 22);
        AS("mov.u32 c, %1; shr.s32 a, c, 31; shr.u32 b, a, 22; add.s32 b, c, b; shr.s32 c, b, 10; mul.lo.s32 "
           "a, c, 1024;"
           "sub.s32 %0, c, a;",
           down(h, 10) - down(h, 10) * 1024, "r"(n));
    }
    return r;
}

template <int CASE> __global__ void near_one(unsigned *out, int start) {
    const int i = plus(blockIdx.x * blockDim.x + threadIdx.x, start);
    out[(unsigned)i - (unsigned)start] = nearly<CASE>(i, 7u - i * 3u);
}

/* The mask of an iteration is taken from the number of the one after it. */
template <bool DEVICE> __host__ __device__ unsigned carried(unsigned n) {
    unsigned mask = 0, sum = 0;
    for (int i = 0; i < 5; i++) {
        unsigned r = n - mask;
        sum = sum * 31 + r;
        n += 100003u * i;
        mask = (n + (signs(n) >> 21)) & -2048u;
        n ^= sum;
    }
    return sum;
}

__global__ void carry(unsigned *out, int start) {
    const int i = plus(blockIdx.x * blockDim.x + threadIdx.x, start);
    out[(unsigned)i - (unsigned)start] = carried<true>(i);
}

template <int CASE> static void near_idioms(unsigned *out) {
    for (int start : {0, 1, -1000, 100000, INT_MAX - 300, INT_MIN, -123456789}) {
        near_one<CASE><<<4, 128>>>(out, start);
        cudaDeviceSynchronize();
        for (int i = 0; i < 4 * 128; i++)
            compare("nearly", CASE, out, nearly<CASE>(plus(i, start), 7u - (unsigned)plus(i, start) * 3u), i);
    }
    if constexpr (CASE < 10) near_idioms<CASE + 1>(out);
}

int main() {
    int *in;
    unsigned *out;
    cudaMallocManaged(&in, WIDEST * HEIGHT * sizeof *in);
    cudaMallocManaged(&out, 4 * WIDEST * HEIGHT * sizeof *out);
    by_each<2, 3, 4, 5, 6, 7, 9, 10, 11, 14, 24, 25, 28, 60, 100, 125, 128, 641, 1000, 1023, 1024, 1025,
            65535, 65537, 1 << 20, 1000000007, INT_MAX, 1 << 30, -2, -3, -7, -1000, -1024>(out);
    printf("divisions: %s\n", wrong ? "wrong" : "right");
    near_idioms<0>(out);
    carry<<<16, 128>>>(out, -1000);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16 * 128; i++) compare("carried", 0, out, carried<false>(i - 1000), i);
    printf("nearly: %s\n", wrong ? "wrong" : "right");
    for (int i = 0; i < WIDEST * HEIGHT; i++) in[i] = i * 2654435761u >> 8;
    images<128>(in, out);
    images<200>(in, out);
    images<1024>(in, out);
    printf("images: %s\n", wrong ? "wrong" : "right");
    return wrong != 0;
}
