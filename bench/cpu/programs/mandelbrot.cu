/* mandelbrot: how many turns each point takes to leave: loops of a length that each lane has to itself. */
#include "launch.h"

__global__ void mandelbrot(int *turns, int n, int most) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= n || py >= n) return;
    const float cx = -2 + 3.0f * px / n, cy = -1.5f + 3.0f * py / n;
    float x = 0, y = 0;
    int turn = 0;
    while (turn < most && x * x + y * y < 4) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        turn++;
    }
    turns[py * n + px] = turn;
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "mandelbrot", [](const launch::Problem &p) {
        const dim3 block(16, 16), grid(gallery::blocks_for(p.n[0], 16), gallery::blocks_for(p.n[0], 16));
        mandelbrot<<<grid, block>>>(p.result<int>(), p.n[0], p.n[1]);
    });
}
