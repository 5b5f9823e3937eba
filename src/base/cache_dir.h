/* Where compiled programs and kernels are kept: $WARPGLASS_CACHE_DIR, else $XDG_CACHE_HOME/warpglass, else
 * ~/.cache/warpglass. What lies there is run, so it is used only if nobody else can write to it (private.h):
 * where others can, that is said once and nothing is kept. Programs that run with more rights than their user
 * has keep nothing: the environment is not theirs.
 */
#ifndef WG_BASE_CACHE_DIR_H
#define WG_BASE_CACHE_DIR_H
#include "base/strbuf.h"

#include <stdint.h>

/* As the environment says it, looked at once; NULL when nothing shall be kept: WARPGLASS_CACHE_DIR=none, or
 * nobody's home. */
const char *wg_cache_name(void);
/* The cache, or a folder in it, made if it is not there: its path in `path`. False when it cannot be used,
 * with errno set; 0: none is wanted, or it was said why not. */
bool wg_cache_folder(const char *name, struct wg_strbuf *path);
/* Others may write to the cache: that was said. */
bool wg_cache_is_refused(void);

/* Reads a file of the cache. False when there is none; one that others may write to, a link, a pipe or what
 * is too large counts as none, and that is said once. */
bool wg_cache_read(const char *path, struct wg_strbuf *out);
/* Writes one; `mode`: 0600, or 0700 for what is to be run. False with errno set. */
bool wg_cache_write(const char *path, const void *bytes, size_t len, unsigned mode);
/* The same for a file that tells whether it is whole and is under the name that it was written to: one that
 * is not counts as none. */
bool wg_cache_read_sealed(const char *path, struct wg_strbuf *out);
bool wg_cache_write_sealed(const char *path, const void *bytes, size_t len);

/* Files of a folder whose names begin with the same key, up to a dot, are an entry. When the folder has more
 * than `most` entries or `bytes`, those that were not used for longest go, until there is half as much; what
 * somebody began to write long ago and never ended goes at once. A file's time of change says when it was
 * used. */
void wg_cache_trim(const char *folder, uint32_t most, uint64_t bytes);

/* Makes a folder and those above it. False with errno set. */
bool wg_make_dirs(const char *path);
#endif
