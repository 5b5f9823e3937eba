/* See quiet.h. */
#include "check/instrument/quiet.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS_MOST = 1 << 16 };
enum kind { LOAD, STORE, ATOMIC };

struct use { /* an instruction that may touch shared memory */
    const struct wg_ir_instr *in;
    uint32_t block;
    enum kind kind;
    bool ordered;  /* volatile, relaxed or the like */
    bool of_block; /* an atomic for its own block alone */
    bool remote;   /* it may be another block's memory */
    uint8_t quiet; /* enum wg_quiet */
};
struct uses {
    WG_VEC(struct use) all;
    bool mapped; /* addresses of other blocks' memory are made */
    bool fenced; /* atomics may be signals */
    bool unclear;
};

/* ---- what the kernel does ---- */

static bool is_ordered(const struct wg_ir_instr *in) {
    enum wg_mod sem = in->mod[WG_MC_SEM];
    return sem != WG_M_none && sem != WG_M_weak;
}

static bool signals(const struct wg_ir_instr *in) {
    enum wg_mod sem = in->mod[WG_MC_SEM];
    return sem == WG_M_acquire || sem == WG_M_release || sem == WG_M_acq_rel;
}

static enum kind kind_of(const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_LD:
    case WG_OP_LDU:
    case WG_OP_WMMA_LOAD:
    case WG_OP_LDMATRIX: return LOAD;
    case WG_OP_ATOM:
    case WG_OP_RED: return ATOMIC;
    default: return STORE;
    }
}

static bool may_be_shared(const struct wg_instrument *x, const struct wg_ir_instr *in) {
    const struct wg_ir_opd *o = &in->src[0];
    uint32_t v = o->kind == WG_O_SYM ? o->index : o->kind == WG_O_REG ? x->variable[o->index] : WG_NO_REG;
    if (in->space == WG_S_SHARED || in->space == WG_S_CLUSTER) return true;
    if (in->space != WG_S_GENERIC) return false;
    return v == WG_NO_REG || x->m->syms[v].kind == WG_SYM_SHARED || x->m->syms[v].kind == WG_SYM_DYNSHARED;
}

static void see(const struct wg_instrument *x, struct uses *u, uint32_t block, const struct wg_ir_instr *in) {
    bool rows = in->op == WG_OP_LDMATRIX || in->op == WG_OP_STMATRIX || in->op == WG_OP_WMMA_LOAD ||
                in->op == WG_OP_WMMA_STORE;
    u->mapped |= in->op == WG_OP_MAPA;
    u->fenced |= in->op == WG_OP_MEMBAR || in->op == WG_OP_FENCE;
    u->unclear |= in->op == WG_OP_CP_ASYNC || in->op == WG_OP_WGMMA || wg_op_flags(in->op) & WG_F_BULK ||
                  (in->op == WG_OP_CALL && in->call->builtin == WG_B_none);
    if (!rows && !wg_instrument_is_access(x, in)) return;
    u->fenced |= signals(in);
    if (!may_be_shared(x, in)) return;
    *WG_PUSH(&u->all) = (struct use){.in = in,
                                     .block = block,
                                     .kind = kind_of(in),
                                     .ordered = kind_of(in) != ATOMIC && is_ordered(in),
                                     .of_block = in->mod[WG_MC_SCOPE] == WG_M_cta,
                                     .remote = in->space != WG_S_SHARED};
}

/* ---- what is right beside what ---- */

static bool may_race(const struct use *a, const struct use *b, bool same_block) {
    if (a->kind == LOAD && b->kind == LOAD) return false;
    return a->kind != ATOMIC || b->kind != ATOMIC || (!same_block && (a->of_block || b->of_block));
}

struct proof {
    struct uses u;
    const struct wg_intervals *block,
        *cluster;  /* cluster: NULL when no thread accesses another block's memory */
    bool outlasts; /* blocks may end while others still use their memory */
    WG_VEC(struct wg_quiet_pair) pairs;
};

static bool prepare(struct wg_instrument *x, struct proof *p) {
    for (uint32_t b = 0; b < x->from->nblocks; b++)
        for (uint32_t i = 0; i < x->from->blocks[b].ninstrs; i++)
            see(x, &p->u, b, &x->from->blocks[b].instrs[i]);
    if (p->u.unclear || !p->u.all.n) return false;
    p->block = wg_intervals_find(x->arena, x->from, WG_INTERVALS_BLOCK);
    if (p->u.mapped) p->cluster = wg_intervals_find(x->arena, x->from, WG_INTERVALS_CLUSTER);
    if (!p->block || (p->u.mapped && !p->cluster)) return false;
    for (uint32_t i = 0; p->cluster && i < p->u.all.n; i++)
        p->outlasts |= p->u.all.v[i].remote && wg_bits_has(p->cluster->outlasted, p->u.all.v[i].block);
    return true;
}

/* Whatever the addresses are. */
static bool is_loud(const struct proof *p, const struct use *a) {
    return a->ordered || (a->kind == ATOMIC && p->u.fenced) || (p->cluster && a->remote && p->outlasts);
}

/* Threads of two blocks of a cluster. */
static bool may_race_in_cluster(const struct proof *p, const struct use *a, const struct use *b) {
    if (!p->cluster || !(a->remote || b->remote)) return false;
    return may_race(a, b, false) && wg_bits_has(p->cluster->meets[a->block], b->block);
}

static void see_pair(struct proof *p, struct use *a, struct use *b) {
    if (a->quiet == WG_TOLD && b->quiet == WG_TOLD) return;
    struct wg_meeting m;
    bool cluster = may_race_in_cluster(p, a, b),
         block = may_race(a, b, true) && wg_intervals_meet(p->block, a->block, b->block, &m);
    if (cluster || (block && p->pairs.n == PAIRS_MOST)) {
        a->quiet = b->quiet = WG_TOLD;
    } else if (block) {
        *WG_PUSH(&p->pairs) = (struct wg_quiet_pair){a->in, b->in, m};
        if (a->quiet == WG_QUIET) a->quiet = WG_PERHAPS_QUIET;
        if (b->quiet == WG_QUIET) b->quiet = WG_PERHAPS_QUIET;
    }
}

static const struct wg_quiet_pairs *keep_pairs(struct wg_instrument *x, const struct proof *p) {
    if (!p->pairs.n) return NULL;
    struct wg_quiet_pairs *out = WG_NEW(x->arena, struct wg_quiet_pairs);
    *out =
        (struct wg_quiet_pairs){.v = WG_NEW_N(x->arena, struct wg_quiet_pair, p->pairs.n), .n = p->pairs.n};
    memcpy(out->v, p->pairs.v, p->pairs.n * sizeof *out->v);
    return out;
}

const struct wg_quiet_pairs *wg_quiet_find(struct wg_instrument *x) {
    struct proof p = {.block = NULL};
    const struct wg_quiet_pairs *pairs = NULL;
    struct use *v;
    if (x->from->entry && prepare(x, &p)) {
        v = p.u.all.v;
        for (uint32_t i = 0; i < p.u.all.n; i++) v[i].quiet = is_loud(&p, &v[i]) ? WG_TOLD : WG_QUIET;
        for (uint32_t i = 0; i < p.u.all.n; i++)
            for (uint32_t k = 0; k <= i; k++) see_pair(&p, &v[i], &v[k]);
        for (uint32_t i = 0; i < p.u.all.n; i++) x->sites[v[i].in->id].quiet = v[i].quiet;
        pairs = keep_pairs(x, &p);
    }
    free(p.u.all.v);
    free(p.pairs.v);
    return pairs;
}
