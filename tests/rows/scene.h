/* Small kernels whose results are known: what rows that are not pure do, on every back end.
 *
 *     {"shfl.down", .body = "  shfl.sync.down.b32 %r1, %lane, 1, 31, -1;\n  st.global.b32 [%my], %r1;\n",
 *      .expect = next_lane}
 *
 * The kernel has, before the body: %x (thread of the grid), %t (of the block), %lane, %in and %out (addresses
 * of 16384 words; in[i] = scene_in(i), out zero), %my = %out + 4 * %x, and registers %r0-39 .b32, %d0-19
 * .b64, %h0-9 .b16, %f0-9 .f32, %e0-9 .f64, %p0-19 .pred. "END: ret;" follows it.
 */
#ifndef WG_TESTS_ROWS_SCENE_H
#define WG_TESTS_ROWS_SCENE_H
#include "tests/rows/harness.h"

enum { SCENE_WORDS = 16384 };

struct scene {
    const char *name;
    const char *module; /* variables and functions before the kernel */
    const char *body;
    uint32_t grid, block[3]; /* 0: 1 block, 64 threads */
    uint32_t cluster, dynamic_shared, fuel, max_yields;
    bool cooperative;
    bool reference_only;
    uint32_t fault;                /* enum wg_fault_kind that must end it */
    uint32_t fault_lane, fault_op; /* checked when there is a fault; op NONE: not looked at */
    const char *refused;           /* compiling must fail with a message that has this in it */
    const char *printed;           /* part of what must have been printed */
    void (*expect)(uint32_t *out, uint32_t threads, uint32_t block); /* NULL: the back ends must agree */
};

static inline uint32_t scene_in(uint32_t i) {
    uint32_t v = i * 2654435761u;
    return v ^ v >> 15;
}

struct scenes {
    const struct scene *v;
    uint32_t n;
};
extern const struct scenes memory_scenes, atomic_scenes, warp_scenes, control_scenes, barrier_scenes,
    special_scenes, async_scenes, matrix_scenes, wgmma_scenes, bulk_scenes;

/* Runs a scene on every back end; false with what is wrong told. */
bool scene_holds(const struct scene *s);
#endif
