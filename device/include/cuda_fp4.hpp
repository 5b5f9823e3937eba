/* cuda_fp4.hpp: all of it is in cuda_fp4.h, as with NVIDIA's, where the latter includes the former. */
#include "cuda_fp4.h"
