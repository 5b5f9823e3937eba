/* device_library.h: the parts of C's library that kernels use: printf, assert, malloc, memcpy, new.
 *
 * Device code only. The calls below end as external functions in the PTX, which the machine serves: clang
 * turns printf into vprintf(format, packed arguments), assert ends in __assertfail, malloc and free draw on
 * the device heap. The declarations join those of the host's headers: for clang the two are overloads by
 * target.
 */
#ifndef WARPGLASS_DEVICE_LIBRARY_H
#define WARPGLASS_DEVICE_LIBRARY_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../host_defines.h"

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t) __attribute__((nothrow)) __attribute__((malloc));
__device__ void free(void *) __attribute__((nothrow));
__device__ void __assertfail(const char *condition, const char *file, unsigned int line, const char *function,
                             size_t character_size);

/* What glibc's assert() calls. */
static __device__ inline void __assert_fail(const char *condition, const char *file, unsigned int line,
                                            const char *function) {
    __assertfail(condition, file, line, function, sizeof(char));
}
}

static __device__ __forceinline__ void *memcpy(void *to, const void *from, size_t bytes) {
    return __builtin_memcpy(to, from, bytes);
}
static __device__ __forceinline__ void *memset(void *at, int byte, size_t bytes) {
    return __builtin_memset(at, byte, bytes);
}
static __device__ inline void *memmove(void *to, const void *from, size_t bytes) {
    unsigned char *target = (unsigned char *)to;
    const unsigned char *source = (const unsigned char *)from;
    if (target <= source)
        for (size_t i = 0; i < bytes; i++) target[i] = source[i];
    else
        for (size_t i = bytes; i-- > 0;) target[i] = source[i];
    return to;
}
static __device__ inline int memcmp(const void *a, const void *b, size_t bytes) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    for (size_t i = 0; i < bytes; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}
static __device__ inline size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n]) n++;
    return n;
}

/* Clang's has new and delete of device code in it, which call malloc and free. */
#include <new>

namespace std {
static __device__ __forceinline__ void *malloc(size_t bytes) { return ::malloc(bytes); }
static __device__ __forceinline__ void free(void *pointer) { ::free(pointer); }
/* <cstring> has named only those of the host. */
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::strlen;
} // namespace std

#endif
