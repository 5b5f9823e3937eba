/* A function's control-flow graph: definitions and uses of registers, liveness, dominators.
 *
 *     struct wg_cfg c = {.func = f};
 *     wg_cfg_liveness(&c);  wg_bits_has(c.live_in[0], r)      read before it is written
 *     wg_cfg_dominators(&c);  wg_dominates(&c, a, b)          every path to b goes through a
 */
#ifndef WG_CFG_CFG_H
#define WG_CFG_CFG_H
#include "cfg/bits.h"
#include "ir/ir.h"

/* Each of the three functions fills in its part; until then the part is NULL. */
struct wg_cfg {
    struct wg_arena arena;
    const struct wg_ir_func *func;
    wg_bits *live_in, *live_out; /* [block] registers */
    uint32_t *idom;              /* [block] immediate dominator; block 0: itself */
    uint32_t *dom_number;        /* [block] preorder number in the dominator tree... */
    uint32_t *dominated;         /* ...and the number of blocks that follow and are dominated by it */
    uint32_t *ndefs;             /* [register] instructions that write it */
    const struct wg_ir_instr *
        *def;            /* [register] the one instruction that writes it, or NULL: a call, or not one */
    uint32_t *def_block; /* [register] where that is */
};
void wg_cfg_liveness(struct wg_cfg *c);
void wg_cfg_dominators(struct wg_cfg *c);
void wg_cfg_definitions(struct wg_cfg *c);
bool wg_dominates(const struct wg_cfg *c, uint32_t a, uint32_t b);

/* Fills in the blocks' `pred`. */
void wg_flow_preds(struct wg_arena *a, struct wg_ir_block *blocks, uint32_t n);
/* Gives a rewritten function copies of these registers and blocks, and fills in the blocks' `pred`. */
void wg_flow_install(struct wg_arena *a, struct wg_ir_func *f, const struct wg_ir_reg *regs, uint32_t nregs,
                     const struct wg_ir_block *blocks, uint32_t nblocks);
/* Calls fn for each register that an instruction reads (guard and call arguments too) / writes. */
void wg_each_use(const struct wg_ir_instr *in, void (*fn)(void *, uint32_t), void *user);
void wg_each_def(const struct wg_ir_instr *in, void (*fn)(void *, uint32_t), void *user);
/* Whether the register is one of the instruction's destinations; results of a call are not. */
bool wg_writes(const struct wg_ir_instr *in, uint32_t reg);
/* [register] how many instructions of the function write it, and results of calls */
uint32_t *wg_count_defs(struct wg_arena *a, const struct wg_ir_func *f);
/* A set, and whether it has grown; wg_grow adds a register, as a callback for the two above. */
struct wg_growing {
    wg_bits set;
    bool grew;
};
void wg_grow(void *growing, uint32_t r);
/* Whether the block is in the loop with this header, or in a loop nested in it. */
bool wg_in_loop(const struct wg_ir_func *f, uint32_t block, uint32_t header);
/* Whether control at the end of block b goes straight to the kernel's end when it takes successor s. */
bool wg_leads_to_exit(const struct wg_ir_func *f, uint32_t block);
/* Registers that depend on the results of BEGINS instructions, directly or through others (a forward slice);
 * an instruction of part NONE does not propagate. */
enum wg_part { WG_PART_NONE, WG_PART_FOLLOWS, WG_PART_BEGINS };
wg_bits wg_following(struct wg_arena *a, const struct wg_ir_func *f,
                     enum wg_part (*part)(const void *user, const struct wg_ir_instr *in), const void *user);
/* Dead code elimination: removes arithmetic whose result is not read, from the first n blocks. */
void wg_drop_unused(struct wg_arena *a, struct wg_ir_func *f, uint32_t n);
#endif
