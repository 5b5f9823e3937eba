/* Memoization of race checks in shared memory. What a block does to its shared memory between two barriers is
 * mostly what blocks before it did: the same instructions of the same warps at the same places, in the same
 * order. A barrier of the whole block orders everything before it, so whether such a stretch has a race
 * depends only on the stretch.
 *
 * Stretches that were checked and had no race are kept as a prefix tree of steps. A block that follows a path
 * of it is not checked; where it leaves the path, what it did so far is checked after all, which finds
 * nothing, and from there on everything is. So what is found does not depend on what is in the tree.
 */
#include "check/race/race_state.h"
#include <stdlib.h>

enum { STEPS_MOST = 1 << 14, BRANCHES_MOST = 8 };

struct step {
    struct wg_race_access access;
    struct step *before, *first, *beside; /* beside: another successor of the same step */
    uint32_t branches;
};
struct trail {
    uint32_t n;
    struct step *steps; /* [STEPS_MOST]; [0]: where stretches begin */
    struct step **way;  /* [STEPS_MOST] */
};

void race_trail_free(struct wg_race_block *b) {
    if (b->trail) {
        free(b->trail->steps);
        free(b->trail->way);
    }
    free(b->trail);
    b->trail = NULL;
    b->at = NULL;
}

void race_trail_begin(struct wg_race_block *b) {
    if (b->peers) return;
    if (!b->trail) {
        b->trail = wg_xcalloc(1, sizeof *b->trail);
        b->trail->steps = wg_xmalloc(STEPS_MOST * sizeof *b->trail->steps);
        b->trail->way = wg_xmalloc(STEPS_MOST * sizeof *b->trail->way);
        b->trail->steps[0] = (struct step){.branches = 0};
        b->trail->n = 1;
    }
    b->at = &b->trail->steps[0];
    b->unsaid = true;
}

/* Looks at what was passed over, from the stretch's beginning to here. */
static void say(struct wg_race_block *b) {
    struct step **way = b->trail->way;
    uint32_t n = 0;
    b->unsaid = false;
    for (struct step *s = b->at; s->before; s = s->before) way[n++] = s;
    while (n > 0) race_access_now(b, &way[--n]->access);
}

void race_trail_leave(struct wg_race_block *b) {
    if (b->at && b->unsaid) say(b);
    b->at = NULL;
}

static bool is_same(const struct wg_race_access *a, const struct wg_race_access *b) {
    return a->base == b->base && a->site == b->site && a->warp == b->warp && a->lanes == b->lanes &&
           a->k == b->k && a->scale == b->scale;
}

/* The successor of this step; the one taken last comes first. */
static struct step *step_to(struct step *from, const struct wg_race_access *a) {
    struct step *s = from->first;
    if (s && is_same(&s->access, a)) return s;
    for (struct step *last = s; s; last = s, s = s->beside) {
        if (!is_same(&s->access, a)) continue;
        last->beside = s->beside;
        s->beside = from->first;
        return from->first = s;
    }
    return NULL;
}

static struct step *add_step(struct trail *t, struct step *from, const struct wg_race_access *a) {
    if (t->n == STEPS_MOST || from->branches == BRANCHES_MOST) return NULL;
    struct step *s = &t->steps[t->n++];
    *s = (struct step){.access = *a, .before = from, .beside = from->first};
    s->access.value = NULL;
    from->first = s;
    from->branches++;
    return s;
}

void race_trail_access(struct wg_race_block *b, const struct wg_race_access *a) {
    struct step *next = step_to(b->at, a);
    if (next) {
        b->at = next;
        if (!b->unsaid) race_access_now(b, a);
        return;
    }
    if (b->unsaid) say(b);
    uint64_t seen = b->sightings;
    race_access_now(b, a);
    b->at = b->sightings == seen ? add_step(b->trail, b->at, a) : NULL;
}
