/* PTX registers in generated code, within and across basic blocks: see emit.h.
 *
 * Across basic blocks a register is kept in its slot: one value for a uniform register, base (and scale) for
 * an affine one, 32 lanes for a varying one. CONVERGED's slots are allocas, which LLVM promotes to SSA
 * values. GENERAL's are spill slots in the warp's frame: there any waiting block may follow any other, and
 * SSA would need a phi for every register in each of them. Within a block `cur` holds the last value computed
 * or loaded, so a register that is not live across blocks never goes to memory. Each version has its own
 * slots, in the form its facts give.
 */
#include "jit/emit/emit.h"

#include <string.h>

uint32_t wg_reg_bits(const struct wg_emit *e, uint32_t reg) {
    static const uint32_t bits[] = {
        [WG_W1] = 1, [WG_W16] = 16, [WG_W32] = 32, [WG_W64] = 64, [WG_W128] = 128};
    return bits[e->func->regs[reg].width];
}

LLVMValueRef wg_i32(struct wg_emit *e, uint32_t x) { return LLVMConstInt(e->i32, x, 0); }
LLVMValueRef wg_i64(struct wg_emit *e, uint64_t x) { return LLVMConstInt(e->i64, x, 0); }

void wg_set_lanes(struct wg_emit *e, unsigned lanes) { e->L.lanes = lanes; }

static bool is_vector(LLVMValueRef x) { return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind; }

static unsigned elem_bits(LLVMValueRef x) {
    LLVMTypeRef t = LLVMTypeOf(x);
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) t = LLVMGetElementType(t);
    return LLVMGetIntTypeWidth(t);
}

LLVMValueRef wg_emit_resize(struct wg_emit *e, LLVMValueRef x, uint32_t bits, bool is_signed) {
    unsigned have = elem_bits(x);
    if (have == bits) return x;
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, bits);
    if (is_vector(x)) t = LLVMVectorType(t, LLVMGetVectorSize(LLVMTypeOf(x)));
    if (have > bits) return LLVMBuildTrunc(e->L.b, x, t, "");
    return is_signed ? LLVMBuildSExt(e->L.b, x, t, "") : LLVMBuildZExt(e->L.b, x, t, "");
}

LLVMValueRef wg_emit_splat(struct wg_emit *e, LLVMBuilderRef b, LLVMValueRef s) {
    if (LLVMTypeOf(s) == e->i1) /* LLVM would go through a vector of words */
        return LLVMBuildBitCast(b, LLVMBuildSExt(b, s, e->i32, ""), LLVMVectorType(e->i1, WG_LANES), "");
    LLVMTypeRef vt = LLVMVectorType(LLVMTypeOf(s), WG_LANES);
    LLVMValueRef one = LLVMBuildInsertElement(b, LLVMGetPoison(vt), s, wg_i64(e, 0), "");
    return LLVMBuildShuffleVector(b, one, LLVMGetPoison(vt), LLVMConstNull(LLVMVectorType(e->i32, WG_LANES)),
                                  "");
}

LLVMValueRef wg_lane_consts(struct wg_emit *e, const int64_t *k, uint32_t bits) {
    LLVMValueRef c[WG_LANES];
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, bits);
    for (int l = 0; l < WG_LANES; l++) c[l] = LLVMConstInt(t, (uint64_t)k[l], 0);
    return LLVMConstVector(c, WG_LANES);
}

LLVMValueRef wg_value_vec_at(struct wg_emit *e, LLVMBuilderRef b, const struct wg_value *v) {
    if (v->vec) return v->vec;
    LLVMValueRef x = wg_emit_splat(e, b, v->base);
    uint32_t bits = elem_bits(v->base);
    if (v->kind == WG_AFFINE && v->k) x = LLVMBuildAdd(b, x, wg_lane_consts(e, v->k, bits), "");
    if (v->kind == WG_AFFINE && v->r) {
        LLVMValueRef scaled =
            LLVMBuildMul(b, wg_emit_splat(e, b, v->scale), wg_lane_consts(e, v->r, bits), "");
        x = LLVMBuildAdd(b, x, scaled, "");
    }
    return x;
}

LLVMValueRef wg_value_vec(struct wg_emit *e, struct wg_value *v) {
    if (!v->vec) v->vec = wg_value_vec_at(e, e->L.b, v);
    return v->vec;
}

static const struct wg_fact *fact_of(const struct wg_emit *e, enum wg_version v, uint32_t reg) {
    return &e->an->facts[v][reg];
}

static uint8_t kind_of(const struct wg_fact *f) { return f->kind == WG_UNKNOWN ? WG_VARYING : f->kind; }

static LLVMValueRef entry_alloca(struct wg_emit *e, LLVMTypeRef t, const char *name) {
    LLVMValueRef a = LLVMBuildAlloca(e->entry_b, t, name);
    LLVMBuildStore(e->whole ? e->block_b : e->warp_b, LLVMConstNull(t),
                   a); /* a register read before any write holds zero */
    return a;
}

