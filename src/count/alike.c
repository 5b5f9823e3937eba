/* See alike.h. */
#include "count/alike.h"
#include "base/arena.h"
#include <stdlib.h>

struct wg_alike_first {
    struct wg_hash counters;
    uint32_t position;
    bool taken;
};

static struct wg_alike_first *place_of(const struct wg_alike *s, const struct wg_hash *h) {
    uint32_t i = (uint32_t)(h->a ^ h->b >> 32) & (s->places - 1);
    while (s->first[i].taken && (s->first[i].counters.a != h->a || s->first[i].counters.b != h->b))
        i = (i + 1) & (s->places - 1);
    return &s->first[i];
}

static void grow(struct wg_alike *s) {
    struct wg_alike larger = {.places = s->places ? s->places * 2 : 16, .n = s->n};
    larger.first = wg_xcalloc(larger.places, sizeof *larger.first);
    for (uint32_t i = 0; i < s->places; i++)
        if (s->first[i].taken) *place_of(&larger, &s->first[i].counters) = s->first[i];
    free(s->first);
    *s = larger;
}

bool wg_alike_find(struct wg_alike *s, const struct wg_hash *counters, uint32_t *at) {
    if (s->n * 2 >= s->places) grow(s);
    struct wg_alike_first *f = place_of(s, counters);
    if (f->taken) {
        *at = f->position;
        return true;
    }
    *f = (struct wg_alike_first){*counters, *at, true};
    s->n++;
    return false;
}

void wg_alike_free(struct wg_alike *s) { free(s->first); }
