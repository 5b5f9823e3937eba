/* Control equivalence of the basic blocks of machine code: blocks of one class are executed equally often, whatever the
 * branches do.
 *
 *     a block dominates another, which postdominates it, and both are in the same loops
 *
 * Left out are slow paths, such as the call in a division: a block that calls a function of the assembler's own behind a
 * branch of the same PTX instruction (sass_slow.h), and what only lanes at different places reach. They count as never executed.
 */
#ifndef WG_ANALYSIS_SASS_FLOW_H
#define WG_ANALYSIS_SASS_FLOW_H
#include "analysis/sass.h"

struct wg_sass_flow {
    const struct wg_sass_func *f;
    uint32_t root;       /* the block that it begins at */
    bool *alive;         /* [block]: not on a slow path */
    uint32_t *class;     /* [block]: the first of its class */
    uint32_t *loop;      /* [block]: the header of its innermost loop, or WG_SASS_NONE */
    uint32_t *outer;     /* [header]: that of the loop around it, or WG_SASS_NONE */
    uint32_t *dominator; /* [block]: the immediate one; its own at the entry; WG_SASS_NONE: not reached */
    uint32_t **before;   /* [block]: alive blocks from which it is reached */
    uint32_t *nbefore;
};
/* What is reached from block `root`: 0, or the first of a function that is called. False for a function that is too
 * large. */
bool wg_sass_flow_find(struct wg_arena *a, const struct wg_sass_func *f, uint32_t root,
                       struct wg_sass_flow *out);
/* Whether a block is in the loop of this header; of WG_SASS_NONE: always. */
bool wg_sass_flow_in(const struct wg_sass_flow *w, uint32_t block, uint32_t header);
#endif
