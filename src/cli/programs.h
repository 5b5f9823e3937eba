/* Programs that `run` compiled before, in CACHE/programs/.
 *
 * A program's key is made of the compiler, its options, the sources' names and the folder they are compiled
 * in. Beside each program lies a list of all files that were read for it with a hash of their contents; the
 * program is taken only when all of them, and the program itself, still hash to the same. So a change of a
 * header is seen whatever its time stamp, and a damaged cache costs a compilation, nothing else. A cache that
 * cannot be written to costs one line on standard error.
 */
#ifndef WG_CLI_PROGRAMS_H
#define WG_CLI_PROGRAMS_H
#include "cli/job.h"

struct wg_program_key {
    char name[33];
};

void wg_programs_key(const struct wg_job *job, const char *scratch, struct wg_program_key *key);
/* The path of the program for this key in `path`; false when it must be compiled. */
bool wg_programs_look(const struct wg_program_key *key, struct wg_strbuf *path);
/* Keeps `program`. `dependencies`: files of make rules, as wg_compile lists them, NULs between. */
void wg_programs_keep(const struct wg_program_key *key, const struct wg_job *job, const char *program,
                      const struct wg_strbuf *dependencies);
#endif
