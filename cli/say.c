/* Messages: see say.h. */
#include "cli/say.h"

#include <stdarg.h>
#include <stdio.h>

static bool verbose;

static void say(const char *fmt, va_list ap) {
    fputs("warpglass: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
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
