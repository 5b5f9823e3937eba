/* Totals of the comparison over all launches of the process. See verify.h. */
#include "machine/verify/verify.h"

/* A process has one snapshot at a time. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

void wg_verify_lock(void) { pthread_mutex_lock(&one_at_a_time); }

void wg_verify_unlock(void) { pthread_mutex_unlock(&one_at_a_time); }

void wg_verify_leave_out(const struct wg_verify *v, const char *why) {
    struct wg_verified *t = v->g->dev->options.verified;
    if (v->orders) return; /* the whole program's output is compared all the same */
    pthread_mutex_lock(&t->lock);
    t->left_out++;
    if (!t->why_not) t->why_not = why;
    pthread_mutex_unlock(&t->lock);
}

void wg_verify_count(const struct wg_verify *v, enum wg_verdict verdict, uint64_t bytes, uint64_t by_order,
                     bool in_part) {
    struct wg_verified *t = v->g->dev->options.verified;
    pthread_mutex_lock(&t->lock);
    t->launches++;
    t->in_part += in_part;
    t->different += verdict == WG_VERIFY_DIFFERS;
    t->may_differ += verdict == WG_VERIFY_MAY_DIFFER;
    t->by_order += by_order;
    t->bytes += bytes;
    pthread_mutex_unlock(&t->lock);
}

bool wg_verify_is_new(const struct wg_verify *v, const struct wg_verify_difference *d) {
    struct wg_verified *t = v->g->dev->options.verified;
    const void *place = d && d->instr ? (const void *)d->instr : v->g->func;
    bool known = false;
    pthread_mutex_lock(&t->lock);
    for (uint32_t i = 0; i < t->ntold; i++) known |= t->told[i] == place;
    bool full = t->ntold == WG_VERIFY_TOLD;
    if (!known && !full) t->told[t->ntold++] = place;
    pthread_mutex_unlock(&t->lock);
    return !known && !full;
}

/* A process has one list of findings, and one of these. */
bool wg_verify_is_new_order(const struct wg_verify *v) {
    enum { MOST = 32 };
    static const struct wg_func *told[MOST]; /* under one_at_a_time */
    uint32_t n = 0;
    while (n < MOST && told[n] && told[n] != v->g->func) n++;
    if (n == MOST || told[n]) return false;
    told[n] = v->g->func;
    return true;
}
