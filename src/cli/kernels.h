/* The kernels of CUDA source or PTX, and what each takes of an SM, without running anything.
 *
 *     transpose.cu --clang--> PTX --ir/------------------> shared memory, bounds of the block
 *                                 --ptxas or analysis/---> registers
 */
#ifndef WG_CLI_KERNELS_H
#define WG_CLI_KERNELS_H
#include "cli/job.h"

struct wg_kernel {
    char *name;    /* as in PTX */
    char *display; /* as its author wrote it, where that can be told */
    const char *file;
    uint32_t registers;
    bool estimated; /* the registers: not from ptxas */
    uint32_t barriers;
    uint64_t shared;     /* static */
    uint32_t most;       /* threads a block: of __launch_bounds__, or what a block can have */
    uint32_t exactly;    /* threads a block, when the kernel runs with no other number; else 0 */
    uint32_t cluster;    /* blocks a cluster, when the kernel says; else 0 */
    bool dynamic_shared; /* it uses what the launch gives */
};
struct wg_kernels {
    WG_VEC(struct wg_kernel) list;
    uint32_t sm;   /* 90: .target sm_90 of the last text */
    bool specific; /* sm_90a */
};

/* Every kernel of the command line's files, in order, for the chip. 0, or an exit status after a message. */
int wg_kernels_read(struct wg_kernels *k, const struct wg_cmdline *c, const struct wg_chip *chip);
/* Adds those of the PTX in the file `path`, for which messages say `file`. 0, or 1 after a message. */
int wg_kernels_add_ptx(struct wg_kernels *k, const char *path, const char *file, const struct wg_chip *chip);
void wg_kernels_free(struct wg_kernels *k);
#endif
