/* cuda_pipeline.h: copies into shared memory in batches, which is cuda_pipeline_primitives.h. The older class
 * nvcuda::experimental::pipeline is left out.
 */
#ifndef WARPGLASS_CUDA_PIPELINE_H
#define WARPGLASS_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#endif
