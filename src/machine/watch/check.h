/* Checked launches: the services that instrumented code calls, answered with the machine's knowledge of
 * memory (check/README.md). The device's options say where findings go and which checks are on.
 *
 *     check.c           instrumented modules, what a launch keeps, the services
 *     check_found.c     findings with their places
 *     check_memory.c    is this address inside its allocation, variable, frame?
 *     check_race.c      are these two accesses ordered?
 *     check_written.c   what does the launch write at all?
 *     check_proof.c     which accesses can race with nothing?
 *     strict.c          --strict: no findings, the first wrong access is the launch's fault
 */
#ifndef WG_MACHINE_CHECK_H
#define WG_MACHINE_CHECK_H
#include "check/finding.h"
#include "check/instrument/instrument.h"
#include "machine/module.h"
#include "machine/watch/check_barrier.h"
#include "machine/watch/check_race.h"
#include "machine/watch/check_round.h"
#include "machine/memory/shadow.h"

/* The state of a device that is kept from launch to launch. */
void wg_check_open(struct wg_device *dev);
void wg_check_close(struct wg_device *dev);
/* The IR to compile for the function's module. The module's lock is held. */
const struct wg_ir_module *wg_check_ir(struct wg_func *f);

/* Memory that counts as written when the launch has ended. */
struct wg_check_told {
    uint64_t address, bytes;
};
/* What a launch keeps. */
struct wg_check_launch {
    const struct wg_check_site *sites; /* [nids] */
    uint32_t nids;
    uint32_t nworkers;
    bool *reached; /* [function] the kernel, and what it may call */
    bool launches; /* it may have children, and there is more than one block */
    struct wg_check_races races;
    struct wg_check_grid_barrier at_grid;
    struct wg_check_stuck stuck;
    struct wg_check_rounds *rounds;    /* NULL: no thread polls memory */
    WG_VEC(struct wg_check_told) told; /* under the grid's lock */
    WG_VEC(struct wg_check_told) left; /* the same: check_init_host.c's own */
    struct wg_check_stored *stored;    /* the same; check_init.c's own */
    _Atomic uint32_t *constants;       /* check_constants.c's own; NULL: it does not matter who reads them */
    struct wg_check_window *windows[]; /* [worker][id]; NULL until the worker ran something */
};

/* Of a launch: begins before any block of it does, ends when all have ended. */
void wg_check_begin(struct wg_grid *g);
void wg_check_end(struct wg_grid *g, const struct wg_fault_record *fault); /* NULL: it ended well */
/* check_fault.c: what ended it. */
void wg_check_fault(const struct wg_grid *g, const struct wg_fault_record *r);
/* Of each unit of a launch that is checked. */
void wg_check_unit_begin(struct wg_unit *u);
void wg_check_unit_end(struct wg_unit *u);
/* The windows of one worker's warps (warp/warp.h); NULL: nothing is checked. */
struct wg_check_window *wg_check_windows(const struct wg_grid *g, uint32_t worker);

/* A block of a cluster has ended: its shared memory must not be accessed any more. */
void wg_check_block_ended(const struct wg_cta *c);
/* run_plain in run.c: all live threads of the block have reached barrier 0. */
void wg_check_plain_barrier(struct wg_cta *c);
/* check_init.c: blocks begin: their shared and local memory was never written. */
void wg_check_init_unit_begin(struct wg_unit *u);
/* Detects when all of the block's shared memory is defined: then generated code skips the check. */
void wg_check_init_shared(struct wg_cta *c);
/* It must not be taken for defined. */
void wg_check_init_shared_unknown(struct wg_unit *u);
/* What a window's `defined` is. */
uint64_t wg_check_init_window(const struct wg_grid *g, uint32_t id, const struct wg_check_window *w);
/* check_init_host.c: a kernel leaves undefined bytes in memory of the host; the launch has ended, which nobody has been told;
 * the host reads or writes, where devices have such memory; the device is closed. */
void wg_check_init_left(struct wg_grid *g, uint64_t address, uint64_t bytes);
void wg_check_init_left_end(struct wg_grid *g);
void wg_check_init_host_touches(struct wg_device *any, const struct wg_host_access *h);
void wg_check_init_host_close(struct wg_device *dev);
/* Bytes that were never written are copied to the host. */
void wg_check_copied(const struct wg_work *w, const struct wg_shadow_gaps *gaps);
/* An asynchronous hardware copy whose read has the number `id`: undefined bytes at `from` become undefined at
 * `to`, with their origin. combines: bytes at `to` become undefined where those at `from` are, and are
 * otherwise unchanged. */
void wg_check_init_copy(struct wg_warp *w, uint32_t id, uint64_t to, uint64_t from, uint64_t bytes,
                        bool combines);
/* A launch ends. */
void wg_check_init_end(struct wg_grid *g);
/* check_constants.c: a launch begins, and has ended; a valid access, whose window becomes no wider than what is known to be
 * read. `before`: the instruction's window so far. */
void wg_check_constants_begin(struct wg_grid *g);
void wg_check_constants_end(struct wg_grid *g);
void wg_check_constants_read(const struct wg_grid *g, uint32_t id, uint64_t address, uint64_t bytes,
                             struct wg_check_window *window, const struct wg_check_window *before);
