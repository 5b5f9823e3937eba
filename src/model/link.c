/* See link.h. */
#include "model/link.h"
#include <math.h>
#include <string.h>

/* From docs/results/h200-links.tsv; tests/model/link_test.c holds the model to all of its rows. */
static const double START = 7.92e-6, BANDWIDTH = 396e9;      /* of a copy */
static const double STAGED_START = 14.9e-6, STAGED = 37.8e9; /* of a copy through the host */
/* Such a copy has more to begin the larger it is: half of this at so many bytes. */
static const double STAGED_MORE = 6.5e-6, STAGED_HALF = 16 << 10;
/* Dense loads of 128-byte lines, and loads of single sectors, give the time of a sector and of a line's header. */
static const double SECTOR = 70.8e-12, LOAD_LINE = 59.7e-12, STORE_LINE = 61.9e-12;
static const double ATOMICS = 6.09e9, SAME_SECTOR = 0.368e9; /* a second */
static const double WAIT = 1692; /* cycles of a load whose address is the last one's result */

const char wg_link_source[] = "a model from a measurement of two H200s";

bool wg_link_is_known(const struct wg_chip *one, const struct wg_chip *other) {
    return one && other && !strcmp(one->name, "NVIDIA H200") && !strcmp(other->name, one->name);
}

double wg_link_copy(double bytes, bool peer_access) {
    if (peer_access) return START + bytes / BANDWIDTH;
    return STAGED_START + bytes / STAGED + STAGED_MORE * bytes / (bytes + STAGED_HALF);
}

double wg_link_host(const struct wg_chip *c) {
    return c->limits->cc >= 90 ? 55e9 : c->limits->cc >= 80 ? 25e9 : 12e9;
}

struct wg_link_time wg_link_kernel(const struct wg_chip *c, const struct wg_link_use *u) {
    struct wg_link_time t = {.in = u->load_sectors * SECTOR + u->load_lines * LOAD_LINE,
                             .out = u->store_sectors * SECTOR + u->store_lines * STORE_LINE,
                             .atomics = u->atomics / ATOMICS,
                             .waiting = u->waits * WAIT / (c->clock_khz * 1e3)};
    if (u->atomic_sectors > 0) t.atomics = fmax(t.atomics, u->atomics / (SAME_SECTOR * u->atomic_sectors));
    t.seconds = fmax(fmax(t.in, t.out + t.atomics), t.waiting);
    return t;
}
