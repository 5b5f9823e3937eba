/* The plan of an access: by which vector accesses, and with which permutation, the lanes of a warp are served.
 *
 *   form         the lanes' addresses                                        carried out by
 *   RUNS         constant offsets, in few runs of elements                   pattern.c
 *   PIECES       a row, of which a constant mask is on: short vectors        known_lanes.c
 *   LINES        a row in shared memory from the middle of a line on         shared_lines.c
 *   STRIDED      bytes three or four apart                                   strided.c
 *   SPECULATED   mostly a row, or one for each row of threads: compared as   clamped.c
 *                the code runs
 *   FEW_ROWS     mostly in few rows, which are found as the code runs        lane_rows.c
 *   LANES        anywhere: gathers and scatters                              gather.c
 *
 * Planning (access_plan.c, access_index.c) looks at facts, options and the CPU, and emits nothing. Of the forms that
 * an access may have it takes the cheapest. Accesses of several instructions together are planned before that
 * (structures.h).
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

/* The lanes that share a factor of the scaled term (all of them when there is no such term): elements from the
 * lowest that they ask for to the highest. */
struct wg_run {
    int64_t r, first;         /* the factor; the lowest offset */
    uint32_t n;               /* elements */
    int8_t element[WG_LANES]; /* of each lane, or -1: the lane is in another run */
    int8_t lane[WG_MOST_RUN]; /* that an element serves (the last one), or -1 */
    bool injective;           /* no two lanes share an element */
};

/* The lanes of one vector register that are on. */
struct wg_piece {
    uint32_t lane, n; /* of the warp: the first, and how many from it to the last */
    uint32_t on;      /* from the first one */
    bool in_a_row;    /* all of them are on, and a vector has so many */
};

struct wg_access {
    enum wg_access_form form;
    uint32_t bits;  /* of a lane's element */
    uint32_t cost;  /* in vector instructions, roughly */
    uint32_t nruns; /* RUNS */
    struct wg_run run[WG_MOST_RUNS];
    uint32_t npieces, chunk; /* PIECES; lanes that a register holds */
    struct wg_piece piece[WG_LANES];
    uint32_t words;   /* LINES: elements between the line's beginning and lane 0's */
    int64_t stride;   /* STRIDED: bytes */
    uint32_t columns; /* SPECULATED: lanes that are expected in one row */
};

/* Of `bits` a lane at the address; mask: i32, which matters where it is a constant. */
void wg_plan_load(const struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                  uint32_t bits, LLVMValueRef mask, struct wg_access *plan);
void wg_plan_store(const struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                   uint32_t bits, LLVMValueRef mask, struct wg_access *plan);
/* Finds the runs of an address with constant offsets; 0: it has none, or too many. */
uint32_t wg_find_runs(const struct wg_value *a, uint32_t bits, struct wg_run run[WG_MOST_RUNS]);
bool wg_run_is_dense(const struct wg_run *run); /* lanes ask for each of its elements */
/* Memory of the block alone, of which lanes that are off may be stored as they were. */
bool wg_is_own_memory(const struct wg_emit *e, const struct wg_ir_instr *in);

/* access_index.c: what an index is made of. */
/* Sums and products lead from a minimum, a maximum or a choice of what grows with the lane to it. */
bool wg_index_is_clamped(const struct wg_emit *e, const struct wg_ir_opd *o);
/* It is made of the thread's index and of what all lanes have in common, nothing that was loaded. */
bool wg_index_is_of_thread(const struct wg_emit *e, const struct wg_ir_opd *o);
/* The same, by way of what leaves pieces of rows, as divisions do. */
bool wg_index_is_divided(const struct wg_emit *e, const struct wg_ir_opd *o);
/* Whether others of the block load by the same register, and so most likely at the same indices. */
bool wg_shares_rows(const struct wg_emit *e, const struct wg_ir_instr *in);

/* How they are carried out. Loads give <32 x iN>. */
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
/* share: what is found of the rows serves other accesses of the block at the same indices. */
LLVMValueRef wg_load_few_rows(struct wg_emit *e, const struct wg_value *a, uint32_t bits, LLVMValueRef mask,
                              bool share);
#endif
