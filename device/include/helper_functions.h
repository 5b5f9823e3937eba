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
static inline bool sdkCompareL2fe(const float *reference, const float *data, unsigned int n, float epsilon) {
    double error = 0, size = 0;
    for (unsigned int i = 0; i < n; i++) {
        double difference = (double)reference[i] - data[i];
        error += difference * difference;
        size += (double)reference[i] * reference[i];
    }
    return size > 0 && sqrt(error / size) < epsilon;
}

#endif
