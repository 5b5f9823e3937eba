/* Symbolic forms of a launch's addresses (scev/forms.h): see check_race.h. */
#include "scev/forms.h"
#include "machine/device.h"
#include "machine/watch/check.h"
#include <string.h>

static struct wg_form_facts *facts_of(struct wg_func *f) {
    pthread_mutex_lock(&f->module->lock);
    if (!f->forms) f->forms = wg_form_facts_new(f->module->ir, f->ir);
    struct wg_form_facts *k = f->forms;
    pthread_mutex_unlock(&f->module->lock);
    return k;
}

static struct wg_forms *make(struct wg_grid *g, const uint32_t ntid[3], const uint32_t nctaid[3]) {
    struct wg_form_launch l = {
        .params = g->params, .symbols = g->func->module->symbols, .dynamic_shared = g->block.static_shared};
    memcpy(l.ntid, ntid, sizeof l.ntid);
    memcpy(l.nctaid, nctaid, sizeof l.nctaid);
    return wg_forms_new(facts_of(g->func), &l);
}

struct wg_forms *wg_check_forms_new(struct wg_grid *g, const struct wg_launch *l) {
    return make(g, l->block, l->grid);
}

const struct wg_forms *wg_check_forms(struct wg_grid *g) {
    struct wg_forms **x = &g->check->races.forms;
    if (!*x) *x = make(g, g->block.ntid, g->block.nctaid);
    return *x;
}

void wg_check_forms_forget(struct wg_func *f) { wg_form_facts_free(f->forms); }
