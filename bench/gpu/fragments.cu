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

enum { SHARED, GLOBAL };
enum { ROWS, COLUMNS };

/* Types by number, so that a kernel's name is the same whoever compiled it: of a fragment, and in memory. */
enum { HALF, BFLOAT, BYTE, FLOAT, INT, TF32, DOUBLE };
template <int type> struct Type;
#define TYPE(number, fragment, memory)                                                                       \
    template <> struct Type<number> {                                                                        \
        typedef fragment of;                                                                                 \
        typedef memory stored;                                                                               \
    };
TYPE(HALF, __half, __half)
TYPE(BFLOAT, __nv_bfloat16, __nv_bfloat16)
TYPE(BYTE, signed char, signed char)
TYPE(FLOAT, float, float)
TYPE(INT, int, int)
#ifdef __NVCC__ /* clang has neither */
#define WITH_TF32_AND_DOUBLE
TYPE(TF32, wmma::precision::tf32, float)
TYPE(DOUBLE, double, double)
#endif

template <int layout> struct Layout {
    typedef wmma::row_major of;
};
template <> struct Layout<COLUMNS> {
    typedef wmma::col_major of;
};
template <int type, int m, int n, int k, int layout> struct A {
    typedef wmma::fragment<wmma::matrix_a, m, n, k, typename Type<type>::of, typename Layout<layout>::of> of;
};
template <int type, int m, int n, int k, int layout> struct B {
    typedef wmma::fragment<wmma::matrix_b, m, n, k, typename Type<type>::of, typename Layout<layout>::of> of;
};

template <class Fragment, class T, int where>
__device__ inline void load(const T *in, int stride, float *out) {
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
template <int type, int m, int n, int k, int layout, int where>
__global__ void load_a(const typename Type<type>::stored *in, int stride, float *out) {
    load<typename A<type, m, n, k, layout>::of, typename Type<type>::stored, where>(in, stride, out);
}
template <int type, int m, int n, int k, int layout, int where>
__global__ void load_b(const typename Type<type>::stored *in, int stride, float *out) {
    load<typename B<type, m, n, k, layout>::of, typename Type<type>::stored, where>(in, stride, out);
}
/* The sums, there and back. */
template <int type, int m, int n, int k, int layout, int where>
__global__ void move_sums(typename Type<type>::stored *in, int stride) {
    typedef typename Type<type>::stored T;
    const wmma::layout_t how = layout == ROWS ? wmma::mem_row_major : wmma::mem_col_major;
    __shared__ __align__(128) T part[4096];
    wmma::fragment<wmma::accumulator, m, n, k, T> f;
    if (where == SHARED) {
        for (int i = threadIdx.x; i < 4096; i += 32) part[i] = T(float(i % 32));
        __syncthreads();
    }
    T *at = where == SHARED ? part : in;
    wmma::load_matrix_sync(f, at, stride, how);
    for (int i = 0; i < f.num_elements; i++) f.x[i] = f.x[i] + T(1.f);
    wmma::store_matrix_sync(at, f, stride, how);
    if (where == SHARED) {
        __syncthreads();
        in[threadIdx.x] = part[threadIdx.x];
    }
}

static void *memory;

template <int type, int m, int n, int k> static void operands(int stride) {
    const typename Type<type>::stored *in = static_cast<typename Type<type>::stored *>(memory);
    float *out = static_cast<float *>(memory) + (1 << 18);
    load_a<type, m, n, k, ROWS, SHARED><<<1, 32>>>(in, stride, out);
    load_a<type, m, n, k, COLUMNS, SHARED><<<1, 32>>>(in, stride, out);
    load_b<type, m, n, k, ROWS, SHARED><<<1, 32>>>(in, stride, out);
    load_b<type, m, n, k, COLUMNS, SHARED><<<1, 32>>>(in, stride, out);
    load_a<type, m, n, k, ROWS, GLOBAL><<<1, 32>>>(in, stride, out);
    load_a<type, m, n, k, COLUMNS, GLOBAL><<<1, 32>>>(in, stride, out);
    load_b<type, m, n, k, ROWS, GLOBAL><<<1, 32>>>(in, stride, out);
    load_b<type, m, n, k, COLUMNS, GLOBAL><<<1, 32>>>(in, stride, out);
}
template <int type, int m, int n, int k> static void sums(int stride) {
    typename Type<type>::stored *in = static_cast<typename Type<type>::stored *>(memory);
    move_sums<type, m, n, k, ROWS, SHARED><<<1, 32>>>(in, stride);
    move_sums<type, m, n, k, COLUMNS, SHARED><<<1, 32>>>(in, stride);
    move_sums<type, m, n, k, ROWS, GLOBAL><<<1, 32>>>(in, stride);
    move_sums<type, m, n, k, COLUMNS, GLOBAL><<<1, 32>>>(in, stride);
}

int main() {
    CHECK(cudaMalloc(&memory, 2 << 20));
    CHECK(cudaMemset(memory, 0, 2 << 20));
    operands<HALF, 16, 16, 16>(16);
    operands<HALF, 16, 16, 16>(64);
    operands<HALF, 16, 16, 16>(72);
    operands<HALF, 32, 8, 16>(64);
    operands<HALF, 8, 32, 16>(72);
    operands<BFLOAT, 16, 16, 16>(64);
    operands<BFLOAT, 32, 8, 16>(72);
    operands<BYTE, 16, 16, 16>(64);
    operands<BYTE, 32, 8, 16>(80);
    operands<BYTE, 8, 32, 16>(48);
    sums<FLOAT, 16, 16, 16>(16);
    sums<FLOAT, 16, 16, 16>(36);
    sums<FLOAT, 32, 8, 16>(64);
    sums<FLOAT, 8, 32, 16>(36);
    sums<HALF, 16, 16, 16>(64);
    sums<HALF, 32, 8, 16>(72);
    sums<INT, 16, 16, 16>(32);
    sums<INT, 8, 32, 16>(36);
#ifdef WITH_TF32_AND_DOUBLE
    operands<TF32, 16, 16, 8>(32);
    operands<TF32, 16, 16, 8>(36);
    operands<DOUBLE, 8, 8, 4>(8);
    operands<DOUBLE, 8, 8, 4>(34);
    sums<DOUBLE, 8, 8, 4>(10);
#endif
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("fragments: all launched\n");
    return 0;
}
