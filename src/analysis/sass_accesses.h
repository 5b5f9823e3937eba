/* The loads and stores of a kernel's machine code by the line of the PTX that they were made of: which accesses the
 * machine has, and how wide they are.
 *
 *     ld.shared.u32 %r1, [%r9];       line 64      LDS.64: the line has one access of 8 bytes
 *     ld.shared.u32 %r2, [%r9+4];     line 65      none: it was joined, or its value was known
 */
#ifndef WG_ANALYSIS_SASS_ACCESSES_H
#define WG_ANALYSIS_SASS_ACCESSES_H
#include "analysis/sass.h"

enum { WG_SASS_PARTS = 4 };

/* What a line has of loads or of stores: one access, whose copies, such as those of a loop that was unrolled, count once;
 * or a few at different addresses, with their distances from the first. */
struct wg_sass_access {
    uint8_t n;                    /* 0: none */
    bool differ;                  /* copies are not equally wide, so nothing is said */
    uint8_t bytes[WG_SASS_PARTS]; /* of a lane */
    int8_t shift[WG_SASS_PARTS];
};

struct wg_sass_accesses {
    struct wg_sass_access *loads, *stores; /* [line of the PTX] */
    bool *any;                             /* [line]: it has instructions of any kind */
    uint32_t nlines;
    uint64_t hash; /* of all of it */
};
/* Of a kernel and the functions that it calls; NULL where the code has no such kernel. */
struct wg_sass_accesses *wg_sass_accesses_find(struct wg_arena *a, const struct wg_sass *s,
                                               const char *kernel);
#endif
