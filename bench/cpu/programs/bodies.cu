/* bodies: how each body is pulled by all stars, which pass through shared memory tile by tile. */
#include "launch.h"

static const int block = 256;

__global__ void pull(const float4 *body, const float4 *star, float4 *pulled, int n, int stars) {
    __shared__ float4 tile[block];
    const int i = blockIdx.x * block + threadIdx.x;
    const float4 me = i < n ? body[i] : make_float4(0, 0, 0, 0);
    float x = 0, y = 0, z = 0;
    for (int first = 0; first < stars; first += block) {
        const int j = first + threadIdx.x;
        tile[threadIdx.x] = j < stars ? star[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < block; k++) {
            const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float force = tile[k].w * inverse * inverse * inverse;
            x += force * dx;
            y += force * dy;
            z += force * dz;
        }
        __syncthreads();
    }
    if (i < n) pulled[i] = make_float4(x, y, z, 0);
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "bodies", [](const launch::Problem &p) {
        pull<<<gallery::blocks_for(p.n[0], block), block>>>(p.input<float4>(0), p.input<float4>(1),
                                                            p.result<float4>(), p.n[0], p.n[1]);
    });
}
