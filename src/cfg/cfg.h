/* A function's graph of blocks: who writes and reads registers, what is alive where, which blocks dominate which.
 *
 *     struct wg_cfg c = {.func = f};
 *     wg_cfg_liveness(&c);  wg_bits_has(c.live_in[0], r)      read before it is written
 *     wg_cfg_dominators(&c);  wg_dominates(&c, a, b)          whoever is at b has been at a
 */
#ifndef WG_CFG_CFG_H
#define WG_CFG_CFG_H
#include "cfg/bits.h"
#include "ir/ir.h"

/* Each of the three functions fills in its part; until then it is NULL. */
struct wg_cfg {
    struct wg_arena arena;
    const struct wg_ir_func *func;
    wg_bits *live_in, *live_out; /* [block] registers */
    uint32_t *idom;              /* [block] immediate dominator; block 0: itself */
    uint32_t *dom_number;        /* [block] in an order in which... */
    uint32_t *dominated;         /* ...so many follow a block that it dominates */
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
/* Calls fn for each register that an instruction reads (guard and call arguments too) / writes. */
void wg_each_use(const struct wg_ir_instr *in, void (*fn)(void *, uint32_t), void *user);
void wg_each_def(const struct wg_ir_instr *in, void (*fn)(void *, uint32_t), void *user);
/* Whether the register is one of the instruction's destinations; results of a call are not. */
bool wg_writes(const struct wg_ir_instr *in, uint32_t reg);
/* [register] how many instructions of the function write it, and results of calls */
uint32_t *wg_count_defs(struct wg_arena *a, const struct wg_ir_func *f);
/* A set, and whether it grew since; wg_grow adds a register, for the two above. */
struct wg_growing {
    wg_bits set;
    bool grew;
};
void wg_grow(void *growing, uint32_t r);
/* Whether the block is of the loop that begins with `header`, or of one inside of it. */
bool wg_in_loop(const struct wg_ir_func *f, uint32_t block, uint32_t header);
/* Whether control at the end of block b goes straight to the kernel's end when it takes successor s. */
bool wg_leads_to_exit(const struct wg_ir_func *f, uint32_t block);
/* Registers that follow from what BEGINS, directly or through others; an instruction of part NONE hands
 * nothing on. */
enum wg_part { WG_PART_NONE, WG_PART_FOLLOWS, WG_PART_BEGINS };
wg_bits wg_following(struct wg_arena *a, const struct wg_ir_func *f,
                     enum wg_part (*part)(const void *user, const struct wg_ir_instr *in), const void *user);
/* Drops arithmetic whose result nobody reads from the first n blocks. */
void wg_drop_unused(struct wg_arena *a, struct wg_ir_func *f, uint32_t n);
#endif
