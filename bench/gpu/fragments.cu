/* Loads and stores of the fragments of matrix instructions (wmma.load, wmma.store), each form launched once
 * for a profiler as those of patterns.cu are: one warp, one fragment, rows `stride` elements apart.
 *
 * What the assembler makes of them is ordinary accesses (or, of a and b in shared memory along their rows,
 * ldmatrix), so that the counters of those tell what a form costs.
 */
#include "measure.cuh"

#include <cuda_bf16.h>
#include <mma.h>

namespace wmma = nvcuda::wmma;

enum Where { SHARED, GLOBAL };

/* The type that an element has in memory. */
template <class T> struct Stored {
    typedef T type;
};
#ifdef __NVCC__ /* clang has neither */
#define WITH_TF32_AND_DOUBLE
template <> struct Stored<wmma::precision::tf32> {
    typedef float type;
};
#endif

/* Matrix a or b. */
template <class Fragment, class T, Where where>
__global__ void load_operand(const T *in, int stride, float *out) {
    __shared__ __align__(128) T part[4096];
    Fragment f;
    float sum = 0;
    if (where == SHARED) {
        for (int i = threadIdx.x; i < 4096; i += 32) part[i] = T(float(i % 32));
        __syncthreads();
    }
    wmma::load_matrix_sync(f, where == SHARED ? part : in, stride);
    for (int i = 0; i < f.num_elements; i++) sum += float(f.x[i]);
    out[threadIdx.x] = sum;
}
/* The sums, there and back. */
template <class Fragment, class T, Where where>
__global__ void move_sums(T *in, int stride, wmma::layout_t layout) {
    __shared__ __align__(128) T part[4096];
    Fragment f;
    if (where == SHARED) {
        for (int i = threadIdx.x; i < 4096; i += 32) part[i] = T(float(i % 32));
        __syncthreads();
    }
    T *at = where == SHARED ? part : in;
    wmma::load_matrix_sync(f, at, stride, layout);
    for (int i = 0; i < f.num_elements; i++) f.x[i] = f.x[i] + T(1.f);
    wmma::store_matrix_sync(at, f, stride, layout);
    if (where == SHARED) {
        __syncthreads();
        in[threadIdx.x] = part[threadIdx.x];
    }
}

static void *memory;

template <class T, int m, int n, int k> static void operands(int stride) {
    typedef typename Stored<T>::type E;
    E *in = static_cast<E *>(memory);
    float *out = static_cast<float *>(memory) + (1 << 18);
    typedef wmma::fragment<wmma::matrix_a, m, n, k, T, wmma::row_major> a_rows;
    typedef wmma::fragment<wmma::matrix_a, m, n, k, T, wmma::col_major> a_columns;
    typedef wmma::fragment<wmma::matrix_b, m, n, k, T, wmma::row_major> b_rows;
    typedef wmma::fragment<wmma::matrix_b, m, n, k, T, wmma::col_major> b_columns;
    load_operand<a_rows, E, SHARED><<<1, 32>>>(in, stride, out);
    load_operand<a_columns, E, SHARED><<<1, 32>>>(in, stride, out);
    load_operand<b_rows, E, SHARED><<<1, 32>>>(in, stride, out);
    load_operand<b_columns, E, SHARED><<<1, 32>>>(in, stride, out);
    load_operand<a_rows, E, GLOBAL><<<1, 32>>>(in, stride, out);
    load_operand<a_columns, E, GLOBAL><<<1, 32>>>(in, stride, out);
    load_operand<b_rows, E, GLOBAL><<<1, 32>>>(in, stride, out);
    load_operand<b_columns, E, GLOBAL><<<1, 32>>>(in, stride, out);
}
template <class T, int m, int n, int k> static void sums(int stride) {
    typedef wmma::fragment<wmma::accumulator, m, n, k, T> fragment;
    T *in = static_cast<T *>(memory);
    move_sums<fragment, T, SHARED><<<1, 32>>>(in, stride, wmma::mem_row_major);
    move_sums<fragment, T, SHARED><<<1, 32>>>(in, stride, wmma::mem_col_major);
    move_sums<fragment, T, GLOBAL><<<1, 32>>>(in, stride, wmma::mem_row_major);
    move_sums<fragment, T, GLOBAL><<<1, 32>>>(in, stride, wmma::mem_col_major);
}

int main() {
    CHECK(cudaMalloc(&memory, 2 << 20));
    CHECK(cudaMemset(memory, 0, 2 << 20));
    operands<__half, 16, 16, 16>(16);
    operands<__half, 16, 16, 16>(64);
    operands<__half, 16, 16, 16>(72);
    operands<__half, 32, 8, 16>(64);
    operands<__half, 8, 32, 16>(72);
    operands<__nv_bfloat16, 16, 16, 16>(64);
    operands<__nv_bfloat16, 32, 8, 16>(72);
    operands<signed char, 16, 16, 16>(64);
    operands<signed char, 32, 8, 16>(80);
    operands<signed char, 8, 32, 16>(48);
    sums<float, 16, 16, 16>(16);
    sums<float, 16, 16, 16>(36);
    sums<float, 32, 8, 16>(64);
    sums<float, 8, 32, 16>(36);
    sums<__half, 16, 16, 16>(64);
    sums<__half, 32, 8, 16>(72);
    sums<int, 16, 16, 16>(32);
    sums<int, 8, 32, 16>(36);
#ifdef WITH_TF32_AND_DOUBLE
    operands<wmma::precision::tf32, 16, 16, 8>(32);
    operands<wmma::precision::tf32, 16, 16, 8>(36);
    operands<double, 8, 8, 4>(8);
    operands<double, 8, 8, 4>(34);
    sums<double, 8, 8, 4>(10);
#endif
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("fragments: all launched\n");
    return 0;
}
