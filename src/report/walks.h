/* Walks of loads: by how many bytes the address of an access in a loop grows each turn. Of 8 turns that grow by 4 bytes 7
 * find their sector in L1.
 *
 *     struct wg_walks w = wg_walks_find(k, l, &arena);
 *     wg_walks_step(&w, ptx_line)      bytes a turn; 0: not known, or always the same place
 */
#ifndef WG_REPORT_WALKS_H
#define WG_REPORT_WALKS_H
#include "base/arena.h"
#include "report/profile.h"

struct wg_walks {
    uint32_t first, lines; /* of the PTX, that the kernel's code has */
    double *step;          /* by line */
};
struct wg_walks wg_walks_find(const struct wg_profile_kernel *k, const struct wg_launch *l,
                              struct wg_arena *a);
double wg_walks_step(const struct wg_walks *w, uint32_t ptx_line);
#endif
