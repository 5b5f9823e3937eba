/* See links.h. */
#include "report/links.h"
#include "report/estimate.h"
#include "report/figure.h"
#include "report/light.h"
#include <math.h>

enum { SECTOR = 32 };

static const struct wg_chip *chip_of(const struct wg_profile *p, uint32_t device) {
    return device < p->device_count ? wg_chip_find(p->devices[device].name) : NULL;
}

static bool is_known(const struct wg_profile *p, uint32_t one, uint32_t other) {
    return wg_link_is_known(chip_of(p, one), chip_of(p, other));
}

/* ---- Launches ---------------------------------------------------------------------------------------------
 */

static struct wg_link_row *row_of(struct wg_links *o, uint32_t device, uint32_t peer) {
    uint32_t i = 0;
    while (i < o->n && (o->v[i].peer != peer || o->v[i].device != device)) i++;
    if (i == WG_LINKS_MOST) return NULL;
    if (i == o->n) o->v[o->n++] = (struct wg_link_row){.device = device, .peer = peer, .launches = 1};
    return &o->v[i];
}

static void add_site(struct wg_link_row *r, const struct wg_touched_site *t, const struct wg_counts *c,
                     double trips_of_load) {
    double sectors = (double)c->v[WG_C_sectors], lines = (double)c->v[WG_C_tags];
    struct wg_link_use *u = &r->use;
    switch (t->sort) {
    case WG_TOUCHES_LOADS:
        r->read += sectors * SECTOR;
        u->load_sectors += sectors, u->load_lines += lines;
        u->waits += trips_of_load * (double)c->v[WG_C_requests];
        break;
    case WG_TOUCHES_STORES:
        r->written += sectors * SECTOR;
        u->store_sectors += sectors, u->store_lines += lines;
        break;
    case WG_TOUCHES_ATOMICS:
        r->written += (double)c->v[WG_C_bytes_asked];
        u->atomics += (double)c->v[WG_C_threads];
        u->atomic_sectors += t->sectors;
        break;
    case WG_TOUCHES_NOTHING: break;
    }
}

void wg_links_find(const struct wg_profile *p, const struct wg_launch *l, const struct wg_touched *t,
                   double trips, struct wg_links *out) {
    double loads = 0;
    *out = (struct wg_links){0};
    if (l->device < 0) return;
    for (uint32_t s = 0; s < l->site_count; s++)
        if (t->of[s].sort == WG_TOUCHES_LOADS) loads += (double)l->sites[s].counts.v[WG_C_requests];
    for (uint32_t s = 0; s < l->site_count; s++) {
        const struct wg_profile_allocation *a = wg_profile_allocation_of(p, t->of[s].allocation);
        if (!a || a->device < 0 || a->device == l->device || t->of[s].sort == WG_TOUCHES_NOTHING) continue;
        struct wg_link_row *r = row_of(out, (uint32_t)l->device, (uint32_t)a->device);
        if (r) add_site(r, &t->of[s], &l->sites[s].counts, loads > 0 ? trips / loads : 0);
    }
    for (uint32_t i = 0; i < out->n; i++) {
        struct wg_link_row *r = &out->v[i];
        r->known = is_known(p, r->device, r->peer);
        if (r->known) r->seconds = wg_link_kernel(chip_of(p, r->device), &r->use).seconds;
        out->seconds += r->seconds;
    }
}

const struct wg_link_row *wg_links_of(struct wg_arena *a, const struct wg_summary *s, uint32_t *n) {
    struct wg_link_row *v = NULL;
    *n = 0;
    for (uint32_t i = 0; i < s->launch_count; i++) {
        struct wg_estimate e;
        if (s->launches[i]->device < 0 || !wg_estimate_launch(s->result, s->kernel, s->launches[i], &e))
            continue;
        for (uint32_t k = 0; k < e.links.n; k++) {
            const struct wg_link_row *r = &e.links.v[k];
            uint32_t at = 0;
            if (!v) v = WG_NEW_N(a, struct wg_link_row, WG_LINKS_MOST * WG_LINKS_MOST);
            while (at < *n && (v[at].device != r->device || v[at].peer != r->peer)) at++;
            if (at == *n) {
                v[(*n)++] = *r;
                continue;
            }
            v[at].launches++;
            v[at].read += r->read, v[at].written += r->written;
            v[at].use.atomics += r->use.atomics, v[at].seconds += r->seconds;
        }
    }
    return v;
}

/* ---- Sentences --------------------------------------------------------------------------------------------
 */

static const char *bytes(struct wg_arena *a, double n) {
    return wg_arena_printf(a, "%sB", wg_figure_large(a, n));
}

static const char *time_by_model(struct wg_arena *a, bool known, double moved, double seconds) {
    if (!known) return "there is no model for this link";
    return wg_arena_printf(a, "%s at %sB/s, by %s", wg_figure_time(a, seconds),
                           wg_figure_large(a, seconds > 0 ? moved / seconds : 0), wg_link_source);
}

const char *wg_link_sentence(struct wg_arena *a, const struct wg_link_row *r) {
    const char *atomics =
        r->use.atomics > 0 ? wg_arena_printf(a, ", %s of them by atomics", bytes(a, r->use.atomics * 4)) : "";
    return wg_arena_printf(a, "Link of device %u to device %u: %s read, %s written%s; %s.", r->device,
                           r->peer, bytes(a, r->read), bytes(a, r->written), atomics,
                           time_by_model(a, r->known, r->read + r->written, r->seconds));
}

const char *wg_link_headline(struct wg_arena *a, const struct wg_links *l) {
    const struct wg_link_row *most = &l->v[0];
    for (uint32_t i = 1; i < l->n; i++)
        if (l->v[i].seconds > most->seconds) most = &l->v[i];
    double moved = most->read + most->written;
    return wg_arena_printf(a, "Bound by the link to device %u: %s at %sB/s.", most->peer, bytes(a, moved),
                           wg_figure_large(a, most->seconds > 0 ? moved / most->seconds : 0));
}

bool wg_link_copy_seconds(const struct wg_profile *p, const struct wg_profile_copy *c, double *out) {
    *out = (double)c->count * wg_link_copy((double)c->bytes, c->peer_access);
    return is_known(p, c->from, c->to);
}

static bool same_link(const struct wg_profile_copy *x, const struct wg_profile_copy *y) {
    return x->from == y->from && x->to == y->to && x->peer_access == y->peer_access;
}

const char *wg_link_copies(struct wg_arena *a, const struct wg_profile *p, uint32_t *at) {
    for (; *at < p->copy_count; ++*at) {
        const struct wg_profile_copy *c = &p->copies[*at];
        double seconds = 0, moved = 0, one;
        uint64_t count = 0;
        bool told = false, known = true;
        for (uint32_t i = 0; i < *at; i++) told |= same_link(&p->copies[i], c);
        for (uint32_t i = *at; !told && i < p->copy_count; i++) {
            if (!same_link(&p->copies[i], c)) continue;
            known &= wg_link_copy_seconds(p, &p->copies[i], &one);
            seconds += one, count += p->copies[i].count;
            moved += (double)p->copies[i].count * (double)p->copies[i].bytes;
        }
        if (told) continue;
        ++*at;
        return wg_arena_printf(a, "Device %u to device %u: %s, %s%s; %s.", c->from, c->to,
                               wg_figure_plural(a, count, "copy", "copies"), bytes(a, moved),
                               c->peer_access ? "" : " through the host, for peer access is not enabled",
                               time_by_model(a, known, moved, seconds));
    }
    return NULL;
}
