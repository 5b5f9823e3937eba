/* The happens-before race detector: which accesses of a launch have no order between them, whatever schedule
 * happened to run.
 *
 * It knows numbers only: blocks, warps, lanes, addresses, instruction ids. machine/ reports what kernel code
 * does, in the order in which one worker runs a unit's warps, each access before it is carried out; the
 * detector passes each race to `found`.
 *
 *     order inside a warp    wg_race_warp_sync: bar.warp.sync and the converging instructions
 *     inside a block         wg_race_barrier: the lanes that arrived, and those that it released
 *     inside a cluster       wg_race_cluster_barrier        of the grid   wg_race_grid_barrier
 *     between any threads    a release (fence, then an atomic or volatile store; or .release) read by an
 *                            atomic, volatile or .acquire load (race_signal.c)
 *                            or mbarriers
 *     between launches       not here: stream_race.h, which gets the footprint of each
 *
 * Two accesses of different threads to a common byte race when neither is ordered before the other, at least
 * one writes, and they are not both atomics (relaxed accesses count as such, and volatile ones of which one asks
 * after a flag) whose scopes include each other's thread. Inside a warp volatile accesses count as such only at a
 * place that all lanes of the instruction share, as a flag is. Lanes of one instruction that write to one place
 * race with each other.
 *
 * What is found does not depend on the number of workers: what a block did to global memory is compared with
 * what others did in the order of the blocks' numbers, whatever order they ran in (race_grid.c); launches
 * whose kernels order blocks by themselves (`ordered`) are run by one worker, one block after the other.
 *
 *     race.c         devices, launches, blocks          race_order.c   vector clocks: barriers, warps
 *     race_lock.c    locks without a fence after them
 *     race_access.c  an access, split into rows         race_signal.c  fences and flags
 *     race_row.c     32 words: who accessed them        race_grid.c    between blocks
 *     race_table.c   rows of global memory of a block   race_tell.c    reports
 *     race_touched.c what a launch did to global memory
 */
#ifndef WG_CHECK_RACE_H
#define WG_CHECK_RACE_H
#include <stdbool.h>
#include <stdint.h>

enum {
    WG_RACE_WINDOW = 1 << 24, /* from one block's shared memory to the next one's, in a cluster */
    /* Instructions have lower numbers than this; the last stands for all beyond. */
    WG_RACE_SITES = (1 << 19) - 1,
};

struct wg_race_thread {
    uint64_t launch, block;    /* index in the grid */
    uint32_t warp, lane, site; /* instruction id in the module */
    uint8_t access;            /* enum wg_race_access_kind */
    bool has_value;
    uint64_t value; /* of at most 8 bytes; of an earlier writer: what memory still holds of it */
};
enum wg_race_access_kind { WG_RACE_LOAD = 1, WG_RACE_STORE, WG_RACE_ATOMIC };
enum wg_race_level { WG_RACE_WARP, WG_RACE_BLOCK, WG_RACE_CLUSTER, WG_RACE_GRID };
enum wg_race_space { WG_RACE_GLOBAL, WG_RACE_SHARED };
enum wg_race_order {
    WG_RACE_WEAK,
    WG_RACE_VOLATILE,
    WG_RACE_VOLATILE_DATA, /* the same, but two of them race with each other: volatile.h */
    WG_RACE_GUESS, /* a plain load that counts as an atomic, but tells its thread nothing (check/instrument/guess.h) */
    WG_RACE_RELAXED,
    /* What it reads orders nothing that other blocks did until a fence or a barrier comes: by its own word, or it is an
     * exchange, which may take a lock. */
    WG_RACE_SAID_RELAXED,
    WG_RACE_ACQUIRE,
    WG_RACE_RELEASE,
    WG_RACE_ACQ_REL
};
enum wg_race_scope { WG_RACE_CTA, WG_RACE_CLUSTER_SCOPE, WG_RACE_GPU, WG_RACE_SYS };

struct wg_race_found {
    enum wg_race_level level;
    enum wg_race_space space;
    uint64_t address; /* GLOBAL: the process's; SHARED: offset in the window of block `owner` */
    uint64_t owner;
    struct wg_race_thread first, second; /* second: the later one as it ran */
    bool benign;                         /* both wrote the same value */
    uint64_t count;                      /* words, or bytes, of the like by the same two instructions */
};

/* Words of lines, or bytes of sectors, that a launch accessed alike; the thread is that of the lowest. */
struct wg_race_touched {
    uint64_t launch, address, block;
    uint32_t mask, thread, site;
    uint8_t access;
    bool sector, strong,
        of_block; /* strong: an atomic or its like; of_block: visible only to its block's threads */
};

struct wg_race;       /* of the device: shadow memory, what is known across launches */
struct wg_race_grid;  /* one launch */
struct wg_race_block; /* one block in flight; its events come from one thread at a time */

struct wg_race_options {
    uint64_t base; /* the arena: global addresses lie in [base, base + 2^bits); others are not checked, */
    uint32_t bits; /* but for those of wg_race_add_arena */
    /* user: of the later access's launch. Any thread. */
    void (*found)(void *user, const struct wg_race_found *f);
    /* A launch has ended, or a barrier of its grid is complete: the footprint can be queried. May be NULL. */
    void (*settled)(void *user);
    /* Limit of the shadow memory for global memory; 0: none. Beyond it new places are not checked, which
     * wg_race_left_out reports. */
    uint64_t most_bytes;
    void (*filling)(uint64_t bytes,
                    uint64_t most_bytes); /* called once when half of it is taken; may be NULL */
};
struct wg_race *wg_race_new(const struct wg_race_options *o);
void wg_race_free(struct wg_race *r);
/* Global addresses lie in [base, base + 2^bits), too: the memory of another device. Does nothing where that is known, or
 * there is no room. Launches may be running. */
