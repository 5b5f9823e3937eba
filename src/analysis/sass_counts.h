/* How often warps executed each block of machine code, from how often they executed each line of its PTX.
 *
 *     ld.global.f32 %f1, [%rd4];     100 times         block 3: LDG R1 ... LDG R5 ...    x3
 *     @%p1 bra $L_2;                                   block 5: LDG R1 ...               x5
 *
 *     2 x3 + x5 = 100; the loop was entered 10 times:  x3 = 50, x5 = 0
 *
 * Accesses to memory, barriers and branches stay where they were, so what is known of them is what a class of blocks
 * (sass_flow.h) was executed; where ptxas unrolled a loop, copies share the line's count, the widest first, as if all
 * warps ran as many turns. Arithmetic moves, so it is asked only about blocks that have nothing else.
 */
#ifndef WG_ANALYSIS_SASS_COUNTS_H
#define WG_ANALYSIS_SASS_COUNTS_H
#include "analysis/sass_flow.h"
#include "analysis/slow_paths.h"

/* A line of the PTX. */
struct wg_sass_line {
    uint64_t times;               /* that warps executed it */
    uint64_t parted;              /* of them those in which lanes went different ways: a branch */
    uint64_t slow[WG_SLOW_PATHS]; /* warps on its slow path (slow_paths.h) */
    bool known;                   /* else it is not counted */
    bool guarded;                 /* by a predicate; counted all the same */
    bool branch;
    bool test;    /* a comparison, which is copied where a loop is unrolled, to ask how many turns are left */
    bool several; /* the instruction becomes several of the same opcode */
    bool full;    /* all lanes of the warps were active */
};
/* Executions of each block, in `times`, [block]. `lines` by number, up to `nlines`; `entered`: those of the first block, or
 * NAN. False where what is known cannot be brought together: the code is then not what was counted. */
bool wg_sass_counts(const struct wg_sass_flow *w, const struct wg_sass_line *lines, uint32_t nlines,
                    double entered, double *times);
/* Adds those of a function of the assembler's own (the flow from its first block) that was called so many times: nothing
 * else is known of it. */
void wg_sass_counts_called(const struct wg_sass_flow *w, double calls, double *times);
#endif
