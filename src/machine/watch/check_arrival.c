/* Arrivals at mbarriers and the ends of their phases, reported to the race check as synchronisation. */
#include "base/lanes.h"
#include "check/race/race.h"
#include "machine/watch/check.h"
#include "machine/worker.h"
#include "warp/mbarrier.h"

static const struct wg_cta *cta_of(const struct wg_warp *w) { return w->machine; }

/* Each phase of an mbarrier is a place of its own among its 8 bytes: who sees one end knows what came to that
 * one, and to the two before it. */
static uint64_t in_phase(uint64_t bits, uint64_t place, uint32_t back) {
    return place + ((bits >> WG_MBARRIER_PHASE_AT) - back) % 4;
}

/* A kernel may name a place where there is no memory. */
static uint64_t bits_at(const struct wg_warp *w, uint64_t place) {
    uint64_t bits = 0;
    wg_trap_read(&bits, (uint64_t)w->block->cluster_shared + place, sizeof bits);
    return bits;
}

/* What an arrival leaves of an mbarrier. One that announces bytes ends no phase, nor does one of copies that
 * counts itself. */
static uint64_t left_by(const struct wg_ir_instr *in, uint64_t bits, const uint64_t *operand) {
    bool expects = in->mod[WG_MC_EXPECT] == WG_M_expect_tx;
    if (in->op == WG_OP_CP_ASYNC_ARRIVE && in->mod[WG_MC_NOINC] != WG_M_noinc) return bits;
    uint64_t count = operand && !expects ? (uint32_t)*operand : 1;
    if (count > (bits & WG_MBARRIER_MOST)) return bits;
    if (in->mod[WG_MC_AOP] == WG_M_arrive_drop) bits -= count << WG_MBARRIER_EXPECTED_AT;
    bits -= count;
    return expects && operand && (uint32_t)*operand ? bits : wg_mbarrier_ended_if_complete(bits);
}

/* Lanes of one instruction arrive one after another: a phase may end among them. */
void wg_check_race_arrival(const struct wg_warp *w, uint32_t lanes, const uint64_t *place,
                           const struct wg_ir_instr *in, const uint64_t *operand) {
    uint64_t at[WG_LANES], left[WG_LANES];
    WG_EACH_LANE(l, lanes) {
        uint32_t k = l;
        while (k-- && !(lanes >> k & 1 && place[k] == place[l])) {
        }
        uint64_t bits = k < l ? left[k] : bits_at(w, place[l]);
        at[l] = in_phase(bits, place[l], 0);
        left[l] = in ? left_by(in, bits, operand ? &operand[l] : NULL) : bits;
    }
    wg_race_mbarrier_arrive(cta_of(w)->race, w->id, lanes, at);
}

void wg_check_race_passage(const struct wg_warp *w, uint32_t lanes, const uint64_t *place) {
    uint64_t at[WG_LANES];
    for (uint32_t back = 1; back < 4; back++) {
        for (uint32_t m = lanes, l; m; m &= m - 1)
            l = (uint32_t)__builtin_ctz(m), at[l] = in_phase(bits_at(w, place[l]), place[l], back);
        wg_race_mbarrier_passed(cta_of(w)->race, w->id, lanes, at);
    }
}
