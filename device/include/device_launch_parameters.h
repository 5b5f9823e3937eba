/* device_launch_parameters.h: threadIdx, blockIdx, blockDim, gridDim and warpSize.
 *
 * None of the variables exists in memory. Each is a declaration of an empty class whose fields are
 * properties: reading `threadIdx.x` calls a getter, which is one read of a PTX special register (mov.u32 %r,
 * %tid.x). A whole variable turns into uint3 or dim3 where one is asked for, and `auto t = threadIdx;` gives
 * another window onto the same registers.
 */
#ifndef WARPGLASS_DEVICE_LAUNCH_PARAMETERS_H
#define WARPGLASS_DEVICE_LAUNCH_PARAMETERS_H
#define __DEVICE_LAUNCH_PARAMETERS_H__ /* as in host_defines.h */

#include "host_defines.h"
#include "vector_types.h"

#if defined(__CUDA__)

#define WG_COMPONENT(FIELD, REGISTER)                                                                        \
    __declspec(property(get = wg_get_##FIELD)) unsigned int FIELD;                                           \
    static __device__ __forceinline__ unsigned int wg_get_##FIELD() { return REGISTER(); }

#define WG_SPECIAL_VARIABLE(NAME, CLASS, REGISTER)                                                           \
    struct CLASS {                                                                                           \
        WG_COMPONENT(x, __nvvm_read_ptx_sreg_##REGISTER##_x)                                                 \
        WG_COMPONENT(y, __nvvm_read_ptx_sreg_##REGISTER##_y)                                                 \
        WG_COMPONENT(z, __nvvm_read_ptx_sreg_##REGISTER##_z)                                                 \
        __device__ __forceinline__ operator dim3() const { return dim3(x, y, z); }                           \
        __device__ __forceinline__ operator uint3() const {                                                  \
            uint3 __v;                                                                                       \
            __v.x = x, __v.y = y, __v.z = z;                                                                 \
            return __v;                                                                                      \
        }                                                                                                    \
    };                                                                                                       \
    extern const __device__ __attribute__((__weak__)) CLASS NAME;

WG_SPECIAL_VARIABLE(threadIdx, wg_thread_index, tid)
WG_SPECIAL_VARIABLE(blockIdx, wg_block_index, ctaid)
WG_SPECIAL_VARIABLE(blockDim, wg_block_extent, ntid)
WG_SPECIAL_VARIABLE(gridDim, wg_grid_extent, nctaid)

#undef WG_SPECIAL_VARIABLE
#undef WG_COMPONENT

/* Every compute capability has had warps of 32. A constant, so that it folds. */
__device__ const int warpSize = 32;

#endif

#endif
