/* Block vectorization by tracing: a thread block as straight-line vector code, for kernels whose control flow
 * is known at compile time.
 *
 *     part[t] = values[i]; __syncthreads();                        16 vectors of 16 values
 *     if (t < 128) part[t] += part[t + 128]; __syncthreads();      8 additions of two of them
 *     ...
 *     if (t < 1) part[t] += part[t + 1];                           a permutation, an addition
 *
 * Where branches, those of loops among them, depend on the thread index and on numbers alone, everything that a
 * block does is known: which threads run an instruction, and which word each of them loads or stores. The
 * block is then executed symbolically at compile time, all threads in lockstep, and loops as often as they run. A register is a sum of values
 * that are uniform over the block and a constant per thread (WG_TRACE_FORM), or each thread's value is a lane
 * of some vector (WG_TRACE_LANES). So is a word of memory: a store records where the value is, a load finds
 * it there (store-to-load forwarding), and neither emits code. Code is arithmetic, on as many threads as fill
 * a vector; permutations where the operands' lanes do not match; and at the end the stores to global memory.
 * A value that reaches no thread's store emits no code either (dead lanes): in a reduction by shuffles, in
 * which all lanes add and one has the result, that is half of each step.
 *
 * What is not known but usual (`i < n` in all threads, no index wraps around) is tested up front
 * (versioning): if a test fails, the block runs phase by phase (phases.c).
 *
 *     trace.c          control flow, block by block
 *     trace_registers.c  registers and operands
 *     trace_value.c    instructions
 *     trace_words.c    words of memory, loads and stores
 *     trace_addresses.c  loads from addresses that are lanes
 *     trace_flush.c    stores to global memory at the end
 *     trace_lanes.c    lanes of vectors
 *     trace_test.c     the tests up front
 *     trace_sum.c      uniform sums
 *     trace_groups.c   which threads share a vector
 */
#ifndef WG_JIT_TRACE_H
#define WG_JIT_TRACE_H
#include "jit/emit/emit.h"

enum { WG_TRACE_TERMS = 4, WG_TRACE_CHUNK = 16, WG_TRACE_WARPS = 32, WG_TRACE_SOURCES = 4 };
/* Lanes that do not exist, since there is no vector 0. UNUSED: a dead lane, whose value was not computed. */
enum { WG_TRACE_NOWHERE = 0, WG_TRACE_UNUSED = 1 };

/* A linear combination of atoms, uniform over the block. Terms are ordered by the atoms' numbers. */
struct wg_trace_sum {
    uint32_t n;
    struct {
        uint32_t atom;
        int64_t by;
    } term[WG_TRACE_TERMS];
};

enum wg_trace_kind { WG_TRACE_NONE, WG_TRACE_FORM, WG_TRACE_LANES };

/* A register's symbolic value, in all threads. */
struct wg_trace_value {
    enum wg_trace_kind kind;
    bool of_thread;          /* FORM: depends on the thread index */
    struct wg_trace_sum sum; /* FORM: sum + c[thread], or + all where c is NULL */
    int64_t all;
    const int64_t *c;
    const uint32_t *at; /* LANES: [thread] vector * WG_TRACE_CHUNK + lane; WG_TRACE_NOWHERE: none */
    uint32_t zeros;     /* LANES: so many low bits are 0, if the tests up front hold */
    uint32_t narrow;    /* LANES: only so many bits of a wider register; 0: all. Good for stores only */
};

/* A scalar that is computed once per block. */
struct wg_trace_atom {
    LLVMValueRef x;
    uint32_t bits;
    const struct wg_ir_instr *in; /* what computes it, from these */
    struct wg_trace_sum from[3];
    int64_t plus[3];
    uint32_t kind, index; /* enum wg_trace_atom_kind: a parameter's offset, a symbol */
    bool has_most;        /* as a signed number it is at most `most` */
    bool is_most;         /* the tests up front make it equal to `most` */
    int64_t most;
};
enum wg_trace_atom_kind {
    WG_ATOM_INSTR,
    WG_ATOM_PARAM,
    WG_ATOM_SYMBOL,
    WG_ATOM_SHARED,
    WG_ATOM_WIDE,
    WG_ATOM_PRODUCT
};

struct wg_trace_vector {
    LLVMValueRef x; /* <chunk x iN> */
    uint32_t bits;
};

/* The lanes that held a word before the present one. */
struct wg_trace_home {
    uint32_t at;
    const struct wg_trace_home *before;
};

