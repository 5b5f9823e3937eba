/* Internal declarations of the race check; race.h is its interface.
 *
 * A mark records an access to a place: when, by which instruction, by which thread.
 *
 *     63..32  stamp: the block's time, which every synchronising event advances
 *     31..13  site + 1   12..10  how (MARK_...)   9..5  warp   4..0  lane
 *
 * So no mark is 0, and neither is its lower half, which is what other blocks keep of it.
 *
 * Time is one number per block, since a block's events are sequential. The clock of a thread for another one
 * is one number, too: accesses of that thread with stamps up to it are ordered before what the thread does
 * next (vector clocks, with the block's time in place of each thread's own). A barrier of the whole block
 * makes that the same number for all (`all`), which is what nearly every comparison needs.
 *
 * Between blocks the upper half is the number of the block instead of the stamp.
 */
#ifndef WG_CHECK_RACE_STATE_H
#define WG_CHECK_RACE_STATE_H
#include "base/arena.h"
#include "check/race/race.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { LANES = 32, MAX_WARPS = 32, BARRIERS = 16, PLACES = 32 };
enum {
    MARK_STRONG = 1 << 10,                /* atomic, relaxed, acquire, release; volatile at one place */
    MARK_VOLATILE = 1 << 11,              /* strong between warps */
    MARK_CTA = 1 << 12,                   /* ...between threads of a block only */
    MARK_DATA = MARK_VOLATILE | MARK_CTA, /* volatile, and polls no flag: has no scope */
    MARK_HOW = 7 << 10,
    MARK_SITE = 13,
};
typedef uint64_t mark;
/* The bits that marks of one thread, at one time, of one kind of access share. */
static const mark MARK_SAME = UINT64_C(0xffffffff00001fff);
static inline uint32_t mark_stamp(mark m) { return (uint32_t)(m >> 32); }
static inline uint32_t mark_site(mark m) { return ((uint32_t)m >> MARK_SITE) - 1; }
static inline uint32_t mark_thread(mark m) { return (uint32_t)m & 1023; }
static inline uint32_t mark_warp(mark m) { return (uint32_t)m >> 5 & 31; }
static inline uint32_t mark_lane(mark m) { return (uint32_t)m & 31; }

/* The mapping of a row's 32 places to lanes: (((place + offset) >> step) & 31) ^ flip. */
struct layout {
    uint16_t offset;
    uint8_t step, flip; /* flip: 31 where lanes go down as addresses go up, else 0 */
};
static inline uint32_t lane_at(struct layout l, uint32_t place) {
    return ((place + l.offset) >> l.step & 31) ^ l.flip;
}
static inline struct layout one_lane(uint32_t lane) { return (struct layout){(uint16_t)(lane << 5), 5, 0}; }
static inline bool same_layout(struct layout a, struct layout b) {
    return a.offset == b.offset && a.step == b.step && a.flip == b.flip;
}

/* The last reads and weak stores, place by place. Two readers: two different threads, if there are two that a
 * later writer might not be ordered after. */
struct places {
    mark write[PLACES], read[2][PLACES];
};
/* Atomics and their like, which do not race with each other. */
struct strong_places {
    mark write[2][PLACES];
};

/* 32 places: words of a line of 128 bytes, or bytes of a sector of 32. As long as they were read by one
 * instruction's lanes and written by one instruction's lanes, each place by its own lane, the compact form
 * suffices: `write` and `read` with lane 0, masks, layouts. */
struct row {
    uint64_t tag;                 /* which; 0: nothing yet */
    struct places *places;        /* NULL: the marks below suffice */
    struct strong_places *strong; /* NULL: no atomics */
    mark write, read;
    uint32_t write_mask, read_mask;
    struct layout write_layout, read_layout;
    uint64_t value;         /* of stores, if they all wrote the same bytes, repeated to 8... */
    bool stored, one_value; /* ...if there were any: which these say */
    bool unchanged;         /* they wrote the value that was there */
    bool bytes;             /* of a line: its sectors hold it */
    bool by_bytes;          /* this is a sector */
    uint32_t touched;       /* the stamp of the last access */
    /* Places that two warps have read at this time without a race: further readers change nothing. */
    uint32_t settled_at, settled;
    uint32_t busy_at, busy; /* the same of atomics of two warps, and more atomics */
};

