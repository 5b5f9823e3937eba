/* rounding_to_odd.h: the step between double and 16 bits.
 *
 * Rounding a double to float and then to 16 bits can round twice into the wrong direction. A float that lost
 * bits is made odd instead (its last bit says "a little more or less"), and the second rounding then is as
 * good as a direct one.
 */
#ifndef WARPGLASS_ROUNDING_TO_ODD_H
#define WARPGLASS_ROUNDING_TO_ODD_H

#include "../host_defines.h"

static __host__ __device__ __forceinline__ float wg_float_for_rounding(double __d) {
    float __f = (float)__d;
    double __back = __f;
    if (__back == __d || __d != __d || __builtin_isinf(__f)) return __f;
    unsigned int __bits = __builtin_bit_cast(unsigned int, __f);
    if (__builtin_fabs(__back) > __builtin_fabs(__d)) __bits--;
    return __builtin_bit_cast(float, __bits | 1);
}

#endif
