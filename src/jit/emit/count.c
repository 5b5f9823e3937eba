/* Instrumentation code for performance counters: see count.h. */
#include "jit/emit/count.h"
#include "analysis/fragments.h"
#include "analysis/atomics.h"
#include "analysis/sites.h"
#include "analysis/slow_paths.h"
#include "count/tally.h"
#include "jit/emit/emit.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 128, WORD = 4 };

struct member {
    uint32_t site;
    int64_t offset; /* in bytes, from the first member's address */
};

struct group {
    /* The key: accesses that agree in it form one group. */
    LLVMValueRef base, mask;
    uint8_t space, kind; /* of the operand */
    uint32_t index;      /* register or symbol */
    /* Where and what it counts. */
    uint32_t unit, phases, shift;
    int64_t first_offset;
    const int64_t *k, *r;
    WG_VEC(struct member) members;
};

struct wg_count_state {
    WG_VEC(struct group) v;
    uint32_t open; /* groups from this index on still accept members */
    uint32_t units;
};

/* ---- units ---- */

static LLVMValueRef tally(struct wg_emit *e) {
    if (!e->check.tally)
        e->check.tally = wg_load_field(e, e->entry_b, e->ptr, e->first_warp, offsetof(struct wg_warp, tally),
                                       true, "tally");
    return e->check.tally;
}

static LLVMValueRef unit_at(struct wg_emit *e, uint32_t unit) {
    return wg_field(e, e->L.b, tally(e), offsetof(struct wg_tally, units) + (size_t)unit * 8);
}

/* Returns the value before the addition. */
static LLVMValueRef add_to(struct wg_emit *e, LLVMValueRef at, LLVMValueRef x) {
    LLVMValueRef old = LLVMBuildLoad2(e->L.b, e->i64, at, "");
    LLVMBuildStore(e->L.b, LLVMBuildAdd(e->L.b, old, x, ""), at);
    return old;
}

static void add_to_block(struct wg_emit *e, uint32_t which, LLVMValueRef x) {
    add_to(e, unit_at(e, e->block * WG_BLOCK_UNITS + which), x);
}

void wg_count_add(struct wg_emit *e, uint32_t unit, LLVMValueRef x) { add_to(e, unit_at(e, unit), x); }

/* Whether blocks, branches and accesses are counted. */
static bool counts(const struct wg_emit *e) { return e->opts->sites && !e->opts->slow_alone; }

void wg_count_block(struct wg_emit *e) {
    if (!counts(e)) return;
    wg_count_segment(e);
    if (wg_mask_is_full(e)) {
        add_to_block(e, WG_UNIT_FULL, wg_i64(e, 1));
        return;
    }
    LLVMValueRef mask = wg_mask(e);
    wg_set_lanes(e, 1);
    LLVMValueRef lanes = wg_lower_intrinsic(&e->L, "llvm.ctpop", &e->i32, 1, &mask, 1);
    add_to_block(e, WG_UNIT_BEGUN, wg_i64(e, 1));
    add_to_block(e, WG_UNIT_LANES, wg_emit_resize(e, lanes, 64, false));
}

void wg_count_idle(struct wg_emit *e, uint32_t block, LLVMValueRef warps) {
    if (!counts(e)) return;
    LLVMValueRef n = LLVMBuildZExt(e->L.b, warps, e->i64, "");
    add_to(e, unit_at(e, block * WG_BLOCK_UNITS + WG_UNIT_FULL), n);
}

void wg_count_parted(struct wg_emit *e) {
    if (counts(e)) add_to_block(e, WG_UNIT_PARTED, wg_i64(e, 1));
}

void wg_count_parted_if(struct wg_emit *e, LLVMValueRef parted) {
    if (counts(e)) add_to_block(e, WG_UNIT_PARTED, LLVMBuildZExt(e->L.b, parted, e->i64, ""));
}

/* ---- groups ---- */

static struct wg_count_state *state(struct wg_emit *e) {
    if (!e->check.count) {
        e->check.count = WG_NEW(&e->an->arena, struct wg_count_state);
        e->check.count->units =
            wg_count_slow_units(e->func) + e->opts->sites->nslow * WG_SLOW_PATHS * WG_SLOW_UNITS;
    }
    return e->check.count;
}

void wg_count_segment(struct wg_emit *e) {
    if (counts(e)) state(e)->open = state(e)->v.n;
}

static bool has_scale(const struct group *g) { return g->r != NULL; }

/* Whether the cost of an access is a function of mask, scale and phase alone. */
static bool is_regular(const struct wg_ir_instr *in, const struct wg_value *a) {
    bool space = in->space == WG_S_GLOBAL || in->space == WG_S_SHARED || in->space == WG_S_CONST;
    return space && (a->kind == WG_UNIFORM || a->kind == WG_AFFINE);
}

static bool whole_words(const int64_t *k) {
    for (int l = 0; l < WG_LANES && k; l++)
        if (k[l] % WORD) return false;
    return true;
}

