/* Loads and stores of one warp: the entry point for all accesses. At a uniform address it is one scalar
 * access; at others the plan selects the form (access_plan.h).
 *
 * Alignment: the GPU faults on a misaligned address, x86 does not, so it is tested unless facts prove it.
 * Most addresses are a root pointer plus multiples of the access size: then the root alone is tested, once on
 * any path.
 */
#include "jit/access/access_plan.h"
#include "jit/access/row_lines.h"
#include "jit/emit/count.h"
#include "jit/emit/emit.h"

#include <string.h>

static uint8_t log2_of(uint32_t x) { return (uint8_t)__builtin_ctz(x); }

static bool is_shared(const struct wg_ir_instr *in) {
    return in->space == WG_S_SHARED || in->space == WG_S_CLUSTER;
}

/* A constant too large to be an offset in a shared window, or the distance to its shadow. */
static bool is_far(int64_t offset) {
    return offset == (int32_t)offset && (offset <= -WG_SHARED_STRIDE || offset >= WG_SHARED_STRIDE);
}

/* Shared offsets are 32 bits: base address + sign-extended offset is exact for every offset inside a
 * window. A large constant is added to those 32 bits: more bits than these could reach other blocks'
 * memory. */
static struct wg_value shared_address(struct wg_emit *e, const struct wg_ir_opd *o, struct wg_value a,
                                      int64_t offset) {
    struct wg_value v = {.kind = a.kind, .k = a.k, .r = a.r};
    bool fits = wg_operand_fact(e->an, e->v, o).max <= INT32_MAX;
    if (is_far(offset)) {
        LLVMValueRef *x = a.kind == WG_VARYING ? &a.vec : &a.base, more = wg_i32(e, (uint32_t)offset);
        if (a.kind == WG_VARYING) more = wg_emit_splat(e, e->L.b, more);
        *x = LLVMBuildAdd(e->L.b, wg_emit_resize(e, *x, 32, false), more, "");
        offset = 0;
        fits = false;
    }
    if (a.kind == WG_VARYING) {
        v.far = LLVMBuildAdd(e->L.b, wg_shared_base(e), wg_i64(e, (uint64_t)offset), "");
        v.near = wg_emit_resize(e, a.vec, 32, false);
        v.step = 1;
        return v;
    }
    /* Adds the constant last: it then folds into the access. Else LLVM hoists the sum out of the loop
     * over warps and spills it. */
    LLVMValueRef at = fits ? a.base : wg_emit_resize(e, a.base, 32, false);
    at = LLVMBuildAdd(e->L.b, wg_shared_base(e), wg_emit_resize(e, at, 64, true), "");
    v.base = LLVMBuildAdd(e->L.b, at, wg_i64(e, (uint64_t)offset), "");
    if (a.scale) v.scale = wg_emit_resize(e, wg_emit_resize(e, a.scale, 32, false), 64, true);
    return v;
}

static struct wg_value far_address(struct wg_emit *e, struct wg_value a, int64_t offset) {
    struct wg_value v = {.kind = a.kind, .k = a.k, .r = a.r};
    LLVMValueRef off = wg_i64(e, (uint64_t)offset);
    if (a.kind != WG_VARYING) {
        v.base = wg_emit_resize(e, a.base, 64, false);
        if (offset) v.base = LLVMBuildAdd(e->L.b, v.base, off, "");
        if (a.scale) v.scale = wg_emit_resize(e, a.scale, 64, true);
    }
    if (a.near) {
        v.far = offset ? LLVMBuildAdd(e->L.b, a.far, off, "") : a.far;
        v.near = a.near;
        v.step = a.step;
    }
    if (a.mapped) {
        struct wg_mapped *m = WG_NEW(&e->an->arena, struct wg_mapped);
        *m = *a.mapped;
        m->far = LLVMBuildAdd(e->L.b, m->far, off, "");
        v.mapped = m;
    }
    if (a.kind != WG_VARYING) return v;
    v.vec = wg_emit_resize(e, a.vec, 64, false);
    if (offset) v.vec = LLVMBuildAdd(e->L.b, v.vec, wg_emit_splat(e, e->L.b, off), "");
    return v;
}

/* ---- checks ---- */

