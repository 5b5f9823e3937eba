/* random_doubles: Philox's numbers of double precision, two and four at a time, and what is drawn after them.
 * Normal numbers are printed with as many digits as NVIDIA's logarithm and ours agree in.
 */
#include <cstdio>
#include <curand_kernel.h>

__global__ void draw(double *out) {
    curandStatePhilox4_32_10_t s;
    double *o = out + threadIdx.x * 16;
    curand_init(99, threadIdx.x, 3, &s);
    auto u = curand_uniform4_double(&s);
    o[0] = u.x, o[1] = u.y, o[2] = u.z, o[3] = u.w;
    auto n = curand_normal4_double(&s);
    o[4] = n.x, o[5] = n.y, o[6] = n.z, o[7] = n.w;
    auto l = curand_log_normal4_double(&s, 0.5, 0.25);
    o[8] = l.x, o[9] = l.y, o[10] = l.z, o[11] = l.w;
    auto two = curand_uniform2_double(&s);
    o[12] = two.x, o[13] = two.y;
    o[14] = curand_uniform_double(&s);
    o[15] = curand(&s);
}

int main() {
    double *out, mean = 0;
    cudaMallocManaged(&out, 256 * 16 * sizeof(double));
    draw<<<1, 256>>>(out);
    cudaDeviceSynchronize();
    for (int t = 0; t < 256; t += 85) {
        for (int i = 0; i < 16; i++) printf(i >= 4 && i < 12 ? "%.9f " : "%.17g ", out[t * 16 + i]);
        printf("\n");
    }
    for (int i = 0; i < 256; i++) mean += out[i * 16 + 1] / 256;
    printf("mean %.6f\n%s\n", mean, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
