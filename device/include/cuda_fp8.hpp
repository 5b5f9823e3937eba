/* cuda_fp8.hpp: all of it is in cuda_fp8.h, as with NVIDIA's, where the latter includes the former. */
#include "cuda_fp8.h"
