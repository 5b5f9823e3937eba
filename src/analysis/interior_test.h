/* The test whether a block is inside of all borders: what interior.c and interior_test.c share. */
#ifndef WG_ANALYSIS_INTERIOR_TEST_H
#define WG_ANALYSIS_INTERIOR_TEST_H
#include "cfg/cfg.h"
#include "warp/warp.h"

/* What the one instruction that writes a register is in the interior. */
enum wg_inside {
    WG_INSIDE_SAME,  /* what it is elsewhere */
    WG_INSIDE_MOVE,  /* its value is `opd` */
    WG_INSIDE_LESS,  /* ...opd - other */
    WG_INSIDE_SUM,   /* ...opd + other */
    WG_INSIDE_HOLDS, /* a predicate that is true */
    WG_INSIDE_FAILS  /* ...false */
};
struct wg_inside_value {
    uint8_t is;  /* enum wg_inside */
    bool border; /* a comparison or the like, and no consequence of one */
    struct wg_ir_opd opd, other;
};

/* A value of 32 bits that grows along the threads of a block by constants. */
struct wg_line {
    uint8_t known; /* 0: not asked yet; else 1 + whether it is such a value */
    bool of_block; /* depends on the block's index */
    int64_t by[3]; /* from thread to thread along each axis */
};

struct wg_interior {
    struct wg_arena *a;
    const struct wg_ir_func *f;
    const struct wg_code_opts *o;
    struct wg_cfg cfg;
    struct wg_line *lines;          /* [register] */
    struct wg_inside_value *inside; /* [register] */
    struct wg_ir_opd *first;        /* [register] its value in the block's first thread, in the test */
    struct wg_ir_opd *last;         /* [register] ...in the last one */
    uint8_t *grows;                 /* [register] bits: tested not to wrap as unsigned (1), signed (2) */
    WG_VEC(struct wg_ir_instr) test;
    WG_VEC(struct wg_ir_reg) regs;
    uint32_t holds; /* predicate of all that was tested so far, or WG_NO_REG */
};

/* Whether an operand is such a value, and how it grows. */
bool wg_interior_line(struct wg_interior *x, const struct wg_ir_opd *o, struct wg_line *to);
/* Whether it is one that differs between threads, never falls along them, and depends on the block. */
bool wg_interior_varies(struct wg_interior *x, const struct wg_ir_opd *o);
/* ...the same for all threads of a block. */
bool wg_interior_is_even(struct wg_interior *x, const struct wg_ir_opd *o);
/* Adds to the test: of all threads, `o` cmp `bound`. cmp: lt, le (asked of the last thread), gt, ge (of the first). */
void wg_interior_want(struct wg_interior *x, const struct wg_ir_opd *o, enum wg_mod cmp,
                      const struct wg_ir_opd *bound, enum wg_type type);
/* ...a comparison of the first (last) thread's value less `less` with the bound. */
void wg_interior_want_less(struct wg_interior *x, const struct wg_ir_opd *o, const struct wg_ir_opd *less,
                           enum wg_mod cmp, const struct wg_ir_opd *bound, enum wg_type type);
/* ...a value that is the same for all threads is above the number. */
void wg_interior_want_above(struct wg_interior *x, const struct wg_ir_opd *o, uint32_t than);
#endif
