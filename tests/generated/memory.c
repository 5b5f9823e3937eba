/* A generated kernel's memory: see memory.h. */
#include "tests/generated/memory.h"
#include "tests/rows/harness.h"
#include <stdio.h>
#include <string.h>

static const struct part {
    const char *name;
    uint32_t words, each; /* of one thread */
} parts[] = {{"input", IN_WORDS, IN_WORDS},
             {"own memory", MOST_THREADS *OWN_WORDS, OWN_WORDS},
             {"results", MOST_THREADS *OUT_WORDS, OUT_WORDS},
             {"counts", COUNT_WORDS, COUNT_WORDS}};

size_t memory_bytes(int part) { return parts[part].words * sizeof(uint32_t); }

void memory_open(struct memory *m) {
    m->in = harness_alloc(memory_bytes(0));
    m->own = harness_alloc(memory_bytes(1));
    m->out = harness_alloc(memory_bytes(2));
    m->counts = harness_alloc(memory_bytes(3));
}

void memory_close(struct memory *m) {
    harness_free(m->in);
    harness_free(m->own);
    harness_free(m->out);
    harness_free(m->counts);
}

void memory_reset(struct memory *m) {
    for (uint32_t k = 0; k < IN_WORDS; k++) {
        uint32_t v = k * 2654435761u;
        m->in[k] = k % 5 == 0 ? v % 64 : k % 5 == 1 ? v | 0x80000000 : v ^ v >> 13;
    }
    for (uint32_t k = 0; k < MOST_THREADS * OWN_WORDS; k++) m->own[k] = k * 40503u;
    memset(m->out, 0, memory_bytes(2));
    memset(m->counts, 0, memory_bytes(3));
}

struct memory_params memory_params(const struct memory *m, const struct program *p) {
    return (struct memory_params){m->in, m->own, m->out, m->counts, {p->q[0], p->q[1]}};
}

bool memory_differs(const struct memory *a, const struct memory *b, char *why, size_t size) {
    const uint32_t *const x[] = {a->in, a->own, a->out, a->counts}, *const y[] = {b->in, b->own, b->out,
                                                                                  b->counts};
    for (int part = 3; part >= 0; part--)
        for (uint32_t k = 0; k < parts[part].words; k++) {
            if (x[part][k] == y[part][k]) continue;
            snprintf(why, size, "%s, thread %u, word %u: reference 0x%x, other 0x%x", parts[part].name,
                     k / parts[part].each, k % parts[part].each, x[part][k], y[part][k]);
            return true;
        }
    return false;
}
