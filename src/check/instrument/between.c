/* See between.h. */
#include "check/instrument/between.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 2000 };

struct way {
    const struct wg_ir_func *f;
    uint8_t *reached;
    uint32_t *stack;
};

/* Marks the blocks reachable from block `from` without passing through `but`. */
static void reach(struct way *w, uint32_t from, uint32_t but) {
    uint32_t n = 0;
    memset(w->reached, 0, w->f->nblocks);
    w->stack[n++] = from;
    while (n) {
        const struct wg_ir_block *b = &w->f->blocks[w->stack[--n]];
        for (uint32_t i = 0; i < b->nsucc; i++) {
            uint32_t to = b->succ[i];
            if (to == but || w->reached[to]) continue;
            w->reached[to] = 1;
            w->stack[n++] = to;
        }
    }
}

static bool ends(const struct wg_ir_block *b) { return b->nsucc == 0; }

/* Whether every thread that ends has been at the beginning of block `at`. */
static bool all_come(struct way *w, uint32_t at) {
    if (at == 0) return true;
    if (ends(&w->f->blocks[0])) return false;
    reach(w, 0, at);
    for (uint32_t b = 0; b < w->f->nblocks; b++)
        if (w->reached[b] && ends(&w->f->blocks[b])) return false;
    return true;
}

struct stand {
    uint32_t block, at;
};

static bool find(const struct wg_ir_func *f, uint32_t id, struct stand *out) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (f->blocks[b].instrs[i].id == id) {
                *out = (struct stand){b, i};
                return true;
            }
    return false;
}

/* A place in block `at`: after a, before b, and no thread passes it twice. */
static bool is_between(struct way *w, uint32_t at, const struct stand *a, const struct stand *b) {
    if (a->block == at && b->block == at && a->at >= b->at) return false;
    reach(w, at, UINT32_MAX);
    if (w->reached[at] || (a->block != at && w->reached[a->block]) ||
        (b->block != at && !w->reached[b->block]))
        return false;
    return all_come(w, at);
}

bool wg_all_pass_between(const struct wg_ir_func *f, uint32_t a, uint32_t b) {
    struct stand x, y;
    if (f->nblocks > MOST_BLOCKS || a == b || !find(f, a, &x) || !find(f, b, &y)) return false;
    struct way w = {f, wg_xcalloc(f->nblocks + 1, 1), wg_xcalloc(f->nblocks + 1, sizeof(uint32_t))};
    bool any = false;
    for (uint32_t at = 0; at < f->nblocks && !any; at++) any = is_between(&w, at, &x, &y);
    free(w.reached);
    free(w.stack);
    return any;
}

/* Of the kernel itself, whatever was inlined there. */
static const struct wg_ir_loc *outermost(const struct wg_ir_module *m, uint32_t loc) {
    if (!loc || loc >= m->nlocs) return NULL;
    while (m->locs[loc].inlined_at && m->locs[loc].inlined_at < m->nlocs) loc = m->locs[loc].inlined_at;
    return &m->locs[loc];
}

const char *wg_barrier_between(struct wg_arena *arena, const struct wg_ir_module *m,
                               const struct wg_check_site *a, const struct wg_check_site *b,
                               const char *barrier) {
    if (!a->instr || !b->instr || a->func != b->func || !m->funcs[a->func].entry) return NULL;
    const struct wg_ir_loc *first = outermost(m, a->instr->loc), *second = outermost(m, b->instr->loc);
    if (!first || !second || !first->file || !second->file || strcmp(first->file, second->file) != 0)
        return NULL;
    if (first->line > second->line) return wg_barrier_between(arena, m, b, a, barrier);
    if (first->line == second->line || !first->line) return NULL;
    if (!wg_all_pass_between(&m->funcs[a->func], a->instr->id, b->instr->id)) return NULL;
    return wg_arena_printf(
        arena, "A %s between line %u and line %u%s would order them", barrier, first->line, second->line,
        second->line == first->line + 1 ? "" : ", at a point that all threads of the block reach,");
}
