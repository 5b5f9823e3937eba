/* Diagnostics: what is wrong with the user's text, where, with a caret.
 *
 * Three kinds of trouble, three tools: the user's fault is a located diagnostic (this file); ours is an
 * assertion; the environment's (no disk, no compiler) is a status with errno.
 *
 *     wg_diag_error(&d, (struct wg_pos){"k.ptx", 3, 7}, line_text, "unknown instruction '%s'", "addd");
 * prints
 *     k.ptx:3:7: error: unknown instruction 'addd'
 *         addd.s32 %r1, %r2, %r3;
 *         ^
 */
#ifndef WG_BASE_DIAG_H
#define WG_BASE_DIAG_H
#include "base/strbuf.h"
#include <stdarg.h>
#include <stdint.h>

struct wg_pos {
    const char *file;
    uint32_t line, col; /* from 1; 0: not known */
};

struct wg_diag {
    struct wg_strbuf text; /* every message so far, each ending with a newline */
    uint32_t errors;
    struct wg_pos first; /* where the first error is */
};

/* `line`: the source line's text (to its newline or zero byte) for the caret, or NULL. */
void wg_diag_error(struct wg_diag *d, struct wg_pos at, const char *line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void wg_diag_verror(struct wg_diag *d, struct wg_pos at, const char *line, const char *fmt, va_list ap);
/* Appends all of `from` to `d`. */
void wg_diag_append(struct wg_diag *d, const struct wg_diag *from);
void wg_diag_free(struct wg_diag *d);
#endif
