/* Lane assignment: which threads of a trace share a vector. See trace.h.
 *
 *     dense     threads that are on, packed, or each in the lane of its number
 *     staying   each where its operand is already; two half-empty vectors fit into one
 *
 *         if (t % 2 == 0) v[t] += v[t + 1]     a = v[0] . v[2] . ...    b = v[16] . v[18] . ...
 *         dense                                v[0] v[2] ... v[16] v[18] ...
 *         staying                              v[0] v[16] v[2] v[18] ...
 *
 * The cost is the number of permutations. Where both assignments need as many, fewer lanes move if threads
 * stay, and the results are stored to memory from the lanes where they belong: that is a blend, not a
 * permutation.
 */
#include "jit/trace/trace.h"

#include <string.h>

enum { NEVER = 1 << 20, MOST_HOLDERS = 256 };

struct way {
    struct wg_trace_group *group;
    uint32_t n, permutations, moved; /* moved: lanes of operands */
};

/* ---- dense ---- */

static uint32_t aligned_groups(const struct wg_trace *t, const uint32_t *mask) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->nthreads; i += t->chunk) {
        bool any = false;
        for (uint32_t l = 0; l < t->chunk && i + l < t->nthreads; l++) any |= wg_trace_on(mask, i + l);
        n += any;
    }
    return n;
}

static struct wg_trace_group *begin_group(const struct wg_trace *t, struct wg_trace_group *g) {
    for (uint32_t l = 0; l < t->chunk; l++) g->thread[l] = WG_TRACE_NO_THREAD;
    return g;
}

/* Packs the threads that are on, or, where that saves little, puts each in the lane of its number:
 * neighbours' operands are then mostly in the right lanes. */
uint32_t wg_trace_groups(struct wg_trace *t, const uint32_t *mask, struct wg_trace_group **groups) {
    uint32_t on = 0, n = 0, slot = 0, last = UINT32_MAX;
    for (uint32_t w = 0; w < t->nwarps; w++) on += (uint32_t)__builtin_popcount(mask[w]);
    uint32_t aligned = aligned_groups(t, mask), packed = (on + t->chunk - 1) / t->chunk;
    bool pack = 4 * aligned > 5 * packed;
    *groups = WG_NEW_N(t->a, struct wg_trace_group, (pack ? packed : aligned) + 1);
    for (uint32_t i = 0; i < t->nthreads; i++) {
        if (!wg_trace_on(mask, i)) continue;
        uint32_t group = pack ? slot / t->chunk : i / t->chunk;
        if (group != last) begin_group(t, &(*groups)[n++]);
        last = group;
        (*groups)[n - 1].thread[pack ? slot % t->chunk : i % t->chunk] = i;
        slot++;
    }
    return n;
}

/* ---- staying ---- */

struct holder {
    uint32_t vector, lanes; /* that hold an operand of a thread of the mask... */
    uint32_t thread[WG_TRACE_CHUNK];
};

/* The vectors of an operand, in the order of the threads; 0: a thread has it in no lane, several have it in
 * one lane, or they are too many. */
static uint32_t find_holders(const struct wg_trace *t, const uint32_t *mask, const uint32_t *at,
                             struct holder *h) {
    uint32_t n = 0, k = 0;
    for (uint32_t i = 0; i < t->nthreads; i++) {
        if (!wg_trace_on(mask, i)) continue;
        if (!wg_trace_is_lane(at[i])) return 0;
        uint32_t vector = at[i] / WG_TRACE_CHUNK, lane = at[i] % WG_TRACE_CHUNK;
        if (k >= n || h[k].vector != vector)
            for (k = 0; k < n && h[k].vector != vector;) k++;
        if (k == MOST_HOLDERS) return 0;
        if (k == n) h[n++] = (struct holder){.vector = vector};
        if (h[k].lanes >> lane & 1) return 0;
        h[k].lanes |= 1u << lane;
        h[k].thread[lane] = i;
    }
    return n;
}

