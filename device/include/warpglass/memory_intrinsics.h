/* memory_intrinsics.h: loads and stores that say how they want to be cached, and which memory a pointer
 * means.
 *
 * Device code only. __ldg is ld.global.nc, a promise that nobody writes the word while the kernel runs. The
 * other hints (.ca .cg .cs .lu .cv and .wb .cg .cs .wt) pass into the PTX; like CUDA's they are for global
 * memory. Example:
 *     float4 v = __ldg(p);   ->   ld.global.nc.v4.f32
 */
#ifndef WARPGLASS_MEMORY_INTRINSICS_H
#define WARPGLASS_MEMORY_INTRINSICS_H

#include "../host_defines.h"
#include "../vector_types.h"

#define WG_DEVICE       static __device__ __forceinline__
#define WG_GLOBAL(T, P) ((T __attribute__((__address_space__(1))) *)(P))

/* LOAD: function and what PTX calls it. S: PTX type; R: asm constraint; W: the register's C type. The host's
 * pass has to know only what there is, of some three hundred functions. */
#if defined(__CUDA_ARCH__)
#define WG_LOAD_1(NAME, OP, T, S, R, W)                                                                      \
    WG_DEVICE T NAME(const T *__p) {                                                                         \
        W __v;                                                                                               \
        asm volatile(OP "." S " %0, [%1];" : "=" R(__v) : "l"(WG_GLOBAL(const T, __p)) : "memory");          \
        return (T)__v;                                                                                       \
    }
#define WG_LOAD_2(NAME, OP, T, S, R, W)                                                                      \
    WG_DEVICE T NAME(const T *__p) {                                                                         \
        W __x, __y;                                                                                          \
        asm volatile(OP ".v2." S " {%0, %1}, [%2];"                                                          \
                     : "=" R(__x), "=" R(__y)                                                                \
                     : "l"(WG_GLOBAL(const T, __p))                                                          \
                     : "memory");                                                                            \
        T __v;                                                                                               \
        __v.x = __x, __v.y = __y;                                                                            \
        return __v;                                                                                          \
    }
#define WG_LOAD_4(NAME, OP, T, S, R, W)                                                                      \
    WG_DEVICE T NAME(const T *__p) {                                                                         \
        W __x, __y, __z, __w;                                                                                \
        asm volatile(OP ".v4." S " {%0, %1, %2, %3}, [%4];"                                                  \
                     : "=" R(__x), "=" R(__y), "=" R(__z), "=" R(__w)                                        \
                     : "l"(WG_GLOBAL(const T, __p))                                                          \
                     : "memory");                                                                            \
        T __v;                                                                                               \
        __v.x = __x, __v.y = __y, __v.z = __z, __v.w = __w;                                                  \
        return __v;                                                                                          \
    }
#define WG_STORE_1(NAME, OP, T, S, R, W)                                                                     \
    WG_DEVICE void NAME(T *__p, T __v) {                                                                     \
        asm volatile(OP "." S " [%0], %1;" ::"l"(WG_GLOBAL(T, __p)), R((W)__v) : "memory");                  \
    }
#define WG_STORE_2(NAME, OP, T, S, R, W)                                                                     \
    WG_DEVICE void NAME(T *__p, T __v) {                                                                     \
        asm volatile(OP ".v2." S " [%0], {%1, %2};" ::"l"(WG_GLOBAL(T, __p)), R((W)__v.x), R((W)__v.y)       \
                     : "memory");                                                                            \
    }
#define WG_STORE_4(NAME, OP, T, S, R, W)                                                                     \
    WG_DEVICE void NAME(T *__p, T __v) {                                                                     \
        asm volatile(OP ".v4." S " [%0], {%1, %2, %3, %4};" ::"l"(WG_GLOBAL(T, __p)), R((W)__v.x),           \
                     R((W)__v.y), R((W)__v.z), R((W)__v.w)                                                   \
                     : "memory");                                                                            \
    }
#else
#define WG_LOAD_1(NAME, OP, T, S, R, W)  WG_DEVICE T NAME(const T *__p);
#define WG_STORE_1(NAME, OP, T, S, R, W) WG_DEVICE void NAME(T *__p, T __v);
#define WG_LOAD_2                        WG_LOAD_1
#define WG_LOAD_4                        WG_LOAD_1
#define WG_STORE_2                       WG_STORE_1
#define WG_STORE_4                       WG_STORE_1
#endif

