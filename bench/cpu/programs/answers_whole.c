/* answers_whole.c: inputs and right answers of the programs that compute with whole numbers. */
#include "answers.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a > b ? a : b; }
static int within(int i, int count) { return i < 0 ? 0 : smaller(i, count - 1); }

/* Needleman and Wunsch: in 0 says how alike two letters are, the output is the table of scores with its borders. */
void answer_align(struct program *p) {
    const int side = p->n[0] * 16, row = side + 1, penalty = p->n[1];
    int *alike = answer_in(p, 0, (size_t)side * side * sizeof(int));
    int *score = answer_out(p, (size_t)row * row * sizeof(int));
    for (int i = 0; i < side * side; i++) alike[i] = answer_random(21) - 10;
    for (int i = 0; i < row; i++) score[i] = score[i * row] = -i * penalty;
    for (int y = 1; y < row; y++)
        for (int x = 1; x < row; x++)
            score[y * row + x] = larger(score[(y - 1) * row + x - 1] + alike[(y - 1) * side + x - 1],
                                        larger(score[(y - 1) * row + x], score[y * row + x - 1]) - penalty);
}

/* In 0 has where each vertex' edges begin, in 1 where they lead; the output is the distance from vertex 0, or -1. */
void answer_bfs(struct program *p) {
    const int n = p->n[0], degree = p->n[1];
    int *first = answer_in(p, 0, (n + 1) * sizeof(int));
    int *leads = answer_in(p, 1, ((size_t)n * 2 * degree + 1) * sizeof(int));
    int *level = answer_out(p, n * sizeof(int)), *queue = malloc(n * sizeof(int));
    answer_work(p, ((size_t)n * 2 + 2) * sizeof(int));
    first[0] = 0;
    for (int v = 0; v < n; v++) {
        first[v + 1] = first[v] + answer_random(2 * degree + 1);
        for (int e = first[v]; e < first[v + 1]; e++) leads[e] = answer_random(n);
        level[v] = v ? -1 : 0;
    }
    int end = 1;
    queue[0] = 0;
    for (int at = 0; at < end; at++)
        for (int e = first[queue[at]]; e < first[queue[at] + 1]; e++) {
            if (level[leads[e]] >= 0) continue;
            level[leads[e]] = level[queue[at]] + 1;
            queue[end++] = leads[e];
        }
    free(queue);
}

static void quarter(uint32_t *x, int a, int b, int c, int d) {
    static const int turns[] = {16, 12, 8, 7};
    for (int i = 0; i < 4; i++) {
        uint32_t *to = &x[i % 2 ? c : a], *from = &x[i % 2 ? d : b], *turned = &x[i % 2 ? b : d];
        *to += *from;
        *turned = (*turned ^ *to) << turns[i] | (*turned ^ *to) >> (32 - turns[i]);
    }
}

/* In 0 is the text, in 1 the state that it is enciphered with; word 12 counts blocks. */
void answer_chacha(struct program *p) {
    const int n = p->n[0];
    uint32_t *text = answer_in(p, 0, (size_t)n * 64), *key = answer_in(p, 1, 64),
             *out = answer_out(p, (size_t)n * 64);
    for (int i = 0; i < n * 16; i++) text[i] = (uint32_t)answer_random(1 << 30);
    for (int i = 0; i < 16; i++) key[i] = (uint32_t)answer_random(1 << 30);
    for (int block = 0; block < n; block++) {
        uint32_t x[16];
        for (int i = 0; i < 16; i++) x[i] = key[i] + (i == 12 ? (uint32_t)block : 0);
        for (int round = 0; round < p->n[1]; round++) {
            for (int i = 0; i < 4; i++) quarter(x, i, 4 + i, 8 + i, 12 + i);
            for (int i = 0; i < 4; i++) quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
        }
        for (int i = 0; i < 16; i++)
            out[block * 16 + i] = text[block * 16 + i] ^ (x[i] + key[i] + (i == 12 ? (uint32_t)block : 0));
    }
}

