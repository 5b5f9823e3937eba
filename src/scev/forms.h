/* Affine forms: the addresses that a kernel accesses, for one launch, as linear combinations of variables.
 *
 *     mad.lo.s32 %r1, %ctaid.x, %ntid.x, %tid.x           tid.x + 256 ctaid.x
 *     setp.ge.s32 %p1, %r1, %n;  @%p1 bra done            after it: tid.x + 256 ctaid.x <= n - 1
 *     mul.wide.s32 %rd2, %r1, 4;  add.s64 %rd3, %rd1, %rd2
 *     st.global.f32 [%rd3+8], %f1                         out + 8 + 4 tid.x + 1024 ctaid.x
 *
 * They are computed from the IR as it was read, when the launch's shape and parameters are known, so that the
 * coefficients are constants; nothing of the machine is needed. A form is exact, or there is none (`known` is
 * false): where 32 bits are extended, the sum has been proven not to overflow.
 *
 * Variables (wg_form_var) with their ranges, lo..hi:
 *     of the thread    tid.x, tid.y, tid.z, ctaid.x, ctaid.y, ctaid.z; where code splits one (tid.x /
 *                      16, tid.x & 15, %laneid) all forms have its digits instead: (axis / unit) % size
 *     WG_VAR_COUNT     how often a loop's update of register `reg` has run since the loop was entered: all
 *                      reads in one iteration before the update have the same count
 *     WG_VAR_ANY       an unknown value, or a part of it, that a register got
 *
 * So the form of an access says, for each thread, the addresses that it may have there. The iteration of a
 * loop is independent for each access: the same WG_VAR_COUNT in two accesses stands for two numbers, unless
 * the caller knows better (check/prove/apart.h). Guards (bounds that branches which dominate the access have
 * tested) only make the set smaller.
 *
 *     struct wg_form_facts *k = wg_form_facts_new(m, f);       once for a kernel
 *     struct wg_forms *x = wg_forms_new(k, &launch);           for each launch
 *
 *     forms.c          kernels, launches, the list of accesses
 *     form_sum.c       sums of variables, and their ranges
 *     form_value.c     forms of an instruction's results
 *     form_loop.c      induction variables
 *     form_join.c      registers that branches write
 *     form_guard.c     conditions of dominating branches
 */
#ifndef WG_SCEV_FORMS_H
#define WG_SCEV_FORMS_H
#include "ir/ir.h"

enum { WG_FORM_TERMS = 12, WG_FORM_VARS = 256, WG_FORM_CUTS = 8 };

enum wg_form_var_kind {
    WG_VAR_TID_X,
    WG_VAR_TID_Y,
    WG_VAR_TID_Z,
    WG_VAR_CTAID_X,
    WG_VAR_CTAID_Y,
    WG_VAR_CTAID_Z,
    WG_VAR_AXES,
    WG_VAR_COUNT = WG_VAR_AXES,
    WG_VAR_ANY,
    /* Only where no launch is known (scev.h): what a register is when a loop is entered that counts on from
     * there, a grid's size, a parameter, a variable's address, a register, and the product of two
     * variables. */
    WG_VAR_ENTRY,
    WG_VAR_NCTAID,
    WG_VAR_PARAM,
    WG_VAR_SYMBOL,
    WG_VAR_REG,
    WG_VAR_PRODUCT
};
struct wg_form_var {
    uint8_t kind;  /* enum wg_form_var_kind */
    uint32_t unit; /* of an axis: the digit is (axis / unit) % (hi + 1); PARAM: its bits */
    uint32_t
        reg; /* COUNT, ENTRY: the register that the loop updates; ANY, REG: the one that has the value; NCTAID: its
                    * axis; PARAM: its place; SYMBOL: its index; PRODUCT: a variable */
    uint32_t loop; /* COUNT, ENTRY: the header of its loop; PRODUCT: the other variable */
    bool each;     /* COUNT: the update runs in each iteration, so it is the iteration's number */
    int64_t lo, hi;
};

struct wg_form_term {
    int64_t times;
    uint32_t var;
};
enum wg_form_base { WG_BASE_NONE, WG_BASE_SHARED, WG_BASE_PARAM };
struct wg_sum {
    bool known;
    uint8_t base; /* enum wg_form_base: relative to the block's shared memory among generic
                   * addresses, or to the parameters */
    uint8_t nterms;
    int64_t constant;
    struct wg_form_term term[WG_FORM_TERMS]; /* by variable, none with factor 0 */
};

/* A condition that holds at an access: sum <= most, and the variables' bounds that follow from it. */
struct wg_form_bound {
    struct wg_sum sum; /* without constant */
    int64_t most;
    bool implied; /* others say the same */
};
struct wg_form_guards {
    uint32_t nbounds;
    const struct wg_form_bound *bounds;
    const int64_t *lo, *hi; /* [nvars]; variables after these keep their own ranges */
    uint32_t nvars;
    bool never; /* no thread reaches this place */
    bool exact; /* all threads within the bounds reach it */
};

struct wg_form_access {
    const struct wg_ir_instr *instr; /* as it was read */
    uint32_t block, index;           /* its place */
    uint32_t operand;                /* of the instruction: its address */
    uint32_t bytes;
    bool loads, stores; /* both: an atomic */
    uint8_t space; /* GLOBAL (an address), SHARED (an offset in the block's window) or GENERIC (one of these
                    * two, or local: not known) */
    struct wg_sum at; /* not known: it may be anywhere in the space */
    const struct wg_form_guards *guards;
};

/* A kernel: its definitions and dominators. */
struct wg_form_facts;
struct wg_form_facts *wg_form_facts_new(const struct wg_ir_module *m, const struct wg_ir_func *f);
void wg_form_facts_free(struct wg_form_facts *k);

struct wg_form_launch {
    uint32_t ntid[3], nctaid[3];
    const uint8_t *params;   /* scev.h: NULL; so are the symbols, and nctaid are the most that there may be */
    const uint64_t *symbols; /* addresses, by index into module->syms */
    uint32_t dynamic_shared; /* where dynamic shared memory begins in the window */
};
struct wg_forms {
    struct wg_arena arena;
    struct wg_form_access *accesses; /* in the order of blocks */
    uint32_t naccesses;
    struct wg_form_var *vars;
    uint32_t nvars, most_vars;
    bool *
        reads; /* [param_bytes] bytes of the launch's parameters that they follow from; NULL: there is no launch */
};
struct wg_forms *wg_forms_new(const struct wg_form_facts *k, const struct wg_form_launch *l);
void wg_forms_free(struct wg_forms *x);

/* The range of a form under the guards (NULL: none); false: too large to represent. */
bool wg_form_range(const struct wg_forms *x, const struct wg_sum *f, const struct wg_form_guards *g,
                   int64_t *lo, int64_t *hi);
/* "4096 + 4 tid.x + 1024 ctaid.x", for tests and people. */
void wg_form_print(const struct wg_forms *x, const struct wg_sum *f, struct wg_strbuf *out);
#endif
