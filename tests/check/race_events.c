/* See race_events.h. */
#include "race_events.h"

uint8_t arena[1 << ARENA_BITS] __attribute__((aligned(1 << 16))), shared_memory[16][4096];

static void found(void *user, const struct wg_race_found *f) {
    struct scene *s = user;
    if (s->nfound < FOUND_MOST) s->found[s->nfound++] = *f;
}

void scene_begin(struct scene *s, struct wg_race_shape shape) {
    struct wg_race_options o = {.base = at_arena(0),
                                .bits = ARENA_BITS,
                                .found = found,
                                .most_bytes = s->most_bytes,
                                .filling = s->filling};
    memset(arena, 0, sizeof arena);
    s->nfound = 0;
    s->race = wg_race_new(&o);
    assert_non_null(s->race);
    shape.user = s;
    s->grid = wg_race_begin(s->race, &shape);
}

void scene_next(struct scene *s, struct wg_race_shape shape) {
    wg_race_end(s->grid);
    shape.user = s;
    s->grid = wg_race_begin(s->race, &shape);
}

void scene_end(struct scene *s) {
    if (s->grid) wg_race_end(s->grid);
    wg_race_free(s->race);
    s->grid = NULL;
    s->race = NULL;
}

void does(struct wg_race_block *b, enum wg_race_access_kind access, struct of o) {
    uint64_t address[32], value[32];
    uint64_t base = o.space == WG_RACE_GLOBAL ? at_arena(0) : 0;
    for (uint32_t l = 0; l < 32; l++) {
        address[l] = base + o.from + l * o.stride;
        value[l] = o.value + l * o.value_step;
    }
    struct wg_race_access a = {.warp = o.warp,
                               .site = o.site,
                               .lanes = o.lanes,
                               .space = (uint8_t)o.space,
                               .access = (uint8_t)access,
                               .order = (uint8_t)o.order,
                               .scope = (uint8_t)(o.scope ? o.scope : WG_RACE_GPU),
                               .bytes = (uint8_t)(o.bytes ? o.bytes : 4),
                               .address = address,
                               .value = access == WG_RACE_STORE ? value : NULL};
    wg_race_access(b, &a);
    for (uint32_t l = 0; l < 32 && access == WG_RACE_STORE && o.space == WG_RACE_GLOBAL; l++)
        if (o.lanes >> l & 1) memcpy((void *)(uintptr_t)address[l], &value[l], a.bytes < 8 ? a.bytes : 8);
}

void expect(const struct scene *s, enum wg_race_level level, uint32_t first, uint32_t second, uint32_t n) {
    uint32_t k = 0;
    for (uint32_t i = 0; i < s->nfound; i++)
        k += s->found[i].level == level && s->found[i].first.site == first &&
             s->found[i].second.site == second;
    if (k == n) return;
    for (uint32_t i = 0; i < s->nfound; i++)
        print_message("level %d, sites %u and %u, threads %u.%u and %u.%u\n", s->found[i].level,
                      s->found[i].first.site, s->found[i].second.site, s->found[i].first.warp,
                      s->found[i].first.lane, s->found[i].second.warp, s->found[i].second.lane);
    fail_msg("%u findings of sites %u and %u instead of %u", k, first, second, n);
}

void expect_clean(const struct scene *s) {
    if (s->nfound) expect(s, s->found[0].level, s->found[0].first.site, s->found[0].second.site, 0);
}

void barrier(struct wg_race_block *b, uint32_t warps) {
    uint32_t all[32];
    for (uint32_t i = 0; i < 32; i++) all[i] = i < warps ? UINT32_MAX : 0;
    wg_race_barrier(b, 0, all, all);
}
