/* Kernels that a compiler made, as programs of single lines, which can be put in another order and cut down.
 */
#ifndef WG_TESTS_FUZZ_TEXT_H
#define WG_TESTS_FUZZ_TEXT_H
#include "tests/generated/generate.h"

/* p's arena gets a copy of the kernel's lines, and of what is outside of all kernels. False: it is not there.
 */
bool text_program(struct program *p, const char *ptx, const char *entry);
/* Statements between two labels, branches or barriers in another order, that means the same: `swaps` times
 * two neighbours that do not need each other change places. */
void text_reorder(struct program *p, uint64_t seed, uint32_t swaps);
/* Appends the module to `out`, the statements of each of its kernels in another order. */
void text_reorder_module(const char *ptx, uint64_t seed, struct wg_strbuf *out);
#endif
