/* Running another program and capturing its output, without a shell and from any process: also from a
 * user's program, whose signals and children must not be disturbed.
 *
 *     char *const words[] = {"/usr/bin/ptxas", "-v", "/dev/stdin", "-o", "/dev/null", NULL};
 *     bool good = wg_command_output(words, text, strlen(text), 10, &said);
 */
#ifndef WG_BASE_COMMAND_H
#define WG_BASE_COMMAND_H
#include "base/strbuf.h"

/* The full path of a program by PATH, in `out`; false when there is none that can be run. */
bool wg_command_find(const char *name, struct wg_strbuf *out);
/* The same, passing over those that lie in the bin/ of a folder with WG_TOOLKIT_MARK in it: what "warpglass toolkit" makes
 * has Warpglass under the names of NVIDIA's tools. */
bool wg_command_find_foreign(const char *name, struct wg_strbuf *out);
#define WG_TOOLKIT_MARK "WARPGLASS"
/* Runs words[0], a path, with `input` as its standard input, and appends its standard output and error to
 * `out`. Its exit status; -1 when it cannot be started, is ended by a signal, or takes longer than so many seconds (0: any),
 * for which it is killed. */
int wg_command_status(char *const words[], const char *input, size_t n, double seconds,
                      struct wg_strbuf *out);
/* Whether that is 0. */
bool wg_command_output(char *const words[], const char *input, size_t n, double seconds,
                       struct wg_strbuf *out);
#endif
