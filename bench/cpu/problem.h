/*
 * problem.h: what the benchmark's kernels compute, apart from how: sizes, inputs, right answers.
 *
 * bench/ stands outside the house and looks at it: the gallery's kernels (run by Warpglass), plain C and
 * OpenCL all solve these problems, in memory of the same kind: 2 MiB pages where the system gives them,
 * touched before any clock runs.
 *
 * A problem has up to two inputs and one output. When `in_place`, the output starts as a copy of input 0.
 *
 *   struct problem p;
 *   if (problem_make("transpose", &p)) { solve(&p, p.out); problem_is_right(&p); problem_free(&p); }
 */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

/* Name, and up to three sizes: the full sizes of the gallery. */
#define PROBLEMS(P)                                                                                          \
    P(vector_add, 1 << 24, 0, 0)                                                                             \
    P(array_of_structures, 1 << 20, 0, 0)                                                                    \
    P(structure_of_arrays, 1 << 20, 0, 0)                                                                    \
    P(transpose, 4096, 4096, 0)                                                                              \
    P(reverse, 1 << 24, 0, 0)                                                                                \
    P(divided_shared, 1 << 20, 0, 0)                                                                         \
    P(reduction, 1 << 22, 0, 0)                                                                              \
    P(product, 1024, 1024, 1024)                                                                             \
    P(mean3, 8000, 8000, 1)                                                                                  \
    P(mean5, 8000, 8000, 2)                                                                                  \
    P(histogram_256, 1 << 24, 256, 0)                                                                        \
    P(histogram_8192, 1 << 24, 8192, 0)                                                                      \
    P(histogram_49152, 1 << 24, 49152, 0)                                                                    \
    P(histogram_131072, 1 << 24, 131072, 0)

/* The gallery's kernel variants: topic (a program, kernels/FOLDER/TOPIC.cu), variant, problem. The histogram
   in clusters takes each cluster size once. */
#define VARIANTS(V)                                                                                          \
    V(vector_add, vector_add, vector_add)                                                                    \
    V(array_of_structures, array_of_structures, array_of_structures)                                         \
    V(array_of_structures, structure_of_arrays, structure_of_arrays)                                         \
    V(transpose, transpose_naive, transpose)                                                                 \
    V(transpose, transpose_shared, transpose)                                                                \
    V(transpose, transpose_padded, transpose)                                                                \
    V(reverse, reverse_global, reverse)                                                                      \
    V(reverse, reverse_static, reverse)                                                                      \
    V(reverse, reverse_dynamic, reverse)                                                                     \
    V(divided_shared, divided_shared, divided_shared)                                                        \
    V(reduction, global_modulo, reduction)                                                                   \
    V(reduction, global_strided, reduction)                                                                  \
    V(reduction, global_sequential, reduction)                                                               \
    V(reduction, shared_interleaved, reduction)                                                              \
    V(reduction, shared_strided, reduction)                                                                  \
    V(reduction, shared_sequential, reduction)                                                               \
    V(matrix_product, product_naive, product)                                                                \
    V(matrix_product, product_tiled16, product)                                                              \
    V(matrix_product, product_tiled32, product)                                                              \
    V(mean_filter, mean3_global, mean3)                                                                      \
    V(mean_filter, mean3_shared, mean3)                                                                      \
    V(mean_filter, mean5_global, mean5)                                                                      \
    V(mean_filter, mean5_shared, mean5)                                                                      \
    V(histogram, histogram_global_256, histogram_256)                                                        \
    V(histogram, histogram_shared_256, histogram_256)                                                        \
    V(histogram, histogram_cluster1_256, histogram_256)                                                      \
    V(histogram, histogram_global_8192, histogram_8192)                                                      \
    V(histogram, histogram_shared_8192, histogram_8192)                                                      \
    V(histogram, histogram_cluster2_8192, histogram_8192)                                                    \
    V(histogram, histogram_global_49152, histogram_49152)                                                    \
    V(histogram, histogram_shared_49152, histogram_49152)                                                    \
    V(histogram, histogram_cluster4_49152, histogram_49152)                                                  \
    V(histogram, histogram_global_131072, histogram_131072)                                                  \
    V(histogram, histogram_cluster8_131072, histogram_131072)

/* Values summed to one by a block of the reduction; also the block of divided_shared. */
enum { BLOCK = 256 };

struct problem {
    const char *name;
    int size[3];
    void *in[2];
    size_t in_bytes[2];
    void *out, *expected;
    size_t out_bytes;
    bool in_place;
};

/* False when there is no such problem; ends the program when memory is short. */
bool problem_make(const char *name, struct problem *p);
void problem_free(struct problem *p);

/* Every element of p->out; says on stderr what is wrong. */
bool problem_is_right(const struct problem *p, const char *who);

/* The state that a solver starts from: zeros, or a copy of the input. */
void problem_restart(struct problem *p);

/* Memory in 2 MiB pages where the system gives them, touched; ends the program when it is short. */
void *problem_memory(size_t bytes);

double now_ms(void);

/* Repeats are cut short when they have taken this long. */
enum { PATIENCE_MS = 4000 };

/* `--repeat N --for MS TOPIC...`; ends the program with status 2 on anything else. */
struct arguments {
    int repeat, for_ms;
    char **topics;
    int topic_count;
};
struct arguments arguments_read(int argc, char **argv);
/* Whether there is to be another launch: as many as --repeat says, and as many as it takes that all together
   have taken what --for says. `since_ms`: how long it has taken with what is not measured. */
bool arguments_again(const struct arguments *arguments, int launches, double all_ms, double since_ms);
bool arguments_want(const struct arguments *arguments, const char *topic);

#endif
