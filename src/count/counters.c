/* See counters.h. */
#include "count/counters.h"
#include <stddef.h>

enum { SECTOR_BYTES = 32 };

#define MERGE_SUM  false
#define MERGE_MOST true
#define IS_EXACT   true
#define IS_MODEL   false

const struct wg_counter_info wg_counter_infos[WG_COUNTERS] = {
#define COUNTER(id, unit, merge, exact, ncu, meaning) {#id, unit, ncu, meaning, MERGE_##merge, IS_##exact},
#include "count/counters.def"
#undef COUNTER
};

const struct wg_class_info wg_class_infos[WG_CLASSES] = {
#define CLASS(id, memory, ncu, label) {#id, ncu, label, WG_MEMORY_##memory},
#include "count/counters.def"
#undef CLASS
};

const char *wg_counter_profiler_name(enum wg_class class, enum wg_counter counter) {
    static const struct {
        enum wg_class class;
        enum wg_counter counter;
        const char *name;
    } names[] = {
#define PROFILER(class, counter, ncu) {WG_CLASS_##class, WG_C_##counter, ncu},
#include "count/counters.def"
#undef PROFILER
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].class == class && names[i].counter == counter) return names[i].name;
    return NULL;
}

void wg_counts_add(struct wg_counts *to, const struct wg_counts *from) {
    for (int c = 0; c < WG_COUNTERS; c++) {
        if (!wg_counter_infos[c].most)
            to->v[c] += from->v[c];
        else if (from->v[c] > to->v[c])
            to->v[c] = from->v[c];
    }
}

void wg_counts_derive(struct wg_counts *r) {
    r->v[WG_C_bytes_moved] = r->v[WG_C_sectors] * SECTOR_BYTES;
    r->v[WG_C_conflicts] = r->v[WG_C_wavefronts] - r->v[WG_C_ideal_wavefronts];
}

bool wg_counts_are_zero(const struct wg_counts *r) {
    for (int c = 0; c < WG_COUNTERS; c++)
        if (r->v[c]) return false;
    return true;
}
