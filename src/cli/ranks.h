/* Which of how many this process is, where mpirun or srun started it: from the variables that launchers set, without MPI. */
#ifndef WG_CLI_RANKS_H
#define WG_CLI_RANKS_H
#include <stdbool.h>
#include <stdint.h>

struct wg_ranks {
    uint32_t rank, size;  /* 0 of 1 without a launcher */
    uint32_t here;        /* how many of them are on this host; 1 when the launcher does not say */
    const char *launcher; /* "Open MPI", "MPICH", "Slurm"; NULL: none */
};
struct wg_ranks wg_ranks_of_process(void);
/* What is started from now on is by itself, and no rank of this job. */
void wg_ranks_forget(void);
#endif
