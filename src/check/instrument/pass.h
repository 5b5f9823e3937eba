/* A pass of instrumentation: its hooks, and the copy of a function that they insert instructions into.
 *
 * The hooks are called for every instruction in program order; a hook inserts at the current end of the copy.
 * Blocks are split as ir.h requires: an instruction with F_SYNC begins one, one with F_WAIT ends one.
 */
#ifndef WG_CHECK_PASS_H
#define WG_CHECK_PASS_H
#include "check/instrument/instrument.h"

/* One function being copied. */
struct wg_instrument {
    struct wg_arena *arena;
    const struct wg_ir_module *m;
    const struct wg_ir_func *from; /* the original function */
    uint32_t func;
    uint32_t checks;
    bool tell_all;
    const struct wg_quiet_pairs **pairs;
    struct wg_check_site *sites;
    uint32_t *nids;                    /* the next free number */
    WG_VEC(struct wg_ir_reg) regs;     /* the function's own keep their numbers */
    WG_VEC(struct wg_ir_instr) instrs; /* of the block under construction */
    WG_VEC(struct wg_ir_block) blocks;
    const struct wg_ir_block *block; /* being copied */
    uint32_t *begins;                /* [block of `from`] its first in the copy */
    const uint32_t *variable;        /* [register of `from`] see variable.h */
    const uint64_t *roots;           /* [register of `from`] see roots.h */
    const struct wg_ir_instr *asked; /* the last access with a CHECK_ACCESS before it */
    bool clusters;                   /* private to access.c */
    void *shadow;                    /* private to shadow.c */
    const bool *passes;              /* shadow_calls.c's own, by function */
    const struct wg_ir_call *call;   /* replaces the call being copied; NULL: it is kept */
    bool careful;              /* something is undefined from the start: no register may count as shadow */
    const uint8_t *spinning;   /* by function, see spin.h; NULL: none */
    void *spins;               /* private to spin.c */
    const bool *barrier_ahead; /* barrier.c's own, as is the next */
    struct wg_ir_opd members;
};

/* Any of the hooks may be NULL. */
struct wg_instrument_pass {
    uint32_t checks;                        /* runs when one of these is asked for */
    void (*begin)(struct wg_instrument *x); /* a function */
    void (*before)(struct wg_instrument *x, const struct wg_ir_instr *in);
    void (*after)(struct wg_instrument *x, const struct wg_ir_instr *in);
    void (*end)(struct wg_instrument *x, const struct wg_ir_block *b); /* before the terminator */
    void (*finish)(struct wg_instrument *x, struct wg_ir_func *to);    /* the copy is complete */
};

/* Appends an instruction, whose operands are copied. */
void wg_instrument_put(struct wg_instrument *x, struct wg_ir_instr in);
uint32_t wg_instrument_reg(struct wg_instrument *x, enum wg_width w, const char *name);
/* A shadow register: all ones as long as nothing is undefined. */
uint32_t wg_instrument_shadow(struct wg_instrument *x, enum wg_width w, const char *name);
/* An instruction of the row with id, place and guard of `like`, and no operands. */
struct wg_ir_instr wg_instrument_like(const struct wg_ir_instr *like, enum wg_op op, enum wg_type t);
/* Whether the instruction reads or writes memory: loads, stores and atomics, but not of parameters by name.
 */
bool wg_instrument_is_access(const struct wg_instrument *x, const struct wg_ir_instr *in);

/* ---- for instrument.c ---- */

/* Completes the block under construction: `like` says how it ends. */
void wg_instrument_end_block(struct wg_instrument *x, struct wg_ir_block like);
/* Splits the block here: the following instructions go into a block of their own. */
void wg_instrument_split(struct wg_instrument *x);
/* The copy is complete: successors, loops and predecessors by the copy's numbers. */
void wg_instrument_renumber(const struct wg_instrument *x, struct wg_ir_func *f);
#endif
