/* Occupancy functions, attributes of kernels and of the device. */
// PTX: \.maxntid
#include <cstdio>
__global__ void __launch_bounds__(256, 2) work(float *p) { p[threadIdx.x] *= 2; }
int main() {
    int grid, block, blocks, value;
    size_t bytes;
    cudaFuncAttributes attributes;
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, work, 0, 0);
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, work,
                                                   [](int size) { return size * sizeof(float); });
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, block, 0);
    cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, work, 2, 128);
    cudaFuncGetAttributes(&attributes, work);
    cudaFuncSetCacheConfig(work, cudaFuncCachePreferL1);
    cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0);
    printf("%s %d.%d %zu %d %d\n", properties.name, properties.major, properties.minor,
           properties.sharedMemPerBlockOptin, attributes.numRegs, blocks * value);
}
