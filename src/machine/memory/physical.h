/* Physical memory of virtual memory management (cuMemCreate): bytes of a file in memory, which reserved addresses
 * (reserved.h) are mapped to, at one place or several.
 *
 * What other processes may get has a file of its own. The rest of a device's shares one file, of which each has
 * a part that is never used again: a hole, once it is freed.
 */
#ifndef WG_MACHINE_MEMORY_PHYSICAL_H
#define WG_MACHINE_MEMORY_PHYSICAL_H
#include "base/arena.h"
#include "machine/memory/memory.h"

/* A file in memory; closed with its last reference. */
struct wg_store {
    int file;
    _Atomic uint32_t refs;
    uint64_t used; /* bytes; those that follow are free */
};
void wg_store_drop(struct wg_store *s); /* may be NULL */

struct wg_physical_place {
    struct wg_memory *m;
    uint64_t at, bytes;
};
struct wg_physical {
    struct wg_memory *of; /* counted there; NULL: in another process, or its device is closed */
    uint32_t ordinal;     /* of its device */
    struct wg_store *store;
    uint64_t offset, bytes;
    bool exportable; /* the file is its own */
    bool used;       /* it has been accessible before, perhaps in another process */
    _Atomic uint32_t refs;
    WG_VEC(struct wg_physical_place) places; /* where it is accessible */
};

/* With one reference. `exportable`: other processes may get it. */
enum wg_status wg_physical_new(struct wg_memory *m, uint32_t ordinal, uint64_t bytes, bool exportable,
                               struct wg_physical **out);
/* From a file that another process got by wg_physical_export, which stays the caller's. NULL: it is none. */
struct wg_physical *wg_physical_import(int file);
/* A new descriptor of its file; less than 0, with errno: none. */
int wg_physical_export(struct wg_physical *p);
void wg_physical_hold(struct wg_physical *p);
void wg_physical_drop(struct wg_physical *p);
/* `bytes` of it are accessible at `at` from now on; or no more. What may have been written through another place, or by
 * another process, counts as initialised in all of them. */
void wg_physical_show(struct wg_physical *p, struct wg_memory *m, uint64_t at, uint64_t bytes);
void wg_physical_hide(struct wg_physical *p, const struct wg_memory *m, uint64_t at);
#endif
