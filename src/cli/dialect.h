/* nvcc's dialect of C++: the options and passes that make clang behave like nvcc. */
#ifndef WG_CLI_DIALECT_H
#define WG_CLI_DIALECT_H
#include "cli/process.h"

/* Host code, which nvcc does not optimise unless it is told to: what C++ leaves undefined then does what it
 * says, sums of integers that overflow too. */
void wg_dialect_host_words(struct wg_args *words);
/* Device code. `clang`: the compiler's path. */
void wg_dialect_words(const char *clang, struct wg_args *words);
/* Whether our passes (jit/llvm/dialect.cc) run in this clang, which takes them only if it is of the same LLVM as
 * they are. */
bool wg_dialect_has_passes(const char *clang);
struct wg_strbuf wg_dialect_passes(void); /* the file that they are in, whether or not it is there */
#endif
