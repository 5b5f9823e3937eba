/* Static race elimination for shared memory: which accesses of a launch cannot race: see check_race.h. What
 * follows from the kernel's code alone is known (check/instrument/quiet.h); the pairs of accesses that depend
 * on addresses are tested here for any two threads of a block, with the launch's shape and parameters.
 */
#include "check/instrument/quiet.h"
#include "check/prove/apart_memo.h"
#include "machine/device.h"
#include "machine/watch/check.h"
#include <stdlib.h>
#include <string.h>

struct proving {
    struct wg_apart_memo *memo;
    const struct wg_form_access **of; /* by number */
    uint64_t *quiet;                  /* so far */
};

static bool has(const uint64_t *set, uint32_t id) { return set[id / 64] >> (id % 64) & 1; }

/* Whether the first thread's access and the second's are apart, the second being in the iteration of all loops further
 * out that the first is in, and of this one so many ahead. */
static bool apart_ahead(struct proving *p, const struct wg_quiet_pair *pair, uint32_t nloops, int32_t ahead) {
    struct wg_form_steps steps = {.n = nloops};
    for (uint32_t i = 0; i < nloops; i++) steps.loop[i] = pair->meeting.loop[i];
    if (nloops) steps.ahead[nloops - 1] = ahead;
    return wg_apart_memo_ask(p->memo, p->of[pair->first->id], p->of[pair->second->id], &steps);
}

static bool are_apart(struct proving *p, const struct wg_quiet_pair *pair) {
    const struct wg_meeting *m = &pair->meeting;
    if (!p->of[pair->first->id] || !p->of[pair->second->id]) return false;
    if (m->same && !apart_ahead(p, pair, m->nloops, 0)) return false;
    for (uint32_t k = 0; k < m->nloops; k++)
        if ((m->next[k] && !apart_ahead(p, pair, k + 1, 1)) ||
            (m->last[k] && !apart_ahead(p, pair, k + 1, -1)))
            return false;
    return true;
}

static void look_at(struct proving *p, const struct wg_quiet_pair *pair) {
    uint32_t a = pair->first->id, b = pair->second->id;
    if (!has(p->quiet, a) && !has(p->quiet, b)) return;
    if (are_apart(p, pair)) return;
    p->quiet[a / 64] &= ~(UINT64_C(1) << a % 64);
    p->quiet[b / 64] &= ~(UINT64_C(1) << b % 64);
}

void wg_check_shared_begin(struct wg_grid *g) {
    struct wg_check_launch *c = g->check;
    const struct wg_quiet_pairs *pairs = g->func->module->instrumented->pairs[g->func->index];
    if (!pairs) return;
    const struct wg_forms *forms = wg_check_forms(g);
    struct proving p = {.memo = wg_check_memo(g, WG_FORMS_OF_BLOCK)};
    p.quiet = c->races.quiet = wg_xcalloc(c->nids / 64 + 1, sizeof *p.quiet);
    p.of = wg_xcalloc(c->nids + 1, sizeof *p.of);
    for (uint32_t i = 0; i < forms->naccesses; i++) {
        const struct wg_form_access *a = &forms->accesses[i];
        if (a->space == WG_S_SHARED) p.of[a->instr->id] = a;
    }
    for (uint32_t id = 0; id < c->nids; id++)
        if (c->sites[id].func == g->func->index && c->sites[id].quiet == WG_PERHAPS_QUIET)
            p.quiet[id / 64] |= UINT64_C(1) << id % 64;
    for (uint32_t i = 0; i < pairs->n; i++) look_at(&p, &pairs->v[i]);
    free(p.of);
}

void wg_check_shared_end(struct wg_grid *g) { free(g->check->races.quiet); }

bool wg_check_shared_quiet(const struct wg_grid *g, uint32_t id) {
    const struct wg_check_launch *c = g->check;
    uint8_t quiet = c->sites[id].quiet;
    if (c->sites[id].part_of) id = c->sites[id].part_of->id;
    if (quiet != WG_PERHAPS_QUIET) return quiet == WG_QUIET;
    return (c->races.quiet && has(c->races.quiet, id)) || wg_check_alike_proven(g);
}

void wg_check_shared_windows(const struct wg_grid *g, struct wg_check_window *w) {
    for (uint32_t id = 0; id < g->check->nids && g->check->races.quiet; id++) {
        const struct wg_ir_instr *in = g->check->sites[id].instr;
        if (in && in->space == WG_S_SHARED) w[id].quiet = wg_check_shared_quiet(g, id);
    }
}
