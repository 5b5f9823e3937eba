/* thrust/zip_function.h: see warpglass/thrust/functional.h. */
#pragma once
#include "../warpglass/thrust/functional.h"
