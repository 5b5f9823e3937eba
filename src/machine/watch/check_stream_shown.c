/* Footprints of launches by forms of their addresses, for the check of races between streams and with the host: what follows
 * from its code is not recorded while a kernel runs, but listed, place by place, when somebody asks. */
#include "check/prove/places.h"
#include "check/race/race.h"
#include "machine/watch/check_stream_state.h"
#include "machine/work.h"

enum { SHOWN_MOST = 4096 };

bool wg_check_stream_of_device(const struct wg_grid *g, uint32_t site) {
    const struct wg_race_site *s = site < g->check->nids ? &g->check->races.sites[site] : NULL;
    return s && s->scope != WG_RACE_SYS && s->order != WG_RACE_VOLATILE && s->order != WG_RACE_VOLATILE_DATA;
}

struct showing {
    struct wg_stream_work *to;
    const struct wg_check_shown *s;
};

static uint32_t number_of(const uint32_t at[3], const uint32_t n[3]) {
    return at[0] + n[0] * (at[1] + n[1] * at[2]);
}

static void add_place(void *user, const struct wg_form_place *p) {
    const struct showing *x = user;
    const struct wg_check_asked *k = x->to->user;
    struct wg_touched t = {.from = p->from,
                           .to = p->to,
                           .mask = UINT32_MAX,
                           .unit = 1,
                           .access = x->s->access,
                           .strong = x->s->access == WG_RACE_ATOMIC,
                           .of_device = x->s->of_device,
                           .site = x->s->id,
                           .thread = number_of(p->tid, k->threads),
                           .block = number_of(p->ctaid, k->blocks)};
    wg_stream_work_touched(x->to, &t);
}

static void add_shown(struct wg_stream_work *to, struct wg_check_shown *list) {
    for (const struct wg_check_shown *s = list; s; s = s->next)
        wg_form_each_place(s->extent, add_place, &(struct showing){to, s});
    wg_check_shown_free(list);
}

void wg_check_stream_shown(struct wg_grid *g, struct wg_check_shown *s) {
    struct wg_check_streams *c = g->dev->check_streams;
    struct wg_stream_work *x = g->work->stream_work;
    for (struct wg_check_shown *i = s; i; i = i->next) i->of_device = wg_check_stream_of_device(g, i->id);
    if (!c || !x || !s) {
        wg_check_shown_free(s);
        return;
    }
    pthread_mutex_lock(&c->lock);
    if (c->several) {
        add_shown(x, s);
    } else if (c->nshown < SHOWN_MOST) {
        c->nshown++;
        ((struct wg_check_asked *)x->user)->shown = s;
    } else {
        if (x->number > c->vague) c->vague = x->number;
        wg_check_shown_free(s);
    }
    pthread_mutex_unlock(&c->lock);
}

void wg_check_stream_spread(struct wg_stream_work *w) {
    struct wg_check_asked *k = w->user;
    if (k->shown) k->dev->check_streams->nshown--;
    add_shown(w, k->shown);
    k->shown = NULL;
}
