/* Index analysis for the plan of an access, by the definitions of its operands: see access_plan.h.
 *
 *     x = min(max(blockIdx.x * blockDim.x + threadIdx.x + dx, 0), w - 1);   sum += in[y * w + x];
 *     for (k = t; k < 18 * 18; k += 256) tile[k / 18][k % 18] = in[(y + k / 18) * w + x + k % 18];
 *
 * A minimum, maximum or select of an index that grows with the lane is no longer an affine pattern, but it
 * changes nothing in any warp except at the border. A division leaves pieces of rows.
 *
 * Where such an index is a sum, only one term of it grows along a row of threads. Whether that term is a row of
 * indices decides whether the sum is, and it often is the same for several accesses and all warps of a block.
 */
#include "jit/access/access_plan.h"
#include "cfg/cfg.h"

enum { DEPTH = 12 };

static bool grows_with_lane(const struct wg_emit *e, const struct wg_ir_opd *o) {
    return o->kind == WG_O_REG && e->an->facts[e->v][o->index].kind == WG_AFFINE;
}

/* Whether the operand is a clamped index, or sums and products of one. */
static bool is_clamped(const struct wg_emit *e, const struct wg_ir_opd *o, unsigned depth) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? e->regs.def[o->index] : NULL;
    if (!in || depth > DEPTH || e->an->facts[e->v][o->index].kind != WG_VARYING) return false;
    bool any = false;
    switch (in->op) {
    case WG_OP_MIN_I:
    case WG_OP_MAX_I:
    case WG_OP_SELP:
        if (grows_with_lane(e, &in->src[0]) || grows_with_lane(e, &in->src[1])) return true;
        /* fall through */
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
    case WG_OP_SHL:
    case WG_OP_CVT:
    case WG_OP_CVTA_TO:
    case WG_OP_MOV:
        for (uint32_t i = 0; i < in->nsrc; i++) any |= is_clamped(e, &in->src[i], depth + 1);
        return any;
    default: return false;
    }
}

static bool of_thread(const struct wg_emit *e, const struct wg_ir_opd *o, unsigned depth, bool *parts);

/* An induction variable of a loop: only steps are added to it. */
static bool counts_on(const struct wg_emit *e, uint32_t reg, unsigned depth, bool *parts) {
    const struct wg_ir_func *f = e->func;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            bool here = false, adds = in->op == WG_OP_ADD_I || in->op == WG_OP_MOV || in->op == WG_OP_CVT;
            for (uint32_t d = 0; d < in->ndst; d++)
                here |= in->dst[d].kind == WG_O_REG && in->dst[d].index == reg;
            if (!here) continue;
            if (!adds || in->guard != WG_NO_REG || wg_type_kind(in->type) == WG_K_F) return false;
            for (uint32_t k = 0; k < in->nsrc; k++) {
                bool itself = in->src[k].kind == WG_O_REG && in->src[k].index == reg;
                if (!itself && !of_thread(e, &in->src[k], depth + 1, parts)) return false;
            }
        }
    return true;
}

/* Whether it is computed only from the thread's index and uniform values, without loads; *parts: through
 * an operation that leaves pieces of rows. */
static bool of_thread(const struct wg_emit *e, const struct wg_ir_opd *o, unsigned depth, bool *parts) {
    if (o->kind != WG_O_REG) return true;
    uint8_t kind = e->an->facts[e->v][o->index].kind;
    if (kind == WG_UNIFORM || kind == WG_AFFINE) return true;
    if (depth > DEPTH) return false;
    const struct wg_ir_instr *in = e->regs.def[o->index];
    if (!in) return counts_on(e, o->index, depth, parts);
    uint32_t n = in->nsrc;
    switch (in->op) {
    case WG_OP_MOV_SREG:
        *parts = true;
        return in->sreg == WG_SR_tid_x || in->sreg == WG_SR_tid_y || in->sreg == WG_SR_tid_z;
    case WG_OP_SELP: n = 2; /* fall through */
    case WG_OP_MIN_I:
    case WG_OP_MAX_I:
    case WG_OP_DIV_I:
    case WG_OP_REM_I: *parts = true; break;
    case WG_OP_MUL_I: *parts |= in->mod[WG_MC_MULW] == WG_M_hi; break;
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_MAD_I:
    case WG_OP_SHL:
    case WG_OP_SHR:
    case WG_OP_CVT:
    case WG_OP_CVTA_TO:
    case WG_OP_MOV: break;
    default: return false;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!of_thread(e, &in->src[i], depth + 1, parts)) return false;
    return in->guard == WG_NO_REG;
}

bool wg_index_is_clamped(const struct wg_emit *e, const struct wg_ir_opd *o) { return is_clamped(e, o, 0); }

bool wg_index_is_of_thread(const struct wg_emit *e, const struct wg_ir_opd *o) {
    bool parts = false;
    return of_thread(e, o, 0, &parts);
}

bool wg_index_is_divided(const struct wg_emit *e, const struct wg_ir_opd *o) {
    bool parts = false;
    return e->L.avx512 && of_thread(e, o, 0, &parts) && parts;
}

/* A register with one definition mostly is the same index each time; in a tile (tile.c) each access
 * computes its own. */
bool wg_shares_rows(const struct wg_emit *e, const struct wg_ir_instr *in) {
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    if (e->an->cfg.ndefs[in->src[0].index] != 1 || wg_in_tile(e, in)) return false;
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        const struct wg_ir_instr *other = &blk->instrs[i];
        bool same = other != in && other->op == WG_OP_LD && other->space == in->space;
        if (same && other->src[0].kind == WG_O_REG && other->src[0].index == in->src[0].index) return true;
    }
    return false;
}

/* ---- the term of an index that grows along a row ---- */

