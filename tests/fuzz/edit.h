/* Kernels that a form is just not there for: one or two statements of a kernel in another way. What an edited
 * kernel computes is another thing, and the reference says what.
 */
#ifndef WG_TESTS_FUZZ_EDIT_H
#define WG_TESTS_FUZZ_EDIT_H
#include "base/strbuf.h"
#include <stdint.h>

/* Which statements are edited, and how, follows from the seed and from the statements' own text, so that it
 * is the same when others are left out. */
void edit_kernel(struct wg_strbuf *ptx, uint64_t seed);
#endif
