/* See sass_counts.h. */
#include "analysis/sass_counts.h"
#include "analysis/sass_meetings.h"
#include "analysis/sass_slow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = WG_SASS_NONE, STRONG = 10 };

/* Copies of a line's instructions in a class of blocks. */
struct copies {
    uint32_t line, class, n, weight;
};

struct solver {
    const struct wg_sass_flow *w;
    const struct wg_sass_line *lines;
    uint32_t nlines;
    struct wg_arena a;
    WG_VEC(struct copies) all; /* by line */
    double *x;                 /* [class] */
    bool *known;               /* [class] */
    bool *parts;               /* [line]: its instructions are in several blocks, with a branch of its own */
    bool *unrolled;            /* [class]: most lines have several copies in it */
};

/* ---- What stands where ---- */

/* What ptxas leaves where it was, once for each time that it is executed. */
static bool is_fixed(const struct wg_sass_instr *in) {
    static const char *const names[] = {
        "LDG", "STG",  "LD",   "ST",    "LDS",  "STS",  "ATOM",   "ATOMG", "ATOMS",  "RED",       "REDG",
        "BAR", "SHFL", "VOTE", "MATCH", "LDSM", "STSM", "LDGSTS", "SYNCS", "MEMBAR", "NANOSLEEP", "REDUX"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wg_sass_is(in, names[i])) return true;
    return false;
}
/* Where lanes part and meet, which is at the line of whatever stands before it. */
static bool is_of_lanes(const struct wg_sass_instr *in) {
    return wg_sass_is(in, "BSSY") || wg_sass_is(in, "BSYNC");
}
static bool is_branch(const struct wg_sass_instr *in) {
    return in->guarded && (wg_sass_is(in, "BRA") || wg_sass_is(in, "EXIT") || wg_sass_is(in, "BRX"));
}

/* Of an unrolled loop's question how many turns are left: it may have the line of whatever stands before it, too. */
static bool is_comparison(const struct wg_sass_instr *in) {
    return wg_sass_is(in, "ISETP") || wg_sass_is(in, "UISETP") || wg_sass_is(in, "PLOP3") ||
           wg_sass_is(in, "UPLOP3");
}

/* Constants and copies are made wherever there is room, at the line of what needs them first. */
static bool is_move(const struct wg_sass_instr *in) {
    static const char *const names[] = {"LDC", "ULDC", "R2UR", "MOV", "UMOV", "IMAD.MOV"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wg_sass_is(in, names[i])) return true;
    return false;
}

struct seen {
    uint32_t line, class, weight, length;
    const char *op;
};

static int by_place(const void *a, const void *b) {
    const struct seen *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->class != y->class) return x->class < y->class ? -1 : 1;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    size_t n = x->length < y->length ? x->length : y->length;
    int order = strncmp(x->op, y->op, n);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

static uint32_t weigh(const struct solver *s, const struct wg_sass_instr *in) {
    const struct wg_sass_line *line = &s->lines[in->ptx_line];
    if (is_of_lanes(in) || is_move(in) || (is_comparison(in) && !line->test)) return 0;
    if (line->branch) return is_branch(in) ? STRONG + 1 : 0;
    if (is_branch(in) || (in->guarded && !line->guarded)) return 0;
    return is_fixed(in) ? STRONG : 1;
}

/* Leaves of each line what weighs most; of instructions that become several, as many copies as there can be. */
static void tidy_copies(struct solver *s) {
    uint32_t kept = 0;
    for (uint32_t i = 0, end; i < s->all.n; i = end) {
        uint32_t most = 0, common = 0, first = kept;
        for (end = i; end < s->all.n && s->all.v[end].line == s->all.v[i].line; end++)
            if (s->all.v[end].weight > most) most = s->all.v[end].weight;
        for (uint32_t k = i; k < end; k++) {
            if (s->all.v[k].weight != most) continue;
            s->all.v[kept] = s->all.v[k];
            uint32_t a = common, b = s->all.v[kept++].n;
            while (b) {
                uint32_t t = a % b;
                a = b, b = t;
            }
            common = a;
        }
        for (uint32_t k = first; k < kept && s->lines[s->all.v[k].line].several; k++) s->all.v[k].n /= common;
    }
    s->all.n = kept;
}