/* check_source.c: "k.cu:7:9 in k(int*)"; that a shuffle's value is from a lane that gives none, and the same for
 * who does not know which shuffle; what tells such texts apart. */
const char *wg_check_place_named(struct wg_arena *a, const struct wg_func *kernel, uint32_t id);
/* What is to be said of a value that the instruction wrote, and that comes from no memory. */
const char *wg_check_written_undefined(struct wg_arena *a, const struct wg_func *kernel, uint32_t id,
                                       const struct wg_check_site *site);
const char *wg_check_lane_absent(struct wg_arena *a, const struct wg_warp *w, uint32_t from);
const char *wg_check_lane_source(struct wg_arena *a, const struct wg_warp *w, uint32_t from, uint32_t id);
uint64_t wg_check_lane_key(const struct wg_warp *w, uint32_t from);

/* shadow_move.c: a copy or fill begins. */
void wg_shadow_move(struct wg_work *w);

/* Services. */
uint32_t wg_check_service_access(struct wg_warp *w, uint32_t lanes, const struct wg_check_ask *a);
void wg_check_service_event(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t event, const uint64_t *a,
                            const uint64_t *b);
void wg_check_service_defined(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t decides);
uint64_t wg_check_service_bulk(struct wg_warp *w, uint32_t lane, uint32_t id, const uint64_t *sources);
bool wg_check_service_tile(struct wg_warp *w, uint32_t lanes, uint32_t id, const struct wg_check_tile *t);
void wg_check_service_operands(struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *granules);
void wg_check_service_undefined(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t access,
                                const uint64_t *address);

/* The lanes' addresses, for an access given by a base and a pattern. */
static inline void wg_check_addresses(const struct wg_check_ask *a, uint64_t address[WG_LANES]) {
    for (uint32_t l = 0; l < WG_LANES; l++)
        address[l] = a->base + (uint64_t)a->spread->k[l] + a->scale * (uint64_t)a->spread->r[l];
}

/* check_found.c. Adds a finding of the launch: fills in kernel, launch and module. */
void wg_check_add(const struct wg_grid *g, struct wg_finding *f);
/* The same for one about lanes of a warp at instruction `id`: fills in `here`, too, with the lowest lane. */
void wg_check_found(const struct wg_warp *w, uint32_t lanes, uint32_t id, struct wg_finding *f);
/* A place in the text; the same with the lowest of the lanes. */
struct wg_finding_place wg_check_place(struct wg_arena *a, const struct wg_func *f, uint32_t id);
/* Which thread: from its block's number in the grid, and its own in the block. */
void wg_check_place_thread(const uint32_t blocks[3], const uint32_t threads[3], uint64_t block,
                           uint32_t thread, struct wg_finding_place *out);
uint32_t wg_check_module_number(const struct wg_func *f);
struct wg_finding_place wg_check_place_of(struct wg_arena *a, const struct wg_warp *w, uint32_t lanes,
                                          uint32_t id);

/* check_host.c: the host program's code at `pc` accesses the device's memory. */
void wg_check_host_accesses(struct wg_device *dev, uint64_t address, uint64_t pc, bool write);

/* check_memory.c: describes what is at an address of global memory; `module`: whose variables are searched,
 * or NULL. And at an offset in the block's shared memory that one of the two sites accesses. */
void wg_check_describe_global(struct wg_device *dev, const struct wg_module *module, uint64_t address,
                              struct wg_finding_memory *m);
void wg_check_describe_shared(const struct wg_grid *g, uint32_t site, uint32_t other, uint64_t offset,
                              bool of_cluster, struct wg_finding_memory *m);
/* One lane's access. */
struct wg_check_access_at {
    const struct wg_warp *w;
    const struct wg_check_site *site;
    uint32_t lane;
    uint64_t bytes;
    int64_t variable;
    uint64_t address;
    uint64_t align; /* 0: that of its bytes */
};
struct wg_check_verdict {
    bool good;
    struct wg_check_window window; /* good: the range in which accesses of this instruction are good, too */
    enum wg_finding_kind kind;
    struct wg_finding_memory memory;
    const char *detail; /* NULL: the memory says it all */
};
void wg_check_judge(const struct wg_check_access_at *a, struct wg_check_verdict *out);
/* Describes the memory that the access is meant for. */
void wg_check_describe(const struct wg_check_access_at *a, struct wg_finding_memory *out);

/* strict.c: --strict. Of a module that was just instrumented: the bounds of variables are not asked about. */
void wg_strict_instrumented(struct wg_instrumented *i);
/* In a service: the access is wrong. The first one counts. */
void wg_strict_refuse(const struct wg_check_access_at *a, const struct wg_check_verdict *v);
/* Called at the end of a service, with no locks held: does not return if an access was refused. */
void wg_strict_leave(struct wg_worker *worker);

/* check_calls.c: called before a service call; for malloc, after it. */
void wg_check_malloc(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *p);
void wg_check_free(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *p);
/* A kernel launches another one (NULL: what is none), and cannot. */
void wg_check_child_refused(const struct wg_warp *w, uint32_t lane, uint32_t id, const struct wg_func *child,
                            const char *why);
void wg_check_print(const struct wg_warp *w, uint32_t lanes, uint32_t id, const uint64_t *format,
                    const uint64_t *buffer);
#endif
