/* Races of copies of pageable memory with host functions: race-host.
 *
 *     cudaLaunchHostFunc(s, fill, p);                        fill writes p, some time
 *     cudaMemcpyAsync(d, p, n, cudaMemcpyHostToDevice, s);   reads p before the call returns, whatever is before it in s
 *
 * Neither waits for the other, unless the host knew that the function had ended before it called for the
 * copy. The program reports what functions write (runtime/host_access.c). Both those writes and the copies
 * are kept until the host is ordered after the function's end, because the result must not depend on which of
 * the two comes first.
 */
#include "machine/watch/check.h"
#include "machine/work.h"
#include <stdlib.h>

enum { KEPT = 4096 };

/* What a function has written, in one go and by one instruction. */
struct done {
    uint64_t from, to, at;
    uint32_t slot, number;
    uint64_t order; /* when it was asked for */
};
/* Memory that a copy reads before the call returns. */
struct used {
    uint64_t from, to, order, at;
    const char *by;
    struct wg_clock host; /* what the host knew then */
};
struct wg_check_pageable {
    pthread_mutex_t lock;
    uint64_t order;
    uint32_t calls; /* functions that have been asked for */
    WG_VEC(struct done) done;
    WG_VEC(struct used) used;
};

struct wg_check_pageable *wg_check_pageable_new(void) {
    struct wg_check_pageable *p = wg_xcalloc(1, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

static void leave_out(struct wg_device *dev) {
    wg_findings_note(
        dev->options.findings,
        "more than 4096 pieces of pageable memory were copied, or "
        "written by host functions in streams, without a wait in between: later ones were not checked");
}

static void forget_used(struct wg_check_pageable *p, uint32_t i) {
    wg_clock_free(&p->used.v[i].host);
    p->used.v[i] = p->used.v[--p->used.n];
}

void wg_check_pageable_free(struct wg_check_pageable *p) {
    if (!p) return;
    while (p->used.n) forget_used(p, 0);
    free(p->done.v);
    free(p->used.v);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static void tell(struct wg_device *dev, const struct done *f, const struct used *c) {
    struct wg_finding x = {
        .kind = WG_F_race_host,
        .site = f->at,
        .other_site = c->at,
        .has_other = true,
        .host_at = f->at,
        .here = {.access = "write", .asked_at = f->at},
        .other = {.op = c->by, .access = "read", .asked_by = c->by, .asked_at = c->at},
        .detail = "the copy reads pageable memory during the call itself, whatever is before it in the "
                  "stream: the host must wait for the function first, or the memory must be page-locked "
                  "(cudaMallocHost, cudaHostRegister)"};
    wg_findings_add(dev->options.findings, &x);
}

/* The function was asked for first, and the host did not know that it had ended. */
static bool meet(const struct done *f, const struct used *c) {
    return f->order < c->order && f->from < c->to && c->from < f->to &&
           !wg_clock_has(&c->host, f->slot, f->number);
}

void wg_check_pageable_call(struct wg_check_pageable *p, struct wg_work *w, uint32_t slot, uint32_t number) {
    pthread_mutex_lock(&p->lock);
    w->call.slot = slot;
    w->call.number = number;
    w->call.order = ++p->order;
    p->calls++;
    pthread_mutex_unlock(&p->lock);
}

void wg_check_pageable_read(struct wg_device *dev, struct wg_check_pageable *p, const struct wg_clock *host,
                            const void *at, uint64_t bytes) {
    struct used c = {.from = (uint64_t)at, .to = (uint64_t)at + bytes};
    pthread_mutex_lock(&p->lock);
    if (p->calls && p->used.n == KEPT) {
        leave_out(dev);
    } else if (p->calls) {
        c.order = ++p->order;
        wg_caller(&c.by, &c.at);
        wg_clock_join(&c.host, host);
        for (uint32_t i = 0; i < p->done.n; i++)
            if (meet(&p->done.v[i], &c)) tell(dev, &p->done.v[i], &c);
        *WG_PUSH(&p->used) = c;
    }
    pthread_mutex_unlock(&p->lock);
}

void wg_check_pageable_touched(struct wg_device *dev, struct wg_check_pageable *p, const struct wg_work *w,
                               const struct wg_host_access *h) {
    if (!h->write) return;
    pthread_mutex_lock(&p->lock);
    struct done *f = NULL;
    for (uint32_t i = p->done.n; i-- > 0 && !f;) {
        struct done *d = &p->done.v[i];
        if (d->order == w->call.order && d->at == h->at && h->address >= d->from && h->address <= d->to)
            f = d;
    }
    if (!f && p->done.n == KEPT) {
        leave_out(dev);
    } else if (!f) {
        f = WG_PUSH(&p->done);
        *f = (struct done){.from = h->address,
                           .to = h->address,
                           .at = h->at,
                           .slot = w->call.slot,
                           .number = w->call.number,
                           .order = w->call.order};
    }
    if (f && h->address + h->bytes > f->to) f->to = h->address + h->bytes;
    for (uint32_t i = 0; f && i < p->used.n; i++)
        if (meet(f, &p->used.v[i])) tell(dev, f, &p->used.v[i]);
    pthread_mutex_unlock(&p->lock);
}

/* The host knows more: what had ended by then can meet nothing that is asked for from now on. */
void wg_check_pageable_settle(struct wg_check_pageable *p, const struct wg_clock *host) {
    pthread_mutex_lock(&p->lock);
    for (uint32_t i = p->done.n; i-- > 0;)
        if (wg_clock_has(host, p->done.v[i].slot, p->done.v[i].number)) p->done.v[i] = p->done.v[--p->done.n];
    pthread_mutex_unlock(&p->lock);
}
