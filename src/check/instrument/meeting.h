/* Meetings of a warp that need not be told of: nothing happened since the one before, or nobody waits there.
 *
 *     vote.sync.ballot.b32 %r1, %p1, -1;     a meeting of all lanes
 *     vote.sync.ballot.b32 %r2, %p2, -1;     those that meet here have met there, and have done nothing since
 *
 * Only where all of the warp come to the second together, though, which is known when the code runs: its events have
 * WG_EVENT_IF_APART. */
#ifndef WG_CHECK_MEETING_H
#define WG_CHECK_MEETING_H
#include "ir/ir.h"

/* Its mask is a constant that names all lanes. */
bool wg_meeting_is_of_all(const struct wg_ir_instr *in);
/* The block begins with a meeting of all lanes, to which threads come from another such meeting alone, and between the two
 * they have done nothing that other threads, or the checks, can see. */
bool wg_meeting_is_repeated(const struct wg_ir_func *f, uint32_t block);
#endif
