/* layer_norm: rows with mean 0 and variance 1, a warp for each row. */
#include "launch.h"

__device__ float sum_of_warp(float x) {
    for (int away = 16; away; away /= 2) x += __shfl_xor_sync(0xffffffff, x, away);
    return x;
}

__global__ void layer_norm(const float *in, float *out, int rows, int columns) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    const float *x = in + row * columns;
    float sum = 0, squares = 0;
    for (int j = threadIdx.x; j < columns; j += 32) sum += x[j];
    const float mean = sum_of_warp(sum) / columns;
    for (int j = threadIdx.x; j < columns; j += 32) squares += (x[j] - mean) * (x[j] - mean);
    const float scale = rsqrtf(sum_of_warp(squares) / columns + 1e-5f);
    for (int j = threadIdx.x; j < columns; j += 32) out[row * columns + j] = (x[j] - mean) * scale;
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "layer_norm", [](const launch::Problem &p) {
        layer_norm<<<gallery::blocks_for(p.n[0], 4), dim3(32, 4)>>>(p.input<float>(0), p.result<float>(),
                                                                    p.n[0], p.n[1]);
    });
}
