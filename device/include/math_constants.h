/* math_constants.h: numbers by name, in single (_F) and double precision. */
#ifndef WARPGLASS_MATH_CONSTANTS_H
#define WARPGLASS_MATH_CONSTANTS_H
#define __MATH_CONSTANTS_H__ /* as in host_defines.h */

#define CUDART_INF_F            __int_as_float(0x7f800000)
#define CUDART_NAN_F            __int_as_float(0x7fffffff)
#define CUDART_MIN_DENORM_F     0x1p-149f
#define CUDART_MAX_NORMAL_F     0x1.fffffep127f
#define CUDART_NEG_ZERO_F       (-0.0f)
#define CUDART_ZERO_F           0.0f
#define CUDART_ONE_F            1.0f
#define CUDART_SQRT_HALF_F      0.70710678f
#define CUDART_SQRT_TWO_F       1.41421356f
#define CUDART_THIRD_F          0.33333333f
#define CUDART_PIO4_F           0.78539816f
#define CUDART_PIO2_F           1.57079633f
#define CUDART_3PIO4_F          2.35619449f
#define CUDART_2_OVER_PI_F      0.63661977f
#define CUDART_SQRT_2_OVER_PI_F 0.79788456f
#define CUDART_PI_F             3.14159265f
#define CUDART_L2E_F            1.44269504f
#define CUDART_L2T_F            3.32192809f
#define CUDART_LG2_F            0.30103000f
#define CUDART_LGE_F            0.43429448f
#define CUDART_LN2_F            0.69314718f
#define CUDART_LNT_F            2.30258509f
#define CUDART_LNPI_F           1.14472989f
#define CUDART_NORM_HUGE_F      CUDART_MAX_NORMAL_F
#define CUDART_TWO_TO_M126_F    0x1p-126f
#define CUDART_TWO_TO_126_F     0x1p126f
#define CUDART_TWO_TO_23_F      0x1p23f
#define CUDART_TWO_TO_24_F      0x1p24f
#define CUDART_TWO_TO_31_F      0x1p31f
#define CUDART_TWO_TO_32_F      0x1p32f

#define CUDART_INF          __longlong_as_double(0x7ff0000000000000ll)
#define CUDART_NAN          __longlong_as_double((long long)0xfff8000000000000ull)
#define CUDART_MIN_DENORM   0x1p-1074
#define CUDART_NEG_ZERO     (-0.0)
#define CUDART_ZERO         0.0
#define CUDART_ONE          1.0
#define CUDART_SQRT_TWO     1.41421356237309505
#define CUDART_SQRT_HALF    0.707106781186547524
#define CUDART_THIRD        0.333333333333333333
#define CUDART_TWOTHIRD     0.666666666666666667
#define CUDART_PIO4         0.785398163397448310
#define CUDART_PIO2         1.57079632679489662
#define CUDART_3PIO4        2.35619449019234493
#define CUDART_2_OVER_PI    0.636619772367581343
#define CUDART_PI           3.14159265358979324
#define CUDART_SQRT_2PI     2.50662827463100050
#define CUDART_SQRT_PIO2    1.25331413731550025
#define CUDART_SQRT_2OPI    0.797884560802865356
#define CUDART_L2E          1.44269504088896341
#define CUDART_L2T          3.32192809488736235
#define CUDART_LG2          0.301029995663981195
#define CUDART_LGE          0.434294481903251828
#define CUDART_LN2          0.693147180559945309
#define CUDART_LNT          2.30258509299404568
#define CUDART_LNPI         1.14472988584940017
#define CUDART_TWO_TO_54    0x1p54
#define CUDART_TWO_TO_M54   0x1p-54
#define CUDART_TWO_TO_M1022 0x1p-1022

#endif