/* Shifting an access of whole words in shared memory rotates the banks and does not change its cost. */
static void find_phases(const struct wg_ir_instr *in, uint32_t bytes, const struct wg_value *a,
                        struct group *g) {
    uint32_t align = bytes, span = LINE;
    if (in->space == WG_S_CONST) span = align;
    if (in->space == WG_S_SHARED)
        span = bytes >= WORD && whole_words(a->k) && whole_words(a->r) ? align : LINE;
    g->shift = (uint32_t)__builtin_ctz(align);
    g->phases = span / align;
}

static struct group *find_open(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef base,
                               LLVMValueRef mask) {
    struct wg_count_state *s = state(e);
    const struct wg_ir_opd *o = &in->src[0];
    for (uint32_t i = s->open; i < s->v.n; i++) {
        struct group *g = &s->v.v[i];
        if (g->base == base && g->mask == mask && g->space == in->space && g->kind == o->kind &&
            g->index == o->index)
            return g;
    }
    return NULL;
}

static LLVMValueRef group_args(struct wg_emit *e, const struct wg_value *a, LLVMValueRef mask,
                               uint32_t number, LLVMValueRef args[5]) {
    args[0] = e->warp;
    args[1] = wg_i32(e, number | (uint32_t)e->v << 31);
    args[2] = a->base;
    args[3] = a->scale ? a->scale : wg_i64(e, 0);
    return args[4] = mask;
}

/* cell[phase]++; records the first access of each cell. */
static void count_cell(struct wg_emit *e, const struct group *g, uint32_t number, const struct wg_value *a,
                       LLVMValueRef mask) {
    LLVMValueRef at = unit_at(e, g->unit + 1), args[5];
    if (g->phases > 1) {
        LLVMValueRef phase = LLVMBuildLShr(e->L.b, a->base, wg_i64(e, g->shift), "");
        phase = LLVMBuildAnd(e->L.b, phase, wg_i64(e, g->phases - 1), "");
        at = LLVMBuildGEP2(e->L.b, e->i64, at, &phase, 1, "");
    }
    LLVMValueRef old = add_to(e, at, wg_i64(e, 1));
    LLVMBasicBlockRef first = wg_new_bb(e, "first"), go = wg_new_bb(e, "counted");
    wg_fn_hint_unlikely(
        e, LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, old, wg_i64(e, 0), ""), first, go));
    LLVMPositionBuilderAtEnd(e->L.b, first);
    group_args(e, a, mask, number, args);
    wg_call_helper(e, "wg_jit_count_first", LLVMVoidTypeInContext(e->L.ctx), args, 5);
    LLVMBuildBr(e->L.b, go);
    LLVMPositionBuilderAtEnd(e->L.b, go);
}

static void count_group(struct wg_emit *e, const struct group *g, uint32_t number, struct wg_value *a,
                        LLVMValueRef mask) {
    LLVMValueRef args[5], usual = NULL;
    bool all = wg_is_full(mask);
    if (e->v == WG_GENERAL) {
        group_args(e, a, mask, number, args);
        wg_call_helper(e, "wg_jit_count_group", LLVMVoidTypeInContext(e->L.ctx), args, 5);
        return;
    }
    if (!all) usual = LLVMBuildICmp(e->L.b, LLVMIntEQ, mask, wg_i32(e, UINT32_MAX), "");
    if (has_scale(g)) {
        LLVMValueRef key = LLVMBuildLoad2(e->L.b, e->i64, unit_at(e, g->unit), "");
        LLVMValueRef same = LLVMBuildICmp(e->L.b, LLVMIntEQ, LLVMBuildNot(e->L.b, key, ""), a->scale, "");
        usual = usual ? LLVMBuildAnd(e->L.b, usual, same, "") : same;
    }
    if (!usual) {
        count_cell(e, g, number, a, mask);
        return;
    }
    LLVMBasicBlockRef fast = wg_new_bb(e, "usual"), slow = wg_new_bb(e, "unusual"),
                      join = wg_new_bb(e, "seen");
    LLVMBuildCondBr(e->L.b, usual, fast, slow);
    LLVMPositionBuilderAtEnd(e->L.b, slow);
    group_args(e, a, mask, number, args);
    wg_call_helper(e, "wg_jit_count_group", LLVMVoidTypeInContext(e->L.ctx), args, 5);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, fast);
    count_cell(e, g, number, a, wg_i32(e, UINT32_MAX));
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
}

static void count_regular(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_site *site,
                          uint32_t number, struct wg_value *a, LLVMValueRef mask) {
    struct wg_count_state *s = state(e);
    const struct wg_ir_opd *o = &in->src[0];
    LLVMValueRef base = o->kind == WG_O_REG ? wg_value_get(e, o->index)->base : NULL;
    int64_t offset = in->offset + (o->kind == WG_O_REG ? 0 : (int64_t)o->imm);
    struct group *g = find_open(e, in, base, mask);
    if (!g) {
        g = WG_PUSH(&s->v);
        *g = (struct group){.base = base,
                            .mask = mask,
                            .space = in->space,
                            .kind = o->kind,
                            .index = o->index,
                            .first_offset = offset,
                            .k = a->kind == WG_AFFINE ? a->k : NULL,
                            .r = a->kind == WG_AFFINE ? a->r : NULL};
        find_phases(in, site->bytes, a, g);
        g->unit = s->units;
        if (e->v == WG_CONVERGED) s->units += 1 + g->phases;
        count_group(e, g, s->v.n - 1, a, mask);
        g = &s->v.v[s->v.n - 1];
    }
    *WG_PUSH(&g->members) = (struct member){number, offset + site->shift - g->first_offset};
    if (site->also)
        *WG_PUSH(&g->members) =
            (struct member){number + site->also, offset + site[site->also].shift - g->first_offset};
}

