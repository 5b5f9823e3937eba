/* Instrumentation of checked code: emits the check instructions (ptx/own.def).
 *
 *     check.access    bad = an address outside of the window last found valid, or misaligned
 *                     if (bad) ask the machine: which lanes must not access memory?
 *
 * Where there is such a lane CONVERGED takes a side exit: GENERAL asks again, and the machine counts only
 * that. In GENERAL, and in if-converted blocks, these lanes are removed from the access's mask. So addresses
 * keep the facts that analysis/ found, and in the good case a check is a subtraction and a compare of uniform
 * values.
 */
#include "jit/instr/instr.h"

/* Whether lanes may be masked off individually. */
static bool is_soft(const struct wg_emit *e) { return e->v == WG_GENERAL || e->masks.region; }

/* ---- windows of valid addresses ---- */

struct window {
    LLVMValueRef lo, starts; /* i64: [lo, lo + starts) */
};

static uint32_t bytes_of(const struct wg_ir_instr *in) { return wg_type_bits(in->type) / 8 * in->nvec; }

/* The variable that the address is derived from, if known. */
static const struct wg_ir_sym *variable_of(const struct wg_emit *e, const struct wg_ir_instr *in,
                                           enum wg_sym_kind kind) {
    const struct wg_ir_opd *o = &in->src[1];
    if (o->kind != WG_O_SYM || e->module->syms[o->index].kind != kind) return NULL;
    return &e->module->syms[o->index];
}

static uint64_t starts_in(uint64_t size, uint32_t bytes) { return size < bytes ? 0 : size - bytes + 1; }

LLVMValueRef wg_check_window_field(struct wg_emit *e, const struct wg_ir_instr *in, size_t field,
                                   const char *name) {
    if (!e->check.windows)
        e->check.windows = wg_load_field(e, e->entry_b, e->ptr, e->first_warp,
                                         offsetof(struct wg_warp, windows), true, "windows");
    return wg_load_field(e, e->L.b, e->i64, e->check.windows, in->id * sizeof(struct wg_check_window) + field,
                         false, name);
}

static struct window window_at(struct wg_emit *e, const struct wg_ir_instr *in) {
    return (struct window){wg_check_window_field(e, in, offsetof(struct wg_check_window, lo), "lo"),
                           wg_check_window_field(e, in, offsetof(struct wg_check_window, starts), "starts")};
}

/* A shared variable is at the same offset in every block. */
static bool shared_window(struct wg_emit *e, const struct wg_ir_instr *in, struct window *out) {
    const struct wg_ir_sym *s = in->space == WG_S_SHARED ? variable_of(e, in, WG_SYM_SHARED) : NULL;
    if (!s) return false;
    LLVMValueRef own = wg_emit_resize(e, wg_shared_offset(e), 64, false);
    out->lo = LLVMBuildAdd(e->L.b, wg_shared_base(e), own, "");
    out->lo = LLVMBuildAdd(e->L.b, out->lo, wg_i64(e, s->offset), "");
    out->starts = wg_i64(e, starts_in(s->size, bytes_of(in)));
    return true;
}

/* ---- bounds tests ---- */

/* i1: not all accesses from `first` to `first` + `reach` start inside. */
static LLVMValueRef ends_outside(struct wg_emit *e, struct window w, LLVMValueRef first, LLVMValueRef reach) {
    LLVMValueRef args[2] = {w.starts, reach};
    wg_set_lanes(e, 1);
    LLVMValueRef starts = wg_lower_intrinsic(&e->L, "llvm.usub.sat", &e->i64, 1, args, 2);
    return LLVMBuildICmp(e->L.b, LLVMIntUGE, LLVMBuildSub(e->L.b, first, w.lo, ""), starts, "outside");
}

static void range_of(const int64_t *k, int64_t *low, int64_t *high) {
    *low = *high = 0;
    for (int l = 0; l < WG_LANES && k; l++) {
        if (k[l] < *low) *low = k[l];
        if (k[l] > *high) *high = k[l];
    }
}