/* Fault where a lane of `bad` (<32 x i1>) is active in `mask`. */
static void fault_lanes(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, LLVMValueRef bad,
                        LLVMValueRef mask, enum wg_fault_kind kind) {
    LLVMValueRef hit = LLVMBuildAnd(e->L.b, wg_emit_mask(e, bad), mask, "");
    struct wg_value lanes = *a;
    if (a->kind != WG_VARYING) lanes = (struct wg_value){.kind = WG_VARYING, .vec = wg_lane_addresses(e, a)};
    wg_fault_lanes_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, hit, wg_i32(e, 0), ""), kind, in, &lanes, hit);
}

/* Fault where `bad` holds, for all active lanes. */
static void fault_all(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef bad, struct wg_value *a,
                      LLVMValueRef mask) {
    if (in->guard != WG_NO_REG)
        bad = LLVMBuildAnd(e->L.b, bad, LLVMBuildICmp(e->L.b, LLVMIntNE, mask, wg_i32(e, 0), ""), "");
    wg_fault_lanes_if(e, bad, WG_FAULT_MISALIGNED, in, a, mask);
}

static bool already_checked(struct wg_emit *e, uint32_t root, uint32_t align) {
    for (uint32_t i = 0; i < e->access.checked.n; i++) {
        const struct wg_checked *c = &e->access.checked.v[i];
        if (c->root == root && c->align >= align && c->version == e->v && c->side == wg_side_of(e, root) &&
            wg_dominates(&e->an->cfg, c->block, e->block))
            return true;
    }
    return false;
}

static bool multiples_of(const int64_t *k, uint32_t align) {
    for (int l = 0; l < WG_LANES && k; l++)
        if (k[l] % align) return false;
    return true;
}

static LLVMValueRef low_bits(struct wg_emit *e, LLVMValueRef x, uint32_t align) {
    return LLVMBuildAnd(e->L.b, x, wg_i64(e, align - 1), "low");
}

/* The root pointer of an address. It need not be live at the access: then it is loaded again, if it is a
 * parameter. NULL: it is not available. */
static LLVMValueRef value_of_root(struct wg_emit *e, uint32_t reg) {
    if (wg_value_is_at_hand(e, reg)) {
        const struct wg_value *v = wg_value_get(e, reg);
        return v->kind == WG_UNIFORM ? v->base : NULL;
    }
    const struct wg_ir_instr *in = e->regs.def[reg];
    if (!in || in->op != WG_OP_LD || in->guard != WG_NO_REG || in->space != WG_S_PARAM || in->nvec > 1 ||
        in->src[0].kind != WG_O_SYM || wg_type_bits(in->type) != 64)
        return NULL;
    const struct wg_ir_sym *s = &e->module->syms[in->src[0].index];
    if (s->kind != WG_SYM_PARAM) return NULL;
    LLVMValueRef params = LLVMBuildIntToPtr(e->entry_b, wg_params(e), e->ptr, "");
    return wg_load_field(e, e->entry_b, e->i64, params, s->offset + in->src[0].imm + (uint64_t)in->offset,
                         true, s->name);
}

LLVMValueRef wg_misaligned(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, bool lasts,
                           bool *by_lane) {
    uint32_t align = wg_type_bits(in->type) / 8 * in->nvec;
    *by_lane = false;
    if (align <= 1) return NULL;
    struct wg_fact f = wg_operand_fact(e->an, e->v, &in->src[0]);
    bool offset_ok = in->offset % align == 0, lanes_ok = multiples_of(f.k, align) && multiples_of(f.r, align);
    if (offset_ok && lanes_ok && f.zeros >= log2_of(align)) return NULL;
    if (offset_ok && f.root != WG_NO_REG && f.root_zeros >= log2_of(align)) {
        if (lasts && already_checked(e, f.root, align)) return NULL;
        LLVMValueRef root = value_of_root(e, f.root);
        if (root) {
            if (lasts && in->guard == WG_NO_REG)
                *WG_PUSH(&e->access.checked) =
                    (struct wg_checked){f.root, align, e->block, (uint8_t)e->v, wg_side_of(e, f.root)};
            return low_bits(e, root, align);
        }
    }
    if (a->kind == WG_UNIFORM || (a->kind == WG_AFFINE && lanes_ok)) return low_bits(e, a->base, align);
    if (a->near && a->step % (int64_t)align == 0) return low_bits(e, a->far, align);
    *by_lane = true;
    LLVMValueRef low = a->near && !a->vec && a->step == 1 ? a->near : wg_lane_addresses(e, a);
    uint32_t bits = low == a->near ? 32 : 64;
    if (bits == 32) {
        LLVMValueRef far = LLVMBuildTrunc(e->L.b, a->far, e->i32, "");
        low = LLVMBuildAdd(e->L.b, low, wg_emit_splat(e, e->L.b, far), "");
    }
    LLVMValueRef m =
        wg_emit_splat(e, e->L.b, LLVMConstInt(LLVMIntTypeInContext(e->L.ctx, bits), align - 1, 0));
    return LLVMBuildAnd(e->L.b, low, m, "");
}

