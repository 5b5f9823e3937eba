/* thrust/pair.h: see warpglass/thrust/place.h. */
#pragma once
#include "../warpglass/thrust/place.h"
