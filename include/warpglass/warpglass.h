/* The Warpglass API for C and C++: read the memory counters of kernels in your own tests, and query the
 * model.
 *
 *     wg_counting *counting = wg_count_start();
 *     transpose<<<grid, block>>>(in, out);
 *     wg_count_stop(counting);
 *     uint64_t conflicts;
 *     if (wg_count_kernel(counting, "transpose", "shared_conflicts", &conflicts) == WG_COUNTED)
 *         assert(conflicts == 0);
 *     wg_count_free(counting);
 *
 * Link libwarpglass.a (pkg-config warpglass, or find_package(warpglass) and warpglass::warpglass). The
 * program runs unchanged on a real GPU: there the counting functions return WG_NOT_WARPGLASS and count
 * nothing, which need not fail your test. The functions that query the model (the second half) work
 * on any machine.
 */
#ifndef WARPGLASS_WARPGLASS_H
#define WARPGLASS_WARPGLASS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Counting
 * ------------------------------------------------------------------------------------------------- */

/* Whether CUDA in this process is Warpglass. */
bool wg_is_here(void);

typedef enum wg_answer {
    WG_COUNTED,
    WG_NOT_WARPGLASS, /* a real GPU, or no CUDA at all: nothing is counted */
    WG_NO_KERNEL,     /* no kernel of this name was launched while it counted */
    WG_NO_COUNTER,    /* there is no counter of this name */
    WG_NO_LINE,       /* the kernel did nothing on this line, or was compiled without line numbers */
    WG_WRONG_CALL     /* a pointer that must not be NULL is */
} wg_answer;
/* "there is no counter of this name" */
const char *wg_answer_text(wg_answer __answer);

typedef struct wg_counting wg_counting;
/* Waits for earlier launches, and starts counting. NULL when CUDA is not Warpglass: the functions below
 * accept NULL, and return WG_NOT_WARPGLASS. Several may count at once. */
wg_counting *wg_count_start(void);
/* Waits for earlier launches, and stops counting. The counters can be read before and after. */
void wg_count_stop(wg_counting *__counting);
void wg_count_free(wg_counting *__counting);

/* A counter of a kernel, over its launches. `kernel`: its name, with or without template arguments and
 * parameters
 * ("transpose", "transpose<1>(int*, int*)"); NULL: all kernels. `counter`: as "warpglass profile --counters"
 * lists them, if it is a whole number: "global_load_sectors", "shared_conflicts", "instructions". */
wg_answer wg_count_kernel(const wg_counting *__counting, const char *__kern, const char *__counter,
                          uint64_t *__value);
/* The same of one line of source; `file` with or without folders. 0 where the line did nothing of this kind.
 */
wg_answer wg_count_line(const wg_counting *__counting, const char *__kern, const char *__file,
                        unsigned __line, const char *__counter, uint64_t *__value);
/* The number of launches of a kernel; 0 when CUDA is not Warpglass. */
uint64_t wg_count_launches(const wg_counting *__counting, const char *__kern);
/* The name of the kernel that was launched as number `index`, from 0; NULL: there are no more. */
const char *wg_count_name(const wg_counting *__counting, unsigned __index);

/* ---- The model
 * ------------------------------------------------------------------------------------------------ */

/* One access of a warp to global memory: lane l, if its bit in `active` is set, touches `bytes` (1, 2, 4, 8
 * or 16) at address[l]. */
typedef struct wg_sectors {
    uint32_t sectors; /* of 32 bytes that are moved */
    uint32_t ideal;   /* the fewest that hold these bytes */
    uint32_t lines;   /* of 128 bytes */
} wg_sectors;
wg_sectors wg_ask_sectors(const uint64_t __address[32], uint32_t __active, uint32_t __bytes);

/* One access of a warp to shared memory, at offset[l] from its start. */
typedef enum wg_shared_access {
    WG_ACCESS_LOAD,
    WG_ACCESS_STORE,
    WG_ACCESS_ATOMIC,   /* with a result, or a reduction other than adding 1 */
    WG_ACCESS_INCREMENT /* atomicAdd(p, 1) whose result nobody reads */
} wg_shared_access;
typedef struct wg_wavefronts {
    uint32_t wavefronts; /* passes that it takes; the difference is bank conflicts */
    uint32_t ideal;
} wg_wavefronts;
wg_wavefronts wg_ask_wavefronts(wg_shared_access __access, const uint32_t __offset[32], uint32_t __active,
                                uint32_t __bytes);

/* How many blocks of a kernel an SM holds. */
typedef struct wg_occupied {
    uint32_t blocks, warps; /* an SM; 0: the kernel cannot be launched so */
    double occupancy;       /* 0 to 1 */
    const char *limited_by; /* "registers", "shared memory", "warps", "blocks" */
    /* a thread, at most, for one more block; 0: no number of registers does that alone */
    uint32_t next_registers;
    uint64_t next_shared; /* bytes a block, at most, for one more; UINT64_MAX: no number does that alone */
} wg_occupied;
/* `arch`: "sm_90", or a chip's name, "H200". `shared`: bytes a block, static and dynamic. False when there is
 * no such arch or no such block. */
bool wg_ask_occupancy(const char *__arch, uint32_t __threads, uint32_t __registers, uint64_t __shared,
                      wg_occupied *__out);

#ifdef __cplusplus
}
#endif
#endif