/* Checks alignment and address range. */
static void check_address(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                          LLVMValueRef mask) {
    bool by_lane;
    LLVMValueRef low = wg_misaligned(e, in, a, true, &by_lane);
    if (low && !by_lane && wg_check_touch_and_low(e, in, a, low, mask)) return;
    if (low) {
        LLVMValueRef bad =
            LLVMBuildICmp(e->L.b, LLVMIntNE, low, LLVMConstNull(LLVMTypeOf(low)), "misaligned");
        if (by_lane)
            fault_lanes(e, in, a, bad, mask, WG_FAULT_MISALIGNED);
        else
            fault_all(e, in, bad, a, mask);
    }
    wg_check_touch(e, in, a, mask);
}

struct wg_value wg_unchecked_address(struct wg_emit *e, const struct wg_ir_instr *in) {
    const struct wg_ir_opd *o = &in->src[0];
    uint32_t bits = o->kind == WG_O_REG ? wg_reg_bits(e, o->index) : 64;
    struct wg_value a = wg_operand(e, o, bits);
    if (a.kind == WG_VARYING && bits < 64 && !is_shared(in)) a.vec = wg_emit_resize(e, a.vec, 64, false);
    return is_shared(in) ? shared_address(e, &in->src[0], a, in->offset) : far_address(e, a, in->offset);
}

struct wg_value wg_address(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask) {
    struct wg_value a = wg_unchecked_address(e, in);
    if (in->space != WG_S_PARAM && !in->checked) {
        check_address(e, in, &a, mask);
        wg_count_memory(e, in, &a, mask);
    } else if (in->space == WG_S_PARAM && in->src[0].kind == WG_O_REG) {
        wg_check_touch(e, in, &a, mask);
    }
    if (wg_in_tile(e, in)) wg_tile_address(e, in, &a);
    return a;
}

void wg_emit_count_alone(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef mask = wg_instr_mask(e, in);
    struct wg_value a = wg_unchecked_address(e, in);
    wg_count_memory(e, in, &a, mask);
    for (uint32_t i = 0; i < in->ndst; i++) {
        if (in->dst[i].kind != WG_O_REG) continue;
        uint32_t reg = in->dst[i].index;
        LLVMValueRef zero = LLVMConstNull(LLVMIntTypeInContext(e->L.ctx, wg_reg_bits(e, reg)));
        if (wg_operand_fact(e->an, e->v, &in->dst[i]).kind == WG_UNIFORM)
            wg_value_set_scalar(e, reg, zero);
        else
            wg_value_set_vec(e, reg, wg_emit_splat(e, e->L.b, zero));
    }
}

/* ---- common to loads and stores ---- */

/* Stops LLVM from moving memory accesses across a volatile or ordered one. */
static void compiler_fence(struct wg_emit *e) {
    LLVMTypeRef t = LLVMFunctionType(LLVMVoidTypeInContext(e->L.ctx), NULL, 0, 0);
    LLVMValueRef nothing = LLVMGetInlineAsm(t, "", 0, "~{memory}", 9, 1, 0, LLVMInlineAsmDialectATT, 0);
    LLVMBuildCall2(e->L.b, t, nothing, NULL, 0, "");
}

static bool is_volatile(const struct wg_ir_instr *in) { return !wg_ir_is_weak(in); }

static bool is_invariant(const struct wg_ir_instr *in) {
    return in->space == WG_S_CONST || in->space == WG_S_PARAM || in->mod[WG_MC_CACHE] == WG_M_nc ||
           in->mod[WG_MC_CACHE2] == WG_M_nc;
}

