/* Memory that the host can write to unseen, of which nobody has written anything yet: pages of managed memory that are not there.
 *
 *     cudaMallocManaged      its pages are not there: undefined
 *     a launch or copy       pages that are there by now: somebody has touched them, and all that they hold is defined
 *
 * What a kernel reads in a page that nobody has touched was never written, whoever might have written it. Where a page was touched,
 * which bytes of it were written is not known.
 */
#ifndef WG_MACHINE_MEMORY_UNTOUCHED_H
#define WG_MACHINE_MEMORY_UNTOUCHED_H
#include "machine/memory/memory.h"

/* Called by wg_memory_open and wg_memory_close. */
void wg_untouched_open(struct wg_memory *m);
void wg_untouched_close(struct wg_memory *m);
/* A new allocation. False: some of its pages are there, or the host's kernel does not say which are. */
bool wg_untouched_add(struct wg_memory *m, uint64_t base, uint64_t size);
void wg_untouched_forget(struct wg_memory *m, uint64_t base);
/* Pages that were touched since the last time become defined. */
void wg_untouched_settle(struct wg_memory *m);
#endif
