/* Stray reports: what a launch that has ended reports of its strays, and of its stores past the end of shared
 * memory, each place in the source once. */
#include "machine/device.h"
#include "machine/overrun.h"
#include "machine/stray.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 16 }; /* of units, to find places; each may take as long as this */

static bool is_known(struct wg_strays_told *s, uint64_t code) {
    for (uint32_t i = 0; i < s->ncode; i++)
        if (s->code[i] == code) return s->times[i]++ >= WG_STRAY_LOOKS;
    if (s->ncode == WG_STRAYS_TOLD) return false;
    s->code[s->ncode] = code;
    s->times[s->ncode++] = 1;
    return false;
}

static void tell(struct wg_grid *g, const struct wg_stray_place *p) {
    struct wg_strays_told *s = wg_strays_told(&g->dev->memory);
    char *text = wg_stray_text(g, p, s->ntold == 0);
    size_t place = strcspn(text, "\n"); /* its first line: where in the source, and in which kernel */
    bool known = s->ntold == WG_STRAYS_TOLD;
    for (uint32_t i = 0; i < s->ntold && !known; i++)
        known = strlen(s->told[i]) == place && !memcmp(s->told[i], text, place);
    if (!known) {
        s->told[s->ntold] = strndup(text, place);
        if (s->told[s->ntold]) s->ntold++;
        if (g->dev->options.on_notice) g->dev->options.on_notice(text);
    }
    free(text);
}

/* Of places in one unit, each; `unknown` if there are none. */
static void tell_found(struct wg_grid *g, struct wg_stray_places *found,
                       const struct wg_stray_place *unknown) {
    for (uint32_t k = 0; k < found->n; k++) tell(g, &found->v[k]);
    if (!found->n) tell(g, unknown);
    free(found->v);
}

static void tell_strays(struct wg_grid *g) {
    struct wg_strays_told *s = wg_strays_told(&g->dev->memory);
    for (uint32_t i = 0; i < g->nstrays; i++) {
        const struct wg_stray_seen *seen = &g->strays[i];
        struct wg_stray_places found = {0};
        if (is_known(s, seen->code) || s->ntold == WG_STRAYS_TOLD) continue;
        if (s->runs++ < MOST_RUNS) wg_replay_strays(g, seen->unit, &found);
        struct wg_stray_place unknown = {.fault = {.kind = WG_FAULT_ADDRESS, .lane = WG_LANES}};
        unknown.fault.address = seen->address;
        memcpy(unknown.block, seen->block, sizeof unknown.block);
        tell_found(g, &found, &unknown);
    }
}

static void tell_overrun(struct wg_grid *g) {
    struct wg_strays_told *s = wg_strays_told(&g->dev->memory);
    struct wg_stray_places found = {0};
    uint64_t unit;
    if (is_known(s, (uint64_t)g->func) || s->ntold == WG_STRAYS_TOLD) return;
    for (uint32_t i = 0; !found.n && (unit = wg_overrun_unit(g, i)) != UINT64_MAX; i++)
        if (s->runs++ < MOST_RUNS) wg_replay_strays(g, unit, &found);
    struct wg_stray_place unknown = {.fault = {.kind = WG_FAULT_ADDRESS, .lane = WG_LANES}};
    unknown.fault.address = g->overrun.at;
    unknown.block[0] = WG_BLOCK_UNKNOWN;
    tell_found(g, &found, &unknown);
}

void wg_stray_launch_ended(struct wg_grid *g) {
    struct wg_strays_told *s = wg_strays_told(&g->dev->memory);
    bool overrun = g->overrun.seen && !g->dev->options.strict;
    if ((g->nstrays || overrun) && g->dev->options.on_notice) {
        pthread_mutex_lock(&s->lock);
        tell_strays(g);
        if (overrun) tell_overrun(g);
        pthread_mutex_unlock(&s->lock);
    }
    if (g->strayed) wg_strays_close(&g->dev->memory);
}
