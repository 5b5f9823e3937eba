/* See shared_pointers.h. From `int *halves[2] = {low, high};` of two shared arrays clang makes
 *     .global .align 8 .u64 __const_$_halves[2] = {generic(low), generic(high)};
 *     .shared .align 4 .b8 low[256];
 */
#include "cli/shared_pointers.h"
#include "base/strbuf.h"

#include <string.h>

static bool points_at(const char *text, const char *name, size_t n) {
    struct wg_strbuf use = {0};
    wg_strbuf_printf(&use, "generic(%.*s)", (int)n, name);
    bool found = strstr(text, use.s) != NULL;
    wg_strbuf_free(&use);
    return found;
}

bool wg_shared_pointers(const char *ptx) {
    struct wg_strbuf text = {0};
    bool found = false, any = wg_file_read(ptx, &text) && text.n && strstr(text.s, "generic(");
    for (const char *p = any ? text.s : ""; !found && (p = strstr(p, ".shared .align "));) {
        size_t line = strcspn(p, "\n"), end = strcspn(p, "[;\n"), start = end;
        while (start && p[start - 1] != ' ') start--;
        found = points_at(text.s, p + start, end - start);
        p += line;
    }
    wg_strbuf_free(&text);
    return found;
}
