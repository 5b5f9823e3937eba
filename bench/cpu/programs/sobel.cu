/* sobel: a picture's edges, with coordinates that are held within it. */
#include "launch.h"

__device__ int at(const unsigned char *in, int x, int y, int w, int h) {
    return in[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)];
}

__global__ void sobel(const unsigned char *in, unsigned char *out, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int across = 0, down = 0;
    for (int d = -1; d <= 1; d++) {
        const int times = d ? 1 : 2;
        across += times * (at(in, x + 1, y + d, w, h) - at(in, x - 1, y + d, w, h));
        down += times * (at(in, x + d, y + 1, w, h) - at(in, x + d, y - 1, w, h));
    }
    out[y * w + x] = min(abs(across) + abs(down), 255);
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "sobel", [](const launch::Problem &p) {
        const dim3 block(16, 16), grid(gallery::blocks_for(p.n[0], 16), gallery::blocks_for(p.n[1], 16));
        sobel<<<grid, block>>>(p.input<unsigned char>(0), p.result<unsigned char>(), p.n[0], p.n[1]);
    });
}
