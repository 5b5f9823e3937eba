/* atomics.h: read, change and write one word as if nobody else could come between.
 *
 * Device code only. Plain names are atomic among all threads of the device, _block among those of the block,
 * _system also with the host. clang sees which memory a pointer means and makes atom.global, atom.shared or
 * generic atom of it. All are relaxed, as in CUDA: order between words needs __threadfence. Example:
 *     atomicAdd(&bins[v], 1);   ->   atom.global.add.u32
 */
#ifndef WARPGLASS_ATOMICS_H
#define WARPGLASS_ATOMICS_H

#include "../host_defines.h"
#include "../vector_types.h"

#define WG_DEVICE static __device__ __forceinline__

/* One operation in its three scopes: BUILTIN is clang's name between "atom" and the type. */
#define WG_ATOMIC(NAME, T, OP, TYPE, WORD)                                                                   \
    WG_DEVICE T NAME(T *__p, T __v) {                                                                        \
        return (T)__nvvm_atom_##OP                                                                           \
        ##_gen_##TYPE((WORD *)__p, (WORD)__v);                                                               \
    }                                                                                                        \
    WG_DEVICE T NAME##_block(T *__p, T __v) {                                                                \
        return (T)__nvvm_atom_cta_##OP                                                                       \
        ##_gen_##TYPE((WORD *)__p, (WORD)__v);                                                               \
    }                                                                                                        \
    WG_DEVICE T NAME##_system(T *__p, T __v) {                                                               \
        return (T)__nvvm_atom_sys_##OP                                                                       \
        ##_gen_##TYPE((WORD *)__p, (WORD)__v);                                                               \
    }

WG_ATOMIC(atomicAdd, int, add, i, int)
WG_ATOMIC(atomicAdd, unsigned int, add, i, int)
WG_ATOMIC(atomicAdd, unsigned long long, add, ll, long long)
WG_ATOMIC(atomicAdd, float, add, f, float)
WG_ATOMIC(atomicAdd, double, add, d, double)
WG_ATOMIC(atomicExch, int, xchg, i, int)
WG_ATOMIC(atomicExch, unsigned int, xchg, i, int)
WG_ATOMIC(atomicExch, unsigned long long, xchg, ll, long long)
WG_ATOMIC(atomicMin, int, min, i, int)
WG_ATOMIC(atomicMin, unsigned int, min, ui, unsigned int)
WG_ATOMIC(atomicMin, long long, min, ll, long long)
WG_ATOMIC(atomicMin, unsigned long long, min, ull, unsigned long long)
WG_ATOMIC(atomicMax, int, max, i, int)
WG_ATOMIC(atomicMax, unsigned int, max, ui, unsigned int)
WG_ATOMIC(atomicMax, long long, max, ll, long long)
WG_ATOMIC(atomicMax, unsigned long long, max, ull, unsigned long long)
WG_ATOMIC(atomicAnd, int, and, i, int)
WG_ATOMIC(atomicAnd, unsigned int, and, i, int)
WG_ATOMIC(atomicAnd, long long, and, ll, long long)
WG_ATOMIC(atomicAnd, unsigned long long, and, ll, long long)
WG_ATOMIC(atomicOr, int, or, i, int)
WG_ATOMIC(atomicOr, unsigned int, or, i, int)
WG_ATOMIC(atomicOr, long long, or, ll, long long)
WG_ATOMIC(atomicOr, unsigned long long, or, ll, long long)
WG_ATOMIC(atomicXor, int, xor, i, int)
WG_ATOMIC(atomicXor, unsigned int, xor, i, int)
WG_ATOMIC(atomicXor, long long, xor, ll, long long)
WG_ATOMIC(atomicXor, unsigned long long, xor, ll, long long)
WG_ATOMIC(atomicInc, unsigned int, inc, ui, unsigned int)
WG_ATOMIC(atomicDec, unsigned int, dec, ui, unsigned int)
#undef WG_ATOMIC

