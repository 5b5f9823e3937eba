/* thrust/iterator/counting_iterator.h: see warpglass/thrust/iterators.h. */
#pragma once
#include "../../warpglass/thrust/iterators.h"
