/* What advisers share: the kernel that they look at, the access pattern of a recorded access, and its cost by model/.
 *
 *     lanes 0, 16, 32, ... of 4 bytes   ->  WG_PATTERN_STRIDED, stride 16
 *     lanes 64, 68, 72, ... of 4 bytes  ->  WG_PATTERN_SIDE_BY_SIDE
 */
#ifndef WG_REPORT_ADVICE_ADVISER_H
#define WG_REPORT_ADVICE_ADVISER_H
#include "report/advice.h"
#include "report/estimate.h"
#include "report/figure.h"

struct wg_advising {
    struct wg_arena *arena;
    const struct wg_summary *s;
    struct wg_sources *sources;
    struct wg_advice_list list;
    bool
        *fields; /* of each site whether it accesses a field of a structure; NULL: strides.c has not looked */
};
/* The list of advisers: X(name). */
#define WG_ADVISERS(X)                                                                                       \
    X(strided_structure)                                                                                     \
    X(strided_access)                                                                                        \
    X(transposed_access)                                                                                     \
    X(growing_stride)                                                                                        \
    X(bank_conflicts)                                                                                        \
    X(misaligned_base)                                                                                       \
    X(narrow_access)                                                                                         \
    X(repeated_loads)                                                                                        \
    X(contended_atomics)                                                                                     \
    X(copy_per_bank)                                                                                         \
    X(needless_cluster)                                                                                      \
    X(low_occupancy)                                                                                         \
    X(divergent_branches)                                                                                    \
    X(block_size)                                                                                            \
    X(few_blocks)                                                                                            \
    X(one_lane)                                                                                              \
    X(register_spills)                                                                                       \
    X(short_launches)                                                                                        \
    X(row_a_thread)                                                                                          \
    X(random_gather)                                                                                         \
    X(divergent_constant)                                                                                    \
    X(local_array)                                                                                           \
    X(needless_barrier)                                                                                      \
    X(short_rows)                                                                                            \
    X(same_work)                                                                                             \
    X(accidental_double)                                                                                     \
    X(integer_division)
#define X(name) void wg_advise_##name(struct wg_advising *g);
WG_ADVISERS(X)
#undef X

struct wg_advice *wg_advice_add(struct wg_advising *g, const char *kind, const struct wg_site *site);
/* The change that the advice makes: none yet at the first call. */
struct wg_alteration *wg_change_of(struct wg_advising *g, struct wg_advice *a);
/* Takes the sectors, wavefronts or requests of a site from `was` to `is`. */
void wg_change_site(struct wg_advising *g, struct wg_advice *a, const struct wg_site *site,
                    enum wg_changing what, uint64_t was, uint64_t is);
/* Takes a site's sectors and lines to what its recorded access costs after the change. */
void wg_change_lanes(struct wg_alteration *c, const struct wg_site_summary *site,
                     const struct wg_recorded *then);
/* Warps of all launches together. */
uint64_t wg_warps_launched(const struct wg_summary *s);
/* Is a win of so much, of `whole`, worth a word? */
bool wg_worth(uint64_t win, uint64_t whole);

enum wg_pattern_kind {
    WG_PATTERN_NONE,
    WG_PATTERN_ONE_WORD,
    WG_PATTERN_SIDE_BY_SIDE,
    WG_PATTERN_STRIDED,
    WG_PATTERN_OTHER
};
struct wg_pattern {
    enum wg_pattern_kind kind;
    int64_t stride; /* bytes from each lane to the next */
    uint32_t run;   /* lanes of which that holds: all 32, or with wg_pattern_in_runs 16, 8 or 4 */
};
/* Of an access whose active lanes are neighbours; a single lane has no pattern. */
struct wg_pattern wg_pattern_of(const struct wg_recorded *access, uint32_t bytes);
/* The same; and where lanes begin anew elsewhere after 16, 8 or 4 of them, as in the rows of a block's tile,
 * the pattern that each of these runs has. */
struct wg_pattern wg_pattern_in_runs(const struct wg_recorded *access, uint32_t bytes);

/* What the access costs: sectors, or wavefronts. */
uint32_t wg_sectors_of(const struct wg_recorded *access, uint32_t bytes);
uint32_t wg_wavefronts_of(const struct wg_recorded *access, const struct wg_site *site);
/* Requests that it is counted as: the turns of a loop, else 1. */
uint64_t wg_turns_of(const struct wg_recorded *access, const struct wg_site *site);
/* The sectors it would take if its lanes lay side by side in each run, from an aligned address. */
uint32_t wg_sectors_side_by_side(const struct wg_recorded *access, uint32_t bytes);

/* The access with its lanes side by side, or anyhow changed: a copy for the picture. */
struct wg_recorded *wg_changed(struct wg_arena *a, const struct wg_recorded *access);
void wg_lay_side_by_side(struct wg_recorded *access, uint32_t bytes);

/* The site's worst access with its lanes side by side. */
struct wg_recorded wg_side_by_side(const struct wg_site_summary *site);
/* Shows the site's worst access, and the same with its lanes side by side. */
void wg_show_side_by_side(struct wg_advising *g, struct wg_advice *a, const struct wg_site_summary *site);

/* A site's counter after a change that takes the recorded access from `was` to `is`. `proven`: all its
 * accesses cost what the recorded one does, so that the figure is exact. */
uint64_t wg_scaled(const struct wg_site_summary *site, enum wg_counter counter, uint32_t was, uint32_t is,
                   bool *proven);
/* Is the site a load or store of this memory that was executed and recorded? */
bool wg_is_access(const struct wg_site_summary *site, enum wg_class_memory memory);
bool wg_is_load_or_store(const struct wg_site *site);
/* What the source calls the memory: the parameter's or variable's name, or `otherwise`. */
const char *wg_what(const struct wg_site *site, const char *otherwise);
/* The two sites go through the same parameter or variable. */
bool wg_same_what(const struct wg_site *a, const struct wg_site *b);
#endif
