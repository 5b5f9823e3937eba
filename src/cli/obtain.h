/* What a command is to report of: a program that is run and counted, or a report of before. */
#ifndef WG_CLI_OBTAIN_H
#define WG_CLI_OBTAIN_H
#include "cli/options.h"
#include "cli/processes.h"
#include "report/profile.h"
#include "report/summary.h"

/* By the name's end: report.json is a report, everything else is run. */
bool wg_obtain_is_report(const char *file);
/* Of a program: it runs with what stands behind "--", and *status is its own. NULL after a message, with
 * *status what the command should end with; or without one, when several->n > 1 processes of it have left something. */
struct wg_profile *wg_obtain(struct wg_arena *arena, const struct wg_cmdline *c, const char *file,
                             int *status, struct wg_processes *several);
/* Runs a program (with NULL: made of all files given) with what stands behind "--", and with `variable`
 * in its environment, which tells it to leave a result at `path`, or results in the folder "PATH/" (both NULL: it leaves none). Gives the
 * exit status; whether there is a result, the caller looks. `first` goes before the options given, as one of "run"; NULL: nothing does. */
int wg_obtain_result(const struct wg_cmdline *c, const char *file, const struct wg_item *first,
                     const char *variable, const char *path);
/* Says so when nothing came of it although the program ran. */
void wg_obtain_say_nothing(const char *file, int status, const char *what);
/* The only file there is, or NULL when there are several, which are sources of one program. */
const char *wg_obtain_single(const struct wg_cmdline *c, uint32_t *files);
/* Writes a report to where the user said, and frees its text. False after a message. */
bool wg_obtain_write(const char *path, struct wg_strbuf *text);
/* Before anything runs: no report goes over a file that is read or over another report. False after a
 * message. */
bool wg_obtain_check_files(const struct wg_cmdline *c);
/* Likewise: every report can be written where it is to go. */
bool wg_obtain_may_write(const struct wg_cmdline *c);
/* --source-root, whole (report/source_root.h); *root is NULL where there is none. False after a message. */
bool wg_obtain_root(const struct wg_cmdline *c, struct wg_arena *arena, const char **root);
/* Under GitHub Actions, to standard error, where the service finds them; freed. */
void wg_obtain_annotate(struct wg_strbuf *annotations);
/* --kernel and --launches. False after a message. */
bool wg_obtain_choice(const struct wg_cmdline *c, struct wg_choice *choice);
/* --format: whether lines as gcc writes them are wanted, in place of the text. False after a message. */
bool wg_obtain_format(const struct wg_cmdline *c, bool *gcc);
#endif
