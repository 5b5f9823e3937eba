/* Processes that a process has started, and those that these have: as /proc shows them.
 *
 *     struct wg_descendants d = {0};
 *     wg_descendants_find(child, NULL, &d);
 *     wg_descendants_signal(&d, SIGTERM);
 *     wg_descendants_free(&d);
 *
 * They are known by more than their numbers, which others may get when they have ended.
 */
#ifndef WG_CLI_DESCENDANTS_H
#define WG_CLI_DESCENDANTS_H
#include "base/arena.h"
#include <sys/types.h>

struct wg_descendants {
    WG_VEC(struct wg_descendant {
        pid_t pid;
        int fd; /* pidfd; -1: the system has none */
    })
    all;
};
/* All below `of`, but for those of `others` (NULL: none) and for what has ended; what `found` held before is forgotten. */
void wg_descendants_find(pid_t of, const struct wg_descendants *others, struct wg_descendants *found);
void wg_descendants_signal(const struct wg_descendants *d, int sig);
/* Those that do not end by themselves so long are asked to, and those that still do not so long again are killed. */
void wg_descendants_end(const struct wg_descendants *d, int patience_ms);
void wg_descendants_free(struct wg_descendants *d);
#endif
