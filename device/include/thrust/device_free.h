/* thrust/device_free.h: see warpglass/thrust/pointer.h. */
#pragma once
#include "../warpglass/thrust/pointer.h"
