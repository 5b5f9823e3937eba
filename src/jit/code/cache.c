/* The disk cache of compiled kernels: see cache.h. */
#include "jit/code/cache.h"
#include "base/arena.h"
#include "base/cache_dir.h"
#include "base/hash.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct header {
    char magic[8];
    struct wg_cache_meta meta;
    uint64_t len;
    char sum[33]; /* of the key and all else */
    char pad[3];
};
static const char magic[8] = "wgobj09";

static void sum_of(const char *key, const struct wg_cache_meta *meta, const void *bytes, size_t len,
                   char out[33]) {
    struct wg_hash h = WG_HASH_INIT;
    wg_hash_str(&h, key);
    wg_hash_add(&h, meta, sizeof *meta);
    wg_hash_add(&h, bytes, len);
    wg_hash_hex(&h, out);
}

/* NULL: there is no cache; errno says why. */
static char *path_of(const char *key) {
    struct wg_strbuf b = {0};
    if (wg_cache_folder("", &b)) wg_strbuf_printf(&b, "/%s.o", key);
    return b.s;
}

bool wg_cache_load(const char *key, struct wg_cache_meta *meta, struct wg_strbuf *out) {
    char *path = path_of(key);
    struct wg_strbuf file = {0};
    bool ok = path && wg_cache_read(path, &file);
    if (ok) {
        struct header h;
        char sum[33];
        ok = file.n >= sizeof h;
        if (ok) {
            memcpy(&h, file.s, sizeof h);
            ok = memcmp(h.magic, magic, sizeof magic) == 0 && h.len == file.n - sizeof h &&
                 h.meta.second_bytes < h.len && !h.meta.shown[sizeof h.meta.shown - 1];
        }
        if (ok) {
            sum_of(key, &h.meta, file.s + sizeof h, h.len, sum);
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

/* Eviction. Called rarely: looking at thousands of files takes some milliseconds. */
static void trim(char *path) {
    enum { EACH = 64, KERNELS_AT_MOST = 8192, MEGABYTES_AT_MOST = 256 };
    static atomic_uint stores;
    *strrchr(path, '/') = 0;
    if (atomic_fetch_add(&stores, 1) % EACH == 0)
        wg_cache_trim(path, KERNELS_AT_MOST, MEGABYTES_AT_MOST * 1000000ull);
}

void wg_cache_store(const char *key, const struct wg_cache_meta *meta, const void *bytes, size_t len) {
    char *path = path_of(key);
    bool kept = false;
    if (path) {
        struct header h = {.meta = *meta, .len = len};
        memcpy(h.magic, magic, sizeof magic);
        sum_of(key, meta, bytes, len, h.sum);
        struct wg_strbuf file = {0};
        wg_strbuf_add(&file, (const char *)&h, sizeof h);
        wg_strbuf_add(&file, bytes, len);
        kept = wg_cache_write(path, file.s, file.n, 0600);
        wg_strbuf_free(&file);
    }
    static atomic_bool said;
    int why = errno;
    if (!kept && why && secure_getenv("WARPGLASS_VERBOSE") && !atomic_exchange(&said, true))
        fprintf(stderr, "warpglass: cannot cache compiled kernels in %s: %s (they will be compiled again)\n",
                wg_cache_name(), strerror(why));
    if (kept) trim(path);
    free(path);
}

static void key_of_time(char *key, const char *version) { snprintf(key, WG_KEY_BYTES, "t%s", version + 1); }

uint64_t wg_cache_load_time(const char *version) {
    char key[WG_KEY_BYTES];
    struct wg_cache_meta meta;
    struct wg_strbuf bytes = {0};
    uint64_t ns = 0;
    key_of_time(key, version);
    if (wg_cache_load(key, &meta, &bytes) && bytes.n == sizeof ns) memcpy(&ns, bytes.s, sizeof ns);
    wg_strbuf_free(&bytes);
    return ns;
}

void wg_cache_store_time(const char *version, uint64_t ns) {
    char key[WG_KEY_BYTES];
    key_of_time(key, version);
    wg_cache_store(key, &(struct wg_cache_meta){0}, &ns, sizeof ns);
}
