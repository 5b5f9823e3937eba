/* What clang refuses and nvcc takes: words with which clang takes it, too. */
#ifndef WG_CLI_REFUSED_H
#define WG_CLI_REFUSED_H
#include "cli/process.h"

/* Looks through a pass's messages, a file, and adds to `words`, which are for the next try; sources in
 * another spelling lie beside the messages. False where there is nothing that is not in `words` yet. */
bool wg_refused_words(const char *messages, struct wg_args *words);
/* A text's "<< <" and ">> >" as "<<< " and ">>> ", outside of comments and quotes. False if it has none. */
bool wg_refused_join_chevrons(char *text);
#endif
