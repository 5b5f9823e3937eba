/* What the compiler left in threads' own memory. */
#ifndef WG_CLI_LOCAL_MEMORY_H
#define WG_CLI_LOCAL_MEMORY_H
#include <stdint.h>

/* The bytes of local variables in a file of PTX; 0 when none of them is read, as where printf's arguments are
 * all. */
uint64_t wg_local_memory(const char *ptx);
#endif