static LLVMValueRef extend(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef x, uint32_t reg) {
    bool is_signed = wg_type_kind(in->type) == WG_K_S && !wg_in_tile(e, in);
    return wg_emit_resize(e, x, wg_reg_bits(e, reg), is_signed);
}

static void advance(struct wg_emit *e, struct wg_value *a, uint64_t bytes) {
    LLVMValueRef off = wg_i64(e, bytes);
    if (a->base) a->base = LLVMBuildAdd(e->L.b, a->base, off, "");
    if (a->far) a->far = LLVMBuildAdd(e->L.b, a->far, off, "");
    if (a->vec && a->kind == WG_VARYING)
        a->vec = LLVMBuildAdd(e->L.b, a->vec, wg_emit_splat(e, e->L.b, off), "");
    else if (a->kind != WG_VARYING)
        a->vec = NULL;
}

/* ---- loads ---- */

static LLVMValueRef load_scalar(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef at,
                                uint32_t bits, uint32_t align) {
    LLVMValueRef p = LLVMBuildIntToPtr(e->L.b, at, e->ptr, "");
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, LLVMIntTypeInContext(e->L.ctx, bits), p, "");
    LLVMSetAlignment(x, align);
    if (is_volatile(in)) LLVMSetVolatile(x, 1);
    if (is_invariant(in))
        LLVMSetMetadata(x, LLVMGetMDKindIDInContext(e->L.ctx, "invariant.load", 14),
                        LLVMMetadataAsValue(e->L.ctx, e->invariant));
    return x;
}

static LLVMValueRef load_lanes(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                               uint32_t bits, LLVMValueRef mask) {
    struct wg_access plan;
    wg_plan_load(e, in, a, bits, mask, &plan);
    switch (plan.form) {
    case WG_ACCESS_RUNS: return wg_load_runs(e, &plan, a, mask);
    case WG_ACCESS_PIECES: return wg_load_pieces(e, in, &plan, a);
    case WG_ACCESS_LINES: return wg_load_across_lines(e, &plan, a);
    case WG_ACCESS_STRIDED: return wg_load_strided(e, &plan, a, mask);
    case WG_ACCESS_SPECULATED: return wg_load_speculated(e, &plan, a, mask);
    case WG_ACCESS_FEW_ROWS: return wg_load_few_rows(e, a, bits, mask, true);
    case WG_ACCESS_LANES: break;
    }
    return wg_gather(e, a, bits, bits / 8, mask);
}

static bool ever_stops(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (f->blocks[b].ninstrs && wg_fn_stops(&f->blocks[b].instrs[f->blocks[b].ninstrs - 1])) return true;
    return false;
}

/* Loads contiguous elements with one access per lane, where together they are one or two words. */
static bool load_joined(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, uint32_t bits,
                        LLVMValueRef mask, LLVMValueRef *out) {
    uint32_t all = bits * in->nvec;
    if (in->nvec == 1 || all > 64 || is_volatile(in)) return false;
    LLVMValueRef x = load_lanes(e, in, a, all, mask);
    for (uint32_t i = 0; i < in->nvec; i++) {
        LLVMValueRef n = LLVMConstInt(LLVMIntTypeInContext(e->L.ctx, all), i * bits, 0);
        LLVMValueRef part = i ? LLVMBuildLShr(e->L.b, x, wg_emit_splat(e, e->L.b, n), "") : x;
        out[i] = wg_emit_resize(e, part, bits, false);
    }
    return true;
}

/* Loads a scalar parameter in the entry block, so that LLVM hoists what only depends on such values out of
 * the loop over warps. A limited number, for each stays live to the last warp; not where warps are
 * suspended, for then each barrier spills it; not pointers, for little is computed from them alone. */
