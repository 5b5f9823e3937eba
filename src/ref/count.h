/* Profiling counters of the reference: each instruction by itself, each access by the rules of model/, as an
 * independent check of the counts of generated code.
 *
 * Units of the tally, by an instruction's id: executions, lanes, and the times that its lanes diverged. */
#ifndef WG_REF_COUNT_H
#define WG_REF_COUNT_H
#include "count/tally.h"
#include "ref/lane.h"

struct wg_sites;

/* For warps with a tally. `lanes` reach the instruction, those of `on` execute it. Called before they do: a
 * load may change its address.
 */
void wg_ref_count(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes, uint32_t on);
/* `lanes` have executed the block's terminator; parted: they diverged there. */
void wg_ref_count_end(struct ref_warp *w, const struct ref_block *b, uint32_t lanes, bool parted);
uint32_t wg_ref_count_units(const struct wg_sites *s);
void wg_ref_collect(const struct wg_code *c, struct wg_tally *t, struct wg_counts *rows);
#endif
