/* What a kernel does beside others that it launches. */
#ifndef WG_MACHINE_CHECK_LATE_H
#define WG_MACHINE_CHECK_LATE_H
#include "check/race/stream_race.h"

struct wg_check_asked;
struct wg_grid;
struct wg_stream;
struct wg_work;
struct wg_warp;
struct wg_check_ask;
struct wg_late_access {
    uint64_t block;
    uint32_t after; /* so many of the block's calls that launch, and the like */
    struct wg_touched touched;
};
/* Of one launch. */
struct wg_check_late {
    WG_VEC(struct wg_late_access) all;
    bool left_out; /* there were too many */
};
/* An access that is told to the race check, in a launch that may have children. */
void wg_check_late_access(const struct wg_warp *w, uint32_t lanes, const struct wg_check_ask *a);
/* The launch has ended: its own are the caller's. NULL: it has none. */
struct wg_check_late *wg_check_late_take(struct wg_grid *g);
void wg_check_late_free(struct wg_check_late *late);
/* By block, and by `after`. */
void wg_check_late_sort(struct wg_check_late *late);
/* Who asked for the launch (NULL: the race check is off); one piece becomes work of the stream, whose number is
 * given; what is put into `s` from now on comes after the piece of that number. */
struct wg_check_asked *wg_check_late_of(const struct wg_work *w);
void wg_check_late_of_free(struct wg_check_asked *of);
uint32_t wg_check_late_put(struct wg_stream *s, const struct wg_check_asked *by,
                           const struct wg_late_access *all, uint32_t n);
void wg_check_late_before(struct wg_stream *s, const struct wg_stream *other, uint32_t number);
#endif
