/* See cuda_tool.h. */
#include "analysis/cuda_tool.h"
#include "base/cache_dir.h"
#include "base/command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

bool wg_cuda_tool_find(const char *name, const char *variable, struct wg_strbuf *path) {
    const char *own = getenv(variable), *home = getenv("CUDA_HOME");
    struct wg_strbuf place = {0};
    if (getauxval(AT_SECURE)) return false;
    if (own) return *own && wg_command_find_foreign(own, path);
    bool found = wg_command_find_foreign(name, path);
    if (!found && home) {
        wg_strbuf_printf(&place, "%s/bin/%s", home, name);
        found = wg_command_find_foreign(place.s, path);
        wg_strbuf_free(&place);
    }
    if (found) return true;
    wg_strbuf_printf(&place, "/usr/local/cuda/bin/%s", name);
    found = wg_command_find_foreign(place.s, path);
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

struct wg_strbuf wg_cuda_tool_kept_in(const char *folder, struct wg_hash h, const struct wg_cuda_text *t) {
    struct wg_strbuf path = {0};
    char name[33];
    wg_hash_str(&h, t->arch);
    wg_hash_str(&h, t->ptx);
    for (uint32_t i = 0; i < t->nkernels; i++) wg_hash_str(&h, t->kernels[i]);
    wg_hash_hex(&h, name);
    if (wg_cache_folder(folder, &path))
        wg_strbuf_printf(&path, "/%s", name);
    else
        wg_strbuf_free(&path);
    return path;
}

void wg_cuda_tool_keep(char *path, const struct wg_strbuf *said, uint32_t files, uint32_t megabytes) {
    wg_cache_write_sealed(path, said->s ? said->s : "", said->n);
    *strrchr(path, '/') = 0;
    wg_cache_trim(path, files, megabytes * UINT64_C(1000000));
}