static LLVMValueRef affine_outside(struct wg_emit *e, struct window w, const struct wg_value *a) {
    enum { WIDE = 40 }; /* bits: the addresses of lanes farther apart may wrap */
    LLVMBuilderRef b = e->L.b;
    int64_t low, high, rlow, rhigh;
    range_of(a->kind == WG_AFFINE ? a->k : NULL, &low, &high);
    range_of(a->kind == WG_AFFINE ? a->r : NULL, &rlow, &rhigh);
    LLVMValueRef first = LLVMBuildAdd(b, a->base, wg_i64(e, (uint64_t)low), "");
    LLVMValueRef reach = wg_i64(e, (uint64_t)(high - low)), wide = NULL;
    if (a->kind == WG_AFFINE && a->r) {
        LLVMValueRef x = LLVMBuildMul(b, a->scale, wg_i64(e, (uint64_t)rlow), ""),
                     y = LLVMBuildMul(b, a->scale, wg_i64(e, (uint64_t)rhigh), "");
        LLVMValueRef neg = LLVMBuildICmp(b, LLVMIntSLT, a->scale, wg_i64(e, 0), "");
        LLVMValueRef least = LLVMBuildSelect(b, neg, y, x, ""), most = LLVMBuildSelect(b, neg, x, y, "");
        first = LLVMBuildAdd(b, first, least, "");
        reach = LLVMBuildAdd(b, reach, LLVMBuildSub(b, most, least, ""), "");
        wide = LLVMBuildAdd(b, a->scale, wg_i64(e, 1ull << WIDE), "");
        wide = LLVMBuildICmp(b, LLVMIntUGE, wide, wg_i64(e, 2ull << WIDE), "");
    }
    LLVMValueRef out = ends_outside(e, w, first, reach);
    return wide ? LLVMBuildOr(b, out, wide, "") : out;
}

static LLVMValueRef any_in(struct wg_emit *e, LLVMValueRef lanes, LLVMValueRef mask) {
    LLVMValueRef hit = LLVMBuildAnd(e->L.b, wg_emit_mask(e, lanes), mask, "");
    return LLVMBuildICmp(e->L.b, LLVMIntNE, hit, wg_i32(e, 0), "");
}

static LLVMValueRef lanes_outside(struct wg_emit *e, struct window w, LLVMValueRef at, LLVMValueRef mask) {
    LLVMValueRef d = LLVMBuildSub(e->L.b, at, wg_emit_splat(e, e->L.b, w.lo), "");
    LLVMValueRef out = LLVMBuildICmp(e->L.b, LLVMIntUGE, d, wg_emit_splat(e, e->L.b, w.starts), "");
    return any_in(e, out, mask);
}

/* Each lane has its own frame in local memory. */
static LLVMValueRef local_outside(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                                  LLVMValueRef mask) {
    const struct wg_ir_sym *s = variable_of(e, in, WG_SYM_LOCAL);
    struct window w = {wg_i64(e, s ? s->offset + in->src[1].imm : 0),
                       wg_i64(e, starts_in(s ? s->size : e->func->local_bytes, bytes_of(in)))};
    int64_t lane[WG_LANES];
    bool along = a->kind == WG_AFFINE && a->r;
    for (int l = 0; l < WG_LANES; l++) {
        lane[l] = l;
        along = along && a->r[l] == l;
    }
    LLVMBuilderRef b = e->L.b;
    if (along) { /* by the stride, if in bounds: the remainder is an offset in the frame */
        struct wg_value place = {.kind = a->k ? WG_AFFINE : WG_UNIFORM, .k = a->k};
        place.base = LLVMBuildSub(b, a->base, wg_local_base(e), "");
        LLVMValueRef off = LLVMBuildICmp(b, LLVMIntNE, a->scale, wg_local_stride_of(e), "");
        return LLVMBuildOr(b, off, affine_outside(e, w, &place), "");
    }
    LLVMValueRef frame =
        LLVMBuildMul(b, wg_lane_consts(e, lane, 64), wg_emit_splat(e, b, wg_local_stride_of(e)), "");
    frame = LLVMBuildAdd(b, frame, wg_emit_splat(e, b, wg_local_base(e)), "");
    return lanes_outside(e, w, LLVMBuildSub(b, wg_lane_addresses(e, a), frame, ""), mask);
}