struct wg_trace_word {
    int64_t key; /* its number, from the object's base on */
    uint32_t at;
    bool used, dirty;
    const struct wg_trace_home *home;
    uint32_t write_phase, read_phase; /* the last ones, from 1 on, and the warp that did it */
    uint16_t write_warp, read_warp;   /* or WG_TRACE_WARPS: more than one warp */
};

/* Memory at one base. */
struct wg_trace_object {
    bool shared, closed; /* closed: other stores may have changed it since */
    struct wg_trace_sum base;
    uint32_t bytes, bits; /* of a word */
    int64_t begin, end;   /* bytes from the base on that were touched */
    struct wg_trace_word *word;
    uint32_t n, room; /* a hash table */
    uint32_t ndirty;
    bool is_stored, streams; /* and all its stores may go past the caches */
    WG_VEC(int64_t) reads;   /* words loaded from memory; sorted after the dry run */
};

enum wg_trace_test_kind { WG_TEST_RANGE, WG_TEST_BELOW, WG_TEST_ABOVE, WG_TEST_ALIGNED };
/* a + [lo, hi] does not wrap around; is below, above (or equal to) b + c; a is a multiple of lo. */
struct wg_trace_test {
    enum wg_trace_test_kind kind;
    bool is_signed, or_equal;
    uint32_t bits;
    struct wg_trace_sum a, b;
    int64_t c, lo, hi;
};

/* One executed instruction, in all threads: the lanes of its sources and results, or NULL. */
struct wg_trace_step {
    const uint32_t *src[WG_TRACE_SOURCES], *dst[2];
};

struct wg_trace {
    struct wg_emit *e;
    struct wg_arena *a;
    bool dry, failed; /* dry: a run that emits nothing, to find out whether it works and what it costs */
    uint32_t nthreads, nwarps, chunk;
    LLVMBuilderRef early; /* where scalars are computed, and tests made */
    struct wg_trace_value *reg;
    uint32_t alive[WG_TRACE_WARPS]; /* threads that have not exited */
    uint32_t phase;
    bool goes_back;    /* a loop was met */
    uint32_t executed; /* instructions */
    WG_VEC(struct wg_trace_atom) atoms;
    WG_VEC(struct wg_trace_vector) vectors;
    WG_VEC(struct wg_trace_object) objects;
    WG_VEC(struct wg_trace_test) tests;
    const struct wg_trace *plan;                  /* the previous dry run */
    uint32_t operations, permutations, forwarded; /* forwarded: loads of stored words, per thread */
    uint32_t blends;                              /* of two vectors, whose lanes stay */
    uint32_t shuffled;                            /* threads that received another thread's value */
    uint32_t zeros;                               /* a vector of zeros; 0: there is none yet */
    WG_VEC(struct wg_trace_step) steps;
    WG_VEC(uint32_t) results; /* lanes that are stored to memory */
    bool past;                /* some row of whole cache lines may use non-temporal stores */
    bool in_pieces;           /* what may use non-temporal stores is no row of whole lines */
    bool atomics;             /* were seen: nothing else may access global memory after them... */
    uint32_t adder;           /* ...and floats are added by one warp only: its number + 1 */
    const uint32_t *wanted;   /* [step][warp] threads whose result is used; NULL: not known yet */
};

static inline bool wg_trace_on(const uint32_t *mask, uint32_t thread) {
    return mask[thread / WG_LANES] >> thread % WG_LANES & 1;
}
static inline bool wg_trace_is_lane(uint32_t at) { return at >= WG_TRACE_CHUNK; }
static inline bool wg_trace_is_uniform(const struct wg_trace_value *v) {
    return v->kind == WG_TRACE_FORM && !v->c;
}
static inline int64_t wg_trace_c(const struct wg_trace_value *v, uint32_t thread) {
    return v->c ? v->c[thread] : v->all;
}
static inline LLVMBuilderRef wg_trace_early(struct wg_trace *t) {
    LLVMBuilderRef b = t->e->L.b;
    t->e->L.b = t->early;
    return b;
}

/* trace_value.c: runs an instruction in the threads of the mask */
void wg_trace_instr(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask);

/* trace_registers.c */
struct wg_trace_value wg_trace_constant(int64_t x);
/* An atom's value as a sum of that atom alone; and the atom created last. */
struct wg_trace_value wg_trace_of_atom(struct wg_trace *t, const struct wg_trace_atom *like, bool *is_new);
struct wg_trace_atom *wg_trace_last_atom(struct wg_trace *t);
struct wg_trace_value wg_trace_operand(struct wg_trace *t, const struct wg_ir_opd *o, uint32_t bits);
/* Sets the register in the threads of the mask. */
void wg_trace_set(struct wg_trace *t, uint32_t reg, struct wg_trace_value v, const uint32_t *mask);
/* The atom of a special register that is uniform over the block. */
uint32_t wg_trace_block_field(struct wg_trace *t, uint32_t sreg, uint32_t bits);

