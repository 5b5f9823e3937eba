/* Inliner state shared by inline.c and recursion.c: the function under construction. */
#ifndef WG_ANALYSIS_INLINER_H
#define WG_ANALYSIS_INLINER_H
#include "analysis/inline.h"

enum { WG_INLINE_INSTRS = 200000, WG_INLINE_DEPTH = 64 };

/* Marks the numbers of blocks that are of the function under construction, not of the one that is copied. */
#define WG_FINAL (1u << 31)

struct member;
struct site;
struct code {
    WG_VEC(struct wg_ir_instr) v;
};

struct inliner {
    struct wg_arena *arena;
    const struct wg_ir_module *m;
    struct wg_diag *d;
    WG_VEC(struct wg_ir_reg) regs;
    WG_VEC(struct wg_ir_block) blocks;
    uint32_t frame_sym; /* LOCAL symbol at offset 0 */
    uint32_t local_bytes, instrs;
    uint32_t depth;
    bool failed, quiet;
    /* recursion.c */
    uint32_t *cycle; /* [function] the first function of its cycle in the call graph, or
                        WG_NO_REG: it is not recursive */
    bool recurses;   /* from here on */
    bool frames;     /* some of them have variables or parameters in memory */
    uint32_t saved, column, frame_at, frame, saves; /* registers: see there */
    WG_VEC(struct member *) members;
    WG_VEC(struct site *) sites;
};

/* One function's copy under construction. */
struct copy {
    const struct wg_ir_func *f;
    uint32_t reg_base;   /* its register 0 */
    uint32_t local_base; /* its local frame in that of the activation */
    uint32_t frame;      /* its call frame there */
    struct member *in;   /* whose activation that is; NULL: the kernel's */
    bool by_register;
    uint32_t *arg_reg, *ret_reg;   /* by index of args and rets, by_register */
    const struct wg_ir_call *call; /* that names them */
    uint32_t first;                /* block that its block 0 became */
    uint32_t *block;               /* [block] the first block of its copy; calls split it into several */
    uint32_t outer_loop;           /* the loop that contains the call */
};

static inline struct wg_ir_opd wg_inline_opd(uint32_t r) {
    return (struct wg_ir_opd){.kind = WG_O_REG, .index = r};
}
uint32_t wg_inline_reg(struct inliner *x, enum wg_width w, const char *name);
/* A register for an argument or result of that type. */
uint32_t wg_inline_value_reg(struct inliner *x, uint8_t type, const char *name);
void wg_inline_fail(struct inliner *x, const struct wg_ir_instr *in, const char *why);
struct wg_ir_instr wg_inline_instr(uint16_t op, uint8_t type, const struct wg_ir_instr *like);
void wg_inline_put(struct inliner *x, struct code *out, struct wg_ir_instr in);
/* dst = op(a, b); b NONE: it has one source. */
struct wg_ir_instr *wg_inline_put_op(struct inliner *x, struct code *out, struct wg_ir_instr in, uint32_t dst,
                                     struct wg_ir_opd a, struct wg_ir_opd b);
uint32_t wg_inline_end_block(struct inliner *x, struct code *out, struct wg_ir_block blk);
uint32_t *wg_inline_succ(struct inliner *x, uint32_t s);
void wg_inline_function(struct inliner *x, struct copy *c);
/* Where the copied function returns, control goes to block `to`. */
void wg_inline_returns(struct inliner *x, const struct copy *c, uint32_t to);
/* Whether a call's arguments and results can be registers in the callee's copy. */
bool wg_inline_fits_registers(const struct wg_ir_module *m, const struct wg_ir_func *f,
                              const struct wg_ir_call *c);
int wg_inline_find_arg(const struct wg_ir_arg *a, uint32_t n, uint64_t offset, uint32_t bits);
bool wg_inline_same_signature(const struct wg_ir_func *f, const struct wg_ir_call *c);
bool wg_inline_address_taken(const struct wg_ir_module *m, uint32_t func);
/* An operand of the caller's, in the caller's registers. */
struct wg_ir_opd wg_inline_map(struct inliner *x, const struct copy *c, const struct wg_ir_instr *like,
                               struct wg_ir_opd o, struct code *out);
/* The call's arguments in the caller's registers. */
struct wg_ir_opd *wg_inline_map_args(struct inliner *x, const struct copy *caller,
                                     const struct wg_ir_instr *in, struct code *out);
void wg_inline_pass_args(struct inliner *x, const struct copy *callee, const struct wg_ir_instr *at,
                         const struct wg_ir_opd *v, struct code *out);
/* regs: where the results are, by_register. */
void wg_inline_take_results(struct inliner *x, const struct copy *callee, const uint32_t *regs,
                            const struct copy *caller, const struct wg_ir_instr *at, struct code *out);
/* Makes the copy's registers, those of its arguments and results too. */
void wg_inline_registers(struct inliner *x, struct copy *c);
/* The activation's frame reaches up to there. */
void wg_inline_need(struct inliner *x, struct member *in, uint32_t bytes);

/* ---- recursion.c ---- */

/* Finds `cycle`; registers are made if the kernel can reach a recursive function. */
void wg_recursion_begin(struct inliner *x);
void wg_recursion_free(struct inliner *x);
/* Inlines a call of a function of a cycle. */
void wg_recursion_call(struct inliner *x, const struct copy *caller, const struct wg_ir_instr *in,
                       uint32_t func, struct code *out, struct wg_ir_block like);
uint32_t *wg_recursion_frame(struct member *m); /* bytes of its activations */
/* When all is copied: what calls save, and where returns go. */
void wg_recursion_end(struct inliner *x);
/* Removes unreachable blocks and puts the others into priority order. */
void wg_recursion_order(struct inliner *x, struct wg_ir_func *f);
#endif
