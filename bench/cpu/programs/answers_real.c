/* answers_real.c: inputs and right answers of the programs that compute with floats. */
#include "answers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static float *fractions(struct program *p, int which, size_t count) {
    float *to = answer_in(p, which, count * sizeof(float));
    for (size_t i = 0; i < count; i++) to[i] = answer_fraction();
    return to;
}

/* The transpose of a matrix times (the matrix times a vector). */
void answer_atax(struct program *p) {
    const int rows = p->n[0], columns = p->n[1];
    const float *a = fractions(p, 0, (size_t)rows * columns), *x = fractions(p, 1, columns);
    float *out = answer_out(p, columns * sizeof(float));
    double *sums = calloc(columns, sizeof *sums);
    answer_work(p, rows * sizeof(float));
    p->tolerance = 1e-4;
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < columns; j++) sum += (double)a[(size_t)i * columns + j] * x[j];
        for (int j = 0; j < columns; j++) sums[j] += sum * a[(size_t)i * columns + j];
    }
    for (int j = 0; j < columns; j++) out[j] = (float)sums[j];
    free(sums);
}

enum { MODES = 3 };

/* One pixel's three modes, each a weight, a mean and a variance; see background.cu. */
static void learn(float *weight, float *mean, float *variance, float pixel) {
    int match = -1;
    for (int k = 0; k < MODES && match < 0; k++)
        if ((pixel - mean[k]) * (pixel - mean[k]) < 6.25f * variance[k]) match = k;
    float sum = 0;
    for (int k = 0; k < MODES; k++) {
        weight[k] *= 0.95f;
        if (k == match) {
            const float away = pixel - mean[k];
            weight[k] += 0.05f;
            mean[k] += 0.1f * away;
            variance[k] += 0.1f * (away * away - variance[k]);
        }
    }
    if (match < 0) weight[MODES - 1] = 0.05f, mean[MODES - 1] = pixel, variance[MODES - 1] = 400;
    for (int k = 0; k < MODES; k++) sum += weight[k];
    for (int k = 0; k < MODES; k++) weight[k] /= sum;
    for (int last = MODES - 1; last > 0; last--)
        for (int k = 0; k < last; k++)
            if (weight[k] < weight[k + 1]) {
                float *const all[] = {weight, mean, variance};
                for (int i = 0; i < 3; i++) {
                    const float kept = all[i][k];
                    all[i][k] = all[i][k + 1];
                    all[i][k + 1] = kept;
                }
            }
}

/* In 0 is the model, nine pictures of floats one after another; in 1 the frame. The output is the model afterwards. */
void answer_background(struct program *p) {
    const int n = p->n[0] * p->n[1];
    const size_t bytes = (size_t)n * 3 * MODES * sizeof(float);
    float *in = answer_in(p, 0, bytes), *out = answer_out(p, bytes);
    unsigned char *frame = answer_in(p, 1, n);
    p->in_place = true;
    p->tolerance = 1e-4;
    p->strays = 0.001;
    for (int i = 0; i < n; i++) {
        const float first = 0.4f + 0.4f * answer_fraction(),
                    second = (1 - first) * (0.5f + 0.4f * answer_fraction());
        const float weight[] = {first, second, 1 - first - second};
        float m[3][MODES];
        for (int k = 0; k < MODES; k++) {
            in[k * n + i] = m[0][k] = weight[k];
            in[(MODES + k) * n + i] = m[1][k] = (float)answer_random(256);
            in[(2 * MODES + k) * n + i] = m[2][k] = 50 + 350 * answer_fraction();
        }
        frame[i] = (unsigned char)answer_random(256);
        learn(m[0], m[1], m[2], frame[i]);
        for (int k = 0; k < 3 * MODES; k++) out[k * n + i] = m[k / MODES][k % MODES];
    }
}

static double normal(double x) { return 0.5 * erfc(-x / sqrt(2)); }

