/* Internal state of the computation of affine forms. See forms.h. */
#ifndef WG_SCEV_FORM_STATE_H
#define WG_SCEV_FORM_STATE_H
#include "cfg/cfg.h"
#include "scev/forms.h"

typedef __int128 wide;

/* An instruction's place. */
struct form_place {
    uint32_t block, index;
};

struct wg_form_facts {
    struct wg_arena *arena;
    const struct wg_ir_module *module;
    const struct wg_cfg *cfg; /* liveness, dominators */
    wg_bits unset;            /* registers that may be read before they are written */
    uint32_t *first_def;      /* [register + 1] into `defs` */
    struct form_place *defs;
    uint32_t *latch;  /* [header block] of a loop: its one latch, or WG_NO_REG */
    bool regular;     /* reducible: every back edge's target dominates its source */
    bool *sure;       /* [block] every path from its dominator reaches it */
    uint32_t naccess; /* instructions that touch memory */
};

/* An induction variable: entry + (step + by) * count. Or a register that a loop shifts: `var` is its value
 * when an iteration begins, `after` its value after the update. */
struct form_counter {
    bool shifts;
    bool
        enters; /* symbolic: it has other definitions, or none that dominates the loop: `entry` is a variable */
    struct form_place from, update; /* its definitions before and in the loop */
    uint32_t loop, var;
    bool narrow; /* of 64 bits, and each update begins with the sign extension of the lower half */
    struct wg_sum entry;
    int64_t step;
    struct wg_sum by; /* a loop-invariant sum without constant; 0 for a launch */
    struct wg_sum after;
};

enum form_state { FORM_NEW, FORM_OPEN, FORM_DONE };
struct form_reg {
    uint8_t state, counter_state;
    struct wg_sum form; /* of the only definition */
    struct form_counter *counter;
};

/* The remainder of a sum, which is a variable. */
enum { FORM_RESTS = 16 };
struct form_rest {
    struct wg_sum of;
    int64_t by;
    uint32_t var;
};

struct form_maker {
    struct wg_forms *x;
    const struct wg_form_facts *k;
    const struct wg_form_launch *l;
    struct wg_arena *arena;
    struct form_reg **regs;               /* [register] NULL: not computed yet */
    const struct wg_form_guards **guards; /* [block] */
    uint8_t *guards_state;                /* [block] enum form_state */
    int64_t *turns; /* [header block] the most times its back edge is taken; -1: not known yet */
    uint32_t cuts[WG_VAR_AXES][WG_FORM_CUTS]; /* units of an axis's digits, beginning with 1 */
    uint32_t ncuts[WG_VAR_AXES];
    uint32_t digit[WG_VAR_AXES]; /* the variable of the axis's first digit; the others follow */
    struct wg_sum **written;     /* [definition] what it writes, where form_of_definitions has asked */
    struct form_rest rests[FORM_RESTS];
    uint32_t nrests;
    uint32_t depth;
    bool again;    /* there is a new cut: all forms have to be computed again */
    bool symbolic; /* no launch is known: scev.h */
    bool low;      /* forms are exact modulo 2^32, those of 64 bits, too */
    bool lax;      /* numbers are assumed not to overflow their 32 bits */
};

/* ---- form_sum.c ---- */
struct wg_sum form_constant(int64_t c);
struct wg_sum form_unknown(void);
struct wg_sum form_var(uint32_t var, int64_t times);
/* The variable, if there is room for one more. */
bool form_new_var(struct form_maker *m, const struct wg_form_var *v, uint32_t *var);
/* A new variable. */
struct wg_sum form_any(struct form_maker *m, uint32_t reg, int64_t lo, int64_t hi);
/* a * x + b * y; not known if it cannot be represented. */
struct wg_sum form_sum(const struct wg_sum *x, int64_t a, const struct wg_sum *y, int64_t b);
/* The same value modulo 2^bits, with the smallest coefficients. */
void form_reduce(struct wg_sum *f, uint32_t bits);
static inline bool form_is_constant(const struct wg_sum *f) { return f->known && !f->nterms && !f->base; }
/* The range, however large. False: the guards are contradictory: no thread passes. */
bool form_range(const struct wg_forms *x, const struct wg_sum *f, const struct wg_form_guards *g, wide *lo,
                wide *hi);
void form_var_range(const struct wg_forms *x, const struct wg_form_guards *g, uint32_t var, int64_t *lo,
                    int64_t *hi);
