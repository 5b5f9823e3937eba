/* Allocations sorted by address: those in the device's address space, and memory that the program registered.
 *
 * They are kept in chunks of some tens, so that programs which have a hundred thousand, and free them in the
 * order of allocation, do not move all of the others each time.
 */
#ifndef WG_MACHINE_MEMORY_SPANS_H
#define WG_MACHINE_MEMORY_SPANS_H
#include "machine/machine.h"

struct wg_span {
    uint64_t base, end;   /* end: of what was asked for */
    uint64_t bottom, top; /* of its pages and guards */
    uint64_t id;
    uint32_t kind, flags;
    bool reserved; /* address space only */
    bool pooled;   /* of a memory pool: other devices reach it by `shown_to` */
    bool imported; /* another process allocated it: shared.h */
    bool mapped;   /* at an address that the program reserved: reserved.h */
    bool read_only;
    int32_t file; /* that has its pages, for other processes; less than 0: they are this process's alone */
    uint32_t shown_to; /* a bit for each ordinal: fleet.h */
    struct wg_mem_origin origin;
};

struct wg_span_piece;
struct wg_spans {                 /* by base, disjoint */
    struct wg_span_piece **piece; /* none is empty */
    uint32_t npieces, cap;
    uint32_t n;
};

/* A position in the order: of a span, or past the last one. Invalidated by insertion and removal. */
struct wg_span_at {
    uint32_t piece, index;
};
/* The first one whose base is beyond `a`. */
struct wg_span_at wg_spans_after(const struct wg_spans *l, uint64_t a);
struct wg_span *wg_spans_get(const struct wg_spans *l, struct wg_span_at at); /* NULL: past the last one */
struct wg_span_at wg_spans_next(const struct wg_spans *l, struct wg_span_at at);
/* The previous one, to which *at moves; NULL: there is none. */
struct wg_span *wg_spans_back(const struct wg_spans *l, struct wg_span_at *at);
struct wg_span *wg_spans_holding(const struct wg_spans *l, uint64_t a); /* [base, end) */

void wg_spans_insert(struct wg_spans *l, const struct wg_span *s);
void wg_spans_remove(struct wg_spans *l, uint64_t base);
void wg_spans_free(struct wg_spans *l);
struct wg_span *wg_spans_copy(const struct wg_spans *l, uint32_t *n); /* all; to be freed */
#endif
