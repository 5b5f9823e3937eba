/* cuda_runtime.h: everything a CUDA program expects without asking for it.
 *
 * The compiler driver puts this header before the first line of every .cu file, as nvcc does with NVIDIA's.
 * In a plain .c or .cpp file it is the runtime API, the vector types and (C++) the typed templates. With
 * clang -x cuda it also brings the language: qualifiers, threadIdx, <<<>>>, intrinsics, and mathematical
 * functions in device code.
 *
 * How device mathematics fits together, all from one clang:
 *   clang's __clang_cuda_math_forward_declares.h   must come before <cmath>: reserves sin(float) & co. for
 *                                                  the device
 *   clang's __clang_cuda_math.h, _cmath.h          map sin, sinf, std::sin, sin(int) to __nv_sin, __nv_sinf
 *   warpglass/math/                                our __nv_*: real code, compiled into the PTX
 */
#ifndef WARPGLASS_CUDA_RUNTIME_H
#define WARPGLASS_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* as in host_defines.h */

#if defined(__CUDA__) && defined(__cplusplus)

#if !defined(__clang__) || __clang_major__ < 19
#error "these CUDA headers need clang 19 or newer"
#endif
#include <__clang_cuda_math_forward_declares.h>

/* libstdc++ asks __CUDACC__ whether __float128 is to be avoided, so it is set before the first C++ header.
 * The version is that of the nvcc whose language and headers we follow. */
#if !defined(__CUDACC__)
#define __CUDACC__ 1
#endif
#define __CUDACC_VER_MAJOR__              13
#define __CUDACC_VER_MINOR__              0
#define __CUDACC_VER_BUILD__              0
#define __CUDA_API_VER_MAJOR__            13
#define __CUDA_API_VER_MINOR__            0
#define __CUDACC_DEVICE_ATOMIC_BUILTINS__ 1 /* __nv_atomic_load and its kin */
/* nvcc wraps a lambda that kernels may call into another type, clang does not: none is such a type. */
#define __nv_is_extended_device_lambda_closure_type(...)               false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...)          false
#if !defined(CUDA_VERSION)
#define CUDA_VERSION 13000 /* clang's headers ask for it; cuda.h says the same */
#endif

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <new>
#include <stdint.h> /* this and the next two: programs use what nvcc brings without asking for it */
#include <stdio.h>
#include <time.h>
#if __cplusplus >= 201103L
#include <utility>
#endif

#endif

#include "host_defines.h"
#include "builtin_types.h"
#include "library_types.h"
#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "driver_functions.h"
#include "channel_descriptor.h"

#if defined(__cplusplus)
#include "warpglass/runtime_templates.h"
#endif

#if defined(__CUDA__) && defined(__cplusplus)

/* An intrinsic is one instruction of the line that uses it: without debug information of their own, these
 * functions leave the user's line on what they inline to, and the counters by source line stay in the user's
 * file. */
#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
#include "device_launch_parameters.h"
#include "warpglass/device_library.h"
#include "warpglass/synchronization.h"
#include "warpglass/warp_intrinsics.h"
#include "warpglass/cluster_intrinsics.h"
#include "warpglass/atomics.h"
#include "warpglass/nv_atomics.h"
#include "warpglass/memory_intrinsics.h"
#include "warpglass/integer_intrinsics.h"
#include "warpglass/simd_extremes.h"
#include "warpglass/simd_intrinsics.h"
#include "warpglass/float_intrinsics.h"
#if defined(__CUDA_ARCH__)
#include "warpglass/math/device.h"
#else /* the host's pass only has to know what they are called */
#include <__clang_cuda_libdevice_declares.h>
#endif
#include <__clang_cuda_math.h>
#include "warpglass/min_max.h"
#include "warpglass/math_overloads.h"
#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>
#include "warpglass/managed.h"
#include "warpglass/files.h"
#include "warpglass/textures/functions.h"
#include "cuda_device_runtime_api.h"
#pragma clang attribute pop

#include <math.h> /* as nvcc does: sqrt(float) of the host is a float without std::, too */
#include "warpglass/math_host.h"

#endif

#endif
