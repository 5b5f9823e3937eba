/* align: Needleman and Wunsch's scores, a launch for each diagonal of tiles, and a block of 16 threads for each tile. */
#include "launch.h"

static const int side = 16;

__global__ void borders(int *score, int row, int penalty) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < row) score[i] = score[i * row] = -i * penalty;
}

__global__ void diagonal(int *score, const int *alike, int tiles, int first_tile, int last_row, int penalty) {
    __shared__ int tile[side + 1][side + 1], like[side][side];
    const int t = threadIdx.x, row = tiles * side + 1;
    const int left = (first_tile + blockIdx.x) * side, top = (last_row - blockIdx.x) * side;
    for (int y = 0; y < side; y++) like[y][t] = alike[(top + y) * (row - 1) + left + t];
    tile[t + 1][0] = score[(top + t + 1) * row + left];
    tile[0][t + 1] = score[top * row + left + t + 1];
    if (t == 0) tile[0][0] = score[top * row + left];
    __syncthreads();
    for (int step = 0; step < 2 * side - 1; step++) {
        const int x = t + 1, y = step - t + 1;
        if (y >= 1 && y <= side)
            tile[y][x] =
                max(tile[y - 1][x - 1] + like[y - 1][x - 1], max(tile[y][x - 1], tile[y - 1][x]) - penalty);
        __syncthreads();
    }
    for (int y = 0; y < side; y++) score[(top + y + 1) * row + left + t + 1] = tile[y + 1][t + 1];
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "align", [](const launch::Problem &p) {
        const int tiles = p.n[0], row = tiles * side + 1;
        borders<<<gallery::blocks_for(row, 256), 256>>>(p.result<int>(), row, p.n[1]);
        for (int sum = 0; sum < 2 * tiles - 1; sum++) {
            const int first = sum < tiles ? 0 : sum - tiles + 1,
                      count = sum < tiles ? sum + 1 : 2 * tiles - 1 - sum;
            diagonal<<<count, side>>>(p.result<int>(), p.input<int>(0), tiles, first, sum - first, p.n[1]);
        }
    });
}
