/* thrust/sequence.h: see warpglass/thrust/transform.h. */
#pragma once
#include "../warpglass/thrust/transform.h"
