/* The plan of a vector access: which vector loads or stores, with which permutation, serve the lanes of a
 * warp.
 *
 *   form         the lanes' addresses                                        carried out by
 *   RUNS         constant offsets, in a few contiguous runs                   pattern.c
 *   PIECES       a row under a constant mask: short vectors        known_lanes.c
 *   LINES        a row in shared memory from the middle of a line on         shared_lines.c
 *   STRIDED      bytes three or four apart                                   strided.c
 *   SPECULATED   mostly a row, or one for each row of threads: compared at   clamped.c
 *                the code runs
 *   FEW_ROWS     mostly in few rows, which are found as the code runs        lane_rows.c
 *   LANES        anywhere: gathers and scatters                              gather.c
 *
 * Planning (access_plan.c, access_index.c) uses facts, options and the CPU, and emits nothing. It selects the
 * cheapest of the forms that an access can have. Accesses of several instructions together are planned before
 * that (structures.h).
 */
#ifndef WG_JIT_ACCESS_PLAN_H
#define WG_JIT_ACCESS_PLAN_H
#include "jit/access/access.h"

enum wg_access_form {
    WG_ACCESS_RUNS,
    WG_ACCESS_PIECES,
    WG_ACCESS_LINES,
    WG_ACCESS_STRIDED,
    WG_ACCESS_SPECULATED,
    WG_ACCESS_FEW_ROWS,
    WG_ACCESS_LANES
};

enum { WG_MOST_RUNS = 4, WG_MOST_RUN = 64 };

/* Lanes with the same factor of the scaled term (all lanes if there is no such term): the elements from
 * the lowest to the highest that they access. */
struct wg_run {
    int64_t r, first;         /* the factor; the lowest offset */
    uint32_t n;               /* elements */
    int8_t element[WG_LANES]; /* [lane] its element, or -1: the lane is in another run */
    int8_t lane[WG_MOST_RUN]; /* [element] the last lane that accesses it, or -1 */
    bool injective;           /* no two lanes share an element */
};

/* The active lanes of one vector register. */
struct wg_piece {
    uint32_t lane, n; /* the first lane, and the number from it to the last one */
    uint32_t on;      /* mask of active lanes, from the first one */
    bool in_a_row;    /* all of them are active, and n is a vector length */
};

struct wg_access {
    enum wg_access_form form;
    uint32_t bits;  /* of a lane's element */
    uint32_t cost;  /* in vector instructions, roughly */
    uint32_t nruns; /* RUNS */
    struct wg_run run[WG_MOST_RUNS];
    uint32_t npieces, chunk; /* PIECES; lanes that a register holds */
    struct wg_piece piece[WG_LANES];
    uint32_t words;   /* LINES: offset of lane 0's element in its line, in elements */
    int64_t stride;   /* STRIDED: bytes */
    uint32_t columns; /* SPECULATED: number of lanes expected in one row */
    uint32_t grows;   /* the same: the register of the only term that grows along a row, or WG_NO_REG */
};

/* Plans an access of `bits` per lane; mask: i32, used if it is a constant. */
void wg_plan_load(const struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                  uint32_t bits, LLVMValueRef mask, struct wg_access *plan);
void wg_plan_store(const struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                   uint32_t bits, LLVMValueRef mask, struct wg_access *plan);
/* Finds the runs of an address with constant offsets. 0: it has none, or too many. */
uint32_t wg_find_runs(const struct wg_value *a, uint32_t bits, struct wg_run run[WG_MOST_RUNS]);
bool wg_run_is_dense(const struct wg_run *run); /* every element is accessed by some lane */
/* Memory private to the thread block: inactive lanes may be stored back unchanged. */
bool wg_is_own_memory(const struct wg_emit *e, const struct wg_ir_instr *in);

/* access_index.c: index analysis. */
/* Whether it is a clamped index: sums and products of a minimum, maximum or select of a value that grows
 * with the lane. */
bool wg_index_is_clamped(const struct wg_emit *e, const struct wg_ir_opd *o);
/* Whether it is computed only from the thread's index and uniform values, without loads. */
bool wg_index_is_of_thread(const struct wg_emit *e, const struct wg_ir_opd *o);
/* The same, through operations that leave pieces of rows, as divisions do. */
bool wg_index_is_divided(const struct wg_emit *e, const struct wg_ir_opd *o);
/* The register of the one term of an access's index that is not the same in all lanes of a row of threads, if it
 * still holds what was added; WG_NO_REG: none is known. In each row the index grows exactly as it does. */
uint32_t wg_index_grows_by(const struct wg_emit *e, const struct wg_ir_instr *access, uint32_t columns);
/* Whether other accesses of the block use the same register, and so most likely the same indices. */
bool wg_shares_rows(const struct wg_emit *e, const struct wg_ir_instr *in);

/* The emitters of the forms. Loads return <32 x iN>. */
LLVMValueRef wg_load_runs(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                          LLVMValueRef mask);
void wg_store_runs(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_access *plan,
                   const struct wg_value *a, LLVMValueRef x, LLVMValueRef mask);
LLVMValueRef wg_load_pieces(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_access *plan,
                            const struct wg_value *a);
void wg_store_pieces(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_access *plan,
                     const struct wg_value *a, LLVMValueRef x);
LLVMValueRef wg_load_across_lines(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a);
LLVMValueRef wg_load_strided(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                             LLVMValueRef mask);
void wg_store_strided(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                      LLVMValueRef x, LLVMValueRef mask);
LLVMValueRef wg_load_speculated(struct wg_emit *e, const struct wg_access *plan, const struct wg_value *a,
                                LLVMValueRef mask);
void wg_store_speculated(struct wg_emit *e, const struct wg_access *plan, struct wg_value *a, LLVMValueRef x,
                         LLVMValueRef mask);
/* share: other accesses of the block at the same indices reuse the rows found. */
LLVMValueRef wg_load_few_rows(struct wg_emit *e, const struct wg_value *a, uint32_t bits, LLVMValueRef mask,
                              bool share);
#endif