/* Numbers of releases that happened before something: disjoint intervals, ascending. */
enum { SET_MOST = 48 };
struct span {
    uint32_t from, to; /* inclusive */
};
struct set {
    uint32_t n;
    struct span *at;
};

/* A release: what a thread had done, its vector clock, and the fences after that. */
enum { FOR_BLOCK, FOR_GRID, REACHES }; /* how far a fence reaches */
struct release {
    uint64_t block;
    uint32_t before; /* the block's release before this one; 0: none. Numbers begin at 1 */
    uint32_t thread;
    uint32_t at;             /* the block's time */
    uint32_t own[REACHES];   /* the thread's last fence */
    uint32_t limit[REACHES]; /* the last fence of any thread of the block */
    uint32_t all;            /* all threads of the block were ordered after all accesses up to this stamp */
    uint32_t *warps;         /* [warps] the thread's clocks, where they are higher; NULL */
    uint32_t *each;          /* [thread] of a barrier with early arrivals: the clock for each; NULL */
};

struct signal { /* an address that releases were stored to */
    uint64_t address;
    struct set set;
    uint32_t version; /* incremented when the set grows */
};
struct heard { /* what a thread last acquired */
    uint64_t address;
    uint32_t version;
    bool late; /* takes effect at the next fence */
};
struct lock {            /* that a thread has acquired */
    uint64_t address;    /* 0: none */
    uint32_t at;         /* when */
    bool bare[REACHES];  /* no fence of this reach came since */
    bool wrote[REACHES]; /* and something was written meanwhile */
};
/* Where releases meet: a launch that is `ordered`, else a block. */
struct meeting {
    struct release *v; /* [1..n] */
    uint32_t n, cap;
    struct signal *signals; /* a hash table of `slots` */
    uint32_t nsignals, slots;
};

/* Pairs of instructions that raced: the first example, and how many more. */
struct pairs {
    struct {
        struct wg_race_found found;
        uint64_t access;
    } *v;
    uint32_t n, cap;
};

/* Rows of global memory of a block, by line or sector. */
struct row_table {
    struct {
        uint64_t tag;
        struct row *row;
    } *slots;
    uint32_t size, used; /* slots: a power of two */
    struct row **chunks; /* of CHUNK_ROWS */
    uint32_t nchunks;
};
enum { CHUNK_ROWS = 512 };

/* Memory for places that is released all at once. */
struct pool {
    void **chunks;
    uint32_t n, at; /* chunks; the one in use */
    size_t used;    /* of it */
};

/* What a thread of another block of the cluster did to a word of this block's shared memory. */
struct foreign {
    uint32_t word, bytes; /* bytes: a bit each */
    mark mark;
    uint64_t block;
    uint8_t access;
    struct foreign *next;
};
struct foreign_word {
    struct foreign *first;
    bool mixed; /* not only atomics of sufficient scope */
};

/* Places of one row, each with a lane of an access; or with two that read it, which represent all. */
struct piece {
    uint64_t address; /* of the row: a line for elements of words, else a sector */
    uint32_t places;
    struct layout layout;
    uint8_t last; /* the other lane; NO_LANE: there is none */
};
enum { NO_LANE = 255, PIECES_MOST = 2 * LANES };
struct pieces {
    uint32_t n;
    struct piece v[PIECES_MOST];
};
/* The pieces of a pattern for one place of its base in a line: addresses from that line on. */
struct foot {
    const int64_t *k; /* which */
    uint64_t scale;
    uint32_t lanes;
    uint8_t low, bytes, access; /* low: the base's place in its line */
    int64_t from, to;           /* bytes from the base, over all lanes */
    uint32_t n;
    struct piece piece[];
};
enum { FEET = 1024 };

