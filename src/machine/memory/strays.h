/* Strays: out-of-bounds accesses of kernels to memory that belongs to no allocation but is near one. A GPU
 * lets most of them pass, and much public code makes some, so they pass here as well, unless the user wants
 * them to be errors (options.strict), or checks.
 *
 *     ... [allocation|its last page]  guard  ...  gap  ...  [next allocation]
 *                                    ^^^^^^^^^^^^^^^^^^^^^ pages for strays, made when one comes:
 *                                                          zeros at first
 *
 * How near was measured on an H100: from 32 MiB before an allocation to 32 MiB past its end, or, where it has
 * large pages of its own, to the end of the last of them. The pages are in the device's address space and
 * belong to nobody; an allocation or a free there unmaps them. They are accessible while a launch runs; its
 * end protects them and keeps their contents, and the next launch's strays are detected again. Strays in an
 * allocation's last page are not detected.
 */
#ifndef WG_MACHINE_MEMORY_STRAYS_H
#define WG_MACHINE_MEMORY_STRAYS_H
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct wg_memory;
#define WG_STRAY_NEAR (32ull << 20)

/* Places in the source that were reported: private to stray_told.c. */
enum {
    WG_STRAYS_TOLD = 32,
    WG_STRAY_LOOKS = 4, /* replays for one instruction, or for one kernel's overruns */
};
struct wg_strays_told {
    pthread_mutex_t lock;
    uint64_t code[WG_STRAYS_TOLD];  /* machine code that met one, or kernels (overrun.h) */
    uint32_t times[WG_STRAYS_TOLD]; /* the number of replays */
    char *told[WG_STRAYS_TOLD];     /* the place, as a text */
    uint32_t ncode, ntold, runs;
};

struct wg_strays *wg_strays_new(void);
void wg_strays_free(struct wg_strays *s);
/* In a signal handler: maps pages at the address; false: no allocation is near. */
bool wg_strays_open(struct wg_memory *m, uint64_t address);
/* No launch that strayed runs any more: protects the pages that are accessible. */
void wg_strays_close(struct wg_memory *m);
struct wg_strays_told *wg_strays_told(struct wg_memory *m);
/* Whether an access at the address would pass. */
bool wg_stray_may(struct wg_memory *m, uint64_t address);

/* The memory's lock is held for writing: the pages in [from, to) are gone; those that no allocation is near
 * are. */
void wg_stray_clear(struct wg_memory *m, uint64_t from, uint64_t to);
void wg_stray_trim(struct wg_memory *m);
#endif
