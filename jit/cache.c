/* The disk cache of compiled kernels: see cache.h. */
#include "jit/cache.h"
#include "base/arena.h"
#include "base/hash.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char *dir;

static void find_dir(void) {
    const char *own = getenv("WARPGLASS_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct wg_strbuf b = {0};
    if (own && *own) wg_strbuf_puts(&b, own);
    else if (xdg && *xdg) wg_strbuf_printf(&b, "%s/warpglass", xdg);
    else if (home && *home) wg_strbuf_printf(&b, "%s/.cache/warpglass", home);
    else wg_strbuf_puts(&b, "/tmp/warpglass-cache");
    dir = b.s;
}

const char *wg_cache_dir(void) {
    pthread_once(&once, find_dir);
    return dir;
}

/* mkdir -p */
static void make_dirs(void) {
    char *p = wg_xstrdup(wg_cache_dir());
    for (char *s = p + 1; *s; s++)
        if (*s == '/') {
            *s = 0;
            mkdir(p, 0755);
            *s = '/';
        }
    mkdir(p, 0755);
    free(p);
}

struct header {
    char magic[8];
    struct wg_cache_meta meta;
    uint64_t len;
    char sum[33]; /* of the object */
    char pad[3];
};
static const char magic[8] = "wgobj02";

static void sum_of(const void *bytes, size_t len, char out[33]) {
    struct wg_hash h = WG_HASH_INIT;
    wg_hash_add(&h, bytes, len);
    wg_hash_hex(&h, out);
}

static char *path_of(const char *key) {
    struct wg_strbuf b = {0};
    wg_strbuf_printf(&b, "%s/%s.o", wg_cache_dir(), key);
    return b.s;
}

bool wg_cache_load(const char *key, struct wg_cache_meta *meta, struct wg_strbuf *out) {
    char *path = path_of(key);
    struct wg_strbuf file = {0};
    bool ok = wg_file_read(path, &file);
    if (ok) {
        struct header h;
        char sum[33];
        ok = file.n >= sizeof h;
        if (ok) {
            memcpy(&h, file.s, sizeof h);
            ok = memcmp(h.magic, magic, sizeof magic) == 0 && h.len == file.n - sizeof h;
        }
        if (ok) {
            sum_of(file.s + sizeof h, h.len, sum);
            ok = memcmp(sum, h.sum, sizeof sum) == 0;
        }
        if (ok) {
            *meta = h.meta;
            wg_strbuf_add(out, file.s + sizeof h, h.len);
        } else {
            unlink(path);
        }
    }
    wg_strbuf_free(&file);
    free(path);
    return ok;
}

void wg_cache_store(const char *key, const struct wg_cache_meta *meta, const void *bytes, size_t len) {
    struct header h = {.meta = *meta, .len = len};
    memcpy(h.magic, magic, sizeof magic);
    sum_of(bytes, len, h.sum);
    struct wg_strbuf file = {0};
    wg_strbuf_add(&file, (const char *)&h, sizeof h);
    wg_strbuf_add(&file, bytes, len);
    char *path = path_of(key);
    make_dirs();
    static bool said;
    if (!wg_file_write(path, file.s, file.n) && !said && getenv("WARPGLASS_VERBOSE")) {
        fprintf(stderr, "warpglass: cannot keep compiled kernels in %s: %s (they will be compiled again)\n", wg_cache_dir(),
                strerror(errno));
        said = true;
    }
    free(path);
    wg_strbuf_free(&file);
}