struct wg_race_block {
    struct wg_race_grid *grid;
    uint64_t block;
    uint32_t rank;
    struct wg_race_block **peers;
    const uint8_t *shared;
    uint32_t nwarps, threads;
    uint32_t full[MAX_WARPS]; /* lanes that exist */
    /* Order inside the block: race_order.c. */
    uint32_t time;
    uint32_t all;              /* all threads are ordered after all accesses up to this stamp */
    bool partial, split;       /* some warps, some lanes have higher clocks */
    uint32_t *knows;           /* [warp * nwarps + other]; the warp's own: lanes among each other */
    uint32_t (**pairs)[LANES]; /* the same by lane, [warp * nwarps + other][lane][other lane]; NULL */
    uint32_t *pair_time;       /* [warp * nwarps + other]: the highest number in it */
    uint32_t *arrived;         /* [barrier][thread]: stamps of bar.arrive; NULL */
    uint32_t arrivals;         /* barriers with early arrivals */
    struct race_clock *clocks; /* [nclocks] of phases of mbarriers: race_mbarrier.c */
    uint32_t nclocks, cap_clocks;
    /* Fences and flags: race_signal.c. */
    bool fenced, signalled;               /* signalled: the two by thread below have something */
    bool signalled_shared;                /* by an address of shared memory */
    uint32_t *fences[REACHES];            /* [thread] stamps of the last ones */
    uint32_t latest_fence[REACHES];       /* of any thread */
    struct meeting *meeting, own_meeting; /* the launch's, where that is ordered; its own */
    uint32_t last_release;                /* the block's own */
    uint32_t oldest_release;              /* of them, since not all of its threads know of it */
    struct heard *heard;                  /* [thread] */
    uint32_t changed[MAX_WARPS];          /* when a thread of the warp last synchronised */
    uint32_t *thread_release;             /* [thread] the last one */
    struct set known, late; /* releases that the block has acquired; will have acquired, after a fence */
    struct set flags;       /* of the second, those that no lock was taken with */
    struct lock *locks;     /* [thread] the lock that it took last; NULL: none did */
    uint32_t takers;        /* threads that have one */
    /* Memory. */
    uint32_t serial;             /* of the launch whose blocks used these: */
    struct row *lines, *sectors; /* shared memory; sectors: NULL until bytes are touched */
    uint32_t nlines;
    struct foot **feet;           /* [FEET] a direct-mapped hash table */
    uint64_t accesses, sightings; /* so far */
    struct trail *trail;          /* what blocks do between barriers: race_trail.c; NULL: nothing yet */
    struct step *at;              /* this block's position in it; NULL: it has left the trail */
    bool unsaid;                  /* ...and its accesses since the barrier were not checked */
    struct row_table table;
    WG_VEC(struct row *) uncommitted; /* rows of global memory that were touched since the last commit */
    struct pool kept, pool;           /* places of shared rows, of global ones */
    bool dirty;                       /* global memory was touched since */
    uint32_t committed;               /* global accesses up to this stamp are in the grid's shadow */
    struct foreign_word *foreign;     /* [word] accesses of other blocks to this block's memory; NULL */
    struct pool strangers;            /* memory for them */
    uint32_t cluster_time;            /* stamp of the last barrier of the cluster */
    uint32_t *cluster_times; /* [thread] the same, where threads did more after their arrival; NULL */
    uint32_t *early;         /* [thread] when it arrived at the next one, 0: not early; NULL: none did */
    struct pairs found;
    struct wg_race_block *next, *prev; /* of the grid: running; or waiting for their turn; or free */
};

/* Whether there is synchronisation other than barriers of the whole block. */
static inline bool race_waits_for_some(const struct wg_race_block *b) { return b->partial || b->fenced; }

/* ---- between blocks ---- */

enum key_class { WRITES, STRONGS, READS, CLASSES };
struct key_row {           /* of one line or sector, place by place: who made accesses of one class */
    uint64_t key[PLACES];  /* 0: nobody */
    uint32_t time[PLACES]; /* stamps: of launches that are ordered */
};
struct keys {
    uint32_t serial;
    uint32_t has; /* which of these are of that serial: bit 2 * class + n */
    /* The second is of another block, in launches that are ordered. NULL: never needed so far. */
    struct key_row *of[CLASSES][2];
};
struct cell {
    uint64_t write, read; /* block << 32 | lower half of a mark, lane 0 */
    struct keys *keys;    /* NULL, or of an earlier launch: the members here suffice */
    uint64_t value;       /* of all stores, if `one_value`, as a row's */
    uint32_t write_mask, read_mask, write_serial, read_serial, write_time, read_time, value_serial;
    struct layout write_layout, read_layout;
    bool one_value;
    bool unchanged; /* blocks after the first that stored wrote the value that was there */
};
struct chunk { /* of CHUNK_BYTES of the arena */
    struct cell *lines, *sectors;
    uint32_t serial; /* the last that touched it */
    bool listed;     /* it is among the race's `used` */
};
enum { CHUNK_SHIFT = 16, CHUNK_BYTES = 1 << CHUNK_SHIFT };