/* Every type that CUDA has these functions for. char is signed on the host we run on. */
#define WG_ALL_TYPES(ONE, TWO, FOUR, NAME, OP)                                                               \
    ONE(NAME, OP, char, "s8", "r", int)                                                                      \
    ONE(NAME, OP, signed char, "s8", "r", int)                                                               \
    ONE(NAME, OP, unsigned char, "u8", "r", unsigned int)                                                    \
    ONE(NAME, OP, short, "s16", "h", short)                                                                  \
    ONE(NAME, OP, unsigned short, "u16", "h", unsigned short)                                                \
    ONE(NAME, OP, int, "s32", "r", int)                                                                      \
    ONE(NAME, OP, unsigned int, "u32", "r", unsigned int)                                                    \
    ONE(NAME, OP, long, "s64", "l", long)                                                                    \
    ONE(NAME, OP, unsigned long, "u64", "l", unsigned long)                                                  \
    ONE(NAME, OP, long long, "s64", "l", long long)                                                          \
    ONE(NAME, OP, unsigned long long, "u64", "l", unsigned long long)                                        \
    ONE(NAME, OP, float, "f32", "f", float)                                                                  \
    ONE(NAME, OP, double, "f64", "d", double)                                                                \
    TWO(NAME, OP, char2, "s8", "r", int)                                                                     \
    TWO(NAME, OP, uchar2, "u8", "r", unsigned int)                                                           \
    TWO(NAME, OP, short2, "s16", "h", short)                                                                 \
    TWO(NAME, OP, ushort2, "u16", "h", unsigned short)                                                       \
    TWO(NAME, OP, int2, "s32", "r", int)                                                                     \
    TWO(NAME, OP, uint2, "u32", "r", unsigned int)                                                           \
    TWO(NAME, OP, longlong2, "s64", "l", long long)                                                          \
    TWO(NAME, OP, ulonglong2, "u64", "l", unsigned long long)                                                \
    TWO(NAME, OP, float2, "f32", "f", float)                                                                 \
    TWO(NAME, OP, double2, "f64", "d", double)                                                               \
    FOUR(NAME, OP, char4, "s8", "r", int)                                                                    \
    FOUR(NAME, OP, uchar4, "u8", "r", unsigned int)                                                          \
    FOUR(NAME, OP, short4, "s16", "h", short)                                                                \
    FOUR(NAME, OP, ushort4, "u16", "h", unsigned short)                                                      \
    FOUR(NAME, OP, int4, "s32", "r", int)                                                                    \
    FOUR(NAME, OP, uint4, "u32", "r", unsigned int)                                                          \
    FOUR(NAME, OP, float4, "f32", "f", float)
#define WG_LOADS(NAME, OP)  WG_ALL_TYPES(WG_LOAD_1, WG_LOAD_2, WG_LOAD_4, NAME, OP)
#define WG_STORES(NAME, OP) WG_ALL_TYPES(WG_STORE_1, WG_STORE_2, WG_STORE_4, NAME, OP)

WG_LOADS(__ldca, "ld.global.ca")
WG_LOADS(__ldcg, "ld.global.cg")
WG_LOADS(__ldcs, "ld.global.cs")
WG_LOADS(__ldlu, "ld.global.lu")
WG_LOADS(__ldcv, "ld.global.cv")
WG_STORES(__stwb, "st.global.wb")
WG_STORES(__stcg, "st.global.cg")
WG_STORES(__stcs, "st.global.cs")
WG_STORES(__stwt, "st.global.wt")

