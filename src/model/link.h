/* Links between devices: how long copies between two devices take, and kernels' accesses to a peer's memory.
 *
 *     copies        a start, and bytes over a bandwidth; without peer access they go through the host
 *     loads, stores sectors and lines of 128 bytes, each with what it costs on the link; both directions at once
 *     atomics       lanes, and turns of those at one sector
 *     waiting       loads that wait for each other's results
 *
 * A model of what two H200s of one host measured (docs/results/h200-links.tsv, NVLink with 18 links): for any other pair
 * there is none. docs/devices.md has its error for each row of the measurement.
 */
#ifndef WG_MODEL_LINK_H
#define WG_MODEL_LINK_H
#include "model/chip.h"

/* Whether there is a model of the link between two such devices. */
bool wg_link_is_known(const struct wg_chip *one, const struct wg_chip *other);
/* Seconds of a copy. */
double wg_link_copy(double bytes, bool peer_access);
/* Bytes a second to or from the host, over PCI Express of the chip's generation. */
double wg_link_host(const struct wg_chip *c);

/* What a launch does to one peer's memory. */
struct wg_link_use {
    double load_sectors, load_lines, store_sectors, store_lines;
    double atomics, atomic_sectors; /* lanes; different sectors that they go to, 0: many */
    double waits;                   /* loads that a warp waits for, one after the other */
};
struct wg_link_time {
    double in, out, atomics, waiting; /* seconds that each would take alone */
    double seconds;
};
struct wg_link_time wg_link_kernel(const struct wg_chip *c, const struct wg_link_use *u);
/* What the figures are, for reports. */
extern const char wg_link_source[];
#endif
