/*
 * wgk.h: the last step of each ladder of the gallery, to be called from C.
 *
 *     wgk_transpose_i32(in, 4096, out, 4096, 4096, 4096, stream);
 *
 * Pointers are to memory of the device. Work is queued on `stream` and the functions do not wait for it. Any
 * size and any alignment of the element's size is right; the fast ways want what their comments name, and
 * other shapes take a plainer way. Inputs and outputs must not overlap. Sizes of 0 are fine and do nothing.
 *
 * Each returns cudaSuccess, cudaErrorInvalidValue for arguments that cannot be (a stride smaller than the
 * row, a null pointer with a size), or what CUDA says of the launch. Nothing has been launched when it is not
 * cudaSuccess; an error of the kernel itself comes with the stream's next synchronisation, as always.
 *
 * Build: nvcc -O3 -arch=sm_90 -c wgk.cu; for the product of int with matrix instructions
 * nvcc -O3 -gencode=arch=compute_90a,code=sm_90a -DWGK_SM90A -c wgk.cu. What they reach: docs/results/.
 */
#ifndef WGK_H
#define WGK_H
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* sum[i] = a[i] + b[i], modulo 2^32. Fast where all three begin at the same place modulo 16 bytes. */
cudaError_t wgk_add_i32(const int32_t *a, const int32_t *b, int32_t *sum, size_t n, cudaStream_t stream);

/* out[n - 1 - i] = in[i]. Fast where the words of 16 bytes of `in` come to lie on such words of `out`. */
cudaError_t wgk_reverse_i32(const int32_t *in, int32_t *out, size_t n, cudaStream_t stream);

/* out[x * out_stride + y] = in[y * in_stride + x] for rows y, columns x. Strides in elements. Fast where both
 * begin on 16 bytes, and rows, columns and strides are multiples of 4. */
cudaError_t wgk_transpose_i32(const int32_t *in, size_t in_stride, int32_t *out, size_t out_stride,
                              size_t rows, size_t columns, cudaStream_t stream);

/* fields[f * field_stride + i] = structures[8 * i + f]: an array of n structures of eight values becomes
 * eight arrays. field_stride >= n, in elements. Fast where both begin on 16 bytes and field_stride is a
 * multiple of 4. */
cudaError_t wgk_split8_i32(const int32_t *structures, int32_t *fields, size_t field_stride, size_t n,
                           cudaStream_t stream);

/* *sum = the sum of n values, modulo 2^32; `sum` is in device memory. */
cudaError_t wgk_sum_i32(const int32_t *values, size_t n, int32_t *sum, cudaStream_t stream);

/* Each byte of the image that has a whole square of 3x3 (5x5) around it becomes its mean, rounded down; the
 * border of 1 (2) is left as it is in `out`. Pitches in bytes. Fast where pointers and pitches are multiples
 * of 16 and so is the width. */
cudaError_t wgk_mean3_u8(const uint8_t *in, size_t in_pitch, uint8_t *out, size_t out_pitch, size_t width,
                         size_t height, cudaStream_t stream);
cudaError_t wgk_mean5_u8(const uint8_t *in, size_t in_pitch, uint8_t *out, size_t out_pitch, size_t width,
                         size_t height, cudaStream_t stream);

/* bins[b] = how many of the n values are b, for b < bin_count; other values are not counted. */
cudaError_t wgk_histogram_i32(const int32_t *values, size_t n, uint32_t *bins, size_t bin_count,
                              cudaStream_t stream);

/* c = a * b, of m x k by k x n values in rows, modulo 2^32 or in float. Strides in elements. Both take memory
 * from the stream for as long as they run (cudaMallocAsync): 4 bytes for each value of a and b, rounded up.
 */
cudaError_t wgk_product_i32(const int32_t *a, size_t a_stride, const int32_t *b, size_t b_stride, int32_t *c,
                            size_t c_stride, size_t m, size_t n, size_t k, cudaStream_t stream);
cudaError_t wgk_product_f32(const float *a, size_t a_stride, const float *b, size_t b_stride, float *c,
                            size_t c_stride, size_t m, size_t n, size_t k, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