/* Made of the ones above, once for each scope. */
#define WG_ATOMIC_DERIVED(SCOPE)                                                                             \
    WG_DEVICE int atomicSub##SCOPE(int *__p, int __v) {                                                      \
        return (int)atomicAdd##SCOPE((unsigned int *)__p, 0u - (unsigned int)__v);                           \
    }                                                                                                        \
    WG_DEVICE unsigned int atomicSub##SCOPE(unsigned int *__p, unsigned int __v) {                           \
        return atomicAdd##SCOPE(__p, 0u - __v);                                                              \
    }                                                                                                        \
    WG_DEVICE float atomicExch##SCOPE(float *__p, float __v) {                                               \
        return __builtin_bit_cast(                                                                           \
            float, atomicExch##SCOPE((unsigned int *)__p, __builtin_bit_cast(unsigned int, __v)));           \
    }
WG_ATOMIC_DERIVED()
WG_ATOMIC_DERIVED(_block)
WG_ATOMIC_DERIVED(_system)
#undef WG_ATOMIC_DERIVED

#define WG_ATOMIC_CAS(T, TYPE, WORD)                                                                         \
    WG_DEVICE T atomicCAS(T *__p, T __compare, T __v) {                                                      \
        return (T)__nvvm_atom_cas_gen_##TYPE((WORD *)__p, (WORD)__compare, (WORD)__v);                       \
    }                                                                                                        \
    WG_DEVICE T atomicCAS_block(T *__p, T __compare, T __v) {                                                \
        return (T)__nvvm_atom_cta_cas_gen_##TYPE((WORD *)__p, (WORD)__compare, (WORD)__v);                   \
    }                                                                                                        \
    WG_DEVICE T atomicCAS_system(T *__p, T __compare, T __v) {                                               \
        return (T)__nvvm_atom_sys_cas_gen_##TYPE((WORD *)__p, (WORD)__compare, (WORD)__v);                   \
    }
WG_ATOMIC_CAS(int, i, int)
WG_ATOMIC_CAS(unsigned int, i, int)
WG_ATOMIC_CAS(unsigned long long, ll, long long)
#undef WG_ATOMIC_CAS

/* Widths that clang has no builtin for. */
#define WG_ATOMIC_CAS_16(SCOPE, SUFFIX)                                                                      \
    WG_DEVICE unsigned short atomicCAS##SUFFIX(unsigned short *__p, unsigned short __compare,                \
                                               unsigned short __v) {                                         \
        unsigned short __old;                                                                                \
        asm volatile("atom." SCOPE "cas.b16 %0, [%1], %2, %3;"                                               \
                     : "=h"(__old)                                                                           \
                     : "l"(__p), "h"(__compare), "h"(__v)                                                    \
                     : "memory");                                                                            \
        return __old;                                                                                        \
    }
WG_ATOMIC_CAS_16("", )
WG_ATOMIC_CAS_16("cta.", _block)
WG_ATOMIC_CAS_16("sys.", _system)
#undef WG_ATOMIC_CAS_16

/* Vectors of float: compute capability 9.0, global memory; each component is atomic by itself. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define WG_ATOMIC_ADD_VECTOR(SCOPE, SUFFIX)                                                                  \
    WG_DEVICE float2 atomicAdd##SUFFIX(float2 *__p, float2 __v) {                                            \
        float2 __old;                                                                                        \
        asm volatile("atom." SCOPE "global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"                             \
                     : "=f"(__old.x), "=f"(__old.y)                                                          \
                     : "l"((float2 __attribute__((__address_space__(1))) *)__p), "f"(__v.x), "f"(__v.y)      \
                     : "memory");                                                                            \
        return __old;                                                                                        \
    }                                                                                                        \
    WG_DEVICE float4 atomicAdd##SUFFIX(float4 *__p, float4 __v) {                                            \
        float4 __old;                                                                                        \
        asm volatile("atom." SCOPE "global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"             \
                     : "=f"(__old.x), "=f"(__old.y), "=f"(__old.z), "=f"(__old.w)                            \
                     : "l"((float4 __attribute__((__address_space__(1))) *)__p), "f"(__v.x), "f"(__v.y),     \
                       "f"(__v.z), "f"(__v.w)                                                                \
                     : "memory");                                                                            \
        return __old;                                                                                        \
    }
WG_ATOMIC_ADD_VECTOR("", )
WG_ATOMIC_ADD_VECTOR("cta.", _block)
WG_ATOMIC_ADD_VECTOR("sys.", _system)
#undef WG_ATOMIC_ADD_VECTOR
#endif

#undef WG_DEVICE

#endif
