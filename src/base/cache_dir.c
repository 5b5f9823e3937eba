/* The cache's folder: see cache_dir.h. */
#include "base/cache_dir.h"
#include "base/hash.h"
#include "base/private.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_AT_MOST = 256 << 20 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct wg_strbuf name;
static atomic_bool refused, said_file;

static void find(void) {
    const char *own = secure_getenv("WARPGLASS_CACHE_DIR"), *xdg = secure_getenv("XDG_CACHE_HOME");
    const char *home = secure_getenv("HOME");
    if (own && !strcmp(own, "none")) return;
    if (own && *own)
        wg_strbuf_puts(&name, own);
    else if (xdg && *xdg == '/')
        wg_strbuf_printf(&name, "%s/warpglass", xdg); /* relative ones are to be ignored */
    else if (home && *home)
        wg_strbuf_printf(&name, "%s/.cache/warpglass", home);
}

const char *wg_cache_name(void) {
    pthread_once(&once, find);
    return name.s;
}

bool wg_make_dirs(const char *path) {
    struct wg_strbuf part = {0};
    bool ok = true;
    for (size_t n = strspn(path, "/"); ok && path[n]; n += strspn(path + n, "/")) {
        n += strcspn(path + n, "/");
        wg_strbuf_free(&part);
        wg_strbuf_add(&part, path, n);
        ok = mkdir(part.s, 0700) == 0 || errno == EEXIST;
    }
    wg_strbuf_free(&part);
    struct stat st;
    if (ok && stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
        errno = ENOTDIR;
        ok = false;
    }
    return ok;
}

static void refuse(const char *why) {
    if (atomic_exchange(&refused, true)) return;
    fprintf(
        stderr,
        "warpglass: the cache %s is not used, and nothing is cached: %s. Its files are executed, so nobody "
        "else may own or write to it. WARPGLASS_CACHE_DIR names another folder, or none\n",
        name.s, why);
}

bool wg_cache_is_refused(void) { return atomic_load(&refused); }

/* Creates one folder, and checks that it is private. */
static bool prepare(const char *path, struct wg_strbuf *real) {
    struct wg_strbuf why = {0};
    bool good = wg_make_dirs(path) && wg_private_folder(path, real, &why);
    int reason = why.s ? 0 : errno;
    if (why.s) refuse(why.s);
    wg_strbuf_free(&why);
    errno = good ? 0 : reason;
    return good;
}

bool wg_cache_folder(const char *within, struct wg_strbuf *path) {
    struct wg_strbuf real = {0}, folder = {0};
    errno = 0;
    if (!wg_cache_name() || atomic_load(&refused)) return false;
    bool good = prepare(name.s, &real);
    if (good && *within) {
        wg_strbuf_printf(&folder, "%s/%s", real.s, within);
        wg_strbuf_free(&real);
        good = prepare(folder.s, &real);
    }
    int why = errno;
    if (good) wg_strbuf_puts(path, real.s);
    wg_strbuf_free(&folder);
    wg_strbuf_free(&real);
    errno = why;
    return good;
}

/* ---- Its files --------------------------------------------------------------------------------------------
 */

bool wg_cache_read(const char *path, struct wg_strbuf *out) {
    struct wg_strbuf why = {0};
    struct stat st;
    int fd = wg_private_open(path, FILE_AT_MOST, &st, &why);
    if (why.s && !atomic_exchange(&said_file, true))
        fprintf(stderr, "warpglass: the cached file is not used and is made again: %s\n", why.s);
    wg_strbuf_free(&why);
    if (fd < 0) return false;
    bool good = wg_read_all(fd, out);
    futimens(fd, NULL); /* used now */
    close(fd);
    return good;
}

bool wg_cache_write(const char *path, const void *bytes, size_t len, unsigned mode) {
    if (len <= FILE_AT_MOST) return wg_private_write(path, bytes, len, mode);
    errno = EFBIG;
    return false;
}

/* Before the bytes: 32 digits of a hash of the file's name and of the bytes. */
enum { SEAL = 32 };

static void make_seal(const char *path, const void *bytes, size_t len, char seal[SEAL + 1]) {
    struct wg_hash h = WG_HASH_INIT;
    const char *slash = strrchr(path, '/');
    wg_hash_str(&h, slash ? slash + 1 : path);
    wg_hash_add(&h, bytes, len);
    wg_hash_hex(&h, seal);
}

bool wg_cache_read_sealed(const char *path, struct wg_strbuf *out) {
    struct wg_strbuf file = {0};
    char seal[SEAL + 1];
    bool good = wg_cache_read(path, &file) && file.n >= SEAL;
    if (good) {
        make_seal(path, file.s + SEAL, file.n - SEAL, seal);
        good = !memcmp(seal, file.s, SEAL);
    }
    if (good) wg_strbuf_add(out, file.s + SEAL, file.n - SEAL);
    wg_strbuf_free(&file);
    return good;
}

bool wg_cache_write_sealed(const char *path, const void *bytes, size_t len) {
    struct wg_strbuf file = {0};
    char seal[SEAL + 1];
    make_seal(path, bytes, len, seal);
    wg_strbuf_add(&file, seal, SEAL);
    wg_strbuf_add(&file, bytes, len);
    bool good = wg_cache_write(path, file.s, file.n, 0600);
    int why = errno;
    wg_strbuf_free(&file);
    errno = why;
    return good;
}
