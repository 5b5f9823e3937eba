/* cuda_device_runtime_api.h: kernels that launch kernels are not supported; the host's API is in
 * cuda_runtime_api.h. */
#include "cuda_runtime_api.h"