LLVMValueRef wg_place_in_frame(struct wg_emit *e, LLVMBuilderRef b, uint32_t at) {
    if (!e->regs.frame)
        e->regs.frame =
            wg_load_field(e, e->warp_b, e->ptr, e->warp, offsetof(struct wg_warp, frame), true, "frame");
    return wg_field(e, b, e->regs.frame, at);
}

/* GENERAL: predicates are in the frame as words. Brief: LLVM would spill all addresses computed ahead of
 * their use; rematerialized at each use they cost nothing. */
static struct wg_slot *frame_slot(struct wg_emit *e, struct wg_slot *s, const struct wg_fact *f,
                                  uint32_t reg) {
    LLVMBuilderRef b = e->brief ? e->L.b : e->warp_b;
    LLVMValueRef at = wg_place_in_frame(e, b, e->regs.home[reg]);
    if (kind_of(f) == WG_VARYING) {
        s->vec = at;
    } else {
        s->base = at;
        if (f->r) s->scale = wg_place_in_frame(e, b, e->regs.home[reg] + 16);
    }
    return s;
}

static struct wg_slot *slot_of(struct wg_emit *e, enum wg_version v, uint32_t reg) {
    struct wg_slot *s = wg_is_of_first(e, reg) ? wg_slot_of_first(e, reg) : &e->regs.slot[v][reg];
    const struct wg_fact *f = fact_of(e, v, reg);
    bool framed = v == WG_GENERAL && e->regs.home[reg] != WG_NO_REG;
    if ((s->base || s->vec) && !(framed && e->brief)) return s;
    if (framed) return frame_slot(e, s, f, reg);
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, wg_reg_bits(e, reg));
    const char *name = e->func->regs[reg].name;
    if (kind_of(f) == WG_VARYING) {
        s->vec = entry_alloca(e, LLVMVectorType(t, WG_LANES), name);
    } else {
        s->base = entry_alloca(e, t, name);
        if (f->r) s->scale = entry_alloca(e, t, "scale");
    }
    return s;
}

/* CONVERGED: only GENERAL handles undefined values. */
static bool is_defined(const struct wg_emit *e, enum wg_version v, uint32_t reg) {
    return v == WG_CONVERGED && e->func->regs[reg].shadow;
}

static bool is_word(const struct wg_emit *e, enum wg_version v, uint32_t reg) {
    return v == WG_GENERAL && e->regs.home[reg] != WG_NO_REG && wg_reg_bits(e, reg) == 1;
}

struct wg_value wg_slot_load(struct wg_emit *e, LLVMBuilderRef b, enum wg_version v, uint32_t reg) {
    if (is_defined(e, v, reg)) {
        LLVMTypeRef ones = LLVMIntTypeInContext(e->L.ctx, wg_reg_bits(e, reg));
        return (struct wg_value){.kind = WG_UNIFORM, .base = LLVMConstAllOnes(ones)};
    }
    struct wg_slot *s = slot_of(e, v, reg);
    const struct wg_fact *f = fact_of(e, v, reg);
    struct wg_value x = {.kind = kind_of(f), .k = f->k, .r = f->r};
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, wg_reg_bits(e, reg));
    if (is_word(e, v, reg)) {
        LLVMValueRef w = LLVMBuildLoad2(b, e->i32, s->vec ? s->vec : s->base, "");
        if (s->vec)
            x.vec = LLVMBuildBitCast(b, w, LLVMVectorType(e->i1, WG_LANES), "");
        else
            x.base = LLVMBuildTrunc(b, w, e->i1, "");
        return x;
    }
    if (s->vec)
        x.vec = LLVMBuildLoad2(b, LLVMVectorType(t, WG_LANES), s->vec, "");
    else
        x.base = LLVMBuildLoad2(b, t, s->base, "");
    if (s->vec && v == WG_GENERAL) LLVMSetAlignment(x.vec, 64);
    if (s->scale) x.scale = LLVMBuildLoad2(b, t, s->scale, "");
    return x;
}

LLVMValueRef wg_slot_of_lane(struct wg_emit *e, uint32_t reg, LLVMValueRef lane) {
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, wg_reg_bits(e, reg));
    return LLVMBuildInBoundsGEP2(e->L.b, t, slot_of(e, e->v, reg)->vec, &lane, 1, "");
}

void wg_slot_store(struct wg_emit *e, LLVMBuilderRef b, enum wg_version v, uint32_t reg,
                   const struct wg_value *x) {
    if (is_defined(e, v, reg)) return;
    struct wg_slot *s = slot_of(e, v, reg);
    if (s->vec) {
        LLVMValueRef vec = wg_value_vec_at(e, b, x);
        if (is_word(e, v, reg)) vec = LLVMBuildBitCast(b, vec, e->i32, "");
        LLVMValueRef st = LLVMBuildStore(b, vec, s->vec);
        if (v == WG_GENERAL) LLVMSetAlignment(st, is_word(e, v, reg) ? 4 : 64);
        return;
    }
    LLVMValueRef base = x->base;
    if (!base) base = LLVMBuildExtractElement(b, x->vec, wg_i64(e, 0), "");
    if (is_word(e, v, reg)) base = LLVMBuildZExt(b, base, e->i32, "");
    LLVMBuildStore(b, base, s->base);
    if (s->scale) {
        LLVMValueRef scale = x->scale;
        if (!scale) scale = LLVMConstNull(LLVMTypeOf(base));
        LLVMBuildStore(b, scale, s->scale);
    }
}

