/* The machine code (SASS) that ptxas makes of a text's kernels, where ptxas and nvdisasm are installed: functions of basic
 * blocks, each instruction with the line of the PTX that it was made of.
 *
 *     struct wg_strbuf text = {0};
 *     if (wg_sass_ask(&q, &text)) wg_sass_parse(&arena, text.s, &sass);      ptxas -lineinfo, nvdisasm -c -gp
 *
 *     //## File ".nv_debug_ptx_txt", line 64
 *             (offset)               LDG.E R13, desc[UR8][R6.64] ;            made of the PTX's line 64
 *
 * ptxas generates the same code with -lineinfo as without. nvdisasm is found as cuda_tool.h says, or named by
 * WARPGLASS_NVDISASM. What it printed is cached (CACHE/sass/).
 */
#ifndef WG_ANALYSIS_SASS_H
#define WG_ANALYSIS_SASS_H
#include "analysis/cuda_tool.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include <stdint.h>

enum { WG_SASS_NONE = UINT32_MAX };

struct wg_sass_instr {
    const char *text;  /* "@!P0 BRA `(.L_x_3)" */
    const char *op;    /* in it: "BRA `(.L_x_3)" */
    uint32_t ptx_line; /* 0: not known */
    bool guarded;      /* by a predicate */
};

struct wg_sass_block {
    uint32_t from, to; /* instructions */
    uint32_t *next;    /* blocks */
    uint32_t nnext;
    bool exits;        /* threads may end here, or return */
    bool rare;         /* the target of a branch that only lanes at different places take (BRA.DIV) */
    const char *calls; /* the function that its last instruction calls, or NULL */
    uint32_t callee;   /* that function's first block where it is in the same function, or WG_SASS_NONE */
};

struct wg_sass_func {
    const char *name;
    struct wg_sass_instr *instrs;
    struct wg_sass_block *blocks;
    uint32_t ninstrs, nblocks;
};

struct wg_sass {
    struct wg_sass_func *v;
    uint32_t n;
    const char *assembler; /* "ptxas 13.0"; NULL: not said */
};

/* Of a profile: the program asks before a kernel's first launch, and the report again. */
enum { WG_SASS_SECONDS = 20 };
struct wg_sass_question {
    struct wg_cuda_text text;
    double timeout; /* seconds, for each of the two tools; 0: no limit */
};
/* False where one of the tools is missing, fails, or takes too long: `text` is then the reason, or empty. */
bool wg_sass_ask(const struct wg_sass_question *q, struct wg_strbuf *text);
void wg_sass_parse(struct wg_arena *a, const char *text, struct wg_sass *out);
const struct wg_sass_func *wg_sass_find(const struct wg_sass *s, const char *name);
/* Whether an instruction's opcode is this one, with any modifiers: "LDG" of "LDG.E.64 R2, ...". */
bool wg_sass_is(const struct wg_sass_instr *in, const char *opcode);
/* Whether it is a load or a store of global, shared, local or generic memory, atomics aside. */
bool wg_sass_loads(const struct wg_sass_instr *in);
bool wg_sass_stores(const struct wg_sass_instr *in);
#endif
