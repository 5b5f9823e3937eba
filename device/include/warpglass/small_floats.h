/* small_floats.h: what floating-point numbers of eight, six and four bits have in common. C++11.
 *
 *     WG_SMALL_1(__nv_fp6_e2m3, fp6, ...)    the type of one number: converts from and to all others
 *     WG_SMALL_2(__nv_fp6x2_e2m3, fp6, ...)  two of them, from and to pairs
 *     WG_SMALL_4(__nv_fp6x4_e2m3, fp6, ...)  four
 *     WG_SMALL_CONVERSIONS(fp6)              of wider numbers than double, by way of __nv_cvt_double_to_fp6
 *
 * The last two arguments are those that __nv_cvt_..._to_fp6 takes after the value.
 */
#ifndef WARPGLASS_SMALL_FLOATS_H
#define WARPGLASS_SMALL_FLOATS_H

#define WG_SMALL        static __host__ __device__ __forceinline__
#define WG_SMALL_MEMBER __host__ __device__ __forceinline__

WG_SMALL unsigned long long __wg_bits_of_double(double __v) {
    unsigned long long __bits;
    __builtin_memcpy(&__bits, &__v, sizeof __bits);
    return __bits;
}
WG_SMALL double __wg_power_of_two(int __e) { /* a normal one */
    unsigned long long __bits = (unsigned long long)(__e + 1023) << 52;
    double __v;
    __builtin_memcpy(&__v, &__bits, sizeof __v);
    return __v;
}

/* The magnitude's code, to nearest even or towards zero, of a number with so many bits of fraction whose least normal power
 * of two is 2^least. The magnitude is at most the greatest of these numbers. */
WG_SMALL unsigned int __wg_code_of(double __magnitude, int __fraction, int __least, bool __nearest) {
    int __exponent = (int)(__wg_bits_of_double(__magnitude) >> 52 & 0x7ff) - 1023; /* of -0, too */
    if (__exponent < __least) __exponent = __least;
    /* In units of the last place, made whole by a sum that has no room for more; a carry goes into the exponent. */
    double __units = __magnitude * __wg_power_of_two(__fraction - __exponent);
    unsigned int __whole = __nearest ? (unsigned int)(__units + 0x1p52 - 0x1p52) : (unsigned int)__units;
    return __whole + ((unsigned int)(__exponent - __least) << __fraction);
}

/* A number without infinities and others that are no numbers, as the bits of a half, where it is exact. */
WG_SMALL unsigned short __wg_half_of_code(unsigned int __code, int __bits, int __fraction, int __least) {
    unsigned int __sign = (__code >> (__bits - 1) & 1u) << 15, __part = __code & ((1u << __fraction) - 1);
    int __exponent = (int)(__code >> __fraction & ((1u << (__bits - 1 - __fraction)) - 1));
    if (!__exponent && !__part) return (unsigned short)__sign;
    if (!__exponent) { /* normal as a half */
        for (__exponent = 1; !(__part >> __fraction); __exponent--) __part <<= 1;
        __part &= (1u << __fraction) - 1;
    }
    return (unsigned short)(__sign | (unsigned int)(__exponent - 1 + __least + 15) << 10 |
                            __part << (10 - __fraction));
}

/* Towards zero, into what T holds; what is no number is 0, or with 64 bits the highest of them alone. */
template <typename __T> WG_SMALL __T __wg_whole_of_small(float __v) {
    const bool __sign = (double)(__T)-1 < 0;
    const double __most = (double)(~0ull >> ((__sign ? 65 : 64) - 8 * sizeof(__T))),
                 __least = __sign ? -__most - 1 : 0;
    const __T __greatest = (__T)(~0ull >> ((__sign ? 65 : 64) - 8 * sizeof(__T)));
    if (__v != __v) return sizeof(__T) == 8 ? (__T)(1ull << 63) : 0;
    return __v >= __most ? __greatest : __v <= __least ? (__T)(__sign ? ~__greatest : 0) : (__T)__v;
}

