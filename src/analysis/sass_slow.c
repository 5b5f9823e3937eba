/* See sass_slow.h. */
#include "analysis/sass_slow.h"

#include <string.h>

enum { NONE = WG_SASS_NONE };

/* The line of the PTX whose slow path a block calls; 0: it calls none that was counted. */
static uint32_t line_of(const struct wg_sass_flow *w, uint32_t b, const struct wg_sass_line *lines,
                        uint32_t nlines) {
    const struct wg_sass_block *blk = &w->f->blocks[b];
    uint32_t line = w->f->instrs[blk->to - 1].ptx_line;
    bool slow = !w->alive[b] && blk->calls && blk->callee != NONE;
    return slow && line < nlines && lines[line].slow[WG_SLOW_ANY] ? line : 0;
}

/* The block whose branch leads to it. */
static uint32_t before(const struct wg_sass_flow *w, uint32_t b) {
    for (uint32_t p = 0; p < w->f->nblocks; p++)
        for (uint32_t i = 0; w->alive[p] && i < w->f->blocks[p].nnext; i++)
            if (w->f->blocks[p].next[i] == b) return p;
    return NONE;
}

/* Of all that the line's branches to slow paths execute, what this one's does: a loop may have been unrolled. */
static double share_of(const struct wg_sass_flow *w, uint32_t line, uint32_t from,
                       const struct wg_sass_line *lines, uint32_t nlines, const double *times) {
    double sum = 0;
    for (uint32_t b = 0; b < w->f->nblocks; b++) {
        uint32_t p = line_of(w, b, lines, nlines) == line ? before(w, b) : NONE;
        if (p != NONE) sum += times[p];
    }
    return sum > 0 ? times[from] / sum : 0;
}

/* Goes on from the call to where all lanes are again. NONE: that is nowhere. */
static uint32_t end_of(const struct wg_sass_flow *w, uint32_t b, double n, double *times) {
    for (uint32_t i = 0; i < w->f->nblocks && !w->alive[b]; i++) {
        times[b] = n;
        if (w->f->blocks[b].nnext != 1) return NONE;
        b = w->f->blocks[b].next[0];
    }
    return w->alive[b] ? b : NONE;
}

void wg_sass_add_slow(const struct wg_sass_flow *w, const struct wg_sass_line *lines, uint32_t nlines,
                      double *times) {
    for (uint32_t b = 0; b < w->f->nblocks; b++) {
        uint32_t line = line_of(w, b, lines, nlines), from = line ? before(w, b) : NONE;
        if (from == NONE) continue;
        const struct wg_sass_block *p = &w->f->blocks[from];
        double share = share_of(w, line, from, lines, nlines, times);
        uint32_t end = end_of(w, b, (double)lines[line].slow[WG_SLOW_ANY] * share, times);
        uint32_t fast = p->nnext == 2 ? p->next[p->next[0] == b] : NONE;
        if (end != NONE && fast != NONE && fast != end && w->nbefore[fast] == 1)
            times[fast] -= (double)lines[line].slow[WG_SLOW_ALL] * share;
        if (end != NONE && wg_sass_is(&w->f->instrs[w->f->blocks[end].from], "BSYNC"))
            times[end] += (double)(lines[line].slow[WG_SLOW_ANY] - lines[line].slow[WG_SLOW_ALL]) *
                          share; /* lanes of both ways arrive */
    }
}

/* ---- The functions ---- */

/* Which branches are taken where the operand is 0, or the numerator alone; where the result is subnormal; where an operand is, or
 * both; and else what is likely: of a division, normal numbers and a normal result, of a root, a negative number. Two ways where the assembler makes a branch
 * or predicates of a choice: the one that the other kind of code cannot be mistaken for is first. NULL: one may be taken
 * or not. */
