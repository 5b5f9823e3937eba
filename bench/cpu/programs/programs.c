/* programs.c: the table of programs, their memory, and the comparison; see programs.h. */
#include "answers.h"
#include "../problem.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct entry {
    struct program program;
    void (*answer)(struct program *p);
} entries[] = {
#define P(name, what0, n0, least0, most0, what1, n1, least1, most1)                                          \
    {{#name, {what0, what1}, {n0, n1}, {least0, least1}, {most0, most1}, .tolerance = 0}, answer_##name},
    PROGRAMS(P)
#undef P
};
enum { ENTRIES = sizeof entries / sizeof *entries };

static uint32_t seed = 1;

int answer_random(int range) {
    seed = seed * 1664525u + 1013904223u;
    return (int)(((uint64_t)seed * (uint64_t)range) >> 32);
}

float answer_fraction(void) { return (float)answer_random(1 << 24) / (1 << 24); }

void *answer_in(struct program *p, int which, size_t bytes) {
    void *memory = problem_memory(bytes);
    p->in[which] = memory;
    p->in_bytes[which] = bytes;
    return memory;
}

void *answer_out(struct program *p, size_t bytes) {
    p->out = problem_memory(bytes);
    p->out_bytes = bytes;
    p->expected = memset(problem_memory(bytes), 0, bytes);
    return p->expected;
}

void answer_work(struct program *p, size_t bytes) {
    p->work = problem_memory(bytes);
    p->work_bytes = bytes;
}

static const struct entry *entry_of(const char *name) {
    for (int i = 0; i < ENTRIES; i++)
        if (!strcmp(entries[i].program.name, name)) return &entries[i];
    return NULL;
}

bool program_find(const char *name, struct program *p) {
    const struct entry *entry = entry_of(name);
    if (entry) *p = entry->program;
    return entry != NULL;
}

void program_make(struct program *p) {
    seed = 1;
    entry_of(p->name)->answer(p);
    program_restart(p);
}

void program_restart(struct program *p) {
    if (p->in_place)
        memcpy(p->out, p->in[0], p->out_bytes);
    else
        memset(p->out, 0, p->out_bytes);
}

bool program_is_right(const struct program *p, const char *who) {
    const size_t size = p->tolerance > 0 ? sizeof(float) : 1, count = p->out_bytes / size;
    const float *got = p->out, *want = p->expected;
    const unsigned char *got_bytes = p->out, *want_bytes = p->expected;
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        const bool right =
            p->tolerance > 0 ? fabs((double)got[i] - want[i]) <= p->tolerance * fmax(1, fabs((double)want[i]))
                             : got_bytes[i] == want_bytes[i];
        if (!right && wrong++ == 0) first = i;
    }
    if ((double)wrong <= p->strays * (double)count) return true;
    fprintf(stderr, "%s: %s is wrong in %zu of %zu %s; the first, number %zu, is %g, not %g\n", who, p->name,
            wrong, count, size == 1 ? "bytes" : "values", first,
            size == 1 ? got_bytes[first] : (double)got[first],
            size == 1 ? want_bytes[first] : (double)want[first]);
    return false;
}
