/* narrow_float_conversions.h: conversions of one 16-bit type by CUDA's names. Included by cuda_fp16.h and
 * cuda_bf16.h after narrow_float.h, with WG_NAME: how the type is called inside names (half, bfloat16).
 */
#define WG_JOIN_(A, B, C) A##B##C
#define WG_JOIN(A, B, C)  WG_JOIN_(A, B, C)

WG_FN WG_T WG_JOIN(__float2, WG_NAME, )(float __f) { return WG_T(__f); }
WG_FN WG_T WG_JOIN(__float2, WG_NAME, _rn)(float __f) { return WG_T(__f); }
WG_FN WG_T WG_JOIN(__float2, WG_NAME, _rz)(float __f) { return wg_toward_zero(WG_T(__f), __f); }
WG_FN WG_T WG_JOIN(__float2, WG_NAME, _rd)(float __f) { return wg_downward(WG_T(__f), __f); }
WG_FN WG_T WG_JOIN(__float2, WG_NAME, _ru)(float __f) { return wg_upward(WG_T(__f), __f); }
WG_FN WG_T WG_JOIN(__double2, WG_NAME, )(double __d) { return WG_T(__d); }
WG_FN float WG_JOIN(__, WG_NAME, 2float)(WG_T __a) { return (float)__a; }
WG_FN short WG_JOIN(__, WG_NAME, _as_short)(WG_T __a) { return (short)__a.__x; }
WG_FN unsigned short WG_JOIN(__, WG_NAME, _as_ushort)(WG_T __a) { return __a.__x; }
WG_FN WG_T WG_JOIN(__short_as_, WG_NAME, )(short __b) { return WG_RAW{(unsigned short)__b}; }
WG_FN WG_T WG_JOIN(__ushort_as_, WG_NAME, )(unsigned short __b) { return WG_RAW{__b}; }

/* Integers in four roundings, both ways. */
#define WG_INTEGER(ID, I, LOW, HIGH)                                                                         \
    WG_FN I WG_JOIN(__, WG_NAME, 2##ID##_rn)(WG_T __a){                                                      \
        WG_TO_INTEGER(I, LOW, HIGH, __builtin_rintf)} WG_FN I WG_JOIN(__, WG_NAME, 2##ID##_rz)(WG_T __a){    \
        WG_TO_INTEGER(I, LOW, HIGH, __builtin_truncf)} WG_FN I WG_JOIN(__, WG_NAME, 2##ID##_rd)(WG_T __a){   \
        WG_TO_INTEGER(I, LOW, HIGH, __builtin_floorf)} WG_FN I WG_JOIN(__, WG_NAME, 2##ID##_ru)(WG_T __a){   \
        WG_TO_INTEGER(I, LOW, HIGH, __builtin_ceilf)} WG_FN WG_T WG_JOIN(__##ID##2, WG_NAME, _rn)(I __v) {   \
        return WG_T(__v);                                                                                    \
    }                                                                                                        \
    WG_FN WG_T WG_JOIN(__##ID##2, WG_NAME, _rz)(I __v) { return wg_toward_zero(WG_T(__v), (double)__v); }    \
    WG_FN WG_T WG_JOIN(__##ID##2, WG_NAME, _rd)(I __v) { return wg_downward(WG_T(__v), (double)__v); }       \
    WG_FN WG_T WG_JOIN(__##ID##2, WG_NAME, _ru)(I __v) { return wg_upward(WG_T(__v), (double)__v); }
WG_INTEGER(short, short, -32767 - 1, 32767)
WG_INTEGER(ushort, unsigned short, 0, 65535)
WG_INTEGER(int, int, -2147483647 - 1, 2147483647)
WG_INTEGER(uint, unsigned int, 0u, 4294967295u)
WG_INTEGER(ll, long long, -9223372036854775807ll - 1, 9223372036854775807ll)
WG_INTEGER(ull, unsigned long long, 0ull, 18446744073709551615ull)
#undef WG_INTEGER
#undef WG_TO_INTEGER

/* Bytes in one rounding, and no way back. */
WG_FN signed char WG_JOIN(__, WG_NAME, 2char_rz)(WG_T __a) {
    float __f = __builtin_truncf(__a);
    return __f != __f ? 0 : __f <= -128 ? -128 : __f >= 127 ? 127 : (signed char)__f;
}
WG_FN unsigned char WG_JOIN(__, WG_NAME, 2uchar_rz)(WG_T __a) {
    float __f = __builtin_truncf(__a);
    return __f != __f || __f <= 0 ? 0 : __f >= 255 ? 255 : (unsigned char)__f;
}

#undef WG_JOIN
#undef WG_JOIN_