/* Of each line and class the copies: the fewest of an opcode, of the weightiest instructions. */
static void find_copies(struct solver *s) {
    const struct wg_sass_func *f = s->w->f;
    struct seen *seen = WG_NEW_N(&s->a, struct seen, f->ninstrs + 1);
    uint32_t n = 0;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = f->blocks[b].from; s->w->alive[b] && i < f->blocks[b].to; i++) {
            const struct wg_sass_instr *in = &f->instrs[i];
            if (!in->ptx_line || in->ptx_line >= s->nlines || !s->lines[in->ptx_line].known) continue;
            uint32_t weight = weigh(s, in);
            s->parts[in->ptx_line] |= is_branch(in) && !s->lines[in->ptx_line].branch;
            if (weight)
                seen[n++] = (struct seen){in->ptx_line, s->w->class[b], weight,
                                          (uint32_t)strcspn(in->op, " "), in->op};
        }
    qsort(seen, n, sizeof *seen, by_place);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && !by_place(&seen[i], &seen[end]);) end++;
        struct copies *last = s->all.n ? &s->all.v[s->all.n - 1] : NULL;
        if (!last || last->line != seen[i].line || last->class != seen[i].class)
            *WG_PUSH(&s->all) = (struct copies){seen[i].line, seen[i].class, end - i, seen[i].weight};
        else if (last->weight == seen[i].weight && end - i < last->n)
            last->n = end - i;
    }
    tidy_copies(s);
}

/* A loop whose turns ptxas has put one after the other in one block, with one branch for all of them. */
static void find_unrolled(struct solver *s) {
    int *more = WG_NEW_N(&s->a, int, s->w->f->nblocks + 1);
    for (uint32_t i = 0; i < s->all.n; i++)
        if (!s->lines[s->all.v[i].line].branch) more[s->all.v[i].class] += s->all.v[i].n > 1 ? 1 : -1;
    for (uint32_t b = 0; b < s->w->f->nblocks; b++) s->unrolled[b] = more[b] > 0;
}

/* The entries of the line that begin at `i`: where they end. */
static uint32_t line_end(const struct solver *s, uint32_t i) {
    uint32_t end = i;
    while (end < s->all.n && s->all.v[end].line == s->all.v[i].line) end++;
    return end;
}
/* Branches are copied where loops are unrolled, and guard what was unrolled: only one by itself says anything, where the rest
 * has no copies either. Of what the PTX did not execute, no copy was. */
static bool is_asked(const struct solver *s, uint32_t i, uint32_t end, bool weak) {
    uint32_t weight = 0;
    for (uint32_t k = i; k < end; k++) weight = s->all.v[k].weight > weight ? s->all.v[k].weight : weight;
    if (!s->lines[s->all.v[i].line].times) return weak ? weight == 1 : weight >= STRONG;
    if (s->lines[s->all.v[i].line].branch)
        return !weak && end == i + 1 && s->all.v[i].n == 1 && !s->unrolled[s->all.v[i].class];
    if ((s->parts[s->all.v[i].line] || s->lines[s->all.v[i].line].test) && end > i + 1) return false;
    return weak ? weight == 1 : weight >= STRONG;
}

/* ---- Votes ---- */

struct ballot {
    uint32_t class, weight;
    double x;
};
typedef WG_VEC(struct ballot) ballots;

static int by_class(const void *a, const void *b) {
    const struct ballot *x = a, *y = b;
    if (x->class != y->class) return x->class < y->class ? -1 : 1;
    return (x->x > y->x) - (x->x < y->x);
}

/* No block runs more often than one that dominates it, but for those of loops. */
static double limit_of(const struct solver *s, uint32_t class) {
    const struct wg_sass_flow *w = s->w;
    for (uint32_t d = class; d != w->root && w->dominator[d] != NONE;) {
        d = w->dominator[d];
        if (s->known[w->class[d]] && wg_sass_flow_in(w, d, w->loop[class])) return s->x[w->class[d]];
    }
    return INFINITY;
}

