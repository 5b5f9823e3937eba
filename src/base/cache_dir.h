/* The cache directory, where compiled programs and kernels are kept: $WARPGLASS_CACHE_DIR, else
 * $XDG_CACHE_HOME/warpglass, else ~/.cache/warpglass. Its files are executed, so it is used only if nobody
 * else can write to it (private.h): otherwise one message says so and nothing is cached. Programs that run
 * with more rights than their user (setuid) cache nothing: they cannot trust the environment.
 */
#ifndef WG_BASE_CACHE_DIR_H
#define WG_BASE_CACHE_DIR_H
#include "base/strbuf.h"

#include <stdint.h>

/* The path by the environment, which is read once; NULL when nothing is cached: WARPGLASS_CACHE_DIR=none, or
 * no home directory. */
const char *wg_cache_name(void);
/* The cache, or a folder in it, created if missing: its path in `path`. False when it cannot be used,
 * with errno set; errno 0: no cache is wanted, or the reason was already reported. */
bool wg_cache_folder(const char *name, struct wg_strbuf *path);
/* Others may write to the cache, and the message about it was printed. */
bool wg_cache_is_refused(void);

/* Reads a file of the cache. False when there is none; one that others may write to, a link, a pipe or
 * one that is too large counts as missing, with one message. */
bool wg_cache_read(const char *path, struct wg_strbuf *out);
/* Writes one; `mode`: 0600, or 0700 for what is to be run. False with errno set. */
bool wg_cache_write(const char *path, const void *bytes, size_t len, unsigned mode);
/* The same for a file that tells whether it is whole and is under the name that it was written to: one that
 * is not counts as none. */
bool wg_cache_read_sealed(const char *path, struct wg_strbuf *out);
bool wg_cache_write_sealed(const char *path, const void *bytes, size_t len);

/* Files of a folder whose names begin with the same key, up to a dot, are an entry. When the folder has more
 * than `most` entries or `bytes`, the least recently used are deleted, until there is half as much; old
 * temporary files of writers that never finished are deleted at once. A file's modification time says when it
 * was used. */
void wg_cache_trim(const char *folder, uint32_t most, uint64_t bytes);

/* Makes a folder and those above it. False with errno set. */
bool wg_make_dirs(const char *path);
#endif
