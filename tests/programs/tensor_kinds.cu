/* tensor_kinds: wmma of doubles and of tf32, in both layouts; fragments filled with numbers of other types.
 * Small whole numbers, so that plain C has the same bits.
 */
#include <cstdio>
#include <mma.h>
#include <type_traits>
using namespace nvcuda;

/* One warp a tile of c: a is m x k by rows or columns, b is k x n. */
template <int m, int n, int k, class T, class S, class A, class B>
__global__ void product(const S *a, const S *b, S *c, int size) {
    int row = blockIdx.y * m, column = blockIdx.x * n;
    wmma::fragment<wmma::matrix_a, m, n, k, T, A> left;
    wmma::fragment<wmma::matrix_b, m, n, k, T, B> right;
    wmma::fragment<wmma::accumulator, m, n, k, S> sum, before;
    constexpr bool rows_a = std::is_same<A, wmma::row_major>::value,
                   rows_b = std::is_same<B, wmma::row_major>::value;
    wmma::fill_fragment(sum, 0);
    for (int i = 0; i < size; i += k) {
        wmma::load_matrix_sync(left, a + (rows_a ? row * size + i : i * size + row), size);
        wmma::load_matrix_sync(right, b + (rows_b ? i * size + column : column * size + i), size);
        for (int e = 0; e < left.num_elements; e++) left.x[e] *= 2;
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::load_matrix_sync(before, c + row * size + column, size, wmma::mem_row_major);
    for (int e = 0; e < sum.num_elements; e++) sum.x[e] += before.x[e];
    wmma::store_matrix_sync(c + row * size + column, sum, size, wmma::mem_row_major);
}

template <int m, int n, int k, class T, class S, class A, class B> static void test(const char *name) {
    constexpr int size = 48;
    S *a, *b, *c;
    int wrong = 0;
    cudaMallocManaged(&a, size * size * sizeof(S));
    cudaMallocManaged(&b, size * size * sizeof(S));
    cudaMallocManaged(&c, size * size * sizeof(S));
    for (int i = 0; i < size * size; i++) a[i] = i * 7 % 11 - 5, b[i] = i * 5 % 13 - 6, c[i] = i % 3;
    product<m, n, k, T, S, A, B><<<dim3(size / n, size / m), 32>>>(a, b, c, size);
    cudaDeviceSynchronize();
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            S sum = (i * size + j) % 3;
            for (int x = 0; x < size; x++)
                sum += 2 * a[std::is_same<A, wmma::row_major>::value ? i * size + x : x * size + i] *
                       b[std::is_same<B, wmma::row_major>::value ? x * size + j : j * size + x];
            wrong += c[i * size + j] != sum;
        }
    printf("%s: %d wrong\n", name, wrong);
    cudaFree(a), cudaFree(b), cudaFree(c);
}

__global__ void rounded(float *out) { out[threadIdx.x] = wmma::__float_to_tf32(1 + threadIdx.x / 2048.0f); }

__global__ void filled(float *out) {
    wmma::fragment<wmma::accumulator, 16, 16, 16, __half> h;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> i;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fill_fragment(h, 1.5f);
    wmma::fill_fragment(i, 3u);
    wmma::fill_fragment(a, 0.25);
    out[threadIdx.x] = (float)h.x[0] + i.x[7] + (float)a.x[3];
}

int main() {
    using R = wmma::row_major;
    using C = wmma::col_major;
    test<8, 8, 4, double, double, R, C>("double, rows and columns");
    test<8, 8, 4, double, double, C, R>("double, columns and rows");
    test<8, 8, 4, double, double, R, R>("double, rows");
    test<16, 16, 8, wmma::precision::tf32, float, R, C>("tf32, rows and columns");
    test<16, 16, 8, wmma::precision::tf32, float, C, C>("tf32, columns");
    test<16, 16, 8, wmma::precision::tf32, float, R, R>("tf32, rows");
    float *out;
    cudaMallocManaged(&out, 32 * sizeof(float));
    rounded<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6; i++) printf("%.7f ", out[i]);
    filled<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("\n%g %g\n%s\n", out[0], out[31], cudaGetErrorString(cudaGetLastError()));
    return 0;
}
