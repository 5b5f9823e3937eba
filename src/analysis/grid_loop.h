/* Detection of grid-stride loops: all threads of the grid run them together, a grid's width per iteration.
 *
 *     for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
 *
 * interchange.c interchanges them with the loop over warps.
 */
#ifndef WG_ANALYSIS_GRID_LOOP_H
#define WG_ANALYSIS_GRID_LOOP_H
#include "cfg/cfg.h"
#include "warp/warp.h"

struct wg_analysis;

enum { WG_MOST_COUNTERS = 6 };

/* The position of an instruction. */
struct wg_at {
    uint32_t block, instr;
};

/* An induction variable, with the same step in each iteration: `init` before the loop, `add` once in it. */
struct wg_counter {
    uint32_t reg;
    struct wg_at init, add;
};

struct wg_grid_loop {
    uint32_t guard;                /* the guard block: its branch tests whether there is a first iteration */
    uint32_t pre;                  /* the preheader, a block between guard and loop, or WG_NO_REG */
    uint32_t first, n;             /* the loop's blocks; the last one is the latch, with the exit test */
    uint32_t exit;                 /* the exit block */
    const struct wg_ir_instr *ask; /* the exit test: compares a counter, or a sum with one, and a bound */
    bool again_if;                 /* there is another iteration if it holds; else if it does not */
    struct wg_counter counter[WG_MOST_COUNTERS];
    uint32_t ncounters;
    bool adds;                        /* by atomics */
    uint32_t ctaid;                   /* a register that %ctaid.x is read to: of wg_may_sweep */
    uint32_t kept;                    /* other loop-carried registers: sums, mostly */
    uint32_t bytes;                   /* of a thread's widest access to global memory */
    wg_bits own;                      /* registers local to an iteration: written, then read within it */
    const struct wg_ir_instr **def;   /* [register] the one instruction up to the loop's end that writes it */
    wg_bits once;                     /* registers for which it is the only definition in the function */
    const struct wg_counter **counts; /* [register] the counter that it is, or NULL */
    bool *in_loop;                    /* [register] written in the loop */
};

/* The grid-stride loop with this header, if it is one: one entry, guarded by the test that the latch repeats,
 * one exit, and nothing in it that reveals in which order the warps of a block run it: loads, stores that no
 * other thread reads before the next barrier, and atomics of integers whose old value is unused. alive:
 * liveness of f, filled in where it is of another function; zeros at first. The caller frees its arena. */
bool wg_find_grid_loop(struct wg_arena *a, const struct wg_ir_func *f, uint32_t header, struct wg_cfg *alive,
                       struct wg_grid_loop *l);

/* Whether each iteration may recompute everything before the loop: there is only arithmetic there, nothing is
 * loop-carried, and the kernel has no memory of a block's or thread's own. */
bool wg_may_sweep(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f,
                  struct wg_grid_loop *l);

/* Whether the exit test continues the loop while something is less than a bound; and the less-than comparison
 * that `cmp` is, or is the negation of. */
bool wg_asks_below(const struct wg_grid_loop *l);
uint8_t wg_as_below(uint8_t cmp);

/* Sums, products, shifts and conversions of integers. */
bool wg_is_index_arithmetic(const struct wg_ir_instr *in);
/* Whether the operand depends on the grid's size; def: [register] the one instruction that writes it. */
bool wg_is_of_grid(const struct wg_ir_instr *const *def, const struct wg_ir_opd *o);
#endif
