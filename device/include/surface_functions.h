/* surface_functions.h: a part of cuda_runtime.h in the toolkit, and here. */
#include "cuda_runtime.h"
