/* Loads of 16 bits that ptxas makes loads into 32: what reads the value takes its bits with zeros or copies of the
 * sign above them, which is what LDS.U16 and LDS.S16 load. Such loads are not joined with their neighbours (joins.h).
 *
 *     ld.shared.u16 %rs1, [%r9];       cvt.u32.u16 %r1, %rs1;          LDS.U16: stays
 *     ld.shared.u16 %rs2, [%r9+2];     cvt.s32.s16 %r2, %rs2;          the sign of what was loaded without: may be joined
 *     ld.shared.u16 %rs3, [%r9+4];     mov.b32 %r3, {%rs3, %rs4};      may be joined
 */
#ifndef WG_ANALYSIS_EXTENDED_H
#define WG_ANALYSIS_EXTENDED_H
#include "cfg/cfg.h"

struct wg_extended {
    wg_bits as[2]; /* registers of 16 bits that something reads so: without the sign, with it */
};
struct wg_extended wg_extended_find(struct wg_arena *a, const struct wg_ir_func *f);
bool wg_load_extends(const struct wg_extended *x, const struct wg_ir_func *f, const struct wg_ir_instr *load);
#endif
