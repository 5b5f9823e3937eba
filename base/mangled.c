/* See mangled.h. */
#include "base/mangled.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* "part" of "_ZZ5tiledPKiE4part": the last name that its length stands before. */
static const char *variable_name(struct wg_arena *a, const char *mangled) {
    size_t n = strlen(mangled);
    for (size_t i = 2; i < n; i++) {
        if (!isdigit((unsigned char)mangled[i]) || isdigit((unsigned char)mangled[i - 1])) continue;
        size_t digits = strspn(mangled + i, "0123456789"), length = strtoul(mangled + i, NULL, 10);
        size_t end = i + digits + length;
        /* Statics of one name in several scopes have "_0" or the like behind them. */
        bool nested = end + 1 == n && mangled[end] == 'E'; /* in a namespace or class */
        if (end == n || nested || (end < n && mangled[end] == '_'))
            return wg_arena_strndup(a, mangled + i + digits, length);
    }
    return NULL;
}

const char *wg_variable_name(struct wg_arena *a, const char *name) {
    const char *better = !strncmp(name, "_Z", 2) ? variable_name(a, name) : NULL;
    return better ? better : name;
}
