/* background.c: a pixel's three modes in arrays of its own, pixels shared out. */
#include "plain.h"

enum { MODES = 3 };

struct mode {
    float weight, mean, variance;
};

static void learn(struct mode *m, float pixel) {
    int match = 0;
    while (match < MODES && (pixel - m[match].mean) * (pixel - m[match].mean) >= 6.25f * m[match].variance)
        match++;
    for (int k = 0; k < MODES; k++) m[k].weight *= 0.95f;
    if (match < MODES) {
        const float away = pixel - m[match].mean;
        m[match].weight += 0.05f;
        m[match].mean += 0.1f * away;
        m[match].variance += 0.1f * (away * away - m[match].variance);
    } else {
        m[MODES - 1] = (struct mode){0.05f, pixel, 400};
    }
    const float sum = m[0].weight + m[1].weight + m[2].weight;
    for (int k = 0; k < MODES; k++) m[k].weight /= sum;
    for (int last = MODES - 1; last > 0; last--)
        for (int k = 0; k < last; k++)
            if (m[k].weight < m[k + 1].weight) {
                const struct mode kept = m[k];
                m[k] = m[k + 1];
                m[k + 1] = kept;
            }
}

void plain_background(struct program *p) {
    const int n = p->n[0] * p->n[1];
    const unsigned char *frame = p->in[1];
    float *model = p->out;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct mode m[MODES];
        for (int k = 0; k < MODES; k++)
            m[k] =
                (struct mode){model[k * n + i], model[(MODES + k) * n + i], model[(2 * MODES + k) * n + i]};
        learn(m, frame[i]);
        for (int k = 0; k < MODES; k++) {
            model[k * n + i] = m[k].weight;
            model[(MODES + k) * n + i] = m[k].mean;
            model[(2 * MODES + k) * n + i] = m[k].variance;
        }
    }
}
