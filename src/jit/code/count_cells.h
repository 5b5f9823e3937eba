/* The layout that counting code and the evaluation of its counts share. See count.h. */
#ifndef WG_JIT_COUNT_CELLS_H
#define WG_JIT_COUNT_CELLS_H
#include "analysis/analysis.h"
#include "analysis/sites.h"

struct wg_count_plan;
struct wg_counts;

/* ---- units ---- */

enum { WG_UNIT_FULL, WG_UNIT_BEGUN, WG_UNIT_LANES, WG_UNIT_PARTED, WG_BLOCK_UNITS };

/* The units of a slow path, by enum wg_slow_path: warps, and their lanes. They come after those of the blocks. */
enum { WG_SLOW_UNITS = 2 };
static inline uint32_t wg_count_slow_units(const struct wg_ir_func *f) { return f->nblocks * WG_BLOCK_UNITS; }

/* The data of groups: words of 64 bits. Header: units of the tally, groups. A group: */
enum {
    WG_GROUP_UNIT,   /* its first: the scale's complement, then the cells */
    WG_GROUP_PHASES, /* cells; a power of two */
    WG_GROUP_SHIFT,  /* base >> shift modulo phases is the cell */
    WG_GROUP_SHARED, /* 1: shared memory */
    WG_GROUP_MEMBERS,
    WG_GROUP_K,
    WG_GROUP_R = WG_GROUP_K + 32,
    WG_GROUP_WORDS = WG_GROUP_R + 32, /* then the members: site, offset */
};

/* ---- when it runs, and after ---- */

/* One version's groups; `words`: the object's data. */
struct wg_count_groups *wg_count_groups_new(const int64_t *words);
void wg_count_groups_free(struct wg_count_groups *g);
uint32_t wg_count_groups_units(const struct wg_count_groups *g);

/* How a finished tally becomes rows: `f` is the kernel with its calls put in place. */
struct wg_count_plan *wg_count_plan_new(const struct wg_ir_func *f, const struct wg_sites *s);
void wg_count_plan_free(struct wg_count_plan *p);
/* groups: by enum wg_version; NULL: that version was never made. */
void wg_count_collect(const struct wg_count_plan *p, const struct wg_count_groups *const groups[WG_VERSIONS],
                      struct wg_tally *t, struct wg_counts *rows);
/* Which groups a warp's code counts by: jit.c knows. */
const struct wg_count_groups *wg_count_groups_of(const struct wg_code *c, enum wg_version v);
#endif
