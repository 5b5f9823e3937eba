/* Counting of system calls, where a launch is profiled: what count/system_calls.h says of the lanes' arguments goes to
 * the sites that analysis/sites.h has for the call. */
#include "analysis/sites.h"
#include "base/lanes.h"
#include "count/system_calls.h"
#include "count/tally.h"
#include "machine/device.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 20 };

static void add_text(struct wg_printf_lane *l, uint64_t at) {
    char *text = l->ntexts <= WG_PRINTF_VALUES ? wg_trap_string(at, LONGEST) : NULL;
    if (!text) return;
    l->text[l->ntexts] = at;
    l->length[l->ntexts++] = (uint32_t)strlen(text);
    free(text);
}
static void add_value(void *user, uint32_t number, uint64_t at, uint32_t bytes) {
    struct wg_printf_lane *l = user;
    *(bytes == sizeof(uint32_t) ? &l->words : &l->doubles) += 1;
}
static void add_string(void *user, uint32_t number, uint64_t at) {
    struct wg_printf_lane *l = user;
    l->doubles--; /* its pointer was told as a value of 8 bytes */
    l->strings++;
    if (at) add_text(l, at);
}

static void add(const struct wg_warp *w, uint32_t id, const struct wg_call_cost *c) {
    struct wg_tally *t = w->tally;
    uint32_t first = t->of->memory[id];
    const uint64_t cost[WG_SYSTEM_CALL_SITES][2] = {
        [WG_SYSTEM_CALL_LOADS] = {c->loads, c->load_sectors},
        [WG_SYSTEM_CALL_STORES] = {c->stores, c->store_sectors},
        [WG_SYSTEM_CALL_ATOMICS] = {c->atomics, c->atomic_sectors},
        [WG_SYSTEM_CALL_LOCAL_LOADS] = {0, c->local_load_sectors},
        [WG_SYSTEM_CALL_LOCAL_STORES] = {0, c->local_store_sectors},
    };
    for (uint32_t i = 0; i < WG_SYSTEM_CALL_SITES; i++) {
        t->sites[first + i].counts.v[WG_C_requests] += cost[i][0];
        t->sites[first + i].counts.v[WG_C_l1_sectors] += cost[i][1];
    }
    t->sites[first].counts.v[WG_C_machine_instructions] += c->instructions;
}

void wg_count_printf(const struct wg_warp *w, uint32_t id, uint32_t lanes, const uint64_t format[32],
                     const uint64_t buffer[32]) {
    const uint32_t *n = w->block->nctaid, *t = w->block->ntid;
    bool alone = (uint64_t)n[0] * n[1] * n[2] == 1 && t[0] * t[1] * t[2] <= WG_LANES;
    if (!w->tally) return;
    struct wg_printf_lane *lane = wg_xcalloc(WG_LANES, sizeof *lane);
    WG_EACH_LANE(l, lanes) {
        struct wg_print_reader reader = {&lane[l], add_value, add_string};
        if (!format[l]) continue;
        add_text(&lane[l], format[l]);
        wg_print_read(format[l], buffer[l], &reader);
    }
    struct wg_call_cost cost = wg_printf_cost(lane, lanes, alone);
    add(w, id, &cost);
    free(lane);
}

void wg_count_malloc(const struct wg_warp *w, uint32_t id, uint32_t lanes) {
    struct wg_call_cost cost = wg_malloc_cost(lanes);
    if (w->tally) add(w, id, &cost);
}

void wg_count_free(const struct wg_warp *w, uint32_t id, uint32_t lanes) {
    struct wg_call_cost cost = wg_free_cost(lanes);
    if (w->tally) add(w, id, &cost);
}
