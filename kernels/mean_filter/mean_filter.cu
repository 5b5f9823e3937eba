/*
 * mean_filter: each byte of an image becomes the mean of the 3x3 or 5x5 bytes around it. Bytes nearer
 * to the border than the window reaches are left as they are. The image comes from pinned host memory.
 *
 *   meanS_global   each thread reads the whole window from global memory
 *   meanS_shared   a block of 128 threads brings 128 columns of S rows into shared memory and gives
 *                  the 128 - (S - 1) bytes whose window lies inside; blocks overlap by S - 1 columns
 *
 *   mean_filter                8000 x 8000
 *   mean_filter 1001 77        width, height
 */
#include "../gallery.h"

typedef unsigned char byte;

static const int block = 128;

template <int reach> __global__ void mean_global(const byte *in, byte *out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < reach || y < reach || x >= width - reach || y >= height - reach) return;
    unsigned sum = 0;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++) sum += in[(y + dy) * width + x + dx];
    const int side = 2 * reach + 1;
    out[y * width + x] = sum / (side * side);
}

/* In published versions the threads at the border return before the barrier that the others wait at,
   which is undefined. Here those threads skip the load, and return only after the barrier. */
template <int reach> __global__ void mean_shared(const byte *in, byte *out, int width, int height) {
    const int side = 2 * reach + 1;
    __shared__ int rows[side][block];
    const int t = threadIdx.x;
    const int x = blockIdx.x * (block - 2 * reach) + t, y = blockIdx.y;
    const bool inside = x < width && y >= reach && y < height - reach;
    if (inside) {
        for (int j = 0; j < side; j++) rows[j][t] = in[(y + j - reach) * width + x];
    }
    __syncthreads();
    if (!inside || t < reach || t >= block - reach || x >= width - reach) return;
    unsigned sum = 0;
    for (int j = 0; j < side; j++)
        for (int dx = -reach; dx <= reach; dx++) sum += rows[j][t + dx];
    out[y * width + x] = sum / (side * side);
}

/* Plain C: what both kernels must give, border included. */
static void expect(const byte *in, byte *out, int width, int height, int reach) {
    memcpy(out, in, static_cast<size_t>(width) * height);
    const int side = 2 * reach + 1;
    for (int y = reach; y < height - reach; y++) {
        for (int x = reach; x < width - reach; x++) {
            unsigned sum = 0;
            for (int dy = -reach; dy <= reach; dy++)
                for (int dx = -reach; dx <= reach; dx++) sum += in[(y + dy) * width + x + dx];
            out[y * width + x] = sum / (side * side);
        }
    }
}

struct Images {
    int width, height;
    size_t bytes;
    byte *in, *result; /* pinned */
    byte *expected;
    byte *device_in, *device_out;
};

template <class Launch>
static void run(gallery::Program &program, Images &images, const char *variant, Launch launch) {
    if (!program.wants(variant)) return;
    /* The kernels write no border: the output starts as a copy of the input. */
    CHECK(cudaMemcpyAsync(images.device_in, images.in, images.bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyAsync(images.device_out, images.device_in, images.bytes, cudaMemcpyDeviceToDevice));
    program.time(variant, launch);
    CHECK(cudaMemcpyAsync(images.result, images.device_out, images.bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
    program.compare(images.result, images.expected, images.bytes);
    program.verdict();
}

template <int reach>
static void filter(gallery::Program &program, Images &images, const char *global_name,
                   const char *shared_name) {
    const int width = images.width, height = images.height;
    expect(images.in, images.expected, width, height, reach);
    const dim3 global_grid(gallery::blocks_for(width, block), height);
    const dim3 shared_grid(gallery::blocks_for(width, block - 2 * reach), height);
    run(program, images, global_name, [&] {
        mean_global<reach><<<global_grid, block>>>(images.device_in, images.device_out, width, height);
    });
    run(program, images, shared_name, [&] {
        mean_shared<reach><<<shared_grid, block>>>(images.device_in, images.device_out, width, height);
    });
}

int main(int argc, char **argv) {
    Images images = {};
    images.width = images.height = 8000;
    const gallery::Size sizes[] = {{"WIDTH", "columns of the image", &images.width, 1, 32768},
                                   {"HEIGHT", "rows of the image", &images.height, 1, 32768}};
    gallery::Program program(argc, argv, "mean_filter", "Mean filter of a gray image.", sizes);
    if (program.sizes_given() == 1) images.height = images.width;

    images.bytes = static_cast<size_t>(images.width) * images.height;
    CHECK(cudaMallocHost(&images.in, images.bytes));
    CHECK(cudaMallocHost(&images.result, images.bytes));
    images.expected = gallery::host_array<byte>(images.bytes);
    CHECK(cudaMalloc(&images.device_in, images.bytes));
    CHECK(cudaMalloc(&images.device_out, images.bytes));
    gallery::fill(images.in, images.bytes, 0, 255, 1);

    printf("mean_filter: %d x %d bytes, blocks of %d threads\n", images.width, images.height, block);
    filter<1>(program, images, "mean3_global", "mean3_shared");
    filter<2>(program, images, "mean5_global", "mean5_shared");

    CHECK(cudaFree(images.device_in));
    CHECK(cudaFree(images.device_out));
    CHECK(cudaFreeHost(images.in));
    CHECK(cudaFreeHost(images.result));
    free(images.expected);
    return program.finish();
}
