/* The runtime functions that generated code calls by name. One list: jit.c resolves symbols by it. H(name) */
#ifndef WG_JIT_HELPERS_H
#define WG_JIT_HELPERS_H
#include "warp/warp.h"

#define WG_JIT_HELPERS(H)                                                                                    \
    H(wg_jit_count)                                                                                          \
    H(wg_jit_count_async)                                                                                    \
    H(wg_jit_count_tile)                                                                                     \
    H(wg_jit_count_first)                                                                                    \
    H(wg_jit_count_group)                                                                                    \
    H(wg_jit_release)                                                                                        \
    H(wg_jit_wait_in_vain)                                                                                   \
    H(wg_jit_named_unlike)                                                                                   \
    H(wg_jit_next_waiting)                                                                                   \
    H(wg_jit_runs_lowest)                                                                                    \
    H(wg_jit_refused)                                                                                        \
    H(wg_jit_scatter_small)                                                                                  \
    H(wg_jit_atomic)                                                                                         \
    H(wg_jit_atomic_wide)                                                                                    \
    H(wg_jit_combine_miss)                                                                                   \
    H(wg_jit_combine_lanes)                                                                                  \
    H(wg_jit_publish)                                                                                        \
    H(wg_jit_multiply)                                                                                       \
    H(wg_jit_ldmatrix)                                                                                       \
    H(wg_jit_stmatrix)                                                                                       \
    H(wg_jit_movmatrix)                                                                                      \
    H(wg_jit_wmma_memory)                                                                                    \
    H(wg_jit_wgmma)                                                                                          \
    H(wg_jit_bulk)                                                                                           \
    H(wg_jit_mbarrier)                                                                                       \
    H(wg_jit_match_any)                                                                                      \
    H(wg_jit_match_all)                                                                                      \
    H(wg_jit_redux)                                                                                          \
    H(wg_jit_vprintf)                                                                                        \
    H(wg_jit_malloc)                                                                                         \
    H(wg_jit_free)                                                                                           \
    H(wg_jit_device_runtime)                                                                                 \
    H(wg_jit_launch_device)                                                                                  \
    H(wg_jit_assertfail)                                                                                     \
    H(wg_jit_bar_arrive)                                                                                     \
    H(wg_jit_cluster_arrive)                                                                                 \
    H(wg_jit_clock)                                                                                          \
    H(wg_jit_globaltimer)                                                                                    \
    H(wg_jit_check_access)                                                                                   \
    H(wg_jit_check_spread)                                                                                   \
    H(wg_jit_check_event)                                                                                    \
    H(wg_jit_check_defined)                                                                                  \
    H(wg_jit_check_undefined)                                                                                \
    H(wg_jit_mark_lines)                                                                                     \
    H(wg_jit_transpose8)                                                                                     \
    H(wg_jit_transpose16)                                                                                    \
    H(wg_jit_transpose32)                                                                                    \
    H(wg_jit_transpose64)                                                                                    \
    H(wg_jit_transpose8_avx2)                                                                                \
    H(wg_jit_transpose16_avx2)                                                                               \
    H(wg_jit_transpose32_avx2)                                                                               \
    H(wg_jit_transpose64_avx2)

/* An access of the instruction with number `id`, to what it names as `space`, is counted: its lanes'
 * addresses in the process. */
void wg_jit_count(struct wg_warp *w, const uint64_t *at, uint32_t mask, uint32_t id, uint32_t space);
/* A cp.async: its lanes' addresses in the process, those that read, whether past L1. */
void wg_jit_count_async(struct wg_warp *w, const uint64_t *from, const uint64_t *to, uint32_t mask,
                        uint32_t reads, uint32_t id, uint32_t bypass);
/* A load or store of a fragment: `code` has a struct wg_fragment, a byte for each of its fields. */
void wg_jit_count_tile(struct wg_warp *w, uint64_t at, uint32_t stride, uint32_t id, uint32_t space,
                       uint64_t code);
/* The first access that fell into a cell of the units; one that falls into another. which: the group's
 * number, and the version in the highest bit. See count.h. */