static bool is_of_block(const struct wg_ir_block *blk, const struct wg_ir_instr *in) {
    return in >= blk->instrs && in < blk->instrs + blk->ninstrs;
}

/* The one definition of a register whose value is still what `user`, an instruction of this block, read: it is
 * in this block, too, and precedes it. */
static const struct wg_ir_instr *def_before(const struct wg_emit *e, const struct wg_ir_opd *o,
                                            const struct wg_ir_instr *user) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? e->regs.def[o->index] : NULL;
    bool here = in && is_of_block(&e->func->blocks[e->block], in) && in < user;
    return here && in->guard == WG_NO_REG && in->ndst == 1 ? in : NULL;
}

/* The only definition of a register, where each lane has executed it once or, in this block, just before `user`. */
static const struct wg_ir_instr *settled_def(const struct wg_emit *e, const struct wg_ir_opd *o,
                                             const struct wg_ir_instr *user) {
    const struct wg_ir_instr *in = def_before(e, o, user);
    if (in || o->kind != WG_O_REG || !(in = e->regs.def[o->index])) return in;
    if (in->guard != WG_NO_REG || in->ndst != 1) return NULL;
    uint32_t b = 0;
    while (b < e->func->nblocks && !is_of_block(&e->func->blocks[b], in)) b++;
    bool once = b < e->func->nblocks && b != e->block && e->func->blocks[b].loop == WG_NO_REG;
    return once && wg_dominates(&e->an->cfg, b, e->block) ? in : NULL;
}

static bool repeats(const int64_t *k, uint32_t columns) {
    for (uint32_t l = 0; k && l < WG_LANES; l++)
        if (k[l] != k[l - l % columns]) return false;
    return true;
}

/* Whether the operand is the same in all lanes of a row of threads. */
static bool is_flat(const struct wg_emit *e, const struct wg_ir_opd *o, const struct wg_ir_instr *user,
                    uint32_t columns, unsigned depth) {
    if (o->kind == WG_O_IMM) return true;
    if (o->kind != WG_O_REG || depth > DEPTH) return false;
    const struct wg_fact *f = &e->an->facts[e->v][o->index];
    if (f->kind == WG_UNIFORM) return true;
    if (f->kind == WG_AFFINE) return repeats(f->k, columns) && repeats(f->r, columns);
    const struct wg_ir_instr *in = settled_def(e, o, user);
    if (!in) return false;
    switch (in->op) {
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
    case WG_OP_MIN_I:
    case WG_OP_MAX_I:
    case WG_OP_SHL:
    case WG_OP_SHR:
    case WG_OP_MOV: break;
    default: return false;
    }
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (!is_flat(e, &in->src[i], in, columns, depth + 1)) return false;
    return true;
}

/* The 32-bit index that `near` of the access's address is made of, with the instruction that widens it. */
static const struct wg_ir_opd *index_of(const struct wg_emit *e, const struct wg_ir_instr *access,
                                        const struct wg_ir_instr **widens) {
    const struct wg_ir_opd *o = &access->src[0];
    const struct wg_ir_instr *in = def_before(e, o, access);
    for (unsigned depth = 0; in && depth <= DEPTH; depth++, in = def_before(e, o, in)) {
        const struct wg_ir_opd *s = in->src;
        switch (in->op) {
        case WG_OP_ADD_I: {
            bool second = s[0].kind != WG_O_REG || e->an->facts[e->v][s[0].index].kind == WG_UNIFORM;
            if (wg_operand_fact(e->an, e->v, &s[!second]).kind != WG_UNIFORM) return NULL;
            o = &s[second];
            break;
        }
        case WG_OP_SHL:
        case WG_OP_MOV: o = &s[0]; break;
        case WG_OP_CVT:
        case WG_OP_MUL_I:
        case WG_OP_MAD_I: *widens = in; return &s[0];
        default: return NULL;
        }
    }
    return NULL;
}

static bool is_sum(const struct wg_ir_instr *in) {
    return (in->type == WG_T_U32 || in->type == WG_T_S32) && in->mod[WG_MC_SAT] == WG_M_none;
}

/* Whether the register is a 32-bit index that is at hand and still has the value that `user` read. */
static bool is_kept(const struct wg_emit *e, const struct wg_ir_opd *o, const struct wg_ir_instr *user,
                    const struct wg_ir_instr *access) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG && !o->negated ? e->regs.def[o->index] : NULL;
    if (!in || e->an->cfg.ndefs[o->index] != 1 || wg_reg_bits(e, o->index) != 32) return false;
    bool between = is_of_block(&e->func->blocks[e->block], in) && in >= user && in < access;
    return e->regs.have[o->index] && !between;
}

uint32_t wg_index_grows_by(const struct wg_emit *e, const struct wg_ir_instr *access, uint32_t columns) {
    const struct wg_ir_instr *user = NULL, *in;
    const struct wg_ir_opd *o = index_of(e, access, &user);
    bool term = false;
    for (unsigned depth = 0; o && depth <= DEPTH && (in = def_before(e, o, user)); depth++, user = in) {
        const struct wg_ir_opd *s = in->src, *next = NULL;
        if (!is_sum(in)) break;
        if (in->op == WG_OP_ADD_I)
            next = is_flat(e, &s[0], in, columns, 0)   ? &s[1]
                   : is_flat(e, &s[1], in, columns, 0) ? &s[0]
                                                       : NULL;
        if (in->op == WG_OP_MAD_I && in->mod[WG_MC_MULW] == WG_M_lo && is_flat(e, &s[0], in, columns, 0) &&
            is_flat(e, &s[1], in, columns, 0))
            next = &s[2];
        if (!next) break;
        o = next;
        term = true;
    }
    return term && is_kept(e, o, user, access) ? o->index : WG_NO_REG;
}