static LLVMValueRef load_param(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t bits) {
    enum { MOST = 16 };
    if (in->space != WG_S_PARAM || in->src[0].kind != WG_O_SYM || in->nvec > 1 || in->guard != WG_NO_REG)
        return NULL;
    const struct wg_ir_sym *s = &e->module->syms[in->src[0].index];
    if (s->kind != WG_SYM_PARAM || e->once.nparams == MOST || bits > 32 || ever_stops(e->func)) return NULL;
    e->once.nparams++;
    LLVMBuilderRef here = e->L.b;
    LLVMValueRef params = wg_params(e);
    e->L.b = e->entry_b;
    LLVMValueRef at =
        LLVMBuildAdd(e->L.b, params, wg_i64(e, s->offset + in->src[0].imm + (uint64_t)in->offset), "");
    LLVMValueRef x = load_scalar(e, in, at, bits, bits / 8);
    e->L.b = here;
    return x;
}

/* A uniform access under a guard that may be false must be skipped then. */
static void load_uniform(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, uint32_t bits,
                         LLVMValueRef mask, LLVMValueRef *out) {
    LLVMBasicBlockRef before = NULL, on = NULL, join = NULL;
    if ((out[0] = load_param(e, in, bits))) return;
    if (in->guard != WG_NO_REG || wg_check_refused(e, in)) {
        before = LLVMGetInsertBlock(e->L.b);
        on = wg_new_bb(e, "on");
        join = wg_new_bb(e, "loaded");
        LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, mask, wg_i32(e, 0), ""), on, join);
        LLVMPositionBuilderAtEnd(e->L.b, on);
    }
    for (uint32_t i = 0; i < in->nvec; i++) {
        LLVMValueRef at = i ? LLVMBuildAdd(e->L.b, a->base, wg_i64(e, i * bits / 8), "") : a->base;
        out[i] = load_scalar(e, in, at, bits, bits / 8);
    }
    if (!join) return;
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
    for (uint32_t i = 0; i < in->nvec; i++) {
        LLVMValueRef phi = LLVMBuildPhi(e->L.b, LLVMTypeOf(out[i]), ""),
                     none = in->op == WG_OP_CHECK_LD ? LLVMConstAllOnes(LLVMTypeOf(out[i]))
                                                     : LLVMConstNull(LLVMTypeOf(out[i]));
        LLVMAddIncoming(phi, &out[i], &on, 1);
        LLVMAddIncoming(phi, &none, &before, 1);
        out[i] = phi;
    }
}

/* Sets a register in a guarded instruction: lanes where the guard is false keep their value. */
static void set_guarded(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t reg, LLVMValueRef x,
                        LLVMValueRef mask) {
    bool vec = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
    if (in->guard != WG_NO_REG) {
        struct wg_value *old = wg_value_get(e, reg);
        if (!vec && old->kind == WG_UNIFORM) {
            x = LLVMBuildSelect(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, mask, wg_i32(e, 0), ""), x,
                                old->base, "");
        } else {
            if (!vec) x = wg_emit_splat(e, e->L.b, x);
            x = LLVMBuildSelect(e->L.b, wg_emit_bits(e, mask), x, wg_value_vec(e, old), "");
            vec = true;
        }
    }
    if (vec)
        wg_value_set_vec(e, reg, x);
    else
        wg_value_set_scalar(e, reg, x);
}

void wg_load_elements(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask, LLVMValueRef *x) {
    uint32_t bits = wg_element_bits(e->an, in);
    struct wg_value a = wg_address(e, in, mask);
    wg_combine_before_access(e, in, &a, mask, is_invariant(in));
    if (is_volatile(in)) compiler_fence(e);
    wg_emit_loop_prefetch(e, in, &a);
    wg_emit_prefetch_ahead(e, in, &a);
    wg_window_note(e, &a);
    if (a.kind == WG_UNIFORM)
        load_uniform(e, in, &a, bits, mask, x);
    else if (!wg_structure_load(e, in, &a, mask, x) && !wg_row_lines_load(e, in, &a, mask, x) &&
             !load_joined(e, in, &a, bits, mask, x))
        for (uint32_t i = 0; i < in->nvec; i++) {
            if (i) advance(e, &a, bits / 8);
            x[i] = load_lanes(e, in, &a, bits, mask);
        }
}

/* One element of 128 bits is accessed as two of 64 bits. */
static bool is_wide(const struct wg_ir_instr *in) { return wg_type_bits(in->type) == 128 && in->nvec == 1; }

static struct wg_ir_instr in_halves(const struct wg_ir_instr *in) {
    struct wg_ir_instr halves = *in;
    halves.type = WG_T_B64;
    halves.nvec = 2;
    return halves;
}

