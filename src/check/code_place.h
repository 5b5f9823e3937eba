/* Position independence of host code: translates a return address into an object file and an offset in it
 * before it is written to a file, because the next process loads the same code elsewhere. */
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
