/* The interface of `check` for the rest of machine/: no other header of this folder is included outside.
 *
 *     check.h           launches, units, barriers: what they tell, and the services that instrumented code calls
 *     check_stream.h    work in streams, and the host beside it
 */
#ifndef WG_MACHINE_WATCH_H
#define WG_MACHINE_WATCH_H
#include "machine/watch/check.h"
#include "machine/watch/check_stream.h"
#endif