/* trace_sum.c */
int64_t wg_trace_cut(int64_t x, uint32_t bits); /* to the width, with its sign */
bool wg_trace_same(const struct wg_trace_sum *a, const struct wg_trace_sum *b);
/* a + b * by; false: too many terms. */
bool wg_trace_add(struct wg_trace_sum *a, const struct wg_trace_sum *b, int64_t by, uint32_t bits);
uint32_t wg_trace_atom(struct wg_trace *t, const struct wg_trace_atom *like, bool *is_new);
struct wg_trace_sum wg_trace_one(uint32_t atom);
LLVMValueRef wg_trace_scalar(struct wg_trace *t, const struct wg_trace_sum *s, int64_t c, uint32_t bits);

/* trace_groups.c */
/* Groups of the mask's threads, one vector each; WG_TRACE_NO_THREAD: an unused lane. */
#define WG_TRACE_NO_THREAD UINT32_MAX
struct wg_trace_group {
    uint32_t thread[WG_TRACE_CHUNK];
};
uint32_t wg_trace_groups(struct wg_trace *t, const uint32_t *mask, struct wg_trace_group **groups);
/* Groups that bring an operation's operands together with few permutations. */
struct wg_trace_operands {
    uint32_t n, bits[WG_TRACE_SOURCES];
    const uint32_t *at[WG_TRACE_SOURCES]; /* [thread], or NULL: not in lanes */
};
uint32_t wg_trace_groups_for(struct wg_trace *t, const uint32_t *mask, const struct wg_trace_operands *o,
                             struct wg_trace_group **groups);

/* trace_lanes.c */
uint32_t wg_trace_vector(struct wg_trace *t, LLVMValueRef x, uint32_t bits);
LLVMValueRef wg_trace_gather(struct wg_trace *t, const uint32_t *at, uint32_t bits);
LLVMValueRef wg_trace_piece(struct wg_trace *t, const struct wg_trace_value *v,
                            const struct wg_trace_group *g, uint32_t bits, bool negated);
struct wg_trace_value wg_trace_to_lanes(struct wg_trace *t, const struct wg_trace_value *v, uint32_t bits,
                                        const uint32_t *mask);
void wg_trace_compute(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *src,
                      const uint32_t *mask);
LLVMValueRef wg_trace_permute(struct wg_trace *t, LLVMValueRef a, LLVMValueRef b, const int *from);
/* x with `lanes` lanes: truncated, or padded with undefined ones. */
LLVMValueRef wg_trace_resized(struct wg_trace *t, LLVMValueRef x, uint32_t lanes);

/* trace_addresses.c */
/* The low bits of an instruction's result in lanes that are known to be 0; may add tests up front. */
uint32_t wg_trace_zeros(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *src);
/* Whether the address is in lanes, and all words that the load may read are aligned. */
bool wg_trace_is_gathered(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *at);
/* The words at a group's addresses. */
LLVMValueRef wg_trace_load_lanes(struct wg_trace *t, const struct wg_ir_instr *in, LLVMValueRef at,
                                 const struct wg_trace_group *g);

/* trace_atomic.c */
void wg_trace_atomic(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask);

/* trace_words.c, trace_flush.c */
int wg_trace_by_number(const void *x, const void *y); /* of numbers, for qsort */
void wg_trace_load(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask);
void wg_trace_store(struct wg_trace *t, const struct wg_ir_instr *in, const uint32_t *mask);
void wg_trace_flush(struct wg_trace *t, struct wg_trace_object *o);

/* trace_test.c */
void wg_trace_expect(struct wg_trace *t, const struct wg_trace_test *x);
/* A comparison's usual results; false: it has none. */
bool wg_trace_guess(struct wg_trace *t, const struct wg_ir_instr *in, const struct wg_trace_value *src,
                    const uint32_t *mask, struct wg_trace_value *result);
/* The value of a 32-bit form, sign- or zero-extended. */
void wg_trace_widen(struct wg_trace *t, struct wg_trace_value *v, bool is_signed, const uint32_t *mask);
LLVMValueRef wg_trace_tests(struct wg_trace *t); /* i1: all hold; NULL: there are none */

/* trace.c */
/* Emits the trace before the first phase, if the kernel is of the kind; the builder is positioned
 * where a block begins. `slow`: the first phase; `end`: where a block has ended. */
bool wg_fn_emit_trace(struct wg_emit *e, LLVMBasicBlockRef slow, LLVMBasicBlockRef end);
#endif
