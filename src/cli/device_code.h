/* The device code in a file: PTX text, a container (base/fat_binary.h), machine code (a cubin), an object, a library of objects,
 * or an executable, by clang or by nvcc. */
#ifndef WG_CLI_DEVICE_CODE_H
#define WG_CLI_DEVICE_CODE_H
#include "base/fat_binary.h"

struct wg_device_code {
    enum wg_fat_kind kind;
    const char *bytes; /* `n` of them and a zero byte */
    size_t n;
    uint32_t arch; /* 90 */
    bool specific; /* sm_90a */
    bool compressed;
};
/* Calls `fn` for each piece until it returns false. False where `fn` did, and after a message. */
bool wg_device_code_each(const char *path, bool (*fn)(void *user, const struct wg_device_code *code),
                         void *user);
#endif
