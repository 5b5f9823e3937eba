/* Copies into shared memory in two stages. */
// PTX: cp\.async\.cg\.shared\.global
#include <cuda_pipeline.h>
__global__ void stages(const float4 *in, float *out) {
    __shared__ float4 stage[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(float4));
    __pipeline_commit();
    for (int i = 1; i < 8; i++) {
        __pipeline_memcpy_async(&stage[i % 2][t], &in[64 * i + t], 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[64 * i + t] = stage[(i + 1) % 2][63 - t].x;
        __syncthreads();
    }
}
int main() { stages<<<1, 64>>>(nullptr, nullptr); }
