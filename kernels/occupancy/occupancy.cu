/*
 * occupancy: how many blocks of a kernel one SM holds at once, and what stops it from holding more.
 *
 * The runtime answers (cudaOccupancyMaxActiveBlocksPerMultiprocessor and its kin); plain C derives the
 * same numbers from the device's limits and the kernel's needs, and both must agree:
 *
 *   blocks    = at most as many as the device allows
 *   warps     = warps of the SM / warps of a block
 *   registers = each warp's are rounded up to 256, and a warp lives in one of the SM's 4 quarters
 *   shared    = shared memory of the SM / (the block's, rounded up to 128, and what the system reserves)
 *
 *   occupancy                  blocks of 256 threads, no dynamic shared memory; then a table
 *   occupancy 96 50000         threads in a block, bytes of dynamic shared memory
 */
#include "../gallery.h"

static const int staged = 256;

/* Something with registers, static shared memory and a use for dynamic shared memory. */
__global__ void scale_reversed(const float *in, float *out, int n, float factor) {
    __shared__ float stage[staged];
    extern __shared__ float rest[];
    const int t = threadIdx.x, first = blockIdx.x * blockDim.x;
    const int count = min(static_cast<int>(blockDim.x), n - first);
    if (t < count) {
        if (t < staged)
            stage[t] = in[first + t];
        else
            rest[t - staged] = in[first + t];
    }
    __syncthreads();
    const int from = count - 1 - t;
    if (t < count) out[first + t] = factor * (from < staged ? stage[from] : rest[from - staged]);
}

static int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

struct Limits {
    int blocks, warps, registers, shared;
};

/* Compute capability 7.0 to 9.0; the rounding units are the hardware's. */
static Limits limits_of(const cudaDeviceProp &device, const cudaFuncAttributes &kernel, int threads,
                        int dynamic_bytes) {
    const int warps = gallery::blocks_for(threads, device.warpSize);
    const int registers_of_warp = round_up(kernel.numRegs * device.warpSize, 256);
    const int warps_of_quarter = device.regsPerMultiprocessor / 4 / registers_of_warp;
    const int bytes = round_up(static_cast<int>(kernel.sharedSizeBytes) + dynamic_bytes +
                                   static_cast<int>(device.reservedSharedMemPerBlock),
                               128);
    Limits limits;
    limits.blocks = device.maxBlocksPerMultiProcessor;
    limits.warps = device.maxThreadsPerMultiProcessor / device.warpSize / warps;
    limits.registers = 4 * warps_of_quarter / warps;
    limits.shared = static_cast<int>(device.sharedMemPerMultiprocessor) / bytes;
    return limits;
}

static int least(const Limits &limits) {
    int blocks = limits.blocks;
    for (int other : {limits.warps, limits.registers, limits.shared})
        blocks = other < blocks ? other : blocks;
    return blocks;
}

static const char *reason(const Limits &limits) {
    const int blocks = least(limits);
    return blocks == limits.warps       ? "warps"
           : blocks == limits.registers ? "registers"
           : blocks == limits.shared    ? "shared memory"
                                        : "blocks";
}

/* One row of the table; returns what the runtime says. */
static int query(gallery::Program &program, const cudaDeviceProp &device, const cudaFuncAttributes &kernel,
                 int threads, int dynamic_bytes) {
    int blocks;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale_reversed, threads, dynamic_bytes));
    const Limits limits = limits_of(device, kernel, threads, dynamic_bytes);
    const int expected = least(limits);
    printf("  %7d %8d %7d %5d %9.0f%%   %s\n", threads, dynamic_bytes, blocks,
           blocks * gallery::blocks_for(threads, device.warpSize),
           100.0 * blocks * round_up(threads, device.warpSize) / device.maxThreadsPerMultiProcessor,
           reason(limits));
    program.compare(&blocks, &expected, 1);
    return blocks;
}

/* What each of `blocks` blocks on an SM can have: its part of the SM's shared memory, in units of 128,
   without what the system reserves, and no more than the kernel's attribute allows. The kernel's own
   static shared memory is not taken off: the runtime's answer counts it in. */
