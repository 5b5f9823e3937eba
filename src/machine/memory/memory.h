/* The device's address space: one reserved range of the process, and what is where in it.
 *
 *     [base, base + 2^bits)   PROT_NONE but for live allocations; base is a multiple of its size, so one
 *                             shift and compare tells whether an address is the device's
 *       the lower half        what the program allocates
 *       the next eighth       parameters and local memory of kernels
 *       the rest              windows of shared memory, each with nothing in reach of 32-bit offsets
 *
 * Every allocation has pages of its own, at least WG_MEMORY_PAD mapped bytes after its end (generated code
 * may read a whole vector at an array's last element), and then unmapped guard pages, so that an overrun
 * faults. Freed ranges are reused as late as possible. Host memory that the program registered is outside the
 * range and listed apart.
 */
#ifndef WG_MACHINE_MEMORY_MEMORY_H
#define WG_MACHINE_MEMORY_MEMORY_H
#include "base/arena.h"
#include "machine/memory/emptied.h"
#include "machine/memory/spans.h"
#include <pthread.h>
#include <stdatomic.h>

enum { WG_PAGE = 4096, WG_MEMORY_PAD = 64, WG_FREED_KEPT = 1024 };

#define WG_HUGE_PAGE (2ull << 20)
/* Kinds that count as device memory. */
#define WG_MEM_COUNTED (1u << WG_MEM_DEVICE | 1u << WG_MEM_MANAGED | 1u << WG_MEM_MODULE | 1u << WG_MEM_HEAP)

/* The regions of the arena; the last one has windows of shared memory for which there is no room out of reach
 * of others. */
enum wg_region_of { WG_OF_PROGRAM, WG_OF_THREADS, WG_OF_BLOCKS, WG_OF_CROWD, WG_MEMORY_REGIONS };

enum { WG_LINE = 64 }; /* bytes: shadow.h */

struct wg_reservation;
struct wg_physical;
struct wg_store;

struct wg_memory {
    uint64_t base;
    uint32_t bits;
    /* bytes on both sides that are kept free of all else: WG_TOUCH_ROOM (warp/touch.h), or none */
    uint64_t room;
    uint64_t shadow;  /* distance of the shadow bytes (shadow.h); 0: there are none */
    uint64_t lines;   /* the byte of the first line */
    uint64_t origins; /* the entry of the first word (origin.h) */
    atomic_bool origins_used;
    _Atomic uint64_t undefined;     /* counts writes of undefined data to device memory, from 1 on */
    struct wg_shadow_known *known;  /* shadow.c's own */
    struct wg_padding *padding;     /* padding.c's own */
    struct wg_strays *strays;       /* strays.c's own */
    struct wg_untouched *untouched; /* untouched.c's own; NULL: nobody asks */
    pthread_rwlock_t lock;
    struct wg_spans spans, registered;
    struct wg_spans
        ranges; /* reserved addresses, with what is kept free after them: no allocation is put there */
    struct wg_reservation *reservations;   /* reserved.c's own */
    WG_VEC(struct wg_physical *) physical; /* that is counted here */
    struct wg_store *store;                /* physical.c's own */
    _Atomic uint32_t nshared;          /* spans that other devices may reach without peer access: fleet.h */
    _Atomic bool open;                 /* other devices have peer access, and their writes leave no shadows */
    uint64_t rover[WG_MEMORY_REGIONS]; /* where the next search for room begins */
    uint64_t used;                     /* bytes of device memory: DEVICE, MANAGED, MODULE, HEAP */
    uint64_t capacity;                 /* the limit: the chip's */
    uint64_t taken;                    /* bytes of all kinds */
    uint64_t host;                     /* the limit: what the host had available when the device was opened */
    /* The latest, for messages; a ring. */
    struct wg_span freed[WG_FREED_KEPT];
    uint32_t nfreed;
    struct wg_emptied emptied;
};

/* The index of its device among several: their address spaces are smaller, and each has its own place. `of` 0
 * or 1: the only one. */
struct wg_memory_place {
    uint32_t ordinal, of;
};
/* False with errno: no address space. `model_bytes`: memory of the chip; what the host has may be less. */
bool wg_memory_open(struct wg_memory *m, uint64_t model_bytes, bool shadows, struct wg_memory_place place);
uint64_t wg_memory_least(bool shadows); /* bytes of address space that it takes at least */
void wg_memory_close(struct wg_memory *m);
static inline bool wg_memory_holds(const struct wg_memory *m, uint64_t a) {
    return (a ^ m->base) >> m->bits == 0;
}