/* Gives each class that has votes what most of them say. Returns how many. */
static uint32_t elect(struct solver *s, ballots *b, bool limited) {
    uint32_t chosen = 0;
    if (b->n) qsort(b->v, b->n, sizeof *b->v, by_class);
    for (uint32_t i = 0, end; i < b->n; i = end) {
        uint32_t class = b->v[i].class, most = 0;
        double limit = limited ? limit_of(s, class) : INFINITY, best = -1;
        for (end = i; end < b->n && b->v[end].class == class;) {
            uint32_t sum = 0;
            double x = b->v[end].x;
            for (; end < b->n && b->v[end].class == class && b->v[end].x == x; end++) sum += b->v[end].weight;
            if (sum >= most && x <= limit) most = sum, best = x;
        }
        if (best < 0) continue;
        s->x[class] = best;
        s->known[class] = true;
        chosen++;
    }
    b->n = 0;
    return chosen;
}

/* ---- Loops that were unrolled ---- */

/* Copies of a line in one loop, or in a class that is in none. */
struct part {
    uint32_t class, loop, n;
};

/* The loop that the part turns in while its entries' class does not. */
static uint32_t loop_below(const struct wg_sass_flow *w, uint32_t block, uint32_t from) {
    uint32_t h = w->loop[block];
    if (h == NONE || wg_sass_flow_in(w, from, h)) return NONE;
    while (w->outer[h] != NONE && !wg_sass_flow_in(w, from, w->outer[h])) h = w->outer[h];
    return h;
}

static int by_copies(const void *a, const void *b) {
    const struct part *x = a, *y = b;
    if (x->n != y->n) return x->n > y->n ? -1 : 1;
    if ((x->loop == NONE) != (y->loop == NONE)) return x->loop == NONE ? -1 : 1;
    return (x->class > y->class) - (x->class < y->class);
}

/* The nearest class of a known count that dominates all parts; NONE: there is none. */
static uint32_t entry_of(const struct solver *s, const struct part *p, uint32_t n) {
    const struct wg_sass_flow *w = s->w;
    uint32_t d = p[0].class;
    for (bool all = false; !all;) {
        if (d == w->root || w->dominator[d] == NONE) return NONE;
        d = w->dominator[d];
        all = s->known[w->class[d]];
        for (uint32_t i = 0; i < n && all; i++) {
            uint32_t b = p[i].class;
            while (b != d && b != w->root && w->dominator[b] != NONE) b = w->dominator[b];
            all = b == d && w->class[p[i].class] != w->class[d];
        }
    }
    return d;
}

/* Of `turns` of each entry, what the parts take: wide ones first; [part] in `times`. */
static void deal(const struct part *p, uint32_t n, double turns, double share, double *times) {
    for (uint32_t i = 0, end; i < n; i = end) {
        uint32_t width = p[i].n;
        for (end = i + 1; end < n && p[i].loop != NONE && p[end].loop == p[i].loop && p[end].n == p[i].n;)
            width += p[end++].n;
        bool last = end == n, shared = end > i + 1;
        double rounds = p[i].loop == NONE ? fmin(1, floor(turns / width)) : floor(turns / width),
               rest = turns - rounds * width;
        for (uint32_t k = i; k < end; k++) {
            double more = shared && last ? fmin(p[k].n, fmax(0, rest)) / p[k].n : 0;
            times[k] += share * (rounds + more);
            if (shared && last) rest -= p[k].n;
        }
        turns = shared && last ? 0 : rest;
    }
}

static void deal_all(struct solver *s, struct part *p, uint32_t n, double rest) {
    uint32_t entry = entry_of(s, p, n);
    double entries = entry == NONE ? 0 : s->x[s->w->class[entry]];
    double *times = WG_NEW_N(&s->a, double, n + 1);
    for (uint32_t i = 0; i < n; i++) p[i].loop = loop_below(s->w, p[i].class, entry == NONE ? 0 : entry);
    qsort(p, n, sizeof *p, by_copies);
    if (entries > 0 && rest > 0) {
        double turns = rest / entries, less = floor(turns), more = turns - less;
        deal(p, n, less, entries * (1 - more), times);
        if (more > 0) deal(p, n, less + 1, entries * more, times);
    }
    for (uint32_t i = 0; i < n; i++) {
        s->x[p[i].class] = times[i];
        s->known[p[i].class] = true;
    }
}

/* ---- The rounds ---- */

