/* kmeans: each point's nearest centre, a thread for each point of eight values. */
#include "launch.h"

__global__ void nearest(const float *point, const float *centre, int *which, int n, int centres) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float least = 3.4e38f;
    int best = 0;
    for (int c = 0; c < centres; c++) {
        float square = 0;
        for (int k = 0; k < 8; k++) {
            const float d = point[i * 8 + k] - centre[c * 8 + k];
            square += d * d;
        }
        if (square < least) {
            least = square;
            best = c;
        }
    }
    which[i] = best;
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "kmeans", [](const launch::Problem &p) {
        nearest<<<gallery::blocks_for(p.n[0], 256), 256>>>(p.input<float>(0), p.input<float>(1),
                                                           p.result<int>(), p.n[0], p.n[1]);
    });
}
