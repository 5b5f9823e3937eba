/* The cache's folder: see cache_dir.h. */
#include "base/cache_dir.h"
#include "base/strbuf.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct wg_strbuf dir;

static void find(void) {
    const char *own = getenv("WARPGLASS_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own && !strcmp(own, "none")) return;
    if (own && *own)
        wg_strbuf_puts(&dir, own);
    else if (xdg && *xdg == '/')
        wg_strbuf_printf(&dir, "%s/warpglass", xdg); /* relative ones are to be ignored */
    else if (home && *home)
        wg_strbuf_printf(&dir, "%s/.cache/warpglass", home);
}

const char *wg_cache_dir(void) {
    pthread_once(&once, find);
    return dir.s;
}

bool wg_make_dirs(const char *path) {
    struct wg_strbuf part = {0};
    bool ok = true;
    for (size_t n = strspn(path, "/"); ok && path[n]; n += strspn(path + n, "/")) {
        n += strcspn(path + n, "/");
        wg_strbuf_free(&part);
        wg_strbuf_add(&part, path, n);
        ok = mkdir(part.s, 0755) == 0 || errno == EEXIST;
    }
    wg_strbuf_free(&part);
    struct stat st;
    if (ok && stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
        errno = ENOTDIR;
        ok = false;
    }
    return ok;
}
