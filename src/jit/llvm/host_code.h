/* What the host program's own machine code does with the result of a call. */
#ifndef WG_JIT_HOST_CODE_H
#define WG_JIT_HOST_CODE_H
#include <stdbool.h>
#include <stdint.h>

/* Does the code behind a call drop what the call returned (in EAX)? `at` is the return address, `end` where
 * the code's segment ends. True only where every way from there writes EAX, or calls, before anything reads
 * it; false where the result is looked at, returned further, or the ways are too many. */
bool wg_host_drops_result(uint64_t at, uint64_t end);

#endif