/* Addresses that are checked: [base, base + size). */
struct arena {
    uint64_t base, size;
    struct chunk *chunks; /* [size / CHUNK_BYTES], reserved */
    size_t nchunks;
};
/* Of the device itself, and of others that it may reach; contexts of one device have an arena each. */
enum { ARENAS_MOST = 64 };

struct wg_race {
    struct wg_race_options o;
    struct arena arenas[ARENAS_MOST]; /* the first: `o`'s */
    _Atomic uint32_t narenas;
    struct pool keys;
    struct keys *spare;         /* of `keys`: not in use, each with the next in of[0][0] */
    struct key_row *spare_rows; /* the same, with the next in key[0] */
    WG_VEC(uint64_t) used;      /* chunks that were ever touched, arena << 32 | number; under `commits` */
    _Atomic uint64_t bytes, left_out;
    _Atomic uint64_t ignored, ignored_size;
    pthread_mutex_t commits; /* of cells: launches may run side by side */
    pthread_mutex_t lock;    /* of the rest */
    struct wg_race_block *free;
    uint64_t *launches; /* of serials */
    uint32_t nserials, cap_serials;
};

/* The arena that has the address; NULL: it is not checked. */
static inline const struct arena *race_arena(const struct wg_race *r, uint64_t address) {
    uint32_t n = atomic_load_explicit(&r->narenas, memory_order_acquire);
    for (uint32_t i = 0; i < n; i++)
        if (address - r->arenas[i].base < r->arenas[i].size) return &r->arenas[i];
    return NULL;
}
static inline struct chunk *race_chunk(const struct arena *a, uint64_t address) {
    return &a->chunks[(address - a->base) >> CHUNK_SHIFT];
}

struct wg_race_grid {
    struct wg_race *race;
    struct wg_race_shape shape;
    uint32_t serial; /* tells the launch's cells apart; a grid barrier begins a new one */
    uint32_t first_serial;
    struct meeting meeting;
    uint32_t *last_release; /* [blocks], in ordered launches */
    uint32_t *cluster_of;   /* [blocks] the cluster's first block; NULL: no clusters */
    pthread_mutex_t lock;   /* of the rest */
    pthread_cond_t turned;
    struct wg_race_block *running;
    struct wg_race_block *done; /* those that wait for their comparison with others, by number */
    uint32_t ndone;
    uint64_t turn;
    bool committing;
    struct pairs found;
    uint64_t commits; /* so far, of any block */
};

/* ---- race_order.c ---- */
bool race_unordered_slow(const struct wg_race_block *b, uint32_t thread, mark old);
/* Whether the thread's next access is unordered with the access of `old`, by a thread of the same block. */
static inline bool race_unordered(const struct wg_race_block *b, uint32_t thread, mark old) {
    return mark_stamp(old) > b->all && mark_thread(old) != thread && race_unordered_slow(b, thread, old);
}
uint32_t (*race_pair(struct wg_race_block *b, uint32_t warp, uint32_t other))[LANES];
void race_tick(struct wg_race_block *b);
/* [thread] the stamp up to which its accesses are before the barrier of the cluster; freed by the caller. */
uint32_t *race_arrivals(const struct wg_race_block *b);

/* ---- race_barrier.c ---- */
/* What the lanes of a warp know, and have done up to now, added to [thread]; they know from now on what [thread] says. */
void race_add_knowledge(const struct wg_race_block *b, uint32_t warp, uint32_t lanes, uint32_t *sum);
void race_learn(struct wg_race_block *b, uint32_t warp, uint32_t lanes, const uint32_t *sum);
void race_cluster_times_clear(struct wg_race_block *b);