enum { WAYS = 2 };
struct way {
    const char *name, *of[WG_SLOW_ALL][WAYS]; /* of WG_SLOW_ANY: of the others */
};
#define OTHER  [WG_SLOW_ANY]
#define ZERO   [WG_SLOW_ZERO]
#define SMALL  [WG_SLOW_SMALL]
#define SCALED [WG_SLOW_SCALED]
#define TINY   [WG_SLOW_TINY]
static const struct way ways[] = {
    {"div_rn_noftz_f32_slowpath",
     {ZERO = {"nnnny"}, SMALL = {"ynnnn"}, SCALED = {"nnnnnny"}, TINY = {"nnnnnnnnnn"}, OTHER = {"yy"}}},
    {"div_rn_ftz_f32_slowpath", {ZERO = {"nnnny"}, SMALL = {"yn"}, OTHER = {"yy"}}},
    {"sqrt_rn_f32_slowpath", {ZERO = {"y"}, OTHER = {"ny"}}},
    {"sqrt_rn_ftz_f32_slowpath", {ZERO = {"y"}, OTHER = {"ny"}}},
    {"rcp_rn_f32_slowpath", {ZERO = {"n"}, SMALL = {"yn"}}},
    {"rcp_rn_ftz_f32_slowpath", {ZERO = {"y"}, SMALL = {"nn"}}},
    {"div_rn_f64_full", {ZERO = {"nynnn", "ynnn"}, SMALL = {"nnn", "ynnn"}, OTHER = {"ny", "yny"}}},
    {"dsqrt_rn_f64_mediumpath_v1", {ZERO = {"yy"}, OTHER = {"yny"}}},
    {"dblrcp_rn_slowpath_v3", {ZERO = {"ny"}, SMALL = {"nnn"}}},
};

static const struct way *way_of(const char *callee) {
    size_t n = strlen(callee);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        size_t m = strlen(ways[i].name);
        if (n > m && callee[n - m - 1] == '_' && !strcmp(callee + n - m, ways[i].name)) return &ways[i];
    }
    return NULL;
}

static bool walk(const struct wg_sass_flow *called, const char *taken, double n, double *times) {
    uint32_t b = called->root;
    for (uint32_t i = 0; i < called->f->nblocks; i++) {
        const struct wg_sass_block *blk = &called->f->blocks[b];
        times[b] += n;
        if (blk->exits) return !*taken;
        if (blk->nnext == 0 || blk->nnext > 2 || (blk->nnext == 2 && !*taken)) return false;
        b = blk->next[blk->nnext == 2 && *taken == 'n'];
        taken += blk->nnext == 2;
    }
    return false;
}

/* Adds the blocks on a way. False: none is known, or the function is not as it was known. */
static bool add_way(const struct wg_sass_flow *called, const char *const taken[WAYS], double n,
                    double *times) {
    bool good = false;
    for (int i = 0; i < WAYS && taken[i] && !good; i++) {
        struct wg_arena a = {0};
        double *tried = WG_NEW_N(&a, double, called->f->nblocks + 1);
        good = walk(called, taken[i], n, tried);
        for (uint32_t b = 0; good && b < called->f->nblocks; b++) times[b] += tried[b];
        wg_arena_free(&a);
    }
    return good;
}

bool wg_sass_add_slow_call(const struct wg_sass_flow *w, uint32_t block, const struct wg_sass_flow *called,
                           const struct wg_sass_line *lines, uint32_t nlines, double *times) {
    uint32_t line = line_of(w, block, lines, nlines);
    if (!line) return false;
    double calls = times[block], part = calls / (double)lines[line].slow[WG_SLOW_ANY];
    const struct way *way = way_of(w->f->blocks[block].calls);
    for (int i = WG_SLOW_ANY + 1; way && i < WG_SLOW_ALL; i++) {
        double n = part * (double)lines[line].slow[i];
        if (n > 0 && add_way(called, way->of[i], n, times)) calls -= n;
    }
    if (calls > 0 && !(way && add_way(called, way->of[WG_SLOW_ANY], calls, times)))
        wg_sass_counts_called(called, calls, times);
    return true;
}
