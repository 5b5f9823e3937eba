/* Divergence analysis of a function: uniform, affine and varying registers, liveness, thread frontiers.
 *
 * The code generator makes two versions of a kernel:
 *   CONVERGED  all live lanes are at the same place. Here a branch never splits the warp (when one would, the
 *              warp switches to the other version), so uniform and affine values need no divergence
 *              argument.
 *   GENERAL    lanes wait at the blocks where they left off (thread frontiers), under masks.
 *
 * Each register has one fact per version. From the strongest:
 *   UNIFORM    one value for all lanes
 *   AFFINE     base + k[lane] + r[lane] * scale: base and scale are run-time scalars, k and r compile-time
 *              constants (the block's shape is known), k[0] == r[0] == 0
 *   VARYING    anything
 *
 *     mov.u32 %r1, %tid.x              AFFINE   base (warp*32) % ntid.x, k = lane        (ntid.x = 256)
 *     mad.lo.s32 %r4, %r2, 256, %r1    AFFINE   k = lane
 *     mul.wide.s32 %rd7, %r4, 4        AFFINE   k = 4*lane, if base + k cannot wrap 31 bits: known from
 *                                               ranges, or in CONVERGED checked at run time (`checks`)
 *     ld.global.u32 %r5, [%rd8]        VARYING
 *
 * Facts of GENERAL hold for the active lanes: a register is VARYING if it is written while other lanes wait
 * in which it is live.
 */
#ifndef WG_ANALYSIS_ANALYSIS_H
#define WG_ANALYSIS_ANALYSIS_H
#include "analysis/spins.h"
#include "cfg/cfg.h"
#include "scev/scev.h"
#include "warp/warp.h"

enum wg_version { WG_CONVERGED, WG_GENERAL, WG_VERSIONS };
enum wg_fact_kind { WG_UNKNOWN, WG_UNIFORM, WG_AFFINE, WG_VARYING };

struct wg_fact {
    uint8_t kind;       /* enum wg_fact_kind */
    uint8_t zeros;      /* the base is a multiple of 2^zeros (UNIFORM: the value) */
    uint8_t root_zeros; /* the value of every lane minus root's is a multiple of 2^root_zeros */
    bool is_const;      /* UNIFORM: the value is `value` */
    uint64_t value;
    uint64_t max;     /* no lane's value exceeds it, as an unsigned number of the register's width */
    uint32_t root;    /* the pointer this address is derived from: a register defined once, or WG_NO_REG */
    const int64_t *k; /* AFFINE: 32 constants, or NULL for zeros */
    const int64_t *r; /* AFFINE: 32 constants, or NULL when there is no scaled term */
};

enum { WG_REGION_BLOCKS = 8 };

/* Blocks between a divergent branch and its reconvergence point (the join), lowest first: region.c. */
struct wg_region {
    uint32_t join, nblocks, block[WG_REGION_BLOCKS];
    bool is_long;
    wg_bits blend[WG_REGION_BLOCKS]; /* registers that keep their value in lanes inactive in the block */
};

/* Parallel regions: how one worker runs the warps of a block that only ever meet at __syncthreads(): phase by
 * phase, each a loop over the warps. phases.c */
struct wg_phases {
    uint32_t *of;    /* [block] the block that its phase begins with */
    wg_bits begins;  /* entry blocks of phases */
    wg_bits parting; /* blocks whose branch may diverge between warps */
    wg_bits asides;  /* those of `begins` whose warps may often switch to GENERAL: it runs their part */
    wg_bits uniform; /* registers that are the same for all warps: one value serves the block */
    wg_bits remade;  /* registers rematerialized: a few operations on uniform ones and the warp's number */
    wg_bits kept;    /* the uniform registers that those operations read */
    const struct wg_ir_instr **made_by; /* [register] the operation that rematerializes it */
    wg_bits *settled; /* as in wg_analysis, where each phase's end saves live registers, except the above */
};

