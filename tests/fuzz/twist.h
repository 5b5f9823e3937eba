/* Kernels that no longer compute what somebody wanted: an operand, an operation, a condition or the order of
 * statements is another. Edits (edit.h) leave a kernel of its kind; these break the shapes that forms look
 * for, so that each of a form's conditions gets something to refuse. What is computed, the reference says.
 */
#ifndef WG_TESTS_FUZZ_TWIST_H
#define WG_TESTS_FUZZ_TWIST_H
#include "base/strbuf.h"
#include <stdint.h>

/* Appends one to three edits as near misses have them ("A => B && C => D": near.h). Only registers that have
 * a value wherever the statement stands are put into it. Nothing is appended where no statement can be
 * twisted. */
void twist_draw(const char *ptx, uint64_t seed, struct wg_strbuf *edits);
#endif