void wg_race_add_arena(struct wg_race *r, uint64_t base, uint32_t bits);
/* Memory [base, base + size) is new, or gone: no earlier access races with a later one. */
void wg_race_forget(struct wg_race *r, uint64_t base, uint64_t size);
/* Memory [base, base + size) is not checked: the kernels' heap, whose blocks pass from thread to thread by
 * synchronisation that only the machine sees. */
void wg_race_ignore(struct wg_race *r, uint64_t base, uint64_t size);
/* Bytes of shadow memory in use: what the check of global memory costs. */
uint64_t wg_race_bytes(const struct wg_race *r);
/* Bytes of global memory that were accessed but not checked, for lack of memory. */
uint64_t wg_race_left_out(const struct wg_race *r);

/* The footprints of launches in global memory, place by place, in ascending address order in each arena: of all
 * launches, or of `only`, which is `settled` right now. A place has the last launch that read it and the last that
 * wrote it. */
void wg_race_each_touched(struct wg_race *r, const struct wg_race_grid *only,
                          void (*fn)(void *user, const struct wg_race_touched *t), void *user);

struct wg_race_shape {
    void *user;
    uint64_t launch, blocks;
    uint32_t threads, cluster; /* of a block; blocks of a cluster, 0 or 1: none */
    uint32_t shared_bytes;     /* of a block */
    bool small;                /* some accesses to shared memory are of less than a word */
    bool no_global;            /* no access to global memory is reported: blocks need not be compared */
    bool ordered; /* kernels that order blocks by themselves (atomics whose result is used, volatile
                     * or acquiring loads of global memory, grid barriers), and all with clusters:
                     * run by one worker */
};
struct wg_race_grid *wg_race_begin(struct wg_race *r, const struct wg_race_shape *s);
void wg_race_end(struct wg_race_grid *g); /* reports the races that only the whole launch shows */

/* peers: the cluster's blocks by rank (NULL: no cluster), filled as each of them begins. `shared` is where
 * the block's own shared memory is, to read values from (NULL: reports have no values). */
struct wg_race_block *wg_race_block_begin(struct wg_race_grid *g, uint64_t block, uint32_t rank,
                                          struct wg_race_block **peers, const void *shared);
/* Reports what was found inside the block. */
void wg_race_block_end(struct wg_race_block *b);

struct wg_race_access {
    uint32_t warp, site, lanes;
    uint8_t space, access, order, scope;
    uint8_t bytes; /* of a lane, all elements: 1, 2, 4, 8, 16 or 32; addresses are multiples of it */
    bool takes;    /* an exchange that may take a lock: check/instrument/lock.h */
    bool judged;   /* the memory check accepted it: there is memory at its addresses */
    const uint64_t *address; /* [32]; SHARED: offset in the cluster's windows; NULL: */
    /* base + k[lane] + scale * r[lane]. A pattern is identified by the pointer k, and does not change during
     * the launch. */
    uint64_t base, scale;
    const int64_t *k, *r;  /* [32] */
    const uint64_t *value; /* [32] stores: what is written, of 16 bytes wg_check_both; NULL: not known */
};
void wg_race_access(struct wg_race_block *b, const struct wg_race_access *a);
/* The current time of a thread; the same for another lane; the warp of a time. And which of the lanes are
 * ordered after what a thread of this block had done at such a time; whether all of the block are, for its
 * warp. */
uint64_t wg_race_now(const struct wg_race_block *b, uint32_t warp, uint32_t lane);
uint64_t wg_race_now_of(uint64_t now, uint32_t lane);
uint32_t wg_race_warp_of(uint64_t when);
uint32_t wg_race_knowing(const struct wg_race_block *b, uint32_t warp, uint32_t lanes, uint64_t when);
/* Whether the block has acquired anything that a thread of another one released. */
bool wg_race_heard_others(const struct wg_race_block *b);
bool wg_race_known_to_all(const struct wg_race_block *b, uint64_t when);
void wg_race_fence(struct wg_race_block *b, uint32_t warp, uint32_t lanes, enum wg_race_scope scope);
/* Lanes arrive at phases of mbarriers, or have seen them end. Places in the cluster's windows, by lane,
 * identify the mbarriers. A thread that has seen a phase end is ordered after what all that had arrived there
 * had done. */
void wg_race_mbarrier_arrive(struct wg_race_block *b, uint32_t warp, uint32_t lanes, const uint64_t *at);
void wg_race_mbarrier_passed(struct wg_race_block *b, uint32_t warp, uint32_t lanes, const uint64_t *at);
void wg_race_warp_sync(struct wg_race_block *b, uint32_t warp, uint32_t lanes);
/* Lanes arrive at barrier `id` without waiting (bar.arrive). */
void wg_race_barrier_arrive(struct wg_race_block *b, uint32_t id, uint32_t warp, uint32_t lanes);
/* Barrier `id` completes. By warp: lanes that waited, and those that it releases. Threads that have
 * exited count as having waited where the barrier was for all. */
void wg_race_barrier(struct wg_race_block *b, uint32_t id, const uint32_t *waited, const uint32_t *released);
/* Lanes arrive at the barrier of the cluster, and do more before they wait: that is ordered after the
 * barrier. */
void wg_race_cluster_arrive(struct wg_race_block *b, uint32_t warp, uint32_t lanes);
void wg_race_cluster_barrier(struct wg_race_block **blocks, uint32_t n);
void wg_race_grid_barrier(struct wg_race_grid *g);
#endif
