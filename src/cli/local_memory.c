/* See local_memory.h. Lines are looked at as clang writes them:
 *     .local .align 16 .b8 __local_depot0[256];
 *     ld.local.f32 %f47, [%rd36+-12];
 */
#include "cli/local_memory.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

uint64_t wg_local_memory(const char *ptx) {
    static const char depot[] = "__local_depot";
    struct wg_strbuf text = {0};
    uint64_t bytes = 0;
    bool read = wg_file_read(ptx, &text) && text.n && strstr(text.s, "ld.local");
    for (const char *p = read ? text.s : ""; (p = strstr(p, "\t.local "));) {
        const char *end = p + strcspn(p + 1, "\n") + 1;
        const char *name = strstr(p, depot), *size = name && name < end ? strchr(name, '[') : NULL;
        if (size && size < end) bytes += strtoull(size + 1, NULL, 10);
        p = end;
    }
    wg_strbuf_free(&text);
    return bytes;
}
