/* curand_kernel.h: both generators, near and far in their sequences, every distribution; and pi by throwing
 * darts. Normal numbers are printed with as many digits as NVIDIA's logarithm and ours agree in.
 */
#include "program.h"
#include <curand_kernel.h>

struct Numbers {
    unsigned whole[12];
    float uniform[6];
    float normal[8];
    double uniform_double[4], normal_double[6];
};

template <class State>
__global__ void numbers(Numbers *all, unsigned long long seed, unsigned long long stride,
                        unsigned long long offset) {
    Numbers &n = all[threadIdx.x];
    State s;
    curand_init(seed, threadIdx.x * stride, offset, &s);
    for (int i = 0; i < 8; i++) n.whole[i] = curand(&s);
    n.uniform[0] = curand_uniform(&s);
    n.normal[0] = curand_normal(&s);
    n.normal[1] = curand_normal(&s);
    float2 pair = curand_normal2(&s);
    n.normal[2] = pair.x;
    n.normal[3] = pair.y;
    n.normal[4] = curand_log_normal(&s, 0.5f, 0.25f);
    n.uniform_double[0] = curand_uniform_double(&s);
    n.normal_double[0] = curand_normal_double(&s);
    n.normal_double[1] = curand_normal_double(&s);
    double2 pair_double = curand_normal2_double(&s);
    n.normal_double[2] = pair_double.x;
    n.normal_double[3] = pair_double.y;
    n.normal_double[4] = curand_log_normal_double(&s, 0.5, 0.25);
    skipahead(1000003ull, &s);
    n.whole[8] = curand(&s);
    skipahead_sequence(77ull, &s);
    n.whole[9] = curand(&s);
    n.whole[10] = sizeof s;
}

/* Four at once, from every place in the generator's four. */
__global__ void fours(Numbers *all) {
    Numbers &n = all[threadIdx.x];
    curandStatePhilox4_32_10_t s;
    curand_init(1234, threadIdx.x, threadIdx.x, &s);
    for (int i = 0; i < 3; i++) {
        uint4 x = curand4(&s);
        memcpy(&n.whole[4 * i], &x, sizeof x);
    }
    float4 uniform = curand_uniform4(&s), normal = curand_normal4(&s);
    memcpy(n.uniform, &uniform, sizeof uniform);
    memcpy(n.normal, &normal, sizeof normal);
    double2 pair = curand_uniform2_double(&s);
    memcpy(n.uniform_double, &pair, sizeof pair);
}

__global__ void begin(curandState *states) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(1234, i, 0, &states[i]);
}
__global__ void darts(curandState *states, int throws, unsigned long long *hits) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState s = states[i];
    unsigned mine = 0;
    for (int k = 0; k < throws; k++) {
        float x = curand_uniform(&s), y = curand_uniform(&s);
        mine += x * x + y * y <= 1;
    }
    states[i] = s;
    atomicAdd(hits, (unsigned long long)mine);
}

void print(const char *name, Array<Numbers> &all) {
    CALL(cudaDeviceSynchronize());
    printf("%s\n", name);
    for (size_t t = 0; t < all.n; t++) {
        const Numbers &n = all[t];
        for (unsigned x : n.whole) printf("%08x ", x);
        for (float x : n.uniform) printf("%a ", x);
        for (double x : n.uniform_double) printf("%a ", x);
        for (float x : n.normal) printf("%.4f ", x);
        for (double x : n.normal_double) printf("%.10f ", x);
        printf("\n");
    }
    memset((void *)all.p, 0, all.n * sizeof(Numbers));
}

int main() {
    Array<Numbers> all(5);
    numbers<curandState><<<1, 5>>>(all, 42, 1, 0);
    print("XORWOW", all);
    numbers<curandState><<<1, 5>>>(all, 0x123456789abcdef, 123456789123, 5);
    print("XORWOW, far ahead", all);
    numbers<curandStatePhilox4_32_10_t><<<1, 5>>>(all, 42, 1, 0);
    print("Philox", all);
    numbers<curandStatePhilox4_32_10_t><<<1, 5>>>(all, 0x123456789abcdef, 123456789123, 5);
    print("Philox, far ahead", all);
    fours<<<1, 5>>>(all);
    print("Philox, four at once", all);
    Array<curandState> states(16 * 64);
    Array<unsigned long long> hits(1);
    begin<<<16, 64>>>(states);
    darts<<<16, 64>>>(states, 100, hits);
    CALL(cudaDeviceSynchronize());
    printf("pi is about %.6f\n", 4.0 * hits[0] / (100 * 16 * 64));
    return 0;
}
