/* lu: a matrix into its two triangles, two launches for each column. */
#include "launch.h"

__global__ void divide(float *a, int n, int k) {
    const int i = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i * n + k] /= a[k * n + k];
}

__global__ void subtract(float *a, int n, int k) {
    const int j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x,
              i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "lu", [](const launch::Problem &p) {
        const int n = p.n[0];
        for (int matrix = 0; matrix < p.n[1]; matrix++) {
            float *a = p.result<float>() + (size_t)matrix * n * n;
            for (int k = 0; k < n - 1; k++) {
                const int left = n - k - 1;
                divide<<<gallery::blocks_for(left, 128), 128>>>(a, n, k);
                subtract<<<dim3(gallery::blocks_for(left, 16), gallery::blocks_for(left, 16)),
                           dim3(16, 16)>>>(a, n, k);
            }
        }
    });
}
