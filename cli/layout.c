/* Where things lie: see layout.h. */
#include "cli/layout.h"
#include "cli/say.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct wg_strbuf libraries, cache, scratch;

const char *wg_layout_libraries(void) {
    char exe[4096];
    if (libraries.s) return libraries.s;
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n < 0) n = 0;
    exe[n] = 0;
    for (int up = 0; up < 2; up++) { /* less "/warpglass", less "/bin" */
        char *slash = strrchr(exe, '/');
        if (slash) *slash = 0;
    }
    wg_strbuf_printf(&libraries, "%s/lib/warpglass", exe);
    return libraries.s;
}

const char *wg_layout_cache(void) {
    const char *own = getenv("WARPGLASS_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache.s) return cache.s;
    if (own && *own) {
        if (!strcmp(own, "none")) return NULL;
        wg_strbuf_puts(&cache, own);
    } else if (xdg && *xdg == '/') {
        wg_strbuf_printf(&cache, "%s/warpglass", xdg);
    } else if (home && *home) {
        wg_strbuf_printf(&cache, "%s/.cache/warpglass", home);
    }
    return cache.s;
}

bool wg_layout_make_folder(const char *path) {
    struct wg_strbuf part = {0};
    bool ok = true;
    for (size_t n = strspn(path, "/"); ok && path[n]; n += strspn(path + n, "/")) {
        n += strcspn(path + n, "/");
        wg_strbuf_free(&part);
        wg_strbuf_add(&part, path, n);
        ok = mkdir(part.s, 0777) == 0 || errno == EEXIST;
    }
    wg_strbuf_free(&part);
    struct stat st;
    if (ok && stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
        errno = ENOTDIR;
        ok = false;
    }
    return ok;
}

const char *wg_layout_scratch(void) {
    const char *tmp = getenv("TMPDIR");
    if (scratch.s) return scratch.s;
    wg_strbuf_printf(&scratch, "%s/warpglass.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (mkdtemp(scratch.s)) return scratch.s;
    wg_say("cannot make a temporary folder %s: %s. Set TMPDIR to a folder that can be written to", scratch.s,
           strerror(errno));
    wg_strbuf_free(&scratch);
    return NULL;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where) {
    (void)st, (void)kind, (void)where;
    remove(path);
    return 0;
}

void wg_layout_remove_scratch(void) {
    if (scratch.s) nftw(scratch.s, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    wg_strbuf_free(&scratch);
}
