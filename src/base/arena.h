/* Arenas: region allocation, with memory that is freed all at once.
 *
 * A module, a launch or a parse owns one arena, and everything it allocates is freed with it, so half-built
 * objects need no clean-up paths. Memory is zeroed. When the host is out of memory the process aborts with
 * a message: Warpglass can do nothing useful after that, and no caller checks for NULL.
 *
 *     struct wg_arena a = {0};
 *     struct node *n = WG_NEW(&a, struct node);
 *     wg_arena_free(&a);
 */
#ifndef WG_BASE_ARENA_H
#define WG_BASE_ARENA_H
#include <stddef.h>
#include <stdint.h>

struct wg_arena_chunk;
struct wg_arena {
    struct wg_arena_chunk *chunk; /* newest first */
    char *next, *end;             /* free bytes of the newest chunk */
};

/* `size` zeroed bytes aligned to 16. */
void *wg_arena_alloc(struct wg_arena *a, size_t size);
/* A copy of `len` bytes at `s`, followed by a zero byte. */
char *wg_arena_strndup(struct wg_arena *a, const char *s, size_t len);
char *wg_arena_strdup(struct wg_arena *a, const char *s);
char *wg_arena_printf(struct wg_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void wg_arena_free(struct wg_arena *a);

#define WG_NEW(a, type)      ((type *)wg_arena_alloc((a), sizeof(type)))
#define WG_NEW_N(a, type, n) ((type *)wg_arena_alloc((a), sizeof(type) * (size_t)(n)))

/* malloc family that aborts with a message instead of returning NULL. */
void *wg_xmalloc(size_t size);
void *wg_xcalloc(size_t n, size_t size);
void *wg_xaligned(size_t align, size_t size); /* size is a multiple of align */
void *wg_xrealloc(void *p, size_t size);
char *wg_xstrdup(const char *s);

/* A growing array: struct { T *v; uint32_t n, cap; } named by the user; push returns the new element, zeroed.
 *     WG_VEC(int) xs = {0};  *WG_PUSH(&xs) = 3;  free(xs.v); */
#define WG_VEC(T)                                                                                            \
    struct {                                                                                                 \
        T *v;                                                                                                \
        uint32_t n, cap;                                                                                     \
    }
#define WG_PUSH(vec)                                                                                         \
    (wg_vec_grow((void **)&(vec)->v, &(vec)->n, &(vec)->cap, sizeof *(vec)->v), &(vec)->v[(vec)->n - 1])
/* Makes room for one more element of `size` bytes, zeroes it, and gives its index. */
uint32_t wg_vec_grow(void **v, uint32_t *n, uint32_t *cap, size_t size);

#endif
