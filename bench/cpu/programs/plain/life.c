/* life.c: the rows above and below are found once for each row, and the first and last cells apart. */
#include "plain.h"

static unsigned char lives(int around, int alive) { return around == 3 || (around == 2 && alive); }

static void step_row(const unsigned char *a, const unsigned char *b, const unsigned char *c,
                     unsigned char *to, int w) {
    for (int x = 1; x < w - 1; x++) {
        const unsigned char around =
            a[x - 1] + a[x] + a[x + 1] + b[x - 1] + b[x + 1] + c[x - 1] + c[x] + c[x + 1];
        to[x] = (around == 3) | ((around == 2) & b[x]);
    }
    for (int i = 0; i < 2; i++) {
        const int x = i ? w - 1 : 0, l = (x + w - 1) % w, r = (x + 1) % w;
        to[x] = lives(a[l] + a[x] + a[r] + b[l] + b[r] + c[l] + c[x] + c[r], b[x]);
    }
}

void plain_life(struct program *p) {
    const int w = p->n[0], h = p->n[1];
    const unsigned char *in = p->in[0];
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        step_row(in + (y + h - 1) % h * w, in + y * w, in + (y + 1) % h * w, (unsigned char *)p->out + y * w,
                 w);
}
