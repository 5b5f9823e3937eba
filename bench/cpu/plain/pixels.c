/* pixels.c: one computation on pixels of eight fields, in the two layouts of array_of_structures. */
#include "plain.h"

struct pixel {
    int red, green, blue;
    int hue, saturation, brightest, darkest, mixed;
};

static inline int larger(int a, int b) { return a > b ? a : b; }
static inline int smaller(int a, int b) { return a < b ? a : b; }

void plain_array_of_structures(const struct problem *p) {
    const int n = p->size[0];
    struct pixel *pixels = p->out;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
        struct pixel *q = &pixels[i];
        const int gray = (q->red + q->green + q->blue) / 3;
        q->hue = gray * 10 / 4;
        q->saturation = gray % 15;
        q->brightest = larger(larger(q->red, q->green), q->blue);
        q->darkest = smaller(smaller(q->red, q->green), q->blue);
        q->mixed = gray * q->hue + q->saturation;
    }
}

/* A function of its own for its restrict parameters: the compilers need them to use vectors. */
static void mix(int first, int past, const int *restrict red, const int *restrict green,
                const int *restrict blue, int *restrict hue, int *restrict saturation,
                int *restrict brightest, int *restrict darkest, int *restrict mixed) {
    for (int i = first; i < past; i++) {
        const int gray = (red[i] + green[i] + blue[i]) / 3;
        hue[i] = gray * 10 / 4;
        saturation[i] = gray % 15;
        brightest[i] = larger(larger(red[i], green[i]), blue[i]);
        darkest[i] = smaller(smaller(red[i], green[i]), blue[i]);
        mixed[i] = gray * hue[i] + saturation[i];
    }
}

void plain_structure_of_arrays(const struct problem *p) {
    enum { STRETCH = 4096 };
    const int n = p->size[0];
    int *f = p->out;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i += STRETCH)
        mix(i, i + STRETCH < n ? i + STRETCH : n, f, f + n, f + 2 * n, f + 3 * n, f + 4 * n, f + 5 * n,
            f + 6 * n, f + 7 * n);
}
