/* Where code of this process lies in the file it was loaded from: what a return address becomes before it is
 * written down, because the next process has the same code elsewhere. */
#ifndef WG_CHECK_CODE_PLACE_H
#define WG_CHECK_CODE_PLACE_H
#include "base/strbuf.h"
#include <stdbool.h>
#include <stdint.h>

/* The object's path, and the address as the object's own symbols have it. False: no loaded object holds it.
 */
bool wg_code_place(uint64_t address, struct wg_strbuf *path, uint64_t *offset);
/* Where the loaded code around the address ends; 0: no loaded object holds it. */
uint64_t wg_code_end(uint64_t address);
#endif
