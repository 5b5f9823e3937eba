/* thrust/device_malloc.h: see warpglass/thrust/pointer.h. */
#pragma once
#include "../warpglass/thrust/pointer.h"
