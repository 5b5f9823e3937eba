/* What harness.c and harness_run.c share. */
#ifndef WG_TESTS_ROWS_HARNESS_INSIDE_H
#define WG_TESTS_ROWS_HARNESS_INSIDE_H
#include "tests/rows/harness.h"

struct harness_grid {
    const struct harness_launch *launch;
    struct harness_result *result;
    struct wg_code *code;
    uint64_t ticks;
    uint32_t stop;
};
struct harness_block {
    struct wg_block block; /* block.machine points back here */
    struct harness_grid *grid;
    struct wg_warp *warps;
    enum wg_warp_status *status;
    uint32_t *yields;
    uint32_t nwarps, index;
    uint32_t arrived[WG_BARRIERS + WG_GROUP_BARRIERS]; /* by bar.arrive */
    uint32_t cluster_arrived;
    struct wg_warp *_Atomic current; /* of code for whole blocks */
};
extern const struct wg_services harness_services;
struct wg_code *harness_compile(const struct harness_launch *l, struct wg_diag *d);
#endif