/* Floyd and Warshall's ways between all towns, over the first `stops` of them. */
void answer_floyd(struct program *p) {
    const int n = p->n[0], stops = smaller(p->n[1], n);
    const size_t bytes = (size_t)n * n * sizeof(int);
    int *in = answer_in(p, 0, bytes), *way = answer_out(p, bytes);
    for (int i = 0; i < n * n; i++) in[i] = 1 + answer_random(1000);
    p->in_place = true;
    memcpy(way, in, bytes);
    for (int k = 0; k < stops; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                way[i * n + j] = smaller(way[i * n + j], way[i * n + k] + way[k * n + j]);
}

void answer_life(struct program *p) {
    const int w = p->n[0], h = p->n[1];
    unsigned char *in = answer_in(p, 0, (size_t)w * h), *out = answer_out(p, (size_t)w * h);
    for (int i = 0; i < w * h; i++) in[i] = answer_random(3) == 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int alive = 0;
            for (int i = 0; i < 9; i++)
                if (i != 4) alive += in[(y + i / 3 - 1 + h) % h * w + (x + i % 3 - 1 + w) % w];
            out[y * w + x] = alive == 3 || (alive == 2 && in[y * w + x]);
        }
}

/* How many turns each point of the square from -2 - 1.5i takes to leave, or all. */
void answer_mandelbrot(struct program *p) {
    const int n = p->n[0];
    int *out = answer_out(p, (size_t)n * n * sizeof(int));
    p->strays = 0.02;
    for (int i = 0; i < n * n; i++) {
        const float cx = -2 + 3.0f * (float)(i % n) / (float)n, cy = -1.5f + 3.0f * (float)(i / n) / (float)n;
        float x = 0, y = 0;
        int turn = 0;
        for (; turn < p->n[1] && x * x + y * y < 4; turn++) {
            const float next = x * x - y * y + cx;
            y = 2 * x * y + cy;
            x = next;
        }
        out[i] = turn;
    }
}

static uint32_t placed(int n, int row, uint32_t columns, uint32_t left, uint32_t right) {
    if (row == n) return 1;
    uint32_t count = 0;
    for (uint32_t free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        const uint32_t queen = free & -free;
        count += placed(n, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return count;
}

/* One beginning for each way to put the first queens, threatened or not: in 0 has the three masks of threatened
   columns. The output counts the ways to go on. */
void answer_queens(struct program *p) {
    const int n = p->n[0];
    int count = 1;
    for (int row = 0; row < p->n[1]; row++) count *= n;
    uint32_t *begun = answer_in(p, 0, (size_t)count * 3 * sizeof *begun),
             *out = answer_out(p, count * sizeof *out);
    for (int i = 0; i < count; i++) {
        uint32_t columns = 0, left = 0, right = 0;
        for (int row = 0, rest = i; row < p->n[1]; row++, rest /= n) {
            const uint32_t queen = 1u << rest % n;
            const bool threatened = (columns | left | right) & queen;
            columns = threatened ? ~0u : columns | queen;
            left = (left | queen) << 1;
            right = (right | queen) >> 1;
        }
        begun[i * 3] = columns;
        begun[i * 3 + 1] = left;
        begun[i * 3 + 2] = right;
        out[i] = columns == ~0u ? 0 : placed(n, p->n[1], columns, left, right);
    }
}

void answer_scan(struct program *p) {
    const int n = p->n[0] * p->n[1];
    int *in = answer_in(p, 0, n * sizeof(int)), *out = answer_out(p, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        in[i] = answer_random(1000);
        out[i] = in[i] + (i % p->n[1] ? out[i - 1] : 0);
    }
}

void answer_sobel(struct program *p) {
    const int w = p->n[0], h = p->n[1];
    unsigned char *in = answer_in(p, 0, (size_t)w * h), *out = answer_out(p, (size_t)w * h);
    for (int i = 0; i < w * h; i++) in[i] = (unsigned char)answer_random(256);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int across = 0, down = 0;
            for (int d = -1; d <= 1; d++) {
                const int times = d ? 1 : 2;
                across += times * (in[within(y + d, h) * w + within(x + 1, w)] -
                                   in[within(y + d, h) * w + within(x - 1, w)]);
                down += times * (in[within(y + 1, h) * w + within(x + d, w)] -
                                 in[within(y - 1, h) * w + within(x + d, w)]);
            }
            out[y * w + x] = (unsigned char)smaller(abs(across) + abs(down), 255);
        }
}
