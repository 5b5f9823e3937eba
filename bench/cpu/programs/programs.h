/*
 * programs.h: the problems of twenty programs that a user would write and that no form of the code generator was
 * designed for: sizes, inputs and right answers, for CUDA (NAME.cu) and for plain C (plain/NAME.c) alike.
 *
 * A problem has up to four inputs, one output and memory to work in, all in 2 MiB pages where the system gives
 * them. When `in_place`, the output starts as a copy of input 0, else as zeros.
 */
#ifndef BENCH_PROGRAMS_H
#define BENCH_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

/* Name; and twice: what a size is, its full value, the least and the most that it may be. */
#define PROGRAMS(P)                                                                                          \
    P(align, "tiles of 16 letters", 64, 1, 256, "penalty of a gap", 10, 0, 100)                              \
    P(atax, "rows", 2048, 1, 1 << 14, "columns", 4096, 1, 1 << 14)                                           \
    P(background, "width", 1024, 1, 1 << 14, "height", 512, 1, 1 << 14)                                      \
    P(bfs, "vertices", 1 << 17, 1, 1 << 24, "edges of a vertex", 8, 0, 64)                                   \
    P(black_scholes, "options", 1 << 18, 1, 1 << 26, "rounds", 2, 1, 1000)                                   \
    P(bodies, "bodies", 4096, 1, 1 << 16, "stars", 4096, 1, 1 << 16)                                         \
    P(chacha, "blocks of 64 bytes", 1 << 16, 1, 1 << 22, "double rounds", 10, 1, 100)                        \
    P(floyd, "towns", 512, 1, 1 << 12, "stops", 32, 0, 1 << 12)                                              \
    P(jacobi, "side", 1000, 3, 1 << 13, "steps", 20, 0, 10000)                                               \
    P(kmeans, "points", 1 << 16, 1, 1 << 24, "centres", 16, 1, 256)                                          \
    P(layer_norm, "rows", 1024, 1, 1 << 16, "columns", 2048, 1, 1 << 16)                                     \
    P(life, "width", 2048, 1, 1 << 14, "height", 1024, 1, 1 << 14)                                           \
    P(lu, "side", 256, 1, 1 << 12, "matrices", 1, 1, 100)                                                    \
    P(mandelbrot, "side", 512, 1, 1 << 14, "turns", 200, 1, 1 << 16)                                         \
    P(product, "side", 512, 1, 1 << 12, "inner side", 512, 1, 1 << 12)                                       \
    P(queens, "queens", 12, 4, 16, "of them placed", 4, 1, 4)                                                \
    P(scan, "blocks", 2048, 1, 1 << 20, "values of a block", 512, 1, 1024)                                   \
    P(sobel, "width", 2048, 1, 1 << 14, "height", 1024, 1, 1 << 14)                                          \
    P(softmax, "rows", 1024, 1, 1 << 16, "columns", 2048, 1, 1 << 16)                                        \
    P(sparse, "rows", 50000, 1, 1 << 24, "most values of a row", 32, 0, 1000)

struct program {
    const char *name;
    const char *size_names[2];
    int n[2], least[2], most[2];
    const void *in[4];
    size_t in_bytes[4];
    void *out, *expected, *work;
    size_t out_bytes, work_bytes;
    bool in_place;
    /* 0: the output's bytes are compared; else it is float, and may differ by so much, of the value or of 1. */
    double tolerance;
    /* What share of the values may differ, where rounding decides between two ways. */
    double strays;
};

#ifdef __cplusplus
extern "C" {
#endif

/* By its name, with its full sizes and no memory yet; false when there is none. */
bool program_find(const char *name, struct program *p);
/* Inputs, right answer and memory for the sizes that p has; ends the program when memory is short. */
void program_make(struct program *p);
/* What a launch starts from. */
void program_restart(struct program *p);
/* Says on stderr what is wrong. */
bool program_is_right(const struct program *p, const char *who);

#ifdef __cplusplus
}
#endif

#endif
