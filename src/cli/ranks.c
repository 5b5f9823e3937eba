/* See ranks.h. */
#include "cli/ranks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In this order: srun may start processes of Open MPI and MPICH, which then have variables of both. A script of sbatch has
 * SLURM_PROCID too, and only what srun starts is a rank. */
static const struct {
    const char *name, *rank, *size, *here;
} launchers[] = {{"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                 {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
                 {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_TASKS_PER_NODE"}};

/* The number that a variable begins with: Slurm writes "4(x3)". */
static bool read_number(const char *variable, uint32_t *n) {
    const char *s = getenv(variable);
    if (!s || *s < '0' || *s > '9') return false;
    *n = (uint32_t)strtoul(s, NULL, 10);
    return true;
}

struct wg_ranks wg_ranks_of_process(void) {
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        struct wg_ranks r = {.launcher = launchers[i].name};
        if (!read_number(launchers[i].rank, &r.rank) || !read_number(launchers[i].size, &r.size)) continue;
        if (r.rank >= r.size) continue;
        if (!read_number(launchers[i].here, &r.here) || !r.here) r.here = 1;
        return r;
    }
    return (struct wg_ranks){.size = 1, .here = 1};
}

void wg_ranks_forget(void) {
    static const char *const prefixes[] = {"OMPI_", "PMI_",          "PMIX_",      "MPI_LOCAL",
                                           "HYDI_", "SLURM_PROCID=", "SLURM_STEP_"};
    for (char **e = environ; *e;) {
        char name[128] = "";
        for (size_t i = 0; !*name && i < sizeof prefixes / sizeof *prefixes; i++)
            if (!strncmp(*e, prefixes[i], strlen(prefixes[i])))
                strncat(name, *e, strcspn(*e, "=") < sizeof name - 1 ? strcspn(*e, "=") : sizeof name - 1);
        if (!*name || strlen(name) >= sizeof name - 1 || unsetenv(name) != 0)
            e++; /* unsetenv moves the next one here */
    }
}