enum wg_status wg_memory_alloc(struct wg_memory *m, enum wg_mem_kind kind, uint64_t size, uint32_t flags,
                               void **out);
/* The same, with pages of a file in memory that another process made (shared.h): counted there. The file
 * becomes the memory's if this succeeds. */
enum wg_status wg_memory_import(struct wg_memory *m, int file, uint64_t size, void **out);
/* Makes whole pages at the start of a live allocation read-only for kernels. They alias the writable mapping
 * that is returned, which is outside of the arena and is released with munmap. NULL: the host has no memory
 * for it. */
void *wg_memory_show(void *at, uint64_t size);
/* Reserves address space for the shared memory of so many blocks; wg_memory_commit makes parts of it usable.
 * Out: the address of shared address 0; the page in front of it may be used, too, and wg_memory_free takes
 * that page. */
enum wg_status wg_memory_windows(struct wg_memory *m, uint32_t blocks, void **out);
bool wg_memory_commit(void *at, uint64_t size); /* whole pages */
/* `kinds`: a bit for each enum wg_mem_kind that may be freed. Nothing that was imported. */
enum wg_status wg_memory_free(struct wg_memory *m, uint32_t kinds, void *p);
enum wg_status wg_memory_close_import(struct wg_memory *m, void *p);

/* Registers the program's own memory with the device. kind: REGISTERED, or MANAGED for a variable. */
enum wg_status wg_memory_register(struct wg_memory *m, enum wg_mem_kind kind, void *host, uint64_t size,
                                  uint32_t flags);
enum wg_status wg_memory_unregister(struct wg_memory *m, enum wg_mem_kind kind, void *host);
bool wg_memory_any_registered(struct wg_memory *m);
/* Kernels of devices with these ordinals may reach the allocation at `base`, which is of a pool. */
void wg_memory_show_to(struct wg_memory *m, uint64_t base, uint32_t ordinals);
/* Kernels of other devices may write to it from now on: all of it counts as written. */
void wg_memory_is_shared(struct wg_memory *m);

/* Whether a kernel may touch [a, a + bytes): it is in the device's address space, where unmapped pages fault,
 * or in memory that the program registered. warp/touch.h decides most cases without a call. */
bool wg_memory_may_touch(struct wg_memory *m, uint64_t a, uint64_t bytes);

/* What holds the address, live or registered. */
bool wg_memory_find(struct wg_memory *m, uint64_t a, struct wg_span *out);
/* Whether the host can read and write it at any time. */
bool wg_memory_is_hosts(struct wg_memory *m, uint64_t a);
/* The nearest allocation that a program knows of (not SCRATCH), and how far `a` is from it. */
bool wg_memory_nearest(struct wg_memory *m, uint64_t a, struct wg_span *out);
/* A recently freed allocation that held the address. */
bool wg_memory_freed(struct wg_memory *m, uint64_t a, struct wg_span *out);
void wg_memory_totals(struct wg_memory *m, uint64_t *free_bytes);
/* For reserved.c and physical.c, under the lock: takes room in which nothing is accessible, and lists it; counts
 * bytes of device memory that are at no address, and does so no more; a number for a span. */
bool wg_memory_set_apart(struct wg_memory *m, uint64_t size, uint64_t align, uint64_t hint,
                         struct wg_span *range);
enum wg_status wg_memory_count(struct wg_memory *m, uint64_t bytes);
void wg_memory_uncount(struct wg_memory *m, uint64_t bytes);
uint64_t wg_memory_next_id(void);
/* Moves the pages of the live allocation at `base` into a file in memory. Returns the file, which stays the
 * memory's; less than 0, with errno: there is none. */
int wg_memory_share(struct wg_memory *m, uint64_t base);
/* Records the members of `o` that are not NULL or 0 for the live allocation at `base`. */
void wg_memory_note(struct wg_memory *m, uint64_t base, const struct wg_mem_origin *o);
/* A copy of the live spans, by address; to be freed. The same of the program's own memory. */
struct wg_span *wg_memory_spans(struct wg_memory *m, uint32_t *n);
struct wg_span *wg_memory_registered(struct wg_memory *m, uint32_t *n);
#endif
