/* black_scholes.c: the formula, options shared out. */
#include "plain.h"

#include <math.h>

static float normal(float d) {
    const float k = 1 / (1 + 0.2316419f * fabsf(d));
    const float poly =
        0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)));
    const float tail = 0.39894228f * expf(-0.5f * d * d) * k * poly;
    return d > 0 ? 1 - tail : tail;
}

void plain_black_scholes(struct program *p) {
    const int n = p->n[0];
    const float *price = p->in[0], *strike = p->in[1], *years = p->in[2], rate = 0.02f, volatility = 0.3f;
    float *call = p->out, *put = call + n;
    for (int round = 0; round < p->n[1]; round++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            const float spread = volatility * sqrtf(years[i]), later = strike[i] * expf(-rate * years[i]);
            const float d =
                (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread;
            const float above = normal(d), below = normal(d - spread);
            call[i] = price[i] * above - later * below;
            put[i] = later * (1 - below) - price[i] * (1 - above);
        }
    }
}
