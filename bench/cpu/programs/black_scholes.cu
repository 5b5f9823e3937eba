/* black_scholes: prices of European options, several times over. */
#include "launch.h"

__device__ float normal(float d) {
    const float k = 1 / (1 + 0.2316419f * fabsf(d));
    const float tail =
        rsqrtf(6.2831853f) * expf(-0.5f * d * d) *
        (k *
         (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1 - tail : tail;
}

__global__ void prices(const float *price, const float *strike, const float *years, float *call, float *put,
                       int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float rate = 0.02f, volatility = 0.3f;
    const float spread = volatility * sqrtf(years[i]), later = strike[i] * expf(-rate * years[i]);
    const float d =
        (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread;
    const float above = normal(d), below = normal(d - spread);
    call[i] = price[i] * above - later * below;
    put[i] = later * (1 - below) - price[i] * (1 - above);
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "black_scholes", [](const launch::Problem &p) {
        const int n = p.n[0];
        for (int round = 0; round < p.n[1]; round++)
            prices<<<gallery::blocks_for(n, 128), 128>>>(p.input<float>(0), p.input<float>(1),
                                                         p.input<float>(2), p.result<float>(),
                                                         p.result<float>() + n, n);
    });
}
