/* helper_cuda.h: what NVIDIA's samples take from a header of this name: checkCudaErrors, findCudaDevice and a
 * few more.
 *
 * Ours, for samples and exercises that come without their folder of helpers; one given with -I is found
 * before it.
 */
#ifndef WARPGLASS_HELPER_CUDA_H
#define WARPGLASS_HELPER_CUDA_H

#include "cuda_runtime_api.h"
#include "helper_string.h"

#include <stdio.h>
#include <stdlib.h>

#define DEVICE_RESET cudaDeviceReset();

static inline void wg_check_call(cudaError_t status, const char *call, const char *file, int line) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(status),
            cudaGetErrorName(status));
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(call)     wg_check_call((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) wg_check_call(cudaGetLastError(), (message), __FILE__, __LINE__)
#define printLastCudaError(message)                                                                          \
    do {                                                                                                     \
        cudaError_t wg_status = cudaGetLastError();                                                          \
        if (wg_status != cudaSuccess)                                                                        \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, (message),                                \
                    cudaGetErrorString(wg_status));                                                          \
    } while (0)

/* Lanes for 32-bit floating-point numbers that one SM has. */
static inline int _ConvertSMVer2Cores(int major, int minor) {
    switch (10 * major + minor) {
    case 60:
    case 70:
    case 72:
    case 75:
    case 80: return 64;
    default: return 128;
    }
}

static inline int gpuDeviceInit(int device) {
    checkCudaErrors(cudaSetDevice(device));
    return device;
}
static inline int gpuGetMaxGflopsDeviceId(void) { return 0; }
static inline int findCudaDevice(int argc, const char **argv) {
    int device = checkCmdLineFlag(argc, argv, "device") ? getCmdLineArgumentInt(argc, argv, "device") : 0;
    struct cudaDeviceProp properties;
    gpuDeviceInit(device);
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name,
           properties.major, properties.minor);
    return device;
}
static inline bool checkCudaCapabilities(int major, int minor) {
    struct cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
    return properties.major > major || (properties.major == major && properties.minor >= minor);
}

#endif
