/* thrust/find.h: see warpglass/thrust/reductions.h. */
#pragma once
#include "../warpglass/thrust/reductions.h"
