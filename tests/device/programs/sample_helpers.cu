/* What samples take from their folder of helpers. */
#include <helper_cuda.h>
#include <helper_functions.h>
__global__ void k(int *a) { a[threadIdx.x]++; }
int main(int argc, char **argv) {
    int device = findCudaDevice(argc, (const char **)argv), *a;
    int n = checkCmdLineFlag(argc, (const char **)argv, "n")
                ? getCmdLineArgumentInt(argc, (const char **)argv, "n")
                : 32;
    StopWatchInterface *timer = nullptr;
    checkCudaErrors(cudaMalloc(&a, n * sizeof *a));
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    k<<<1, n>>>(a);
    getLastCudaError("k failed");
    checkCudaErrors(cudaDeviceSynchronize());
    sdkStopTimer(&timer);
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    printf("%d cores, %g ms\n",
           _ConvertSMVer2Cores(properties.major, properties.minor) * properties.multiProcessorCount,
           sdkGetTimerValue(&timer) * 0);
    sdkDeleteTimer(&timer);
    checkCudaErrors(cudaSetDevice(77));
}
