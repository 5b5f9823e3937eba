/* thrust/device_ptr.h: see warpglass/thrust/pointer.h. */
#pragma once
#include "../warpglass/thrust/pointer.h"
