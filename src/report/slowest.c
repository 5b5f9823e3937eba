/* See slowest.h. */
#include "report/slowest.h"
#include <math.h>

/* How often the slowest warp comes to the block of c. In a function that is called more often
 * than there are warps, each calls it equally often. executed: by site. */
static double turns(const uint64_t *executed, const struct wg_code *c, double warps) {
    double n = (double)executed[c->block];
    if (n <= warps) return n > 0;
    double entering = c->enters == UINT32_MAX ? warps : (double)executed[c->enters];
    return n / (entering > 0 ? fmin(entering, warps) : warps);
}

struct wg_slowest wg_slowest_find(const struct wg_profile_kernel *k, const struct wg_launch *l,
                                  struct wg_arena *a) {
    struct wg_slowest s = {.share = 1};
    double threads = l->block[0] * (double)l->block[1] * l->block[2];
    double warps = ceil(threads / 32) * l->grid[0] * l->grid[1] * l->grid[2], all = 0, own = 0;
    if (!k->code_count) return s;
    uint64_t *executed = WG_NEW_N(a, uint64_t, k->site_count + 1);
    s.turns = WG_NEW_N(a, double, k->code_count);
    for (uint32_t i = 0; i < l->site_count; i++)
        executed[l->sites[i].site] = l->sites[i].counts.v[WG_C_instructions];
    for (uint32_t i = 0; i < k->code_count; i++) {
        s.turns[i] = turns(executed, &k->code[i], warps);
        all += (double)executed[k->code[i].block];
        own += s.turns[i];
    }
    if (all > 0) s.share = fmax(1, own * warps / all);
    return s;
}

double wg_slowest_turns(const struct wg_slowest *s, const struct wg_profile_kernel *k, uint32_t ptx_line) {
    if (!s->turns) return 0;
    for (uint32_t i = 0; i < k->code_count; i++)
        if (k->code[i].ptx_line == ptx_line) return s->turns[i];
    return 0;
}