void wg_jit_count_first(struct wg_warp *w, uint32_t which, uint64_t base, uint64_t scale, uint32_t mask);
void wg_jit_count_group(struct wg_warp *w, uint32_t which, uint64_t base, uint64_t scale, uint32_t mask);
/* Lanes whose waits the machine has released go to the wait masks of their blocks. */
void wg_jit_release(struct wg_warp *w, uint8_t *frame, uint32_t *waits);
/* Deadlock: lanes wait for others of their warp, and no lane of the warp can continue. */
void wg_jit_wait_in_vain(struct wg_warp *w, uint32_t lanes, uint32_t site, uint32_t loc);
/* Of the lanes of `mask`, which are at one reconvergence point, those whose member mask names a lane with
 * another member mask. */
uint32_t wg_jit_named_unlike(const uint32_t *members, uint32_t mask);
/* The lowest block, not below `from`, at which lanes wait; n, the number of blocks: none. */
uint32_t wg_jit_next_waiting(const uint32_t *waits, uint32_t from, uint32_t n);
/* In builds with assertions, at the start of a block: no lane waits at a lower one. */
void wg_jit_runs_lowest(const uint32_t *waits, uint32_t block);
/* Of the lanes of `mask`, those that may not access so many bytes at their addresses. */
uint32_t wg_jit_refused(struct wg_warp *w, const uint64_t *at, uint32_t mask, uint32_t bytes);
void wg_jit_scatter_small(const uint64_t *at, const uint64_t *x, uint32_t mask, uint32_t bytes);
/* code: type | operation << 8 | what holds of these; old values go to `out`. */
enum {
    WG_ATOMIC_SHARED = 1 << 16,  /* memory of the cluster, which this thread alone runs */
    WG_ATOMIC_GENERIC = 1 << 17, /* each lane's address says whether it is */
    WG_ATOMIC_UNREAD = 1 << 18,  /* the old values are dead */
    WG_ATOMIC_KEEPS = 1 << 19,   /* a copy that adds: f32's additions flush nothing */
};
void wg_jit_atomic(const struct wg_warp *w, const uint64_t *at, const uint64_t *b, const uint64_t *c,
                   uint64_t *out, uint32_t mask, uint32_t code);
/* Of 128 bits: exchange, or (`swaps`) compare and swap. `b`, `c` and `out` are arrays of lower halves, then
 * of upper.
 */
void wg_jit_atomic_wide(const uint64_t *at, const uint64_t (*b)[WG_LANES], const uint64_t (*c)[WG_LANES],
                        uint64_t (*out)[WG_LANES], uint32_t mask, uint32_t swaps);
/* transpose.c for AVX-512, transpose_avx2.c: transposes `rows` rows of `columns` elements of so many bits, no more than
 * 16 of each, `step` bytes apart, into `columns` rows, `pitch` bytes apart. Prefetches what is so far from
 * them, where that is not 0; `past` the caches: non-temporal stores of whole lines. */
#define WG_TRANSPOSE_(way)                                                                                   \
    void wg_jit_transpose##way(const uint8_t *from, int64_t step, uint32_t rows, uint8_t *to, int64_t pitch, \
                               uint32_t columns, int64_t far_from, int64_t far_to, uint32_t past);
WG_TRANSPOSE_(8)
WG_TRANSPOSE_(16)
WG_TRANSPOSE_(32)
WG_TRANSPOSE_(64)
WG_TRANSPOSE_(8_avx2)
WG_TRANSPOSE_(16_avx2)
WG_TRANSPOSE_(32_avx2)
WG_TRANSPOSE_(64_avx2)
#undef WG_TRANSPOSE_
/* matrix_work.c: what matrix.c emits calls of. `area`: operands and results; `at`: addresses of rows. */
void wg_jit_multiply(uint8_t *area, uint32_t mask, uint64_t code);
void wg_jit_ldmatrix(const uint64_t *at, uint8_t *area, uint32_t mask, uint32_t matrices,
                     uint32_t transposes);
void wg_jit_stmatrix(const uint64_t *at, const uint8_t *area, uint32_t mask, uint32_t matrices,
                     uint32_t transposes);
void wg_jit_movmatrix(uint8_t *area, uint32_t mask);
/* Not 0: the kernel may not touch the tile. */
uint32_t wg_jit_wmma_memory(struct wg_warp *w, uint64_t at, uint8_t *area, uint32_t mask, uint32_t stride,
                            uint64_t code, uint32_t id);
/* wgmma_work.c: sixteen rows of a product. `area`: a (four words, or a descriptor), b's descriptor, whether d
 * is added to, d; the result goes where d was. 0: a descriptor is none. */
