/* Clang's errors about builtins that the architecture compiled for does not have: one for each use in a header, with a
 * list of all architectures that have it. They become the first of them, and a note that names the oldest that will do. */
#ifndef WG_CLI_TOO_OLD_H
#define WG_CLI_TOO_OLD_H
#include <stdbool.h>
#include <stddef.h>

struct wg_too_old {
    unsigned count;
    unsigned long needs; /* 70: the oldest architecture that has all of them */
};

/* Whether the line at `text` is such an error. */
bool wg_too_old_is(const char *text);
/* Prints what the diagnostic at `text`, of `length` characters, says, but only the first. */
void wg_too_old_print(struct wg_too_old *all, const char *text, size_t length);
/* The note, if there was one. */
void wg_too_old_explain(const struct wg_too_old *all);
#endif
