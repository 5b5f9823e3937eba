/* thrust/device_vector.h: see warpglass/thrust/vector.h. */
#pragma once
#include "../warpglass/thrust/vector.h"
