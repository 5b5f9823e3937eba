/* The shapes of MPI's functions: what their arguments are, and, of collective ones, who waits for whom. Rows of calls.def name them. */
#ifndef WG_MPI_SHAPE_H
#define WG_MPI_SHAPE_H

enum wg_mpi_shape {
    INIT,
    FINALIZE,
    ABORT,        /* (comm, status) */
    SEND,         /* (buffer, count, type, peer, tag, comm[, request]) */
    RECEIVE,      /* the same, or with a status in the place of the request */
    EXCHANGE,     /* (buffer, count, type, to, tag, buffer, count, type, from, tag, comm, status) */
    REPLACE,      /* (buffer, count, type, to, tag, from, tag, comm, status) */
    PROBE,        /* (from, tag, comm, status) */
    TAKE,         /* (from, tag, comm, message, status): the message is this rank's from now on */
    MAYBE_TAKE,   /* (from, tag, comm, found, message, status) */
    SEND_INIT,    /* as SEND and RECEIVE, begun by START */
    RECEIVE_INIT, //
    START,        /* (request) */
    STARTALL,     /* (n, requests) */
    WAIT,         /* (request, status) */
    WAITALL,      /* (n, requests, statuses) */
    WAITANY,      /* (n, requests, index, status) */
    WAITSOME,     /* (n, requests, out, indices, statuses) */
    TEST,         /* (request, found, status) */
    TESTALL,      /* (n, requests, found, statuses) */
    TESTANY,      /* (n, requests, index, found, status) */
    TESTSOME,     /* as WAITSOME */
    CANCEL,       /* (request) */
    REQUEST_FREE, /* (request) */
    ALL,          /* collective: all wait for the last */
    FROM_ROOT,    /* for the root */
    TO_ROOT,      /* the root for the last */
    PREFIX,       /* each for the last of those before it */
    OTHER,        /* only timed */
    COMM_NEW,     /* makes a communicator; all of the old one's ranks wait for the last, if there is one */
    COMM_FREE     /* (comm) */
};
#endif
