/* See apart_memo.h. Two open hash tables: of classes, and of answers. */
#include "check/prove/apart_memo.h"

#include <stdlib.h>
#include <string.h>

struct answer {
    int64_t difference;
    uint32_t a, b; /* classes, from 1; 0: the entry is free */
    bool apart;
    struct wg_form_steps steps;
};

struct wg_apart_memo {
    const struct wg_forms *x;
    enum wg_form_who who;
    uint32_t *class_of; /* [naccesses]: 1 + the first access of its class, 0: not yet known */
    uint32_t *classes;  /* hash table of such numbers */
    uint32_t nslots;    /* of that table: a power of two, more than the accesses */
    struct answer *answers;
    uint32_t nanswers, room; /* room: a power of two */
};

static uint64_t mix(uint64_t h, uint64_t with) {
    h = (h ^ with) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

struct wg_apart_memo *wg_apart_memo_new(const struct wg_forms *x, enum wg_form_who who) {
    struct wg_apart_memo *m = wg_xcalloc(1, sizeof *m);
    *m = (struct wg_apart_memo){.x = x, .who = who, .nslots = 16, .room = 64};
    while (m->nslots < 2 * x->naccesses) m->nslots *= 2;
    m->class_of = wg_xcalloc(x->naccesses + 1, sizeof *m->class_of);
    m->classes = wg_xcalloc(m->nslots, sizeof *m->classes);
    m->answers = wg_xcalloc(m->room, sizeof *m->answers);
    return m;
}

void wg_apart_memo_free(struct wg_apart_memo *m) {
    if (!m) return;
    free(m->class_of);
    free(m->classes);
    free(m->answers);
    free(m);
}

/* ---- classes ---- */

static uint64_t hash_of(const struct wg_form_access *a) {
    uint64_t h = mix(a->bytes, (uint64_t)(uintptr_t)a->guards);
    for (uint32_t i = 0; i < a->at.nterms; i++)
        h = mix(mix(h, a->at.term[i].var), (uint64_t)a->at.term[i].times);
    return h;
}

static bool same_class(const struct wg_form_access *a, const struct wg_form_access *b) {
    const struct wg_sum *f = &a->at, *g = &b->at;
    if (a->bytes != b->bytes || a->guards != b->guards || a->space != b->space) return false;
    if (f->known != g->known || f->base != g->base || f->nterms != g->nterms) return false;
    for (uint32_t i = 0; i < f->nterms; i++)
        if (f->term[i].var != g->term[i].var || f->term[i].times != g->term[i].times) return false;
    return true;
}

static uint32_t class_of(struct wg_apart_memo *m, const struct wg_form_access *a) {
    uint32_t i = (uint32_t)(a - m->x->accesses), at = (uint32_t)hash_of(a) & (m->nslots - 1);
    if (m->class_of[i]) return m->class_of[i];
    while (m->classes[at] && !same_class(a, &m->x->accesses[m->classes[at] - 1]))
        at = (at + 1) & (m->nslots - 1);
    if (!m->classes[at]) m->classes[at] = i + 1;
    return m->class_of[i] = m->classes[at];
}

/* ---- answers ---- */

static uint32_t place_of(const struct answer *q, uint32_t room) {
    uint64_t h = mix(mix(q->a, q->b), (uint64_t)q->difference);
    for (uint32_t i = 0; i < q->steps.n; i++)
        h = mix(h, (uint64_t)q->steps.loop[i] << 2 ^ (uint32_t)q->steps.ahead[i]);
    return (uint32_t)h & (room - 1);
}

static bool same_question(const struct answer *a, const struct answer *b) {
    return a->a == b->a && a->b == b->b && a->difference == b->difference &&
           memcmp(&a->steps, &b->steps, sizeof a->steps) == 0;
}

/* The entry of this question, or the free one where it goes. */
static struct answer *find(struct answer *v, uint32_t room, const struct answer *question) {
    uint32_t at = place_of(question, room);
    while (v[at].a && !same_question(&v[at], question)) at = (at + 1) & (room - 1);
    return &v[at];
}

static void grow(struct wg_apart_memo *m) {
    struct answer *v = wg_xcalloc(2 * (size_t)m->room, sizeof *v);
    for (uint32_t i = 0; i < m->room; i++)
        if (m->answers[i].a) *find(v, 2 * m->room, &m->answers[i]) = m->answers[i];
    free(m->answers);
    m->answers = v;
    m->room *= 2;
}

bool wg_apart_memo_ask(struct wg_apart_memo *m, const struct wg_form_access *a,
                       const struct wg_form_access *b, const struct wg_form_steps *steps) {
    struct answer question = {.difference = (int64_t)((uint64_t)a->at.constant - (uint64_t)b->at.constant),
                              .a = class_of(m, a),
                              .b = class_of(m, b)};
    if (steps) question.steps = *steps;
    if (2 * m->nanswers >= m->room) grow(m);
    struct answer *found = find(m->answers, m->room, &question);
    if (!found->a) {
        *found = question;
        found->apart = wg_forms_apart(m->x, a, b, &(struct wg_form_question){m->who, question.steps});
        m->nanswers++;
    }
    return found->apart;
}
