/* See slowest.h. */
#include "report/slowest.h"
#include <math.h>

struct executed { /* a site's */
    uint64_t instructions, threads;
};

/* How often the slowest warp comes to the block of c. In a function that is called more often than there are warps, each
 * calls it equally often. of: by site. */
static double turns(const struct executed *of, const struct wg_code *c, double warps) {
    double n = (double)of[c->block].instructions;
    if (n <= warps) return n > 0;
    double entering = c->enters == UINT32_MAX ? warps : (double)of[c->enters].instructions;
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

/* Which blocks one warp of each block of threads executes while the others wait for it, as after if (threadIdx.x == 0): one
 * lane always, and, at first, once where the warps before came as often as there are warps in a block. */
struct alone {
    uint32_t block; /* the last one */
    uint64_t before;
    bool is;
};

static bool is_alone(struct alone *a, const struct executed *of, const struct wg_code *c, uint64_t warps) {
    const struct executed *e = &of[c->block];
    if (c->block == a->block || !e->instructions) return a->is && e->instructions;
    if (e->instructions != e->threads)
        a->is = false;
    else if (!a->is)
        a->is = warps > 1 && a->before == e->instructions * warps;
    a->block = c->block, a->before = e->instructions;
    return a->is;
}

struct wg_slowest wg_slowest_find(const struct wg_profile_kernel *k, const struct wg_launch *l,
                                  struct wg_arena *a) {
    struct wg_slowest s = {.share = 1};
    double threads = l->block[0] * (double)l->block[1] * l->block[2];
    double blocks = (double)l->grid[0] * l->grid[1] * l->grid[2], all = 0, own = 0, serial = 0;
    double warps = ceil(threads / 32) * blocks;
    if (!k->code_count) return s;
    struct executed *of = WG_NEW_N(a, struct executed, k->site_count + 1);
    for (uint32_t i = 0; i < l->site_count; i++) {
        const uint64_t *v = l->sites[i].counts.v;
        of[l->sites[i].site] = (struct executed){v[WG_C_instructions], v[WG_C_threads]};
    }
    begin_lines(&s, k, a);
    struct alone alone = {.block = UINT32_MAX};
    for (uint32_t i = 0; i < k->code_count; i++) {
        const struct wg_code *c = &k->code[i];
        double n = (double)of[c->block].instructions;
        bool one = is_alone(&alone, of, c, (uint64_t)(warps / blocks));
        double now = one ? n / blocks : turns(of, c, warps);
        s.turns[c->ptx_line - s.first] = now;
        all += n;
        own += now;
        if (one) serial += now;
    }
    if (all > 0) s.share = fmax(1, own * warps / all);
    double longer = own - all / warps;
    if (serial > 0 && longer > 0) s.in_each_block = fmin(1, serial * (1 - blocks / warps) / longer);
    return s;
}

double wg_slowest_turns(const struct wg_slowest *s, uint32_t ptx_line) {
    uint32_t line = ptx_line - s->first;
    return line < s->lines ? s->turns[line] : 0;
}
