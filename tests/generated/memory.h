/* The memory that a generated kernel works on. */
#ifndef WG_TESTS_GENERATED_MEMORY_H
#define WG_TESTS_GENERATED_MEMORY_H
#include "tests/generated/generate.h"

enum { MOST_THREADS = MAX_THREADS * 3 };

struct memory {
    uint32_t *in, *own, *out, *counts;
};
/* As the kernel's parameters lie. */
struct memory_params {
    const uint32_t *in;
    uint32_t *own, *out, *counts;
    uint32_t q[2];
};
void memory_open(struct memory *m);
void memory_close(struct memory *m);
void memory_reset(struct memory *m);
size_t memory_bytes(int part); /* 0: in, 1: own, 2: out, 3: counts */
struct memory_params memory_params(const struct memory *m, const struct program *p);
/* Says the first word that is not the same. */
bool memory_differs(const struct memory *a, const struct memory *b, char *why, size_t size);
#endif
