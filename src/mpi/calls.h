/* What the files of calls share: rows of calls.def, and what looks at calls of each shape. */
#ifndef WG_MPI_CALLS_H
#define WG_MPI_CALLS_H
#include "mpi/groups.h"
#include "mpi/record.h"
#include "mpi/shape.h"

/* Of calls.def; WG_MPI_NO_ARGUMENT: there is none. */
enum { WG_MPI_NO_ARGUMENT = 15 };
struct wg_mpi_row {
    uint8_t shape, comm, root, last;
};
extern const struct wg_mpi_row wg_mpi_rows[];

/* calls.c: a call that has returned when it is over; one whose operation goes on; one that is only timed. */
uint64_t wg_call_enter(uint8_t kind, enum wg_mpi_call call, const struct wg_mpi_group *g, int peer, int tag);
int wg_call_going_on(enum wg_mpi_call call, wg_mpi_word *a, uint8_t kind, int peer, int tag);
int wg_call_timed(enum wg_mpi_call call, wg_mpi_word *a);

/* messages.c, waiting.c */
int wg_call_message(enum wg_mpi_call call, wg_mpi_word *a);
int wg_call_waiting(enum wg_mpi_call call, wg_mpi_word *a);

/* In the place of a status that the program does not want: status.c. */
void wg_status_have(wg_mpi_word *status, void *own);
int wg_status_source(wg_mpi_word statuses, size_t index);
int wg_status_tag(wg_mpi_word statuses, size_t index);
#endif
