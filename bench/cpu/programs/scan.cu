/* scan: the sums up to each value, in blocks, as Hillis and Steele add them. */
#include "launch.h"

__global__ void scan(const int *in, int *out, int n) {
    __shared__ int values[2][1024];
    const int t = threadIdx.x, i = blockIdx.x * n + t;
    int now = 0;
    values[0][t] = in[i];
    __syncthreads();
    for (int away = 1; away < n; away *= 2) {
        values[1 - now][t] = values[now][t] + (t >= away ? values[now][t - away] : 0);
        now = 1 - now;
        __syncthreads();
    }
    out[i] = values[now][t];
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "scan", [](const launch::Problem &p) {
        scan<<<p.n[0], p.n[1]>>>(p.input<int>(0), p.result<int>(), p.n[1]);
    });
}