LLVMValueRef wg_join_halves(struct wg_emit *e, LLVMValueRef low, LLVMValueRef high) {
    LLVMValueRef n = LLVMConstInt(LLVMIntTypeInContext(e->L.ctx, 128), 64, 0);
    bool vec = LLVMGetTypeKind(LLVMTypeOf(low)) == LLVMVectorTypeKind;
    high =
        LLVMBuildShl(e->L.b, wg_emit_resize(e, high, 128, false), vec ? wg_emit_splat(e, e->L.b, n) : n, "");
    return LLVMBuildOr(e->L.b, wg_emit_resize(e, low, 128, false), high, "");
}

void wg_take_halves(struct wg_emit *e, struct wg_value *v, struct wg_value *halves) {
    LLVMValueRef n = LLVMConstInt(LLVMIntTypeInContext(e->L.ctx, 128), 64, 0);
    bool uniform = v->kind == WG_UNIFORM;
    LLVMValueRef x = uniform ? v->base : wg_value_vec(e, v);
    for (int i = 0; i < 2; i++) {
        LLVMValueRef part = i ? LLVMBuildLShr(e->L.b, x, uniform ? n : wg_emit_splat(e, e->L.b, n), "") : x;
        part = wg_emit_resize(e, part, 64, false);
        halves[i] = uniform ? (struct wg_value){.kind = WG_UNIFORM, .base = part}
                            : (struct wg_value){.kind = WG_VARYING, .vec = part};
    }
}

void wg_emit_load(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (!is_wide(in) && (wg_type_bits(in->type) > 64 || in->nvec > 4)) {
        wg_emit_unsupported(e, in, "vectors of 128-bit elements, or of eight");
        return;
    }
    LLVMValueRef mask = wg_instr_mask(e, in), x[4];
    for (uint32_t i = 0; i < in->ndst; i++) /* before any branch that the access emits */
        if (in->guard != WG_NO_REG && in->dst[i].kind == WG_O_REG) {
            struct wg_value *old = wg_value_get(e, in->dst[i].index);
            if (old->kind != WG_UNIFORM) wg_value_vec(e, old);
        }
    LLVMValueRef guarded = mask;
    mask = wg_check_mask(e, in, mask);
    if (is_wide(in)) {
        struct wg_ir_instr halves = in_halves(in);
        wg_load_elements(e, &halves, mask, x);
        x[0] = wg_join_halves(e, x[0], x[1]);
    } else {
        wg_load_elements(e, in, mask, x);
    }
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG) {
            x[i] = wg_check_zeros(e, in, x[i]);
            set_guarded(e, in, in->dst[i].index, extend(e, in, x[i], in->dst[i].index), guarded);
        }
}

/* ---- stores ---- */

static void store_scalar(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef at, LLVMValueRef x,
                         uint32_t align) {
    LLVMValueRef st = LLVMBuildStore(e->L.b, x, LLVMBuildIntToPtr(e->L.b, at, e->ptr, ""));
    LLVMSetAlignment(st, align);
    if (is_volatile(in)) LLVMSetVolatile(st, 1);
}

/* All lanes store to one address: one of them remains, here the highest. */
static void store_uniform(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                          struct wg_value *x, uint32_t bits, LLVMValueRef mask, uint64_t offset) {
    LLVMBasicBlockRef join = NULL;
    if (x->kind != WG_UNIFORM) wg_value_vec(e, x);
    if (in->guard != WG_NO_REG || wg_check_refused(e, in)) {
        LLVMBasicBlockRef on = wg_new_bb(e, "on");
        join = wg_new_bb(e, "stored");
        LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, mask, wg_i32(e, 0), ""), on, join);
        LLVMPositionBuilderAtEnd(e->L.b, on);
    }
    LLVMValueRef value = x->base;
    if (x->kind != WG_UNIFORM) {
        LLVMValueRef lane = wg_i32(e, WG_LANES - 1);
        if (!wg_is_full(mask)) {
            LLVMValueRef args[2] = {LLVMBuildOr(e->L.b, mask, wg_i32(e, 1), ""), LLVMConstInt(e->i1, 0, 0)};
            wg_set_lanes(e, 1);
            lane = LLVMBuildSub(e->L.b, wg_i32(e, 31),
                                wg_lower_intrinsic(&e->L, "llvm.ctlz", &e->i32, 1, args, 2), "");
        }
        value = LLVMBuildExtractElement(e->L.b, x->vec, lane, "");
    }
    LLVMValueRef at = offset ? LLVMBuildAdd(e->L.b, a->base, wg_i64(e, offset), "") : a->base;
    store_scalar(e, in, at, wg_emit_resize(e, value, bits, false), bits / 8);
    if (!join) return;
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
}

