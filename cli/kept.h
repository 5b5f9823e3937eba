/* Folders of the cache whose files are named by 32 digits, each perhaps with a list beside it. */
#ifndef WG_CLI_KEPT_H
#define WG_CLI_KEPT_H
#include <stdint.h>

#define WG_KEPT_LIST ".files"

/* When the folder has more than `most` of them, those that were not used for longest go, lists and all, until
 * there are half as many. A file's time of change says when it was used. */
void wg_kept_remove_oldest(const char *folder, uint32_t most);
#endif
