/* The device code in a file's bytes: an object, a library of objects or an executable, by clang or by nvcc; or a container
 * (fat_binary.h), PTX text or machine code by itself.
 *
 *     .nv_fatbin        containers, each at a multiple of 8, or texts of PTX that end with a zero byte
 *     __nv_relfatbin    the same of -rdc=true
 */
#ifndef WG_BASE_DEVICE_CODE_H
#define WG_BASE_DEVICE_CODE_H
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

enum wg_code_kind { WG_CODE_CONTAINER, WG_CODE_TEXT, WG_CODE_MACHINE };
struct wg_code_piece {
    enum wg_code_kind kind;
    const char *bytes; /* where they lie: no zero byte need follow a text */
    size_t n;
    uint32_t arch; /* of machine code: 90 */
};
/* The capability that PTX text is for: its .target (90; `specific` for sm_90a or sm_100f). 0: there is none. */
uint32_t wg_code_target(const char *text, size_t n, bool *specific);
/* Calls `fn` for each piece until it returns false. False where `fn` did, with `*why` NULL, and where the file is damaged or has
 * no device code by its kind. `bytes` end with a NUL that is not theirs. */
bool wg_device_code_pieces(const char *bytes, size_t n,
                           bool (*fn)(void *user, const struct wg_code_piece *piece), void *user,
                           const char **why);
#endif