static bool is_free(const struct wg_trace *t, const struct wg_trace_group *g, uint32_t lanes,
                    uint32_t turned) {
    for (uint32_t l = 0; l < t->chunk; l++)
        if (lanes >> l & 1 && g->thread[l ^ turned] != WG_TRACE_NO_THREAD) return false;
    return true;
}

/* Into the first group that has lanes for them: their own, or those whose numbers differ by the same bits. */
static bool join_group(const struct wg_trace *t, const struct holder *h, struct wg_trace_group *groups,
                       uint32_t n) {
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t turned = 0; turned < t->chunk; turned++) {
            if (!is_free(t, &groups[k], h->lanes, turned)) continue;
            for (uint32_t l = 0; l < t->chunk; l++)
                if (h->lanes >> l & 1) groups[k].thread[l ^ turned] = h->thread[l];
            return true;
        }
    return false;
}

/* False: more than `most` groups would be needed. */
static bool stay(struct wg_trace *t, const uint32_t *mask, const uint32_t *at, uint32_t most, struct way *w) {
    struct holder h[MOST_HOLDERS];
    uint32_t holders = find_holders(t, mask, at, h);
    w->group = WG_NEW_N(t->a, struct wg_trace_group, holders + 1);
    w->n = 0;
    for (uint32_t k = 0; k < holders; k++) {
        if (join_group(t, &h[k], w->group, w->n)) continue;
        if (w->n == most) return false;
        join_group(t, &h[k], begin_group(t, &w->group[w->n++]), 1);
    }
    return holders > 0;
}

/* ---- which ---- */

/* The cost of moving one operand of a group's threads to their lanes. */
static void weigh_piece(const struct wg_trace *t, const struct wg_trace_group *g, const uint32_t *at,
                        bool is_mask, struct way *w) {
    uint32_t from[WG_TRACE_CHUNK], n = 0, moved = 0;
    for (uint32_t l = 0; l < t->chunk; l++) {
        if (g->thread[l] == WG_TRACE_NO_THREAD || !wg_trace_is_lane(at[g->thread[l]])) continue;
        uint32_t k = 0, vector = at[g->thread[l]] / WG_TRACE_CHUNK;
        while (k < n && from[k] != vector) k++;
        if (k == n) from[n++] = vector;
        moved += at[g->thread[l]] % WG_TRACE_CHUNK != l;
    }
    uint32_t permutations = n > 1 ? n - 1 : moved > 0;
    w->permutations += is_mask && permutations ? NEVER : permutations;
    w->moved += moved;
}

static void weigh(const struct wg_trace *t, const struct wg_trace_operands *o, struct way *w) {
    w->permutations = w->moved = 0;
    for (uint32_t i = 0; i < o->n; i++)
        for (uint32_t k = 0; k < w->n && o->at[i]; k++)
            weigh_piece(t, &w->group[k], o->at[i], o->bits[i] == 1, w);
}

/* Results of one operand are mostly combined with results of another one, and then both are best dense. */
static bool is_better(const struct way *a, const struct way *b, uint32_t operands) {
    if (a->permutations != b->permutations) return a->permutations < b->permutations;
    return operands > 1 && a->moved < b->moved;
}

uint32_t wg_trace_groups_for(struct wg_trace *t, const uint32_t *mask, const struct wg_trace_operands *o,
                             struct wg_trace_group **groups) {
    struct way best = {0}, other;
    uint32_t operands = 0;
    for (uint32_t i = 0; i < o->n; i++) operands += o->at[i] != NULL;
    best.n = wg_trace_groups(t, mask, &best.group);
    weigh(t, o, &best);
    for (uint32_t i = 0; i < o->n && best.permutations; i++) {
        if (!o->at[i] || !stay(t, mask, o->at[i], best.n, &other)) continue;
        weigh(t, o, &other);
        if (is_better(&other, &best, operands)) best = other;
    }
    *groups = best.group;
    return best.n;
}
