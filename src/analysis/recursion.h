/* Recursion elimination, as shared by recursion.c and same_in_all.c: recursive functions and their calls. */
#ifndef WG_ANALYSIS_RECURSION_H
#define WG_ANALYSIS_RECURSION_H
#include "analysis/inliner.h"

struct group {
    uint32_t cycle;
    uint32_t first_reg, end_reg; /* its copies' registers */
};
struct member {
    struct copy c;
    uint32_t func;
    struct group *group;
    uint32_t *out;    /* by index of results: the register that callers read */
    uint32_t returns; /* block */
    uint32_t bytes;   /* of its frame */
    uint32_t nplaces;
};
struct site {
    struct member *caller, *callee; /* caller NULL: the kernel */
    const struct wg_ir_instr *call;
    bool inside;                         /* of the callee's group */
    uint32_t test, overflow, push, back; /* blocks */
    uint32_t place;
};

/* [register] it holds the same in all activations that are live at a time: no call need save it. */
bool *wg_recursion_same(struct inliner *x);
#endif
