/* Profiled launches whose blocks can be sorted into classes of blocks that are alike (analysis/alike.h): of each class
 * one block is counted, by code that makes no access to memory, and its counters are multiplied. The launch itself then
 * runs as without a profile, with all forms. */
#include "analysis/alike.h"
#include "analysis/plan.h"
#include "machine/device.h"
#include "machine/here.h"
#include "machine/profile.h"
#include <string.h>

/* Forms of accesses, of which there are none. */
enum {
    NOT_DRY = 1u << WG_FORM_windows | 1u << WG_FORM_combine | 1u << WG_FORM_late_adds |
              1u << WG_FORM_structures | 1u << WG_FORM_shared_lines | 1u << WG_FORM_strided |
              1u << WG_FORM_prefetch | 1u << WG_FORM_stream
};
enum { WRAPS = 32 }; /* bits of an index that could wrap: alike.h */

struct counting {
    struct wg_grid *g;
    const struct wg_alike_class *classes;
};

static void counted_class(void *user, uint32_t i) {
    const struct counting *c = user;
    wg_profile_add_times(c->g, c->classes[i].blocks);
}

static bool may_sort(struct wg_device *dev, const struct wg_launch_order *o, const struct wg_how *how) {
    const struct wg_launch *l = &o->launch;
    pthread_mutex_lock(&l->func->module->lock);
    bool counts = wg_profile_sites(l->func) != NULL;
    pthread_mutex_unlock(&l->func->module->lock);
    return counts && !l->cooperative && o->cluster[0] * o->cluster[1] * o->cluster[2] == 1 &&
           how->opt_level >= 2 && !wg_checks(dev) && !dev->options.schedule.kind && !dev->options.dump &&
           !(dev->memory.used >> WRAPS) && wg_func_generated(l->func, how);
}

static uint32_t find_classes(const struct wg_launch *l, struct wg_alike_class *classes) {
    uint8_t params[WG_PARAM_BYTES];
    struct wg_alike_launch a = {.module = l->func->module->ir, .func = l->func->ir, .params = params};
    memcpy(a.ntid, l->block, sizeof a.ntid);
    memcpy(a.nctaid, l->grid, sizeof a.nctaid);
    return wg_grid_params(l, l->func->ir, params) == WG_OK ? wg_alike_classes(&a, classes) : 0;
}

/* Counts one block of each class. NULL: a block did not come to its end. */
static struct wg_profile *count(struct wg_grid *g, const struct wg_alike_class *classes, uint32_t n) {
    const uint32_t *grid = g->block.nctaid;
    uint64_t units[WG_ALIKE_CLASSES];
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *b = classes[i].block;
        units[i] = b[0] + grid[0] * (b[1] + (uint64_t)grid[1] * b[2]);
    }
    wg_profile_begin_sum(g->profile);
    if (!wg_here_run_units(g, units, n, counted_class, &(struct counting){g, classes})) wg_profile_drop(g);
    struct wg_profile *p = g->profile;
    if (p) wg_profile_end_sum(p);
    g->profile = NULL;
    return p;
}

struct wg_profile *wg_profile_by_classes(struct wg_device *dev, const struct wg_launch_order *o,
                                         uint64_t stream) {
    struct wg_how how = wg_how_asked(&dev->options);
    struct wg_alike_class classes[WG_ALIKE_CLASSES];
    enum wg_status status;
    uint32_t n = may_sort(dev, o, &how) ? find_classes(&o->launch, classes) : 0;
    how.dry = true;
    how.forms_off |= NOT_DRY;
    struct wg_grid *g = n ? wg_grid_make(dev, o, &how, &status) : NULL;
    if (!g) return NULL;
    g->dry = true;
    g->block.services = &wg_dry_services;
    g->job.alone = true;
    wg_profile_begin(g, stream);
    struct wg_profile *p = g->profile ? count(g, classes, n) : NULL;
    wg_grid_release(g);
    return p;
}
