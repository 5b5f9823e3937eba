/* Reading the names of layouts: see record.h. */
#include "base/record.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "wg_record";

bool wg_record_read(struct wg_arena *a, const char *name, struct wg_record *out) {
    enum { MOST = 512 };
    uint32_t numbers[MOST], n = 0;
    if (strncmp(name, mark, sizeof mark - 1) != 0) return false;
    const char *at = name + sizeof mark - 1;
    while (*at == '_' && isdigit((unsigned char)at[1]) && n < MOST) {
        char *end;
        numbers[n++] = (uint32_t)strtoul(at + 1, &end, 10);
        at = end;
    }
    if (*at || n < 2 || (n - 2) % 3) return false;
    *out = (struct wg_record){.size = numbers[0], .align = numbers[1], .nholes = (n - 2) / 3};
    struct wg_hole *holes = WG_NEW_N(a, struct wg_hole, out->nholes + 1);
    memcpy(holes, numbers + 2, (n - 2) * sizeof *numbers);
    out->holes = holes;
    return true;
}
