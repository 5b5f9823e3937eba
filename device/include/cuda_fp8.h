/* cuda_fp8.h: floating-point numbers of eight bits, one, two or four at a time. C++11.
 *
 *     __nv_fp8_e4m3   4 bits of exponent, 3 of fraction: to 448; no infinity
 *     __nv_fp8_e5m2   5 bits of exponent, 2 of fraction: to 57344; the upper half of a __half
 *     __nv_fp8_e8m0   powers of two; one at a time only
 *
 * They only hold numbers: to compute, convert to float or __half. Conversions round to nearest even. From
 * float and pairs of halves they are one instruction from compute capability 8.9 on; all else goes through
 * double, the same on the host.
 */
#ifndef WARPGLASS_CUDA_FP8_H
#define WARPGLASS_CUDA_FP8_H
#define __CUDA_FP8_H__ /* as in host_defines.h */
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if __cplusplus >= 201103L

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t; /* the first number is the lower byte */
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t {
    __NV_NOSAT, /* what is too great becomes infinite, or no number where there is no infinity */
    __NV_SATFINITE
} __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#define WG_EIGHT static __host__ __device__ __forceinline__
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define WG_EIGHT_BY_INSTRUCTION 1
#else
#define WG_EIGHT_BY_INSTRUCTION 0
#endif

/* ---- From wider numbers ------------------------------------------------------------------------- */

WG_EIGHT unsigned long long __wg_bits_of_double(double v) {
    unsigned long long bits;
    __builtin_memcpy(&bits, &v, sizeof bits);
    return bits;
}
WG_EIGHT double __wg_power_of_two(int e) { /* a normal one */
    unsigned long long bits = (unsigned long long)(e + 1023) << 52;
    double v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
}

WG_EIGHT __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                   const __nv_fp8_interpretation_t kind) {
    bool e4m3 = kind == __NV_E4M3;
    int fraction = e4m3 ? 3 : 2, least = e4m3 ? -6 : -14;
    unsigned long long bits = __wg_bits_of_double(x);
    unsigned int sign = (unsigned int)(bits >> 56) & 0x80u;
    double magnitude = x < 0 ? -x : x, greatest = e4m3 ? 448.0 : 57344.0;
    if (x != x) return (__nv_fp8_storage_t)(sign | (e4m3 ? 0x7fu : 0x7eu));
    if (magnitude > greatest) { /* half a step further a tie goes to the even one: 448, and infinity */
        bool beyond = e4m3 ? magnitude > 464.0 : magnitude >= 61440.0;
        if (saturate == __NV_NOSAT && beyond) return (__nv_fp8_storage_t)(sign | (e4m3 ? 0x7fu : 0x7cu));
        magnitude = greatest;
    }
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (magnitude == greatest) exponent = e4m3 ? 8 : 15;
    if (exponent < least) exponent = least;
    /* In units of the last place, made whole by a sum that has no room for more; a carry goes into the
     * exponent. */
    double units = magnitude * __wg_power_of_two(fraction - exponent);
    double whole = units + 0x1p52;
    unsigned int r = (unsigned int)(whole - 0x1p52) + ((unsigned int)(exponent - least) << fraction);
    return (__nv_fp8_storage_t)(sign | r);
}

#if WG_EIGHT_BY_INSTRUCTION
static __device__ __forceinline__ __nv_fp8x2_storage_t __wg_eights(float low, float high, bool e4m3) {
    unsigned short r;
    if (e4m3)
        asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(r) : "f"(high), "f"(low));
    else
        asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(r) : "f"(high), "f"(low));
    return r;
}
#endif

WG_EIGHT __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                  const __nv_fp8_interpretation_t kind) {
#if WG_EIGHT_BY_INSTRUCTION
    if (saturate == __NV_SATFINITE) return (__nv_fp8_storage_t)__wg_eights(x, 0.0f, kind == __NV_E4M3);
#endif
    return x != x ? (__nv_fp8_storage_t)0x7f : __nv_cvt_double_to_fp8((double)x, saturate, kind);
}
WG_EIGHT __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t saturate,
                                                       const __nv_fp8_interpretation_t kind) {
#if WG_EIGHT_BY_INSTRUCTION
    if (saturate == __NV_SATFINITE) return __wg_eights(x.x, x.y, kind == __NV_E4M3);
#endif
    return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(x.y, saturate, kind) << 8 |
                                  __nv_cvt_float_to_fp8(x.x, saturate, kind));
}
WG_EIGHT __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x, const __nv_saturation_t saturate,
                                                        const __nv_fp8_interpretation_t kind) {
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.y, saturate, kind) << 8 |
                                  __nv_cvt_double_to_fp8(x.x, saturate, kind));
}
WG_EIGHT __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                                                    const __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(__half2float(__half(x)), saturate, kind);
}
WG_EIGHT __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw x,
                                                         const __nv_saturation_t saturate,
                                                         const __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(x)), saturate, kind);
}
WG_EIGHT __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x,
                                                        const __nv_saturation_t saturate,
                                                        const __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(x)), saturate, kind);
}
WG_EIGHT __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw x,
                                                             const __nv_saturation_t saturate,
                                                             const __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(x)), saturate, kind);
}

