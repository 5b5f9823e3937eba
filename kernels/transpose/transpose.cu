/*
 * transpose: out = in^T for a matrix of int, in three ways.
 *
 *   transpose_naive    reads a column of `in`: a warp's 32 loads lie in 32 different lines
 *   transpose_shared   a tile goes through shared memory, so that both the load and the store are
 *                      contiguous; but the tile's columns all lie in one bank, and the store into it
 *                      takes 32 turns
 *   transpose_padded   the tile's rows are one int longer: a column now lies in 32 different banks
 *
 *   transpose               4096 x 4096
 *   transpose 1000 77       any shape: tiles at the right and lower edge are used in part
 */
#include "../gallery.h"

static const int tile = 32;

/* A thread of `out` at row y, column x. Published versions launch rows / 32 by columns / 32 blocks
   and test nothing: right only for square matrices that the tile divides. */
__global__ void transpose_naive(const int *in, int *out, int rows, int columns) {
    const int x = blockIdx.x * tile + threadIdx.x;
    const int y = blockIdx.y * tile + threadIdx.y;
    if (x < rows && y < columns) out[y * rows + x] = in[x * columns + y];
}

/* `padding` is what each row of the tile has beyond its 32 values. Every thread reaches the barrier:
   threads outside the matrix skip the load and the store, they do not return. */
template <int padding> __global__ void transpose_tiled(const int *in, int *out, int rows, int columns) {
    __shared__ int part[tile][tile + padding];

    const int in_column = blockIdx.x * tile + threadIdx.x;
    const int in_row = blockIdx.y * tile + threadIdx.y;
    if (in_row < rows && in_column < columns)
        part[threadIdx.x][threadIdx.y] = in[in_row * columns + in_column];
    __syncthreads();

    const int out_column = blockIdx.y * tile + threadIdx.x;
    const int out_row = blockIdx.x * tile + threadIdx.y;
    if (out_row < columns && out_column < rows)
        out[out_row * rows + out_column] = part[threadIdx.y][threadIdx.x];
}

int main(int argc, char **argv) {
    int rows = 4096, columns = 4096;
    const gallery::Size sizes[] = {{"ROWS", "rows of the matrix", &rows, 1, 32768},
                                   {"COLUMNS", "columns of the matrix", &columns, 1, 32768}};
    gallery::Program program(argc, argv, "transpose", "Transposes a matrix of int.", sizes);
    if (program.sizes_given() == 1) columns = rows;

    const size_t count = static_cast<size_t>(rows) * columns, bytes = count * sizeof(int);
    int *in = gallery::host_array<int>(count), *result = gallery::host_array<int>(count);
    int *expected = gallery::host_array<int>(count);
    gallery::fill(in, count, 0, 1000000000, 1);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) expected[x * rows + y] = in[y * columns + x];

    int *device_in, *device_out;
    CHECK(cudaMalloc(&device_in, bytes));
    CHECK(cudaMalloc(&device_out, bytes));
    CHECK(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice));

    const dim3 threads(tile, tile);
    const dim3 out_grid(gallery::blocks_for(rows, tile), gallery::blocks_for(columns, tile));
    const dim3 in_grid(out_grid.y, out_grid.x);
    printf("transpose: %d x %d int, %u blocks of %d x %d threads\n", rows, columns, in_grid.x * in_grid.y,
           tile, tile);

    auto run = [&](const char *variant, auto launch) {
        if (!program.wants(variant)) return;
        CHECK(cudaMemset(device_out, 0xff, bytes));
        program.time(variant, launch);
        CHECK(cudaMemcpy(result, device_out, bytes, cudaMemcpyDeviceToHost));
        program.compare(result, expected, count);
        program.verdict();
    };
    run("transpose_naive",
        [&] { transpose_naive<<<out_grid, threads>>>(device_in, device_out, rows, columns); });
    run("transpose_shared",
        [&] { transpose_tiled<0><<<in_grid, threads>>>(device_in, device_out, rows, columns); });
    run("transpose_padded",
        [&] { transpose_tiled<1><<<in_grid, threads>>>(device_in, device_out, rows, columns); });

    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));
    free(in);
    free(result);
    free(expected);
    return program.finish();
}
