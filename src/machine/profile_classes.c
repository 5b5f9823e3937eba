/* Profiled launches whose blocks can be sorted into classes of blocks that are alike (analysis/alike.h): of each class
 * one block is counted, by code that makes no access to memory, and its counters are multiplied. The launch itself then
 * runs as without a profile, with all forms.
 * Launches like earlier ones have their counters (profile_known.c). */
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

/* All that sorting and counting depend on. False: the parameters are wrong. */
static bool find_key(const struct wg_launch *l, uint8_t params[WG_PARAM_BYTES], struct wg_strbuf *key) {
    memset(params, 0, l->func->ir->param_bytes);
    if (wg_grid_params(l, l->func->ir, params) != WG_OK) return false;
    wg_strbuf_add(key, (const char *)l->block, sizeof l->block);
    wg_strbuf_add(key, (const char *)l->grid, sizeof l->grid);
    wg_strbuf_add(key, (const char *)&l->dynamic_shared, sizeof l->dynamic_shared);
    wg_strbuf_add(key, (const char *)params, l->func->ir->param_bytes);
    return true;
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

/* NULL: its blocks cannot be sorted, or did not come to their ends. */
static struct wg_profile *count_classes(struct wg_device *dev, const struct wg_launch_order *o,
                                        const uint8_t *params, uint64_t stream) {
    const struct wg_launch *l = &o->launch;
    struct wg_how how = wg_how_asked(&dev->options);
    struct wg_alike_launch a = {.module = l->func->module->ir, .func = l->func->ir, .params = params};
    struct wg_alike_class classes[WG_ALIKE_CLASSES];
    enum wg_status status;
    memcpy(a.ntid, l->block, sizeof a.ntid);
    memcpy(a.nctaid, l->grid, sizeof a.nctaid);
    uint32_t n = wg_alike_classes(&a, classes);
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

struct wg_profile *wg_profile_by_classes(struct wg_device *dev, const struct wg_launch_order *o,
                                         uint64_t stream) {
    struct wg_how how = wg_how_asked(&dev->options);
    struct wg_func *f = o->launch.func;
    uint8_t params[WG_PARAM_BYTES];
    struct wg_strbuf key = {0};
    struct wg_profile *p = NULL;
    if (!may_sort(dev, o, &how)) return NULL;
    if (find_key(&o->launch, params, &key) && !wg_profile_known(f, &key, stream, &p)) {
        p = count_classes(dev, o, params, stream);
        wg_profile_keep(f, &key, p);
    }
    wg_strbuf_free(&key);
    return p;
}
