/* What a function's registers are across the lanes of a warp, what is alive, and where lanes wait.
 *
 * The code generator makes two versions of a kernel:
 *   CONVERGED  all live lanes are at the same place. Here a branch never splits the warp (when one would, the
 *              warp goes over to the other version), so uniform and affine values need no divergence
 *              argument.
 *   GENERAL    lanes wait at the blocks where they left off (thread frontiers), under masks.
 *
 * Each register has a fact a version. From the strongest:
 *   UNIFORM    one value for all lanes
 *   AFFINE     base + k[lane] + r[lane] * scale: base and scale are run-time scalars, k and r constants known
 *              while compiling (the block's shape is), k[0] == r[0] == 0
 *   VARYING    anything
 *
 *     mov.u32 %r1, %tid.x              AFFINE   base (warp*32) % ntid.x, k = lane        (ntid.x = 256)
 *     mad.lo.s32 %r4, %r2, 256, %r1    AFFINE   k = lane
 *     mul.wide.s32 %rd7, %r4, 4        AFFINE   k = 4*lane, if base + k cannot wrap 31 bits: known from
 *                                               ranges, or in CONVERGED checked as it runs (`checks`)
 *     ld.global.u32 %r5, [%rd8]        VARYING
 *
 * Facts of GENERAL hold for the lanes that execute: a register written while others wait whose value of it is
 * still wanted is VARYING.
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
    uint32_t root;    /* the pointer this address was made from: a register defined once, or WG_NO_REG */
    const int64_t *k; /* AFFINE: 32 constants, or NULL for zeros */
    const int64_t *r; /* AFFINE: 32 constants, or NULL when there is no scaled term */
};

enum { WG_REGION_BLOCKS = 8 };

/* Blocks that some lanes run between a branch and where all meet again, lowest first: region.c. */
struct wg_region {
    uint32_t join, nblocks, block[WG_REGION_BLOCKS];
    bool is_long;
    wg_bits blend[WG_REGION_BLOCKS]; /* registers that keep their value in lanes that do not run the block */
};

/* How one worker runs the warps of a block that only ever meet at __syncthreads(): phase by phase, each a
 * loop over the warps. phases.c */
struct wg_phases {
    uint32_t *of;    /* [block] the block that its phase begins with */
    wg_bits begins;  /* blocks that a phase begins with */
    wg_bits parting; /* blocks whose branch may go different ways in different warps */
    wg_bits asides;  /* those of `begins` whose warps may often go over to GENERAL: it runs their part */
    wg_bits uniform; /* registers that are the same for all warps: one value serves the block */
    wg_bits remade;  /* registers that a few operations make of those and of the warp's number */
    wg_bits kept;    /* of the uniform ones, those that remade ones are made of */
    const struct wg_ir_instr **made_by; /* [register] the operation that makes it anew */
    wg_bits *settled; /* as in wg_analysis, where each end of a phase saves what is alive, unless the above */
};

struct wg_analysis {
    struct wg_arena arena;
    const struct wg_ir_module *module;
    const struct wg_ir_func *func;
    const struct wg_code_opts *opts;
    struct wg_cfg cfg;
    struct wg_scev *unwrapped;          /* what registers are as sums, where it need not be certain */
    struct wg_fact *facts[WG_VERSIONS]; /* [register] */
    wg_bits *frontier;                  /* GENERAL: [block] blocks where lanes may wait while this one runs */
    wg_bits *wanted_at;             /* GENERAL: [register] blocks at whose start it is alive; NULL: none */
    wg_bits divergent[WG_VERSIONS]; /* blocks that end in a branch whose condition varies */
    /* GENERAL: blocks where lanes may be while higher ones run, because they cannot run yet or have had their
     * turn; of these, blocks where they may be while others run the block itself. */
    wg_bits passed, stays;
    wg_bits shared_only; /* registers that are only ever shared addresses: their low 32 bits are all that
                            matters */
    wg_bits quiet;       /* registers that, taken for a float, are never a signalling NaN: quiet.c */
    uint8_t tile_bits;   /* of an element of shared memory, where it is kept as such instead of words
                          * (tile.c); 0: as written */
    wg_bits spins;       /* loop headers whose loop looks at what other threads do, or lets them see */
    uint8_t *yields;     /* [block] enum wg_yields of the loop that it is the header of: spins.h */
    wg_bits *settled; /* CONVERGED: [block] live registers whose place in the warp's frame holds their value
                       * at the block's start: a stop need not save them again */
    struct wg_region *
        *region; /* CONVERGED: [block] where its branch parts the lanes, or NULL: over to GENERAL */
    /* Long ones, which are code of their own (wg_code_opts.long_regions): a phase that has such a branch
     * calls that to run the warp's part from there on. */
    struct wg_region **aside;
    struct wg_phases *phases; /* NULL: blocks are not run phase by phase */
    /* [block] lanes of each of the block's warps that its branch takes to succ[0], where that is known while
     * compiling (known.c), or NULL. Lanes that are not there are among them, too. */
    uint32_t **taken;
    /* [register] the same of a predicate: lanes of each warp in which it holds. Only of those that differ
     * from lane to lane. */
    uint32_t **holds;
    bool needs_general;      /* some branch diverges, or a check may fail */
    wg_bits full;            /* CONVERGED: blocks that always run with all 32 lanes */
    uint32_t *nuses;         /* [register] operands, guards and conditions that read it */
    struct wg_touch **touch; /* [block][instruction] or NULL: touch.h */
};

