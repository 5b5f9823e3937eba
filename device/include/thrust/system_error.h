/* thrust/system_error.h: see warpglass/thrust/place.h. */
#pragma once
#include "../warpglass/thrust/place.h"
