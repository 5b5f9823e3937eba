/* Traffic between devices: what a launch's accesses to other devices' memory move over which link, what copies between two
 * devices move, and how long the link takes by model/link.h.
 *
 *     "Link from device 0 to device 1: 12.6 MB read, 0 B written; 33.7 us at 373 GB/s, by a model from a measurement of two
 *     H200s."
 *
 * A site counts as being at the allocation that its first recorded access goes to. All sectors that are asked for count, as
 * if L1 kept none.
 */
#ifndef WG_REPORT_LINKS_H
#define WG_REPORT_LINKS_H
#include "base/arena.h"
#include "model/link.h"
#include "report/touched.h"

struct wg_summary;

struct wg_link_row {
    uint32_t device, peer, launches;
    double read, written; /* bytes; of atomics those of their words are among the written */
    struct wg_link_use use;
    bool known; /* there is a model of the link */
    double seconds;
};
enum { WG_LINKS_MOST = WG_CHIP_MOST_DEVICES };
struct wg_links { /* of a launch */
    uint32_t n;
    struct wg_link_row v[WG_LINKS_MOST];
    double seconds; /* of all of them, as far as known */
};
/* `trips`: how often a warp waits for loads, times the waves of blocks. */
void wg_links_find(const struct wg_profile *p, const struct wg_launch *l, const struct wg_touched *t,
                   double trips, struct wg_links *out);
/* Of a kernel's launches together, by device and peer. */
const struct wg_link_row *wg_links_of(struct wg_arena *a, const struct wg_summary *s, uint32_t *n);
/* The sentences above; of a launch that the link binds; and of the program's copies. */
const char *wg_link_sentence(struct wg_arena *a, const struct wg_link_row *r);
const char *wg_link_headline(struct wg_arena *a, const struct wg_links *l);
const char *wg_link_copies(struct wg_arena *a, const struct wg_profile *p, uint32_t *at); /* NULL: no more */
/* Of all copies of the row; false: there is no model. */
bool wg_link_copy_seconds(const struct wg_profile *p, const struct wg_profile_copy *c, double *out);
#endif
