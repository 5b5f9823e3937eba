/* softmax: of rows, a block for each row, with reductions in shared memory. */
#include "launch.h"

static const int block = 256;

__device__ float reduce(float value, float *values, bool largest) {
    const int t = threadIdx.x;
    values[t] = value;
    __syncthreads();
    for (int half = block / 2; half; half /= 2) {
        if (t < half) values[t] = largest ? fmaxf(values[t], values[t + half]) : values[t] + values[t + half];
        __syncthreads();
    }
    const float result = values[0];
    __syncthreads();
    return result;
}

__global__ void softmax(const float *in, float *out, int columns) {
    __shared__ float values[block];
    const float *x = in + blockIdx.x * columns;
    float *y = out + blockIdx.x * columns;
    float most = -INFINITY, sum = 0;
    for (int j = threadIdx.x; j < columns; j += block) most = fmaxf(most, x[j]);
    most = reduce(most, values, true);
    for (int j = threadIdx.x; j < columns; j += block) {
        y[j] = expf(x[j] - most);
        sum += y[j];
    }
    sum = reduce(sum, values, false);
    for (int j = threadIdx.x; j < columns; j += block) y[j] /= sum;
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "softmax", [](const launch::Problem &p) {
        softmax<<<p.n[0], block>>>(p.input<float>(0), p.result<float>(), p.n[1]);
    });
}
