/* Seeds judged in processes of their own, some at a time, so that code that crashes or never ends costs its
 * own seed only: what is not well is made again, cut down as far as it is still so, and kept. */
#ifndef WG_TESTS_GENERATED_APART_H
#define WG_TESTS_GENERATED_APART_H
#include "tests/generated/cut.h"

/* STRANGE: as the reference has it, and not as a GPU does. MOOT: there is nothing to compare, and nothing is
 * wrong with that. */
enum verdict { SAME, MOOT, DIFFERENT, BROKEN, CRASHED, ENDLESS, STRANGE, VERDICTS };
static inline bool is_well(enum verdict v) { return v <= MOOT; }

struct apart {
    /* In the process of their own: `user` is the caller's. open: once, before the first is judged. */
    void (*open)(void *user);
    void (*make)(void *user, uint64_t seed, struct program *p);
    enum verdict (*judge)(void *user, const struct program *p, char *why, size_t size);
    /* Whether one that is not well is to be passed over, because there are enough of its kind. NULL: none is.
     */
    bool (*enough)(void *user, const struct program *p, enum verdict v);
    void *user;
    const char *keep; /* folder */
    uint32_t batch;   /* seeds of a process */
    uint32_t count[VERDICTS];
};
/* Judges a batch of seeds from `from` on, none from `to` on: gives the next one to be judged. */
uint64_t apart_run(struct apart *a, uint64_t from, uint64_t to);
/* Judges seeds in one process up to the first that is not well, of which it says why on standard output:
 * gives how many are. Nothing is cut down or kept. */
uint32_t apart_first(struct apart *a, const uint64_t *seeds, uint32_t n);
/* "3,17,99": gives how many there are, `most` of them at most. */
uint32_t apart_read_seeds(const char *text, uint64_t *seeds, uint32_t most);
#endif
