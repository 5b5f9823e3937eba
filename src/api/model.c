/* The half of include/warpglass/warpglass.h that asks model/: it answers on any machine. */
#include "model/advice.h"
#include "model/banks.h"
#include "model/coalesce.h"
#include "warpglass/warpglass.h"

wg_sectors wg_ask_sectors(const uint64_t address[32], uint32_t active, uint32_t bytes) {
    struct wg_global_cost c = wg_coalesce(address, active, bytes);
    return (wg_sectors){c.sectors, c.ideal_sectors, c.lines};
}

wg_wavefronts wg_ask_wavefronts(wg_shared_access access, const uint32_t offset[32], uint32_t active,
                                uint32_t bytes) {
    static const enum wg_shared_kind kinds[] = {[WG_ACCESS_LOAD] = WG_SHARED_LOAD,
                                                [WG_ACCESS_STORE] = WG_SHARED_STORE,
                                                [WG_ACCESS_ATOMIC] = WG_SHARED_ATOMIC,
                                                [WG_ACCESS_INCREMENT] = WG_SHARED_INCREMENT};
    struct wg_shared_cost c = wg_banks(kinds[access], offset, active, bytes);
    return (wg_wavefronts){c.wavefronts, c.ideal};
}

bool wg_ask_occupancy(const char *arch, uint32_t threads, uint32_t registers, uint64_t shared,
                      wg_occupied *out) {
    const struct wg_chip *chip = arch ? wg_chip_find(arch) : NULL;
    *out = (wg_occupied){.limited_by = "", .next_shared = UINT64_MAX};
    if (!chip || threads == 0 || threads > WG_CHIP_BLOCK_THREADS) return false;
    struct wg_occupancy_kernel k = {.registers = registers, .shared = shared, .threads = threads};
    struct wg_occupancy o = wg_occupancy(chip->limits, &k);
    struct wg_occupancy_next n = wg_occupancy_next(chip->limits, &k);
    unsigned limits = wg_occupancy_limiters(&o);
    out->blocks = o.blocks;
    out->warps = o.warps;
    out->occupancy = (double)o.warps / chip->limits->warps_per_sm;
    out->limited_by = wg_occupancy_limit_names[__builtin_ctz(limits)];
    if (n.blocks && n.change == 1u << WG_LIMIT_REGISTERS) out->next_registers = n.registers;
    if (n.blocks && n.change == 1u << WG_LIMIT_SHARED) out->next_shared = n.shared;
    return true;
}
