/* cuda_runtime.h as clang reads it, kept in CACHE/headers/: half of the time that a small program's
 * compilation takes goes into reading it, twice.
 *
 * What clang makes of the header depends on some of the words it is given: not on warnings, how much is
 * optimised, or macros whose names do not stand in it (header_names.h). For each list of the others that comes a
 * second time a precompiled header is made. clang itself sees whether a header has changed since then (compile.c
 * asks it to look at system headers, too), and refuses: then, as after any other failure, the caller compiles
 * without, so what is kept here can cost time, never an answer.
 */
#ifndef WG_CLI_HEADERS_H
#define WG_CLI_HEADERS_H
#include "cli/process.h"

/* The folder that a word such as -Ifolder names to look into, or the word behind it does: then what is returned is
 * `next`, which may be NULL. NULL: it names none. */
const char *wg_headers_folder(const char *word, const char *next);
/* The path of the precompiled header for `words`, the compiler and all that concerns the language: to be
 * given with -include-pch in place of -include cuda_runtime.h. False when there is none. */
bool wg_headers_look(const struct wg_args *words, struct wg_strbuf *path);
/* Clang did not take it: it is made again next time. */
void wg_headers_drop(const char *path);
#endif
