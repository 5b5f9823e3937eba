/* Device properties of real chips: limits of a compute capability, and figures of one chip of it.
 *
 * Constants only: the machine rejects launches by them, driver/ answers cudaGetDeviceProperties with them,
 * and model/occupancy.h computes with them. Every `--arch` names one capability and one representative chip.
 *
 *     const struct wg_chip *c = wg_chip_find("sm_90");   "H200", 132 SMs, c->limits->shared_optin == 232448
 */
#ifndef WG_MODEL_CHIP_H
#define WG_MODEL_CHIP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of a compute capability. In bytes unless stated otherwise. */
struct wg_limits {
    uint16_t cc; /* 90 */
    uint16_t warps_per_sm;
    uint16_t blocks_per_sm;
    uint16_t subpartitions; /* of an SM: each has its own registers and scheduler */
    uint32_t regs_per_sm;   /* 32-bit registers */
    uint32_t regs_per_block;
    uint16_t regs_per_thread;
    uint16_t reg_unit; /* allocation granularity of a warp's registers */
    uint32_t shared_per_sm;
    uint32_t shared_per_block; /* without opting in */
    uint32_t shared_optin;     /* after cudaFuncSetAttribute */
    uint32_t shared_reserved;  /* taken by the system from every block */
    uint32_t shared_unit;      /* allocation granularity of a block's shared memory */
    uint16_t cluster_portable; /* blocks a cluster may have; 0: no clusters */
    uint16_t cluster_max;      /* after opting in to the non-portable size */
    uint16_t fp64_ratio;       /* single-precision to double-precision throughput */
};

/* Groups of SMs; a cluster's blocks are placed within one: a GPC or what is left of one. */
struct wg_sm_groups {
    uint16_t count; /* of groups; 0 ends a list */
    uint16_t sms;   /* in each of them */
};

struct wg_chip {
    const char *name; /* "NVIDIA H200" */
    const char *arch; /* "sm_90" */
    const struct wg_limits *limits;
    uint16_t sms;
    uint32_t clock_khz;        /* SM clock, boost */
    uint32_t memory_clock_khz; /* as cudaDevAttrMemoryClockRate gives it */
    uint16_t bus_bits;
    uint64_t memory_bytes;
    uint64_t l2_bytes;
    uint64_t l2_persisting_bytes; /* the most that may be set aside; 0 before sm_80 */
    uint16_t copy_engines;
    uint16_t pci_device;
    bool ecc;
    const struct wg_sm_groups *groups; /* NULL: not known */
};

enum {
    WG_CHIP_WARP = 32,
    WG_CHIP_BLOCK_THREADS = 1024,
    WG_CHIP_BLOCK_X = 1024,
    WG_CHIP_BLOCK_Y = 1024,
    WG_CHIP_BLOCK_Z = 64,
    WG_CHIP_GRID_X = 0x7fffffff,
    WG_CHIP_GRID_Y = 65535,
    WG_CHIP_GRID_Z = 65535,
    WG_CHIP_CONST_BYTES = 64 * 1024,
};

/* By arch ("sm_90", "sm_90a", "compute_90", "90", "9.0") or chip name ("H200", "rtx 4090"; case does not
 * matter). NULL if there is none. The first chip of an arch in the list is the arch's default. */
const struct wg_chip *wg_chip_find(const char *name);
/* "8": so many of `one`; "H200,H200,A100": a device each. Returns how many; 0: invalid, or too many. */
enum { WG_CHIP_MOST_DEVICES = 16 };
uint32_t wg_chips_parse(const char *list, const struct wg_chip *one,
                        const struct wg_chip *out[WG_CHIP_MOST_DEVICES]);
/* Every chip, oldest first. */
const struct wg_chip *wg_chip_list(size_t *count);
/* Single-precision operations that an SM issues per cycle, a multiply-add counted as one. */
uint32_t wg_chip_fp32_lanes(const struct wg_chip *c);
/* Memory bandwidth in bytes a second. */
double wg_chip_bandwidth(const struct wg_chip *c);
#endif