/* ---- To halves ---------------------------------------------------------------------------------- */

WG_EIGHT __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                            const __nv_fp8_interpretation_t kind) {
    __half_raw h;
    unsigned int sign = (x & 0x80u) << 8, magnitude = x & 0x7fu;
    if (kind == __NV_E5M2) {
        h.x = (unsigned short)(magnitude > 0x7cu ? 0x7fffu : sign | magnitude << 8);
    } else if (magnitude == 0x7fu) {
        h.x = 0x7fff;
    } else if (magnitude >= 8) { /* the exponents' biases are 7 and 15 */
        h.x = (unsigned short)(sign | ((magnitude << 7) + (8u << 10)));
    } else { /* up to seven 512ths: as a half, normal */
        unsigned int top = magnitude >= 4 ? 2 : magnitude >= 2 ? 1 : 0;
        unsigned int r = magnitude ? (6 + top) << 10 | ((magnitude << (10 - top)) & 0x3ffu) : 0;
        h.x = (unsigned short)(sign | r);
    }
    return h;
}
WG_EIGHT __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                const __nv_fp8_interpretation_t kind) {
    __half2_raw r;
#if WG_EIGHT_BY_INSTRUCTION
    unsigned int both;
    if (kind == __NV_E4M3)
        asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(both) : "h"(x));
    else
        asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(both) : "h"(x));
    r.x = (unsigned short)both;
    r.y = (unsigned short)(both >> 16);
#else
    r.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x;
    r.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x;
#endif
    return r;
}

/* ---- Types -------------------------------------------------------------------------------------- */

/* Towards zero, into what T holds; what is no number is 0, or with 64 bits the highest of them alone. */
template <typename T> WG_EIGHT T __wg_whole_of_eight(float v) {
    const bool sign = (double)(T)-1 < 0;
    const double most = (double)(~0ull >> ((sign ? 65 : 64) - 8 * sizeof(T))), least = sign ? -most - 1 : 0;
    const T greatest = (T)(~0ull >> ((sign ? 65 : 64) - 8 * sizeof(T)));
    if (v != v) return sizeof(T) == 8 ? (T)(1ull << 63) : 0;
    return v >= most ? greatest : v <= least ? (T)(sign ? ~greatest : 0) : (T)v;
}

#define WG_EIGHT_MEMBER __host__ __device__ __forceinline__
#define WG_EIGHT_FROM_WHOLE(NAME, T, KIND)                                                                   \
    explicit WG_EIGHT_MEMBER NAME(const T v) {                                                               \
        __x = __nv_cvt_double_to_fp8((double)v, __NV_SATFINITE, KIND);                                       \
    }
#define WG_EIGHT_TO_WHOLE(T)                                                                                 \
    explicit WG_EIGHT_MEMBER operator T() const { return __wg_whole_of_eight<T>(float(*this)); }

#define WG_EIGHT_TO_WHOLES                                                                                   \
    WG_EIGHT_TO_WHOLE(unsigned char)                                                                         \
    WG_EIGHT_TO_WHOLE(unsigned short int)                                                                    \
    WG_EIGHT_TO_WHOLE(unsigned int)                                                                          \
    WG_EIGHT_TO_WHOLE(unsigned long int)                                                                     \
    WG_EIGHT_TO_WHOLE(unsigned long long int)                                                                \
    WG_EIGHT_TO_WHOLE(char)                                                                                  \
    WG_EIGHT_TO_WHOLE(signed char)                                                                           \
    WG_EIGHT_TO_WHOLE(short int)                                                                             \
    WG_EIGHT_TO_WHOLE(int)                                                                                   \
    WG_EIGHT_TO_WHOLE(long int)                                                                              \
    WG_EIGHT_TO_WHOLE(long long int)

