// Particles in cells: the cell of a particle at the very edge does not exist.
// expect: out-of-bounds line 21
// says: 315 more like it

#include <cstdio>
#include <cstdlib>
struct particle {
    float x, y, vx, vy;
};
const int side = 16, count = 4096;

__global__ void move(particle *p, float dt) {
    particle &q = p[blockIdx.x * blockDim.x + threadIdx.x];
    q.x = fminf(fmaxf(q.x + dt * q.vx, 0.0f), 1.0f);
    q.y = fminf(fmaxf(q.y + dt * q.vy, 0.0f), 1.0f);
}

__global__ void bin(const particle *p, int *cells) {
    const particle &q = p[blockIdx.x * blockDim.x + threadIdx.x];
    int column = q.x * side, row = q.y * side;
    atomicAdd(&cells[row * side + column], 1);
}

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t e = (call);                                                                              \
        if (e != cudaSuccess) {                                                                              \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e));                                       \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

int main() {
    particle *host = new particle[count], *p;
    int *cells, sum = 0, cells_host[side * side];
    for (int i = 0; i < count; i++)
        host[i] = {i % 64 / 64.0f, i / 64 / 64.0f, 0, i % 64 == 5 || i / 64 >= 60 ? 100.0f : 0.0f};
    CHECK(cudaMalloc(&p, count * sizeof *p));
    CHECK(cudaMalloc(&cells, sizeof cells_host));
    CHECK(cudaMemcpy(p, host, count * sizeof *p, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(cells, 0, sizeof cells_host));
    move<<<count / 256, 256>>>(p, 0.1f);
    bin<<<count / 256, 256>>>(p, cells);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(cells_host, cells, sizeof cells_host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < side * side; i++) sum += cells_host[i];
    printf("%s\n", sum == count ? "all of them have a cell" : "some are lost");
    CHECK(cudaFree(p));
    CHECK(cudaFree(cells));
    delete[] host;
    return 0;
}
