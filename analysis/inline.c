/* Calls put in place: see inline.h. */
#include "analysis/inline.h"

struct wg_inlined wg_inline_calls(const struct wg_ir_module *m, uint32_t func, struct wg_diag *d) {
    struct wg_inlined r = {.func = &m->funcs[func]};
    for (uint32_t b = 0; b < r.func->nblocks; b++)
        for (uint32_t i = 0; i < r.func->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &r.func->blocks[b].instrs[i];
            if (in->op != WG_OP_CALL || in->call->builtin) continue;
            const struct wg_ir_loc *loc = &m->locs[in->loc];
            struct wg_pos at = {in->loc ? loc->file : m->name, in->loc ? loc->line : in->ptx_line, 0};
            wg_diag_error(d, at, NULL, "unsupported instruction 'call' in kernel '%s'", r.func->name);
            r.func = NULL;
            return r;
        }
    return r;
}

void wg_inlined_free(struct wg_inlined *i) { wg_arena_free(&i->arena); }
