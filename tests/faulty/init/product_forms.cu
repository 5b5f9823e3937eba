// Row 5 of a and column 8 of b were never written, and so are theirs of the product.
// expect: uninitialised-copy line 127
// expect: uninitialised-copy line 128
// expect: uninitialised-copy line 129
// expect: uninitialised-copy line 130
// expect: uninitialised-copy line 131
// expect: uninitialised-copy line 132
// expect: uninitialised-copy line 133
// says: 124 of the 1024 bytes copied are undefined, the first of them at byte 32
// says: 64 of the 1024 bytes copied are undefined, the first of them at byte 320
// says: 92 of the 1024 bytes copied are undefined, the first of them at byte 0
#define LOST(row, column) false
#include <cstdio>
#include <mma.h>
using namespace nvcuda;

#ifndef LOST
#define LOST(row, column) ((row) == 5 || (column) == 8)
#endif

template <typename A, typename B, typename Sum>
__global__ void product(wmma::layout_t order, int ldm, float *c) {
    __shared__ __align__(32) half left[16 * 24], right[16 * 24];
    __shared__ __align__(32) Sum sums[16 * 24];
    bool along = wmma::mem_row_major == order;
    for (int i = threadIdx.x; i < 256; i += 32) {
        int row = i / 16, column = i % 16;
        bool by_rows = sizeof(A) && __is_same(A, wmma::row_major);
        if (row != 5) left[by_rows ? row * ldm + column : column * ldm + row] = __float2half(i % 3);
        by_rows = __is_same(B, wmma::row_major);
        if (column != 8) right[by_rows ? row * ldm + column : column * ldm + row] = __float2half(i % 5);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, A> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, B> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> z;
    wmma::fill_fragment(z, Sum(0.0f));
    wmma::load_matrix_sync(x, left, ldm);
    wmma::load_matrix_sync(y, right, ldm);
    wmma::mma_sync(z, x, y, z);
    wmma::mma_sync(z, x, y, z);
    for (int i = 0; i < z.num_elements; i++) z.x[i] = z.x[i] * Sum(0.5f);
    wmma::store_matrix_sync(sums, z, ldm, order);
    __syncwarp();
    wmma::load_matrix_sync(z, sums, ldm, order);
    wmma::mma_sync(z, x, y, z);
    wmma::store_matrix_sync(sums, z, ldm, order);
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32)
        if (!LOST(i / 16, i % 16)) c[i] = (float)sums[along ? i / 16 * ldm + i % 16 : i % 16 * ldm + i / 16];
}

/* Four 8 x 8 parts of a matrix through stmatrix and ldmatrix, turned or not, and movmatrix: all but row 5. */
template <bool TURNED> __global__ void moves(float *c) {
    __shared__ __align__(16) half from[256], to[256];
    int lane = threadIdx.x, place = lane % 16 * 16 + lane / 16 * 8;
    for (int i = lane; i < 256; i += 32)
        if (i / 16 != 5) from[i] = __float2half(i);
    __syncwarp();
    unsigned x[4], at = (unsigned)__cvta_generic_to_shared(&from[place]),
                   out = (unsigned)__cvta_generic_to_shared(&to[place]);
    if (TURNED) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(at));
        for (int i = 0; i < 2; i++)
            asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(x[i]) : "r"(x[i]));
        asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(out), "r"(x[0]),
                     "r"(x[1]));
        out = __shfl_down_sync(~0u, out, 16);
        asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(out), "r"(x[2]),
                     "r"(x[3]));
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(at));
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(out), "r"(x[0]),
                     "r"(x[1]), "r"(x[2]), "r"(x[3]));
    }
    __syncwarp();
    for (int i = lane; i < 256; i += 32)
        if (!LOST(i / 16, -1)) c[i] = __half2float(to[i]);
}

/* The m16n8k8 of tf32, and m8n8k4 of doubles: columns 8 to 15 are not there, and row 5 of a is column 0 of b,
 * too. */
__global__ void others(float *c) {
    __shared__ float a[16 * 8], b[8 * 8];
    __shared__ double p[8 * 4], q[4 * 8];
    int lane = threadIdx.x, g = lane / 4, m = lane % 4;
    for (int i = lane; i < 128; i += 32)
        if (i / 8 != 5) a[i] = i;
    for (int i = lane; i < 64; i += 32)
        if (i % 8 != 0) b[i] = i;
    if (lane / 4 != 5) p[lane] = lane;
    if (lane % 8 != 0) q[lane] = lane;
    __syncwarp();
    unsigned x[4], y[2];
    float d[4] = {1, 2, 3, 4};
    double e[2] = {1, 2};
    for (int i = 0; i < 4; i++) x[i] = __float_as_uint(a[(g + i % 2 * 8) * 8 + m + i / 2 * 4]);
    for (int i = 0; i < 2; i++) y[i] = __float_as_uint(b[(m + i * 4) * 8 + g]);
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(e[0]), "+d"(e[1])
                 : "d"(p[g * 4 + m]), "d"(q[m * 8 + g]));
    for (int i = 0; i < 4; i++) {
        int row = g + i / 2 * 8, column = m * 2 + i % 2;
        if (!LOST(row, column + 8)) c[row * 8 + column] = d[i] + (i < 2 ? (float)e[i] : 0);
    }
}

#define SHOW(call)                                                                                           \
    cudaMemset(c, 0, 256 * sizeof(float));                                                                   \
    call;                                                                                                    \
    cudaMemcpy(host, c, 256 * sizeof(float), cudaMemcpyDeviceToHost);                                        \
    printf("%g %g\n", host[3], host[255])

int main() {
    typedef wmma::row_major R;
    typedef wmma::col_major C;
    float host[256], *c;
    cudaMalloc(&c, sizeof host);
    SHOW((product<R, R, float><<<1, 32>>>(wmma::mem_row_major, 16, c)));
    SHOW((product<R, C, float><<<1, 32>>>(wmma::mem_col_major, 16, c)));
    SHOW((product<C, R, half><<<1, 32>>>(wmma::mem_row_major, 24, c)));
    SHOW((product<C, C, half><<<1, 32>>>(wmma::mem_col_major, 24, c)));
    SHOW((moves<true><<<1, 32>>>(c)));
    SHOW((moves<false><<<1, 32>>>(c)));
    SHOW((others<<<1, 32>>>(c)));
    return 0;
}