static void store_lanes(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, LLVMValueRef x,
                        uint32_t bits, LLVMValueRef mask) {
    struct wg_access plan;
    wg_plan_store(e, in, a, bits, mask, &plan);
    switch (plan.form) {
    case WG_ACCESS_RUNS: wg_store_runs(e, in, &plan, a, x, mask); break;
    case WG_ACCESS_PIECES: wg_store_pieces(e, in, &plan, a, x); break;
    case WG_ACCESS_STRIDED: wg_store_strided(e, &plan, a, x, mask); break;
    case WG_ACCESS_SPECULATED: wg_store_speculated(e, &plan, a, x, mask); break;
    case WG_ACCESS_LINES:
    case WG_ACCESS_FEW_ROWS: /* only for loads */
    case WG_ACCESS_LANES: wg_scatter(e, a, x, bits, mask); break;
    }
}

static bool store_joined(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, uint32_t bits,
                         LLVMValueRef mask, LLVMValueRef *x) {
    uint32_t all = bits * in->nvec;
    if (in->nvec == 1 || all > 64 || is_volatile(in)) return false;
    LLVMValueRef joined = wg_emit_resize(e, x[0], all, false);
    for (uint32_t i = 1; i < in->nvec; i++) {
        LLVMValueRef n = LLVMConstInt(LLVMIntTypeInContext(e->L.ctx, all), i * bits, 0);
        LLVMValueRef part =
            LLVMBuildShl(e->L.b, wg_emit_resize(e, x[i], all, false), wg_emit_splat(e, e->L.b, n), "");
        joined = LLVMBuildOr(e->L.b, joined, part, "");
    }
    store_lanes(e, in, a, joined, all, mask);
    return true;
}

void wg_store_elements(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask,
                       struct wg_value *v) {
    uint32_t bits = wg_element_bits(e->an, in);
    LLVMValueRef x[4];
    struct wg_value a = wg_address(e, in, mask);
    wg_combine_before_access(e, in, &a, mask, false);
    if (is_volatile(in)) compiler_fence(e);
    wg_emit_loop_prefetch(e, in, &a);
    wg_emit_prefetch_ahead(e, in, &a);
    wg_row_lines_store(e, in, &a);
    if (a.kind == WG_UNIFORM) {
        for (uint32_t i = 0; i < in->nvec; i++) store_uniform(e, in, &a, &v[i], bits, mask, i * bits / 8);
    } else {
        for (uint32_t i = 0; i < in->nvec; i++) x[i] = wg_emit_resize(e, wg_value_vec(e, &v[i]), bits, false);
        if (!wg_structure_store(e, in, &a, mask, x) && !store_joined(e, in, &a, bits, mask, x))
            for (uint32_t i = 0; i < in->nvec; i++) {
                if (i) advance(e, &a, bits / 8);
                store_lanes(e, in, &a, x[i], bits, mask);
            }
    }
    if (is_volatile(in)) compiler_fence(e);
}

void wg_emit_store(struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    if (!is_wide(in) && (bits > 64 || in->nvec > 4)) {
        wg_emit_unsupported(e, in, "vectors of 128-bit elements, or of eight");
        return;
    }
    LLVMValueRef mask = wg_check_mask(e, in, wg_instr_mask(e, in));
    struct wg_value v[4];
    if (is_wide(in)) {
        struct wg_ir_instr halves = in_halves(in);
        struct wg_value whole = wg_operand(e, &in->src[1], bits);
        wg_take_halves(e, &whole, v);
        wg_store_elements(e, &halves, mask, v);
        return;
    }
    for (uint32_t i = 0; i < in->nvec; i++) v[i] = wg_operand(e, &in->src[1 + i], bits);
    wg_store_elements(e, in, mask, v);
}
