/* Where things lie: Warpglass's own files, found from the command's own path, so that a build tree and any
 * place it is installed to work alike; and a folder for temporary files.
 *
 *     PREFIX/bin/warpglass
 *     PREFIX/lib/warpglass/libcudart.so.13, libcuda.so.1, libwarpglass-codegen.so, libwarpglass-dialect.so,
 *                          include/
 */
#ifndef WG_CLI_LAYOUT_H
#define WG_CLI_LAYOUT_H
#include "base/strbuf.h"

/* The command's own path; "" after a message when it is not found. */
const char *wg_layout_self(void);
/* PREFIX/lib/warpglass. Never NULL: when files are missing there, what needs them says so. */
const char *wg_layout_libraries(void);

/* A new folder under $TMPDIR or /tmp, for this command alone; the same one at every call. NULL after a
 * message when there can be none. */
const char *wg_layout_scratch(void);
/* Removes it with all that is in it. */
void wg_layout_remove_scratch(void);
/* A folder and all in it. */
void wg_layout_remove(const char *folder);
#endif
