/* Checked launches: what code with instructions of our own asks, answered with the machine's knowledge of
 * memory (check/README.md). The device's options say where findings go and which checks are on.
 *
 *     check.c           instrumented modules, what a launch keeps, the services, findings with their places
 *     check_memory.c    is this address inside its allocation, variable, frame?
 *     check_race.c      are these two accesses ordered?
 */
#ifndef WG_MACHINE_CHECK_H
#define WG_MACHINE_CHECK_H
#include "check/finding.h"
#include "check/instrument.h"
#include "machine/check_barrier.h"
#include "machine/check_race.h"
#include "machine/module.h"

/* A bit for each enum wg_check_id; 0: nothing is checked. */
uint32_t wg_checks(const struct wg_device *dev);
/* What is to be compiled of the function's module. The module's lock is held. */
const struct wg_ir_module *wg_check_ir(struct wg_func *f);

/* What a launch keeps. */
struct wg_check_launch {
    const struct wg_check_site *sites; /* [nids] */
    uint32_t nids;
    uint32_t nworkers;
    struct wg_check_races races;
    struct wg_check_grid_barrier at_grid;
    struct wg_check_stuck stuck;
    struct wg_check_window *windows[]; /* [worker][id]; NULL until it ran something */
};

/* Of a launch: begins before any block of it does, ends when all have ended. */
void wg_check_begin(struct wg_grid *g);
void wg_check_end(struct wg_grid *g);
/* Of each unit of a launch that is checked. */
void wg_check_unit_begin(struct wg_unit *u);
void wg_check_unit_end(struct wg_unit *u);
/* The windows of one worker's warps (warp/warp.h); NULL: nothing is checked. */
struct wg_check_window *wg_check_windows(const struct wg_grid *g, uint32_t worker);

/* A block of a cluster has ended: its shared memory is not to be touched any more. */
void wg_check_block_ended(const struct wg_cta *c);

/* Services. */
uint32_t wg_check_service_access(struct wg_warp *w, uint32_t lanes, const struct wg_check_ask *a);
void wg_check_service_event(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t event, const uint64_t *a,
                            const uint64_t *b);
void wg_check_service_defined(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t decides,
                              const uint64_t *undefined);

/* Adds a finding of the launch: fills in kernel, launch and module. */
void wg_check_add(const struct wg_grid *g, struct wg_finding *f);
/* The same for one about lanes of a warp at instruction `id`: fills in `here`, too, with the lowest lane. */
void wg_check_found(const struct wg_warp *w, uint32_t lanes, uint32_t id, struct wg_finding *f);
/* A place in the text; the same with the lowest of the lanes. */
struct wg_finding_place wg_check_place(struct wg_arena *a, const struct wg_grid *g, uint32_t id);
struct wg_finding_place wg_check_place_of(struct wg_arena *a, const struct wg_warp *w, uint32_t lanes,
                                          uint32_t id);

/* check_memory.c: what lies at an address of global memory. */
void wg_check_describe_global(const struct wg_grid *g, uint64_t address, struct wg_finding_memory *m);
/* One lane's access. */
struct wg_check_access_at {
    const struct wg_warp *w;
    const struct wg_check_site *site;
    uint32_t lane;
    uint32_t bytes;
    int64_t variable;
    uint64_t address;
};
struct wg_check_verdict {
    bool good;
    struct wg_check_window window; /* good: where accesses of this instruction are good, too */
    enum wg_finding_kind kind;
    struct wg_finding_memory memory;
};
void wg_check_judge(const struct wg_check_access_at *a, struct wg_check_verdict *out);
#endif
