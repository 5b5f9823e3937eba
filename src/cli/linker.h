/* The linker's own command line, as clang would give it, kept in CACHE/linkers/: half of the time that
 * linking a small program takes goes into clang, which only finds out where the C library's files lie.
 *
 * Clang is asked (-###) once for each list of words; the line is kept with holes for the objects and the
 * program. What is kept can cost time, never an answer: should the linker refuse, the caller links through
 * clang.
 */
#ifndef WG_CLI_LINKER_H
#define WG_CLI_LINKER_H
#include "cli/process.h"

/* `words`: the compiler, and all that it would be given to link objects to a program. True: the linker did
 * it, and what it said is in the file `messages`. False: clang has to; nothing was said. `scratch`: a folder
 * for clang's answer. */
bool wg_linker_run(const struct wg_args *words, const char *scratch, const char *messages);
#endif
