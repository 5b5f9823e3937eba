/* What converting one instruction ends in: an instruction at the end of the open block, or the reason why there is
 * none. See build.h. */
#include "ir/build.h"

#include <string.h>

struct wg_ir_instr *wg_emit(struct wg_fn *f, enum wg_op op) {
    struct wg_ir_instr *i = WG_PUSH(&f->instrs);
    i->op = (uint16_t)op;
    i->guard = WG_NO_REG;
    i->loc = f->loc;
    i->ptx_line = f->line;
    i->nvec = 1;
    return i;
}

struct wg_ir_opd *wg_copy_opds(struct wg_fn *f, const struct wg_ir_opd *o, uint32_t n) {
    struct wg_ir_opd *p = WG_NEW_N(f->b->arena, struct wg_ir_opd, n);
    if (n) memcpy(p, o, n * sizeof *o);
    return p;
}

bool wg_unsupported(struct wg_fn *f, const char *fmt, ...) {
    struct wg_strbuf s = {0};
    va_list ap;
    va_start(ap, fmt);
    wg_strbuf_vprintf(&s, fmt, ap);
    va_end(ap);
    f->unsupported = wg_arena_strdup(f->b->arena, s.s);
    wg_strbuf_free(&s);
    return false;
}
