/* See statement.h. */
#include "report/statement.h"
#include "report/figure.h"
#include <string.h>
#include "report/advice.h"

/* Below this share, waste is not worth the first sentence. */
static bool matters(uint64_t waste, uint64_t whole) { return waste * 20 > whole; }

struct wg_statement wg_statement(struct wg_arena *a, const struct wg_summary *s) {
    struct wg_counts memory = wg_memory_counts(&s->classes, WG_MEMORY_GLOBAL);
    struct wg_counts local = wg_memory_counts(&s->classes, WG_MEMORY_LOCAL);
    struct wg_counts shared = wg_memory_counts(&s->classes, WG_MEMORY_SHARED);
    wg_counts_add(&memory, &local);
    uint64_t sectors = memory.v[WG_C_sectors], wavefronts = shared.v[WG_C_wavefronts];
    uint64_t unasked = sectors - memory.v[WG_C_ideal_sectors], conflicts = shared.v[WG_C_conflicts];
    if (!sectors && !wavefronts)
        return (struct wg_statement){WG_VERDICT_NONE,
                                     "Nothing moved: no access to global or shared memory was executed."};
    if (unasked >= conflicts && matters(unasked, sectors))
        return (struct wg_statement){
            WG_VERDICT_BAD, wg_arena_printf(a, "Memory-bound: %s of the %s sectors moved were unused.",
                                            wg_figure_percent(a, unasked, sectors), wg_figure(a, sectors))};
    if (matters(conflicts, wavefronts))
        return (struct wg_statement){
            WG_VERDICT_BAD,
            wg_arena_printf(a, "Shared memory: %s of the %s wavefronts are bank conflicts.",
                            wg_figure_percent(a, conflicts, wavefronts), wg_figure(a, wavefronts))};
    const char *of_shared = !wavefronts ? ""
                            : conflicts ? " Bank conflicts are few."
                                        : " Shared memory has no bank conflict.";
    if (!sectors) return (struct wg_statement){WG_VERDICT_GOOD, of_shared + 1};
    uint64_t repeats = wg_repeats(s);
    if (repeats)
        return (struct wg_statement){
            WG_VERDICT_BAD, wg_arena_printf(a, "Memory-bound: each byte was loaded %s times on average.",
                                            wg_figure(a, repeats))};
    if (!unasked)
        return (struct wg_statement){
            WG_VERDICT_GOOD,
            wg_arena_printf(a, "Nothing wasted: each of the %s sectors moved was fully used.%s",
                            wg_figure(a, sectors), of_shared)};
    return (struct wg_statement){
        WG_VERDICT_GOOD,
        wg_arena_printf(a, "Little wasted: %s of the %s sectors moved were unused.%s",
                        wg_figure_percent(a, unasked, sectors), wg_figure(a, sectors), of_shared)};
}

const char *wg_ending(struct wg_arena *a, const struct wg_profile *r) {
    if (!strcmp(r->ended, "exit")) return NULL;
    if (!strcmp(r->ended, "signal"))
        return wg_arena_printf(
            a, "The program was ended by signal %d: the figures cover what ran until then.", (int)r->status);
    if (!strcmp(r->ended, "fault")) return "A kernel failed: the figures cover what ran until then.";
    return "The program ended at once, as by _exit, exec or SIGKILL: what it did last may be missing.";
}
