/*
 * histogram: how many of n values fall into each bin, in three ways.
 *
 *   histogram_global_BINS       one atomic addition to global memory for each value
 *   histogram_shared_BINS       each block counts in its own shared memory and adds its counts to global
 *                               memory at the end; only as long as one block can hold all bins
 *   histogram_clusterC_BINS     C blocks of a cluster hold a part of the bins each, and count in each
 *                               other's shared memory: room for C times as many bins
 *
 * All cluster sizes that can hold the bins are run; the first line of each number of bins says which one
 * a program would choose: see choose_cluster().
 *
 *   histogram                    2^24 values into 256, 8192, 49152 and 131072 bins
 *   histogram 1000003 1000       one number of bins; the value range is 0 to bins - 1
 */
#include "../gallery.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static const int block = 512;
static const int largest_cluster = 8;

__global__ void histogram_global(unsigned *bins, const int *values, int n) {
    const int step = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) atomicAdd(&bins[values[i]], 1);
}

__global__ void histogram_shared(unsigned *bins, int bin_count, const int *values, int n) {
    extern __shared__ unsigned mine[];
    for (int i = threadIdx.x; i < bin_count; i += blockDim.x) mine[i] = 0;
    __syncthreads();

    const int step = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) atomicAdd(&mine[values[i]], 1);
    __syncthreads();

    for (int i = threadIdx.x; i < bin_count; i += blockDim.x) atomicAdd(&bins[i], mine[i]);
}

/* Block r of the cluster holds the bins from r * share on. Published versions take the share to be
   bin_count / cluster size: with a remainder, the last values' block does not exist. Here the share
   is rounded up and the last block's part may be shorter. */
__global__ void histogram_cluster(unsigned *bins, int bin_count, int share, const int *values, int n) {
    extern __shared__ unsigned part[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < share; i += blockDim.x) part[i] = 0;
    cluster.sync(); /* all parts are zero before anyone counts in them */

    const int step = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        const int value = values[i];
        unsigned *holder = cluster.map_shared_rank(part, value / share);
        atomicAdd(&holder[value % share], 1);
    }
    cluster.sync(); /* nobody counts in a part, or in one of a block that has ended */

    const int first = cluster.block_rank() * share;
    for (int i = threadIdx.x; i < share && first + i < bin_count; i += blockDim.x)
        atomicAdd(&bins[first + i], part[i]);
}

struct Counting {
    int n, bin_count, blocks;
    const int *values; /* on the device */
    unsigned *bins;    /* on the device */
    unsigned *result, *expected;
    size_t bins_bytes;
};

static int share_of(int bin_count, int cluster) { return gallery::blocks_for(bin_count, cluster); }

/* The smallest cluster that can hold all bins: each doubling sends more of the additions to another SM,
   over a slower way (on an H200, 8192 bins take 0.04, 0.11, 0.32 and 0.37 ms with 1, 2, 4 and 8). */
static int choose_cluster(int bin_count, const cudaDeviceProp &device) {
    int cluster = 1;
    while (cluster < largest_cluster &&
           share_of(bin_count, cluster) * sizeof(unsigned) > device.sharedMemPerBlockOptin)
        cluster *= 2;
    return cluster;
}

template <class Launch>
static void run(gallery::Program &program, const Counting &count, const char *way, Launch launch) {
    char variant[64];
    snprintf(variant, sizeof variant, "histogram_%s_%d", way, count.bin_count);
    if (!program.wants(variant)) return;
    program.time(variant, [&] { CHECK(cudaMemset(count.bins, 0, count.bins_bytes)); }, launch);
    CHECK(cudaMemcpy(count.result, count.bins, count.bins_bytes, cudaMemcpyDeviceToHost));
    program.compare(count.result, count.expected, count.bin_count);
    program.verdict();
}

static void run_cluster(gallery::Program &program, const Counting &count, int cluster) {
    const int share = share_of(count.bin_count, cluster);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster;
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(count.blocks);
    config.blockDim = dim3(block);
    config.dynamicSmemBytes = share * sizeof(unsigned);
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaFuncSetAttribute(histogram_cluster, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(config.dynamicSmemBytes)));
    char way[32];
    snprintf(way, sizeof way, "cluster%d", cluster);
    run(program, count, way, [&] {
        CHECK(cudaLaunchKernelEx(&config, histogram_cluster, count.bins, count.bin_count, share, count.values,
                                 count.n));
    });
}

static void count_into(gallery::Program &program, int n, int bin_count, const cudaDeviceProp &device) {
    int *values = gallery::host_array<int>(n), *device_values;
    unsigned *device_bins;
    Counting count = {};
    count.n = n;
    count.bin_count = bin_count;
    count.bins_bytes = bin_count * sizeof(unsigned);
    count.result = gallery::host_array<unsigned>(bin_count);
    count.expected = gallery::host_array<unsigned>(bin_count);
    gallery::fill(values, n, 0, bin_count - 1, 1);
    for (int i = 0; i < n; i++) count.expected[values[i]]++;
    CHECK(cudaMalloc(&device_values, n * sizeof(int)));
    CHECK(cudaMalloc(&device_bins, count.bins_bytes));
    CHECK(cudaMemcpy(device_values, values, n * sizeof(int), cudaMemcpyHostToDevice));
    count.values = device_values;
    count.bins = device_bins;

    /* Four blocks for each SM; a grid must be a multiple of the cluster. */
    count.blocks = gallery::blocks_for(4 * device.multiProcessorCount, largest_cluster) * largest_cluster;
    const int chosen = choose_cluster(bin_count, device);
    printf("histogram: %d values, %d bins, %d blocks of %d threads; cluster size to choose: %d\n", n,
           bin_count, count.blocks, block, chosen);

    run(program, count, "global",
        [&] { histogram_global<<<count.blocks, block>>>(count.bins, count.values, n); });
    if (count.bins_bytes <= device.sharedMemPerBlockOptin) {
        CHECK(cudaFuncSetAttribute(histogram_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(count.bins_bytes)));
        run(program, count, "shared", [&] {
            histogram_shared<<<count.blocks, block, count.bins_bytes>>>(count.bins, bin_count, count.values,
                                                                        n);
        });
    }
    for (int cluster = 1; cluster <= largest_cluster; cluster *= 2) {
        if (share_of(bin_count, cluster) * sizeof(unsigned) <= device.sharedMemPerBlockOptin)
            run_cluster(program, count, cluster);
    }

    CHECK(cudaFree(device_values));
    CHECK(cudaFree(device_bins));
    free(values);
    free(count.result);
    free(count.expected);
}

int main(int argc, char **argv) {
    int n = 1 << 24, bins = 256;
    const gallery::Size sizes[] = {
        {"N", "number of values", &n, 1, 1 << 28},
        {"BINS", "number of bins; without it 256, 8192, 49152 and 131072 in turn", &bins, 1, 1 << 18},
    };
    gallery::Program program(argc, argv, "histogram", "Counts values into bins.", sizes);

    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    if (device.major < 9) {
        fprintf(stderr, "histogram: clusters need compute capability 9.0; this device has %d.%d\n",
                device.major, device.minor);
        return 1;
    }
    if (program.sizes_given() == 2) {
        count_into(program, n, bins, device);
    } else {
        for (int count : {256, 8192, 49152, 131072}) count_into(program, n, count, device);
    }
    return program.finish();
}
