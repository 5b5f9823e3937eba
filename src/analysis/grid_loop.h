/* Loops that all threads of the grid go through together, a grid's width a turn:
 *
 *     for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
 *
 * Found here; made to run turn by turn in turns.c.
 */
#ifndef WG_ANALYSIS_GRID_LOOP_H
#define WG_ANALYSIS_GRID_LOOP_H
#include "cfg/cfg.h"
#include "warp/warp.h"

struct wg_analysis;

enum { WG_MOST_COUNTERS = 6 };

/* Where an instruction stands. */
struct wg_at {
    uint32_t block, instr;
};

/* A register that grows by the same in each turn: `init` before the loop, `add` at one place in it. */
struct wg_counter {
    uint32_t reg;
    struct wg_at init, add;
};

struct wg_grid_loop {
    uint32_t guard;                /* the block that ends in the question whether there is a first turn */
    uint32_t pre;                  /* a block between that and the loop, or WG_NO_REG */
    uint32_t first, n;             /* the loop's blocks; the last one asks whether there is another turn */
    uint32_t exit;                 /* where all go who have no turn left */
    const struct wg_ir_instr *ask; /* the comparison: a counter, or a sum with one, and a bound */
    bool again_if;                 /* there is another turn if it holds; else if it does not */
    struct wg_counter counter[WG_MOST_COUNTERS];
    uint32_t ncounters;
    bool adds;                        /* by atomics */
    uint32_t ctaid;                   /* a register that %ctaid.x is read to: of wg_may_sweep */
    uint32_t kept;                    /* other registers that go from turn to turn: sums, mostly */
    uint32_t bytes;                   /* of a thread's widest access to global memory */
    wg_bits own;                      /* registers that are written and read within a turn */
    const struct wg_ir_instr **def;   /* [register] the one instruction up to the loop's end that writes it */
    wg_bits once;                     /* registers of which it is the only one at all */
    const struct wg_counter **counts; /* [register] the counter that it is, or NULL */
    bool *in_loop;                    /* [register] written in the loop */
};

/* The loop that `header` begins, if it is one: one way in behind a question that the end of each turn asks
 * again, one way out, and nothing in it that tells in which order the warps of a block run it: loads, stores
 * that nobody else reads before the next barrier, and atomics of integers whose old value nobody wants.
 * alive: what is alive in f, filled in where it is of another function; zeros at first. Its arena is the caller's
 * to free. */
bool wg_find_grid_loop(struct wg_arena *a, const struct wg_ir_func *f, uint32_t header, struct wg_cfg *alive,
                       struct wg_grid_loop *l);

/* Whether each turn may begin with all that is before the loop anew: nothing is done there but arithmetic,
 * nothing goes from turn to turn, and the kernel has no memory of a block's or thread's own. */
bool wg_may_sweep(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_ir_func *f,
                  struct wg_grid_loop *l);

/* Whether the question, where it leads to another turn, asks for less than a bound; and the comparison that
 * does, of one that does or asks for the opposite. */
bool wg_asks_below(const struct wg_grid_loop *l);
uint8_t wg_as_below(uint8_t cmp);

/* Sums, products, shifts and conversions of integers. */
bool wg_is_index_arithmetic(const struct wg_ir_instr *in);
/* Whether the grid's size went into the operand; def: [register] the one instruction that writes it. */
bool wg_is_of_grid(const struct wg_ir_instr *const *def, const struct wg_ir_opd *o);
#endif