static void query_bytes(gallery::Program &program, const cudaDeviceProp &device, int threads, int blocks,
                        int most_bytes) {
    size_t bytes;
    CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, scale_reversed, blocks, threads));
    const int room = static_cast<int>(device.sharedMemPerMultiprocessor) / blocks / 128 * 128 -
                     static_cast<int>(device.reservedSharedMemPerBlock);
    const int expected = room < most_bytes ? room : most_bytes, got = static_cast<int>(bytes);
    printf("  %d blocks of %d threads on an SM leave %d bytes of shared memory to each\n", blocks, threads,
           got);
    program.compare(&got, &expected, 1);
}

/* Runs the kernel in blocks of the size asked for and checks its answer. */
static void launch(gallery::Program &program, int threads, int dynamic_bytes) {
    const int n = 1000003;
    const size_t bytes = n * sizeof(float);
    float *in = gallery::host_array<float>(n), *expected = gallery::host_array<float>(n);
    float *result = gallery::host_array<float>(n), *device_in, *device_out;
    gallery::fill(in, n, -1000, 1000, 1);
    for (int i = 0; i < n; i++) {
        const int first = i / threads * threads;
        const int count = n - first < threads ? n - first : threads;
        expected[i] = 3 * in[first + count - 1 - (i - first)];
    }
    CHECK(cudaMalloc(&device_in, bytes));
    CHECK(cudaMalloc(&device_out, bytes));
    CHECK(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice));
    program.time("scale_reversed", [&] {
        scale_reversed<<<gallery::blocks_for(n, threads), threads, dynamic_bytes>>>(device_in, device_out, n,
                                                                                    3);
    });
    CHECK(cudaMemcpy(result, device_out, bytes, cudaMemcpyDeviceToHost));
    program.compare(result, expected, n);
    program.verdict();
    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));
    free(in);
    free(expected);
    free(result);
}

int main(int argc, char **argv) {
    int threads = 256, dynamic_bytes = 0;
    const gallery::Size sizes[] = {
        {"THREADS", "threads in a block", &threads, 1, 1024},
        {"BYTES", "bytes of dynamic shared memory", &dynamic_bytes, 0, 1 << 20},
    };
    gallery::Program program(argc, argv, "occupancy", "Asks how full a kernel makes an SM.", sizes);

    cudaDeviceProp device;
    cudaFuncAttributes kernel;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaFuncGetAttributes(&kernel, scale_reversed));
    const int most_bytes = static_cast<int>(device.sharedMemPerBlockOptin - kernel.sharedSizeBytes);
    if (dynamic_bytes > most_bytes) {
        fprintf(stderr, "occupancy: BYTES can be at most %d on this device\n", most_bytes);
        return 2;
    }
    CHECK(cudaFuncSetAttribute(scale_reversed, cudaFuncAttributeMaxDynamicSharedMemorySize, most_bytes));
    printf("occupancy: %s, compute capability %d.%d; a kernel of %d registers and %zu bytes of static "
           "shared memory\n",
           device.name, device.major, device.minor, kernel.numRegs, kernel.sharedSizeBytes);
    if (!program.wants("scale_reversed")) return program.finish();

    printf("  threads  dynamic  blocks  warps  occupancy   bounded by\n");
    const int asked = query(program, device, kernel, threads, dynamic_bytes);
    if (program.sizes_given() == 0) {
        for (int t : {32, 33, 64, 96, 128, 192, 256, 384, 512, 768, 1000, 1024})
            for (int bytes : {0, 16384, 49152, 100000, most_bytes}) query(program, device, kernel, t, bytes);
    }
    if (asked > 0) query_bytes(program, device, threads, asked, most_bytes);

    int least_grid, best_threads;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&least_grid, &best_threads, scale_reversed, 0, 0));
    printf("  the largest occupancy is had with blocks of %d threads, %d blocks in all\n", best_threads,
           least_grid);
    const int best = query(program, device, kernel, best_threads, 0);
    const int expected_grid = best * device.multiProcessorCount;
    program.compare(&least_grid, &expected_grid, 1);

    /* A block of more than `staged` threads keeps the rest of its values in dynamic shared memory. */
    const int rest = threads > staged ? (threads - staged) * static_cast<int>(sizeof(float)) : 0;
    launch(program, threads, dynamic_bytes > rest ? dynamic_bytes : rest);
    return program.finish();
}
