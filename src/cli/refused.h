/* What clang refuses and nvcc takes: words with which clang takes it, too. */
#ifndef WG_CLI_REFUSED_H
#define WG_CLI_REFUSED_H
#include "cli/process.h"

/* The word that asks for CUDA 13 alone (-cuda-version): also a macro, for the headers. */
#define WG_ONLY_NEWEST "-D__WARPGLASS_ONLY_CUDA_13"

/* The word for files that look for nvcc, which all passes of a file have if one does. */
#define WG_AS_NVCC "-D__NVCC__"

/* Looks through the messages, a file, of a pass by the words `tried`, and adds to `words`, which are for the next try;
 * sources in another spelling lie beside the messages. `rule`: a file with make's rule of what was read, if any. False where the
 * next try would see nothing new. */
bool wg_refused_words(const char *messages, const char *rule, const struct wg_args *tried,
                      struct wg_args *words);
/* Says what a compiler's messages, in its words so far, do not: that a function may be for the host alone, a name
 * not be declared, or a line be refused, because a header asks for __NVCC__. `rule`: a file with make's rule of what
 * was read, if any. */
void wg_refused_explain(const char *text, const char *rule, const struct wg_args *words);
#endif
