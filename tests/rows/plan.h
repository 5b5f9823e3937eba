/* Cases gathered into kernels: one kernel tries up to PLAN_CASES forms with their operands from memory. */
#ifndef WG_TESTS_ROWS_PLAN_H
#define WG_TESTS_ROWS_PLAN_H
#include "tests/rows/cases.h"

enum { PLAN_CASES = 24, PLAN_SLOTS = 3 }; /* slots of output a case: two results, and the carry flag */

struct plan {
    struct row_case *v;
    uint32_t n, cap;
};
/* Every legal form of `op` with its operands varying, and `extra` more of each with operands that are
 * uniform, linear in the lane or immediate, or with lanes left out (UINT32_MAX: all there are). */
void plan_row(struct plan *p, enum wg_op op, uint32_t extra);
void plan_free(struct plan *p);

/* PTX of kernel `rows` for cases [0, n), n <= PLAN_CASES. Parameters: u64 in, u64 out, u32 count. Output slot
 * s of case c for lane index x is at out[(c * PLAN_SLOTS + s) * VALUES + x], 8 bytes each. */
void plan_ptx(const struct row_case *cases, uint32_t n, struct wg_strbuf *out);
#endif
