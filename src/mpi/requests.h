/* Operations that go on after the call that began them, by their handles: requests. A handle may be that of many operations that
 * were over at once, and of another one when this is over; the last that had it counts. */
#ifndef WG_MPI_REQUESTS_H
#define WG_MPI_REQUESTS_H
#include "mpi/groups.h"

struct wg_mpi_request {
    wg_mpi_word handle;
    uint64_t id;  /* of the operation in the file of events; 0: a persistent one that is not begun */
    uint8_t kind; /* WG_MPI_SEND, WG_MPI_RECEIVE, WG_MPI_COLLECTIVE */
    bool persistent, cancelled;
    const struct wg_mpi_group *group;
    struct wg_mpi_event begin; /* of a persistent one: what its start adds */
};

uint64_t wg_request_new_id(void);
void wg_request_put(const struct wg_mpi_request *r);
/* A copy; false when the handle is of none. */
bool wg_request_get(wg_mpi_word handle, struct wg_mpi_request *r);
/* The operation is over: a persistent request stays. */
void wg_request_over(const struct wg_mpi_request *r);
void wg_request_forget(wg_mpi_word handle);
#endif
