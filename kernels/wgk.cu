/* wgk.cu: the functions of wgk.h, each the last step of its ladder, for programs in C. */
#include "wgk.h"

#include "array_of_structures/split8_i32.cuh"
#include "histogram/histogram_i32.cuh"
#include "matrix_product/product_f32.cuh"
#include "matrix_product/product_i32.cuh"
#include "mean_filter/mean_u8.cuh"
#include "reduction/sum_i32.cuh"
#include "reverse/reverse_i32.cuh"
#include "transpose/transpose_i32.cuh"
#include "vector_add/add_i32.cuh"

cudaError_t wgk_add_i32(const int32_t *a, const int32_t *b, int32_t *sum, size_t n, cudaStream_t stream) {
    return wgk::add_i32(a, b, sum, n, stream);
}

cudaError_t wgk_reverse_i32(const int32_t *in, int32_t *out, size_t n, cudaStream_t stream) {
    return wgk::reverse_i32(in, out, n, stream);
}

cudaError_t wgk_transpose_i32(const int32_t *in, size_t in_stride, int32_t *out, size_t out_stride,
                              size_t rows, size_t columns, cudaStream_t stream) {
    return wgk::transpose_i32(in, in_stride, out, out_stride, rows, columns, stream);
}

cudaError_t wgk_split8_i32(const int32_t *structures, int32_t *fields, size_t field_stride, size_t n,
                           cudaStream_t stream) {
    return wgk::split8_i32(structures, fields, field_stride, n, stream);
}

cudaError_t wgk_sum_i32(const int32_t *values, size_t n, int32_t *sum, cudaStream_t stream) {
    return wgk::sum_i32(values, n, sum, stream);
}

cudaError_t wgk_mean3_u8(const uint8_t *in, size_t in_pitch, uint8_t *out, size_t out_pitch, size_t width,
                         size_t height, cudaStream_t stream) {
    return wgk::mean_u8<3>(in, in_pitch, out, out_pitch, width, height, stream);
}

cudaError_t wgk_mean5_u8(const uint8_t *in, size_t in_pitch, uint8_t *out, size_t out_pitch, size_t width,
                         size_t height, cudaStream_t stream) {
    return wgk::mean_u8<5>(in, in_pitch, out, out_pitch, width, height, stream);
}

cudaError_t wgk_histogram_i32(const int32_t *values, size_t n, uint32_t *bins, size_t bin_count,
                              cudaStream_t stream) {
    return wgk::histogram_i32(values, n, bins, bin_count, stream);
}

cudaError_t wgk_product_i32(const int32_t *a, size_t a_stride, const int32_t *b, size_t b_stride, int32_t *c,
                            size_t c_stride, size_t m, size_t n, size_t k, cudaStream_t stream) {
    return wgk::product_i32(a, a_stride, b, b_stride, c, c_stride, m, n, k, stream);
}

cudaError_t wgk_product_f32(const float *a, size_t a_stride, const float *b, size_t b_stride, float *c,
                            size_t c_stride, size_t m, size_t n, size_t k, cudaStream_t stream) {
    return wgk::product_f32(a, a_stride, b, b_stride, c, c_stride, m, n, k, stream);
}
