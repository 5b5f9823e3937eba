/* What is kept of a value to find blocks that are alike (alike.h), and how instructions change it. */
#ifndef WG_ANALYSIS_ALIKE_VALUE_H
#define WG_ANALYSIS_ALIKE_VALUE_H
#include "analysis/alike.h"

enum wg_alike_kind {
    WG_ALIKE_UNSET, /* nothing has been stored in it yet */
    WG_ALIKE_STEP,  /* rest + step . the block's place in the box, modulo 2^width */
    WG_ALIKE_PAIR,  /* the lesser or greater of two, for comparisons */
    WG_ALIKE_OTHER  /* it may differ between blocks in other ways, or comes from memory */
};
struct wg_alike_value {
    uint8_t kind;
    bool known;      /* the rest is in lo .. hi in every thread, whenever the instruction executes */
    int64_t step[3]; /* along x, y, z */
    int64_t lo, hi;
    uint32_t pair; /* of a pair: which one in l->pairs */
};

/* The least and greatest of two numbers along different axes: too many boxes would be needed to say which one it is. But
 * min(x, y) < n is x < n or y < n, and blocks are alike for which both come out alike. */
enum { WG_ALIKE_PAIRS = 8 };
struct wg_alike_pairs {
    uint32_t n;
    bool changed; /* a number in them has, since somebody cleared this */
    const struct wg_ir_instr *of[WG_ALIKE_PAIRS];
    struct wg_alike_value v[WG_ALIKE_PAIRS][2];
};

struct wg_alike_value wg_alike_other(void);
/* Of which nothing is known but that the block's index is not in it. */
struct wg_alike_value wg_alike_same(void);
bool wg_alike_has_step(const struct wg_alike_value *v);
bool wg_alike_equal(const struct wg_alike_value *a, const struct wg_alike_value *b);
/* Of two values one. */
struct wg_alike_value wg_alike_join(const struct wg_alike_value *a, const struct wg_alike_value *b);
/* a - b. */
struct wg_alike_value wg_alike_minus(const struct wg_alike_value *a, const struct wg_alike_value *b);
/* Whether it is a number of that type in all blocks of the box. */
bool wg_alike_fits(const struct wg_alike_launch *l, const struct wg_alike_value *v, uint32_t bits,
                   bool is_signed);
struct wg_alike_value wg_alike_operand(const struct wg_ir_opd *o, const struct wg_alike_value *regs,
                                       uint32_t bits);
/* What the instruction stores in its n-th destination. Neither an access to memory nor a comparison. Where that asks for
 * a cut, l->cut says so, and the value means nothing. */
struct wg_alike_value wg_alike_result(const struct wg_alike_launch *l, const struct wg_ir_instr *in,
                                      uint32_t n, const struct wg_alike_value *regs);
/* The same of a load of parameters. */
struct wg_alike_value wg_alike_param(const struct wg_alike_launch *l, const struct wg_ir_instr *in,
                                     uint32_t n, const struct wg_alike_value *regs);
#endif