/* `f` has no calls but built-in ones (analysis/inline.h). */
struct wg_analysis *wg_analyse(const struct wg_ir_module *m, const struct wg_ir_func *f,
                               const struct wg_code_opts *opts);
void wg_analysis_free(struct wg_analysis *an);

/* Whether widening source `in->src[0]` (cvt to 64 bits, mul.wide, mad.wide) keeps it affine only if a check
 * holds as the code runs: CONVERGED emits the check, GENERAL has the result VARYING. */
bool wg_needs_wrap_check(const struct wg_analysis *an, const struct wg_ir_instr *in);
/* Whether div or rem of an affine value by a uniform one is taken to leave the warp in one row of the
 * divisor: quotient uniform, remainder affine. CONVERGED checks it as it runs. */
bool wg_needs_row_check(const struct wg_analysis *an, const struct wg_ir_instr *in);
/* Shadows (struct wg_ir_reg) are all ones in CONVERGED: what computes or asks about them is for GENERAL
 * alone. What loads one, or gets one from another lane, makes sure. */
bool wg_is_for_shadows(const struct wg_analysis *an, const struct wg_ir_instr *in);
bool wg_loads_shadows(const struct wg_analysis *an, const struct wg_ir_instr *in);
/* Whether CONVERGED may go over to GENERAL before the instruction: for the two first above, where an access
 * may be refused (CHECK_ACCESS), and where something undefined may be loaded, if that does not stand behind
 * such a one: GENERAL asks again then. */
bool wg_may_leave(const struct wg_analysis *an, const struct wg_ir_instr *in);
/* The fact of an operand: immediates and addresses of variables are UNIFORM. */
struct wg_fact wg_operand_fact(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_opd *o);
/* Bits of an element that a load or store has in memory: those of its type, but for tiles. */
uint32_t wg_element_bits(const struct wg_analysis *an, const struct wg_ir_instr *in);
/* %tid.{x,y,z} (axis 0..2) across the lanes of a warp: the pattern k (32 constants) if the fact is AFFINE or
 * UNIFORM, else NULL. The base is a function of the warp's number (jit/emit/special.c). */
struct wg_fact wg_tid_fact(struct wg_arena *a, const uint32_t ntid[3], uint32_t axis);

/* __syncthreads(). */
bool wg_is_plain_barrier(const struct wg_ir_instr *in);
bool wg_is_grid_barrier(const struct wg_ir_instr *in);
bool wg_meets_at(const struct wg_ir_instr *in); /* either: where all threads of a block meet */
/* Whether the form for whole blocks has code for it. Not for what only shadows want; and not for lanes on
 * their way to where there is no barrier: there all threads of the block go. */
bool wg_phase_needs(const struct wg_analysis *an, const struct wg_ir_instr *in);
/* Whether the way from one block to a successor ends a phase. */
bool wg_phase_ends(const struct wg_phases *p, const struct wg_ir_func *f, uint32_t from, uint32_t to);
/* The registers that are in the warp's frame when the phase that begins with `block` does. */
void wg_phase_framed(const struct wg_analysis *an, uint32_t block, wg_bits framed);

/* lanes.c's own, shared with transfer.c. */
struct wg_fact wg_transfer(const struct wg_analysis *an, enum wg_version v, const struct wg_ir_instr *in,
                           uint32_t dst);
static inline struct wg_fact wg_fact_varying(void) {
    return (struct wg_fact){.kind = WG_VARYING, .max = UINT64_MAX, .root = WG_NO_REG};
}
struct wg_fact wg_sreg_fact(const struct wg_analysis *an, const struct wg_ir_instr *in); /* special.c */
#endif
