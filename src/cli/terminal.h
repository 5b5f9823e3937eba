/* Standard output, as reports need to know it: how wide, whether colours do, whether UTF-8 does. */
#ifndef WG_CLI_TERMINAL_H
#define WG_CLI_TERMINAL_H
#include "base/strbuf.h"

/* $COLUMNS, else the terminal's, else 80. */
int wg_terminal_width(void);
/* A terminal that is not "dumb", and no NO_COLOR. */
bool wg_terminal_has_colour(void);
/* A locale that says that it is something else than UTF-8. */
bool wg_terminal_is_plain(void);
/* From now on nothing is printed, or again. */
void wg_terminal_silence(bool on);
/* False after a message: a full disk, a closed pipe. */
bool wg_terminal_print(const struct wg_strbuf *text);
#endif
