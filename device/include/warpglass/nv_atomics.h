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
#define WG_SCOPED int order, int scope = __NV_THREAD_SCOPE_SYSTEM

WG_DEVICE void __nv_atomic_thread_fence(WG_SCOPED) {
    if (order == __NV_ATOMIC_RELAXED || scope == __NV_THREAD_SCOPE_THREAD) return;
    if (scope == __NV_THREAD_SCOPE_BLOCK)
        __threadfence_block();
    else if (scope == __NV_THREAD_SCOPE_SYSTEM)
        __threadfence_system();
    else
        __threadfence();
}

namespace wg_nv_atomic {
template <unsigned long Bytes> struct word_of;
template <> struct word_of<1> {
    using type = unsigned char;
};
template <> struct word_of<2> {
    using type = unsigned short;
};
template <> struct word_of<4> {
    using type = unsigned int;
};
template <> struct word_of<8> {
    using type = unsigned long long;
};
/* What atomicMin() calls the type: long is one of the others. */
template <class T> struct same {
    using type = T;
};
template <> struct same<long> {
    using type = long long;
};
template <> struct same<unsigned long> {
    using type = unsigned long long;
};
template <class T> using word = typename word_of<sizeof(T)>::type;
template <class T> using number = typename same<T>::type;

WG_DEVICE void before(int order, int scope) {
    if (order >= __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(order, scope);
}
WG_DEVICE void after(int order, int scope) {
    if (order != __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(order, scope);
}

#define WG_IN_SCOPE(NAME, ...)                                                                               \
    (scope == __NV_THREAD_SCOPE_SYSTEM  ? NAME##_system(__VA_ARGS__)                                         \
     : scope <= __NV_THREAD_SCOPE_BLOCK ? NAME##_block(__VA_ARGS__)                                          \
                                        : NAME(__VA_ARGS__))
template <class Word> WG_DEVICE Word exchange(Word *p, Word v, int scope) {
    return WG_IN_SCOPE(atomicExch, p, v);
}
template <class Word> WG_DEVICE Word cas(Word *p, Word expected, Word v, int scope) {
    return WG_IN_SCOPE(atomicCAS, p, expected, v);
}
WG_DEVICE int add(int *p, int v, int scope) { return WG_IN_SCOPE(atomicAdd, p, v); }
WG_DEVICE unsigned add(unsigned *p, unsigned v, int scope) { return WG_IN_SCOPE(atomicAdd, p, v); }
WG_DEVICE float add(float *p, float v, int scope) { return WG_IN_SCOPE(atomicAdd, p, v); }
WG_DEVICE double add(double *p, double v, int scope) { return WG_IN_SCOPE(atomicAdd, p, v); }
WG_DEVICE unsigned long long add(unsigned long long *p, unsigned long long v, int scope) {
    return WG_IN_SCOPE(atomicAdd, p, v);
}
template <class T> WG_DEVICE T min(T *p, T v, int scope) { return WG_IN_SCOPE(atomicMin, p, v); }
template <class T> WG_DEVICE T max(T *p, T v, int scope) { return WG_IN_SCOPE(atomicMax, p, v); }
#define WG_BITS(NAME, FUNCTION)                                                                              \
    template <class T> WG_DEVICE T NAME(T *p, T v, int scope) {                                              \
        return (T)WG_IN_SCOPE(FUNCTION, (word<T> *)p, (word<T>)v);                                           \
    }
WG_BITS(and_, atomicAnd)
WG_BITS(or_, atomicOr)
WG_BITS(xor_, atomicXor)
#undef WG_BITS
#undef WG_IN_SCOPE
} // namespace wg_nv_atomic

/* The second type is what a caller may write for it: __nv_atomic_fetch_add(p, 1, ...) of unsigned words. */
template <class T> WG_DEVICE T __nv_atomic_load_n(const T *p, WG_SCOPED) {
    if (order == __NV_ATOMIC_SEQ_CST) __nv_atomic_thread_fence(order, scope);
    T v = __builtin_bit_cast(T, *(const volatile wg_nv_atomic::word<T> *)p);
    wg_nv_atomic::after(order, scope);
    return v;
}
template <class T> WG_DEVICE void __nv_atomic_load(const T *p, T *v, WG_SCOPED) {
    *v = __nv_atomic_load_n(p, order, scope);
}
template <class T, class U> WG_DEVICE void __nv_atomic_store_n(T *p, U v, WG_SCOPED) {
    wg_nv_atomic::before(order, scope);
    *(volatile wg_nv_atomic::word<T> *)p = __builtin_bit_cast(wg_nv_atomic::word<T>, (T)v);
    if (order == __NV_ATOMIC_SEQ_CST) __nv_atomic_thread_fence(order, scope);
}
template <class T> WG_DEVICE void __nv_atomic_store(T *p, T *v, WG_SCOPED) {
    __nv_atomic_store_n(p, *v, order, scope);
}
template <class T, class U> WG_DEVICE T __nv_atomic_exchange_n(T *p, U v, WG_SCOPED) {
    using word = wg_nv_atomic::word<T>;
    wg_nv_atomic::before(order, scope);
    word old = wg_nv_atomic::exchange((word *)p, __builtin_bit_cast(word, (T)v), scope);
    wg_nv_atomic::after(order, scope);
    return __builtin_bit_cast(T, old);
}
template <class T> WG_DEVICE void __nv_atomic_exchange(T *p, T *v, T *old, WG_SCOPED) {
    *old = __nv_atomic_exchange_n(p, *v, order, scope);
}
template <class T, class U>
WG_DEVICE bool __nv_atomic_compare_exchange_n(T *p, T *expected, U v, bool, int order, int failure,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
    using word = wg_nv_atomic::word<T>;
    word wanted = __builtin_bit_cast(word, *expected);
    wg_nv_atomic::before(order, scope);
    word old = wg_nv_atomic::cas((word *)p, wanted, __builtin_bit_cast(word, (T)v), scope);
    wg_nv_atomic::after(order, scope);
    wg_nv_atomic::after(failure, scope);
    *expected = __builtin_bit_cast(T, old);
    return old == wanted;
}
template <class T>
WG_DEVICE bool __nv_atomic_compare_exchange(T *p, T *expected, T *v, bool weak, int order, int failure,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return __nv_atomic_compare_exchange_n(p, expected, *v, weak, order, failure, scope);
}

#define WG_CHANGE(NAME, FUNCTION, VALUE)                                                                     \
    template <class T, class U> WG_DEVICE T __nv_atomic_fetch_##NAME(T *p, U v, WG_SCOPED) {                 \
        using number = wg_nv_atomic::number<T>;                                                              \
        wg_nv_atomic::before(order, scope);                                                                  \
        T old = (T)wg_nv_atomic::FUNCTION((number *)p, (number)(VALUE), scope);                              \
        wg_nv_atomic::after(order, scope);                                                                   \
        return old;                                                                                          \
    }                                                                                                        \
    template <class T, class U> WG_DEVICE void __nv_atomic_##NAME(T *p, U v, WG_SCOPED) {                    \
        __nv_atomic_fetch_##NAME(p, v, order, scope);                                                        \
    }
WG_CHANGE(add, add, v)
WG_CHANGE(sub, add, -(T)v)
WG_CHANGE(min, min, v)
WG_CHANGE(max, max, v)
WG_CHANGE(and, and_, v)
WG_CHANGE(or, or_, v)
WG_CHANGE(xor, xor_, v)
#undef WG_CHANGE
#undef WG_SCOPED
#undef WG_DEVICE

#endif
