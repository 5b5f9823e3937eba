/* What the generator's files share: the state of one program's making, drawing of lots, single statements. */
#ifndef WG_TESTS_GENERATED_DRAW_H
#define WG_TESTS_GENERATED_DRAW_H
#include "tests/generated/generate.h"

/* Where a statement stands. */
struct place {
    bool kernel;        /* else in a .func: no barriers, no meeting of lanes */
    bool uniform;       /* all threads of the block that have not exited come here, together */
    const char *mask;   /* register (or -1) with the lanes that come here together; NULL: not known */
    bool exits;         /* threads may have exited before: no reading of other lanes' values */
    uint32_t functions; /* callable: [0, functions) */
    uint32_t depth;
};

struct maker {
    struct program *p;
    struct wg_arena *a;
    uint64_t random;
    uint32_t budget;   /* statements left */
    uint32_t serial;   /* for names */
    struct node *into; /* idioms: where the next statement goes (tests/fuzz/idiom.h) */
};

uint32_t draw(struct maker *m, uint32_t below);
bool chance(struct maker *m, uint32_t percent);
const char *format(struct maker *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Registers: %v0-9 u32, %w0-3 u64, %g0-3 f32, %k0-1 f64; %q0-3 the same in all threads of a block. */
enum { NV = 10, NW = 4, NG = 4, NK = 2, NQ = 4 };

/* A source for a 32-bit integer operand: register or immediate. */
const char *any_u32(struct maker *m);
const char *any_v(struct maker *m);
/* Text that sets predicate `p` from data. */
const char *condition(struct maker *m, const char *p);
/* ... from what is the same in all threads of the block. */
const char *uniform_condition(struct maker *m, const char *p);

/* One instruction, or a few that belong together. */
struct node *simple(struct maker *m, const struct place *at);
struct node *memory(struct maker *m, const struct place *at);
/* Lanes of at->mask together. */
struct node *together(struct maker *m, const struct place *at);
/* Through shared memory, with barriers; at->uniform. */
struct node *exchange(struct maker *m, const struct place *at);
struct node *text_node(struct maker *m, const char *text);
#endif
