/* See sass_hoists.h. */
#include "analysis/sass_hoists.h"

#include <stdlib.h>

enum { NONE = WG_SASS_NONE };

/* An instruction of the machine code at its line. */
struct at_line {
    uint32_t line, block, loop; /* the innermost loop that it is in */
    bool load, stays, guarded;
};

struct finder {
    const struct wg_sass_flow *w;
    struct at_line *all; /* by line */
    uint32_t *first;     /* [line]: its first; those of the last end at first[nlines] */
};

/* What ptxas moves out of no loop, and behind no branch. */
static bool stays(const struct wg_sass_instr *in, bool branch) {
    static const char *const names[] = {"ATOM", "ATOMG", "ATOMS", "RED", "REDG", "BAR"};
    if (branch) return in->guarded && (wg_sass_is(in, "BRA") || wg_sass_is(in, "EXIT"));
    if (wg_sass_stores(in)) return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wg_sass_is(in, names[i])) return true;
    return false;
}

static int by_line(const void *a, const void *b) {
    const struct at_line *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

static void find_instrs(struct finder *x, struct wg_arena *a, const bool *branch, uint32_t nlines) {
    const struct wg_sass_func *f = x->w->f;
    uint32_t n = 0;
    x->all = WG_NEW_N(a, struct at_line, f->ninstrs + 1);
    x->first = WG_NEW_N(a, uint32_t, nlines + 1);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = f->blocks[b].from; x->w->alive[b] && i < f->blocks[b].to; i++) {
            const struct wg_sass_instr *in = &f->instrs[i];
            struct at_line one = {in->ptx_line, b, x->w->loop[b], wg_sass_loads(in), false, in->guarded};
            if (!in->ptx_line || in->ptx_line >= nlines) continue;
            one.stays = stays(in, branch[in->ptx_line]);
            if (one.load || one.stays) x->all[n++] = one;
        }
    if (n) qsort(x->all, n, sizeof *x->all, by_line);
    for (uint32_t line = 0, i = 0; line <= nlines; line++) {
        while (i < n && x->all[i].line < line) i++;
        x->first[line] = i;
    }
}

/* Whether all loads of the line are around the loop, and none is in it. */
static bool is_around(const struct finder *x, uint32_t line, uint32_t loop) {
    uint32_t loads = 0;
    for (uint32_t i = x->first[line]; i < x->first[line + 1]; i++) {
        uint32_t own = x->all[i].loop;
        if (!x->all[i].load) continue;
        loads++;
        if (own == loop || !wg_sass_flow_in(x->w, loop, own)) return false;
    }
    return loads > 0;
}

/* Whether the line's loads are around a loop that a line `by` of its block is in: what stays, or another load, for loads
 * move only out of loops. */
static bool is_hoisted(const struct finder *x, uint32_t line, uint32_t by) {
    for (uint32_t i = x->first[by]; i < x->first[by + 1]; i++)
        if (x->all[i].loop != NONE && is_around(x, line, x->all[i].loop)) return true;
    return false;
}

/* Whether the line's one load is behind the branch of line `by`, the one at the end of its block, in the same loop. */
static bool is_sunk(const struct finder *x, uint32_t line, uint32_t by) {
    const struct at_line *load = &x->all[x->first[line]], *branch = &x->all[x->first[by]];
    if (x->first[line + 1] != x->first[line] + 1 || x->first[by + 1] != x->first[by] + 1) return false;
    if (!load->load || load->guarded || !branch->stays || load->block == branch->block ||
        load->loop != branch->loop)
        return false;
    uint32_t b = load->block;
    while (b != branch->block && b != x->w->root && x->w->dominator[b] != NONE) b = x->w->dominator[b];
    return b == branch->block;
}

void wg_sass_hoists(struct wg_arena *a, const struct wg_sass_flow *w, const struct wg_sass_placed *v,
                    uint32_t n, uint32_t nlines, bool *hoisted) {
    struct finder x = {.w = w};
    bool *branch = WG_NEW_N(a, bool, nlines + 1);
    for (uint32_t i = 0; i < n; i++) branch[v[i].ptx_line] |= v[i].branch;
    find_instrs(&x, a, branch, nlines);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && v[end].block == v[i].block;) end++;
        for (uint32_t by = i; by < end; by++)
            for (uint32_t k = i; k < end && x.first[v[by].ptx_line] < x.first[v[by].ptx_line + 1]; k++)
                hoisted[v[k].ptx_line] |= is_hoisted(&x, v[k].ptx_line, v[by].ptx_line) ||
                                          (v[by].branch && is_sunk(&x, v[k].ptx_line, v[by].ptx_line));
    }
}
