/* Private files and folders: those that only this user can change, because their contents may be executed.
 *
 *     struct wg_strbuf real = {0}, why = {0};
 *     if (wg_private_folder("kept", &real, &why)) ...   else why.s: "others may write to kept (mode 777; ..."
 *
 * A folder is private if it belongs to the effective user and neither group nor others may write to it, and
 * if nobody else can put another in its place: every folder above it belongs to the user or the system, and
 * others may not write there, or, as in /tmp, may only add entries of their own (sticky bit). Symbolic links
 * on the way are resolved first.
 */
#ifndef WG_BASE_PRIVATE_H
#define WG_BASE_PRIVATE_H
#include "base/strbuf.h"

#include <sys/stat.h>

/* `real`: the folder's path without links. False with `why` in words, or without and errno set: it is not
 * there. */
bool wg_private_folder(const char *path, struct wg_strbuf *real, struct wg_strbuf *why);
/* Opens a file for reading: no link, no pipe, no device, of `most` bytes at most, and nobody else's to write
 * to. Never waits. -1 as above. */
int wg_private_open(const char *path, size_t most, struct stat *st, struct wg_strbuf *why);
/* Puts a file there by a rename whatever was there. `mode`: 0600 or 0700. False with errno set. */
bool wg_private_write(const char *path, const void *bytes, size_t len, mode_t mode);

#endif
