/* sobel.c: the rows above and below are found once for each row, and the first and last pixels apart. */
#include "plain.h"

#include <stdlib.h>

static unsigned char edge(const unsigned char *a, const unsigned char *b, const unsigned char *c, int l,
                          int x, int r) {
    const int across = a[r] + 2 * b[r] + c[r] - a[l] - 2 * b[l] - c[l];
    const int down = c[l] + 2 * c[x] + c[r] - a[l] - 2 * a[x] - a[r], sum = abs(across) + abs(down);
    return (unsigned char)(sum < 255 ? sum : 255);
}

void plain_sobel(struct program *p) {
    const int w = p->n[0], h = p->n[1];
    const unsigned char *in = p->in[0];
#pragma omp parallel for
    for (int y = 0; y < h; y++) {
        const unsigned char *a = in + (y ? y - 1 : 0) * w, *b = in + y * w,
                            *c = in + (y < h - 1 ? y + 1 : y) * w;
        unsigned char *restrict to = (unsigned char *)p->out + y * w;
        for (int x = 1; x < w - 1; x++) to[x] = edge(a, b, c, x - 1, x, x + 1);
        to[0] = edge(a, b, c, 0, 0, w > 1);
        to[w - 1] = edge(a, b, c, w > 1 ? w - 2 : 0, w - 1, w - 1);
    }
}
