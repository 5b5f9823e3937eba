/* See cuda_tool.h. */
#include "analysis/cuda_tool.h"
#include "base/command.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>

bool wg_cuda_tool_find(const char *name, const char *variable, struct wg_strbuf *path) {
    const char *own = getenv(variable), *home = getenv("CUDA_HOME");
    struct wg_strbuf place = {0};
    if (getauxval(AT_SECURE)) return false;
    if (own) return *own && wg_command_find(own, path);
    bool found = wg_command_find(name, path);
    if (!found && home) {
        wg_strbuf_printf(&place, "%s/bin/%s", home, name);
        found = wg_command_find(place.s, path);
        wg_strbuf_free(&place);
    }
    if (found) return true;
    wg_strbuf_printf(&place, "/usr/local/cuda/bin/%s", name);
    found = wg_command_find(place.s, path);
    wg_strbuf_free(&place);
    return found;
}

bool wg_cuda_tool_hash(const char *path, struct wg_hash *h) {
    struct stat st;
    if (stat(path, &st) != 0) return false;
    wg_hash_str(h, path);
    wg_hash_add(h, &st.st_size, sizeof st.st_size);
    wg_hash_add(h, &st.st_mtim, sizeof st.st_mtim);
    return true;
}
