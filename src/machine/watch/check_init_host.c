/* Undefined values that reach the host: by copies, and in memory that it reads as it is (managed, page-locked).
 *
 * A kernel may leave such a value in memory of the host that nobody ever looks at, so it is the host's read that is told.
 * Of what the host writes, that of instrumented code is seen. Where something else has written, a library or the system,
 * memory is not what the kernel left: the words that kernels left undefined are remembered with their values.
 */
#include "machine/memory/origin.h"
#include "machine/memory/shadow.h"
#include "machine/memory/untouched.h"
#include "machine/watch/check.h"
#include "machine/watch/check_stream.h"
#include "machine/work.h"
#include <stdlib.h>
#include <string.h>

enum { WORD = 4, LEFT_MOST = 1 << 16 };

/* Words that kernels left undefined, each in the place that its address says: later ones take the places of others. */
struct wg_check_left {
    pthread_mutex_t lock;
    struct {
        uint64_t address;
        uint32_t value;
    } at[LEFT_MOST];
};

static uint32_t value_at(uint64_t word) {
    uint32_t v;
    memcpy(&v, (const void *)(uintptr_t)word, sizeof v);
    return v;
}

static uint32_t slot_of(uint64_t word) { return (uint32_t)(word / WORD % LEFT_MOST); }

void wg_check_init_left(struct wg_grid *g, uint64_t address, uint64_t bytes) {
    pthread_mutex_lock(&g->lock);
    if (g->check->left.n < LEFT_MOST) *WG_PUSH(&g->check->left) = (struct wg_check_told){address, bytes};
    pthread_mutex_unlock(&g->lock);
}

/* Pages that the kernel touched are defined from now on, except for what it left undefined in them. */
static void settle(struct wg_memory *m, const struct wg_check_told *left, uint32_t n) {
    if (!m->untouched) return;
    struct wg_arena a = {0};
    uint8_t **kept = WG_NEW_N(&a, uint8_t *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *s = wg_shadow_at(m, left[i].address);
        if (s) kept[i] = memcpy(wg_arena_alloc(&a, left[i].bytes), s, left[i].bytes);
    }
    wg_untouched_settle(m);
    for (uint32_t i = 0; i < n; i++) {
        if (!kept[i]) continue;
        memcpy(wg_shadow_at(m, left[i].address), kept[i], left[i].bytes);
        wg_shadow_undefined(m, left[i].address, left[i].bytes);
    }
    wg_arena_free(&a);
}

void wg_check_init_left_end(struct wg_grid *g) {
    struct wg_check_launch *c = g->check;
    struct wg_device *dev = g->dev;
    settle(&dev->memory, c->left.v, c->left.n);
    if (!c->left.n) return;
    pthread_mutex_lock(dev->lock);
    if (!dev->left) {
        dev->left = wg_xcalloc(1, sizeof *dev->left);
        pthread_mutex_init(&dev->left->lock, NULL);
    }
    pthread_mutex_unlock(dev->lock);
    pthread_mutex_lock(&dev->left->lock);
    for (uint32_t i = 0; i < c->left.n; i++) {
        uint64_t end = c->left.v[i].address + c->left.v[i].bytes;
        for (uint64_t at = c->left.v[i].address & ~(uint64_t)(WORD - 1); at < end; at += WORD) {
            dev->left->at[slot_of(at)].address = at;
            dev->left->at[slot_of(at)].value = value_at(at);
        }
    }
    pthread_mutex_unlock(&dev->left->lock);
    free(c->left.v);
    wg_check_stream_watches(dev);
}

void wg_check_init_host_close(struct wg_device *dev) {
    struct wg_host_watch *h = dev->options.host;
    if (!dev->left) return;
    if (h && h->undefined == dev) h->undefined = NULL;
    pthread_mutex_destroy(&dev->left->lock);
    free(dev->left);
    dev->left = NULL;
}

/* ---- findings ---- */

static const char *where_from(struct wg_arena *a, const struct wg_origin *from) {
    if (from->says) return from->says;
    return wg_arena_printf(a,
                           "A kernel copied it there: it was read at %s, from byte %lld of %llu bytes of %s "
                           "memory, which was never written",
                           from->read_at, (long long)from->memory.offset,
                           (unsigned long long)from->memory.size,
                           from->memory.what && !from->memory.name ? from->memory.what : from->memory.space);
}

static void tell_read(struct wg_device *dev, const struct wg_host_access *h, uint64_t first) {
    struct wg_arena a = {0};
    struct wg_origin from;
    struct wg_finding f = {.kind = WG_F_uninitialised_copy,
                           .site = h->at,
                           .host_at = h->at,
                           .here = {.access = "read", .bytes = h->bytes, .asked_at = h->at}};
    if (wg_origin_find(&dev->memory, dev->origins, first, 1, &from)) f.detail = where_from(&a, &from);
    wg_check_describe_global(dev, NULL, first, &f.memory);
    wg_findings_add(dev->options.findings, &f);
    wg_arena_free(&a);
}

static bool was_left(struct wg_check_left *l, uint64_t at) {
    uint64_t word = at & ~(uint64_t)(WORD - 1);
    pthread_mutex_lock(&l->lock);
    bool was = l->at[slot_of(word)].address == word && l->at[slot_of(word)].value == value_at(word);
    pthread_mutex_unlock(&l->lock);
    return was;
}

void wg_check_init_host_touches(struct wg_device *any, const struct wg_host_access *h) {
    struct wg_found f;
    uint32_t defined = 0;
    if (!wg_fleet_find(any, h->address, &f) || !f.dev->left) return;
    const uint8_t *s = wg_shadow_at(&f.dev->memory, h->address);
    while (s && defined < h->bytes && s[defined] == UINT8_MAX) defined++;
    if (!s || defined == h->bytes) return;
    if (!h->write) {
        struct wg_shadow_gaps gaps = wg_shadow_gaps(&f.dev->memory, h->address, h->bytes);
        if (gaps.bytes && was_left(f.dev->left, gaps.first)) tell_read(f.dev, h, gaps.first);
    }
    wg_shadow_define(&f.dev->memory, h->address, h->bytes); /* reported once */
}

void wg_check_copied(const struct wg_work *w, const struct wg_shadow_gaps *gaps) {
    struct wg_device *dev = w->dev;
    struct wg_span span;
    struct wg_origin from;
    struct wg_arena a = {0};
    uint64_t bytes = (uint64_t)w->copy.width * w->copy.height * w->copy.depth;
    struct wg_finding f = {.kind = WG_F_uninitialised_copy, .count = 1};
    wg_check_describe_global(dev, NULL, gaps->first, &f.memory);
    if (wg_memory_find(&dev->memory, gaps->first, &span)) f.site = span.id;
    bool known = wg_origin_find(&dev->memory, dev->origins, gaps->first, 1, &from);
    f.detail = wg_arena_printf(&a, "%llu of the %llu bytes copied %s, the first of them at byte %llu%s%s",
                               (unsigned long long)gaps->bytes, (unsigned long long)bytes,
                               known ? "are undefined" : "were never written",
                               (unsigned long long)(gaps->first - (uint64_t)w->copy.src), known ? ". " : "",
                               known ? where_from(&a, &from) : "");
    f.here.op = w->asked_by ? w->asked_by : "copy to the host";
    f.host_at = w->asked_at;
    if (w->asked_at) f.site = w->asked_at;
    wg_findings_add(dev->options.findings, &f);
    wg_arena_free(&a);
}