/* What a line says about the classes that are not known yet: those in `p`, how many; and what is left for them. */
static uint32_t unknown_of(const struct solver *s, uint32_t i, uint32_t end, struct part *p, double *rest) {
    uint32_t n = 0;
    *rest = (double)s->lines[s->all.v[i].line].times;
    for (uint32_t k = i; k < end; k++) {
        const struct copies *c = &s->all.v[k];
        if (s->known[c->class])
            *rest -= c->n * s->x[c->class];
        else
            p[n++] = (struct part){c->class, NONE, c->n};
    }
    *rest = fmax(0, *rest);
    return n;
}

static void settle(struct solver *s, bool weak) {
    ballots b = {0};
    struct part *p = WG_NEW_N(&s->a, struct part, s->all.n + 1);
    double rest;
    for (bool more = true, first = true; more; first = false) {
        uint32_t widest = NONE, least = NONE;
        for (uint32_t i = 0, end; i < s->all.n; i = end) {
            end = line_end(s, i);
            if (!is_asked(s, i, end, weak) || (first && end > i + 1)) continue;
            uint32_t n = unknown_of(s, i, end, p, &rest);
            if (n == 1) *WG_PUSH(&b) = (struct ballot){p[0].class, s->all.v[i].weight, rest / p[0].n};
            if (n > 1 && n < least) least = n, widest = i;
        }
        more = elect(s, &b, weak) > 0 || first;
        if (more || widest == NONE) continue;
        uint32_t n = unknown_of(s, widest, line_end(s, widest), p, &rest);
        deal_all(s, p, n, rest);
        more = true;
    }
    free(b.v);
}

/* The way out of a block that ends in a branch inside one instruction of the PTX: an atomic that adds up lanes' values
 * where all of them are active falls into that. NONE: it has no such branch. */
static uint32_t choice(const struct solver *s, uint32_t from) {
    const struct wg_sass_block *blk = &s->w->f->blocks[from];
    const struct wg_sass_instr *last = &s->w->f->instrs[blk->to - 1];
    uint32_t ways = blk->nnext + blk->exits, line = last->ptx_line;
    if (!s->parts || ways != 2 || !is_branch(last) || s->w->loop[from] != s->w->loop[blk->next[0]])
        return NONE;
    if (line >= s->nlines || !s->lines[line].known || s->lines[line].branch) return NONE;
    if (s->lines[line].full) return blk->next[blk->nnext - 1];
    return blk->exits ? s->w->f->nblocks : blk->next[0];
}

/* The header of the loop that a block does nothing but lead into; NONE. */
static uint32_t loop_entered(const struct solver *s, uint32_t b) {
    const struct wg_sass_block *blk = &s->w->f->blocks[b];
    uint32_t h = blk->nnext == 1 && !blk->exits ? blk->next[0] : NONE;
    bool header = h != NONE && s->w->loop[h] == h && !wg_sass_flow_in(s->w, b, h);
    return header && s->known[s->w->class[h]] ? h : NONE;
}

/* A block that nothing is known of and that has only comparisons and branches. */
static bool asks(const struct solver *s, uint32_t b) {
    const struct wg_sass_block *blk = &s->w->f->blocks[b];
    bool only = s->w->alive[b] && !s->known[s->w->class[b]];
    for (uint32_t i = blk->from; i < blk->to && only; i++) {
        const struct wg_sass_instr *in = &s->w->f->instrs[i];
        uint32_t line = in->ptx_line;
        only = is_comparison(in) || (line < s->nlines && (s->lines[line].test || s->lines[line].branch));
    }
    return only;
}

/* How often the branch back to the header `to` at the end of `from` is taken: as often as the header is executed, but for what
 * comes from outside the loop. False: it is no such branch, the loop has several, or those outside are not known. */
static bool turns_back(const struct solver *s, uint32_t from, uint32_t to, double *times) {
    const struct wg_sass_flow *w = s->w;
    if (w->loop[to] != to || !wg_sass_flow_in(w, from, to) || !s->known[w->class[to]]) return false;
    *times = s->x[w->class[to]];
    for (uint32_t i = 0; i < w->nbefore[to]; i++) {
        uint32_t p = w->before[to][i];
        if (p == from) continue;
        if (wg_sass_flow_in(w, p, to) || !s->known[w->class[p]] || w->f->blocks[p].nnext != 1) return false;
        *times -= s->x[w->class[p]];
    }
    return *times >= 0;
}

/* A block that nothing is known of: what comes from those before it. Of two ways out of a block, the other one's count is
 * taken off; else a loop is entered as often as it turned, and where the block that stands next asks how many turns are left,
 * it is executed; else both are as likely. */