#define WG_SMALL_FROM(NAME, T, FP, A, B)                                                                     \
    explicit WG_SMALL_MEMBER NAME(const T __v) { __x = __nv_cvt_double_to_##FP((double)__v, A, B); }
#define WG_SMALL_TO_WHOLE(T)                                                                                 \
    explicit WG_SMALL_MEMBER operator T() const { return __wg_whole_of_small<T>(float(*this)); }

#define WG_SMALL_TO_WHOLES                                                                                   \
    WG_SMALL_TO_WHOLE(unsigned char)                                                                         \
    WG_SMALL_TO_WHOLE(unsigned short int)                                                                    \
    WG_SMALL_TO_WHOLE(unsigned int)                                                                          \
    WG_SMALL_TO_WHOLE(unsigned long int)                                                                     \
    WG_SMALL_TO_WHOLE(unsigned long long int)                                                                \
    WG_SMALL_TO_WHOLE(char)                                                                                  \
    WG_SMALL_TO_WHOLE(signed char)                                                                           \
    WG_SMALL_TO_WHOLE(short int)                                                                             \
    WG_SMALL_TO_WHOLE(int)                                                                                   \
    WG_SMALL_TO_WHOLE(long int)                                                                              \
    WG_SMALL_TO_WHOLE(long long int)

/* KIND: what it is interpreted as; MAGNITUDE: the bits of it that are not the sign. */
#define WG_SMALL_1(NAME, FP, KIND, MAGNITUDE, A, B)                                                          \
    struct alignas(1) NAME {                                                                                 \
        __nv_##FP##_storage_t __x;                                                                           \
        NAME() = default;                                                                                    \
        explicit WG_SMALL_MEMBER NAME(const __half __f) {                                                    \
            __x = __nv_cvt_halfraw_to_##FP(static_cast<__half_raw>(__f), A, B);                              \
        }                                                                                                    \
        explicit WG_SMALL_MEMBER NAME(const __nv_bfloat16 __f) {                                             \
            __x = __nv_cvt_bfloat16raw_to_##FP(static_cast<__nv_bfloat16_raw>(__f), A, B);                   \
        }                                                                                                    \
        explicit WG_SMALL_MEMBER NAME(const float __f) { __x = __nv_cvt_float_to_##FP(__f, A, B); }          \
        WG_SMALL_FROM(NAME, double, FP, A, B)                                                                \
        WG_SMALL_FROM(NAME, unsigned short int, FP, A, B)                                                    \
        WG_SMALL_FROM(NAME, unsigned int, FP, A, B)                                                          \
        WG_SMALL_FROM(NAME, unsigned long int, FP, A, B)                                                     \
        WG_SMALL_FROM(NAME, unsigned long long int, FP, A, B)                                                \
        WG_SMALL_FROM(NAME, short int, FP, A, B)                                                             \
        WG_SMALL_FROM(NAME, int, FP, A, B)                                                                   \
        WG_SMALL_FROM(NAME, long int, FP, A, B)                                                              \
        WG_SMALL_FROM(NAME, long long int, FP, A, B)                                                         \
        explicit WG_SMALL_MEMBER operator __half() const {                                                   \
            return __half(__nv_cvt_##FP##_to_halfraw(__x, KIND));                                            \
        }                                                                                                    \
        explicit WG_SMALL_MEMBER operator float() const { return __half2float(__half(*this)); }              \
        explicit WG_SMALL_MEMBER operator __nv_bfloat16() const {                                            \
            return __float2bfloat16_rz(float(*this));                                                        \
        }                                                                                                    \
        explicit WG_SMALL_MEMBER operator double() const { return (double)float(*this); }                    \
        explicit WG_SMALL_MEMBER operator bool() const { return (__x & MAGNITUDE) != 0; }                    \
        WG_SMALL_TO_WHOLES                                                                                   \
    };
#define WG_SMALL_2(NAME, FP, KIND, A, B)                                                                     \
    struct alignas(sizeof(__nv_##FP##x2_storage_t)) NAME {                                                   \
        __nv_##FP##x2_storage_t __x;                                                                         \
        NAME() = default;                                                                                    \
        explicit WG_SMALL_MEMBER NAME(const __half2 __f) {                                                   \
            __x = __nv_cvt_halfraw2_to_##FP##x2(static_cast<__half2_raw>(__f), A, B);                        \
        }                                                                                                    \
        explicit WG_SMALL_MEMBER NAME(const __nv_bfloat162 __f) {                                            \
            __x = __nv_cvt_bfloat16raw2_to_##FP##x2(static_cast<__nv_bfloat162_raw>(__f), A, B);             \
        }                                                                                                    \
        explicit WG_SMALL_MEMBER NAME(const float2 __f) { __x = __nv_cvt_float2_to_##FP##x2(__f, A, B); }    \
        explicit WG_SMALL_MEMBER NAME(const double2 __f) { __x = __nv_cvt_double2_to_##FP##x2(__f, A, B); }  \
        explicit WG_SMALL_MEMBER operator __half2() const {                                                  \
            return __half2(__nv_cvt_##FP##x2_to_halfraw2(__x, KIND));                                        \
        }                                                                                                    \
        explicit WG_SMALL_MEMBER operator float2() const { return __half22float2(__half2(*this)); }          \
    };
/* PAIR: the type of two of them. */
#define WG_SMALL_4(NAME, FP, PAIR)                                                                           \
    struct alignas(sizeof(__nv_##FP##x4_storage_t)) NAME {                                                   \
        __nv_##FP##x4_storage_t __x;                                                                         \
        NAME() = default;                                                                                    \
        explicit WG_SMALL_MEMBER NAME(const __half2 __low, const __half2 __high) {                           \
            __join(PAIR(__low), PAIR(__high));                                                               \
        }                                                                                                    \
        explicit WG_SMALL_MEMBER NAME(const __nv_bfloat162 __low, const __nv_bfloat162 __high) {             \
            __join(PAIR(__low), PAIR(__high));                                                               \
        }                                                                                                    \
        explicit WG_SMALL_MEMBER NAME(const float4 __f) {                                                    \
            __join(PAIR(make_float2(__f.x, __f.y)), PAIR(make_float2(__f.z, __f.w)));                        \
        }                                                                                                    \
        explicit WG_SMALL_MEMBER NAME(const double4 __f) {                                                   \
            __join(PAIR(make_double2(__f.x, __f.y)), PAIR(make_double2(__f.z, __f.w)));                      \
        }                                                                                                    \
        explicit WG_SMALL_MEMBER operator float4() const {                                                   \
            PAIR __low, __high;                                                                              \
            __low.__x = (__nv_##FP##x2_storage_t)__x;                                                        \
            __high.__x = (__nv_##FP##x2_storage_t)(__x >> 8 * sizeof __high.__x);                            \
            float2 __a = float2(__low), __b = float2(__high);                                                \
            return make_float4(__a.x, __a.y, __b.x, __b.y);                                                  \
        }                                                                                                    \
                                                                                                             \
      private:                                                                                               \
        WG_SMALL_MEMBER void __join(PAIR __low, PAIR __high) {                                               \
            __x = (__nv_##FP##x4_storage_t)((unsigned int)__high.__x << 8 * sizeof __high.__x | __low.__x);  \
        }                                                                                                    \
    };

/* From halves and bfloat16s, and pairs of all, which float and double hold. */
#define WG_SMALL_CONVERSIONS(FP, SHIFT)                                                                      \
    WG_SMALL __nv_##FP##_storage_t __nv_cvt_float_to_##FP(                                                   \
        const float __x, const __nv_##FP##_interpretation_t __kind, const enum cudaRoundMode __rounding) {   \
        return __nv_cvt_double_to_##FP((double)__x, __kind, __rounding);                                     \
    }                                                                                                        \
    WG_SMALL __nv_##FP##x2_storage_t __nv_cvt_double2_to_##FP##x2(                                           \
        const double2 __x, const __nv_##FP##_interpretation_t __kind, const enum cudaRoundMode __rounding) { \
        return (__nv_##FP##x2_storage_t)(__nv_cvt_double_to_##FP(__x.y, __kind, __rounding) << SHIFT |       \
                                         __nv_cvt_double_to_##FP(__x.x, __kind, __rounding));                \
    }                                                                                                        \
    WG_SMALL __nv_##FP##x2_storage_t __nv_cvt_float2_to_##FP##x2(                                            \
        const float2 __x, const __nv_##FP##_interpretation_t __kind, const enum cudaRoundMode __rounding) {  \
        return __nv_cvt_double2_to_##FP##x2(make_double2(__x.x, __x.y), __kind, __rounding);                 \
    }                                                                                                        \
    WG_SMALL __nv_##FP##_storage_t __nv_cvt_halfraw_to_##FP(const __half_raw __x,                            \
                                                            const __nv_##FP##_interpretation_t __kind,       \
                                                            const enum cudaRoundMode __rounding) {           \
        return __nv_cvt_float_to_##FP(__half2float(__half(__x)), __kind, __rounding);                        \
    }                                                                                                        \
    WG_SMALL __nv_##FP##x2_storage_t __nv_cvt_halfraw2_to_##FP##x2(                                          \
        const __half2_raw __x, const __nv_##FP##_interpretation_t __kind,                                    \
        const enum cudaRoundMode __rounding) {                                                               \
        return __nv_cvt_float2_to_##FP##x2(__half22float2(__half2(__x)), __kind, __rounding);                \
    }                                                                                                        \
    WG_SMALL __nv_##FP##_storage_t __nv_cvt_bfloat16raw_to_##FP(const __nv_bfloat16_raw __x,                 \
                                                                const __nv_##FP##_interpretation_t __kind,   \
                                                                const enum cudaRoundMode __rounding) {       \
        return __nv_cvt_float_to_##FP(__bfloat162float(__nv_bfloat16(__x)), __kind, __rounding);             \
    }                                                                                                        \
    WG_SMALL __nv_##FP##x2_storage_t __nv_cvt_bfloat16raw2_to_##FP##x2(                                      \
        const __nv_bfloat162_raw __x, const __nv_##FP##_interpretation_t __kind,                             \
        const enum cudaRoundMode __rounding) {                                                               \
        return __nv_cvt_float2_to_##FP##x2(__bfloat1622float2(__nv_bfloat162(__x)), __kind, __rounding);     \
    }                                                                                                        \
    WG_SMALL __half2_raw __nv_cvt_##FP##x2_to_halfraw2(const __nv_##FP##x2_storage_t __x,                    \
                                                       const __nv_##FP##_interpretation_t __kind) {          \
        __half2_raw __r;                                                                                     \
        __r.x = __nv_cvt_##FP##_to_halfraw((__nv_##FP##_storage_t)(__x & ((1u << SHIFT) - 1)), __kind).x;    \
        __r.y = __nv_cvt_##FP##_to_halfraw((__nv_##FP##_storage_t)(__x >> SHIFT), __kind).x;                 \
        return __r;                                                                                          \
    }
#endif
