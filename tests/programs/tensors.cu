/* Products of whole matrices by matrix instructions: what each lane holds must be what the PTX ISA says. */
#include "program.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/* c(16x8) = a(16x32) b(32x8), all in global memory; b by columns. */
__global__ void bytes(const signed char *a, const unsigned char *b, int *c) {
    int lane = threadIdx.x, group = lane / 4, member = lane % 4;
    const int *aw = (const int *)a, *bw = (const int *)b;
    int a0 = aw[group * 8 + member], a1 = aw[(group + 8) * 8 + member];
    int a2 = aw[group * 8 + member + 4], a3 = aw[(group + 8) * 8 + member + 4];
    int b0 = bw[group * 8 + member], b1 = bw[group * 8 + member + 4], d[4] = {1, 2, 3, 4};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                 "{%0,%1,%2,%3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    for (int i = 0; i < 4; i++) c[(group + i / 2 * 8) * 8 + member * 2 + i % 2] = d[i];
}

/* One warp: c(16x8) = a(16xk) b(kx8) of halves, a by rows and b by rows, both by ldmatrix. */
__global__ void halves(const __half *a, const __half *b, float *c, int k) {
    __shared__ __half ta[16 * 16], tb[16 * 8];
    int lane = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    for (int step = 0; step < k; step += 16) {
        for (int i = lane; i < 256; i += 32) ta[i] = a[i / 16 * k + step + i % 16];
        for (int i = lane; i < 128; i += 32) tb[i] = b[step * 8 + i];
        __syncwarp();
        unsigned ra[4], rb[2];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                     : "r"(at(&ta[lane % 16 * 16 + lane / 16 * 8])));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                     : "=r"(rb[0]), "=r"(rb[1])
                     : "r"(at(&tb[lane % 16 * 8])));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
                     "{%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
        __syncwarp();
    }
    for (int i = 0; i < 4; i++) c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

/* By wmma: a and c by rows, b by columns. */
template <int m, int n, class T, class Sum> __global__ void by_wmma(const T *a, const T *b, Sum *c, int k) {
    using namespace nvcuda::wmma;
    fragment<accumulator, m, n, 16, Sum> sum;
    fill_fragment(sum, Sum(0));
    for (int step = 0; step < k; step += 16) {
        fragment<matrix_a, m, n, 16, T, row_major> left;
        fragment<matrix_b, m, n, 16, T, col_major> right;
        load_matrix_sync(left, a + step, k);
        load_matrix_sync(right, b + step, k);
        mma_sync(sum, left, right, sum);
    }
    for (int i = 0; i < sum.num_elements; i++) sum.x[i] = sum.x[i] + sum.x[i];
    store_matrix_sync(c, sum, n, mem_row_major);
}

static int value(int i) { return i * 7 % 23 - 11; }

template <int m, int n, class T, class Sum> void check_wmma(const char *name) {
    const int k = 48;
    Array<T> a(m * k), b(k * n);
    Array<Sum> c(m * n);
    for (int i = 0; i < m * k; i++) a[i] = T(float(value(i) & 15));
    for (int i = 0; i < k * n; i++) b[i] = T(float(value(i + 5) & 7));
    by_wmma<m, n, T, Sum><<<1, 32>>>(a.p, b.p, c.p, k);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int row = 0; row < m; row++)
        for (int col = 0; col < n; col++) {
            float sum = 0;
            for (int i = 0; i < k; i++) sum += (float)a[row * k + i] * (float)b[col * k + i];
            wrong += (float)c[row * n + col] != 2 * sum;
        }
    printf("wmma of %s, %dx%dx16: %d wrong\n", name, m, n, wrong);
}

int main() {
    Array<signed char> a(16 * 32);
    Array<unsigned char> b(32 * 8);
    Array<int> c(16 * 8);
    for (int i = 0; i < 512; i++) a[i] = (signed char)(value(i) * 9);
    for (int i = 0; i < 256; i++) b[i] = (unsigned char)(value(i) * 11);
    bytes<<<1, 32>>>(a.p, b.p, c.p);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int row = 0; row < 16; row++)
        for (int col = 0; col < 8; col++) {
            int sum = 1 + row / 8 * 2 + col % 2;
            for (int k = 0; k < 32; k++) sum += a[row * 32 + k] * b[col * 32 + k];
            wrong += c[row * 8 + col] != sum;
        }
    printf("mma of bytes: %d wrong\n", wrong);

    const int k = 64;
    Array<__half> ha(16 * k), hb(k * 8);
    Array<float> hc(16 * 8);
    for (int i = 0; i < 16 * k; i++) ha[i] = __float2half(value(i) * 0.25f);
    for (int i = 0; i < k * 8; i++) hb[i] = __float2half(value(i + 3) * 0.5f);
    halves<<<1, 32>>>(ha.p, hb.p, hc.p, k);
    CALL(cudaDeviceSynchronize());
    wrong = 0;
    for (int row = 0; row < 16; row++)
        for (int col = 0; col < 8; col++) {
            float sum = 0;
            for (int i = 0; i < k; i++) sum += __half2float(ha[row * k + i]) * __half2float(hb[i * 8 + col]);
            wrong += hc[row * 8 + col] != sum;
        }
    printf("mma of halves: %d wrong\n", wrong);

    check_wmma<16, 16, __half, float>("half into float");
    check_wmma<32, 8, __half, float>("half into float");
    check_wmma<8, 32, __half, __half>("half into half");
    check_wmma<16, 16, __nv_bfloat16, float>("bfloat16");
    check_wmma<8, 32, __nv_bfloat16, float>("bfloat16");
    check_wmma<16, 16, signed char, int>("signed char");
    check_wmma<32, 8, unsigned char, int>("unsigned char");
    return 0;
}