/* ---- race_release.c ---- */
bool race_set_has(const struct set *s, struct span x);
bool race_set_has_all(const struct set *s, const struct set *x);
void race_set_add(struct set *s, struct span x);
void race_set_add_all(struct set *s, const struct set *x);
void race_set_clear(struct set *s);
void race_meeting_clear(struct meeting *m);
/* The number of a new release by the thread. */
uint32_t race_release_new(struct wg_race_block *b, uint32_t thread);
/* Joins the block's own releases in the set into the thread's clocks. */
void race_join_own(struct wg_race_block *b, uint32_t thread, const struct set *s);
/* Whether the block is ordered, by releases, after what a thread of another block did up to the stamp. flags:
 * what it acquired `late` counts, too, but not by acquiring a lock. */
bool race_released(const struct wg_race_block *b, uint64_t other, uint32_t thread, uint32_t stamp,
                   bool flags);

/* ---- race_signal.c ---- */
/* Where the shared memory of the block's cluster begins among such addresses. */
uint64_t race_windows_of(const struct wg_race_block *b);
/* Before an atomic or the like at `address` (any numbering that tells places apart). */
void race_signal(struct wg_race_block *b, const struct wg_race_access *a, uint32_t lane, uint64_t address);
/* A fence or other synchronisation: what was acquired `late` counts from now on. */
void race_acquire_late(struct wg_race_block *b);
/* Orders the blocks after all that each of them did, as a barrier does. */
void race_meet(struct wg_race_block **blocks, uint32_t n);

/* ---- race_mbarrier.c ---- */
void race_clocks_free(struct wg_race_block *b);

/* ---- race_lock.c: locks acquired without a fence after it ---- */
/* Lanes are about to take locks at `address`. */
void race_lock_take(struct wg_race_block *b, const struct wg_race_access *a, uint32_t lanes);
/* They write something; b->takers. */
void race_lock_holder_writes(struct wg_race_block *b, uint32_t warp, uint32_t lanes);
/* A fence of this reach, or other synchronisation. */
void race_lock_fence(struct wg_race_block *b, uint32_t warp, uint32_t lanes, int reach);
/* The thread writes to `address`: if that releases its lock, what it wrote before its fence is not
 * released. */
void race_lock_give_back(struct wg_race_block *b, uint32_t thread, uint64_t address, struct release *r);
void race_locks_clear(struct wg_race_block *b);

/* ---- race_row.c ---- */
static inline uint64_t race_address(const struct wg_race_access *a, uint32_t lane) {
    if (a->address) return a->address[lane];
    return a->base + (uint64_t)a->k[lane] + a->scale * (uint64_t)a->r[lane];
}
struct touch { /* an access to some places of one row */
    struct wg_race_block *b;
    const struct wg_race_access *a;
    struct row *row;
    uint64_t address; /* of the row's first place; SHARED: in the block's window */
    mark mark;        /* lane 0 */
    uint32_t places;
    struct layout layout;
    uint8_t last;   /* a load's: another lane that reads them all; NO_LANE: none */
    uint8_t access; /* enum wg_race_access_kind; ATOMIC: any strong write */
    uint8_t step;   /* bytes of a place: 1 or 4 */
};
void race_touch(struct touch *t); /* which it may change */
/* Weak stores, or atomics, of a word each of the block's own shared memory: the same for lanes whose rows are looked at place
 * by place already, in their order. Gives those that it has left, with the first that races with anything. */
uint32_t race_touch_words(struct touch *t, uint32_t lanes);
struct places *race_places(struct wg_race_block *b, struct row *r, bool global);
/* Whether two accesses, at least one of which writes, may be unordered without a race. */
static inline bool mark_is_data(mark m) { return (m & MARK_DATA) == MARK_DATA; }
static inline bool mark_is_of_block(mark m) { return (m & MARK_DATA) == MARK_CTA; }
static inline bool race_compatible(mark a, mark b, bool one_warp, bool one_block) {
    if (mark_is_data(a) && mark_is_data(b)) return false;
    if (one_warp) return a & b & MARK_STRONG;
    bool strong = (a & (MARK_STRONG | MARK_VOLATILE)) && (b & (MARK_STRONG | MARK_VOLATILE));
    return strong && (one_block || !(mark_is_of_block(a) || mark_is_of_block(b)));
}

/* A volatile store of data, and an atomic: whether they race depends on the atomic's purpose, which only the
 * caller knows. */
static inline bool race_is_store_against_atomic(mark a, mark b) {
    return (mark_is_data(a) && !(b & MARK_VOLATILE)) || (mark_is_data(b) && !(a & MARK_VOLATILE));
}

