/* simulation: the Game of Life in shared memory, bodies under gravity, a heat equation, Monte Carlo, option
 * prices. */
#include "program.h"
#include <cmath>

constexpr int W = 67, H = 45;

__global__ void life(const unsigned char *now, unsigned char *then) {
    __shared__ unsigned char t[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int j = threadIdx.y; j < 18; j += 16)
        for (int i = threadIdx.x; i < 18; i += 16)
            t[j][i] = now[(blockIdx.y * 16 + j - 1 + H) % H * W + (blockIdx.x * 16 + i - 1 + W) % W];
    __syncthreads();
    if (x >= W || y >= H) return;
    int n = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) n += t[threadIdx.y + j][threadIdx.x + i];
    int self = t[threadIdx.y + 1][threadIdx.x + 1];
    then[y * W + x] = n == 3 || (self && n == 4);
}

__global__ void bodies(const float4 *at, float3 *force, int n) {
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = at[min(i, n - 1)];
    float3 f = {0, 0, 0};
    for (int base = 0; base < n; base += blockDim.x) {
        tile[threadIdx.x] = base + threadIdx.x < n ? at[base + threadIdx.x] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++) {
            float4 o = tile[k];
            float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            float r = rsqrtf(__fmaf_rn(dx, dx, __fmaf_rn(dy, dy, __fmaf_rn(dz, dz, 0.25f)))),
                  w = o.w * r * r * r;
            f.x = __fmaf_rn(dx, w, f.x), f.y = __fmaf_rn(dy, w, f.y), f.z = __fmaf_rn(dz, w, f.z);
        }
        __syncthreads();
    }
    if (i < n) force[i] = f;
}

/* Every sum and product is rounded by itself, so that all compilers agree. */
__global__ void heat(const double *now, double *then) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H) return;
    double c = now[y * W + x];
    if (x > 0 && y > 0 && x < W - 1 && y < H - 1) {
        double s = __dadd_rn(__dadd_rn(now[y * W + x - 1], now[y * W + x + 1]),
                             __dadd_rn(now[(y - 1) * W + x], now[(y + 1) * W + x]));
        c = __dadd_rn(c, __dmul_rn(0.2, __dadd_rn(s, __dmul_rn(-4, c))));
    }
    then[y * W + x] = c;
}

__global__ void inside_circle(unsigned long long *hits, int each) {
    uint32_t state = (blockIdx.x * blockDim.x + threadIdx.x) * 7919u + 1;
    int n = 0;
    for (int i = 0; i < each; i++) {
        float x = next_random(state) * (1.0f / 4294967296.0f),
              y = next_random(state) * (1.0f / 4294967296.0f);
        n += __fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)) < 1;
    }
    n = __reduce_add_sync(~0u, n);
    if (threadIdx.x % 32 == 0) atomicAdd(hits, (unsigned long long)n);
}

__device__ float normal(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
__global__ void options(const float *price, const float *strike, const float *years, float *call, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.3f * sqrtf(years[i]), d = (logf(price[i] / strike[i]) + (0.02f + 0.045f) * years[i]) / s;
    call[i] = price[i] * normal(d) - strike[i] * expf(-0.02f * years[i]) * normal(d - s);
}

int main() {
    Array<unsigned char> a(W * H), b(W * H);
    uint32_t state = 12;
    for (size_t i = 0; i < a.n; i++) a[i] = next_random(state) % 3 == 0;
    dim3 blocks((W + 15) / 16, (H + 15) / 16), threads(16, 16);
    for (int i = 0; i < 20; i++) {
        life<<<blocks, threads>>>(a, b);
        life<<<blocks, threads>>>(b, a);
    }
    show("life", a, 8);

    const int n = 300;
    Array<float4> at(n);
    Array<float3> force(n);
    for (int i = 0; i < n; i++) {
        float *p = (float *)&at[i];
        for (int k = 0; k < 4; k++) p[k] = (float)(next_random(state) % 1000) / 100;
    }
    bodies<<<3, 128, 128 * sizeof(float4)>>>(at, force, n);
    CALL(cudaDeviceSynchronize());
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double x = 0, size = 0;
        for (int k = 0; k < n; k++) {
            double dx = (double)at[k].x - at[i].x, dy = (double)at[k].y - at[i].y,
                   dz = (double)at[k].z - at[i].z;
            double term = dx * at[k].w * std::pow(dx * dx + dy * dy + dz * dz + 0.25, -1.5);
            x += term, size += std::fabs(term);
        }
        worst = std::fmax(worst, std::fabs(x - force[i].x) / size);
    }
    printf("bodies: %s\n", worst < 1e-5 ? "right" : "WRONG");

    Array<double> u(W * H), v(W * H);
    for (size_t i = 0; i < u.n; i++) u[i] = next_random(state) % 100;
    for (int i = 0; i < 10; i++) {
        heat<<<dim3(3, 6), dim3(32, 8)>>>(u, v);
        heat<<<dim3(3, 6), dim3(32, 8)>>>(v, u);
    }
    show("heat", u);
    Array<unsigned long long> hits(1);
    inside_circle<<<16, 128>>>(hits, 200);
    CALL(cudaDeviceSynchronize());
    printf("inside: %llu of %d\n", hits[0], 16 * 128 * 200);

    Array<float> price(1000), strike(1000), years(1000), call(1000);
    for (int i = 0; i < 1000; i++) {
        price[i] = 5 + next_random(state) % 25, strike[i] = 1 + next_random(state) % 100;
        years[i] = 0.25f + (float)(next_random(state) % 40) / 4;
    }
    options<<<8, 128>>>(price, strike, years, call, 1000);
    CALL(cudaDeviceSynchronize());
    worst = 0;
    for (int i = 0; i < 1000; i++) {
        double s = 0.3 * std::sqrt((double)years[i]),
               d = (std::log((double)price[i] / strike[i]) + 0.065 * years[i]) / s;
        auto cdf = [](double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); };
        double right = price[i] * cdf(d) - strike[i] * std::exp(-0.02 * years[i]) * cdf(d - s);
        worst = std::fmax(worst, std::fabs(right - call[i]));
    }
    printf("options: %s\n", worst < 1e-4 ? "right" : "WRONG");
    return 0;
}
