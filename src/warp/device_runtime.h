/* The device runtime: what kernels ask of it to launch kernels (dynamic parallelism). All goes by one function,
 *
 *     .extern .func (.param .b64 r) __wg_device_runtime(.param .b64 what, .param .b64 a, .param .b64 b, .param .b64 c);
 *
 * which the headers call (device/include/cuda_device_runtime_api.h), and device/device_runtime.cu for what nvcc
 * compiled. The headers have these numbers, too. A launch is three calls: LAUNCH gives the memory that the kernel's
 * parameters are to be stored in, SHAPE says the rest of the configuration, GO launches. A copy or a fill is two.
 */
#ifndef WG_WARP_DEVICE_RUNTIME_H
#define WG_WARP_DEVICE_RUNTIME_H

enum wg_runtime_call {
    WG_RUNTIME_LAST_ERROR = 0, /* -> the thread's last error, which is forgotten */
    WG_RUNTIME_PEEK_ERROR = 1, /* -> the same, which is not */
    WG_RUNTIME_ERROR = 2,      /* a: an error, which becomes the last one unless it is 0 -> a */
    WG_RUNTIME_LAUNCH =
        3, /* a: kernel, b: grid x | dynamic shared << 32, c: grid y | z << 32 -> memory, or 0 */
    WG_RUNTIME_SHAPE = 4,       /* a: the memory, b: block x | y << 32, c: block z -> the memory, or 0 */
    WG_RUNTIME_COPY = 5,        /* a: to, b: from, c: bytes -> what GO takes, or 0 */
    WG_RUNTIME_FILL = 6,        /* a: to, b: value, c: bytes -> what GO takes, or 0 */
    WG_RUNTIME_GO = 7,          /* a: what the others gave, b: stream -> an error */
    WG_RUNTIME_STREAM = 8,      /* a: flags -> a stream, or 0 */
    WG_RUNTIME_EVENT = 9,       /* a: flags -> an event, or 0 */
    WG_RUNTIME_STREAM_END = 10, /* a: a stream that is destroyed -> an error */
    WG_RUNTIME_EVENT_END = 11,  /* a: an event that is destroyed -> an error */
    WG_RUNTIME_RECORD = 12,     /* a: event, b: stream -> an error */
    WG_RUNTIME_WAIT = 13,       /* a: stream, b: event -> an error */
    WG_RUNTIME_DEVICE = 14,     /* -> the device's number */
    WG_RUNTIME_DEVICES = 15,    /* -> how many there are */
    WG_RUNTIME_PENDING = 16,    /* -> how many launches may be pending */
    WG_RUNTIME_ATTRIBUTE = 17,  /* a: which of CUDA's, b: device -> it | 1 << 32, or 0 */
    WG_RUNTIME_OCCUPANCY =
        18, /* a: kernel, b: threads of a block, c: dynamic shared -> blocks of an SM | 1 << 32, or 0 */
    WG_RUNTIME_KERNEL = 19,    /* a: kernel, b: enum wg_runtime_kernel -> it | 1 << 63, or 0 */
    WG_RUNTIME_CONDITION = 20, /* a: a conditional handle, b: its value -> 0 */
    WG_RUNTIME_CALLS = 21,
};

/* What is asked of a kernel, in the order of cudaFuncAttributes. */
enum wg_runtime_kernel {
    WG_RUNTIME_SHARED = 0,
    WG_RUNTIME_CONST = 1,
    WG_RUNTIME_LOCAL = 2,
    WG_RUNTIME_THREADS = 3,
    WG_RUNTIME_REGISTERS = 4,
    WG_RUNTIME_PTX = 5,
    WG_RUNTIME_BINARY = 6,
    WG_RUNTIME_DYNAMIC = 7,
};

/* CUDA's numbers, of errors that only the device runtime knows. */
enum {
    WG_RUNTIME_PENDING_EXCEEDED = 69, /* cudaErrorLaunchPendingCountExceeded */
    WG_RUNTIME_INVALID_KERNEL = 98,   /* cudaErrorInvalidDeviceFunction */
};

/* Streams that need not be created, as CUDA numbers them. Those below TAIL are the block's own stream, which is that of the
 * null pointer. */
enum { WG_RUNTIME_TAIL = 3, WG_RUNTIME_FORGET = 4 };
#endif
