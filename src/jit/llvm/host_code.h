/* Analyses the host program's machine code: is the result of a call dead? */
#ifndef WG_JIT_HOST_CODE_H
#define WG_JIT_HOST_CODE_H
#include <stdbool.h>
#include <stdint.h>

/* Does the code after a call ignore the returned value (in EAX)? `at` is the return address, `end` where the
 * code's segment ends. True only where every path from there writes EAX, or calls, before anything reads it;
 * false where the result is read, returned further, or there are too many paths. */
bool wg_host_drops_result(uint64_t at, uint64_t end);

#endif
