/* Races: which accesses of a launch have no order between them, whatever schedule happened to run.
 *
 * Knows numbers only: blocks, warps, lanes, addresses, instruction ids. machine/ tells it what kernel code
 * does, in the order in which one worker runs a unit's warps; what it finds it hands to `found`.
 *
 *     order inside a warp    wg_race_warp_sync: bar.warp.sync and the converging instructions
 *     inside a block         wg_race_barrier: the lanes that arrived, and those that went on behind it
 *     inside a cluster       wg_race_cluster_barrier        of the grid   wg_race_grid_barrier
 *     between any threads    a release (fence, then an atomic or volatile store; or .release) read by an
 *                            atomic, volatile or .acquire load: per address, clocks as in vector clocks
 *     between launches       `before`: what the streams and events say
 *
 * Two accesses of different threads to a common byte race when neither is ordered before the other, at least
 * one writes, and they are not both atomics (volatile and relaxed accesses count as such) whose scopes include
 * each other's thread. Lanes of one instruction that write to one place race with each other.
 *
 * What is found does not depend on the number of workers: accesses of different blocks that nothing orders are
 * kept as sums that do not depend on the order they come in (lowest, highest); launches whose kernels order
 * blocks by themselves (atomics whose result is used, volatile or acquiring loads, grid barriers: `ordered`) are
 * run by one worker, block after block.
 */
#ifndef WG_CHECK_RACE_H
#define WG_CHECK_RACE_H
#include <stdbool.h>
#include <stdint.h>

struct wg_race_thread {
    uint64_t launch, block; /* index in the grid */
    uint32_t warp, lane, site; /* instruction id in the module */
    uint8_t access;         /* enum wg_race_access_kind */
    uint8_t bytes;
    bool has_value;
    uint64_t value;
};
enum wg_race_access_kind { WG_RACE_LOAD = 1, WG_RACE_STORE, WG_RACE_ATOMIC };
enum wg_race_level { WG_RACE_WARP, WG_RACE_BLOCK, WG_RACE_CLUSTER, WG_RACE_GRID, WG_RACE_LAUNCH };
enum wg_race_space { WG_RACE_GLOBAL, WG_RACE_SHARED };
enum wg_race_order { WG_RACE_WEAK, WG_RACE_VOLATILE, WG_RACE_RELAXED, WG_RACE_ACQUIRE, WG_RACE_RELEASE, WG_RACE_ACQ_REL };
enum wg_race_scope { WG_RACE_CTA, WG_RACE_CLUSTER_SCOPE, WG_RACE_GPU, WG_RACE_SYS };

struct wg_race_found {
    enum wg_race_level level;
    enum wg_race_space space;
    uint64_t address; /* GLOBAL: the process's; SHARED: offset in the window of block `owner` */
    uint64_t owner;
    struct wg_race_thread first, second; /* second: the later one as it ran */
    bool benign; /* both wrote the same value */
};

struct wg_race;       /* of the device: shadow memory, what is known across launches */
struct wg_race_grid;  /* one launch */
struct wg_race_block; /* one block in flight; its events come from one thread at a time */

struct wg_race_options {
    uint64_t base; uint32_t bits; /* the arena: global addresses lie in [base, base + 2^bits) */
    void *user;
    void (*found)(void *user, const struct wg_race_found *f); /* any thread */
    bool (*before)(void *user, uint64_t launch, uint64_t later); /* NULL: each launch is before later ones */
};
struct wg_race *wg_race_new(const struct wg_race_options *o);
void wg_race_free(struct wg_race *r);
/* Memory [base, base + size) is new, or gone: nothing of before races with what comes. */
void wg_race_forget(struct wg_race *r, uint64_t base, uint64_t size);
/* Bytes of shadow memory in use: what the check of global memory costs. */
uint64_t wg_race_bytes(const struct wg_race *r);

struct wg_race_shape {
    uint64_t launch, blocks;
    uint32_t threads, cluster; /* of a block; blocks of a cluster */
    uint32_t shared_bytes;     /* of a block */
    bool ordered;              /* see above: the caller runs it on one worker */
};
struct wg_race_grid *wg_race_begin(struct wg_race *r, const struct wg_race_shape *s);
void wg_race_end(struct wg_race_grid *g); /* reports what is only known now */

/* peers: the cluster's blocks by rank (NULL: no cluster), filled as each of them begins. */
struct wg_race_block *wg_race_block_begin(struct wg_race_grid *g, uint64_t block, uint32_t rank,
                                          struct wg_race_block **peers);
void wg_race_block_end(struct wg_race_block *b);

struct wg_race_access {
    uint32_t warp, site, lanes;
    uint8_t space, access, order, scope, bytes; /* bytes: of a lane, all elements */
    const uint64_t *address; /* [32]; SHARED: offset in the cluster's windows */
    const uint64_t *value;   /* [32] stores: the low 8 bytes of what is written; NULL: not known */
};
void wg_race_access(struct wg_race_block *b, const struct wg_race_access *a);
void wg_race_fence(struct wg_race_block *b, uint32_t warp, uint32_t lanes, enum wg_race_scope scope);
void wg_race_warp_sync(struct wg_race_block *b, uint32_t warp, uint32_t lanes);
/* A block barrier completes: lanes by warp that arrived at it, and that go on behind it. */
void wg_race_barrier(struct wg_race_block *b, const uint32_t *arrived, const uint32_t *released, uint32_t warps);
void wg_race_cluster_barrier(struct wg_race_block **blocks, uint32_t n);
void wg_race_grid_barrier(struct wg_race_grid *g);
#endif
