/* cuda_bf16.hpp: all of it is in cuda_bf16.h, as with NVIDIA's, where the latter includes the former. */
#include "cuda_bf16.h"
