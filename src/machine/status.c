/* Names and texts of statuses, and the calling thread's last detail. */
#include "machine/status.h"
#include "base/thread_text.h"
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

const char *wg_last_detail(void) { return wg_thread_text(WG_TEXT_FAILURE); }
void wg_last_detail_clear(void) { *wg_thread_text(WG_TEXT_FAILURE) = 0; }

enum wg_status wg_fail(enum wg_status s, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(wg_thread_text(WG_TEXT_FAILURE), WG_TEXT_BYTES, fmt, ap);
    va_end(ap);
    return s;
}
