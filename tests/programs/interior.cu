/* interior: what programs do at borders (clamped, wrapped round, left out), in blocks inside of all borders, across
 * one, and wholly past it; and next to where indices wrap round. Every thread's result is what the host computes.
 */
#include "program.h"

#include <climits>

enum Border {
    CLAMPED,
    CLAMPED_TWICE,
    CLAMPED_UNSIGNED,
    ROUND,
    ROUND_UNSIGNED,
    COLUMNS,
    CHOSEN,
    CHOSEN_OTHERWISE,
    LEFT_OUT,
    LEFT_OUT_UNSIGNED,
    GREATEST,
    NEGATED,
    BORDERS
};

__host__ __device__ inline int least(int a, int b) { return a < b ? a : b; }
__host__ __device__ inline int most(int a, int b) { return a > b ? a : b; }
__host__ __device__ inline unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }
__host__ __device__ inline unsigned most(unsigned a, unsigned b) { return a > b ? a : b; }

/* Sums wrap round. */
__host__ __device__ inline int plus(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

/* What becomes of thread u, whose value is x, between a and b. b is no divisor if it is 0 or -1. */
template <int B> __host__ __device__ unsigned at(int x, int y, int a, int b) {
    unsigned u = (unsigned)x, v = (unsigned)y, low = (unsigned)a, high = (unsigned)b, sum = u;
    switch (B) {
    case CLAMPED:
        for (int k = -2; k <= 2; k++) sum = sum * 31 + least(most(plus(x, k), a), b);
        return sum;
    case CLAMPED_TWICE:
        return least(most(x, 3) - 3, plus(b, -1)) * 7 + most(least(plus(x, 5), plus(b, -2)), 1);
    case CLAMPED_UNSIGNED: return least(most(u, low), high) + 5 * least(v + 3, high);
    case ROUND: return plus(plus(x, b), -1) % b * 3 + plus(plus(b, 1), x) % b * 5 + plus(y, b) % b;
    case ROUND_UNSIGNED: return (u + high - 2) % high + 9 * ((high + v + 1) % high);
    case COLUMNS: return x < b ? (unsigned)(plus(x, 1) % b + 3 * (plus(b, x) % b)) : 77u;
    case CHOSEN:
        return (x == 0 ? b - 1 : plus(x, -1)) + 3 * (x == plus(b, -1) ? 0 : plus(x, 1)) + (y != 1 ? y : 0);
    case CHOSEN_OTHERWISE: return (u == high ? low : v) + (plus(x, -3) < 0 ? 5 : 7) + (b > x ? 11 : 13);
    case LEFT_OUT:
        for (int k = -2; k <= 2; k++)
            if (plus(x, k) >= 1 && plus(x, k) < b && (k || y > 0)) sum = sum * 31 + k;
        return sum;
    case LEFT_OUT_UNSIGNED: return (u >= 2) + 2 * (v < high) + 4 * !(high <= u + 2) + 8 * (u > 1 || v > high);
    case GREATEST:
        return (most(x, y) < b) + 2 * (least(x, y) >= 1) + 4 * (most(plus(x, 2), y) > b) +
               8 * (least(y, x) < 2);
    default: return least(most(plus(b, -x), 0), plus(b, -1)) + (plus(b, -x) > 0 ? 100 : 200);
    }
}

/* Threads of a grid of planes of rows. Some do not store. */
template <int B> __global__ void of_grid(unsigned *out, int start, int down, int a, int b) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    unsigned i = (z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x;
    unsigned found = at<B>(plus(start, x + 3 * z), plus(down, y), a, b);
    if (found % 16 != 3) out[i] = found;
}

/* Every second thread's value, from the end; and in place. */
template <int B> __global__ void along(unsigned *out, int start, int a, int b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = at<B>(plus(start, 2 * i), (int)out[i] % 64 + i, a, b);
}

struct Shape {
    dim3 grid, block;
};
static const Shape shapes[] = {{dim3(7), dim3(64)},
                               {dim3(4, 3), dim3(32, 8)},
                               {dim3(6, 4), dim3(16, 16)},
                               {dim3(5, 2, 3), dim3(40, 3, 2)}};
static const int starts[] = {0, -3, 40, INT_MAX - 150, INT_MIN + 9};
static const int ends[][2] = {{0, 150}, {-2, 20000}, {5, 64}, {0, 7}, {9, -40}, {1, INT_MAX}, {INT_MIN, 255}};

static int wrong;

static void compare(const char *what, const unsigned *got, unsigned want, size_t i) {
    if (got[i] != want && wrong++ < 5) printf("%s: word %zu is %u, not %u\n", what, i, got[i], want);
}

template <int B> static void in_shape(const Shape &s, unsigned *out, int start, int a, int b) {
    const int w = s.grid.x * s.block.x, h = s.grid.y * s.block.y, d = s.grid.z * s.block.z;
    for (int i = 0; i < w * h * d; i++) out[i] = 3;
    of_grid<B><<<s.grid, s.block>>>(out, start, start / 3, a, b);
    cudaDeviceSynchronize();
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                unsigned want = at<B>(plus(start, x + 3 * z), plus(start / 3, y), a, b);
                compare("grid", out, want % 16 == 3 ? 3 : want, ((size_t)z * h + y) * w + x);
            }
    const int n = 9 * 128;
    for (int i = 0; i < n; i++) out[i] = i * 2654435761u >> 8;
    along<B><<<9, 128>>>(out, start, a, b);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        compare("along", out, at<B>(plus(start, 2 * i), (int)(i * 2654435761u >> 8) % 64 + i, a, b), i);
}

template <int B> static void all_of(unsigned *out) {
    const int before = wrong;
    for (const Shape &s : shapes)
        for (int start : starts)
            for (const auto &e : ends) in_shape<B>(s, out, start, e[0], e[1]);
    printf("border %d: %s\n", B, wrong == before ? "right" : "wrong");
    if constexpr (B + 1 < BORDERS) all_of<B + 1>(out);
}

int main() {
    unsigned *out;
    cudaMallocManaged(&out, 1 << 16);
    all_of<0>(out);
    return wrong != 0;
}
