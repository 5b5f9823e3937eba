/* Memory accesses of the reference: each one is checked, reported to a replay, and redirected to its
 * overlay. */
#ifndef WG_REF_ACCESS_H
#define WG_REF_ACCESS_H
#include "ref/lane.h"
#include "ref/overlay.h"
#include <string.h>

/* The process address of memory operand src[0] + offset: 0 after a fault (misaligned, outside its space, or
 * refused by a replay), and without one where a check refused it. `size`: bytes of the whole access. */
uint64_t wg_ref_address(struct ref_lane *l, const struct ref_ins *i, uint32_t size, enum wg_access_kind kind);
/* The same address, without any check. */
uint64_t wg_ref_raw_address(const struct ref_lane *l, const struct ref_ins *i);
/* wg_ref_address of source k > 0, whose operand includes its constant offset. */
uint64_t wg_ref_further_address(struct ref_lane *l, const struct ref_ins *i, uint32_t k, enum wg_space space,
                                uint32_t size, enum wg_access_kind kind);
/* Whether a lane may make an access at a process address: as above, without the alignment check. */
bool wg_ref_reaches(struct ref_lane *l, const struct ref_ins *i, uint64_t address, enum wg_space space,
                    uint32_t size, enum wg_access_kind kind);
/* async.c: how many bytes a lane's cp.async reads. */
uint32_t wg_ref_copied_bytes(const struct ref_lane *l, const struct ref_ins *i);
/* async.c: completes a copy of so many bytes on the mbarrier at process address `at`. False: it is not an
 * mbarrier. */
bool wg_ref_mbarrier_done(struct ref_lane *l, uint64_t at, uint32_t bytes);
/* Whether a generic address is in a space, as isspacep defines it. */
bool wg_ref_in_space(const struct ref_lane *l, uint64_t address, enum wg_space space, bool whole_cluster);

/* ---- unchecked reads and writes: host memory, or the replay's overlay ---- */

/* ThreadSanitizer does not instrument kernel memory: a faulting access would leave its locks held. */
#define REF_KERNEL_ACCESS __attribute__((no_sanitize("thread")))

/* Naturally aligned accesses of 1, 2, 4 and 8 bytes are single-copy atomic. */
#define REF_SINGLE(T, access)                                                                                \
    if (address % sizeof(T) == 0) {                                                                          \
        access;                                                                                              \
        return;                                                                                              \
    }                                                                                                        \
    break

REF_KERNEL_ACCESS static inline void wg_ref_peek(const struct ref_lane *l, uint64_t address, void *to,
                                                 uint32_t bytes) {
    const void *p = (const void *)(uintptr_t)address;
#define READ(T) REF_SINGLE(T, T v = __atomic_load_n((const T *)p, __ATOMIC_ACQUIRE); memcpy(to, &v, sizeof v))
    if (l->warp->replay && wg_replay_read(l->warp->replay, address, to, bytes)) return;
    switch (bytes) {
    case 1: READ(uint8_t);
    case 2: READ(uint16_t);
    case 4: READ(uint32_t);
    case 8: READ(uint64_t);
    default: break;
    }
#undef READ
    memcpy(to, p, bytes);
}

REF_KERNEL_ACCESS static inline void wg_ref_poke(const struct ref_lane *l, uint64_t address, const void *from,
                                                 uint32_t bytes) {
    void *p = (void *)(uintptr_t)address;
#define WRITE(T) REF_SINGLE(T, T v; memcpy(&v, from, sizeof v); __atomic_store_n((T *)p, v, __ATOMIC_RELEASE))
    if (l->warp->replay && wg_replay_write(l->warp->replay, address, from, bytes)) return;
    switch (bytes) {
    case 1: WRITE(uint8_t);
    case 2: WRITE(uint16_t);
    case 4: WRITE(uint32_t);
    case 8: WRITE(uint64_t);
    default: break;
    }
#undef WRITE
    memcpy(p, from, bytes);
}
#endif
