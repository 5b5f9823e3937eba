/* The MPI library that the program has loaded, and what its handles and constants are. Warpglass is built without any MPI, and
 * one build serves them all, so the few facts that differ are a row for each of the two binary interfaces there are: Open
 * MPI's, and that of MPICH, which Intel MPI and MVAPICH share. A handle is an int in one and a pointer in the other; here all
 * arguments are words. On the machines that Warpglass runs on, an argument takes a whole register or a whole slot of the stack
 * whatever its type is, and a function takes no harm from more arguments than it has. So a call goes on as it came.
 */
#ifndef WG_MPI_LIBRARY_H
#define WG_MPI_LIBRARY_H
#include "mpi/event.h"
#include <stdbool.h>
#include <stddef.h>

typedef uintptr_t wg_mpi_word;
enum { WG_MPI_WORDS = 12, WG_MPI_STATUS_BYTES = 24 }; /* the most arguments; room for a status of either */

struct wg_mpi_library {
    size_t handle, status;            /* bytes */
    size_t source, tag;               /* offsets in a status */
    wg_mpi_word ignore;               /* MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE */
    int nobody;                       /* MPI_PROC_NULL */
    wg_mpi_word world, no_comm, byte; /* MPI_COMM_WORLD, MPI_COMM_NULL, MPI_BYTE */
};
/* That of the program; NULL when its MPI is neither. */
const struct wg_mpi_library *wg_mpi_library(void);

/* Calls the library's own function, PMPI_NAME. */
int wg_mpi_real(enum wg_mpi_call call, wg_mpi_word *arguments);
/* PMPI_NAME of a function that is not looked at. */
int wg_mpi_ask(const char *name, wg_mpi_word *arguments);
#define WG_MPI_ASK(name, ...) wg_mpi_ask("PMPI_" name, (wg_mpi_word[WG_MPI_WORDS]){__VA_ARGS__})

/* A handle as it lies at an address, or as an argument, whose upper half may be anything. */
wg_mpi_word wg_mpi_handle_at(wg_mpi_word address, size_t index);
wg_mpi_word wg_mpi_handle(wg_mpi_word argument);
#endif
