/* cuda_fp6.hpp: all of it is in cuda_fp6.h, as with NVIDIA's, where the latter includes the former. */
#include "cuda_fp6.h"
