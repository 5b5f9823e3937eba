/* product: of two matrices by tiles of 64 x 64, 4 x 4 values for each thread. */
#include "launch.h"

static const int side = 64, deep = 16, each = 4;

__global__ void product(const float *a, const float *b, float *c, int n, int inner) {
    __shared__ float of_a[deep][side], of_b[deep][side];
    const int top = blockIdx.y * side, left = blockIdx.x * side, t = threadIdx.y * 16 + threadIdx.x;
    float sum[each][each] = {};
    for (int first = 0; first < inner; first += deep) {
        for (int i = t; i < side * deep; i += 256) {
            const int row = top + i / deep, k = first + i % deep, k_of_b = first + i / side,
                      column = left + i % side;
            of_a[i % deep][i / deep] = row < n && k < inner ? a[row * inner + k] : 0;
            of_b[i / side][i % side] = k_of_b < inner && column < n ? b[k_of_b * n + column] : 0;
        }
        __syncthreads();
        for (int k = 0; k < deep; k++)
            for (int y = 0; y < each; y++)
                for (int x = 0; x < each; x++)
                    sum[y][x] += of_a[k][threadIdx.y * each + y] * of_b[k][threadIdx.x * each + x];
        __syncthreads();
    }
    for (int y = 0; y < each; y++)
        for (int x = 0; x < each; x++) {
            const int row = top + threadIdx.y * each + y, column = left + threadIdx.x * each + x;
            if (row < n && column < n) c[row * n + column] = sum[y][x];
        }
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "product", [](const launch::Problem &p) {
        const dim3 grid(gallery::blocks_for(p.n[0], side), gallery::blocks_for(p.n[0], side));
        product<<<grid, dim3(16, 16)>>>(p.input<float>(0), p.input<float>(1), p.result<float>(), p.n[0],
                                        p.n[1]);
    });
}
