/* thrust/sort.h: see warpglass/thrust/order.h. */
#pragma once
#include "../warpglass/thrust/order.h"
