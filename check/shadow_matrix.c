/* Matrix instructions: what they compute counts as defined, because lanes hold each other's elements and
 * tiles are often filled up with what nobody looks at. What they store is written. See shadow.h. */
#include "check/shadow_emit.h"

typedef struct wg_ir_opd opd;

static opd lane_number(struct wg_shadow *s) {
    opd lane = wg_sh_reg(wg_instrument_reg(s->x, WG_W32, "lane"));
    struct wg_ir_instr in = wg_instrument_like(s->at, WG_OP_MOV_SREG, WG_T_U32);
    in.id = 0;
    in.sreg = WG_SR_laneid;
    in.dst = &lane;
    in.ndst = 1;
    wg_instrument_put(s->x, in);
    return lane;
}

/* Lanes 0 to n - 1 write `bytes`, a multiple of 16, at [at + offset]. */
static void written(struct wg_shadow *s, opd lane, uint32_t n, opd at, uint32_t bytes) {
    opd src[3] = {at, wg_sh_all(), wg_sh_all()};
    struct wg_ir_instr st = wg_instrument_like(s->at, WG_OP_CHECK_ST, WG_T_B64);
    st.guard = wg_sh_compare(s, WG_M_lt, WG_T_U32, lane, wg_sh_imm(n)).index;
    st.space = s->at->space;
    st.check = WG_CHECK_STORE;
    st.nvec = 2;
    st.nsrc = 3;
    st.src = src;
    for (uint32_t done = 0; done < bytes; done += 16) {
        st.offset = s->at->offset + done;
        wg_instrument_put(s->x, st);
    }
}

/* Where the lane's row, or column, of the tile begins. */
static opd row_address(struct wg_shadow *s, opd lane, opd stride, uint32_t bytes) {
    opd base = s->at->src[0], step[2] = {stride, wg_sh_imm(bytes)}, sum[2];
    bool shared = s->at->space == WG_S_SHARED || s->at->space == WG_S_CLUSTER;
    uint32_t bits = base.kind == WG_O_REG ? wg_sh_reg_bits(s, base.index) : shared ? 32 : 64;
    struct wg_ir_instr mul = wg_instrument_like(s->at, WG_OP_MUL_I, WG_T_U32), wide = mul;
    const struct wg_ir_instr *outer = s->at;
    mul.mod[WG_MC_MULW] = WG_M_lo;
    wide.mod[WG_MC_MULW] = bits == 64 ? WG_M_wide : WG_M_lo;
    s->at = &mul;
    step[0] = wg_sh_same(s, WG_W32, 2, step);
    step[1] = lane;
    s->at = &wide;
    sum[1] = wg_sh_same(s, wg_sh_width(bits), 2, step);
    s->at = outer;
    sum[0] = base;
    return wg_sh_op(s, WG_OP_ADD_I, bits == 64 ? WG_T_U64 : WG_T_U32, wg_sh_width(bits), 2, sum);
}

static void tile(struct wg_shadow *s, const struct wg_ir_parts *p) {
    bool by_columns = s->at->mod[WG_MC_LAYOUT] == WG_M_col;
    uint32_t rows = by_columns ? p->shape.n : p->shape.m, each = by_columns ? p->shape.m : p->shape.n;
    uint32_t bytes = wg_type_bits(s->at->type) / 8;
    bool strided = s->at->nsrc > 2u + p->a;
    opd lane = lane_number(s), stride = strided ? s->at->src[1 + p->a] : wg_sh_imm(each);
    written(s, lane, rows, row_address(s, lane, stride, bytes), each * bytes);
}

bool wg_shadow_is_matrix(enum wg_op op) {
    switch (op) {
    case WG_OP_MMA:
    case WG_OP_WGMMA:
    case WG_OP_LDMATRIX:
    case WG_OP_STMATRIX:
    case WG_OP_MOVMATRIX:
    case WG_OP_WMMA_LOAD:
    case WG_OP_WMMA_STORE:
    case WG_OP_WMMA_F16:
    case WG_OP_WMMA: return true;
    default: return false;
    }
}

void wg_shadow_matrix(struct wg_shadow *s) {
    struct wg_ir_parts p;
    for (uint32_t k = 0; k < s->at->ndst; k++)
        if (s->at->dst[k].kind == WG_O_REG) wg_sh_set(s, s->at->dst[k].index, wg_sh_all());
    if (!wg_ir_matrix_parts(s->at, &p)) return;
    if (s->at->op == WG_OP_STMATRIX) written(s, lane_number(s), 8u * p.a, s->at->src[0], 16);
    if (s->at->op == WG_OP_WMMA_STORE) tile(s, &p);
}
