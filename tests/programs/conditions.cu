/* conditions: terms joined by && and ||, at each of which the lanes of a warp part, with something else to do where they do
 * not hold: at a grid's borders, by what was loaded, in loops, between barriers. Every result is what the host computes.
 */
#include "program.h"

struct Box {
    int left, right, top, bottom;
};

__host__ __device__ inline unsigned mixed(unsigned a, unsigned b) { return (a ^ b >> 3) * 2654435761u + b; }

/* The mean of neighbours inside, a copy elsewhere. */
__host__ __device__ inline unsigned spread(const unsigned *in, int x, int y, int w, Box b) {
    const int i = y * w + x;
    if (x > b.left && x < b.right && y > b.top && y < b.bottom)
        return in[i] * 3 + in[i - 1] + in[i + 1] * 5 + in[i - w] + in[i + w] * 7;
    return in[i];
}

/* Either alone is enough; the second asks memory only where the first does not hold. */
__host__ __device__ inline unsigned marked(const unsigned *in, int x, int y, int w, Box b) {
    const int i = y * w + x;
    unsigned value = 77, count = x;
    if (x < b.left || in[i] % 5 == 0 || (y < b.bottom && in[i + 1] % 3 == 1)) {
        value = in[i] >> 2;
        count += 1000;
    }
    return mixed(value, count);
}

/* What one way leaves as it was is asked for behind; a condition in a way of another. */
__host__ __device__ inline unsigned nested(const unsigned *in, int x, int y, int w, Box b) {
    const int i = y * w + x;
    unsigned p = in[i], q = y, r = 5;
    if (x >= b.left && in[i] % 4 != 2) {
        p += 3;
        if (y >= b.top || in[i] % 7 < 3) {
            q = mixed(p, q);
        } else {
            r = in[i + 1];
            p = 9;
        }
    } else if (x < b.right && in[i] % 2) {
        r = mixed(q, p);
    } else {
        q = 1;
    }
    return mixed(p, mixed(q, r));
}

/* Terms of a loop's own, which lanes do not leave together. */
__host__ __device__ inline unsigned turning(const unsigned *in, int x, int y, int w, Box b) {
    const int i = y * w + x;
    unsigned sum = 1;
    for (int k = 0; k < 6; k++) {
        if ((in[i] >> k & 1) && (x + k < b.right || y < b.bottom))
            sum = sum * 5 + in[i + k % 2];
        else
            sum += k;
        if (sum % 11 == 10 || x == b.left + k) break;
    }
    return sum;
}

enum Kind { SPREAD, MARKED, NESTED, TURNING, KINDS };

template <int K> __host__ __device__ unsigned of(const unsigned *in, int x, int y, int w, Box b) {
    return K == SPREAD   ? spread(in, x, y, w, b)
           : K == MARKED ? marked(in, x, y, w, b)
           : K == NESTED ? nested(in, x, y, w, b)
                         : turning(in, x, y, w, b);
}

template <int K> __global__ void plain(const unsigned *in, unsigned *out, int w, int h, Box b) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = of<K>(in, x, y, w, b);
}

/* Stores of either way, and a barrier behind them. */
template <int K> __global__ void handed(const unsigned *in, unsigned *out, int w, int h, Box b) {
    __shared__ unsigned cell[1024];
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int t = threadIdx.y * blockDim.x + threadIdx.x, n = blockDim.x * blockDim.y;
    cell[t] = 0;
    if (x < w && y < h) {
        if (x >= b.left && in[y * w + x] % 3)
            cell[t] = of<K>(in, x, y, w, b);
        else
            cell[t] = 2 * of<K>(in, x, y, w, b);
    }
    __syncthreads();
    if (x < w && y < h) out[y * w + x] = mixed(cell[t], cell[(t + 5) % n]);
}

/* Warps of a block read the same row of products, and mark some columns. */
__global__ void columns(const unsigned *in, unsigned *out, int w, int h, int turns, Box b) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    unsigned sum = 0;
    for (int k = 0; k < turns; k++) sum += in[k * w + x] * in[y * w + k];
    if (x < b.left || x > b.right) out[w * h + y * w + x] = sum >> 1;
    out[y * w + x] = sum;
}

static int wrong;

static void compare(const char *what, int kind, const unsigned *got, unsigned want, int i) {
    if (got[i] != want && wrong++ < 5) printf("%s %d: word %d is %u, not %u\n", what, kind, i, got[i], want);
}

template <int K> static void check(const unsigned *in, unsigned *out, int w, int h, dim3 block, Box b) {
    const dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
    plain<K><<<grid, block>>>(in, out, w, h, b);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < w * h; i++) compare("plain", K, out, of<K>(in, i % w, i / w, w, b), i);
    handed<K><<<grid, block>>>(in, out, w, h, b);
    CALL(cudaDeviceSynchronize());
    const int n = block.x * block.y;
    auto cell = [&](int bx, int by, int t) {
        const int x = bx * block.x + t % block.x, y = by * block.y + t / block.x;
        if (x >= w || y >= h) return 0u;
        const unsigned of_it = of<K>(in, x, y, w, b);
        return x >= b.left && in[y * w + x] % 3 ? of_it : 2 * of_it;
    };
    for (int i = 0; i < w * h; i++) {
        const int x = i % w, y = i / w, t = y % block.y * block.x + x % block.x;
        const int bx = x / block.x, by = y / block.y;
        compare("handed", K, out, mixed(cell(bx, by, t), cell(bx, by, (t + 5) % n)), i);
    }
    if constexpr (K + 1 < KINDS) check<K + 1>(in, out, w, h, block, b);
}

static void check_columns(const unsigned *in, unsigned *out, int w, int h, dim3 block, Box b) {
    const dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
    memset(out, 0, 2 * w * h * sizeof *out);
    columns<<<grid, block>>>(in, out, w, h, 9, b);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < w * h; i++) {
        const int x = i % w, y = i / w;
        unsigned sum = 0;
        for (int k = 0; k < 9; k++) sum += in[k * w + x] * in[y * w + k];
        compare("columns", 0, out, sum, i);
        compare("columns", 1, out, x < b.left || x > b.right ? sum >> 1 : 0, w * h + i);
    }
}

int main() {
    const int w = 136, h = 44;
    Array<unsigned> all(w * (h + 2) + 8), out(2 * w * h);
    unsigned *in = all + w;
    uint32_t state = 5;
    for (size_t i = 0; i < all.n; i++) all[i] = next_random(state) % 1000;
    for (dim3 block : {dim3(32, 8), dim3(16, 16), dim3(64, 2), dim3(24, 3), dim3(136)})
        for (Box b : {Box{0, w - 1, 0, h - 1}, Box{0, w - 9, 3, h - 5}, Box{40, 70, 9, 30}, Box{-1, w, -1, h},
                      Box{w, 0, h, 0}}) {
            check<0>(in, out, w, h, block, b);
            check_columns(in, out, w, h, block, b);
        }
    printf("conditions: %s\n", wrong ? "wrong" : "right");
    return wrong != 0;
}
