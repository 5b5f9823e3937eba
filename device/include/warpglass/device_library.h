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
__device__ void *malloc(size_t) __attribute__((__nothrow__)) __attribute__((__malloc__));
__device__ void free(void *) __attribute__((__nothrow__));
__device__ void __assertfail(const char *__condition, const char *__file, unsigned int __line,
                             const char *__function, size_t __character_size);

/* What glibc's assert() calls. */
static __device__ inline void __assert_fail(const char *__condition, const char *__file, unsigned int __line,
                                            const char *__function) {
    __assertfail(__condition, __file, __line, __function, sizeof(char));
}
}

static __device__ __forceinline__ void *memcpy(void *__to, const void *__from, size_t __bytes) {
    return __builtin_memcpy(__to, __from, __bytes);
}
static __device__ __forceinline__ void *memset(void *__at, int __byte, size_t __bytes) {
    return __builtin_memset(__at, __byte, __bytes);
}
static __device__ inline void *memmove(void *__to, const void *__from, size_t __bytes) {
    unsigned char *__target = (unsigned char *)__to;
    const unsigned char *__source = (const unsigned char *)__from;
    if (__target <= __source)
        for (size_t __i = 0; __i < __bytes; __i++) __target[__i] = __source[__i];
    else
        for (size_t __i = __bytes; __i-- > 0;) __target[__i] = __source[__i];
    return __to;
}
static __device__ inline int memcmp(const void *__a, const void *__b, size_t __bytes) {
    const unsigned char *__x = (const unsigned char *)__a, *__y = (const unsigned char *)__b;
    for (size_t __i = 0; __i < __bytes; __i++)
        if (__x[__i] != __y[__i]) return __x[__i] < __y[__i] ? -1 : 1;
    return 0;
}
static __device__ inline size_t strlen(const char *__s) {
    size_t __n = 0;
    while (__s[__n]) __n++;
    return __n;
}

/* Clang's has new and delete of device code in it, which call malloc and free. */
#include <new>

namespace std {
static __device__ __forceinline__ void *malloc(size_t __bytes) { return ::malloc(__bytes); }
static __device__ __forceinline__ void free(void *__pointer) { ::free(__pointer); }
/* <cstring> has named only those of the host. */
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::strlen;
} // namespace std

#endif
