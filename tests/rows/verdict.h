/* Holding one case's results against another back end's, or against what hardware did. */
#ifndef WG_TESTS_ROWS_VERDICT_H
#define WG_TESTS_ROWS_VERDICT_H
#include "tests/rows/plan.h"
#include "tests/rows/values.h"

enum { OUT_WORDS = PLAN_CASES * PLAN_SLOTS * VALUES };

/* Case number `id` of a kernel; out[0]: the reference's, out[1]: the other's. False with the first difference
 * told. Bit by bit: which NaN a result is counts. */
bool verdict_compare(const struct row_case *c, uint32_t id, const uint64_t *image, uint64_t *const out[2],
                     bool hardware);

/* The case is one that h200.tsv has: all operands varying, all lanes, exact. */
bool verdict_plain(const struct row_case *c);
/* Its line: name, row, variant, hash of `out`. `reference` tells which results are left out because the
 * reference knowingly differs. */
void verdict_line(const struct row_case *c, uint32_t id, const uint64_t *image, const uint64_t *out,
                  const uint64_t *reference, struct wg_strbuf *line);
#endif
