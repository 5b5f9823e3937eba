/* See slowest.h. */
#include "report/slowest.h"
#include <math.h>

/* How often the slowest warp comes to the block of c. In a function that is called more often than there are warps, each
 * calls it equally often. executed: by site. */
static double turns(const uint64_t *executed, const struct wg_code *c, double warps) {
    double n = (double)executed[c->block];
    if (n <= warps) return n > 0;
    double entering = c->enters == UINT32_MAX ? warps : (double)executed[c->enters];
    return n / (entering > 0 ? fmin(entering, warps) : warps);
}

/* Room for a value by line of the kernel's PTX. */
static void begin_lines(struct wg_slowest *s, const struct wg_profile_kernel *k, struct wg_arena *a) {
    uint32_t last = 0;
    s->first = UINT32_MAX;
    for (uint32_t i = 0; i < k->code_count; i++) {
        uint32_t line = k->code[i].ptx_line;
        if (line < s->first) s->first = line;
        if (line > last) last = line;
    }
    s->lines = last - s->first + 1;
    s->turns = WG_NEW_N(a, double, s->lines);
}

struct wg_slowest wg_slowest_find(const struct wg_profile_kernel *k, const struct wg_launch *l,
                                  struct wg_arena *a) {
    struct wg_slowest s = {.share = 1};
    double threads = l->block[0] * (double)l->block[1] * l->block[2];
    double warps = ceil(threads / 32) * l->grid[0] * l->grid[1] * l->grid[2], all = 0, own = 0;
    if (!k->code_count) return s;
    uint64_t *executed = WG_NEW_N(a, uint64_t, k->site_count + 1);
    for (uint32_t i = 0; i < l->site_count; i++)
        executed[l->sites[i].site] = l->sites[i].counts.v[WG_C_instructions];
    begin_lines(&s, k, a);
    for (uint32_t i = 0; i < k->code_count; i++) {
        double now = turns(executed, &k->code[i], warps);
        s.turns[k->code[i].ptx_line - s.first] = now;
        all += (double)executed[k->code[i].block];
        own += now;
    }
    if (all > 0) s.share = fmax(1, own * warps / all);
    return s;
}

double wg_slowest_turns(const struct wg_slowest *s, uint32_t ptx_line) {
    uint32_t line = ptx_line - s->first;
    return line < s->lines ? s->turns[line] : 0;
}
