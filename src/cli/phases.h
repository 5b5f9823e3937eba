/* -time: how long each phase of a compilation took, as rows of a table.
 *
 *     wg_phases_begin();                          from now on each run of a compiler is a row
 *     wg_phases_add("x.cu", "device", words, wg_now_ns() before it)
 *     wg_phases_write("times.csv");
 */
#ifndef WG_CLI_PHASES_H
#define WG_CLI_PHASES_H
#include "cli/process.h"

void wg_phases_begin(void);
/* A row for what has just ended, if rows are wanted. `source` may be NULL. */
void wg_phases_add(const char *source, const char *phase, const struct wg_args *words, uint64_t begin_ns);
/* Adds the rows to the file's end, below a row of headings if it is empty; "-" is standard output. False after a message. */
bool wg_phases_write(const char *path);
#endif
