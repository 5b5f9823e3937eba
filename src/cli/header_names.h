/* The names in header files: a macro whose name is not among them changes nothing there, so headers that were
 * read without it serve a program that defines it. */
#ifndef WG_CLI_HEADER_NAMES_H
#define WG_CLI_HEADER_NAMES_H
#include "cli/process.h"

/* Adds the identifiers in `files`, each once, on a line of its own with a newline before the first; not those in
 * comments and texts, nor what a macro calls its parameters. False: a file cannot be read. */
bool wg_header_names(const struct wg_args *files, struct wg_strbuf *names);
/* Whether `names` has the macro that a word of the command line (-DNAME, -DNAME=VALUE, -UNAME) is about. */
bool wg_header_names_macro(const struct wg_strbuf *names, const char *word);
#endif
