/* Names, kept once each: two equal identifiers are the same pointer.
 *
 * A name carries what scopes bind to it (the IR builder's), so a look-up of an operand is two loads:
 *     struct wg_name *n = wg_name_intern(&names, "%r57", 4);   n->stem is the name "%r", n->number is 57
 */
#ifndef WG_PTX_NAME_H
#define WG_PTX_NAME_H
#include "base/arena.h"
#include <stdbool.h>

struct wg_name {
    const char *s; /* with a zero byte behind */
    uint32_t len, hash;
    struct wg_name
        *stem; /* the name without its trailing number, NULL if there is none: %r57 of .reg %r<100> */
    uint32_t number;
    struct wg_binding *binding; /* innermost first; the IR builder's */
    uint32_t target_of;         /* 1 + the last function where a branch names it; the IR builder's */
};

struct wg_names {
    struct wg_arena *arena; /* names live as long as it */
    struct wg_name **table;
    uint32_t n, cap;
};
struct wg_name *wg_name_intern(struct wg_names *names, const char *s, uint32_t len);
void wg_names_free(struct wg_names *names); /* the table; names stay */
#endif