static bool uses_clusters(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (f->blocks[b].instrs[i].op == WG_OP_MAPA) return true;
    return false;
}

/* Every block of a cluster has the same window, as offsets in its own shared memory; while all of them
 * run, a window found valid for one is valid for any. Windows of offsets and of addresses are never mixed
 * up. */
static LLVMValueRef cluster_outside(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                                    LLVMValueRef mask) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef ranks = wg_load_field(e, e->entry_b, e->i32, e->once.block,
                                       offsetof(struct wg_block, cluster_nctarank), true, "ranks");
    LLVMValueRef all = LLVMBuildMul(b, wg_emit_resize(e, ranks, 64, false), wg_i64(e, WG_SHARED_STRIDE), "");
    LLVMValueRef at = LLVMBuildSub(b, wg_lane_addresses(e, a), wg_emit_splat(e, b, wg_shared_base(e)), "");
    LLVMValueRef beyond = LLVMBuildICmp(b, LLVMIntUGE, at, wg_emit_splat(e, b, all), "");
    LLVMValueRef place = LLVMBuildAnd(b, at, wg_emit_splat(e, b, wg_i64(e, WG_SHARED_STRIDE - 1)), "");
    return LLVMBuildOr(b, lanes_outside(e, window_at(e, in), place, mask), any_in(e, beyond, mask), "");
}

/* Whether lanes are outside, by a test of uniform values: inactive lanes may cause false positives. */
static LLVMValueRef outside(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                            LLVMValueRef mask) {
    struct window w;
    if (in->space == WG_S_LOCAL) return local_outside(e, in, a, mask);
    if (in->space == WG_S_CLUSTER) return cluster_outside(e, in, a, mask);
    if (!shared_window(e, in, &w)) w = window_at(e, in);
    if (a->kind == WG_VARYING) return lanes_outside(e, w, wg_lane_addresses(e, a), mask);
    return affine_outside(e, w, a);
}

/* The exact test, where there is one; NULL: the first test was exact. */
static LLVMValueRef really_outside(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                                   LLVMValueRef mask) {
    struct window w;
    if (in->space == WG_S_LOCAL || in->space == WG_S_CLUSTER) return NULL;
    if (in->space == WG_S_GENERIC && uses_clusters(e->func)) return cluster_outside(e, in, a, mask);
    if (a->kind != WG_AFFINE || wg_is_full(mask)) return NULL;
    if (!shared_window(e, in, &w)) w = window_at(e, in);
    return lanes_outside(e, w, wg_lane_addresses(e, a), mask);
}

/* ---- queries to the machine ---- */

/* The values that each lane writes; for 16 bytes wg_check_both of them. */
static LLVMValueRef values_of(struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type), had = 0;
    LLVMValueRef half[2] = {NULL};
    for (uint32_t i = 2; i < in->nsrc && had < 128 && bits <= 64; i++, had += bits) {
        struct wg_value v = wg_operand(e, &in->src[i], bits);
        LLVMValueRef x = wg_emit_resize(e, wg_emit_resize(e, wg_value_vec(e, &v), bits, false), 64, false);
        LLVMValueRef *into = &half[had / 64];
        if (had % 64) x = LLVMBuildShl(e->L.b, x, wg_emit_splat(e, e->L.b, wg_i64(e, had % 64)), "");
        *into = *into ? LLVMBuildOr(e->L.b, *into, x, "") : x;
    }
    if (!half[1]) return half[0];
    LLVMValueRef mixed =
        LLVMBuildMul(e->L.b, half[1], wg_emit_splat(e, e->L.b, wg_i64(e, WG_CHECK_BOTH)), "");
    return LLVMBuildXor(e->L.b, half[0], mixed, "");
}

