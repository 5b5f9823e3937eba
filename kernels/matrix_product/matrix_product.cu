/*
 * matrix_product: c = a * b, where a is rows x inner, b is inner x columns, all of int.
 *
 *   product_naive      one thread for each value of c; a warp reads one value of a and 32 neighbours
 *                      of b for each step, all from global memory
 *   product_tiled<T>   a block of T x T threads brings a T x T tile of a and of b into shared memory
 *                      and uses each value T times
 *
 *   matrix_product                     1024 x 1024 x 1024, then 333 x 517 x 421, which no tile divides
 *   matrix_product 1000 700 33         rows, inner, columns
 */
#include "../gallery.h"

__global__ void product_naive(const int *a, const int *b, int *c, int rows, int inner, int columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * columns) return;
    const int row = i / columns, column = i % columns;
    int sum = 0;
    for (int k = 0; k < inner; k++) sum += a[row * inner + k] * b[k * columns + column];
    c[i] = sum;
}

/* Published versions of this kernel hold two faults. The store to c and a barrier stand inside the
   innermost loop: right in the end, and many times slower. And the number of tiles is inner / T,
   with no test of row and column: wrong unless T divides all three sizes. Here a value outside a
   matrix is a zero in the tile, every thread reaches both barriers, and c is stored once. */
template <int T>
__global__ void product_tiled(const int *a, const int *b, int *c, int rows, int inner, int columns) {
    __shared__ int a_tile[T][T], b_tile[T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    int sum = 0;
    for (int first = 0; first < inner; first += T) {
        const int a_column = first + x, b_row = first + y;
        a_tile[y][x] = row < rows && a_column < inner ? a[row * inner + a_column] : 0;
        b_tile[y][x] = b_row < inner && column < columns ? b[b_row * columns + column] : 0;
        __syncthreads();
        for (int k = 0; k < T; k++) sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * columns + column] = sum;
}

/* Plain C, with the loops in the order that walks along the rows of b and c. */
static void expect(const int *a, const int *b, int *c, int rows, int inner, int columns) {
    for (int row = 0; row < rows; row++) {
        for (int k = 0; k < inner; k++) {
            const int factor = a[row * inner + k];
            for (int column = 0; column < columns; column++)
                c[row * columns + column] += factor * b[k * columns + column];
        }
    }
}

static void multiply(gallery::Program &program, int rows, int inner, int columns) {
    const size_t a_count = static_cast<size_t>(rows) * inner;
    const size_t b_count = static_cast<size_t>(inner) * columns;
    const size_t c_count = static_cast<size_t>(rows) * columns;
    int *a = gallery::host_array<int>(a_count), *b = gallery::host_array<int>(b_count);
    int *expected = gallery::host_array<int>(c_count), *result = gallery::host_array<int>(c_count);
    gallery::fill(a, a_count, -100, 100, 1);
    gallery::fill(b, b_count, -100, 100, 2);
    expect(a, b, expected, rows, inner, columns);

    int *device_a, *device_b, *device_c;
    CHECK(cudaMalloc(&device_a, a_count * sizeof(int)));
    CHECK(cudaMalloc(&device_b, b_count * sizeof(int)));
    CHECK(cudaMalloc(&device_c, c_count * sizeof(int)));
    CHECK(cudaMemcpy(device_a, a, a_count * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_b, b, b_count * sizeof(int), cudaMemcpyHostToDevice));
    printf("matrix_product: %d x %d times %d x %d int\n", rows, inner, inner, columns);

    auto run = [&](const char *variant, auto kernel, dim3 grid, dim3 threads) {
        if (!program.wants(variant)) return;
        CHECK(cudaMemset(device_c, 0xff, c_count * sizeof(int)));
        program.time(variant,
                     [&] { kernel<<<grid, threads>>>(device_a, device_b, device_c, rows, inner, columns); });
        CHECK(cudaMemcpy(result, device_c, c_count * sizeof(int), cudaMemcpyDeviceToHost));
        program.compare(result, expected, c_count);
        program.verdict();
    };
    auto tiles = [&](int side) {
        return dim3(gallery::blocks_for(columns, side), gallery::blocks_for(rows, side));
    };
    run("product_naive", product_naive, dim3(gallery::blocks_for(rows * columns, 256)), dim3(256));
    run("product_tiled16", product_tiled<16>, tiles(16), dim3(16, 16));
    run("product_tiled32", product_tiled<32>, tiles(32), dim3(32, 32));

    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_c));
    free(a);
    free(b);
    free(expected);
    free(result);
}

int main(int argc, char **argv) {
    int rows = 1024, inner = 1024, columns = 1024;
    const gallery::Size sizes[] = {
        {"ROWS", "rows of a and c", &rows, 1, 16384},
        {"INNER", "columns of a, rows of b", &inner, 1, 16384},
        {"COLUMNS", "columns of b and c", &columns, 1, 16384},
    };
    gallery::Program program(argc, argv, "matrix_product", "Multiplies two matrices of int.", sizes);
    if (program.sizes_given() == 1) inner = rows;
    if (program.sizes_given() >= 1 && program.sizes_given() < 3) columns = rows;

    multiply(program, rows, inner, columns);
    if (program.sizes_given() == 0) multiply(program, 333, 517, 421);
    return program.finish();
}
