/* Symbolic forms of a launch's addresses (scev/forms.h), and what was proven of them: see check_race.h. A program that
 * launches a kernel again and again changes little: the forms of a function's last launches are kept for those that have
 * their shape, and in the parameters that the forms follow from their values.
 */
#include "check/prove/apart_memo.h"
#include "machine/device.h"
#include "machine/watch/check.h"
#include "scev/forms.h"
#include <stdlib.h>
#include <string.h>

/* A sweep over a matrix has a shape a diagonal, and comes again. Some take 100 KB: a function keeps that many, if its
 * module's have no more than MOST_OF_ALL, and a few in any case. */
enum { MOST_KEPT = 256, MOST_OF_ALL = 1024, FEW_KEPT = 4, WHO = WG_FORMS_OF_BLOCKS + 1 };

struct wg_check_formed {
    struct wg_check_formed *next;
    uint32_t ntid[3], nctaid[3], dynamic_shared;
    uint8_t *params; /* [param_bytes] */
    struct wg_forms *forms;
    struct wg_apart_memo *memo[WHO]; /* [enum wg_form_who]; NULL: nothing was asked */
};

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

/* ---- what is kept ---- */

static void free_formed(struct wg_check_formed *x) {
    for (int i = 0; i < WHO; i++) wg_apart_memo_free(x->memo[i]);
    wg_forms_free(x->forms);
    free(x->params);
    free(x);
}

static bool fits(const struct wg_check_formed *x, const struct wg_grid *g, const uint32_t ntid[3],
                 const uint32_t nctaid[3]) {
    const uint8_t *params = g->params;
    bool same = x->dynamic_shared == g->block.static_shared && !memcmp(x->ntid, ntid, sizeof x->ntid) &&
                !memcmp(x->nctaid, nctaid, sizeof x->nctaid);
    for (uint32_t i = 0; same && i < g->func->ir->param_bytes; i++)
        same = !x->forms->reads[i] || x->params[i] == params[i];
    return same;
}

static void free_all(struct wg_check_formed *x) {
    for (struct wg_check_formed *next; x; x = next) {
        next = x->next;
        free_formed(x);
    }
}

/* NULL: none fits. */
static struct wg_check_formed *find(const struct wg_grid *g, const uint32_t ntid[3],
                                    const uint32_t nctaid[3]) {
    struct wg_check_formed *x = NULL;
    pthread_mutex_lock(&g->func->module->lock);
    for (struct wg_check_formed **at = &g->func->formed; *at && !x; at = &(*at)->next)
        if (fits(*at, g, ntid, nctaid)) {
            x = *at;
            *at = x->next;
            g->func->module->nformed--;
            break;
        }
    pthread_mutex_unlock(&g->func->module->lock);
    return x;
}

struct wg_check_formed *wg_check_forms_take(struct wg_grid *g, const uint32_t ntid[3],
                                            const uint32_t nctaid[3]) {
    uint32_t n = g->func->ir->param_bytes;
    struct wg_check_formed *x = find(g, ntid, nctaid);
    if (x) return x;
    x = wg_xcalloc(1, sizeof *x);
    x->forms = make(g, ntid, nctaid);
    x->params = wg_xmalloc(n + 1);
    x->dynamic_shared = g->block.static_shared;
    memcpy(x->params, g->params, n);
    memcpy(x->ntid, ntid, sizeof x->ntid);
    memcpy(x->nctaid, nctaid, sizeof x->nctaid);
    return x;
}

void wg_check_forms_give(struct wg_grid *g, struct wg_check_formed *x) {
    struct wg_check_formed **at = &g->func->formed;
    struct wg_module *m = g->func->module;
    pthread_mutex_lock(&m->lock);
    x->next = *at;
    *at = x;
    int most = ++m->nformed > MOST_OF_ALL ? FEW_KEPT : MOST_KEPT;
    for (int n = 0; *at && n < most; n++) at = &(*at)->next;
    struct wg_check_formed *old = *at;
    *at = NULL;
    for (struct wg_check_formed *o = old; o; o = o->next) m->nformed--;
    pthread_mutex_unlock(&m->lock);
    free_all(old);
}

struct wg_forms *wg_check_forms_of(const struct wg_check_formed *x) { return x->forms; }

struct wg_apart_memo *wg_check_memo_of(struct wg_check_formed *x, enum wg_form_who who) {
    if (!x->memo[who]) x->memo[who] = wg_apart_memo_new(x->forms, who);
    return x->memo[who];
}

/* ---- of a launch that is checked ---- */

static struct wg_check_formed *formed(struct wg_grid *g) {
    struct wg_check_formed **x = &g->check->races.formed;
    if (!*x) *x = wg_check_forms_take(g, g->block.ntid, g->block.nctaid);
    return *x;
}

const struct wg_forms *wg_check_forms(struct wg_grid *g) { return formed(g)->forms; }

struct wg_apart_memo *wg_check_memo(struct wg_grid *g, enum wg_form_who who) {
    return wg_check_memo_of(formed(g), who);
}

void wg_check_forms_end(struct wg_grid *g) {
    if (g->check->races.formed) wg_check_forms_give(g, g->check->races.formed);
    g->check->races.formed = NULL;
}

void wg_check_forms_forget(struct wg_func *f) {
    free_all(f->formed);
    wg_form_facts_free(f->forms);
}
