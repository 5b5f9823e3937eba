/* What a rank did in MPI, as its file of events has it: written while the program runs (record.h), by a rank that may be killed
 * at any time, and read by the report, which finds out who waited for whom (report/waits.h).
 *
 * A file is an array of events that ends with its size or with an event of no kind. Ranks are those of MPI_COMM_WORLD.
 * Times are nanoseconds of the host's own clock; CLOCK says how it differs from that of rank 0's host.
 */
#ifndef WG_MPI_EVENT_H
#define WG_MPI_EVENT_H
#include <stdint.h>

enum wg_mpi_kind {
    WG_MPI_NOTHING,    /* nothing follows */
    WG_MPI_BEGIN,      /* peer: the rank; tag: how many there are; id: WG_MPI_VERSION */
    WG_MPI_GROUP,      /* the communicator `group` is known in all of its ranks as `id` */
    WG_MPI_SEND,       /* to `peer` with `tag`; id: of the operation that goes on, or 0 */
    WG_MPI_RECEIVE,    /* from `peer`, likewise; if it goes on, DONE says whose it was */
    WG_MPI_PROBE,      /* the message that the next such receive gets */
    WG_MPI_COLLECTIVE, /* peer: the root or -1; tag: this rank's number in the group */
    WG_MPI_WAIT_ALL,   /* for the operations that have a DONE with this event's number */
    WG_MPI_WAIT_ANY,   /* for the first of them */
    WG_MPI_TEST,       /* has found operations done */
    WG_MPI_DONE, /* from: the number of the WAIT or TEST; id; peer, tag: of a receive; group: 1 if the wait found it so */
    WG_MPI_DROPPED, /* the operation `id` was cancelled */
    WG_MPI_OTHER,   /* a call that is only timed */
    WG_MPI_CLOCK,   /* id, signed: what is added to the host's time `from` */
    WG_MPI_FULL,    /* more was not recorded */
    WG_MPI_END      /* the program came to MPI_Finalize */
};
#define WG_MPI_VERSION UINT64_C(0x314950574d474157)

struct wg_mpi_event {
    uint64_t from, to; /* to: 0 while the call has not returned */
    uint64_t id;
    int32_t peer, tag; /* peer: -1 for nobody */
    uint32_t group;
    uint8_t kind, call; /* call: enum wg_mpi_call */
    uint16_t unused;
};

enum wg_mpi_call {
#define CALL(name, words, shape, comm, root, last) WG_MPI_CALL_##name,
#include "mpi/calls.def"
    WG_MPI_CALLS
};
#endif
