/* vector_functions.h: make_int4(x, y, z, w) and its kin, for host and device. */
#ifndef WARPGLASS_VECTOR_FUNCTIONS_H
#define WARPGLASS_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__ /* as in host_defines.h */

#include "host_defines.h"
#include "vector_types.h"

#define WG_MAKE_4(NAME, T)                                                                                   \
    static __inline__ __host__ __device__ NAME make_##NAME(T __x, T __y, T __z, T __w) {                     \
        NAME __v;                                                                                            \
        __v.x = __x, __v.y = __y, __v.z = __z, __v.w = __w;                                                  \
        return __v;                                                                                          \
    }
#define WG_MAKE(NAME, T)                                                                                     \
    static __inline__ __host__ __device__ NAME##1 make_##NAME##1(T __x) {                                    \
        NAME##1 __v;                                                                                         \
        __v.x = __x;                                                                                         \
        return __v;                                                                                          \
    }                                                                                                        \
    static __inline__ __host__ __device__ NAME##2 make_##NAME##2(T __x, T __y) {                             \
        NAME##2 __v;                                                                                         \
        __v.x = __x, __v.y = __y;                                                                            \
        return __v;                                                                                          \
    }                                                                                                        \
    static __inline__ __host__ __device__ NAME##3 make_##NAME##3(T __x, T __y, T __z) {                      \
        NAME##3 __v;                                                                                         \
        __v.x = __x, __v.y = __y, __v.z = __z;                                                               \
        return __v;                                                                                          \
    }                                                                                                        \
    WG_MAKE_4(NAME##4, T)

WG_MAKE(char, signed char)
WG_MAKE(uchar, unsigned char)
WG_MAKE(short, short)
WG_MAKE(ushort, unsigned short)
WG_MAKE(int, int)
WG_MAKE(uint, unsigned int)
WG_MAKE(long, long int)
WG_MAKE(ulong, unsigned long int)
WG_MAKE(longlong, long long int)
WG_MAKE(ulonglong, unsigned long long int)
WG_MAKE(float, float)
WG_MAKE(double, double)
WG_MAKE_4(long4_16a, long int)
WG_MAKE_4(long4_32a, long int)
WG_MAKE_4(ulong4_16a, unsigned long int)
WG_MAKE_4(ulong4_32a, unsigned long int)
WG_MAKE_4(longlong4_16a, long long int)
WG_MAKE_4(longlong4_32a, long long int)
WG_MAKE_4(ulonglong4_16a, unsigned long long int)
WG_MAKE_4(ulonglong4_32a, unsigned long long int)
WG_MAKE_4(double4_16a, double)
WG_MAKE_4(double4_32a, double)

#undef WG_MAKE
#undef WG_MAKE_4

#endif
