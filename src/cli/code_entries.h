/* The device code in a file (base/device_code.h), unpacked: each text of PTX and each piece of machine code. */
#ifndef WG_CLI_CODE_ENTRIES_H
#define WG_CLI_CODE_ENTRIES_H
#include "base/fat_binary.h"

struct wg_code_entry {
    enum wg_fat_kind kind;
    const char *bytes; /* `n` of them and a zero byte */
    size_t n;
    uint32_t arch; /* 90 */
    bool specific; /* sm_90a */
    bool compressed;
};
/* Calls `fn` for each until it returns false. False where `fn` did, and after a message. */
bool wg_code_entries(const char *path, bool (*fn)(void *user, const struct wg_code_entry *entry), void *user);
#endif
