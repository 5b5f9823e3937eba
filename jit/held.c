/* See held.h. What all warps' lanes touch by one instruction, and by others from the same pointer, is taken
 * for one stretch of memory from the first byte to the last: a store into the gaps between is found to lie
 * apart by nobody, and costs time only.
 *
 *     loads  [low, high)  of in       stores  [low, high)  of out       low < high' && low' < high: each
 * alone
 */
#include "jit/held.h"
#include "analysis/straight.h"
#include "jit/columns.h"
#include "jit/sides.h"

enum { MOST_SOURCES = 2 };

struct stretch {
    uint32_t root; /* the pointer it is reached by, or WG_NO_REG */
    LLVMValueRef low, high;
};

struct access {
    const struct wg_ir_instr *in;
    uint32_t block, instr;
    struct wg_value source[WG_JAM_MOST][MOST_SOURCES];
};

struct wg_held {
    struct stretch loaded[WG_MOST_HELD], stored[WG_MOST_HELD];
    struct access load[WG_MOST_HELD], store[WG_MOST_HELD];
    uint32_t nloaded, nstored, nloads, nstores;
};

struct wg_held *wg_new_held(struct wg_emit *e) { return WG_NEW(&e->an->arena, struct wg_held); }

static LLVMValueRef pick(struct wg_emit *e, const char *which, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef pair[2] = {x, y};
    return wg_lower_intrinsic(&e->L, which, &e->i64, 1, pair, 2);
}

static void ends_of(const int64_t *k, int64_t *least, int64_t *most) {
    *least = *most = k ? k[0] : 0;
    for (int l = 0; l < WG_LANES && k; l++) {
        *least = k[l] < *least ? k[l] : *least;
        *most = k[l] > *most ? k[l] : *most;
    }
}

/* Of one warp. */
static struct stretch stretch_of(struct wg_emit *e, const struct wg_ir_instr *in) {
    struct wg_value a = wg_unchecked_address(e, in);
    uint32_t root = wg_operand_fact(e->an, WG_CONVERGED, &in->src[0]).root;
    if (a.kind == WG_VARYING) return (struct stretch){root, wg_i64(e, 0), wg_i64(e, UINT64_MAX)};
    int64_t least, most, bytes = wg_type_bits(in->type) / 8 * in->nvec;
    ends_of(a.k, &least, &most);
    struct stretch s = {root, LLVMBuildAdd(e->L.b, a.base, wg_i64(e, (uint64_t)least), ""),
                        LLVMBuildAdd(e->L.b, a.base, wg_i64(e, (uint64_t)(most + bytes)), "")};
    if (!a.r) return s;
    ends_of(a.r, &least, &most);
    LLVMValueRef x = LLVMBuildMul(e->L.b, a.scale, wg_i64(e, (uint64_t)least), ""),
                 y = LLVMBuildMul(e->L.b, a.scale, wg_i64(e, (uint64_t)most), "");
    s.low = LLVMBuildAdd(e->L.b, s.low, pick(e, "llvm.smin", x, y), "");
    s.high = LLVMBuildAdd(e->L.b, s.high, pick(e, "llvm.smax", x, y), "");
    return s;
}

static void join(struct wg_emit *e, struct stretch *all, uint32_t *n, bool new_instr, struct stretch s) {
    struct stretch *to = NULL;
    for (uint32_t i = 0; i < *n && s.root != WG_NO_REG; i++)
        if (all[i].root == s.root) to = &all[i];
    if (!to && !new_instr) to = &all[*n - 1];
    if (!to) {
        all[(*n)++] = s;
        return;
    }
    to->low = pick(e, "llvm.umin", to->low, s.low);
    to->high = pick(e, "llvm.umax", to->high, s.high);
}

/* ---- holding ---- */

static bool only_stored(const struct wg_emit *e, uint32_t reg) {
    const struct wg_ir_func *f = e->func;
    uint32_t n = 0;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            bool held = in->op == WG_OP_ST && in->space == WG_S_GLOBAL &&
                        e->an->phases->of[b] == e->an->phases->of[e->block];
            n += held && in->src[1].kind == WG_O_REG && in->src[1].index == reg;
        }
    return e->an->ndefs[reg] == 1 && n == e->an->nuses[reg];
}

