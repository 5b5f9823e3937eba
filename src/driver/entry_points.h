/* Searching entries.def by name. */
#ifndef WG_DRIVER_ENTRY_POINTS_H
#define WG_DRIVER_ENTRY_POINTS_H
#include <stdbool.h>

struct wg_entry_point {
    const char *name;
    void *address;
    int version;
    bool per_thread;
    bool there; /* not only a message that it is missing */
};
/* The newest form not above `version`; its per-thread form when asked for and there is one. `known`: there is
 * such a name, in whatever version. */
bool wg_entry_find(const char *name, int version, bool per_thread, struct wg_entry_point *out, bool *known);
#endif
