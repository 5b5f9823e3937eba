/* See distinct.h. */
#include "count/distinct.h"
#include "base/arena.h"
#include <stdlib.h>

struct wg_distinct_first {
    struct wg_hash counters;
    uint32_t position;
    bool taken;
};

static struct wg_distinct_first *place_of(const struct wg_distinct *s, const struct wg_hash *h) {
    uint32_t i = (uint32_t)(h->a ^ h->b >> 32) & (s->places - 1);
    while (s->first[i].taken && (s->first[i].counters.a != h->a || s->first[i].counters.b != h->b))
        i = (i + 1) & (s->places - 1);
    return &s->first[i];
}

static void grow(struct wg_distinct *s) {
    struct wg_distinct larger = {.places = s->places ? s->places * 2 : 16, .n = s->n};
    larger.first = wg_xcalloc(larger.places, sizeof *larger.first);
    for (uint32_t i = 0; i < s->places; i++)
        if (s->first[i].taken) *place_of(&larger, &s->first[i].counters) = s->first[i];
    free(s->first);
    *s = larger;
}

bool wg_distinct_find(struct wg_distinct *s, const struct wg_hash *counters, uint32_t *at) {
    if (s->n * 2 >= s->places) grow(s);
    struct wg_distinct_first *f = place_of(s, counters);
    if (f->taken) {
        *at = f->position;
        return true;
    }
    *f = (struct wg_distinct_first){*counters, *at, true};
    s->n++;
    return false;
}

void wg_distinct_free(struct wg_distinct *s) { free(s->first); }
