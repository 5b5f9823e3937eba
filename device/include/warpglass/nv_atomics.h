/* nv_atomics.h: __nv_atomic_load_n() and its kin, which nvcc has built in: the atomics of gcc's names with a
 * scope behind the order.
 *
 * Device code only. Words of four and eight bytes; those that are only loaded, stored or compared may have
 * fewer. An access is relaxed; its order is made of fences around it. Example:
 *     __nv_atomic_fetch_add(p, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE)   ->   membar.gl; atom.add
 */
#ifndef WARPGLASS_NV_ATOMICS_H
#define WARPGLASS_NV_ATOMICS_H

#include "atomics.h"
#include "synchronization.h"

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

#define WG_DEVICE static __device__ __forceinline__
#define WG_SCOPED int __order, int __scope = __NV_THREAD_SCOPE_SYSTEM

WG_DEVICE void __nv_atomic_thread_fence(WG_SCOPED) {
    if (__order == __NV_ATOMIC_RELAXED || __scope == __NV_THREAD_SCOPE_THREAD) return;
    if (__scope == __NV_THREAD_SCOPE_BLOCK)
        __threadfence_block();
    else if (__scope == __NV_THREAD_SCOPE_SYSTEM)
        __threadfence_system();
    else
        __threadfence();
}

namespace wg_nv_atomic {
template <unsigned long __Bytes> struct __word_of;
template <> struct __word_of<1> {
    using type = unsigned char;
};
template <> struct __word_of<2> {
    using type = unsigned short;
};
template <> struct __word_of<4> {
    using type = unsigned int;
};
template <> struct __word_of<8> {
    using type = unsigned long long;
};
/* What atomicMin() calls the type: long is one of the others. */
template <class __T> struct __same {
    using type = __T;
};
template <> struct __same<long> {
    using type = long long;
};
template <> struct __same<unsigned long> {
    using type = unsigned long long;
};
template <class __T> using __word = typename __word_of<sizeof(__T)>::type;
template <class __T> using __number = typename __same<__T>::type;

WG_DEVICE void __before(int __order, int __scope) {
    if (__order >= __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(__order, __scope);
}
WG_DEVICE void __after(int __order, int __scope) {
    if (__order != __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(__order, __scope);
}

#define WG_IN_SCOPE(NAME, ...)                                                                               \
    (__scope == __NV_THREAD_SCOPE_SYSTEM  ? NAME##_system(__VA_ARGS__)                                       \
     : __scope <= __NV_THREAD_SCOPE_BLOCK ? NAME##_block(__VA_ARGS__)                                        \
                                          : NAME(__VA_ARGS__))
template <class __Word> WG_DEVICE __Word exchange(__Word *__p, __Word __v, int __scope) {
    return WG_IN_SCOPE(atomicExch, __p, __v);
}
template <class __Word> WG_DEVICE __Word __cas(__Word *__p, __Word __expected, __Word __v, int __scope) {
    return WG_IN_SCOPE(atomicCAS, __p, __expected, __v);
}
WG_DEVICE int __add(int *__p, int __v, int __scope) { return WG_IN_SCOPE(atomicAdd, __p, __v); }
WG_DEVICE unsigned __add(unsigned *__p, unsigned __v, int __scope) {
    return WG_IN_SCOPE(atomicAdd, __p, __v);
}
WG_DEVICE float __add(float *__p, float __v, int __scope) { return WG_IN_SCOPE(atomicAdd, __p, __v); }
WG_DEVICE double __add(double *__p, double __v, int __scope) { return WG_IN_SCOPE(atomicAdd, __p, __v); }
WG_DEVICE unsigned long long __add(unsigned long long *__p, unsigned long long __v, int __scope) {
    return WG_IN_SCOPE(atomicAdd, __p, __v);
}
template <class __T> WG_DEVICE __T min(__T *__p, __T __v, int __scope) {
    return WG_IN_SCOPE(atomicMin, __p, __v);
}
template <class __T> WG_DEVICE __T max(__T *__p, __T __v, int __scope) {
    return WG_IN_SCOPE(atomicMax, __p, __v);
}
#define WG_BITS(NAME, FUNCTION)                                                                              \
    template <class __T> WG_DEVICE __T NAME(__T *__p, __T __v, int __scope) {                                \
        return (__T)WG_IN_SCOPE(FUNCTION, (__word<__T> *)__p, (__word<__T>)__v);                             \
    }
WG_BITS(and_, atomicAnd)
WG_BITS(or_, atomicOr)
WG_BITS(xor_, atomicXor)
#undef WG_BITS
#undef WG_IN_SCOPE
} // namespace wg_nv_atomic

/* The second type is what a caller may write for it: __nv_atomic_fetch_add(p, 1, ...) of unsigned words. */
template <class __T> WG_DEVICE __T __nv_atomic_load_n(const __T *__p, WG_SCOPED) {
    if (__order == __NV_ATOMIC_SEQ_CST) __nv_atomic_thread_fence(__order, __scope);
    __T __v = __builtin_bit_cast(__T, *(const volatile wg_nv_atomic::__word<__T> *)__p);
    wg_nv_atomic::__after(__order, __scope);
    return __v;
}
template <class __T> WG_DEVICE void __nv_atomic_load(const __T *__p, __T *__v, WG_SCOPED) {
    *__v = __nv_atomic_load_n(__p, __order, __scope);
}
template <class __T, class __U> WG_DEVICE void __nv_atomic_store_n(__T *__p, __U __v, WG_SCOPED) {
    wg_nv_atomic::__before(__order, __scope);
    *(volatile wg_nv_atomic::__word<__T> *)__p = __builtin_bit_cast(wg_nv_atomic::__word<__T>, (__T)__v);
    if (__order == __NV_ATOMIC_SEQ_CST) __nv_atomic_thread_fence(__order, __scope);
}
template <class __T> WG_DEVICE void __nv_atomic_store(__T *__p, __T *__v, WG_SCOPED) {
    __nv_atomic_store_n(__p, *__v, __order, __scope);
}
template <class __T, class __U> WG_DEVICE __T __nv_atomic_exchange_n(__T *__p, __U __v, WG_SCOPED) {
    using __word = wg_nv_atomic::__word<__T>;
    wg_nv_atomic::__before(__order, __scope);
    __word __old = wg_nv_atomic::exchange((__word *)__p, __builtin_bit_cast(__word, (__T)__v), __scope);
    wg_nv_atomic::__after(__order, __scope);
    return __builtin_bit_cast(__T, __old);
}
template <class __T> WG_DEVICE void __nv_atomic_exchange(__T *__p, __T *__v, __T *__old, WG_SCOPED) {
    *__old = __nv_atomic_exchange_n(__p, *__v, __order, __scope);
}
template <class __T, class __U>
WG_DEVICE bool __nv_atomic_compare_exchange_n(__T *__p, __T *__expected, __U __v, bool, int __order,
                                              int __failure, int __scope = __NV_THREAD_SCOPE_SYSTEM) {
    using __word = wg_nv_atomic::__word<__T>;
    __word __wanted = __builtin_bit_cast(__word, *__expected);
    wg_nv_atomic::__before(__order, __scope);
    __word __old =
        wg_nv_atomic::__cas((__word *)__p, __wanted, __builtin_bit_cast(__word, (__T)__v), __scope);
    wg_nv_atomic::__after(__order, __scope);
    wg_nv_atomic::__after(__failure, __scope);
    *__expected = __builtin_bit_cast(__T, __old);
    return __old == __wanted;
}
template <class __T>
WG_DEVICE bool __nv_atomic_compare_exchange(__T *__p, __T *__expected, __T *__v, bool __may_fail, int __order,
                                            int __failure, int __scope = __NV_THREAD_SCOPE_SYSTEM) {
    return __nv_atomic_compare_exchange_n(__p, __expected, *__v, __may_fail, __order, __failure, __scope);
}

#define WG_CHANGE(NAME, FUNCTION, VALUE)                                                                     \
    template <class __T, class __U> WG_DEVICE __T __nv_atomic_fetch_##NAME(__T *__p, __U __v, WG_SCOPED) {   \
        using __number = wg_nv_atomic::__number<__T>;                                                        \
        wg_nv_atomic::__before(__order, __scope);                                                            \
        __T __old = (__T)wg_nv_atomic::FUNCTION((__number *)__p, (__number)(VALUE), __scope);                \
        wg_nv_atomic::__after(__order, __scope);                                                             \
        return __old;                                                                                        \
    }                                                                                                        \
    template <class __T, class __U> WG_DEVICE void __nv_atomic_##NAME(__T *__p, __U __v, WG_SCOPED) {        \
        __nv_atomic_fetch_##NAME(__p, __v, __order, __scope);                                                \
    }
WG_CHANGE(add, __add, __v)
WG_CHANGE(sub, __add, -(__T)__v)
WG_CHANGE(min, min, __v)
WG_CHANGE(max, max, __v)
WG_CHANGE(and, and_, __v)
WG_CHANGE(or, or_, __v)
WG_CHANGE(xor, xor_, __v)
#undef WG_CHANGE
#undef WG_SCOPED
#undef WG_DEVICE

#endif
