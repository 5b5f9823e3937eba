/* gathers_apart.cu: long kernels in which some lanes gather and others do not: under one condition, under one
 * of two, and within one another; no lane, all of them, some, and a last warp that is not full.
 */
#include <cstdint>
#include <cstdio>
#include <vector>

struct Body {
    float x, y, z, weight;
};

template <int N> __host__ __device__ float pulls(int i, const Body *bodies, const int *neighbours) {
    float sum = 0, turned = 1;
#pragma unroll
    for (int k = 0; k < N; k++) {
        int j = neighbours[i * N + k];
        if (j < 0) continue;
        Body it = bodies[j];
        float d = it.x * 2 + it.y, e = it.z - turned;
        sum += d * it.weight + (k + 1);
        turned = e * 0.5f + d;
    }
    return sum + turned;
}
__global__ void one_way(int n, const Body *bodies, const int *neighbours, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = pulls<16>(i, bodies, neighbours);
}

template <int N> __host__ __device__ float choices(int i, const Body *bodies, const int *neighbours) {
    float sum = 1;
#pragma unroll
    for (int k = 0; k < N; k++) {
        int j = neighbours[i * N + k];
        if (j < 0) {
            Body it = bodies[-j];
            sum = sum * 0.5f + it.z;
        } else {
            Body it = bodies[j];
            sum = sum * 0.25f - it.weight;
            if (it.x > 40) sum += bodies[(int)it.y].x;
        }
    }
    return sum;
}
__global__ void two_ways(int n, const Body *bodies, const int *neighbours, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = choices<16>(i, bodies, neighbours);
}

/* What is gathered goes to places that are each lane's own. */
__global__ void to_places(int n, const Body *bodies, const int *neighbours, const int *places, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int to = places[i];
#pragma unroll
    for (int k = 0; k < 16; k++) {
        int j = neighbours[i * 16 + k];
        if (j < 0) continue;
        Body it = bodies[j];
        out[to * 16 + k] = it.x * it.y + it.z * it.weight;
    }
}

static void compare(const char *what, const float *out, const std::vector<float> &right) {
    size_t wrong = 0;
    cudaError_t status = cudaDeviceSynchronize();
    for (size_t i = 0; i < right.size(); i++) wrong += out[i] != right[i];
    printf("  %s: %s, %zu wrong\n", what, cudaGetErrorString(status), wrong);
}

int main() {
    const int n = 1000;
    Body *bodies;
    int *neighbours, *places;
    float *out;
    cudaMallocManaged(&bodies, n * sizeof *bodies);
    cudaMallocManaged(&neighbours, n * 16 * sizeof *neighbours);
    cudaMallocManaged(&places, n * sizeof *places);
    cudaMallocManaged(&out, n * 16 * sizeof *out);
    for (int i = 0; i < n; i++) {
        bodies[i] = {(float)(i % 83), (float)(i % 61), (float)(i % 47), (float)(i % 3 + 1)};
        places[i] = i * 7 % n;
    }
    const char *names[] = {"nobody", "everybody", "some", "whole warps", "one lane"};
    for (int kind = 0; kind < 5; kind++) {
        printf("%s\n", names[kind]);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 16; k++) {
                const bool on[] = {false, true, (i * 5 + k) % 3 > 0, (i / 32 + k) % 2 > 0, i % 32 == k};
                int j = (i * 37 + k * 101) % (n - 1) + 1;
                neighbours[i * 16 + k] = on[kind] ? j : -j;
            }
        std::vector<float> right(n), placed(n * 16, -1);
        for (int i = 0; i < n; i++) right[i] = pulls<16>(i, bodies, neighbours);
        one_way<<<(n + 255) / 256, 256>>>(n, bodies, neighbours, out);
        compare("one way", out, right);
        for (int i = 0; i < n; i++) right[i] = choices<16>(i, bodies, neighbours);
        two_ways<<<(n + 255) / 256, 256>>>(n, bodies, neighbours, out);
        compare("two ways", out, right);
        for (int i = 0; i < n * 16; i++) {
            int j = neighbours[i];
            if (j >= 0)
                placed[places[i / 16] * 16 + i % 16] =
                    bodies[j].x * bodies[j].y + bodies[j].z * bodies[j].weight;
            out[i] = -1;
        }
        to_places<<<(n + 255) / 256, 256>>>(n, bodies, neighbours, places, out);
        compare("to places", out, placed);
    }
    return 0;
}
