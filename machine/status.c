/* Statuses' names and texts, and the calling thread's last detail. */
#include "machine/status.h"
#include <stdio.h>

const char *wg_status_name(enum wg_status s) {
    switch (s) {
#define X(id, number, cuda, text)                                                                            \
    case WG_##id: return #cuda;
        WG_STATUSES(X)
#undef X
    }
    return "?";
}

const char *wg_status_text(enum wg_status s) {
    switch (s) {
#define X(id, number, cuda, text)                                                                            \
    case WG_##id: return text;
        WG_STATUSES(X)
#undef X
    }
    return "unknown status";
}

static _Thread_local char last_detail[4096]; /* names of instantiated templates are long */

const char *wg_last_detail(void) { return last_detail; }
void wg_last_detail_clear(void) { last_detail[0] = 0; }

enum wg_status wg_fail(enum wg_status s, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(last_detail, sizeof last_detail, fmt, ap);
    va_end(ap);
    return s;
}