/* What is known at compile time of an affine access: struct wg_check_spread. */
static LLVMValueRef spread_of(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                              uint64_t variable) {
    enum { HEAD = offsetof(struct wg_check_spread, k) / sizeof(uint64_t), WORDS = HEAD + 2 * WG_LANES };
    bool affine = a->kind == WG_AFFINE;
    int64_t low, high;
    range_of(affine ? a->k : NULL, &low, &high);
    uint64_t head[HEAD] = {in->id, !is_soft(e), affine && a->r, variable, (uint64_t)low, (uint64_t)high};
    LLVMValueRef word[WORDS];
    for (int i = 0; i < HEAD; i++) word[i] = wg_i64(e, head[i]);
    for (int l = 0; l < WG_LANES; l++) {
        word[HEAD + l] = wg_i64(e, affine && a->k ? (uint64_t)a->k[l] : 0);
        word[HEAD + WG_LANES + l] = wg_i64(e, affine && a->r ? (uint64_t)a->r[l] : 0);
    }
    LLVMValueRef data = LLVMConstArray2(e->i64, word, WORDS);
    LLVMValueRef global = LLVMAddGlobal(e->L.module, LLVMTypeOf(data), "spread");
    LLVMSetInitializer(global, data);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

/* inside: i32, whether all lanes are known to be valid; NULL: not known. */
static LLVMValueRef ask(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                        LLVMValueRef mask, LLVMValueRef inside) {
    const struct wg_ir_sym *s = variable_of(e, in, WG_SYM_LOCAL);
    uint64_t variable = s ? s->offset + in->src[1].imm : UINT64_MAX;
    LLVMValueRef value = inside && in->check == WG_CHECK_STORE ? values_of(e, in) : NULL;
    LLVMValueRef values = value ? wg_spill_lanes(e, 1, value) : LLVMConstNull(e->ptr);
    if (inside && a->kind != WG_VARYING) {
        LLVMValueRef which = LLVMBuildShl(e->L.b, wg_emit_resize(e, inside, 64, false), wg_i64(e, 32), "");
        which = LLVMBuildOr(e->L.b, which, wg_emit_resize(e, mask, 64, false), "");
        LLVMValueRef scale = a->kind == WG_AFFINE && a->r ? a->scale : wg_i64(e, 0);
        LLVMValueRef args[6] = {e->warp, which, spread_of(e, in, a, variable), a->base, scale, values};
        return wg_call_helper(e, "wg_jit_check_spread", e->i32, args, 6);
    }
    LLVMValueRef which = wg_i32(e, in->id | (is_soft(e) ? 0 : 1u << 31));
    if (inside) which = LLVMBuildOr(e->L.b, which, LLVMBuildShl(e->L.b, inside, wg_i32(e, 30), ""), "");
    LLVMValueRef at = wg_spill_lanes(e, 0, wg_lane_addresses(e, a));
    LLVMValueRef args[6] = {e->warp, which, mask, at, values, wg_i64(e, variable)};
    return wg_call_helper(e, "wg_jit_check_access", e->i32, args, 6);
}

/* Branches to `slow` if a lane is, or may be, outside or misaligned, else to `good`. */
static void branch_on(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, LLVMValueRef mask,
                      LLVMBasicBlockRef slow, LLVMBasicBlockRef good) {
    bool by_lane;
    struct wg_value copy = *a;
    LLVMValueRef out = outside(e, in, a, mask), off = wg_misaligned(e, in, a, !is_soft(e), &by_lane);
    if (off) off = LLVMBuildICmp(e->L.b, LLVMIntNE, off, LLVMConstNull(LLVMTypeOf(off)), "misaligned");
    if (off && by_lane) off = any_in(e, off, mask);
    LLVMBasicBlockRef each = wg_new_bb(e, "each"), inside = off ? wg_new_bb(e, "inside") : good;
    wg_fn_hint_unlikely(e, LLVMBuildCondBr(e->L.b, out, each, inside));
    LLVMPositionBuilderAtEnd(e->L.b, each);
    LLVMValueRef really = really_outside(e, in, &copy, mask);
    if (really)
        wg_fn_hint_unlikely(e, LLVMBuildCondBr(e->L.b, really, slow, inside));
    else
        LLVMBuildBr(e->L.b, slow);
    if (!off) return;
    LLVMPositionBuilderAtEnd(e->L.b, inside);
    wg_fn_hint_unlikely(e, LLVMBuildCondBr(e->L.b, off, slow, good));
}

/* Whether the machine can tell at run time (wg_check_window.quiet) that a valid access needs no report:
 * one that orders nothing, if no other thread accesses the same bytes, or all only read; an atomic, if
 * there are only atomics; one as its `quiet` says, if it turns out to be of shared memory, or is no more
 * than perhaps quiet. */
static bool may_be_quiet(const struct wg_ir_instr *in) {
    bool weak = in->mod[WG_MC_SEM] == WG_M_none || in->mod[WG_MC_SEM] == WG_M_weak;
    if (in->space != WG_S_GLOBAL && in->space != WG_S_GENERIC) return in->quiet == WG_PERHAPS_QUIET;
    return weak || in->check == WG_CHECK_ATOMIC || in->quiet != WG_TOLD;
}

static bool is_quiet(const struct wg_ir_instr *in) {
    return in->quiet == WG_QUIET && (in->space == WG_S_SHARED || in->space == WG_S_CLUSTER);
}

/* Reports every access to the machine, except those that need no report, and whether it is known to be
 * valid. */
static LLVMValueRef tell(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a,
                         LLVMValueRef mask) {
    struct wg_value copy = *a;
    bool quiet = may_be_quiet(in) || is_quiet(in);
    LLVMBasicBlockRef outside = wg_new_bb(e, "outside"), inside = wg_new_bb(e, "inside"),
                      go = wg_new_bb(e, "tell"), told = wg_new_bb(e, "told");
    LLVMValueRef known[2] = {wg_i32(e, 0), wg_i32(e, 1)}, refused[2] = {NULL, wg_i32(e, 0)};
    for (uint32_t i = 2; i < in->nsrc; i++) /* the store needs them, too, on both paths */
        if (in->src[i].kind == WG_O_REG) wg_value_get(e, in->src[i].index);
    branch_on(e, in, a, mask, outside, inside);
    LLVMPositionBuilderAtEnd(e->L.b, outside);
    LLVMBuildBr(e->L.b, go);
    LLVMPositionBuilderAtEnd(e->L.b, inside);
    if (is_quiet(in)) {
        LLVMBuildBr(e->L.b, told);
    } else if (quiet) {
        LLVMValueRef q = wg_check_window_field(e, in, offsetof(struct wg_check_window, quiet), "quiet");
        LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, q, wg_i64(e, 0), ""), told, go);
    } else {
        LLVMBuildBr(e->L.b, go);
    }
    LLVMPositionBuilderAtEnd(e->L.b, go);
    LLVMValueRef phi = LLVMBuildPhi(e->L.b, e->i32, "known");
    LLVMAddIncoming(phi, known, (LLVMBasicBlockRef[2]){outside, inside}, is_quiet(in) ? 1 : 2);
    refused[0] = ask(e, in, &copy, mask, phi);
    if (!is_soft(e)) wg_leave_converged_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, refused[0], wg_i32(e, 0), ""));
    LLVMBasicBlockRef from[2] = {LLVMGetInsertBlock(e->L.b), inside};
    LLVMBuildBr(e->L.b, told);
    LLVMPositionBuilderAtEnd(e->L.b, told);
    if (!is_soft(e)) {
        LLVMValueRef heard[2] = {wg_i32(e, in->id), wg_i32(e, 0)};
        e->out.told = LLVMBuildPhi(e->L.b, e->i32, "told");
        LLVMAddIncoming(e->out.told, heard, from, quiet ? 2 : 1);
        e->out.told_block = e->block;
        e->out.told_instr = e->instr;
        e->out.leave = NULL; /* later side exits repeat a query that was made already */
        return NULL;
    }
    LLVMValueRef all = LLVMBuildPhi(e->L.b, e->i32, "refused");
    LLVMAddIncoming(all, refused, from, quiet ? 2 : 1);
    return all;
}

