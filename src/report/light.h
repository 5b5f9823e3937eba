/* Speed of light: how close a kernel comes to the chip's peaks in the time model. The share of its peak that each part of the
 * chip reaches, the roofline, the occupancy, and the instruction mix.
 *
 *     DRAM 71 % of the peak, L2 22 %, L1 and shared memory 31 %, schedulers 12 %
 *     FP32: 0.08 operations for each byte of DRAM; 340 of at most 400 GFLOP/s there
 */
#ifndef WG_REPORT_LIGHT_H
#define WG_REPORT_LIGHT_H
#include "report/estimate.h"
#include "report/summary.h"

/* X(ID, name in files, name for people, what the peak is) */
#define WG_LIGHTS(X)                                                                                         \
    X(SCHEDULERS, "schedulers", "schedulers", "warp instructions: one a cycle of each scheduler")            \
    X(FP32, "fp32", "FP32", "additions, multiplications and fused multiply-adds of single precision")        \
    X(FP64, "fp64", "FP64", "the same of double precision")                                                  \
    X(TENSOR, "tensor", "tensor cores", "cycles of the matrix units (wgmma)")                                \
    X(L1, "l1", "L1, shared", "wavefronts of shared memory and lines of L1: one a cycle of each SM")         \
    X(L2, "l2", "L2", "sectors between the SMs and L2, as measured at best")                                 \
    X(DRAM, "dram", "DRAM", "bytes of the chip's published bandwidth")                                       \
    X(ATOMICS, "atomics", "atomics", "the time that atomics take, of all of it")
enum wg_light_part {
#define X(id, file, name, meaning) WG_LIGHT_##id,
    WG_LIGHTS(X)
#undef X
        WG_LIGHT_COUNT
};
struct wg_light_info {
    const char *file, *name, *meaning;
};
extern const struct wg_light_info wg_light_infos[WG_LIGHT_COUNT];

enum wg_level { WG_LEVEL_DRAM, WG_LEVEL_L2, WG_LEVEL_L1, WG_LEVELS };
extern const char *const wg_level_names[WG_LEVELS];

/* Operations of one type: a fused multiply-add is two. */
struct wg_roofline {
    double operations, peak; /* peak: a second */
    double reached;          /* a second of the modelled time */
    double roof;             /* what the levels' bandwidths and the peak allow at these intensities */
    int binds;               /* enum wg_level, or WG_LEVELS: the peak */
};
enum wg_roof_type { WG_ROOF_FP32, WG_ROOF_FP64, WG_ROOFS };
extern const char *const wg_roof_names[WG_ROOFS];

struct wg_light {
    double seconds; /* modelled, of all launches */
    double of_peak[WG_LIGHT_COUNT];
    double bytes[WG_LEVELS], bandwidth[WG_LEVELS];
    struct wg_roofline roof[WG_ROOFS];
    double occupancy,
        achieved; /* of the warps that the SMs hold, over the time: what fits, and what there is */
};
/* False for a chip that is not known. */
bool wg_light_of(const struct wg_summary *s, struct wg_light *out);

/* The classes of instructions, the greatest first; `share` of all. */
struct wg_mix_part {
    enum wg_counter counter;
    const char *name; /* "FP32", "memory" */
    uint64_t threads;
};
enum { WG_MIX_PARTS = WG_C_op_misc - WG_C_op_fp32 + 1 };
/* How many there are; 0 where the file has none. */
uint32_t wg_light_mix(const struct wg_summary *s, struct wg_mix_part out[WG_MIX_PARTS]);
/* "1.23 T" of 1.23e12, for a unit to follow */
const char *wg_figure_large(struct wg_arena *a, double x);
#endif
