/* A location of the IR with its inlined callers, as frames: what profiles and findings name. */
#include "ir/ir.h"

struct wg_frame *wg_ir_frames(struct wg_arena *a, const struct wg_ir_module *m, uint32_t loc,
                              const char *outermost, uint32_t *count) {
    uint32_t n = 0;
    for (uint32_t at = loc; at; at = m->locs[at].inlined_at) n++;
    struct wg_frame *f = WG_NEW_N(a, struct wg_frame, n + 1);
    for (uint32_t at = loc, i = 0; at; at = m->locs[at].inlined_at, i++) {
        const struct wg_ir_loc *l = &m->locs[at];
        const char *function = l->function ? l->function : i + 1 == n ? outermost : NULL;
        f[i] = (struct wg_frame){l->file, l->line, l->col, function};
    }
    *count = n;
    return f;
}
