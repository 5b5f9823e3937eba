/* cuda_fp16.hpp: all of it is in cuda_fp16.h, as with NVIDIA's, where the latter includes the former. */
#include "cuda_fp16.h"
