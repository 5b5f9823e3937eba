/* atax: the transpose of a matrix times (the matrix times a vector), a thread for each row, then for each column. */
#include "launch.h"

__global__ void rows_times(const float *a, const float *x, float *product, int rows, int columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float sum = 0;
    for (int j = 0; j < columns; j++) sum += a[i * columns + j] * x[j];
    product[i] = sum;
}

__global__ void columns_times(const float *a, const float *product, float *y, int rows, int columns) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= columns) return;
    float sum = 0;
    for (int i = 0; i < rows; i++) sum += a[i * columns + j] * product[i];
    y[j] = sum;
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "atax", [](const launch::Problem &p) {
        const int rows = p.n[0], columns = p.n[1], threads = 256;
        rows_times<<<gallery::blocks_for(rows, threads), threads>>>(p.input<float>(0), p.input<float>(1),
                                                                    p.working<float>(), rows, columns);
        columns_times<<<gallery::blocks_for(columns, threads), threads>>>(
            p.input<float>(0), p.working<float>(), p.result<float>(), rows, columns);
    });
}