void wg_value_begin_block(struct wg_emit *e) {
    memset(e->regs.have, 0, e->func->nregs);
    memset(e->regs.dirty, 0, e->func->nregs);
    e->masks.on = e->masks.bits = NULL;
    e->out.entered = NULL;
    e->check.refused = NULL;
    e->access.groups = NULL;
    e->access.lane_rows = NULL;
}

static void flush(struct wg_emit *e, const uint64_t *wanted) {
    WG_BITS_EACH(r, wanted, e->func->nregs) {
        if (!e->regs.dirty[r]) continue;
        wg_slot_store(e, e->L.b, e->v, r, &e->regs.cur[r]);
        e->regs.dirty[r] = false;
    }
}

void wg_value_flush(struct wg_emit *e, const uint64_t *alive) {
    flush(e, alive);
    if (e->whole) flush(e, e->an->phases->kept);
}

/* A warp that enters in the middle of a block brings the registers live there, and no others. */
bool wg_value_is_at_hand(const struct wg_emit *e, uint32_t reg) {
    if (e->regs.have[reg] || wg_value_of_first(e, reg)) return true;
    return wg_bits_has(e->out.entered ? e->out.entered : e->an->cfg.live_in[e->block], reg);
}

struct wg_value *wg_value_get(struct wg_emit *e, uint32_t reg) {
    if (!e->regs.have[reg]) {
        const struct wg_value *first = wg_value_of_first(e, reg);
        e->regs.cur[reg] = first ? *first : wg_slot_load(e, e->L.b, e->v, reg);
        e->regs.have[reg] = true;
    }
    return &e->regs.cur[reg];
}

struct wg_value wg_operand(struct wg_emit *e, const struct wg_ir_opd *o, uint32_t bits) {
    struct wg_value v = {.kind = WG_UNIFORM};
    if (o->kind == WG_O_IMM) {
        v.base = LLVMConstInt(LLVMIntTypeInContext(e->L.ctx, bits), o->imm, 0);
        return v;
    }
    if (o->kind == WG_O_SYM) return wg_symbol_address(e, o, bits);
    struct wg_value *reg = wg_value_get(e, o->index);
    if (!o->negated) return *reg;
    v.kind = reg->kind;
    if (reg->kind == WG_UNIFORM)
        v.base = LLVMBuildNot(e->L.b, reg->base, "");
    else
        v.vec = LLVMBuildNot(e->L.b, wg_value_vec(e, reg), "");
    return v;
}

/* Inactive lanes keep their value of a register that they still need. Facts made such a register VARYING;
 * only there a blend is needed. */
static bool others_want(const struct wg_emit *e, uint32_t reg) {
    if (e->v == WG_CONVERGED) return e->regs.blend && wg_bits_has(e->regs.blend, reg);
    const uint64_t *at = e->an->wanted_at[reg];
    return at && wg_bits_meet(e->an->frontier[e->block], at, e->func->nblocks);
}

void wg_value_set(struct wg_emit *e, uint32_t reg, struct wg_value v) {
    const struct wg_fact *f = fact_of(e, e->v, reg);
    uint8_t want = kind_of(f);
    if (is_defined(e, e->v, reg)) return;
    if (want == WG_VARYING && v.kind != WG_VARYING) {
        v.vec = wg_value_vec(e, &v);
        v.kind = WG_VARYING;
        v.k = v.r = NULL;
    }
    if (v.kind == WG_AFFINE || want == WG_AFFINE) v.k = f->k, v.r = f->r, v.kind = want;
    if (want == WG_VARYING && others_want(e, reg)) {
        struct wg_value *old = wg_value_get(e, reg);
        v.vec = LLVMBuildSelect(e->L.b, wg_mask_bits(e), v.vec, wg_value_vec(e, old), "");
        v.far = v.near = NULL;
        v.mapped = NULL;
    }
    e->regs.cur[reg] = v;
    e->regs.have[reg] = e->regs.dirty[reg] = true;
}

void wg_value_set_vec(struct wg_emit *e, uint32_t reg, LLVMValueRef vec) {
    wg_value_set(e, reg, (struct wg_value){.kind = WG_VARYING, .vec = vec});
}

void wg_value_set_scalar(struct wg_emit *e, uint32_t reg, LLVMValueRef s) {
    wg_value_set(e, reg, (struct wg_value){.kind = WG_UNIFORM, .base = s});
}
