/* Idioms: kernels as people write them, each a random one of its kind.
 *
 * An idiom draws a shape, lays out its memory, and puts its statements into the tree of the program, one
 * instruction or a few to a node, so that what fails can be cut down. No two threads touch the same word
 * without a barrier between them, unless the order does not show. Registers are all set at the start; nothing
 * is read from a lane whose value is not there but where the idiom is about just that.
 *
 *     idiom.c            drawing of shapes, the frame around the statements, loops
 *     idiom_words.c      a thread's own words: structures, permutations in place, images, local arrays, rings
 *     idiom_shared.c     the block's words between barriers: permutations, transforms, sorts, scans, tiles
 *     idiom_lanes.c      lanes of full and partial warps: sums, scans, votes, exits, switches, recursion
 *     idiom_grid.c       grids: strides, stencils, histograms, tables, products
 */
#ifndef WG_TESTS_FUZZ_IDIOM_H
#define WG_TESTS_FUZZ_IDIOM_H
#include "tests/generated/draw.h"

enum {
    FUZZ_IN_WORDS = 4096,
    FUZZ_WORDS = 1 << 16, /* of own and of out */
    FUZZ_SHARED = 40 << 10,
    FUZZ_THREADS = 2048, /* of a grid */
};

struct idiom {
    const char *name;
    void (*make)(struct maker *m);
};
extern const struct idiom idioms[];
extern const uint32_t nidioms;
void idiom_make(struct program *p, const struct idiom *i, uint64_t seed);

/* ---- for idioms ---- */

/* Puts a statement. */
#define S(...) statement_put(m, format(m, __VA_ARGS__))
void statement_put(struct maker *m, const char *text);

/* Types that memory holds. */
struct type {
    const char *name; /* "u32" */
    uint8_t bytes;
    char reg; /* v: b32, g: f32, w: b64, k: f64, h: b16 */
};
extern const struct type types[];
enum { TYPE_U32, TYPE_F32, TYPE_U8, TYPE_S8, TYPE_U16, TYPE_S16, TYPE_U64, TYPE_F64, TYPE_F16, NTYPES };

/* One that the program's data are numbers of. */
const struct type *type_any(struct maker *m);

/* A block and a grid: of at most `most` threads a block. */
void shape_any(struct maker *m, uint32_t most);
/* One dimension, a power of two. */
void shape_power(struct maker *m, uint32_t least, uint32_t most);
void shape_set(struct maker *m, uint32_t blocks, uint32_t x, uint32_t y, uint32_t z);
uint32_t threads_of(const struct program *p);
uint32_t total_of(const struct program *p);

/* Registers %v0.. (b32), %g (f32), %w (b64), %k (f64), %h (b16) and predicates %p0-7, as many as are asked
 * for; also %t, %tx, %ty, %tz, %bx, %x (over the whole grid), %lane, %i, %j, %n, %e; %in, %own, %out,
 * %counts, %a, %b, %d; %q0, %q1; %cells, the start of the block's shared memory; %mine, of 256 bytes of local
 * memory. %own and %out are moved by %x times the strides. functions: text before the kernel. */
struct frame {
    uint32_t nv, ng, nw, nk, nh;
    uint32_t own_stride, out_stride; /* bytes; 0: not moved */
    uint32_t shared;                 /* bytes */
    bool local;
    bool by_lane; /* %v begin with other numbers in each lane: where what is known to be the same in all is
                     shuffled, a GPU's assembler leaves out the shuffle, and with it what absent lanes give */
    const char *functions;
};
void frame_put(struct maker *m, const struct frame *f);

/* for (%c = 0; %c < count; %c++) in one of the forms that compilers give it; the register's number is given.
 * count: a register that is at least 1, or a number. Ends with loop_end, which wants what `*saved` was set
 * to. */
uint32_t loop_begin(struct maker *m, const char *count, struct node **saved);
void loop_end(struct maker *m, struct node *saved);
/* if (predicate) ... */
void if_begin(struct maker *m, const char *predicate, struct node **saved);
void if_end(struct maker *m, struct node *saved);

/* A random order of [0, n); with near, one that is not far from it. */
void permutation(struct maker *m, uint8_t *order, uint32_t n, bool near);
/* An operation of two operands on the type's registers: keeps small floats small. */
const char *operation(struct maker *m, const struct type *t);
/* The statements from `from` on in another order. */
void shuffle(struct maker *m, uint32_t from, bool near);
uint32_t either(struct maker *m, const uint32_t *of, uint32_t n);
#define EITHER(...)                                                                                          \
    either(m, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* The files' lists. */
void words_structure(struct maker *m);
void words_permuted(struct maker *m);
void words_network(struct maker *m);
void words_image(struct maker *m);
void words_local(struct maker *m);
void words_ring(struct maker *m);
void words_rows(struct maker *m);
void shared_permuted(struct maker *m);
void shared_butterfly(struct maker *m);
void shared_sort(struct maker *m);
void shared_scan(struct maker *m);
void shared_tile(struct maker *m);
void shared_sum(struct maker *m);
void shared_stencil(struct maker *m);
void shared_product(struct maker *m);
void lanes_sum(struct maker *m);
void lanes_scan(struct maker *m);
void lanes_mixed(struct maker *m);
void lanes_exits(struct maker *m);
void lanes_switch(struct maker *m);
void lanes_recursion(struct maker *m);
void lanes_words(struct maker *m);
void grid_stride(struct maker *m);
void grid_stencil(struct maker *m);
void grid_histogram(struct maker *m);
void grid_table(struct maker *m);
void grid_gather(struct maker *m);
#endif
