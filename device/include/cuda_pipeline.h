/* cuda_pipeline.h: copies into shared memory in batches, which is cuda_pipeline_primitives.h. The older class
 * nvcuda::experimental::pipeline is left out.
 */
#ifndef WARPGLASS_CUDA_PIPELINE_H
#define WARPGLASS_CUDA_PIPELINE_H
#define _CUDA_PIPELINE_H_ /* as in host_defines.h */

#include "cuda_pipeline_primitives.h"

#endif
