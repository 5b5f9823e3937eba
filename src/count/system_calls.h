/* Cost model of the functions that CUDA links into kernels: printf, malloc and free. Their code comes with the
 * driver, and the hardware's counters include what it accesses; counters made of the kernel's own instructions
 * (memory_l2_theoretical_*, smsp__sass_*) do not. The rules give what an H200 counted for bench/gpu/system_calls.cu.
 *
 *     printf("%d\n", x) by one lane:    14 global loads, 215 global stores, 4 or 5 atomics
 *     the same by a full warp:          as many requests; the stores have a sector for each lane
 *     malloc(16) by one lane:           24 global loads, 6 global stores, 8 atomics
 */
#ifndef WG_COUNT_SYSTEM_CALLS_H
#define WG_COUNT_SYSTEM_CALLS_H
#include <stdbool.h>
#include <stdint.h>

/* What a site of such a call is named. */
#define WG_PRINTF_OP "printf"
#define WG_MALLOC_OP "malloc"
#define WG_FREE_OP   "free"
/* `op`: a site's name, or NULL. */
bool wg_is_system_call(const char *op);

enum { WG_PRINTF_VALUES = 32 /* that a record holds; further ones are dropped */ };

/* What a lane prints. */
struct wg_printf_lane {
    uint32_t words, doubles,
        strings;     /* values of 4 bytes, of 8 bytes, and strings, null pointers among them */
    uint32_t ntexts; /* the format, then the strings */
    uint64_t text[1 + WG_PRINTF_VALUES];
    uint32_t length[1 + WG_PRINTF_VALUES]; /* without the zero at the end */
};

struct wg_call_cost {
    uint64_t loads, load_sectors; /* global: requests, and sectors in L1 */
    uint64_t stores, store_sectors;
    uint64_t atomics, atomic_sectors;
    uint64_t local_load_sectors, local_store_sectors;
    uint64_t instructions; /* of the machine, that the warp executes */
};

/* A warp's printf. `alone`: no other warp prints meanwhile. `lanes` is not 0. */
struct wg_call_cost wg_printf_cost(const struct wg_printf_lane lane[32], uint32_t lanes, bool alone);
/* A warp's malloc, or free of pointers that are not null, as long as no other warp does the same. Equal to the
 * hardware for up to 16 lanes that ask for at most 64 bytes each; more lanes retry, and sizes change how often. */
struct wg_call_cost wg_malloc_cost(uint32_t lanes);
struct wg_call_cost wg_free_cost(uint32_t lanes);
#endif
