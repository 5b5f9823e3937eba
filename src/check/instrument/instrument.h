/* Instrumenting: a module's IR becomes the same IR with internal instructions added (ptx/own.def).
 *
 * Stands between ir/ and the back ends: machine/ compiles what this gives in place of the module. Symbols,
 * places in the source and the numbers of instructions are shared with the module, which must live longer.
 *
 *     ld.global.f32 %f1, [%rd4+8]     ->     check.access [%rd4+8]
 *                                            ld.global.f32 %f1, [%rd4+8]       (checked)
 *
 * Each check is a pass of hooks, called for every instruction in the order of the text; what a hook puts goes
 * where the copy stands. Blocks are split as ir.h asks: an instruction with F_SYNC begins one, one with
 * F_WAIT ends one.
 */
#ifndef WG_CHECK_INSTRUMENT_H
#define WG_CHECK_INSTRUMENT_H
#include "ir/ir.h"

/* What the machine knows of an instruction by its number. */
struct wg_check_site {
    const struct wg_ir_instr *instr;   /* as it was read; NULL: no instruction has the number */
    const struct wg_ir_block *end;     /* the block that it is the end of; NULL: an instruction */
    uint32_t func;                     /* where it stands */
    bool passed_by;                    /* see wg_meeting_is_passed_by */
    bool late;                         /* the write of an asynchronous copy, which may come later */
    uint32_t lanes;                    /* whose addresses count */
    const struct wg_ir_instr *part_of; /* this is one of its accesses, taken out of it; NULL: it is itself */
    uint32_t parts; /* copies and products by hardware of its own: the number of the first access taken out of
                       it */
    uint32_t variable; /* the symbol that the address was made from, or WG_NO_REG: not known, or several */
    uint8_t quiet;     /* enum wg_quiet, of what it does to shared memory: quiet.h */
    uint64_t roots;    /* what it touches of global memory: roots.h; 0: nothing */
    bool data;         /* volatile, and no question after a flag: volatile.h */
    bool takes;        /* an exchange that takes a lock: lock.h */
    bool blind;        /* an atomic of which nobody looks at what it found */
    const struct wg_ir_instr *guess; /* the exchange that decides what a plain load is worth: guess.h; NULL */
};

struct wg_quiet_pairs;
struct wg_instrumented {
    struct wg_arena arena;
    const struct wg_ir_module *module; /* instrumented */
    const struct wg_check_site *sites; /* [nids] */
    uint32_t nids;                     /* the module's, and behind them accesses taken out of instructions */
    const struct wg_quiet_pairs **pairs; /* [function] see quiet.h; NULL */
    const uint8_t *spinning; /* by function: threads may be met there that wait by asking memory (enum
                                wg_spin). NULL: in none */
};
/* checks: a bit for each enum wg_check_id (check/finding.h). tell_all: accesses that are proven to race with
 * nothing are told of, too. */
struct wg_instrumented *wg_instrument(const struct wg_ir_module *m, uint32_t checks, bool tell_all);
void wg_instrumented_free(struct wg_instrumented *i);

/* ---- for passes ---- */

/* One function being copied. */
struct wg_instrument {
    struct wg_arena *arena;
    const struct wg_ir_module *m;
    const struct wg_ir_func *from; /* the function as it was read */
    uint32_t func;
    uint32_t checks;
    bool tell_all;
    const struct wg_quiet_pairs **pairs;
    struct wg_check_site *sites;
    uint32_t *nids;                    /* the next free number */
    WG_VEC(struct wg_ir_reg) regs;     /* the function's own keep their numbers */
    WG_VEC(struct wg_ir_instr) instrs; /* of the block in the making */
    WG_VEC(struct wg_ir_block) blocks;
    const struct wg_ir_block *block; /* being copied */
    uint32_t *begins;                /* [block of `from`] its first in the copy */
    const uint32_t *variable;        /* [register of `from`] see variable.h */
    const uint64_t *roots;           /* [register of `from`] see roots.h */
    const struct wg_ir_instr *asked; /* the last access that a CHECK_ACCESS stands before */
    bool clusters;                   /* check/instrument/access.c's own */
    void *shadow;                    /* check/instrument/shadow.c's own */
    const bool *passes;              /* check/instrument/shadow_calls.c's own, by function */
    const struct wg_ir_call *call;   /* what takes the place of the call being copied; NULL: it stays */
    bool careful;              /* something is undefined from the start: no register may count as shadow */
    const uint8_t *spinning;   /* by function, see spin.h; NULL: none */
    void *spins;               /* check/instrument/spin.c's own */
    const bool *barrier_ahead; /* check/instrument/barrier.c's own, as is the next */
    struct wg_ir_opd members;
};

struct wg_instrument_pass {
    uint32_t checks;                        /* runs when one of these is asked for */
    void (*begin)(struct wg_instrument *x); /* a function */
    void (*before)(struct wg_instrument *x, const struct wg_ir_instr *in);
    void (*after)(struct wg_instrument *x, const struct wg_ir_instr *in);
    void (*end)(struct wg_instrument *x, const struct wg_ir_block *b); /* before the terminator */
    void (*finish)(struct wg_instrument *x, struct wg_ir_func *to);    /* the copy is complete */
};
/* Any of the hooks may be NULL. They are called in this order, before and after alike. */
extern const struct wg_instrument_pass wg_access_pass, wg_barrier_pass;

/* Appends an instruction, whose operands are copied. */
void wg_instrument_put(struct wg_instrument *x, struct wg_ir_instr in);
uint32_t wg_instrument_reg(struct wg_instrument *x, enum wg_width w, const char *name);
/* One that is all ones as long as nothing undefined was met. */
uint32_t wg_instrument_shadow(struct wg_instrument *x, enum wg_width w, const char *name);
/* An instruction of the row with id, place and guard of `like`, and no operands. */
struct wg_ir_instr wg_instrument_like(const struct wg_ir_instr *like, enum wg_op op, enum wg_type t);
/* Whether the instruction reads or writes memory: loads, stores and atomics, but not of parameters by name.
 */
bool wg_instrument_is_access(const struct wg_instrument *x, const struct wg_ir_instr *in);
/* An mbarrier, perhaps another block's, is changed by it, and not only asked. */
bool wg_instrument_changes_mbarrier(const struct wg_ir_instr *in);
/* How many accesses have to be taken out of it, because it says itself where, but is no load or store. */
uint32_t wg_instrument_parts(const struct wg_ir_instr *in);
#endif
