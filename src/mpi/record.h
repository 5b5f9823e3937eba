/* The file of events that a rank writes (event.h). It is mapped, so that what was written is there however the process ends,
 * and at most so long; then it says that it is full. */
#ifndef WG_MPI_RECORD_H
#define WG_MPI_RECORD_H
#include "mpi/event.h"
#include <stdbool.h>

/* Nothing is recorded before it, nor after the end, nor where the file cannot be. */
bool wg_record_begin(const char *path);
bool wg_record_on(void);
void wg_record_end(void);

/* The number of an event that was added, or WG_NO_EVENT. */
#define WG_NO_EVENT UINT64_MAX
uint64_t wg_record(const struct wg_mpi_event *e);
/* The call of the event has returned; with whose message, where peer is not -1. */
void wg_record_returned(uint64_t event, uint64_t now, int32_t peer, int32_t tag);
#endif
