/* The layout of an mbarrier's 8 bytes, shared by generated code, the reference and the machine. They are
 * opaque to programs.
 *
 *     bits  0..19  pending    arrivals that the phase still waits for
 *     bits 20..39  expected   arrivals that the next phase will wait for
 *     bits 40..60  tx         bytes that the phase still waits for; signed: copies may complete before they
 *                            are announced
 *     bits 61..62  phase      counts modulo 4; its lowest bit is the parity that programs wait for
 *     bit  63      valid      set by mbarrier.init; where code is checked, mbarrier.inval clears all bits
 *
 * On an H200 mbarrier.inval leaves the bytes as they are: waits still test the phase, and arrivals count
 * (docs/results/h200-mbarriers.txt). Programs that end an mbarrier while threads still wait rely on it, so
 * only checked code treats a later use as a fault. A phase completes when pending and tx are both zero. A
 * thread's state token is the 8 bytes before its arrival.
 */
#ifndef WG_WARP_MBARRIER_H
#define WG_WARP_MBARRIER_H
#include <stdint.h>

enum {
    WG_MBARRIER_COUNT_BITS = 20,
    WG_MBARRIER_EXPECTED_AT = 20,
    WG_MBARRIER_TX_AT = 40,
    WG_MBARRIER_TX_BITS = 21,
    WG_MBARRIER_PHASE_AT = 61,
    WG_MBARRIER_VALID_AT = 63,
    WG_MBARRIER_MOST = (1 << 20) - 1, /* of counts, and of tx's magnitude */
};

/* The 8 bytes; if the phase is complete, those of the next phase. */
static inline uint64_t wg_mbarrier_ended_if_complete(uint64_t b) {
    uint64_t count = WG_MBARRIER_MOST, phase = UINT64_C(3) << WG_MBARRIER_PHASE_AT;
    uint64_t tx = ((UINT64_C(1) << WG_MBARRIER_TX_BITS) - 1) << WG_MBARRIER_TX_AT;
    if (b & (count | tx)) return b;
    uint64_t next = (b + (UINT64_C(1) << WG_MBARRIER_PHASE_AT)) & phase;
    return (b & ~phase) | next | (b >> WG_MBARRIER_EXPECTED_AT & count);
}
#endif
