/* Strays: accesses of kernels to memory that belongs to no allocation but is near one. A GPU lets most of them
 * pass, and much public code makes some, so they pass here as well, unless the user wants them to be errors
 * (options.strict), or checks.
 *
 *     ... [allocation|its last page]  guard  ...  gap  ...  [next allocation]
 *                                    ^^^^^^^^^^^^^^^^^^^^^ pages for strays, made when one comes:
 *                                                          zeros at first
 *
 * How near was measured on an H100: from 32 MiB before an allocation to 32 MiB past its end, or, where it has
 * large pages of its own, to the end of the last of them. The pages lie in the device's address space and
 * belong to nobody; when memory is allocated or freed there, they are gone. While a launch runs they are
 * open; its end closes them, what they hold stays, and the next launch's strays are seen again. Strays in an
 * allocation's last page are not seen.
 */
#ifndef WG_MACHINE_STRAY_H
#define WG_MACHINE_STRAY_H
#include "machine/memory.h"
#include "warp/warp.h"

#define WG_STRAY_NEAR (32ull << 20)

struct wg_worker;
struct wg_grid;

/* A stray of a unit that ran again. */
struct wg_stray_place {
    struct wg_fault fault; /* as if it were one */
    uint32_t warp, block[3];
};
struct wg_stray_places {
    struct wg_stray_place *v;
    uint32_t n, cap;
};

/* Places in the source that were told of: stray_told.c's own. */
enum {
    WG_STRAYS_TOLD = 32,
    WG_STRAY_LOOKS = 4, /* at one instruction, or one kernel's overruns */
};
struct wg_strays_told {
    pthread_mutex_t lock;
    uint64_t code[WG_STRAYS_TOLD];  /* machine code that met one, or kernels (overrun.h) */
    uint32_t times[WG_STRAYS_TOLD]; /* that it was looked at */
    char *told[WG_STRAYS_TOLD];     /* the place, as a text */
    uint32_t ncode, ntold, runs;
};

struct wg_strays *wg_strays_new(void);
void wg_strays_free(struct wg_strays *s);
/* In a signal handler: code at `code` has met a page fault at the address. True: it is there now. */
bool wg_stray_pass(struct wg_worker *w, uint64_t address, uint64_t code);
/* No launch that strayed runs any more: open pages are closed. */
void wg_strays_close(struct wg_memory *m);
struct wg_strays_told *wg_strays_told(struct wg_memory *m);
/* stray_told.c. A launch has ended: its strays are told of, each place in the source once, and the pages closed. On a
 * worker. */
void wg_stray_launch_ended(struct wg_grid *g);
/* Whether an access at the address would pass. */
bool wg_stray_may(struct wg_memory *m, uint64_t address);

/* The memory's lock is held for writing: the pages in [from, to) are gone; those that no allocation is near
 * are. */
void wg_stray_clear(struct wg_memory *m, uint64_t from, uint64_t to);
void wg_stray_trim(struct wg_memory *m);

/* fault_report.c: what a person is told of it. To be freed. */
char *wg_stray_text(struct wg_grid *g, const struct wg_stray_place *p, bool first);
/* replay.c: strays of a unit of a launch that has ended, each place in the source once. */
void wg_replay_strays(struct wg_grid *g, uint64_t unit, struct wg_stray_places *out);
#endif
