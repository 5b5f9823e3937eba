/* Lowering of bitwise logic: and, or, xor, not, cnot, lop3.
 *
 * lop3's table is any function of three bits. It is taken apart at one of them: f = a ? f1 : f0 with f0, f1
 * functions of the other two, which is f0 ^ (a & (f0 ^ f1)) or something shorter; the variable that needs the
 * fewest operations is chosen. AVX-512 has an instruction for all of them, which vectors use when one
 * operation is not enough.
 *
 *     0x96  a ^ b ^ c      0xe8  majority      0xca  a ? b : c  ->  c ^ (a & (b ^ c))
 */
#include "jit/lower/lower_rows.h"

bool wg_row_logic(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    V x = wg_take(b, src[0], bits);
    if (in->op == WG_OP_NOT) {
        dst[0] = v_not(b, x);
        return true;
    }
    V y = wg_take(b, src[1], bits);
    dst[0] = in->op == WG_OP_AND ? v_and(b, x, y) : in->op == WG_OP_OR ? v_or(b, x, y) : v_xor(b, x, y);
    return true;
}

bool wg_row_cnot(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    dst[0] = v_zext(b, v_eq(b, wg_take(b, src[0], bits), v_k(b, bits, 0)), bits);
    return true;
}

/* ---- Functions of two bits: bit (2x + y) of the table is the value ---- */

static const uint8_t cost2[16] = {0, 2, 2, 1, 2, 1, 1, 2, 1, 2, 0, 2, 0, 2, 1, 0};

static V function2(struct wg_lower *b, unsigned table, V x, V y) {
    switch (table) {
    case 0x0: return v_k(b, 32, 0);
    case 0x1: return v_not(b, v_or(b, x, y));
    case 0x2: return v_and(b, v_not(b, x), y);
    case 0x3: return v_not(b, x);
    case 0x4: return v_and(b, x, v_not(b, y));
    case 0x5: return v_not(b, y);
    case 0x6: return v_xor(b, x, y);
    case 0x7: return v_not(b, v_and(b, x, y));
    case 0x8: return v_and(b, x, y);
    case 0x9: return v_not(b, v_xor(b, x, y));
    case 0xa: return y;
    case 0xb: return v_or(b, v_not(b, x), y);
    case 0xc: return x;
    case 0xd: return v_or(b, x, v_not(b, y));
    case 0xe: return v_or(b, x, y);
    default: return v_k(b, 32, UINT32_MAX);
    }
}

/* ---- Functions of three: p ? f1 : f0 ---- */

/* The table seen with variable `at` (0: a, 1: b, 2: c) in front: high half f1, low half f0 of the other two.
 */
static unsigned turned(unsigned table, unsigned at) {
    unsigned r = 0;
    for (unsigned i = 0; i < 8; i++) {
        unsigned p = (i >> 2) & 1, x = (i >> 1) & 1, y = i & 1;
        unsigned from = at == 0 ? 4 * p + 2 * x + y : at == 1 ? 4 * x + 2 * p + y : 4 * x + 2 * y + p;
        r |= ((table >> from) & 1) << i;
    }
    return r;
}

static unsigned cost3(unsigned table) {
    unsigned f0 = table & 15, f1 = table >> 4, g = f0 ^ f1;
    if (g == 0) return cost2[f0];
    if (g == 15) return cost2[f0] + 1;
    if (f0 == 0) return cost2[f1] + 1;
    if (f1 == 15) return cost2[f0] + 1;
    if (f1 == 0) return cost2[f0] + 2;
    if (f0 == 15) return cost2[f1] + 2;
    return cost2[f0] + cost2[g] + 2;
}

static V function3(struct wg_lower *b, unsigned table, V p, V x, V y) {
    unsigned f0 = table & 15, f1 = table >> 4, g = f0 ^ f1;
    if (g == 0) return function2(b, f0, x, y);
    if (g == 15) return v_xor(b, p, function2(b, f0, x, y));
    if (f0 == 0) return v_and(b, p, function2(b, f1, x, y));
    if (f1 == 15) return v_or(b, p, function2(b, f0, x, y));
    if (f1 == 0) return v_and(b, v_not(b, p), function2(b, f0, x, y));
    if (f0 == 15) return v_or(b, v_not(b, p), function2(b, f1, x, y));
    return v_xor(b, function2(b, f0, x, y), v_and(b, p, function2(b, g, x, y)));
}

static V ternlog(struct wg_lower *b, unsigned table, V *v) {
    V parts[8], args[4];
    unsigned n = b->lanes / 16;
    args[3] = LLVMConstInt(LLVMInt32TypeInContext(b->ctx), table, 0);
    for (unsigned p = 0; p < n; p++) {
        for (int i = 0; i < 3; i++) args[i] = wg_lanes_of(b, v[i], p * 16, 16);
        parts[p] = wg_lower_intrinsic(b, "llvm.x86.avx512.pternlog.d.512", NULL, 0, args, 4);
    }
    return wg_lanes_join(b, parts, n, b->lanes);
}

bool wg_row_lop3(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    V v[3];
    for (int i = 0; i < 3; i++) v[i] = wg_take(b, src[i], 32);
    unsigned table = in->src[3].imm & 255, at = 0;
    for (unsigned i = 1; i < 3; i++)
        if (cost3(turned(table, i)) < cost3(turned(table, at))) at = i;
    if (b->avx512 && b->lanes >= 16 && cost3(turned(table, at)) > 1)
        dst[0] = ternlog(b, table, v);
    else
        dst[0] = function3(b, turned(table, at), v[at], v[at == 0 ? 1 : 0], v[at == 2 ? 1 : 2]);
    if (in->op != WG_OP_LOP3_P) return true;
    V any = v_icmp(b, LLVMIntNE, dst[0], v_k(b, 32, 0));
    dst[1] = in->mod[WG_MC_BOOL] == WG_M_and  ? v_and(b, any, src[4])
             : in->mod[WG_MC_BOOL] == WG_M_or ? v_or(b, any, src[4])
                                              : v_xor(b, any, src[4]);
    return true;
}
