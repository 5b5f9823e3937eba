/* builtin_types.h: the types that CUDA programs have without asking. */
#ifndef WARPGLASS_BUILTIN_TYPES_H
#define WARPGLASS_BUILTIN_TYPES_H
#include "device_types.h"
#include "driver_types.h"
#include "vector_types.h"
#endif
