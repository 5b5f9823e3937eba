/* Arenas and checked allocation: see arena.h. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CHUNK = 64 * 1024, HUGE_PAGE = 2 * 1024 * 1024, ALIGN = 16 };

struct wg_arena_chunk {
    struct wg_arena_chunk *older;
    size_t size;
    _Alignas(ALIGN) char bytes[];
};

static _Noreturn void out_of_memory(size_t size) {
    fprintf(stderr, "warpglass: out of memory (asked the system for %zu bytes)\n", size);
    abort();
}

void *wg_xmalloc(size_t size) {
    void *p = malloc(size ? size : 1);
    if (!p) out_of_memory(size);
    return p;
}

void *wg_xcalloc(size_t n, size_t size) {
    void *p = calloc(n ? n : 1, size ? size : 1);
    if (!p) out_of_memory(n * size);
    return p;
}

void *wg_xaligned(size_t align, size_t size) {
    void *p = aligned_alloc(align, size);
    if (!p) out_of_memory(size);
    return p;
}

void *wg_xrealloc(void *old, size_t size) {
    void *p = realloc(old, size ? size : 1);
    if (!p) out_of_memory(size);
    return p;
}

char *wg_xstrdup(const char *s) {
    size_t n = strlen(s) + 1;
    return memcpy(wg_xmalloc(n), s, n);
}

/* Sets that are read before they are written would have each page twice, first as the system's page of zeros;
 * and with several threads the change from one to the other interrupts the other cores. So large chunks are
 * written to at once, and are whole huge pages where the system has them. */
static struct wg_arena_chunk *new_large_chunk(size_t size) {
    struct wg_arena_chunk *c = aligned_alloc(HUGE_PAGE, size);
    if (!c) out_of_memory(size);
    (void)madvise(c, size, MADV_HUGEPAGE);
    return memset(c, 0, size);
}

/* Each one is twice as large as the one before, up to a huge page. */
static void add_chunk(struct wg_arena *a, size_t least) {
    size_t size = a->chunk ? 2 * a->chunk->size : CHUNK;
    if (size > HUGE_PAGE) size = HUGE_PAGE;
    least += sizeof(struct wg_arena_chunk);
    if (size < least) size = least;
    bool large = size >= HUGE_PAGE;
    if (large) size = (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
    struct wg_arena_chunk *c = large ? new_large_chunk(size) : wg_xcalloc(1, size);
    c->older = a->chunk;
    c->size = size;
    a->chunk = c;
    a->next = c->bytes;
    a->end = (char *)c + size;
}

void *wg_arena_alloc(struct wg_arena *a, size_t size) {
    size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (!a->chunk || (size_t)(a->end - a->next) < size) add_chunk(a, size);
    void *p = a->next;
    a->next += size;
    return p;
}

char *wg_arena_strndup(struct wg_arena *a, const char *s, size_t len) {
    char *p = wg_arena_alloc(a, len + 1);
    if (len) memcpy(p, s, len);
    return p;
}

char *wg_arena_strdup(struct wg_arena *a, const char *s) { return wg_arena_strndup(a, s, strlen(s)); }

char *wg_arena_printf(struct wg_arena *a, const char *fmt, ...) {
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *p = wg_arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p;
}

void wg_arena_free(struct wg_arena *a) {
    for (struct wg_arena_chunk *c = a->chunk; c;) {
        struct wg_arena_chunk *older = c->older;
        free(c);
        c = older;
    }
    *a = (struct wg_arena){0};
}

uint32_t wg_vec_grow(void **v, uint32_t *n, uint32_t *cap, size_t size) {
    if (*n == *cap) {
        *cap = *cap ? *cap * 2 : 8;
        *v = wg_xrealloc(*v, *cap * size);
    }
    memset((char *)*v + *n * size, 0, size);
    return (*n)++;
}
