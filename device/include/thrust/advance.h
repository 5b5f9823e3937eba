/* thrust/advance.h: see warpglass/thrust/iterators.h. */
#pragma once
#include "../warpglass/thrust/iterators.h"
