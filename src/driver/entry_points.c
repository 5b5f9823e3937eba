/* entries.def made real: the table that cuGetProcAddress searches, and the bodies of functions not there yet.
 *
 * This file does not see cuda.h: here a function is a symbol and nothing more, whatever cuda.h renames.
 */
#include "driver/entry_points.h"
#include <stdio.h>
#include <string.h>

int wg_not_supported(const char *function); /* message.c */

#define DEFAULT    0
#define PER_THREAD 1

#define CU(SYMBOL, NAME, VERSION, STREAM) void SYMBOL(void);
#define CU_MISSING(SYMBOL, NAME, VERSION, STREAM)                                                            \
    __attribute__((visibility("default"))) int SYMBOL(void);                                                 \
    int SYMBOL(void) { return wg_not_supported(#SYMBOL); }
#include "driver/entries.def"
#undef CU
#undef CU_MISSING

static const struct wg_entry_point table[] = {
#define CU(SYMBOL, NAME, VERSION, STREAM)         {#NAME, (void *)SYMBOL, VERSION, STREAM, true},
#define CU_MISSING(SYMBOL, NAME, VERSION, STREAM) {#NAME, (void *)SYMBOL, VERSION, STREAM, false},
#include "driver/entries.def"
};

bool wg_entry_find(const char *name, int version, bool per_thread, struct wg_entry_point *out, bool *known) {
    const struct wg_entry_point *best = NULL;
    *known = false;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct wg_entry_point *e = &table[i];
        if (strcmp(e->name, name) != 0) continue;
        *known = true;
        if (e->version > version || (e->per_thread && !per_thread)) continue;
        if (!best || e->per_thread > best->per_thread ||
            (e->per_thread == best->per_thread && e->version > best->version))
            best = e;
    }
    if (best) *out = *best;
    return best != NULL;
}
