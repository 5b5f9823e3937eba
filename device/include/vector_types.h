/* vector_types.h: char1 ... double4 and dim3, for C17 and C++.
 *
 * Sizes and alignments are CUDA's: 2- and 4-component types are aligned to their size, to 16 bytes at most,
 * so that a float4 is one ld.global.v4.f32; 1- and 3-component types keep the alignment of their component.
 * CUDA 13 adds the suffixes _16a and _32a to the 32-byte types to name their alignment.
 * tests/device/api_layout.c holds the numbers.
 */
#ifndef WARPGLASS_VECTOR_TYPES_H
#define WARPGLASS_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__ /* as in host_defines.h */

#include "host_defines.h"

/* clang copies a structure by memcpy, and for PTX that is eight bytes at a time: `out[i] = in[i]` of float4
 * would be two accesses of a warp where nvcc makes one. In device code the types of 16 bytes and more are
 * therefore assigned component by component, which clang joins to ld.global.v4 and st.global.v4: all are read
 * before the first is written, for in device code a store may change whatever is read behind it. (They are
 * then not "trivially copyable" in the eyes of type traits; how they are passed and constructed does not
 * change.) */
#if defined(__CUDA_ARCH__) && defined(__cplusplus)
#if __cplusplus >= 201402L
#define WG_ASSIGNMENT __host__ __device__ __attribute__((__always_inline__, __nodebug__)) constexpr
#else
#define WG_ASSIGNMENT __host__ __device__ __attribute__((__always_inline__, __nodebug__)) inline
#endif
#define WG_BY_2(NAME)                                                                                        \
    WG_ASSIGNMENT NAME &operator=(const NAME &__v) {                                                         \
        const __typeof__(__v.x) __a = __v.x, __b = __v.y;                                                    \
        x = __a, y = __b;                                                                                    \
        return *this;                                                                                        \
    }
#define WG_BY_4(NAME)                                                                                        \
    WG_ASSIGNMENT NAME &operator=(const NAME &__v) {                                                         \
        const __typeof__(__v.x) __a = __v.x, __b = __v.y, __c = __v.z, __d = __v.w;                          \
        x = __a, y = __b, z = __c, w = __d;                                                                  \
        return *this;                                                                                        \
    }
#else
#define WG_BY_2(NAME)
#define WG_BY_4(NAME)
#endif
#define WG_WHOLE(NAME)

/* NAME: family; T: component; A2, A4: alignment of the 2- and the 4-component type; COPY2, COPY4: how they
 * are assigned. */
#define WG_VECTOR_FAMILY(NAME, T, A2, COPY2, A4, COPY4)                                                      \
    struct NAME##1 { T x; };                                                                                 \
    struct A2 NAME##2 {                                                                                      \
        T x, y;                                                                                              \
        COPY2(NAME##2)                                                                                       \
    };                                                                                                       \
    struct NAME##3 { T x, y, z; };                                                                           \
    struct A4 NAME##4 {                                                                                      \
        T x, y, z, w;                                                                                        \
        COPY4(NAME##4)                                                                                       \
    };                                                                                                       \
    typedef struct NAME##1 NAME##1;                                                                          \
    typedef struct NAME##2 NAME##2;                                                                          \
    typedef struct NAME##3 NAME##3;                                                                          \
    typedef struct NAME##4 NAME##4;

#define WG_VECTOR_WIDE(NAME, T)                                                                              \
    struct __align__(16) NAME##4_16a {                                                                       \
        T x, y, z, w;                                                                                        \
        WG_BY_4(NAME##4_16a)                                                                                 \
    };                                                                                                       \
    struct __align__(32) NAME##4_32a {                                                                       \
        T x, y, z, w;                                                                                        \
        WG_BY_4(NAME##4_32a)                                                                                 \
    };                                                                                                       \
    typedef struct NAME##4_16a NAME##4_16a;                                                                  \
    typedef struct NAME##4_32a NAME##4_32a;

/* clang-format off */
WG_VECTOR_FAMILY(char, signed char, __align__(2), WG_WHOLE, __align__(4), WG_WHOLE)
WG_VECTOR_FAMILY(uchar, unsigned char, __align__(2), WG_WHOLE, __align__(4), WG_WHOLE)
WG_VECTOR_FAMILY(short, short, __align__(4), WG_WHOLE, __align__(8), WG_WHOLE)
WG_VECTOR_FAMILY(ushort, unsigned short, __align__(4), WG_WHOLE, __align__(8), WG_WHOLE)
WG_VECTOR_FAMILY(int, int, __align__(8), WG_WHOLE, __align__(16), WG_BY_4)
WG_VECTOR_FAMILY(uint, unsigned int, __align__(8), WG_WHOLE, __align__(16), WG_BY_4)
WG_VECTOR_FAMILY(long, long int, __align__(16), WG_BY_2, __align__(16), WG_BY_4)
WG_VECTOR_FAMILY(ulong, unsigned long int, __align__(16), WG_BY_2, __align__(16), WG_BY_4)
WG_VECTOR_FAMILY(longlong, long long int, __align__(16), WG_BY_2, __align__(16), WG_BY_4)
WG_VECTOR_FAMILY(ulonglong, unsigned long long int, __align__(16), WG_BY_2, __align__(16), WG_BY_4)
WG_VECTOR_FAMILY(float, float, __align__(8), WG_WHOLE, __align__(16), WG_BY_4)
WG_VECTOR_FAMILY(double, double, __align__(16), WG_BY_2, __align__(16), WG_BY_4)
WG_VECTOR_WIDE(long, long int)
WG_VECTOR_WIDE(ulong, unsigned long int)
WG_VECTOR_WIDE(longlong, long long int)
WG_VECTOR_WIDE(ulonglong, unsigned long long int)
WG_VECTOR_WIDE(double, double)
/* clang-format on */

#undef WG_BY_2
#undef WG_BY_4
#undef WG_WHOLE
#undef WG_VECTOR_FAMILY
#undef WG_VECTOR_WIDE

/* A grid's or a block's extent: components that are not given are 1. */
struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int __vx = 1, unsigned int __vy = 1, unsigned int __vz = 1)
        : x(__vx), y(__vy), z(__vz) {}
    __host__ __device__ constexpr dim3(uint3 __v) : x(__v.x), y(__v.y), z(__v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#else
    __host__ __device__ dim3(unsigned int __vx = 1, unsigned int __vy = 1, unsigned int __vz = 1)
        : x(__vx), y(__vy), z(__vz) {}
    __host__ __device__ dim3(uint3 __v) : x(__v.x), y(__v.y), z(__v.z) {}
    __host__ __device__ operator uint3() const {
        uint3 __v;
        __v.x = x, __v.y = y, __v.z = z;
        return __v;
    }
#endif
#endif
};
typedef struct dim3 dim3;

#endif
