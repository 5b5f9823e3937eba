/* life: a step of Conway's game of life on a torus, whose neighbours are found by %. */
#include "launch.h"

__global__ void life(const unsigned char *in, unsigned char *out, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) alive += in[(y + dy + h) % h * w + (x + dx + w) % w];
    out[y * w + x] = alive == 3 || (alive == 2 && in[y * w + x]);
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "life", [](const launch::Problem &p) {
        const dim3 block(32, 8), grid(gallery::blocks_for(p.n[0], 32), gallery::blocks_for(p.n[1], 8));
        life<<<grid, block>>>(p.input<unsigned char>(0), p.result<unsigned char>(), p.n[0], p.n[1]);
    });
}
