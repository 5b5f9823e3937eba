// A field of a structure that the constructor kernel forgets; its padding never matters.
// expect: uninitialised-branch line 20
// options: --only init

#include <cstdio>

struct Particle {
    char kind; // and three bytes of padding
    float mass;
    double energy;
};

__global__ void create(Particle *p) {
    p[threadIdx.x].kind = 1;
    p[threadIdx.x].mass = 2;
}

__global__ void hottest(const Particle *p, double limit, int *found) {
    Particle mine = p[threadIdx.x];
    if (mine.energy > limit) *found = threadIdx.x;
}

int main() {
    Particle *p, result[32];
    int *found;
    cudaMalloc(&p, sizeof result);
    cudaMalloc(&found, sizeof(int));
    create<<<1, 32>>>(p);
    hottest<<<1, 32>>>(p, 5, found);
    cudaMemcpy(result, p, 8, cudaMemcpyDeviceToHost);
    printf("%g\n", result[0].mass);
    cudaFree(p);
    cudaFree(found);
}
