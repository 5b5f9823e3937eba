/* Counters and classes of sites as enums with their names, made from counters.def. */
#ifndef WG_COUNT_COUNTERS_H
#define WG_COUNT_COUNTERS_H
#include <stdbool.h>
#include <stdint.h>

enum wg_counter {
#define COUNTER(id, unit, merge, exact, ncu, meaning) WG_C_##id,
#include "count/counters.def"
#undef COUNTER
    WG_COUNTERS
};

/* The counters of an access come first; the rest are counters of basic blocks. */
enum { WG_ACCESS_COUNTERS = WG_C_ways + 1 };

/* A kind of place where something is counted. */
enum wg_class {
#define CLASS(id, memory, ncu, label) WG_CLASS_##id,
#include "count/counters.def"
#undef CLASS
    WG_CLASSES
};

enum wg_class_memory {
    WG_MEMORY_NONE,
    WG_MEMORY_GLOBAL,
    WG_MEMORY_SHARED,
    WG_MEMORY_REMOTE, /* shared memory of another block of the cluster */
    WG_MEMORY_LOCAL,
    WG_MEMORY_CONSTANT,
    WG_MEMORY_BULK /* what the copy engine moves between global and shared memory */
};

struct wg_counter_info {
    const char *name, *unit, *ncu, *meaning;
    bool most;  /* rows are merged by maximum, not by sum */
    bool exact; /* see counters.def */
};
struct wg_class_info {
    const char *name, *ncu, *label;
    enum wg_class_memory memory;
};
extern const struct wg_counter_info wg_counter_infos[WG_COUNTERS];
extern const struct wg_class_info wg_class_infos[WG_CLASSES];

/* Nsight Compute's name of a counter of a class where it is not composed of the two names; else NULL. */
const char *wg_counter_profiler_name(enum wg_class class, enum wg_counter counter);

/* One value of each counter: of a site, a line, a kernel. */
struct wg_counts {
    uint64_t v[WG_COUNTERS];
};
void wg_counts_add(struct wg_counts *to, const struct wg_counts *from);
/* Sets the counters that follow from others: bytes moved, conflicts. */
void wg_counts_derive(struct wg_counts *r);
bool wg_counts_are_zero(const struct wg_counts *r);
#endif
