/* Strays of launches (strays.h): let pass and recorded while a launch runs, reported when it has ended. */
#ifndef WG_MACHINE_STRAY_H
#define WG_MACHINE_STRAY_H
#include "machine/memory/strays.h"
#include "warp/warp.h"

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

/* stray_pass.c. In a signal handler: the instruction at `code` took a page fault at the address. True: the
 * page is mapped now. */
bool wg_stray_pass(struct wg_worker *w, uint64_t address, uint64_t code);
/* stray_told.c. A launch has ended: its strays are reported, each place in the source once, and the pages
 * closed. On a worker. */
void wg_stray_launch_ended(struct wg_grid *g);
/* fault_report.c: the message about it. To be freed. */
char *wg_stray_text(struct wg_grid *g, const struct wg_stray_place *p, bool first);
/* replay.c: strays of a unit of a launch that has ended, each place in the source once. */
void wg_replay_strays(struct wg_grid *g, uint64_t unit, struct wg_stray_places *out);
#endif