uint32_t wg_jit_wgmma(struct wg_warp *w, uint8_t *area, uint32_t mask, uint64_t code, uint32_t id);
/* bulk_work.c: the copies of the lanes; `area` has a slot of 32 words of 8 bytes for each source. Gives 1 +
 * the first lane whose copy cannot be, or 0; WG_LANES more where it is for an address that the kernel may not
 * touch, which then is the first word of `area`. */
uint32_t wg_jit_bulk(struct wg_warp *w, uint8_t *area, uint32_t mask, uint64_t code, uint32_t id);
/* mbarrier.c: a copy of so many bytes is done; false: there is no such mbarrier. */
bool wg_jit_mbarrier_done(uint64_t at, uint32_t bytes);
/* mbarrier.c: `code` is op | operation << 16 | expects << 24 | noinc << 25; operands replaced by results.
 * Gives 1 + the first lane that misuses its barrier, or 0. */
uint32_t wg_jit_mbarrier(const struct wg_warp *w, const uint64_t *at, uint64_t *x, uint32_t mask,
                         uint32_t code);
/* combine.c: struct wg_services' combine_miss, of two places or of those of lanes; what is pending is wanted
 * now. */
uint32_t wg_jit_combine_miss(struct wg_warp *w, uint32_t which, uint64_t low, uint64_t high,
                             uint32_t element);
uint32_t wg_jit_combine_lanes(struct wg_warp *w, uint32_t which, const uint64_t *at, uint32_t mask,
                              uint32_t element);
void wg_jit_publish(struct wg_warp *w, uint32_t touched);
/* values, member masks, results, lanes; give the predicate's lanes (match.all). */
uint32_t wg_jit_match_any(const uint64_t *x, const uint64_t *members, uint64_t *out, uint32_t mask,
                          uint32_t bits);
uint32_t wg_jit_match_all(const uint64_t *x, const uint64_t *members, uint64_t *out, uint32_t mask,
                          uint32_t bits);
uint32_t wg_jit_redux(const uint64_t *x, const uint64_t *members, uint64_t *out, uint32_t mask,
                      uint32_t code);
/* a..d: arrays of the lanes' arguments; results replace a's. */
void wg_jit_vprintf(struct wg_warp *w, uint32_t id, uint32_t lanes, uint64_t *a, uint64_t *b, uint64_t *c,
                    uint64_t *d);
void wg_jit_malloc(struct wg_warp *w, uint32_t id, uint32_t lanes, uint64_t *a, uint64_t *b, uint64_t *c,
                   uint64_t *d);
void wg_jit_free(struct wg_warp *w, uint32_t id, uint32_t lanes, uint64_t *a, uint64_t *b, uint64_t *c,
                 uint64_t *d);
void wg_jit_device_runtime(struct wg_warp *w, uint32_t id, uint32_t lanes, uint64_t *a, uint64_t *b,
                           uint64_t *c, uint64_t *d);
void wg_jit_launch_device(struct wg_warp *w, uint32_t id, uint32_t lanes, uint64_t *a, uint64_t *b,
                          uint64_t *c, uint64_t *d);
void wg_jit_assertfail(struct wg_warp *w, uint32_t id, uint32_t lanes, uint64_t *a, uint64_t *b, uint64_t *c,
                       uint64_t *d);
void wg_jit_bar_arrive(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t threads);
void wg_jit_cluster_arrive(struct wg_warp *w, uint32_t lanes);
uint64_t wg_jit_clock(struct wg_warp *w);
uint64_t wg_jit_globaltimer(struct wg_warp *w);
/* check.c. which: the instruction's id, in the highest bit whether CONVERGED asks, in the one below whether
 * all lanes are known to be right. */
uint32_t wg_jit_check_access(struct wg_warp *w, uint32_t which, uint32_t lanes, const uint64_t *address,
                             const uint64_t *value, uint64_t variable);
/* The same of lanes that follow from one address. which: lanes, and above them whether all are right. */
uint32_t wg_jit_check_spread(struct wg_warp *w, uint64_t which, const struct wg_check_spread *spread,
                             uint64_t base, uint64_t scale, const uint64_t *value);
void wg_jit_check_event(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t event, const uint64_t *a,
                        const uint64_t *b);
void wg_jit_check_defined(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t decides);
void wg_jit_check_undefined(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t access,
                            const uint64_t *address);
void wg_jit_mark_lines(struct wg_warp *w, uint64_t at, uint64_t bytes);
#endif
