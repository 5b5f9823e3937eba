/* The layouts of structures in whose size there is padding, as a compiler says them.
 *
 * A program that `check` compiles declares a function for each of them, which nobody calls and every assembler takes:
 *
 *     .extern .func wg_record_16_8_4_8_0_12_16_0;
 *
 * 16 bytes, aligned to 8, of which bytes 4 to 7 and 12 to 15 are no member's. A 1 in place of a 0 is for unions, of which
 * any bytes may be no member's. A first one of no bytes says that the text has all there are (jit/llvm/records.cc).
 */
#ifndef WG_BASE_RECORD_H
#define WG_BASE_RECORD_H
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct wg_hole {
    uint32_t from, to, any; /* any: of a union, so that some of its bytes may have been written */
};
struct wg_record {
    uint32_t size, align;
    uint32_t nholes;
    const struct wg_hole *holes; /* rising */
};
/* False: the name has another form. */
bool wg_record_read(struct wg_arena *a, const char *name, struct wg_record *out);
#endif
