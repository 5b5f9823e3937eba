/* bodies.c: stars as four arrays, so that the sums over them are vectors; bodies shared out. */
#include "plain.h"

#include <math.h>

static void pull(const float *me, const float *x, const float *y, const float *z, const float *mass,
                 int stars, float *pulled) {
    float px = 0, py = 0, pz = 0;
#pragma omp simd reduction(+ : px, py, pz)
    for (int j = 0; j < stars; j++) {
        const float dx = x[j] - me[0], dy = y[j] - me[1], dz = z[j] - me[2];
        const float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        const float force = mass[j] * inverse * inverse * inverse;
        px += force * dx;
        py += force * dy;
        pz += force * dz;
    }
    pulled[0] = px;
    pulled[1] = py;
    pulled[2] = pz;
    pulled[3] = 0;
}

void plain_bodies(struct program *p) {
    const int n = p->n[0], stars = p->n[1];
    const float *body = p->in[0], *star = p->in[1];
    float *to = p->out, *arrays = p->work;
    for (int j = 0; j < stars; j++)
        for (int k = 0; k < 4; k++) arrays[k * stars + j] = star[4 * j + k];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        pull(body + 4 * i, arrays, arrays + stars, arrays + 2 * stars, arrays + 3 * stars, stars, to + 4 * i);
}
