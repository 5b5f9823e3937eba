/* The verdict on a kernel: the most important fact about it, in one sentence.
 *
 *     "Memory-bound: 78 % of the 18,874,368 sectors moved were not asked for."
 *     "Shared memory: 94 % of the 17,301,504 wavefronts are bank conflicts."
 *     "Nothing wasted: every sector moved was asked for."
 *     "Compute-bound: the schedulers are busy, with 12.5 of 32 lanes active."
 *
 * It depends on the kernel's bottleneck in the time model or, if the chip is unknown or a launch is too short to have one, on
 * its memory traffic.
 */
#ifndef WG_REPORT_STATEMENT_H
#define WG_REPORT_STATEMENT_H
#include "report/summary.h"

enum wg_verdict { WG_VERDICT_GOOD, WG_VERDICT_BAD, WG_VERDICT_NONE };
struct wg_statement {
    enum wg_verdict verdict;
    const char *text;
};
/* What the heat of lines is a share of: sectors and wavefronts, or instructions, whichever binds the kernel. */
enum wg_heat { WG_HEAT_MEMORY, WG_HEAT_INSTRUCTIONS };
enum wg_heat wg_heat_of(const struct wg_summary *s);
uint64_t wg_heat_whole(const struct wg_summary *s, enum wg_heat heat);
/* What binds it, in a word or two: "DRAM", "shared memory", "compute"; "launch" where it is over at once, "" where
 * the chip is not known. */
const char *wg_binds(const struct wg_summary *s);
/* A sentence about a program that did not end by itself, or NULL. */
const char *wg_ending(struct wg_arena *a, const struct wg_profile *r);
struct wg_statement wg_statement(struct wg_arena *a, const struct wg_summary *s);
/* How many of the requests are those of printf, malloc and free themselves: a sentence, or NULL if none is. */
const char *wg_system_calls(struct wg_arena *a, const struct wg_summary *s);
#endif
