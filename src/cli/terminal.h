/* Standard output, as reports need to know it: how wide, whether colours do, whether UTF-8 does. */
#ifndef WG_CLI_TERMINAL_H
#define WG_CLI_TERMINAL_H
#include "base/strbuf.h"
#include "report/paint.h"

/* $COLUMNS, else the terminal's, else 80. */
int wg_terminal_width(void);
/* A terminal that is not "dumb" and not one that mpirun made, and no NO_COLOR. */
bool wg_terminal_has_colour(void);
/* A locale that says that it is something else than UTF-8. */
bool wg_terminal_is_plain(void);
/* For a report that is gathered in `out` and then printed. */
struct wg_paint wg_terminal_paint(struct wg_strbuf *out);
/* From now on nothing is printed, or again. */
void wg_terminal_silence(bool on);
/* False after a message: a full disk, a closed pipe. */
bool wg_terminal_print(const struct wg_strbuf *text);
/* The same, and frees the text: an exit status. */
int wg_terminal_finish(struct wg_strbuf *text);
/* Standard output is a pipe that nobody reads any more. */
bool wg_terminal_is_gone(void);
#endif
