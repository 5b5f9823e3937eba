/* Communicators: the same number for the same one in each of its ranks, and which rank of MPI_COMM_WORLD each of its ranks is. */
#ifndef WG_MPI_GROUPS_H
#define WG_MPI_GROUPS_H
#include "mpi/library.h"

struct wg_mpi_group {
    wg_mpi_word comm;
    uint32_t number; /* in the file of events */
    bool between;    /* an intercommunicator: its peers are those of the other side */
    int size, own;   /* how many peers, and this process's own number */
    int *world;      /* of each peer, or -1 */
    struct wg_mpi_group *next;
};
/* That of a communicator; one that was not seen before is looked at and recorded. NULL when MPI does not say. */
const struct wg_mpi_group *wg_group_of(wg_mpi_word comm);
/* It is freed, and its handle may be that of another. */
void wg_group_forget(wg_mpi_word comm);
/* The rank in MPI_COMM_WORLD of a group's rank; -1: none. */
int wg_group_world(const struct wg_mpi_group *g, int rank);
#endif
