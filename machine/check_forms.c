/* Forms of a launch's addresses (check/forms.h): see check_race.h. */
#include "check/forms.h"
#include "machine/check.h"
#include "machine/device.h"
#include <string.h>

static struct wg_form_facts *facts_of(struct wg_func *f) {
    pthread_mutex_lock(&f->module->lock);
    if (!f->forms) f->forms = wg_form_facts_new(f->module->ir, f->ir);
    struct wg_form_facts *k = f->forms;
    pthread_mutex_unlock(&f->module->lock);
    return k;
}

const struct wg_forms *wg_check_forms(struct wg_grid *g) {
    struct wg_forms **x = &g->check->races.forms;
    const struct wg_block *b = &g->block;
    if (*x) return *x;
    struct wg_form_launch l = {
        .params = g->params, .symbols = g->func->module->symbols, .dynamic_shared = b->static_shared};
    memcpy(l.ntid, b->ntid, sizeof l.ntid);
    memcpy(l.nctaid, b->nctaid, sizeof l.nctaid);
    return *x = wg_forms_new(facts_of(g->func), &l);
}

void wg_check_forms_forget(struct wg_func *f) { wg_form_facts_free(f->forms); }
