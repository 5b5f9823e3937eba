/* The question of `warpglass occupancy`: one kernel's shape on one chip, and the words of the command line
 * that say it. Between occupancy.c, which finds the shapes, and occupancy_text.c, which shows them. */
#ifndef WG_CLI_SHAPE_H
#define WG_CLI_SHAPE_H
#include "cli/kernels.h"
#include "model/advice.h"

struct wg_shape {
    const struct wg_chip *chip;
    const struct wg_kernel *kernel; /* NULL: the command line alone says all */
    struct wg_occupancy_kernel k;
    uint64_t dynamic_shared; /* part of k.shared that the launch gives */
    uint32_t cluster;        /* blocks; 1: none */
    uint64_t grid;           /* blocks of the launch; 0: not given */
    bool best;               /* the block size was not given: it is the best */
    uint32_t most;           /* threads a block */
};

/* The block sizes that tables list, ending with 0: whole warps, finer at the lower end. */
extern const uint32_t wg_shape_sizes[];

void wg_shape_text(const struct wg_shape *s, struct wg_strbuf *out);
/* A whole JSON document of all shapes; docs/occupancy.md describes it. */
void wg_shapes_json(const struct wg_shape *shapes, size_t n, struct wg_strbuf *out);
#endif