/* Whether other threads may observe the access. */
static bool is_seen(const struct wg_ir_instr *in) {
    return in->space != WG_S_LOCAL && in->space != WG_S_CONST && in->space != WG_S_PARAM;
}

static void emit_access(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef before = is_soft(e) ? wg_check_refused(e, in) : NULL;
    LLVMValueRef mask = wg_instr_mask(e, in);
    struct wg_value a = wg_unchecked_address(e, in), copy = a;
    wg_mask(e);
    wg_save_before_checks(e);
    e->check.refused = NULL;
    if (e->opts->check_told && is_seen(in)) {
        e->check.refused = tell(e, in, &a, mask);
        if (before) e->check.refused = LLVMBuildOr(e->L.b, e->check.refused, before, "");
        return;
    }
    LLVMBasicBlockRef slow = wg_new_bb(e, "ask"), good = wg_new_bb(e, "good"),
                      fine = is_soft(e) ? wg_new_bb(e, "fine") : good, from[2] = {fine};
    branch_on(e, in, &a, mask, slow, fine);
    if (is_soft(e)) {
        LLVMPositionBuilderAtEnd(e->L.b, fine);
        LLVMBuildBr(e->L.b, good);
    }
    LLVMPositionBuilderAtEnd(e->L.b, slow);
    LLVMValueRef refused[2] = {wg_i32(e, 0), ask(e, in, &copy, mask, NULL)};
    if (!is_soft(e)) wg_leave_converged_if(e, LLVMBuildICmp(e->L.b, LLVMIntNE, refused[1], wg_i32(e, 0), ""));
    from[1] = LLVMGetInsertBlock(e->L.b);
    LLVMBuildBr(e->L.b, good);
    LLVMPositionBuilderAtEnd(e->L.b, good);
    if (!is_soft(e)) return;
    e->check.refused = LLVMBuildPhi(e->L.b, e->i32, "refused");
    LLVMAddIncoming(e->check.refused, refused, from, 2);
    if (before) e->check.refused = LLVMBuildOr(e->L.b, e->check.refused, before, "");
}