/* __ldg by clang's builtins, which the optimiser can move and join: the memory does not change. */
#if defined(__CUDA_ARCH__)
#define WG_LDG_1(T, TYPE)                                                                                    \
    WG_DEVICE T __ldg(const T *__p) { return __nvvm_ldg_##TYPE(__p); }
#define WG_LDG_2(T, SCALAR, TYPE)                                                                            \
    WG_DEVICE T __ldg(const T *__p) {                                                                        \
        typedef SCALAR __wg_vector __attribute__((__ext_vector_type__(2)));                                  \
        __wg_vector __loaded = __nvvm_ldg_##TYPE((const __wg_vector *)__p);                                  \
        T __v;                                                                                               \
        __v.x = __loaded[0], __v.y = __loaded[1];                                                            \
        return __v;                                                                                          \
    }
#define WG_LDG_4(T, SCALAR, TYPE)                                                                            \
    WG_DEVICE T __ldg(const T *__p) {                                                                        \
        typedef SCALAR __wg_vector __attribute__((__ext_vector_type__(4)));                                  \
        __wg_vector __loaded = __nvvm_ldg_##TYPE((const __wg_vector *)__p);                                  \
        T __v;                                                                                               \
        __v.x = __loaded[0], __v.y = __loaded[1], __v.z = __loaded[2], __v.w = __loaded[3];                  \
        return __v;                                                                                          \
    }
#else
#define WG_LDG_1(T, TYPE)         WG_DEVICE T __ldg(const T *__p);
#define WG_LDG_2(T, SCALAR, TYPE) WG_DEVICE T __ldg(const T *__p);
#define WG_LDG_4                  WG_LDG_2
#endif
WG_LDG_1(char, c)
WG_LDG_1(signed char, sc)
WG_LDG_1(unsigned char, uc)
WG_LDG_1(short, s)
WG_LDG_1(unsigned short, us)
WG_LDG_1(int, i)
WG_LDG_1(unsigned int, ui)
WG_LDG_1(long, l)
WG_LDG_1(unsigned long, ul)
WG_LDG_1(long long, ll)
WG_LDG_1(unsigned long long, ull)
WG_LDG_1(float, f)
WG_LDG_1(double, d)
WG_LDG_2(char2, char, c2)
WG_LDG_2(uchar2, unsigned char, uc2)
WG_LDG_2(short2, short, s2)
WG_LDG_2(ushort2, unsigned short, us2)
WG_LDG_2(int2, int, i2)
WG_LDG_2(uint2, unsigned int, ui2)
WG_LDG_2(longlong2, long long, ll2)
WG_LDG_2(ulonglong2, unsigned long long, ull2)
WG_LDG_2(float2, float, f2)
WG_LDG_2(double2, double, d2)
WG_LDG_4(char4, char, c4)
WG_LDG_4(uchar4, unsigned char, uc4)
WG_LDG_4(short4, short, s4)
WG_LDG_4(ushort4, unsigned short, us4)
WG_LDG_4(int4, int, i4)
WG_LDG_4(uint4, unsigned int, ui4)
WG_LDG_4(float4, float, f4)

#undef WG_LDG_1
#undef WG_LDG_2
#undef WG_LDG_4
#undef WG_LOADS
#undef WG_STORES
#undef WG_ALL_TYPES
#undef WG_LOAD_1
#undef WG_LOAD_2
#undef WG_LOAD_4
#undef WG_STORE_1
#undef WG_STORE_2
#undef WG_STORE_4

/* Which memory an address lies in, and its number within that memory. */
WG_DEVICE unsigned int __isGlobal(const void *__p) { return __nvvm_isspacep_global(__p); }
WG_DEVICE unsigned int __isShared(const void *__p) { return __nvvm_isspacep_shared(__p); }
WG_DEVICE unsigned int __isConstant(const void *__p) { return __nvvm_isspacep_const(__p); }
WG_DEVICE unsigned int __isLocal(const void *__p) { return __nvvm_isspacep_local(__p); }
WG_DEVICE unsigned int __isGridConstant(const void *__p) {
    unsigned int __is;
    asm("{ .reg .pred p; isspacep.param p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(__is) : "l"(__p));
    return __is;
}

#define WG_ADDRESS_SPACE(NAME, SPACE)                                                                        \
    WG_DEVICE size_t __cvta_generic_to_##NAME(const void *__p) {                                             \
        return (size_t)(const void __attribute__((__address_space__(SPACE))) *)__p;                          \
    }                                                                                                        \
    WG_DEVICE void *__cvta_##NAME##_to_generic(size_t __p) {                                                 \
        return (void *)(void __attribute__((__address_space__(SPACE))) *)__p;                                \
    }
WG_ADDRESS_SPACE(global, 1)
WG_ADDRESS_SPACE(shared, 3)
WG_ADDRESS_SPACE(constant, 4)
WG_ADDRESS_SPACE(local, 5)
#undef WG_ADDRESS_SPACE

#undef WG_GLOBAL
#undef WG_DEVICE

#endif