static bool is_late(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return in->op == WG_OP_LD && e->sides->jam->columns[e->block][e->instr] &&
           e->an->ndefs[in->src[0].index] == 1 && only_stored(e, in->dst[0].index);
}

static bool is_loaded_late(const struct wg_held *h, const struct wg_ir_opd *o) {
    for (uint32_t i = 0; i < h->nloads; i++)
        if (o->kind == WG_O_REG && h->load[i].in->dst[0].index == o->index) return true;
    return false;
}

static void keep(struct wg_emit *e, struct wg_held *h, struct access *a, const struct wg_ir_instr *in) {
    *a = (struct access){.in = in, .block = e->block, .instr = e->instr};
    EACH_SIDE(e, k)
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind == WG_O_REG && !is_loaded_late(h, &in->src[i]))
            a->source[k][i] = *wg_value_get(e, in->src[i].index);
}

bool wg_hold(struct wg_emit *e, const struct wg_ir_instr *in) {
    struct wg_held *h = e->sides->held;
    bool load = in->op == WG_OP_LD;
    if (!h || (!load && in->op != WG_OP_ST) || in->space != WG_S_GLOBAL) return false;
    EACH_SIDE(e, k) {
        if (in->src[0].kind == WG_O_REG && wg_is_of_first(e, in->src[0].index)) continue;
        if (load)
            join(e, h->loaded, &h->nloaded, k == 0, stretch_of(e, in));
        else
            join(e, h->stored, &h->nstored, k == 0, stretch_of(e, in));
    }
    if (load && !is_late(e, in)) return false;
    struct access *a = load ? &h->load[h->nloads] : &h->store[h->nstores];
    keep(e, h, a, in);
    ++*(load ? &h->nloads : &h->nstores);
    return true;
}

/* ---- releasing ---- */

/* i1: whether a store lies where something was loaded, or may. */
static LLVMValueRef meets(struct wg_emit *e, const struct wg_held *h) {
    LLVMValueRef any = LLVMConstInt(e->i1, 0, 0);
    for (uint32_t i = 0; i < h->nstored; i++)
        for (uint32_t k = 0; k < h->nloaded; k++) {
            const struct stretch *x = &h->stored[i], *y = &h->loaded[k];
            LLVMValueRef before = LLVMBuildICmp(e->L.b, LLVMIntULT, x->low, y->high, "");
            LLVMValueRef behind = LLVMBuildICmp(e->L.b, LLVMIntULT, y->low, x->high, "");
            any = LLVMBuildOr(e->L.b, any, LLVMBuildAnd(e->L.b, before, behind, ""), "");
        }
    return any;
}

/* All is again as it was where the access stands. */
static void go_back_to(struct wg_emit *e, const struct wg_held *h, const struct access *a) {
    e->block = a->block;
    e->instr = a->instr;
    EACH_SIDE(e, k)
    for (uint32_t i = 0; i < a->in->nsrc; i++) {
        const struct wg_ir_opd *o = &a->in->src[i];
        if (o->kind != WG_O_REG || is_loaded_late(h, o) || wg_is_of_first(e, o->index)) continue;
        e->cur[o->index] = a->source[k][i];
        e->have[o->index] = true;
    }
}

static void emit_all(struct wg_emit *e, const struct wg_held *h, const struct access *a, uint32_t n) {
    for (uint32_t i = 0; i < n;) {
        struct wg_columns c = {0};
        go_back_to(e, h, &a[i]);
        if (!e->sides->jam->columns[e->block][e->instr]) {
            wg_emit_for_sides(e, a[i++].in);
            continue;
        }
        do {
            wg_columns_add(e, &c, a[i++].in);
            if (i < n) go_back_to(e, h, &a[i]);
        } while (i < n && wg_columns_go_on(e, &c, a[i].in));
        wg_columns_emit(e, &c);
    }
}

void wg_release(struct wg_emit *e) {
    struct wg_held *h = e->sides->held;
    uint32_t block = e->block, instr = e->instr;
    if (!h) return;
    wg_begin_again_if(e, meets(e, h));
    emit_all(e, h, h->load, h->nloads);
    emit_all(e, h, h->store, h->nstores);
    e->block = block;
    e->instr = instr;
}
