/* curand_normal_static.h: a part of curand_kernel.h in the toolkit, and here. */
#include "curand_kernel.h"
