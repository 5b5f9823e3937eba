/* helper_functions.h: all that NVIDIA's samples take from headers that begin with helper_, less images. */
#ifndef WARPGLASS_HELPER_FUNCTIONS_H
#define WARPGLASS_HELPER_FUNCTIONS_H

#include "helper_string.h"
#include "helper_timer.h"

#include <math.h>
#include <stdio.h>

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

/* Whether the relative distance in the Euclidean norm is below `epsilon`. */
static inline bool sdkCompareL2fe(const float *__reference, const float *__data, unsigned int __n,
                                  float __epsilon) {
    double __error = 0, __size = 0;
    for (unsigned int __i = 0; __i < __n; __i++) {
        double __difference = (double)__reference[__i] - __data[__i];
        __error += __difference * __difference;
        __size += (double)__reference[__i] * __reference[__i];
    }
    return __size > 0 && sqrt(__error / __size) < __epsilon;
}

#endif
