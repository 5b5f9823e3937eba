/* Profiled launches: kernels are compiled with counters, each worker has its own tally, and at the end of a
 * launch the tallies become rows of the device's result (count/result.h).
 *
 *     wg_launch     -> wg_profile_begin    tallies, one a worker
 *     a worker      -> wg_profile_tally    for the warps it runs
 *     the last unit -> wg_profile_end      collected, summed, handed over
 */
#ifndef WG_MACHINE_PROFILE_H
#define WG_MACHINE_PROFILE_H
#include "count/result.h"
#include "machine/module.h"

/* A callback in the process that receives the counts of each launch when it ends (driver/counting.c). Called
 * on a worker thread; its arguments are valid only during the call. */
struct wg_listener {
    void (*launch)(void *user, const struct wg_result_kernel *k, const struct wg_result_launch *l);
    void *user;
};
/* NULL: none. Launches that began before report to the previous listener. */
void wg_profile_listener(struct wg_device *dev, const struct wg_listener *l);

/* What is to be counted of a kernel; NULL: nothing is profiled. Under the module's lock. */
const struct wg_sites *wg_profile_sites(struct wg_func *f);
/* What is to become of the counts of the launch of this number, asked on the thread that launches. */
enum wg_profile_use {
    WG_PROFILE_COUNTED,  /* where launches are counted, this one is; otherwise nothing */
    WG_PROFILE_HEARD,    /* by the listener only */
    WG_PROFILE_LEFT_OUT, /* it runs as without a profile */
};
enum wg_profile_use wg_profile_use(struct wg_device *dev, uint64_t index);
void wg_profile_only_heard(struct wg_profile *p);
/* For code that counts; grids of other code have no profile. */
void wg_profile_begin(struct wg_grid *g, uint64_t stream);
/* Counts a launch before it runs, by one block of each class (analysis/alike.h); the launch then runs as plain code does.
 * NULL: its blocks cannot be sorted into classes. */
struct wg_profile *wg_profile_by_classes(struct wg_device *dev, const struct wg_launch_order *o,
                                         uint64_t stream);
/* The latest launches of a function that were looked at so, by a key of all that this depends on. False: there was none.
 * *counted is a copy of what was counted of it; NULL: its blocks could not be sorted. */
bool wg_profile_known(struct wg_func *f, const struct wg_strbuf *key, uint64_t stream,
                      struct wg_profile **counted);
/* Keeps one, and takes its key. */
void wg_profile_keep(struct wg_func *f, struct wg_strbuf *key, const struct wg_profile *counted);
void wg_profile_forget(struct wg_func *f);
/* Whether slow paths are to be counted as the launch runs (analysis/slow_paths.h): what was counted by classes has none. */
bool wg_profile_has_slow_paths(const struct wg_profile *p);
/* Of what was counted of a launch of `f`: for one that costs the same. */
struct wg_profile *wg_profile_copy(const struct wg_profile *p, struct wg_func *f, uint64_t stream);
/* The parts of which that is made, of a grid's profile: what its workers have counted since is added so many times. */
void wg_profile_begin_sum(struct wg_profile *p);
void wg_profile_add_times(struct wg_grid *g, uint64_t times);
void wg_profile_end_sum(struct wg_profile *p);
struct wg_tally *wg_profile_tally(const struct wg_grid *g, uint32_t worker);
void wg_profile_end(struct wg_grid *g, enum wg_status status);
/* For comparing counts: the counters of each site; NULL: nothing was counted. The listener is not called. */
const struct wg_counts *wg_profile_rows(struct wg_grid *g);
void wg_profile_drop(struct wg_grid *g);
void wg_profile_free(struct wg_profile *p);
#endif
