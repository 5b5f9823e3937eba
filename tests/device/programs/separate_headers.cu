/* The headers that programs name one by one, after and before each other. */
#include <device_launch_parameters.h>
#include <cuda_runtime.h>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <device_functions.h>
#include <sm_60_atomic_functions.h>
#include <math_constants.h>
#include <math_functions.h>
#include <vector_types.h>
#include <vector_functions.h>
#include <driver_types.h>
#include <cuComplex.h>
#include <cuda_profiler_api.h>
#include <library_types.h>
#include <nvtx3/nvToolsExt.h>
#if !defined(__CUDACC__) || __CUDACC_VER_MAJOR__ != 13 || CUDART_VERSION < 13000 || CUDA_VERSION < 13000
#error "version macros"
#endif
__global__ void k(cuFloatComplex *c, double *d) {
    c[0] = cuCmulf(c[1], cuCdivf(c[2], make_cuFloatComplex(1, 2)));
    d[0] = CUDART_PI + CUDART_INF + cuCabs(make_cuDoubleComplex(3, 4)) + CUDART_NAN;
#if __CUDA_ARCH__ >= 900
    d[1] = 9;
#endif
}
int main() {
    CUdevice device;
    cudaProfilerStart();
    nvtxRangePushA("range");
    cuInit(0), cuDeviceGet(&device, 0);
    k<<<1, 1>>>(0, 0);
    nvtxRangePop();
    return cudaProfilerStop();
}
