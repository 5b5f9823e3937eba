/* chacha.c: sixteen blocks side by side, so that each step is a vector of them; the groups are shared out. */
#include "plain.h"

#include <stdint.h>

enum { SIDE = 16 };

static void mix(uint32_t *to, const uint32_t *from, uint32_t *turned, int by) {
#pragma omp simd
    for (int l = 0; l < SIDE; l++) {
        to[l] += from[l];
        turned[l] ^= to[l];
        turned[l] = turned[l] << by | turned[l] >> (32 - by);
    }
}

static void quarter(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
    mix(a, b, d, 16);
    mix(c, d, b, 12);
    mix(a, b, d, 8);
    mix(c, d, b, 7);
}

static void encipher(const uint32_t *text, const uint32_t *key, uint32_t *out, int first, int count,
                     int rounds) {
    uint32_t x[16][SIDE];
    for (int i = 0; i < 16; i++)
        for (int l = 0; l < SIDE; l++) x[i][l] = key[i] + (i == 12 ? first + l : 0);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 4; i++) quarter(x[i], x[4 + i], x[8 + i], x[12 + i]);
        for (int i = 0; i < 4; i++)
            quarter(x[i], x[4 + (i + 1) % 4], x[8 + (i + 2) % 4], x[12 + (i + 3) % 4]);
    }
    for (int l = 0; l < count; l++)
        for (int i = 0; i < 16; i++) {
            const int at = (first + l) * 16 + i;
            out[at] = text[at] ^ (x[i][l] + key[i] + (i == 12 ? first + l : 0));
        }
}

void plain_chacha(struct program *p) {
    const int n = p->n[0];
#pragma omp parallel for
    for (int first = 0; first < n; first += SIDE)
        encipher(p->in[0], p->in[1], p->out, first, n - first < SIDE ? n - first : SIDE, p->n[1]);
}
