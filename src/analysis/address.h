/* An address as one register or symbol plus a constant.
 *
 *     add.s64 %rd5, %rd4, 16;  ld.global.u32 %r1, [%rd5+4];      %rd4, 20
 *     ld.shared.u32 %r2, [tile+8];                               the window of shared memory, tile's offset + 8
 */
#ifndef WG_ANALYSIS_ADDRESS_H
#define WG_ANALYSIS_ADDRESS_H
#include "cfg/cfg.h"

struct wg_address {
    /* A register; or nregs + a symbol; or nregs + nsyms: the window, so that variables are at distances. */
    uint32_t root;
    int64_t offset;
    const struct wg_ir_instr *reader; /* the sum that reads the root; NULL: whoever has the address */
};

/* Of what is `offset` bytes from `o`, through sums of registers that are written once (`definitions`). `fixed`: only as
 * far as the sum's register is written once, too; otherwise the root may have been written since. */
struct wg_address wg_address_of(const struct wg_ir_module *m, const struct wg_cfg *definitions,
                                const struct wg_ir_opd *o, int64_t offset, bool fixed);
#endif