/* ---- effect on the access ---- */

/* ---- events, and values that branches depend on ---- */

static LLVMValueRef operand_lanes(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t i) {
    if (i >= in->nsrc) return LLVMConstNull(e->ptr);
    uint32_t bits = in->src[i].kind == WG_O_REG ? wg_reg_bits(e, in->src[i].index) : 64;
    struct wg_value v = wg_operand(e, &in->src[i], bits);
    return wg_spill_lanes(e, i, wg_emit_resize(e, wg_value_vec(e, &v), 64, false));
}

static void tell_event(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef mask = wg_instr_mask(e, in), a = operand_lanes(e, in, 0), b = operand_lanes(e, in, 1);
    LLVMValueRef live = wg_mask(e), event = wg_i32(e, in->check & ~(uint32_t)WG_EVENT_IF_APART);
    if (e->v == WG_GENERAL) live = LLVMBuildLoad2(e->L.b, e->i32, e->masks.live, "");
    if (!e->masks.region) wg_store_field(e, e->L.b, live, e->warp, offsetof(struct wg_warp, live));
    LLVMValueRef args[6] = {e->warp, mask, wg_i32(e, in->id), event, a, b};
    wg_call_helper(e, "wg_jit_check_event", LLVMVoidTypeInContext(e->L.ctx), args, 6);
}

/* It has no operands in registers: nothing that comes after it is computed in the branch. */
static void tell_if_apart(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef here = wg_mask(e), all = wg_i32(e, UINT32_MAX);
    LLVMBasicBlockRef apart = wg_new_bb(e, "apart"), together = wg_new_bb(e, "together");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, here, all, ""), together, apart);
    LLVMPositionBuilderAtEnd(e->L.b, apart);
    tell_event(e, in);
    LLVMBuildBr(e->L.b, together);
    LLVMPositionBuilderAtEnd(e->L.b, together);
}

static void emit_event(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (!(in->check & WG_EVENT_IF_APART))
        tell_event(e, in);
    else if (e->v != WG_CONVERGED || !wg_mask_is_full(e))
        tell_if_apart(e, in);
}

void wg_emit_check(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CHECK_ACCESS)
        emit_access(e, in);
    else if (in->op == WG_OP_CHECK_EVENT)
        emit_event(e, in);
    else
        wg_emit_shadow(e, in);
}
