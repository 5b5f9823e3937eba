/* What is kept of a value to find blocks that are alike (alike.h), and how instructions change it. */
#ifndef WG_ANALYSIS_ALIKE_VALUE_H
#define WG_ANALYSIS_ALIKE_VALUE_H
#include "analysis/alike.h"

enum wg_alike_kind {
    WG_ALIKE_UNSET, /* nothing has been stored in it yet */
    WG_ALIKE_STEP,  /* rest + step . ctaid, modulo 2^width */
    WG_ALIKE_OTHER  /* it may differ between blocks in other ways, or comes from memory */
};
struct wg_alike_value {
    uint8_t kind;
    bool known;      /* the rest is in lo .. hi in every thread, whenever the instruction executes */
    int64_t step[3]; /* along x, y, z */
    int64_t lo, hi;
    /* One of the two numbers of a least or greatest: which comparison decides it, from 1, and what it is then. */
    uint8_t gate;
    bool side;
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
/* Whether it is a number of that type in all of the launch's blocks. */
bool wg_alike_fits(const struct wg_alike_launch *l, const struct wg_alike_value *v, uint32_t bits,
                   bool is_signed);
struct wg_alike_value wg_alike_operand(const struct wg_ir_opd *o, const struct wg_alike_value *regs,
                                       uint32_t bits);
/* What the instruction stores in its n-th destination. Neither an access to memory nor a comparison. */
struct wg_alike_value wg_alike_result(const struct wg_alike_launch *l, const struct wg_ir_instr *in,
                                      uint32_t n, const struct wg_alike_value *regs);
/* The same of a load of parameters. */
struct wg_alike_value wg_alike_param(const struct wg_alike_launch *l, const struct wg_ir_instr *in,
                                     uint32_t n, const struct wg_alike_value *regs);
#endif
