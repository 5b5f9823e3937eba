/* See sass_meetings.h. */
#include "analysis/sass_meetings.h"

#include <string.h>

enum { NONE = WG_SASS_NONE };

struct finder {
    const struct wg_sass_flow *w;
    struct wg_arena a;
    uint32_t *meeting; /* [block] the block with the innermost BSYNC that its lanes go to, or NONE */
    uint32_t *size;    /* [block] blocks on the way to it */
    uint32_t *stack;
    bool *seen;
};

/* The block of the BSSY that says where the lanes meet that end in this BSYNC: the last before it of the same register. */
static uint32_t parting(const struct wg_sass_func *f, uint32_t block) {
    const char *which = strchr(f->instrs[f->blocks[block].to - 1].op, ' ');
    for (uint32_t b = block + 1; which && b-- > 0;)
        for (uint32_t i = f->blocks[b].to; i-- > f->blocks[b].from;) {
            const char *other = strchr(f->instrs[i].op, ' ');
            if (wg_sass_is(&f->instrs[i], "BSSY") && other && !strncmp(other, which, strlen(which))) return b;
        }
    return NONE;
}

/* Notes the meeting of all blocks from the BSSY's on that come to it, where they have no nearer one. */
static void note(struct finder *x, uint32_t from, uint32_t to) {
    const struct wg_sass_func *f = x->w->f;
    uint32_t n = 0, depth = 0;
    memset(x->seen, 0, f->nblocks * sizeof *x->seen);
    x->seen[to] = x->seen[from] = true;
    for (x->stack[depth++] = from; n < depth; n++) {
        const struct wg_sass_block *b = &f->blocks[x->stack[n]];
        for (uint32_t i = 0; i < b->nnext; i++) {
            uint32_t next = b->next[i];
            if (x->seen[next] || !x->w->alive[next]) continue;
            x->seen[next] = true;
            x->stack[depth++] = next;
        }
    }
    for (uint32_t i = 0; i < depth; i++) {
        uint32_t b = x->stack[i];
        if (x->meeting[b] != NONE && x->size[b] <= depth) continue;
        x->meeting[b] = to;
        x->size[b] = depth;
    }
}

/* The branch of the PTX that the block ends in, or NULL. */
static const struct wg_sass_line *branch_of(const struct wg_sass_flow *w, uint32_t block,
                                            const struct wg_sass_line *lines, uint32_t nlines) {
    const struct wg_sass_block *b = &w->f->blocks[block];
    const struct wg_sass_instr *last = &w->f->instrs[b->to - 1];
    if (!w->alive[block] || !last->guarded || !wg_sass_is(last, "BRA") || last->ptx_line >= nlines)
        return NULL;
    const struct wg_sass_line *line = &lines[last->ptx_line];
    return line->branch && line->parted ? line : NULL;
}

void wg_sass_add_meetings(const struct wg_sass_flow *w, const struct wg_sass_line *lines, uint32_t nlines,
                          double *times) {
    const struct wg_sass_func *f = w->f;
    struct finder x = {.w = w};
    double *all = WG_NEW_N(&x.a, double, nlines + 1), *more = WG_NEW_N(&x.a, double, f->nblocks);
    x.meeting = WG_NEW_N(&x.a, uint32_t, f->nblocks);
    x.size = WG_NEW_N(&x.a, uint32_t, f->nblocks);
    x.stack = WG_NEW_N(&x.a, uint32_t, f->nblocks + 1);
    x.seen = WG_NEW_N(&x.a, bool, f->nblocks);
    memset(x.meeting, 0xff, f->nblocks * sizeof *x.meeting);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        bool meets = w->alive[b] && wg_sass_is(&f->instrs[f->blocks[b].to - 1], "BSYNC");
        uint32_t from = meets ? parting(f, b) : NONE;
        if (from != NONE) note(&x, from, b);
        const struct wg_sass_line *line = branch_of(w, b, lines, nlines);
        if (line) all[line - lines] += times[b];
    }
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_sass_line *line = branch_of(w, b, lines, nlines);
        if (line && x.meeting[b] != NONE && all[line - lines] > 0)
            more[x.meeting[b]] += (double)line->parted * times[b] / all[line - lines];
    }
    for (uint32_t b = 0; b < f->nblocks; b++) times[b] += more[b];
    wg_arena_free(&x.a);
}
