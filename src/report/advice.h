/* Advice: what costs more than necessary in a kernel, where, what to change, and what that would save.
 *
 * Each adviser is one function in advice/; their list is WG_ADVISERS in advice/adviser.h. An adviser reads the sums of a
 * kernel (summary.h) and the recorded accesses, changes the lanes' addresses as its advice would, and asks model/ what
 * the access would then cost. So every figure follows from the rules of the hardware, not from a rule of thumb. An
 * adviser says nothing unless there is something to gain: the access that is drawn has to become cheaper and, with
 * the counters changed accordingly, the launches have to become faster in the time model.
 *
 *     struct wg_advice_list list = wg_advise(&arena, &summary, &sources);
 *     list.v[0].title   "Bank conflicts on tile"
 *     list.v[0].before  16777216      .after 524288      .unit "wavefronts"
 */
#ifndef WG_REPORT_ADVICE_H
#define WG_REPORT_ADVICE_H
#include "report/estimate.h"
#include "report/source.h"
#include "report/summary.h"

struct wg_advice {
    const char *kind;           /* "bank_conflicts": its name in files */
    const char *title;          /* a few words */
    const char *text;           /* what is so, and what to change */
    const struct wg_site *site; /* where, or NULL: the kernel as a whole */
    const char *unit;           /* of what follows; NULL: the win is no count */
    uint64_t before, after;
    const struct wg_recorded *now, *then; /* a recorded access, and how it would be; or NULL */
    bool proven;                  /* for every access; otherwise computed for the recorded ones and scaled */
    const char *note;             /* what the win supposes instead, or NULL */
    struct wg_alteration *change; /* what it does to the counters, or NULL: it cannot be modelled */
    double hidden;                /* warp instructions' time that it takes now, and that is in no counter */
    double seconds, then_seconds; /* modelled, of all launches; 0: the chip is not known */
    double full_saving; /* not 0: the part of it that is saved on larger grids, which fill the chip */
};
struct wg_advice_list {
    struct wg_advice *v;
    uint32_t n, cap;
};

/* The one with the greatest win first. The list lies in the arena. */
struct wg_advice_list wg_advise(struct wg_arena *arena, const struct wg_summary *s,
                                struct wg_sources *sources);

/* How often each byte of the allocation that is loaded most was loaded on average, where that is often and
 * the kernel stages nothing in shared memory; otherwise 0. */
uint64_t wg_repeats(const struct wg_summary *s);

/* text_advice.c: "transpose.cu:16"; and "16,777,216 wavefronts would be 524,288, 32 times fewer.", or NULL.
 */
const char *wg_advice_place(struct wg_arena *a, const struct wg_advice *advice);
const char *wg_advice_win(struct wg_arena *a, const struct wg_advice *advice);
/* "Modelled time: 8.1 us would be 4.2 us, 48 % less.", or NULL. */
const char *wg_advice_time(struct wg_arena *a, const struct wg_advice *advice);
#endif
