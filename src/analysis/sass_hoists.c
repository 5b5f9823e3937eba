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

static void find_instrs(struct finder *x, struct wg_arena *a, const bool *branch, const bool *local,
                        uint32_t nlines) {
    const struct wg_sass_func *f = x->w->f;
    uint32_t n = 0;
    x->all = WG_NEW_N(a, struct at_line, f->ninstrs + 1);
    x->first = WG_NEW_N(a, uint32_t, nlines + 1);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = f->blocks[b].from; x->w->alive[b] && i < f->blocks[b].to; i++) {
            const struct wg_sass_instr *in = &f->instrs[i];
            struct at_line one = {in->ptx_line, b, x->w->loop[b], false, false, in->guarded};
            if (!in->ptx_line || in->ptx_line >= nlines) continue;
            one.load =
                wg_sass_loads(in) && (local[in->ptx_line] || !wg_sass_is(in, "LDL")); /* else a spill's */
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

static bool dominates(const struct wg_sass_flow *w, uint32_t above, uint32_t block) {
    while (block != above && block != w->root && w->dominator[block] != NONE) block = w->dominator[block];
    return block == above;
}

/* Whether the line is loaded before the loop, whatever it has in it. */
static bool is_before(const struct finder *x, uint32_t line, uint32_t loop) {
    for (uint32_t i = x->first[line]; i < x->first[line + 1]; i++)
        if (x->all[i].load && !wg_sass_flow_in(x->w, x->all[i].block, loop) &&
            dominates(x->w, x->all[i].block, loop))
            return true;
    return false;
}

/* Whether the line's loads are around a loop that a line `by` of its block is in: what stays, or another load, which is not
 * also before it, for loads move only out of loops. */
static bool is_hoisted(const struct finder *x, uint32_t line, uint32_t by) {
    for (uint32_t i = x->first[by]; i < x->first[by + 1]; i++)
        if (x->all[i].loop != NONE && is_around(x, line, x->all[i].loop) && !is_before(x, by, x->all[i].loop))
            return true;
    return false;
}

/* Whether the line's one load is behind the branch of line `by`, the one at the end of its block, in the same loop. */
static bool is_sunk(const struct finder *x, uint32_t line, uint32_t by) {
    const struct at_line *load = &x->all[x->first[line]], *branch = &x->all[x->first[by]];
    if (x->first[line + 1] != x->first[line] + 1 || x->first[by + 1] != x->first[by] + 1) return false;
    if (!load->load || load->guarded || !branch->stays || load->block == branch->block ||
        load->loop != branch->loop)
        return false;
    return dominates(x->w, branch->block, load->block);
}

/* Whether line `by` of a block stays where no copy of that block is: in no loop, and once; or nowhere in this loop. */
static bool is_apart(const struct finder *x, uint32_t by, uint32_t loop) {
    uint32_t from = x->first[by], to = x->first[by + 1];
    if (loop == NONE) return to == from + 1 && x->all[from].stays && x->all[from].loop == NONE;
    for (uint32_t i = from; i < to; i++)
        if (!x->all[i].stays || wg_sass_flow_in(x->w, x->all[i].block, loop)) return false;
    return to > from;
}

/* Whether the line is loaded and, behind that, again: in a loop in which its block is not, or in another block. */
static bool is_again(const struct finder *x, uint32_t line, uint32_t by) {
    for (uint32_t i = x->first[line]; i < x->first[line + 1]; i++) {
        const struct at_line *again = &x->all[i];
        if (!again->load || again->guarded || !is_apart(x, by, again->loop)) continue;
        if (again->loop != NONE && is_before(x, line, again->loop)) return true;
        for (uint32_t k = x->first[line]; k < x->first[line + 1] && again->loop == NONE; k++)
            if (x->all[k].load && x->all[k].block != again->block &&
                dominates(x->w, x->all[k].block, again->block))
                return true;
    }
    return false;
}

void wg_sass_hoists(struct wg_arena *a, const struct wg_sass_flow *w, const struct wg_sass_placed *v,
                    uint32_t n, uint32_t nlines, enum wg_sass_place *place) {
    struct finder x = {.w = w};
    bool *branch = WG_NEW_N(a, bool, nlines + 1), *local = WG_NEW_N(a, bool, nlines + 1);
    for (uint32_t i = 0; i < n; i++) {
        branch[v[i].ptx_line] |= v[i].branch;
        local[v[i].ptx_line] |= v[i].local;
    }
    find_instrs(&x, a, branch, local, nlines);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && v[end].block == v[i].block;) end++;
        for (uint32_t by = i; by < end; by++)
            for (uint32_t k = i; k < end && x.first[v[by].ptx_line] < x.first[v[by].ptx_line + 1]; k++) {
                uint32_t line = v[k].ptx_line;
                if (is_hoisted(&x, line, v[by].ptx_line) ||
                    (v[by].branch && is_sunk(&x, line, v[by].ptx_line)))
                    place[line] = WG_SASS_MOVED;
                else if (place[line] == WG_SASS_IN_PLACE && is_again(&x, line, v[by].ptx_line))
                    place[line] = WG_SASS_AGAIN;
            }
    }
}
