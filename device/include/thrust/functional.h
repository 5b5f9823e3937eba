/* thrust/functional.h: see warpglass/thrust/functional.h. */
#pragma once
#include "../warpglass/thrust/functional.h"
