/* Messages: see say.h. */
#include "cli/say.h"
#include "base/progress.h"
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>

static bool verbose;

static void say(const char *fmt, va_list ap) {
    struct wg_strbuf text = {0}, shown = {0};
    wg_strbuf_vprintf(&text, fmt, ap);
    wg_strbuf_shown(&shown, text.s, text.n); /* names of files may have anything in them */
    wg_progress_wipe();
    fprintf(stderr, "warpglass: %s\n", shown.s);
    wg_strbuf_free(&text);
    wg_strbuf_free(&shown);
}

void wg_say(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
}

void wg_say_verbose(const char *fmt, ...) {
    va_list ap;
    if (!verbose) return;
    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
}

void wg_say_set_verbose(bool on) { verbose = on; }
bool wg_say_is_verbose(void) { return verbose; }