static double inflow(const struct solver *s, uint32_t b) {
    const struct wg_sass_flow *w = s->w;
    uint32_t header = loop_entered(s, b);
    double sum = 0;
    for (uint32_t i = 0; i < w->nbefore[b]; i++) {
        uint32_t from = w->before[b][i], ways = 0;
        const struct wg_sass_block *blk = &w->f->blocks[from];
        uint32_t chosen = choice(s, from), next = blk->nnext > 1 ? blk->next[blk->nnext - 1] : NONE;
        double left = s->known[w->class[from]] ? s->x[w->class[from]] : 0;
        for (uint32_t k = 0; k < blk->nnext; k++) {
            uint32_t to = blk->next[k];
            double back = 0;
            bool returns = to != b && turns_back(s, from, to, &back);
            bool taken =
                returns || (to != b && w->alive[to] && w->nbefore[to] == 1 && s->known[w->class[to]]);
            if (taken) left -= returns ? back : s->x[w->class[to]];
            ways += !taken && w->alive[to];
        }
        if (ways > 1 && chosen == NONE && next == from + 1 && asks(s, next)) chosen = next;
        if (chosen != NONE)
            sum += chosen == b ? s->x[w->class[from]] : 0;
        else
            sum += fmax(0, left) / (ways && header == NONE ? ways : 1);
    }
    return fmin(fmin(sum, limit_of(s, b)), header == NONE ? INFINITY : s->x[w->class[header]]);
}

static void fill(struct solver *s) {
    const struct wg_sass_flow *w = s->w;
    for (uint32_t b = 0; b < w->f->nblocks; b++) {
        uint32_t c = w->class[b];
        if (!w->alive[b] || s->known[c]) continue;
        s->x[c] = inflow(s, b);
        s->known[c] = true;
    }
}

/* How far what was found is from what is known, as a part of it. */
static double error(const struct solver *s) {
    double off = 0, all = 0;
    for (uint32_t i = 0, end; i < s->all.n; i = end) {
        end = line_end(s, i);
        if (!is_asked(s, i, end, false) || s->lines[s->all.v[i].line].branch) continue;
        double sum = 0, times = (double)s->lines[s->all.v[i].line].times;
        for (uint32_t k = i; k < end; k++) sum += s->all.v[k].n * s->x[s->all.v[k].class];
        off += fabs(sum - times);
        all += times;
    }
    return all > 0 ? off / all : 0;
}

bool wg_sass_counts(const struct wg_sass_flow *w, const struct wg_sass_line *lines, uint32_t nlines,
                    double entered, double *times) {
    const double MOST = 0.1;
    uint32_t n = w->f->nblocks;
    struct solver s = {.w = w, .lines = lines, .nlines = nlines};
    s.x = WG_NEW_N(&s.a, double, n + 1);
    s.known = WG_NEW_N(&s.a, bool, n + 1);
    s.parts = WG_NEW_N(&s.a, bool, nlines + 1);
    s.unrolled = WG_NEW_N(&s.a, bool, n + 1);
    find_copies(&s);
    find_unrolled(&s);
    if (!isnan(entered)) {
        s.x[w->class[w->root]] = entered;
        s.known[w->class[w->root]] = true;
    }
    settle(&s, false);
    settle(&s, true);
    fill(&s);
    for (uint32_t b = 0; b < n; b++) times[b] = w->alive[b] ? s.x[w->class[b]] : 0;
    bool good = error(&s) <= MOST;
    wg_sass_add_slow(w, lines, nlines, times);
    wg_sass_add_meetings(w, lines, nlines, times);
    free(s.all.v);
    wg_arena_free(&s.a);
    return good;
}

void wg_sass_counts_called(const struct wg_sass_flow *w, double calls, double *times) {
    uint32_t n = w->f->nblocks;
    struct solver s = {.w = w};
    s.x = WG_NEW_N(&s.a, double, n + 1);
    s.known = WG_NEW_N(&s.a, bool, n + 1);
    s.x[w->class[w->root]] = calls;
    s.known[w->class[w->root]] = true;
    fill(&s);
    for (uint32_t b = 0; b < n; b++)
        if (w->alive[b]) times[b] += s.x[w->class[b]];
    wg_arena_free(&s.a);
}
