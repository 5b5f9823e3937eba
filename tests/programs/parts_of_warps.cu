/* parts_of_warps: what the lanes of a part of a warp do together, after loops that they leave one after the
 * other: rows of a sparse matrix by 2 to 32 lanes, masks that differ from part to part, that leave lanes out,
 * and that only some lanes name; reductions and matches of 32 and 64 bits. Each is held against plain C.
 */
#include "program.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <vector>

namespace cg = cooperative_groups;

template <int W> __global__ void rows_by_parts(int n, const int *row, const int *col, const int *x, int *y) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / W, lane = threadIdx.x % W, sum = 0;
    if (r >= n) return;
    for (int k = row[r] + lane; k < row[r + 1]; k += W) sum += (k % 7 - 3) * x[col[k]];
    unsigned mask = ~0u >> (32 - W) << (threadIdx.x % 32 / W * W);
    for (int d = W / 2; d; d /= 2) sum += __shfl_down_sync(mask, sum, d, W);
    if (lane == 0) y[r] = sum;
}

template <int W> __global__ void rows_by_tiles(int n, const int *row, const int *col, const int *x, int *y) {
    auto tile = cg::tiled_partition<W>(cg::this_thread_block());
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / W, sum = 0;
    if (r >= n) return;
    for (int k = row[r] + tile.thread_rank(); k < row[r + 1]; k += W) sum += (k % 7 - 3) * x[col[k]];
    sum = cg::reduce(tile, sum, cg::plus<int>());
    if (tile.thread_rank() == 0) y[r] = sum;
}

/* Which lanes take part, and whom each one names. */
enum { ALL, EVEN, LOW_HALF, QUARTERS, HALVES_OF_SOME, ODD_ONES_OUT, WAYS };
__host__ __device__ bool takes_part(int way, unsigned lane) {
    switch (way) {
    case EVEN: return lane % 2 == 0;
    case LOW_HALF: return lane < 16;
    case HALVES_OF_SOME: return lane % 3 != 1;
    case ODD_ONES_OUT: return lane != 5 && lane != 31;
    default: return true;
    }
}
__host__ __device__ unsigned named(int way, unsigned lane) {
    unsigned mask = 0;
    for (unsigned l = 0; l < 32; l++) {
        bool mine = way == QUARTERS ? l / 8 == lane / 8 : way == HALVES_OF_SOME ? l / 16 == lane / 16 : true;
        mask |= (unsigned)(mine && takes_part(way, l)) << l;
    }
    return mask;
}

enum { RESULTS = 11 };
__global__ void together(const unsigned *in, unsigned long long *out) {
    unsigned t = threadIdx.x, lane = t % 32, way = t / 32, v = in[t];
    unsigned long long *o = out + t * RESULTS, wide = (unsigned long long)(v % 4) << 33 | v % 3;
    if (!takes_part(way, lane)) return;
    unsigned mask = named(way, lane);
    o[0] = __reduce_add_sync(mask, v);
    o[1] = __reduce_min_sync(mask, v);
    o[2] = __reduce_max_sync(mask, v);
    o[3] = (unsigned)__reduce_min_sync(mask, (int)v);
    o[4] = (unsigned)__reduce_max_sync(mask, (int)v);
    o[5] = __reduce_and_sync(mask, v | 0xff00ff);
    o[6] = __reduce_or_sync(mask, v & 0xff00ff);
    o[7] = __reduce_xor_sync(mask, v);
    o[8] = __match_any_sync(mask, v % 5);
    o[9] = __match_any_sync(mask, wide);
    o[10] = __match_any_sync(mask, v);
}

/* The same mask for all, which only lanes that are still in the loop name. */
__global__ void while_some_are_left(const unsigned *in, unsigned *out) {
    unsigned t = threadIdx.x, n = in[t] % 9, sum = 0;
    for (unsigned i = 0; __any_sync(~0u, i < n); i++) {
        unsigned left = __ballot_sync(~0u, i < n);
        if (i < n)
            sum = sum * 31 + __reduce_add_sync(left, i + t) + __popc(__match_any_sync(left, in[t] / 9 % 3));
    }
    out[t] = sum;
}

