/* Counting in generated code: see count/tally.h for where, analysis/sites.h for what.
 *
 * Units of the tally: for each block of the function (calls put in place) how often it began and with how many
 * lanes, and how often its branch parted them. What an access costs is worked out by wg_jit_count.
 */
#include "jit/count.h"
#include "analysis/places.h"
#include "analysis/sites.h"
#include "count/tally.h"
#include "jit/emit.h"
#include "jit/helpers.h"

#include <stdlib.h>

enum { BEGUN, LANES, PARTED, UNITS };

uint32_t wg_jit_count_units(const struct wg_ir_func *f) { return f->nblocks * UNITS; }

/* ---- in the code ---- */

static LLVMValueRef tally(struct wg_emit *e) {
    if (!e->tally)
        e->tally =
            wg_load_field(e, e->entry_b, e->ptr, e->warp, offsetof(struct wg_warp, tally), true, "tally");
    return e->tally;
}

static void add_to_unit(struct wg_emit *e, uint32_t unit, LLVMValueRef x) {
    LLVMValueRef at = wg_field(e, e->L.b, tally(e), offsetof(struct wg_tally, units) + unit * 8);
    LLVMValueRef sum = LLVMBuildAdd(e->L.b, LLVMBuildLoad2(e->L.b, e->i64, at, ""), x, "");
    LLVMBuildStore(e->L.b, sum, at);
}

static LLVMValueRef lanes_of(struct wg_emit *e, LLVMValueRef mask) {
    wg_set_lanes(e, 1);
    return wg_emit_resize(e, wg_lower_intrinsic(&e->L, "llvm.ctpop", &e->i32, 1, &mask, 1), 64, false);
}

void wg_count_block(struct wg_emit *e) {
    if (!e->opts->sites) return;
    add_to_unit(e, e->block * UNITS + BEGUN, wg_i64(e, 1));
    if (!wg_mask_is_full(e)) add_to_unit(e, e->block * UNITS + LANES, lanes_of(e, wg_mask(e)));
    else add_to_unit(e, e->block * UNITS + LANES, wg_i64(e, WG_LANES));
}

void wg_count_parted(struct wg_emit *e) {
    if (e->opts->sites) add_to_unit(e, e->block * UNITS + PARTED, wg_i64(e, 1));
}

void wg_count_memory(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, LLVMValueRef mask) {
    if (!e->opts->sites || e->opts->sites->memory[in->id] == WG_NO_SITE) return;
    LLVMValueRef pointers = wg_pointers(e, a);
    LLVMValueRef at = LLVMBuildPtrToInt(e->L.b, pointers, LLVMVectorType(e->i64, WG_LANES), "");
    LLVMValueRef args[4] = {e->warp, wg_spill_lanes(e, 0, at), mask, wg_i32(e, in->id)};
    wg_call_helper(e, "wg_jit_count", LLVMVoidTypeInContext(e->L.ctx), args, 4);
}

/* ---- while it runs ---- */

void wg_jit_count(struct wg_warp *w, const uint64_t *at, uint32_t mask, uint32_t id) {
    const struct wg_sites *s = w->tally->of;
    static const uint8_t spaces[] = {
        [WG_MEMORY_NONE] = WG_S_GENERIC,     [WG_MEMORY_GLOBAL] = WG_S_GLOBAL,
        [WG_MEMORY_SHARED] = WG_S_GENERIC,   [WG_MEMORY_REMOTE] = WG_S_GENERIC,
        [WG_MEMORY_LOCAL] = WG_S_LOCAL,      [WG_MEMORY_CONSTANT] = WG_S_CONST,
    };
    uint32_t first = s->memory[id];
    enum wg_space space = (enum wg_space)spaces[wg_class_infos[s->v[first].class].memory];
    /* The first site of a generic access is its global one. */
    if (wg_site_at(s, id, WG_PLACE_LOCAL) != WG_NO_SITE && space == WG_S_GLOBAL) space = WG_S_GENERIC;
    if (mask) wg_count_places(w, id, space, at, mask, wg_tally_access);
}

/* ---- when it has run ---- */

struct wg_count_plan {
    uint32_t nblocks;
    struct wg_arena arena;
    struct part { /* what a block's units go to */
        uint32_t site, times;
        uint8_t class;
    } **parts;
    uint32_t *nparts;
};

static void add_part(struct wg_count_plan *p, uint32_t b, uint32_t site, uint8_t class) {
    if (site == WG_NO_SITE) return;
    for (uint32_t i = 0; i < p->nparts[b]; i++)
        if (p->parts[b][i].site == site) {
            p->parts[b][i].times++;
            return;
        }
    p->parts[b][p->nparts[b]++] = (struct part){site, 1, class};
}

struct wg_count_plan *wg_count_plan_new(const struct wg_ir_func *f, const struct wg_sites *s) {
    struct wg_count_plan *p = wg_xcalloc(1, sizeof *p);
    p->nblocks = f->nblocks;
    p->parts = WG_NEW_N(&p->arena, struct part *, f->nblocks);
    p->nparts = WG_NEW_N(&p->arena, uint32_t, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        p->parts[b] = WG_NEW_N(&p->arena, struct part, 2 * blk->ninstrs + 2);
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            add_part(p, b, s->line[blk->instrs[i].id], WG_CLASS_line);
            add_part(p, b, s->barrier[blk->instrs[i].id], WG_CLASS_barrier);
        }
        if (blk->term == WG_TERM_BR || blk->term == WG_TERM_TRAP) continue;
        add_part(p, b, s->line[blk->id], WG_CLASS_line);
        add_part(p, b, s->branch[blk->id], WG_CLASS_branch);
    }
    return p;
}

void wg_count_plan_free(struct wg_count_plan *p) {
    if (!p) return;
    struct wg_arena a = p->arena;
    wg_arena_free(&a);
    free(p);
}

void wg_count_collect(const struct wg_count_plan *p, const struct wg_tally *t, struct wg_counts *rows) {
    for (uint32_t b = 0; b < p->nblocks; b++) {
        const uint64_t *u = t->units + b * UNITS;
        for (uint32_t i = 0; i < p->nparts[b]; i++) {
            const struct part *part = &p->parts[b][i];
            uint64_t *v = rows[part->site].v;
            v[WG_C_threads] += part->times * u[LANES];
            if (part->class == WG_CLASS_line) v[WG_C_instructions] += part->times * u[BEGUN];
            if (part->class == WG_CLASS_barrier) v[WG_C_barriers] += part->times * u[BEGUN];
            if (part->class == WG_CLASS_branch) {
                v[WG_C_branches] += u[BEGUN];
                v[WG_C_divergent_branches] += u[PARTED];
            }
        }
    }
}
