/* The copy of a function whose loop is interchanged (interchange.c), and the instructions and blocks that are made for it. */
#ifndef WG_ANALYSIS_LOOP_COPY_H
#define WG_ANALYSIS_LOOP_COPY_H
#include "analysis/grid_loop.h"

/* The copy under construction, with the interchanged loop. */
struct wg_loop_copy {
    bool sweeps;
    struct wg_arena *a;
    const struct wg_ir_func *f;
    const struct wg_code_opts *o;
    struct wg_grid_loop l;
    /* Blocks of the copy: see above; `after`: after the barrier; leave: the end, of an iteration of a
     * sweep. */
    uint32_t again, iteration, after, leave, rest, loop;
    uint32_t *name; /* [register] in the current code */
    uint32_t init[WG_MOST_COUNTERS], done[WG_MOST_COUNTERS], ahead[WG_MOST_COUNTERS];
    bool asked[WG_MOST_COUNTERS]; /* the exit test is about it */
    bool before_loop;             /* last_of is asked for a value before the loop */
    uint32_t extended; /* predicate: what last_of extended has not wrapped round; WG_NO_REG: nothing */
    const struct wg_ir_instr *of; /* whose place in the source new instructions have */
    WG_VEC(struct wg_ir_instr) instrs;
    WG_VEC(struct wg_ir_block) blocks;
    WG_VEC(struct wg_ir_reg) regs;
};

static inline struct wg_ir_opd wg_loop_number(uint64_t x) {
    return (struct wg_ir_opd){.kind = WG_O_IMM, .imm = x};
}
static inline struct wg_ir_opd wg_loop_reg(uint32_t r) {
    return (struct wg_ir_opd){.kind = WG_O_REG, .index = r};
}

/* A new register like another one. */
uint32_t wg_loop_new_like(struct wg_loop_copy *c, uint32_t r);
/* A new instruction at the end, of one result: `to`. */
struct wg_ir_instr *wg_loop_make(struct wg_loop_copy *c, uint16_t op, uint8_t type, uint32_t to, uint8_t nsrc,
                                 struct wg_ir_opd x, struct wg_ir_opd y);
struct wg_ir_opd wg_loop_read(struct wg_loop_copy *c, uint32_t sreg, uint32_t to);
/* A copy with the registers' current names. */
struct wg_ir_instr *wg_loop_copy_instr(struct wg_loop_copy *c, const struct wg_ir_instr *in);
/* The block is complete; it goes to one other, or to be filled in. */
struct wg_ir_block *wg_loop_end_block(struct wg_loop_copy *c, const struct wg_ir_block *like, uint32_t loop,
                                      uint32_t nsucc, uint32_t yes, uint32_t no);
#endif
