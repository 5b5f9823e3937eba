/* A device whose kernels are C functions that keep the contract of warp/warp.h, so that the machine can be
 * tested without a parser or a compiler.
 *
 *     static enum wg_warp_status add_one(struct wg_warp *w) { ... return WG_WARP_DONE; }
 *     struct rig r;  rig_open(&r, (struct fake[]){{.name = "add_one", .run = add_one}, {0}}, 4);
 *     rig_run(&r, "add_one", 16, 256, &pointer, 1);   WG_OK once it has ended
 *     rig_close(&r);
 */
#ifndef WG_TESTS_MACHINE_FIXTURE_H
#define WG_TESTS_MACHINE_FIXTURE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/machine.h"

/* How often a kernel of these tests that waits looks before it lets others go on. */
enum { LOOKS = 512 };

struct fake {
    const char *name;
    wg_warp_fn run;
    uint32_t frame_bytes, local_bytes, shared_bytes;
    uint32_t maxntid;
    wg_warp_fn whole;
    bool loops;      /* its IR does */
    enum wg_op does; /* what its IR has; WG_OP_NONE: nothing */
};
struct rig {
    struct wg_device *dev;
    struct wg_module *mod;
    struct wg_stream *stream; /* the legacy one */
};

enum { PARAMS = 6 }; /* every fake kernel takes so many 8-byte parameters */

void rig_open(struct rig *r, const struct fake *kernels, uint32_t threads);
void rig_open_with(struct rig *r, const struct fake *kernels, const struct wg_options *options);
void rig_close(struct rig *r);

/* A launch to be filled in further: one-dimensional, parameters from `args`. */
struct wg_launch rig_launch(struct rig *r, const char *kernel, uint32_t blocks, uint32_t threads,
                            const void *args, uint32_t nargs);
/* Launches and waits. */
enum wg_status rig_run(struct rig *r, const char *kernel, uint32_t blocks, uint32_t threads, const void *args,
                       uint32_t nargs);
void *rig_alloc(struct rig *r, size_t bytes);

/* ---- for kernels ---- */

static inline uint64_t param(const struct wg_warp *w, int i) {
    return ((const uint64_t *)w->block->params)[i];
}
static inline uint32_t block_index(const struct wg_warp *w) { return w->block->ctaid[0]; }
static inline uint32_t nwarps(const struct wg_warp *w) {
    const uint32_t *n = w->block->ntid;
    return (n[0] * n[1] * n[2] + 31) / 32;
}
/* Stops at the block's barrier `id` with all live lanes; goes on with resume == `next`. */
enum wg_warp_status stop_at_barrier(struct wg_warp *w, uint8_t id, uint32_t next);
/* Adds a wait of some lanes. */
struct wg_wait *add_wait(struct wg_warp *w, enum wg_wait_kind kind, uint8_t id, uint32_t lanes);
enum wg_warp_status fault_at(struct wg_warp *w, enum wg_fault_kind kind, uint32_t lane, uint64_t address);
#endif