void wg_count_memory(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, LLVMValueRef mask) {
    const struct wg_sites *sites = counts(e) ? e->opts->sites : NULL;
    uint32_t site = sites ? sites->memory[in->id] : WG_NO_SITE;
    if (site == WG_NO_SITE) return;
    if (in->op == WG_OP_CP_ASYNC) return; /* wg_count_copy counts both of its addresses together */
    if (in->op == WG_OP_WMMA_LOAD || in->op == WG_OP_WMMA_STORE) return; /* wg_count_tile counts those */
    if (is_regular(in, a) && sites->v[site].way != WG_SHARED_WAY_LOOP) {
        count_regular(e, in, &sites->v[site], site, a, mask);
        return;
    }
    LLVMValueRef pointers = wg_pointers(e, a);
    LLVMValueRef at = LLVMBuildPtrToInt(e->L.b, pointers, LLVMVectorType(e->i64, WG_LANES), "");
    LLVMValueRef args[5] = {e->warp, wg_spill_lanes(e, 0, at), mask, wg_i32(e, in->id), wg_i32(e, in->space)};
    wg_call_helper(e, "wg_jit_count", LLVMVoidTypeInContext(e->L.ctx), args, 5);
}

void wg_count_copy(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask, LLVMValueRef reads,
                   struct wg_value *from, struct wg_value *to) {
    if (!counts(e) || e->opts->sites->memory[in->id] == WG_NO_SITE) return;
    LLVMTypeRef t = LLVMVectorType(e->i64, WG_LANES);
    LLVMValueRef a = wg_spill_lanes(e, 0, LLVMBuildPtrToInt(e->L.b, wg_pointers(e, from), t, ""));
    LLVMValueRef b = wg_spill_lanes(e, 1, LLVMBuildPtrToInt(e->L.b, wg_pointers(e, to), t, ""));
    LLVMValueRef args[7] = {
        e->warp, a, b, mask, reads, wg_i32(e, in->id), wg_i32(e, in->mod[WG_MC_CACHE] == WG_M_cg)};
    wg_call_helper(e, "wg_jit_count_async", LLVMVoidTypeInContext(e->L.ctx), args, 7);
}

void wg_count_tile(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef at, LLVMValueRef stride) {
    if (!counts(e) || e->opts->sites->memory[in->id] == WG_NO_SITE) return;
    struct wg_fragment f = wg_fragment_of(in);
    uint64_t code = f.form | (uint64_t)f.rows << 8 | (uint64_t)f.columns << 16 | (uint64_t)f.element << 24 |
                    (uint64_t)f.each << 32;
    LLVMValueRef args[6] = {e->warp, at, stride, wg_i32(e, in->id), wg_i32(e, in->space), wg_i64(e, code)};
    wg_call_helper(e, "wg_jit_count_tile", LLVMVoidTypeInContext(e->L.ctx), args, 6);
}

/* ---- the groups as data ---- */

struct words {
    WG_VEC(LLVMValueRef) v;
};
static void put_word(struct wg_emit *e, struct words *w, int64_t x) {
    *WG_PUSH(&w->v) = wg_i64(e, (uint64_t)x);
}

void wg_count_finish(struct wg_emit *e, const char *symbol) {
    struct wg_count_state *s = state(e);
    struct words w = {0};
    put_word(e, &w, s->units);
    put_word(e, &w, s->v.n);
    for (uint32_t i = 0; i < s->v.n; i++) {
        struct group *g = &s->v.v[i];
        put_word(e, &w, g->unit);
        put_word(e, &w, g->phases);
        put_word(e, &w, g->shift);
        put_word(e, &w, g->space == WG_S_SHARED);
        put_word(e, &w, g->members.n);
        for (int l = 0; l < WG_LANES; l++) put_word(e, &w, g->k ? g->k[l] : 0);
        for (int l = 0; l < WG_LANES; l++) put_word(e, &w, g->r ? g->r[l] : 0);
        for (uint32_t m = 0; m < g->members.n; m++) {
            put_word(e, &w, g->members.v[m].site);
            put_word(e, &w, g->members.v[m].offset);
        }
        free(g->members.v);
    }
    free(s->v.v);
    LLVMValueRef data = LLVMConstArray2(e->i64, w.v.v, w.v.n);
    LLVMValueRef global = LLVMAddGlobal(e->L.module, LLVMTypeOf(data), symbol);
    LLVMSetInitializer(global, data);
    LLVMSetGlobalConstant(global, 1);
    free(w.v.v);
}
