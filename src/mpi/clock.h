/* How the clock of this rank's host differs from that of rank 0's host, by messages of MPI between the two, when the program
 * begins and when it ends. Hosts that are one machine with one clock exchange none. Collective. */
#ifndef WG_MPI_CLOCK_H
#define WG_MPI_CLOCK_H

void wg_clock_compare(int rank, int ranks);
#endif