static std::vector<unsigned> words;
static bool right_together(const std::vector<unsigned long long> &out) {
    for (unsigned t = 0; t < WAYS * 32; t++) {
        unsigned way = t / 32, lane = t % 32;
        if (!takes_part(way, lane)) continue;
        unsigned long long e[RESULTS] = {0, ~0u, 0, 0x7fffffff, 0x80000000u, ~0u};
        unsigned v = words[t], mask = named(way, lane);
        for (unsigned l = 0; l < 32; l++) {
            if (!(mask >> l & 1)) continue;
            unsigned w = words[way * 32 + l];
            e[0] = (unsigned)(e[0] + w);
            e[1] = w < e[1] ? w : e[1];
            e[2] = w > e[2] ? w : e[2];
            e[3] = (int)w < (int)e[3] ? w : e[3];
            e[4] = (int)w > (int)e[4] ? w : e[4];
            e[5] &= w | 0xff00ff;
            e[6] |= w & 0xff00ff;
            e[7] ^= w;
            e[8] |= (unsigned)(w % 5 == v % 5) << l;
            e[9] |= (unsigned)(w % 4 == v % 4 && w % 3 == v % 3) << l;
            e[10] |= (unsigned)(w == v) << l;
        }
        for (int i = 0; i < RESULTS; i++)
            if (out[t * RESULTS + i] != e[i]) return false;
    }
    return true;
}

static bool right_while(const std::vector<unsigned> &out) {
    for (unsigned t = 0; t < WAYS * 32; t++) {
        unsigned n = words[t] % 9, sum = 0;
        for (unsigned i = 0; i < n; i++) {
            unsigned all = 0, like = 0;
            for (unsigned l = t / 32 * 32; l < t / 32 * 32 + 32; l++)
                if (i < words[l] % 9) all += i + l, like += words[l] / 9 % 3 == words[t] / 9 % 3;
            sum = sum * 31 + all + like;
        }
        if (out[t] != sum) return false;
    }
    return true;
}

template <class T> static T *on_device(const std::vector<T> &v) {
    T *p;
    CALL(cudaMalloc(&p, v.size() * sizeof(T)));
    CALL(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}
template <class T> static std::vector<T> from_device(const T *p, size_t n) {
    std::vector<T> v(n);
    CALL(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
}

int main() {
    const int n = 203;
    std::vector<int> row(1, 0), col, x(n), expect(n, 0);
    for (int r = 0; r < n; r++) {
        x[r] = r * 37 % 101 - 50;
        int length = r % 11 == 3 ? 70 : r * 7 % 13;
        for (int k = 0; k < length; k++) col.push_back((r + k * k) % n);
        row.push_back((int)col.size());
    }
    for (int r = 0; r < n; r++)
        for (int k = row[r]; k < row[r + 1]; k++) expect[r] += (k % 7 - 3) * x[col[k]];
    int *d_row = on_device(row), *d_col = on_device(col), *d_x = on_device(x), *d_y = on_device(expect);
    auto rows = [&](const char *name, auto kernel, int width) {
        CALL(cudaMemset(d_y, 0x55, n * sizeof(int)));
        kernel<<<(n * width + 95) / 96, 96>>>(n, d_row, d_col, d_x, d_y);
        CALL(cudaDeviceSynchronize());
        printf("%s by %d: %s\n", name, width, from_device(d_y, n) == expect ? "right" : "wrong");
    };
    rows("masks", rows_by_parts<2>, 2);
    rows("masks", rows_by_parts<8>, 8);
    rows("masks", rows_by_parts<32>, 32);
    rows("tiles", rows_by_tiles<4>, 4);
    rows("tiles", rows_by_tiles<16>, 16);

    for (unsigned t = 0; t < WAYS * 32; t++)
        words.push_back((t * 2654435761u >> 7) ^ (t % 5 ? t << 28 : 0x80000003u));
    unsigned *d_words = on_device(words), *d_left = on_device(words);
    unsigned long long *d_out = on_device(std::vector<unsigned long long>(WAYS * 32 * RESULTS));
    together<<<1, WAYS * 32>>>(d_words, d_out);
    CALL(cudaDeviceSynchronize());
    printf("together: %s\n", right_together(from_device(d_out, WAYS * 32 * RESULTS)) ? "right" : "wrong");
    while_some_are_left<<<1, WAYS * 32>>>(d_words, d_left);
    CALL(cudaDeviceSynchronize());
    printf("while some are left: %s\n", right_while(from_device(d_left, WAYS * 32)) ? "right" : "wrong");
    return 0;
}
