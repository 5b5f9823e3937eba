/* Names and meanings of the driver's codes, as one list.
 *
 * The numbers and names are CUDA's; the sentences are ours. The runtime's codes have the same numbers and
 * take their sentences from here too (runtime/error.c adds those that only it has).
 */
#include "driver/driver.h"

/* clang-format off */
#define CODES(X) \
    X(CUDA_SUCCESS, "no error") \
    X(CUDA_ERROR_INVALID_VALUE, "invalid argument") \
    X(CUDA_ERROR_OUT_OF_MEMORY, "out of memory") \
    X(CUDA_ERROR_NOT_INITIALIZED, "initialization error") \
    X(CUDA_ERROR_DEINITIALIZED, "the driver is shutting down") \
    X(CUDA_ERROR_PROFILER_DISABLED, "the profiler is disabled for this run") \
    X(CUDA_ERROR_PROFILER_NOT_INITIALIZED, "the profiler is not initialized") \
    X(CUDA_ERROR_PROFILER_ALREADY_STARTED, "the profiler has already been started") \
    X(CUDA_ERROR_PROFILER_ALREADY_STOPPED, "the profiler has already been stopped") \
    X(CUDA_ERROR_STUB_LIBRARY, "the library is only a stub to link against") \
    X(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, "the call needs a newer driver") \
    X(CUDA_ERROR_DEVICE_UNAVAILABLE, "the device is busy or unavailable") \
    X(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected") \
    X(CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal") \
    X(CUDA_ERROR_DEVICE_NOT_LICENSED, "the device has no licence for this") \
    X(CUDA_ERROR_INVALID_IMAGE, "the device code image is invalid") \
    X(CUDA_ERROR_INVALID_CONTEXT, "invalid device context") \
    X(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, "the context is already current") \
    X(CUDA_ERROR_MAP_FAILED, "mapping of a buffer object failed") \
    X(CUDA_ERROR_UNMAP_FAILED, "unmapping of a buffer object failed") \
    X(CUDA_ERROR_ARRAY_IS_MAPPED, "the array is mapped") \
    X(CUDA_ERROR_ALREADY_MAPPED, "the resource is already mapped") \
    X(CUDA_ERROR_NO_BINARY_FOR_GPU, "no kernel image for this device: the program has no PTX that it can run") \
    X(CUDA_ERROR_ALREADY_ACQUIRED, "the resource is already acquired") \
    X(CUDA_ERROR_NOT_MAPPED, "the resource is not mapped") \
    X(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, "the resource is not mapped as an array") \
    X(CUDA_ERROR_NOT_MAPPED_AS_POINTER, "the resource is not mapped as a pointer") \
    X(CUDA_ERROR_ECC_UNCORRECTABLE, "an uncorrectable memory error was found") \
    X(CUDA_ERROR_UNSUPPORTED_LIMIT, "the device has no such limit") \
    X(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, "another thread uses the context") \
    X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "the two devices cannot reach each other's memory") \
    X(CUDA_ERROR_INVALID_PTX, "the PTX text has errors") \
    X(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, "invalid graphics context") \
    X(CUDA_ERROR_NVLINK_UNCORRECTABLE, "an uncorrectable NVLink error was found") \
    X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "the PTX compiler library was not found") \
    X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the PTX version is newer than what can be compiled") \
    X(CUDA_ERROR_JIT_COMPILATION_DISABLED, "compilation of PTX is disabled") \
    X(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "the device has no such execution affinity") \
    X(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, "the code waits for child kernels on the device, which is not possible") \
    X(CUDA_ERROR_CONTAINED, "an error was contained: the process's data may be wrong") \
    X(CUDA_ERROR_INVALID_SOURCE, "the kernel source is invalid") \
    X(CUDA_ERROR_FILE_NOT_FOUND, "file not found") \
    X(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "a shared object's symbol was not found") \
    X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, "a shared object did not initialize") \
    X(CUDA_ERROR_OPERATING_SYSTEM, "a call of the operating system failed") \
    X(CUDA_ERROR_INVALID_HANDLE, "invalid resource handle") \
    X(CUDA_ERROR_ILLEGAL_STATE, "the resource is not in a state that allows this") \
    X(CUDA_ERROR_LOSSY_QUERY, "the result would be incomplete") \
    X(CUDA_ERROR_NOT_FOUND, "the named symbol was not found") \
    X(CUDA_ERROR_NOT_READY, "the device is not ready: work is still in progress") \
    X(CUDA_ERROR_ILLEGAL_ADDRESS, "a kernel accessed an illegal memory address") \
    X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "the launch asks for more resources than the device has") \
    X(CUDA_ERROR_LAUNCH_TIMEOUT, "the kernel ran too long and was stopped") \
    X(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, "the launch uses incompatible texturing") \
    X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is already enabled") \
    X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "peer access is not enabled") \
    X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, "this cannot be set while the process uses the device") \
    X(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the context is destroyed") \
    X(CUDA_ERROR_ASSERT, "an assertion in a kernel failed") \
    X(CUDA_ERROR_TOO_MANY_PEERS, "no resources are left for another peer") \
    X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "the host memory is already registered") \
    X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "the host memory is not registered") \
    X(CUDA_ERROR_HARDWARE_STACK_ERROR, "a kernel's call stack is damaged or full") \
    X(CUDA_ERROR_ILLEGAL_INSTRUCTION, "a kernel met an illegal instruction") \
    X(CUDA_ERROR_MISALIGNED_ADDRESS, "a kernel used a misaligned address") \
    X(CUDA_ERROR_INVALID_ADDRESS_SPACE, "a kernel used an address of the wrong memory space") \
    X(CUDA_ERROR_INVALID_PC, "a kernel jumped to an address that is not code") \
    X(CUDA_ERROR_LAUNCH_FAILED, "the kernel failed: it trapped, or stopped for a reason that has no error code of its own") \
    X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "too many blocks in a cooperative launch") \
    X(CUDA_ERROR_TENSOR_MEMORY_LEAK, "a kernel ended without freeing tensor memory") \
    X(CUDA_ERROR_NOT_PERMITTED, "the operation is not permitted") \
    X(CUDA_ERROR_NOT_SUPPORTED, "the operation is not supported") \
    X(CUDA_ERROR_SYSTEM_NOT_READY, "the system is not ready yet") \
    X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, "the driver's parts do not match each other") \
    X(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, "the device has no forward compatibility") \
    X(CUDA_ERROR_MPS_CONNECTION_FAILED, "no connection to the multi-process server") \
    X(CUDA_ERROR_MPS_RPC_FAILURE, "a call of the multi-process server failed") \
    X(CUDA_ERROR_MPS_SERVER_NOT_READY, "the multi-process server is not ready") \
    X(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, "the multi-process server has no room for another client") \
    X(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, "the multi-process server has no connection left") \
    X(CUDA_ERROR_MPS_CLIENT_TERMINATED, "the multi-process server terminated this client") \
    X(CUDA_ERROR_CDP_NOT_SUPPORTED, "kernels cannot launch kernels here") \
    X(CUDA_ERROR_CDP_VERSION_MISMATCH, "modules with different versions of dynamic parallelism cannot be joined") \
    X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "not permitted while a stream is being captured") \
    X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture was invalidated by an earlier error") \
    X(CUDA_ERROR_STREAM_CAPTURE_MERGE, "two captures would have been merged") \
    X(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "the capture did not begin in this stream") \
    X(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "the capture has a branch that was not joined") \
    X(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "a dependency would cross the capture's border") \
    X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "the legacy stream's implicit wait is not allowed in a capture") \
    X(CUDA_ERROR_CAPTURED_EVENT, "the event was last recorded in a capture") \
    X(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "the capture began in another thread") \
    X(CUDA_ERROR_TIMEOUT, "the wait timed out") \
    X(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "the graph differs too much for an update") \
    X(CUDA_ERROR_EXTERNAL_DEVICE, "a device outside CUDA failed") \
    X(CUDA_ERROR_INVALID_CLUSTER_SIZE, "a cluster of this size cannot be launched") \
    X(CUDA_ERROR_FUNCTION_NOT_LOADED, "the function is not loaded") \
    X(CUDA_ERROR_INVALID_RESOURCE_TYPE, "invalid type of resource") \
    X(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, "the resources are too small or misconfigured") \
    X(CUDA_ERROR_KEY_ROTATION, "a key rotation is in progress") \
    X(CUDA_ERROR_UNKNOWN, "unknown error")
/* clang-format on */

CUresult cuGetErrorName(CUresult error, const char **name) {
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    switch (error) {
#define X(NAME, TEXT)                                                                                        \
    case NAME: *name = #NAME; return CUDA_SUCCESS;
        CODES(X)
#undef X
    }
    *name = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **string) {
    if (!string) return CUDA_ERROR_INVALID_VALUE;
    switch (error) {
#define X(NAME, TEXT)                                                                                        \
    case NAME: *string = TEXT; return CUDA_SUCCESS;
        CODES(X)
#undef X
    }
    *string = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}
