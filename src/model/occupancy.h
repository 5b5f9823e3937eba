/* Occupancy calculator: how many blocks of a kernel are resident on one SM, and which limits apply.
 *
 *     blocks    at most as many as the device allows
 *     warps     warps of the SM / warps of a block
 *     registers a warp's are rounded up to a unit and are in one of the SM's quarters
 *     shared    a block's are rounded up to a unit, with what the system reserves
 *     barriers  an SM has one or two for each block that it may hold
 *
 *     wg_occupancy(limits of sm_90, 40 registers, 256 threads, 0 bytes) -> 6 blocks, limited by registers
 */
#ifndef WG_MODEL_OCCUPANCY_H
#define WG_MODEL_OCCUPANCY_H
#include "model/chip.h"

/* How far an estimate of registers (analysis/registers.h) is from ptxas, in percent: half of 581 kernels are
 * within the first, nine of ten within the second (docs/occupancy.md). */
enum { WG_REGISTERS_HALF_WITHIN = 10, WG_REGISTERS_MOST_WITHIN = 33 };

struct wg_occupancy_kernel {
    uint32_t registers; /* a thread */
    uint64_t shared;    /* bytes a block, static and dynamic */
    uint32_t threads;   /* a block */
    uint32_t barriers;  /* a block, counted from capability 9.0 on; 0 is the one that every block has */
};
struct wg_occupancy {
    uint32_t blocks; /* the minimum of the limits below */
    uint32_t by_blocks, by_warps, by_registers, by_shared, by_barriers;
    uint32_t warps; /* active on the SM */
};
struct wg_occupancy wg_occupancy(const struct wg_limits *l, const struct wg_occupancy_kernel *k);

/* The SM's resources that one block takes, with allocation granularity. */
uint32_t wg_occupancy_block_registers(const struct wg_limits *l, const struct wg_occupancy_kernel *k);
uint64_t wg_occupancy_block_shared(const struct wg_limits *l, uint64_t bytes);

/* Shared memory configuration of an SM that the driver chooses for a launch, in bytes: the rest of its 256 KB
 * or so is L1 cache. The sizes are published; the choice is as observed on an H200
 * (tests/model/data/shared_config.tsv): room for twice the blocks that the other limits allow, but where that
 * is more than 132 KB, for those blocks alone. */
uint32_t wg_occupancy_shared_config(const struct wg_limits *l, const struct wg_occupancy_kernel *k);
/* Blocks that fit into that: launch__occupancy_limit_shared_mem. Never fewer than can be active. */
uint32_t wg_occupancy_shared_limit(const struct wg_limits *l, const struct wg_occupancy_kernel *k);
/* Kernels that call printf, malloc, free or assert are linked with the driver's code, which needs so many registers a
 * thread: what an H200 launched kernels with for which ptxas says 24. */
enum { WG_SYSTEM_CALL_REGISTERS = 32 };
/* launch__registers_per_thread of a kernel with so many registers. */
uint32_t wg_occupancy_launch_registers(uint32_t registers);

/* The block size with the most active threads per SM; of several the largest. `shared_of(user, threads)`
 * returns the bytes of dynamic shared memory for a block size; k->threads is ignored, k->shared is the static
 * part. `limit`: the greatest block size to consider. Returns 0 when none fits. */
uint32_t wg_occupancy_best_block(const struct wg_limits *l, const struct wg_occupancy_kernel *k,
                                 uint32_t limit, uint64_t (*shared_of)(void *user, uint32_t threads),
                                 void *user, uint32_t *blocks_per_sm);
/* Dynamic shared memory a block may have so that `blocks` of them fit into an SM; k->shared is the static
 * part. */
uint64_t wg_occupancy_shared_for(const struct wg_limits *l, const struct wg_occupancy_kernel *k,
                                 uint32_t blocks);
/* Clusters of `size` blocks that are resident on the chip at once, as cudaOccupancyMaxActiveClusters reports.
 * A cluster is placed in one group of SMs that has at least as many SMs as the cluster has blocks; at most
 * eight blocks per SM count. All of that is as observed on an H200 (tests/model/data/clusters.tsv). Where a
 * chip's groups are not known, an upper bound: all SMs as one group. */
uint32_t wg_occupancy_clusters(const struct wg_chip *c, const struct wg_occupancy_kernel *k, uint32_t size);
#endif
