/* See tier.h. */
#include "machine/tier.h"
#include "machine/check.h"
#include "machine/module.h"
#include "machine/profile.h"

enum { TIER_LONG = 4000, TIER_FEW = 64, TIER_LAUNCHES = 4 };

static bool may_be(const struct wg_grid *g) {
    const struct wg_options *o = &g->dev->options;
    return o->first_tier && !o->compile && !o->dump && !o->verified && !o->deterministic &&
           !wg_checks(g->dev) && wg_profile_sites(g->func) == NULL;
}

static uint64_t volume(const uint32_t n[3]) { return (uint64_t)n[0] * n[1] * n[2]; }

/* grid: at most 2^31 blocks along x, 2^16 along the others. */
static bool is_small(const struct wg_launch *l) {
    uint64_t warps = (volume(l->block) + WG_LANES - 1) / WG_LANES;
    return volume(l->grid) <= TIER_FEW && warps * volume(l->grid) <= TIER_FEW;
}

bool wg_tier_is_first(const struct wg_grid *g, const struct wg_launch *l) {
    struct wg_func *f = g->func;
    if (!may_be(g) || !is_small(l) || wg_ir_refused(f->module->ir, f->index, NULL) ||
        atomic_load(&f->by_reference) >= TIER_LAUNCHES || wg_func_instructions(f) <= TIER_LONG ||
        (volume(l->grid) > 1 && wg_adds_floats(f->ir)))
        return false;
    return atomic_fetch_add(&f->by_reference, 1) < TIER_LAUNCHES;
}
