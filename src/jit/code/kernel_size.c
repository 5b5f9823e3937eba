/* Size of a kernel with its callees. See kernel_size.h. */
#include "jit/code/kernel_size.h"
#include "base/arena.h"

#include <stdlib.h>

/* Instructions of a function and of those that it may call, each once; `seen`: those counted. */
static uint32_t count_instrs(const struct wg_ir_module *m, uint32_t func, bool *seen) {
    const struct wg_ir_func *f = &m->funcs[func];
    uint32_t n = 0;
    if (seen[func]) return 0;
    seen[func] = true;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        n += f->blocks[b].ninstrs;
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->op != WG_OP_CALL || in->call->builtin) continue;
            bool known = in->call->func != WG_NO_REG;
            if (known) n += count_instrs(m, in->call->func, seen);
            for (uint32_t k = 0; k < m->nfuncs && !known; k++) /* it may be any that is no kernel */
                if (!m->funcs[k].entry) n += count_instrs(m, k, seen);
        }
    }
    return n;
}

uint32_t wg_kernel_size(const struct wg_ir_module *m, uint32_t func) {
    bool *seen = wg_xcalloc(m->nfuncs, sizeof *seen);
    uint32_t n = count_instrs(m, func, seen);
    free(seen);
    return n;
}

bool wg_kernel_is_huge(const struct wg_ir_module *m, uint32_t func) {
    enum { HUGE = 30000 };
    return wg_kernel_size(m, func) > HUGE;
}

uint64_t wg_kernel_cost_ns(const struct wg_ir_module *m, uint32_t func) {
    enum { AN_INSTRUCTION_NS = 250000 };
    return (uint64_t)wg_kernel_size(m, func) * AN_INSTRUCTION_NS;
}
