/* The PTX of a source line: its instructions, each with its counts.
 *
 * An instruction is executed as often as its basic block, which has a site (count/README.md). If it accesses memory, its
 * lanes are those that the guard left active, and it has the figures of its access. An instruction of a function that was
 * inlined belongs to the line of that function; if that is in a system header, to the line of the user's that called it.
 *
 *     struct wg_code_rows rows = wg_code_of(arena, summary, line);
 *     rows.v[0]        8192 times, 32 lanes each: "ld.global.f32 %f1, [%rd4]", 4 sectors each
 */
#ifndef WG_REPORT_CODE_H
#define WG_REPORT_CODE_H
#include "report/summary.h"

struct wg_code_row {
    uint32_t ptx_line;
    const char *text;
    uint64_t instructions, threads;
    struct wg_counts access; /* the sum of its sites' */
    uint32_t joined; /* instructions that the assembler combines in this access; 1: it alone; 0: no access */
};
struct wg_code_rows {
    struct wg_code_row *v;
    uint32_t n;
};
/* An instruction of the machine code. */
struct wg_machine_row {
    const char *text;
    uint32_t ptx_line, block;
    uint64_t instructions; /* executions by warps */
    bool spill;            /* it keeps a register in local memory */
};
struct wg_machine_rows {
    struct wg_machine_row *v;
    uint32_t n;
};
/* The machine code made of a source line, in its own order, where it is known. */
struct wg_machine_rows wg_machine_of(struct wg_arena *a, const struct wg_summary *s,
                                     const struct wg_line_summary *l);
/* In the order of the PTX. Of those that were never executed, too. */
struct wg_code_rows wg_code_of(struct wg_arena *a, const struct wg_summary *s,
                               const struct wg_line_summary *l);
/* Finds the texts of the kernel's instructions in the PTX of its module. */
void wg_code_texts(struct wg_arena *a, struct wg_profile_kernel *k);
#endif