#define WG_EIGHT_1(NAME, KIND)                                                                               \
    struct alignas(1) NAME {                                                                                 \
        __nv_fp8_storage_t __x;                                                                              \
        NAME() = default;                                                                                    \
        explicit WG_EIGHT_MEMBER NAME(const __half f) {                                                      \
            __x = __nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(f), __NV_SATFINITE, KIND);                 \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER NAME(const __nv_bfloat16 f) {                                               \
            __x = __nv_cvt_bfloat16raw_to_fp8(static_cast<__nv_bfloat16_raw>(f), __NV_SATFINITE, KIND);      \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER NAME(const float f) {                                                       \
            __x = __nv_cvt_float_to_fp8(f, __NV_SATFINITE, KIND);                                            \
        }                                                                                                    \
        WG_EIGHT_FROM_WHOLE(NAME, double, KIND)                                                              \
        WG_EIGHT_FROM_WHOLE(NAME, unsigned short int, KIND)                                                  \
        WG_EIGHT_FROM_WHOLE(NAME, unsigned int, KIND)                                                        \
        WG_EIGHT_FROM_WHOLE(NAME, unsigned long int, KIND)                                                   \
        WG_EIGHT_FROM_WHOLE(NAME, unsigned long long int, KIND)                                              \
        WG_EIGHT_FROM_WHOLE(NAME, short int, KIND)                                                           \
        WG_EIGHT_FROM_WHOLE(NAME, int, KIND)                                                                 \
        WG_EIGHT_FROM_WHOLE(NAME, long int, KIND)                                                            \
        WG_EIGHT_FROM_WHOLE(NAME, long long int, KIND)                                                       \
        explicit WG_EIGHT_MEMBER operator __half() const {                                                   \
            return __half(__nv_cvt_fp8_to_halfraw(__x, KIND));                                               \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER operator float() const { return __half2float(__half(*this)); }              \
        explicit WG_EIGHT_MEMBER operator __nv_bfloat16() const {                                            \
            return __float2bfloat16_rz(float(*this));                                                        \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER operator double() const { return (double)float(*this); }                    \
        explicit WG_EIGHT_MEMBER operator bool() const { return (__x & 0x7fu) != 0; }                        \
        WG_EIGHT_TO_WHOLES                                                                                   \
    };
#define WG_EIGHT_2(NAME, KIND)                                                                               \
    struct alignas(2) NAME {                                                                                 \
        __nv_fp8x2_storage_t __x;                                                                            \
        NAME() = default;                                                                                    \
        explicit WG_EIGHT_MEMBER NAME(const __half2 f) {                                                     \
            __x = __nv_cvt_halfraw2_to_fp8x2(static_cast<__half2_raw>(f), __NV_SATFINITE, KIND);             \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER NAME(const __nv_bfloat162 f) {                                              \
            __x = __nv_cvt_bfloat16raw2_to_fp8x2(static_cast<__nv_bfloat162_raw>(f), __NV_SATFINITE, KIND);  \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER NAME(const float2 f) {                                                      \
            __x = __nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, KIND);                                         \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER NAME(const double2 f) {                                                     \
            __x = __nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, KIND);                                        \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER operator __half2() const {                                                  \
            return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, KIND));                                           \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER operator float2() const { return __half22float2(__half2(*this)); }          \
    };
#define WG_EIGHT_4(NAME, PAIR, KIND)                                                                         \
    struct alignas(4) NAME {                                                                                 \
        __nv_fp8x4_storage_t __x;                                                                            \
        NAME() = default;                                                                                    \
        explicit WG_EIGHT_MEMBER NAME(const __half2 low, const __half2 high) {                               \
            join(PAIR(low), PAIR(high));                                                                     \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER NAME(const __nv_bfloat162 low, const __nv_bfloat162 high) {                 \
            join(PAIR(low), PAIR(high));                                                                     \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER NAME(const float4 f) {                                                      \
            join(PAIR(make_float2(f.x, f.y)), PAIR(make_float2(f.z, f.w)));                                  \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER NAME(const double4 f) {                                                     \
            join(PAIR(make_double2(f.x, f.y)), PAIR(make_double2(f.z, f.w)));                                \
        }                                                                                                    \
        explicit WG_EIGHT_MEMBER operator float4() const {                                                   \
            PAIR low, high;                                                                                  \
            low.__x = (__nv_fp8x2_storage_t)__x;                                                             \
            high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                                    \
            float2 a = float2(low), b = float2(high);                                                        \
            return make_float4(a.x, a.y, b.x, b.y);                                                          \
        }                                                                                                    \
                                                                                                             \
      private:                                                                                               \
        WG_EIGHT_MEMBER void join(PAIR low, PAIR high) { __x = (unsigned int)high.__x << 16 | low.__x; }     \
    };

/* Powers of two, 2^-127 to 2^127, as the scales of blocks of numbers; 0xff is no number. Signs are lost. */
WG_EIGHT __nv_fp8_storage_t __nv_cvt_double_to_e8m0(const double x, const __nv_saturation_t saturate,
                                                    const enum cudaRoundMode rounding) {
    unsigned long long bits = __wg_bits_of_double(x) & ~0ull >> 1;
    if (x != x) return 0xff;
    if (bits >> 52 == 0x7ff) return saturate == __NV_SATFINITE ? 0xfe : 0xff;
    int code = (int)(bits >> 52) - 1023 + 127;
    if (code < 0) return 0;
    if (rounding == cudaRoundPosInf && bits << 12) code++;
    if (code > 0xfe) return saturate == __NV_NOSAT && rounding == cudaRoundPosInf ? 0xff : 0xfe;
    return (__nv_fp8_storage_t)code;
}
WG_EIGHT __nv_fp8_storage_t __nv_cvt_float_to_e8m0(const float x, const __nv_saturation_t saturate,
                                                   const enum cudaRoundMode rounding) {
    return __nv_cvt_double_to_e8m0((double)x, saturate, rounding);
}
WG_EIGHT __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw x,
                                                         const __nv_saturation_t saturate,
                                                         const enum cudaRoundMode rounding) {
    return __nv_cvt_float_to_e8m0(__bfloat162float(__nv_bfloat16(x)), saturate, rounding);
}
WG_EIGHT __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
    __nv_bfloat16_raw r;
    r.x = x == 0xff ? 0x7fff : x ? (unsigned short)(x << 7) : 0x40;
    return r;
}
struct alignas(1) __nv_fp8_e8m0 {
    __nv_fp8_storage_t __x;
    __nv_fp8_e8m0() = default;
    explicit WG_EIGHT_MEMBER __nv_fp8_e8m0(const __half f) : __nv_fp8_e8m0(__half2float(f)) {}
    explicit WG_EIGHT_MEMBER __nv_fp8_e8m0(const __nv_bfloat16 f) : __nv_fp8_e8m0(__bfloat162float(f)) {}
    explicit WG_EIGHT_MEMBER __nv_fp8_e8m0(const float f) : __nv_fp8_e8m0((double)f) {}
    explicit WG_EIGHT_MEMBER __nv_fp8_e8m0(const double f) {
        __x = __nv_cvt_double_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf);
    }
    explicit WG_EIGHT_MEMBER __nv_fp8_e8m0(const unsigned short int v) : __nv_fp8_e8m0((double)v) {}
    explicit WG_EIGHT_MEMBER __nv_fp8_e8m0(const unsigned int v) : __nv_fp8_e8m0((double)v) {}
    explicit WG_EIGHT_MEMBER __nv_fp8_e8m0(const unsigned long int v) : __nv_fp8_e8m0((double)v) {}
    explicit WG_EIGHT_MEMBER __nv_fp8_e8m0(const unsigned long long int v) : __nv_fp8_e8m0((double)v) {}
    explicit WG_EIGHT_MEMBER __nv_fp8_e8m0(const short int v) : __nv_fp8_e8m0((double)v) {}
    explicit WG_EIGHT_MEMBER __nv_fp8_e8m0(const int v) : __nv_fp8_e8m0((double)v) {}
    explicit WG_EIGHT_MEMBER __nv_fp8_e8m0(const long int v) : __nv_fp8_e8m0((double)v) {}
    explicit WG_EIGHT_MEMBER __nv_fp8_e8m0(const long long int v) : __nv_fp8_e8m0((double)v) {}
    explicit WG_EIGHT_MEMBER operator __nv_bfloat16() const {
        return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x));
    }
    explicit WG_EIGHT_MEMBER operator float() const { return __bfloat162float(__nv_bfloat16(*this)); }
    explicit WG_EIGHT_MEMBER operator __half() const {
        return __x == 0xff ? __half(__nv_cvt_fp8_to_halfraw(0x7f, __NV_E4M3)) : __float2half(float(*this));
    }
    explicit WG_EIGHT_MEMBER operator double() const { return (double)float(*this); }
    explicit WG_EIGHT_MEMBER operator bool() const { return true; } /* there is no zero */
    WG_EIGHT_TO_WHOLES
};

WG_EIGHT_1(__nv_fp8_e4m3, __NV_E4M3)
WG_EIGHT_1(__nv_fp8_e5m2, __NV_E5M2)
WG_EIGHT_2(__nv_fp8x2_e4m3, __NV_E4M3)
WG_EIGHT_2(__nv_fp8x2_e5m2, __NV_E5M2)
WG_EIGHT_4(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3, __NV_E4M3)
WG_EIGHT_4(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2, __NV_E5M2)

#undef WG_EIGHT_1
#undef WG_EIGHT_2
#undef WG_EIGHT_4
#undef WG_EIGHT_FROM_WHOLE
#undef WG_EIGHT_TO_WHOLE
#undef WG_EIGHT_TO_WHOLES
#undef WG_EIGHT_MEMBER
#undef WG_EIGHT_BY_INSTRUCTION
#undef WG_EIGHT
#endif
#endif
