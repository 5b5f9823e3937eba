/* See interval_loops.h. All that is asked of the graph is what can be reached without a barrier: from each block,
 * and from each block without another iteration of the outermost loops around it.
 */
#include "check/prove/interval_loops.h"
#include "check/prove/uniform.h"

#include <string.h>

enum { BLOCKS_MOST = 1024 };

struct wg_interval_loops {
    uint32_t nblocks;
    uint32_t *depth; /* [block] of the loops around it that have a barrier on every way round */
    uint32_t (*loop)[WG_MEETING_LOOPS]; /* [block] their headers, outermost first */
    /* [block] blocks that can be reached by one branch or more, but not by way of the first headers: so many */
    wg_bits *reach[WG_MEETING_LOOPS + 1];
    wg_bits *last; /* [block] uniform blocks that it may be reached from with no other in between; itself */
};

struct flood {
    const struct wg_ir_func *f;
    const uint32_t *behind;
    uint32_t *todo;
};

/* Adds what can be reached from `from` to `seen`; goes into blocks in `stop`, but no further, or, if `shut`, not at all. */
static void flood(const struct flood *x, uint32_t from, wg_bits seen, const uint64_t *stop, bool shut) {
    uint32_t n = 0;
    x->todo[n++] = from;
    while (n) {
        uint32_t b = x->todo[--n];
        if (x->behind[b]) continue;
        for (uint32_t k = 0; k < x->f->blocks[b].nsucc; k++) {
            uint32_t s = x->f->blocks[b].succ[k];
            bool at_stop = wg_bits_has(stop, s);
            if (wg_bits_has(seen, s) || (at_stop && shut)) continue;
            wg_bits_add(seen, s);
            if (!at_stop) x->todo[n++] = s;
        }
    }
}

static wg_bits *new_sets(struct wg_arena *a, uint32_t n) {
    wg_bits *v = WG_NEW_N(a, wg_bits, n);
    for (uint32_t b = 0; b < n; b++) v[b] = wg_bits_new(a, n);
    return v;
}

static void find_chain(struct wg_interval_loops *x, const struct wg_ir_func *f, const uint64_t *uniform,
                       uint32_t block) {
    uint32_t all[64], n = 0;
    for (uint32_t h = f->blocks[block].loop; h != WG_NO_REG && n < 64; h = f->blocks[h].outer)
        if (wg_bits_has(uniform, h) && !wg_bits_has(x->reach[0][h], h)) all[n++] = h;
    while (n && x->depth[block] < WG_MEETING_LOOPS) x->loop[block][x->depth[block]++] = all[--n];
}

struct wg_interval_loops *wg_interval_loops_find(struct wg_arena *a, const struct wg_ir_func *f,
                                                 const uint32_t *behind) {
    uint32_t n = f->nblocks;
    wg_bits uniform = n <= BLOCKS_MOST ? wg_uniform_find(a, f) : NULL;
    if (!uniform || !wg_bits_has(uniform, 0)) return NULL;
    for (uint32_t b = 0; b < n; b++)
        if (behind[b] && !wg_bits_has(uniform, b)) return NULL;
    struct wg_interval_loops *x = WG_NEW(a, struct wg_interval_loops);
    struct flood to = {f, behind, WG_NEW_N(a, uint32_t, n + 1)};
    wg_bits none = wg_bits_new(a, n), headers = wg_bits_new(a, n), ahead = wg_bits_new(a, n);
    x->nblocks = n;
    x->depth = WG_NEW_N(a, uint32_t, n);
    x->loop = (uint32_t(*)[WG_MEETING_LOOPS])WG_NEW_N(a, uint32_t, n *WG_MEETING_LOOPS);
    for (uint32_t d = 0; d <= WG_MEETING_LOOPS; d++) x->reach[d] = new_sets(a, n);
    x->last = new_sets(a, n);
    for (uint32_t b = 0; b < n; b++) flood(&to, b, x->reach[0][b], none, false);
    for (uint32_t b = 0; b < n; b++) {
        find_chain(x, f, uniform, b);
        memset(headers, 0, (n + 63) / 64 * sizeof *headers);
        for (uint32_t d = 1; d <= x->depth[b]; d++) {
            wg_bits_add(headers, x->loop[b][d - 1]);
            flood(&to, b, x->reach[d][b], headers, true);
        }
        if (!wg_bits_has(uniform, b)) continue;
        memset(ahead, 0, (n + 63) / 64 * sizeof *ahead);
        flood(&to, b, ahead, uniform, true);
        wg_bits_add(x->last[b], b);
        WG_BITS_EACH(s, ahead, n) wg_bits_add(x->last[s], b);
    }
    return x;
}

/* Whether b is reached from a by way of the header, which begins the loop's next iteration. */
static bool goes_round(const struct wg_interval_loops *x, uint32_t a, uint32_t b, uint32_t k,
                       uint32_t header) {
    return wg_bits_has(x->reach[k][a], header) && (b == header || wg_bits_has(x->reach[k][header], b));
}

bool wg_interval_loops_meet(const struct wg_interval_loops *x, uint32_t a, uint32_t b,
                            struct wg_meeting *out) {
    uint32_t n = 0;
    *out = (struct wg_meeting){.nloops = 0};
    while (n < x->depth[a] && n < x->depth[b] && x->loop[a][n] == x->loop[b][n]) n++;
    bool any = out->same = wg_bits_has(x->reach[n][a], b) || wg_bits_has(x->reach[n][b], a) ||
                           wg_bits_meet(x->last[a], x->last[b], x->nblocks);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t header = out->loop[k] = x->loop[a][k];
        out->next[k] = goes_round(x, a, b, k, header);
        out->last[k] = goes_round(x, b, a, k, header);
        any |= out->next[k] || out->last[k];
    }
    out->nloops = n;
    return any;
}
