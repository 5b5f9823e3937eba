/* Rules for make: which files an object was made from, as -MD writes them.
 *
 *     warpglass cc -c a.cu -o a.o -MD -MF a.d       a.d:  a.o: a.cu a.cuh ...
 */
#ifndef WG_CLI_MAKE_RULE_H
#define WG_CLI_MAKE_RULE_H
#include "cli/job.h"

/* False after a message: what is asked for does not fit together. */
bool wg_make_rule_check(const struct wg_job *job);
/* Writes the rule of one source. `lists`: the rules that its compilations left behind, file names with NULs
 * between; device code and host code may have read different files. 0, or an exit status. */
int wg_make_rule_write(const struct wg_job *job, const struct wg_source *s, const struct wg_strbuf *lists);
/* The files that a rule in `text` names, as they are written there, with quotes; `text` is cut up. */
void wg_make_rule_read(char *text, struct wg_args *files);
/* A file name as make takes it. */
void wg_make_rule_quote(struct wg_strbuf *out, const char *name);
#endif
