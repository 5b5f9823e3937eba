/* Threads that wait for an mbarrier do so by testing it again and again. A unit whose threads have done
 * nothing else for a long while, each in a loop that has nothing else in it, waits for ever: only its own
 * threads could arrive, and all copies that were asked for have been made. */
#include "machine/check.h"
#include "machine/grid.h"
#include <stdlib.h>
#include <string.h>

/* Tests in vain of each warp; of one with lanes that neither test nor wait, and may have a long way to go. */
enum { LONG = 100 * 1000, VERY_LONG = 10 * 1000 * 1000 };

struct spinning { /* a warp */
    uint32_t tests, lanes;
    uint32_t site[WG_LANES], place[WG_LANES]; /* the test; the mbarrier in the cluster's shared memory */
};
struct wg_check_mbarrier_tests {
    bool any; /* since something else was done */
    struct spinning warp[];
};

static struct spinning *of_warp(const struct wg_cta *c, uint32_t warp) {
    return &c->unit->mbarrier_tests->warp[c->rank * WG_MAX_WARPS + warp];
}

void wg_check_mbarrier_tests_end(const struct wg_unit *u) {
    struct wg_check_mbarrier_tests *s = u->mbarrier_tests;
    if (!s || !s->any) return;
    s->any = false;
    for (uint32_t i = 0; i < u->shape.nctas * WG_MAX_WARPS; i++) s->warp[i].tests = s->warp[i].lanes = 0;
}

void wg_check_mbarrier_tested(struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *over,
                              const uint64_t *at) {
    struct wg_cta *c = w->machine;
    struct wg_unit *u = c->unit;
    const struct wg_check_site *site = &u->grid->check->sites[id];
    bool in_vain = site->spins;
    for (uint32_t m = lanes; m; m &= m - 1) in_vain &= !(over[__builtin_ctz(m)] & 1);
    if (!in_vain) {
        wg_check_mbarrier_tests_end(u);
        return;
    }
    if (!u->mbarrier_tests)
        u->mbarrier_tests = wg_xcalloc(1, sizeof *u->mbarrier_tests + u->shape.nctas * WG_MAX_WARPS *
                                                                          sizeof *u->mbarrier_tests->warp);
    struct spinning *s = of_warp(c, w->id);
    u->mbarrier_tests->any = true;
    s->tests++;
    s->lanes |= lanes;
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        uint64_t address = at[l] + (uint64_t)site->instr->offset;
        bool shared = site->instr->space == WG_S_SHARED || site->instr->space == WG_S_CLUSTER;
        s->site[l] = id;
        s->place[l] = (uint32_t)(shared ? address : address - (uint64_t)w->block->cluster_shared);
    }
}

static bool waits_for_ever(const struct wg_warp *w, const struct spinning *s) {
    uint32_t idle = w->live & ~s->lanes;
    for (uint32_t i = 0; i < w->nwait; i++) idle &= ~w->wait[i].lanes;
    return s->tests > (idle ? VERY_LONG : LONG);
}

static void become_waits(struct wg_warp *w, const struct spinning *s) {
    const struct wg_cta *c = w->machine;
    for (uint32_t left = s->lanes & w->live; left && w->nwait < WG_MAX_WAITS;) {
        uint32_t first = (uint32_t)__builtin_ctz(left), lanes = 0;
        for (uint32_t m = left; m; m &= m - 1) {
            uint32_t l = (uint32_t)__builtin_ctz(m);
            if (s->site[l] == s->site[first] && s->place[l] == s->place[first]) lanes |= 1u << l;
        }
        left &= ~lanes;
        w->wait[w->nwait++] = (struct wg_wait){.kind = WG_WAIT_MBARRIER,
                                               .lanes = lanes,
                                               .site = s->site[first],
                                               .loc = c->unit->grid->check->sites[s->site[first]].instr->loc,
                                               .result = s->place[first]};
    }
}

bool wg_check_mbarrier_waits_for_ever(struct wg_unit *u) {
    bool all = u->mbarrier_tests && u->mbarrier_tests->any;
    for (uint32_t k = 0; k < u->shape.nctas && all; k++)
        for (uint32_t i = 0; i < u->ctas[k].nwarps && all; i++)
            all = u->ctas[k].state[i] != WG_WS_RUN ||
                  waits_for_ever(&u->ctas[k].warps[i], of_warp(&u->ctas[k], i));
    for (uint32_t k = 0; k < u->shape.nctas && all; k++)
        for (uint32_t i = 0; i < u->ctas[k].nwarps; i++)
            if (u->ctas[k].state[i] == WG_WS_RUN) become_waits(&u->ctas[k].warps[i], of_warp(&u->ctas[k], i));
    return all;
}

void wg_check_mbarrier_tests_free(struct wg_unit *u) {
    free(u->mbarrier_tests);
    u->mbarrier_tests = NULL;
}
