/* mandelbrot.c: point by point, rows shared out as threads become free. */
#include "plain.h"

static int turns_of(float cx, float cy, int most) {
    float x = 0, y = 0;
    int turn = 0;
    for (; turn < most && x * x + y * y < 4; turn++) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
    }
    return turn;
}

void plain_mandelbrot(struct program *p) {
    const int n = p->n[0];
    int *turns = p->out;
#pragma omp parallel for schedule(dynamic, 4)
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            turns[y * n + x] =
                turns_of(-2 + 3.0f * (float)x / (float)n, -1.5f + 3.0f * (float)y / (float)n, p->n[1]);
}