struct wg_analysis {
    struct wg_arena arena;
    const struct wg_ir_module *module;
    const struct wg_ir_func *func;
    const struct wg_code_opts *opts;
    struct wg_cfg cfg;
    struct wg_scev *exact, *low, *unwrapped; /* scalar evolution of registers, by its trust */
    struct wg_fact *facts[WG_VERSIONS];      /* [register] */
    wg_bits *frontier;              /* GENERAL: [block] blocks where lanes may wait while this one runs */
    wg_bits *wanted_at;             /* GENERAL: [register] blocks in which it is live-in; NULL: none */
    wg_bits divergent[WG_VERSIONS]; /* blocks that end in a branch whose condition varies */
    /* passed: GENERAL: blocks where lanes may wait while higher blocks run, because they cannot run yet or
     * have used up their time slice. stays: those of them where lanes may wait while others run the block
     * itself. */
    wg_bits passed, stays;
    wg_bits shared_only; /* registers used only as shared addresses: their low 32 bits are all that
                            matters */
    wg_bits quiet;       /* registers that, read as a float, are never a signalling NaN: quiet.c */
    uint8_t tile_bits;   /* bits of an element of shared memory where storage is narrowed
                          * (tile.c); 0: as written */
    wg_bits spins;       /* headers of loops that observe what other threads do, or let them observe it */
    uint8_t *yields;     /* [block] enum wg_yields of the loop that it is the header of: spins.h */
    wg_bits *settled;    /* CONVERGED: [block] live registers whose spill slot in the warp's frame holds their
                          * value at the block's start: a suspension point need not spill them again */
    struct wg_region *
        *region; /* CONVERGED: [block] the region of its divergent branch, or NULL: switch to GENERAL */
    /* Long regions, which are outlined (wg_code_opts.long_regions): a phase that has such a branch calls that
     * code to run the rest of the warp's part. */
    struct wg_region **aside;
    struct wg_phases *phases; /* NULL: blocks are not run phase by phase */
    /* [block] constant masks: the lanes of each warp whose branch goes to succ[0], where that is known at
     * compile time (known.c), or NULL. Inactive lanes may be in the mask, too. */
    uint32_t **taken;
    /* [register] the same for a predicate: the lanes of each warp in which it holds. Only for varying
     * predicates. */
    uint32_t **holds;
    wg_bits one_by_one; /* blocks of lane loops with nothing behind them: CONVERGED leaves where lanes part */
    bool needs_general; /* some branch diverges, or a check may fail */
    wg_bits full;       /* CONVERGED: blocks in which all 32 lanes are active */
    uint32_t *nuses;    /* [register] operands, guards and conditions that read it */
    struct wg_touch **touch; /* [block][instruction] or NULL: touch.h */
};

/* `f` has no calls but built-in ones (analysis/inline.h). */
struct wg_analysis *wg_analyse(const struct wg_ir_module *m, const struct wg_ir_func *f,
                               const struct wg_code_opts *opts);
void wg_analysis_free(struct wg_analysis *an);

/* Whether widening source `in->src[0]` (cvt to 64 bits, mul.wide, mad.wide) keeps it affine only under a
 * run-time check: CONVERGED emits the check, GENERAL has the result VARYING. */
bool wg_needs_wrap_check(const struct wg_analysis *an, const struct wg_ir_instr *in);
/* Whether div or rem of an affine value by a uniform one is speculated to leave the warp in one row of the
 * divisor: quotient uniform, remainder affine. CONVERGED checks it at run time. */
bool wg_needs_row_check(const struct wg_analysis *an, const struct wg_ir_instr *in);
/* Shadows (struct wg_ir_reg) are all ones in CONVERGED: instructions that compute or test them are for
 * GENERAL alone. Instructions that load one, or take one from another lane, verify it. */
bool wg_is_for_shadows(const struct wg_analysis *an, const struct wg_ir_instr *in);
bool wg_loads_shadows(const struct wg_analysis *an, const struct wg_ir_instr *in);
/* Whether CONVERGED may take a side exit to GENERAL before the instruction: for the first two checks above,
 * where an access may be refused (CHECK_ACCESS), and where something undefined may be loaded, unless that
 * follows such an access: GENERAL checks again then. */
bool wg_may_leave(const struct wg_analysis *an, const struct wg_ir_instr *in);
/* The fact of an operand: immediates and addresses of variables are UNIFORM. */
struct wg_fact wg_operand_fact(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_opd *o);
/* Bits of a load's or store's element in memory: those of its type, except for narrowed storage (tile.c). */
uint32_t wg_element_bits(const struct wg_analysis *an, const struct wg_ir_instr *in);
/* %tid.{x,y,z} (axis 0..2) across the lanes of a warp: the pattern k (32 constants) if the fact is AFFINE or
 * UNIFORM, else NULL. The base is a function of the warp's number (jit/emit/special.c). */
struct wg_fact wg_tid_fact(struct wg_arena *a, const uint32_t ntid[3], uint32_t axis);

/* __syncthreads(). */
bool wg_is_plain_barrier(const struct wg_ir_instr *in);
bool wg_is_grid_barrier(const struct wg_ir_instr *in);
bool wg_meets_at(const struct wg_ir_instr *in); /* either: a barrier of all threads of a block */
/* Whether the form for whole blocks has code for it. Not for what only shadows need; and not for lanes on
 * their way to where there is no barrier: there all threads of the block go. */
bool wg_phase_needs(const struct wg_analysis *an, const struct wg_ir_instr *in);
/* Whether the edge from one block to a successor ends a phase. */
bool wg_phase_ends(const struct wg_phases *p, const struct wg_ir_func *f, uint32_t from, uint32_t to);
/* The registers that are in the warp's frame on entry to the phase that begins with `block`. */
void wg_phase_framed(const struct wg_analysis *an, uint32_t block, wg_bits framed);

/* Shared by lanes.c and transfer.c only. */
struct wg_fact wg_transfer(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_instr *in,
                           uint32_t dst);
static inline struct wg_fact wg_fact_varying(void) {
    return (struct wg_fact){.kind = WG_VARYING, .max = UINT64_MAX, .root = WG_NO_REG};
}
struct wg_fact wg_sreg_fact(const struct wg_analysis *an, const struct wg_ir_instr *in); /* special.c */
#endif
