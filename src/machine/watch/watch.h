/* The interface of `check` for the rest of machine/: no other header of this folder is included outside.
 *
 *     check.h           launches, units, barriers: their events, and the services of instrumented code
 *     check_late.h      what a kernel does beside those that it launched
 *     check_stream.h    work in streams, and the host beside it
 */
#ifndef WG_MACHINE_WATCH_H
#define WG_MACHINE_WATCH_H
#include "machine/watch/check.h"
#include "machine/watch/check_late.h"
#include "machine/watch/check_stream.h"
#endif
