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

static inline void wg_check_call(cudaError_t __status, const char *__call, const char *__file, int __line) {
    if (__status == cudaSuccess) return;
    fprintf(stderr, "%s:%d: %s: %s (%s)\n", __file, __line, __call, cudaGetErrorString(__status),
            cudaGetErrorName(__status));
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(call)       wg_check_call((call), #call, __FILE__, __LINE__)
#define getLastCudaError(__message) wg_check_call(cudaGetLastError(), (__message), __FILE__, __LINE__)
#define printLastCudaError(__message)                                                                        \
    do {                                                                                                     \
        cudaError_t wg_status = cudaGetLastError();                                                          \
        if (wg_status != cudaSuccess)                                                                        \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, (__message),                              \
                    cudaGetErrorString(wg_status));                                                          \
    } while (0)

/* Lanes for 32-bit floating-point numbers that one SM has. */
static inline int _ConvertSMVer2Cores(int __major, int __minor) {
    switch (10 * __major + __minor) {
    case 60:
    case 70:
    case 72:
    case 75:
    case 80: return 64;
    default: return 128;
    }
}

static inline int gpuDeviceInit(int __device) {
    checkCudaErrors(cudaSetDevice(__device));
    return __device;
}
static inline int gpuGetMaxGflopsDeviceId(void) { return 0; }
static inline int findCudaDevice(int __argc, const char **__argv) {
    int __device =
        checkCmdLineFlag(__argc, __argv, "device") ? getCmdLineArgumentInt(__argc, __argv, "device") : 0;
    struct cudaDeviceProp __properties;
    gpuDeviceInit(__device);
    checkCudaErrors(cudaGetDeviceProperties(&__properties, __device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", __device, __properties.name,
           __properties.major, __properties.minor);
    return __device;
}
static inline bool checkCudaCapabilities(int __major, int __minor) {
    struct cudaDeviceProp __properties;
    checkCudaErrors(cudaGetDeviceProperties(&__properties, 0));
    return __properties.major > __major || (__properties.major == __major && __properties.minor >= __minor);
}

#endif