/* In 0 to 2: price, strike, years. The output: calls, then puts. */
void answer_black_scholes(struct program *p) {
    const int n = p->n[0];
    const double rate = 0.02, volatility = 0.3;
    float *price = answer_in(p, 0, n * sizeof(float)), *strike = answer_in(p, 1, n * sizeof(float));
    float *years = answer_in(p, 2, n * sizeof(float)), *out = answer_out(p, 2 * n * sizeof(float));
    p->tolerance = 1e-3;
    for (int i = 0; i < n; i++) {
        price[i] = 5 + 25 * answer_fraction();
        strike[i] = 1 + 99 * answer_fraction();
        years[i] = 0.25f + 9.75f * answer_fraction();
        const double spread = volatility * sqrt(years[i]), later = strike[i] * exp(-rate * years[i]);
        const double d =
            (log((double)price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / spread;
        out[i] = (float)(price[i] * normal(d) - later * normal(d - spread));
        out[n + i] = (float)(later * normal(spread - d) - price[i] * normal(-d));
    }
}

/* In 0: bodies x, y, z and 0; in 1: stars x, y, z and mass. The output: how each body is pulled, and 0. */
void answer_bodies(struct program *p) {
    const int n = p->n[0], stars = p->n[1];
    const float *at = fractions(p, 0, 4 * n), *star = fractions(p, 1, 4 * stars);
    float *out = answer_out(p, 4 * n * sizeof(float));
    answer_work(p, 4 * stars * sizeof(float));
    p->tolerance = 1e-3;
    for (int i = 0; i < n; i++) {
        double pull[3] = {0};
        for (int j = 0; j < stars; j++) {
            double to[3], square = 0.01;
            for (int k = 0; k < 3; k++) {
                to[k] = (double)star[4 * j + k] - at[4 * i + k];
                square += to[k] * to[k];
            }
            for (int k = 0; k < 3; k++) pull[k] += star[4 * j + 3] * to[k] / (square * sqrt(square));
        }
        for (int k = 0; k < 3; k++) out[4 * i + k] = (float)pull[k];
    }
}

/* A grid whose border is fixed: each step is the mean of a point and its four neighbours. */
void answer_jacobi(struct program *p) {
    const int n = p->n[0];
    const size_t bytes = (size_t)n * n * sizeof(float);
    const float *in = fractions(p, 0, (size_t)n * n);
    float *to = answer_out(p, bytes), *from = malloc(bytes);
    answer_work(p, bytes);
    p->in_place = true;
    p->tolerance = 1e-5;
    memcpy(to, in, bytes);
    for (int step = 0; step < p->n[1]; step++) {
        memcpy(from, to, bytes);
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                const float *c = from + y * n + x;
                to[y * n + x] = 0.2f * (c[0] + c[-1] + c[1] + c[-n] + c[n]);
            }
    }
    free(from);
}

/* Points of eight values one after another, centres likewise. The output: each point's nearest centre. */
void answer_kmeans(struct program *p) {
    const int n = p->n[0], centres = p->n[1];
    const float *point = fractions(p, 0, (size_t)8 * n), *centre = fractions(p, 1, 8 * centres);
    int *out = answer_out(p, n * sizeof(int));
    p->strays = 0.001;
    for (int i = 0; i < n; i++) {
        float nearest = FLT_MAX;
        for (int c = 0; c < centres; c++) {
            float square = 0;
            for (int k = 0; k < 8; k++) {
                const float d = point[8 * i + k] - centre[8 * c + k];
                square += d * d;
            }
            if (square >= nearest) continue;
            nearest = square;
            out[i] = c;
        }
    }
}

void answer_layer_norm(struct program *p) {
    const int columns = p->n[1];
    const float *in = fractions(p, 0, (size_t)p->n[0] * columns);
    float *out = answer_out(p, (size_t)p->n[0] * columns * sizeof(float));
    p->tolerance = 1e-4;
    for (int row = 0; row < p->n[0]; row++) {
        const float *x = in + (size_t)row * columns;
        double sum = 0, squares = 0;
        for (int j = 0; j < columns; j++) sum += x[j];
        for (int j = 0; j < columns; j++) squares += pow(x[j] - sum / columns, 2);
        for (int j = 0; j < columns; j++)
            out[(size_t)row * columns + j] = (float)((x[j] - sum / columns) / sqrt(squares / columns + 1e-5));
    }
}

/* In place, without exchanging rows: the diagonal outweighs the rest. One matrix after another. */
void answer_lu(struct program *p) {
    const int n = p->n[0];
    const size_t count = (size_t)n * n * p->n[1];
    float *in = answer_in(p, 0, count * sizeof(float)), *out = answer_out(p, count * sizeof(float));
    p->in_place = true;
    p->tolerance = 1e-3;
    for (size_t i = 0; i < count; i++) in[i] = answer_fraction() + (i % (n * n) % (n + 1) ? 0 : (float)n);
    memcpy(out, in, count * sizeof(float));
    for (float *a = out; a < out + count; a += n * n)
        for (int k = 0; k < n; k++)
            for (int i = k + 1; i < n; i++) {
                a[i * n + k] /= a[k * n + k];
                for (int j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
}

void answer_product(struct program *p) {
    const int n = p->n[0], inner = p->n[1];
    const float *a = fractions(p, 0, (size_t)n * inner), *b = fractions(p, 1, (size_t)inner * n);
    float *out = answer_out(p, (size_t)n * n * sizeof(float));
    p->tolerance = 1e-4;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < inner; k++)
            for (int j = 0; j < n; j++) out[i * n + j] += a[i * inner + k] * b[k * n + j];
}

void answer_softmax(struct program *p) {
    const int columns = p->n[1];
    const float *in = fractions(p, 0, (size_t)p->n[0] * columns);
    float *out = answer_out(p, (size_t)p->n[0] * columns * sizeof(float));
    p->tolerance = 1e-6;
    for (int row = 0; row < p->n[0]; row++) {
        const float *x = in + (size_t)row * columns;
        double sum = 0, most = x[0];
        for (int j = 0; j < columns; j++) most = fmax(most, x[j]);
        for (int j = 0; j < columns; j++) sum += exp(x[j] - most);
        for (int j = 0; j < columns; j++) out[(size_t)row * columns + j] = (float)(exp(x[j] - most) / sum);
    }
}

/* In 0 to 3: where each row begins, its columns, its values, the vector. */
void answer_sparse(struct program *p) {
    const int n = p->n[0], most = p->n[1];
    int *first = answer_in(p, 0, (n + 1) * sizeof(int)),
        *column = answer_in(p, 1, ((size_t)n * most + 1) * sizeof(int));
    float *value = answer_in(p, 2, ((size_t)n * most + 1) * sizeof(float)),
          *out = answer_out(p, n * sizeof(float));
    const float *x = fractions(p, 3, n);
    p->tolerance = 1e-4;
    first[0] = 0;
    for (int i = 0; i < n; i++) {
        first[i + 1] = first[i] + answer_random(most + 1);
        double sum = 0;
        for (int e = first[i]; e < first[i + 1]; e++) {
            column[e] = answer_random(n);
            value[e] = answer_fraction();
            sum += (double)value[e] * x[column[e]];
        }
        out[i] = (float)sum;
    }
}
