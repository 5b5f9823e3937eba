/* functions.h: all of the mathematical functions, for whatever WG_MATH_FN says. */
#ifndef WARPGLASS_MATH_FUNCTIONS_H
#define WARPGLASS_MATH_FUNCTIONS_H

#include "exact.h"
#include "exponential.h"
#include "logarithm.h"
#include "circular.h"
#include "inverse_circular.h"
#include "hyperbolic.h"
#include "roots.h"
#include "error_function.h"
#include "gamma.h"
#include "bessel.h"

#endif
