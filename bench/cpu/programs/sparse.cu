/* sparse: a matrix of compressed rows times a vector, a thread for each row. */
#include "launch.h"

__global__ void times(const int *first, const int *column, const float *value, const float *x, float *y,
                      int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int e = first[i]; e < first[i + 1]; e++) sum += value[e] * x[column[e]];
    y[i] = sum;
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "sparse", [](const launch::Problem &p) {
        times<<<gallery::blocks_for(p.n[0], 128), 128>>>(p.input<int>(0), p.input<int>(1), p.input<float>(2),
                                                         p.input<float>(3), p.result<float>(), p.n[0]);
    });
}