/* The multiple of g's terms, all of them, that f contains; 0: it does not. */
int64_t form_holds(const struct wg_sum *f, const struct wg_sum *g);

/* ---- form_value.c ---- */
/* The form of an operand as the instruction at `p` reads it. */
struct wg_sum form_operand(struct form_maker *m, const struct wg_ir_opd *o, struct form_place p);
/* The same, of `bits`, as the number that it is if read as signed or as unsigned; not known if that is not
 * certain. */
struct wg_sum form_number(struct form_maker *m, const struct wg_ir_opd *o, struct form_place p, uint32_t bits,
                          bool is_signed);
/* Adds the multiple of 2^bits that makes it that number under the guards; false: it may be several. */
bool form_fit(struct form_maker *m, struct wg_sum *f, const struct wg_form_guards *g, uint32_t bits,
              bool is_signed);
/* The value that the instruction at `p` writes to the register. */
struct wg_sum form_result(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p,
                          uint32_t reg);
/* Symbolic: the unique variable for this. */
struct wg_sum form_the(struct form_maker *m, struct wg_form_var v);
/* Symbolic: a whole register. */
struct wg_sum form_register(struct form_maker *m, uint32_t reg);
struct wg_sum form_any_bits(struct form_maker *m, uint32_t reg, uint32_t bits, bool is_signed);
const struct wg_ir_instr *form_at(const struct wg_form_facts *k, struct form_place p);
/* The one unguarded definition of a register, or NULL. */
const struct wg_ir_instr *form_definition(const struct wg_form_facts *k, uint32_t reg, struct form_place *at);
/* Whether a dominates b. */
bool form_before(const struct wg_form_facts *k, struct form_place a, struct form_place b);

/* Symbolic: a * b, whose variables' products are variables. */
struct wg_sum form_product(struct form_maker *m, const struct wg_sum *a, const struct wg_sum *b);

/* ---- forms.c ---- */
void form_read_graph(struct wg_form_facts *k, const struct wg_ir_module *m, const struct wg_cfg *c);
/* Discards everything computed for registers, blocks and loops. */
void form_begin(struct form_maker *m);
struct form_reg *form_reg_of(struct form_maker *m, uint32_t reg);

/* ---- form_parts.c ---- */
struct wg_sum form_divided(struct form_maker *m, const struct wg_sum *f, const struct wg_form_guards *g,
                           int64_t by, bool remainder, uint32_t reg);

/* ---- form_loop.c ---- */
/* A register with several definitions, as it is read at `p`. */
struct wg_sum form_of_loop(struct form_maker *m, uint32_t reg, struct form_place p);

/* ---- form_join.c ---- */
/* A register with several definitions that no loop counts, as it is read at `p`: one of those that reach it. */
struct wg_sum form_of_definitions(struct form_maker *m, uint32_t reg, struct form_place p);
/* Whether the register is always what this definition has written, when it is read at `p`. */
bool form_reaches_alone(struct form_maker *m, uint32_t reg, struct form_place def, struct form_place p);

/* ---- form_guard.c ---- */
/* The conditions at a block's entry; never NULL. */
const struct wg_form_guards *form_guards(struct form_maker *m, uint32_t block);
/* The same, with the value of one more predicate. */
const struct wg_form_guards *form_guards_with(struct form_maker *m, uint32_t block, uint32_t pred, bool is);
/* Calls `fn` for each comparison that holds if the predicate is `is`; false: the predicate depends on more.
 */
typedef void form_comparison_fn(void *user, const struct wg_ir_instr *setp, struct form_place at, bool holds);
bool form_each_comparison(const struct wg_form_facts *k, uint32_t pred, bool is, struct form_place at,
                          form_comparison_fn *fn, void *user);
/* A comparison's relation, of its sources or, if `swapped`, of these in the other order; of bits alone, or of
 * signed numbers. */
enum form_relation { FORM_LESS, FORM_NOT_GREATER, FORM_EQUAL, FORM_UNEQUAL, FORM_OTHER };
enum form_relation form_relation(const struct wg_ir_instr *in, bool holds, bool *swapped, bool *is_signed);
/* Whether the edge from `from` to `to` implies a predicate's value; which, and the value. */
bool form_edge(const struct wg_form_facts *k, uint32_t from, uint32_t to, uint32_t *pred, bool *is);
#endif
