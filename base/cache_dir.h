/* Where compiled programs and kernels are kept: $WARPGLASS_CACHE_DIR, else $XDG_CACHE_HOME/warpglass, else
 * ~/.cache/warpglass. Never a folder that others can write to: what lies there is run. */
#ifndef WG_BASE_CACHE_DIR_H
#define WG_BASE_CACHE_DIR_H
#include <stdbool.h>

/* NULL when nothing shall be kept: WARPGLASS_CACHE_DIR=none, or nobody's home. The same for the process's
 * life. */
const char *wg_cache_dir(void);
/* Makes a folder and those above it. False with errno set. */
bool wg_make_dirs(const char *path);
#endif
