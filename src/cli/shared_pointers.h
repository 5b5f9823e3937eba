/* Whether clang made a table of addresses in shared memory, which is impossible: they differ from block to block. */
#ifndef WG_CLI_SHARED_POINTERS_H
#define WG_CLI_SHARED_POINTERS_H
#include <stdbool.h>

bool wg_shared_pointers(const char *ptx);
#endif
