/* Random programs that mean the same on every correct machine.
 *
 * The kernel `made` takes u64 in (read only, 4096 words), u64 own (OWN_WORDS a thread), u64 out (OUT_WORDS a
 * thread), u64 counts (64 words, added to atomically) and u32 q0, q1. No two threads touch the same word
 * without a barrier between them, except by additions that nobody looks at before the end; lanes meet only
 * under masks that hold exactly the lanes that come; a NaN becomes the same bits before anything but
 * arithmetic sees it.
 */
#ifndef WG_TESTS_GENERATED_GENERATE_H
#define WG_TESTS_GENERATED_GENERATE_H
#include "tests/generated/tree.h"
#include <stdbool.h>

enum {
    OWN_WORDS = 16,
    OUT_WORDS = 32,
    IN_WORDS = 4096,
    COUNT_WORDS = 64,
    MAX_FUNCTIONS = 4,
    MAX_THREADS = 1024,
    ANY_SIZE_FROM = 3000000 /* seed: blocks of every size, and what lanes give that are not there */
};

/* A GPU has its own last bits where PTX leaves them open; recursion that is checked runs in the reference. */
enum purpose { FOR_A_GPU, FOR_GENERATED_CODE, FOR_CHECKS };

/* What memory holds at the start: numbers that arithmetic of the type leaves numbers. */
enum data { DATA_INTEGERS, DATA_FLOATS, DATA_DOUBLES, DATA_HALVES };

struct register_set {
    const char *reg, *text;
};

struct program {
    struct wg_arena arena;
    uint64_t seed;
    const char *kind;  /* of which idiom; NULL: of none */
    const char *entry; /* the kernel's name; NULL: made */
    bool open;         /* PTX leaves its results open: a GPU may have others */
    bool exact;        /* nothing whose last bits PTX leaves open */
    bool flat;         /* no function that calls itself, nor one that may, through a pointer */
    uint32_t grid[3], block[3];
    uint32_t q[2];
    enum data data;
    /* What is before and behind the kernel's statements; NULL: as said above. Between head and statements
     * stand those of `sets` whose registers are wanted by what comes after them. */
    const char *head, *tail;
    const struct register_set *sets;
    uint32_t nsets;
    bool in_place_of_cut;
    struct node *kernel; /* the kernel's statements */
    struct node *function[MAX_FUNCTIONS];
    uint32_t nfunctions, recursive;                      /* bit k: function k calls itself */
    void (*edit)(struct wg_strbuf *text, uint64_t seed); /* of what is printed; NULL: as it is */
};
void program_make(struct program *p, uint64_t seed, uint32_t size, enum purpose purpose);
void program_print(const struct program *p, struct wg_strbuf *out);
void program_free(struct program *p);
#endif
