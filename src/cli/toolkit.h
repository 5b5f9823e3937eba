/* A folder laid out as a CUDA toolkit, for build systems that look for one: see docs/toolkit.md. */
#ifndef WG_CLI_TOOLKIT_H
#define WG_CLI_TOOLKIT_H
#include "cli/process.h"

/* Makes the folder `root`, or the one in the cache if it is NULL, where there is none of this Warpglass yet; its full
 * path in `path`. False after a message. */
bool wg_toolkit_make(const char *root, struct wg_strbuf *path);
/* The words for a linker that name the folders of its libraries. */
void wg_toolkit_library_folders(const char *root, struct wg_args *words);
/* The version that our nvcc gives: of the headers, and of the language that they follow. */
#define WG_TOOLKIT_RELEASE "13.0"
#define WG_TOOLKIT_VERSION WG_TOOLKIT_RELEASE ".0"
#endif