/* NULL: nobody made such accesses in the keys' launch. */
static inline struct key_row *race_keys_of(const struct keys *k, enum key_class c, int n) {
    return k->has >> (2 * c + n) & 1 ? k->of[c][n] : NULL;
}

/* A row of global memory is touched now. */
static inline void race_will_commit(struct wg_race_block *b, struct row *r) {
    if (r->touched <= b->committed) *WG_PUSH(&b->uncommitted) = r;
}

/* ---- race_access.c ---- */
/* An access by a pattern, bypassing the trail. */
void race_access_now(struct wg_race_block *b, const struct wg_race_access *a);

/* ---- race_trail.c ---- */
/* All threads of the block are ordered after everything before. */
void race_trail_begin(struct wg_race_block *b);
/* An ordinary access to shared memory by a pattern; b->at is not NULL. */
void race_trail_access(struct wg_race_block *b, const struct wg_race_access *a);
/* Some other event follows that affects the order of threads, or shared memory. */
void race_trail_leave(struct wg_race_block *b);
void race_trail_free(struct wg_race_block *b);

/* ---- race_vector.c ---- */
struct lie {         /* the pattern of the lanes' addresses */
    uint32_t inside; /* lanes in memory that is checked */
    /* Lanes whose successor's address is that of the next element, the element before, or the same one. */
    uint32_t next, previous, same;
    uint32_t stride; /* bytes from each lane to the next, if that is one power of two up to 64; else 0 */
};
void race_scan(const uint64_t address[LANES], uint32_t bytes, uint64_t base, uint64_t size, struct lie *out);
/* reads: lanes at one place only read it; else they race with each other. */
void race_take_apart(struct pieces *out, const struct wg_race_access *a, bool reads, uint32_t lanes,
                     const struct lie *lie);
bool race_vector_usable(void);
/* A weak access to places of a row: recorded, if there is certainly no race. */
bool race_vector_touch(const struct touch *t, struct places *p);
/* As share() of race_barrier.c; false: nothing was done. */
bool race_vector_share(uint32_t (*clocks)[LANES], uint32_t lanes, uint32_t now, uint32_t of);
/* Merges a block's row into the keys of a launch that is not ordered; false: there may be a race, or there is no memory left. */
bool race_vector_commit(const struct wg_race_block *b, const struct places *p, const struct strong_places *s,
                        struct keys *k);

/* ---- race_table.c ---- */
struct row *race_line(struct wg_race_block *b, uint64_t address); /* of global memory */
struct row *race_sector(struct wg_race_block *b, uint64_t address);
void race_table_clear(struct wg_race_block *b);
void race_table_free(struct row_table *t);
void *race_pool_take(struct pool *p, size_t bytes);
void race_pool_reset(struct pool *p);
void race_pool_free(struct pool *p);

/* ---- race_grid.c ---- */
/* Compares what the block did to global memory since the last commit with other blocks. */
void race_commit(struct wg_race_block *b);
void race_cells_free(struct wg_race *r);
/* There to be written to. NULL: there is no memory left. */
struct key_row *race_keys_take(struct wg_race *r, struct keys *k, enum key_class c, int n);

/* ---- race_cluster.c ---- */
/* A lane's access to shared memory of another block of the cluster. */
void race_remote(const struct touch *t, uint32_t lane);
/* Compares a lane's access to its own block's memory with those of other blocks. */
void race_remote_check(const struct touch *t, uint32_t lane);
void race_remote_clear(struct wg_race_block *b);

/* ---- race_tell.c ---- */
/* A thread in the form of race.h; the mark's stamp is ignored. */
struct wg_race_thread race_thread(uint64_t launch, uint64_t block, mark m, enum wg_race_access_kind access);
/* Counts a race for its pair of instructions; `f->count` is ignored. Among the races of one access of a warp
 * (`access` numbers them) the example is the lowest lane's, at its lowest address. */
void race_seen(struct pairs *into, const struct wg_race_found *f, uint64_t access);
/* The low 8 bytes, or fewer, of an access in memory. */
uint64_t race_value_at(const void *at, uint32_t bytes);
void race_pairs_tell(const struct wg_race_grid *g, struct pairs *p);
#endif
