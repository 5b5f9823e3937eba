/* Origins of undefined values that come from no memory: shuffles from inactive lanes, and variables whose scope has ended.
 * The texts for check_init.c's findings. */
#include "machine/watch/check.h"
#include <stdlib.h>
#include <string.h>

static uint32_t lanes_of(const struct wg_warp *w) {
    const uint32_t *n = w->block->ntid;
    uint32_t left = n[0] * n[1] * n[2] - w->id * WG_LANES;
    return left < WG_LANES ? left : WG_LANES;
}

uint64_t wg_check_lane_key(const struct wg_warp *w, uint32_t from) { return lanes_of(w) << 8 | from; }

const char *wg_check_place_named(struct wg_arena *a, const struct wg_func *kernel, uint32_t id) {
    struct wg_finding_place p = wg_check_place(a, kernel, id);
    char *pretty = wg_func_pretty(kernel);
    const char *name = p.nframes ? wg_arena_printf(a, "%s:%u:%u in %s", p.frames->file, p.frames->line,
                                                   p.frames->column, pretty)
                                 : wg_arena_strdup(a, pretty);
    free(pretty);
    return name;
}

/* A store of a register that is named so by the compiler (jit/llvm/dialect.cc). */
static bool ends_scope(const struct wg_ir_func *f, const struct wg_ir_instr *store) {
    static const char name[] = "ended";
    const struct wg_ir_opd *value = &store->src[store->nsrc - 1];
    if (store->op != WG_OP_ST || value->kind != WG_O_REG) return false;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->op == WG_OP_MOV && in->ndst == 1 && in->dst[0].index == value->index &&
                in->src[0].kind == WG_O_REG && !strcmp(f->regs[in->src[0].index].name, name))
                return true;
        }
    return false;
}

const char *wg_check_written_undefined(struct wg_arena *a, const struct wg_func *kernel, uint32_t id,
                                       const struct wg_check_site *site) {
    const struct wg_ir_func *f = &kernel->module->ir->funcs[site->func];
    const char *at = wg_check_place_named(a, kernel, id);
    return ends_scope(f, site->instr)
               ? wg_arena_printf(a, "The value is of a variable whose scope ended at %s", at)
               : wg_arena_printf(a, "A kernel wrote an undefined value there, at %s", at);
}

const char *wg_check_lane_absent(struct wg_arena *a, const struct wg_warp *w, uint32_t from) {
    uint32_t n = lanes_of(w);
    if (from < n)
        return wg_arena_printf(a, "The value is from lane %u, which does not take part in the shuffle", from);
    if (n + 1 == WG_LANES) return "The value is from lane 31, and this warp has no lane 31";
    return wg_arena_printf(a, "The value is from lane %u, and lanes %u to 31 of this warp do not exist", from,
                           n);
}

const char *wg_check_lane_source(struct wg_arena *a, const struct wg_warp *w, uint32_t from, uint32_t id) {
    uint32_t n = lanes_of(w);
    const char *at = wg_check_place_named(a, ((const struct wg_cta *)w->machine)->unit->grid->func, id);
    if (from < n)
        return wg_arena_printf(
            a, "The value is what the shuffle at %s took from lane %u, which does not take part in it", at,
            from);
    return wg_arena_printf(
        a,
        "The value is what the shuffle at %s took from lane %u, and lanes %u to 31 of that warp do not exist",
        at, from, n);
}
