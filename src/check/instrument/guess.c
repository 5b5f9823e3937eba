/* See guess.h. A forward data-flow analysis for each load that has an exchange at its address: which
 * registers depend on it, block by block to a fixed point. All sets only grow. */
#include "check/instrument/guess.h"
#include "cfg/cfg.h"

#include <string.h>

enum { MOST_STEPS = 8, MOST_EXCHANGES = 8, MOST_BESIDE = 64 };

/* Registers that depend on the guess; on one that turned out wrong; on one at another address. */
enum set { GUESSED, FAILED, ELSEWHERE, SETS };
struct sets {
    wg_bits of[SETS];
};

struct address {
    struct wg_ir_opd base;
    uint64_t offset;
};

struct guesses { /* of a function */
    const struct wg_ir_module *m;
    struct wg_cfg cfg; /* liveness */
    const struct wg_ir_func *f;
    const struct wg_ir_instr **writer; /* [register] the only one, which always writes it; else NULL */
    bool *written;                     /* [register] */
    struct sets *in, now;              /* [block] */
    /* Whether a block is come to depends on the guess, or on one that turned out wrong; and what is wanted
     * behind such blocks: registers that depend on it if they are written there. */
    wg_bits beside[ELSEWHERE], wanted[ELSEWHERE];
};

struct guess { /* of a load */
    struct guesses *g;
    const struct wg_ir_instr *load, *exchange[MOST_EXCHANGES];
    struct address at;
    uint32_t nexchanges;
    bool changed, refuted;
};

/* ---- registers ---- */

struct noting {
    struct guesses *g;
    const struct wg_ir_instr *in;
};
static void note_writer(void *user, uint32_t r) {
    struct noting *n = user;
    bool only = !n->g->written[r] && n->in->guard == WG_NO_REG;
    n->g->writer[r] = only ? n->in : NULL;
    n->g->written[r] = true;
}

struct seek {
    const uint64_t *set;
    bool hit;
};
static void seek(void *s, uint32_t r) {
    struct seek *k = s;
    k->hit |= wg_bits_has(k->set, r);
}
static bool uses_any(const struct wg_ir_instr *in, const uint64_t *set) {
    struct seek k = {.set = set};
    wg_each_use(in, seek, &k);
    return k.hit;
}
static bool is_in(const struct wg_ir_opd *o, const uint64_t *set) {
    return o->kind == WG_O_REG && wg_bits_has(set, o->index);
}

/* The register that it is a copy of, whatever the type; else NULL. */
static const struct wg_ir_opd *copied(const struct guesses *g, const struct wg_ir_opd *o) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? g->writer[o->index] : NULL;
    return in && in->op == WG_OP_MOV && in->src[0].kind == WG_O_REG ? &in->src[0] : NULL;
}

/* Whether one is a copy of the other, or both of a third. */
static bool is_same(const struct guesses *g, const struct wg_ir_opd *a, const struct wg_ir_opd *b) {
    for (int i = 0; a && i < MOST_STEPS; i++, a = copied(g, a)) {
        const struct wg_ir_opd *c = b;
        for (int k = 0; c && k < MOST_STEPS; k++, c = copied(g, c))
            if (a->kind == WG_O_REG && c->kind == WG_O_REG && a->index == c->index) return true;
    }
    return false;
}

/* ---- addresses ---- */

static struct address address_of(const struct guesses *g, const struct wg_ir_instr *in) {
    struct address a = {in->src[0], (uint64_t)in->offset};
    for (int i = 0; i < MOST_STEPS && a.base.kind == WG_O_REG; i++) {
        const struct wg_ir_instr *from = g->writer[a.base.index];
        bool copies = from && (from->op == WG_OP_MOV || from->op == WG_OP_CVTA || from->op == WG_OP_CVTA_TO);
        bool adds = from && from->op == WG_OP_ADD_I && wg_type_bits(from->type) == 64 &&
                    from->src[0].kind == WG_O_REG && from->src[1].kind == WG_O_IMM;
        if (!copies && !adds) break;
        if (adds) a.offset += from->src[1].imm;
        a.base = from->src[0];
    }
    if (a.base.kind == WG_O_REG) return a;
    a.offset += a.base.imm;
    a.base.imm = 0;
    return a;
}

static bool is_others(uint8_t space) {
    return space == WG_S_GENERIC || space == WG_S_GLOBAL || space == WG_S_SHARED || space == WG_S_CLUSTER;
}

static bool is_exchange(const struct guess *q, const struct wg_ir_instr *in) {
    if (in->op != WG_OP_ATOM || in->mod[WG_MC_AOP] != WG_M_cas || !is_others(in->space)) return false;
    struct address a = address_of(q->g, in);
    return a.base.kind == q->at.base.kind && a.base.index == q->at.base.index && a.offset == q->at.offset &&
           wg_type_bits(in->type) == wg_type_bits(q->load->type);
}

static bool is_plain_load(const struct wg_ir_instr *in) {
    enum wg_mod sem = in->mod[WG_MC_SEM], cache = in->mod[WG_MC_CACHE];
    return in->op == WG_OP_LD && in->nvec == 1 && is_others(in->space) && in->ndst == 1 &&
           in->dst[0].kind == WG_O_REG && (sem == WG_M_none || sem == WG_M_weak) && cache != WG_M_nc;
}

/* ---- exchanges that take the guess ---- */

/* Registers that the guess itself may be in. */
static wg_bits find_copies(const struct guess *q) {
    const struct wg_ir_func *f = q->g->f;
    wg_bits set = wg_bits_new(&q->g->cfg.arena, f->nregs), was = wg_bits_new(&q->g->cfg.arena, f->nregs);
    wg_bits_add(set, q->load->dst[0].index);
    while (wg_bits_join(was, set, f->nregs))
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
                const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
                if (in->op == WG_OP_MOV && in->dst[0].kind == WG_O_REG && is_in(&in->src[0], set))
                    wg_bits_add(set, in->dst[0].index);
            }
    return set;
}

static bool has_exchange(const struct guess *q) {
    const struct wg_ir_func *f = q->g->f;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (is_exchange(q, &f->blocks[b].instrs[i])) return true;
    return false;
}

static void find_exchanges(struct guess *q) {
    const struct wg_ir_func *f = q->g->f;
    wg_bits copies = find_copies(q);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (q->nexchanges < MOST_EXCHANGES && is_exchange(q, in) && is_in(&in->src[1], copies))
                q->exchange[q->nexchanges++] = in;
        }
}

/* Whether the register says if an exchange that takes the guess went right. right: what it is then. */
static bool says_how(const struct guess *q, const struct wg_ir_instr *in, bool *right) {
    if (!in || in->op != WG_OP_SETP) return false;
    enum wg_mod cmp = in->mod[WG_MC_CMP];
    *right = cmp == WG_M_eq || cmp == WG_M_equ;
    if (!*right && cmp != WG_M_ne && cmp != WG_M_neu) return false;
    for (uint32_t i = 0; i < q->nexchanges; i++) {
        const struct wg_ir_instr *x = q->exchange[i];
        if (!x->ndst) continue;
        for (int k = 0; k < 2; k++)
            if (is_same(q->g, &in->src[k], &x->src[1]) && is_same(q->g, &in->src[1 - k], &x->dst[0]))
                return true;
    }
    return false;
}

/* ---- what an instruction does ---- */

/* All that comes of it is its results, which depend on its operands alone. */
static bool computes(const struct wg_ir_instr *in) { return in->op != WG_OP_NONE && !wg_op_flags(in->op); }

struct writing {
    const struct guesses *g;
    struct sets *s;
    uint32_t block;
    bool to[SETS], always;
};
static void write_one(void *user, uint32_t r) {
    const struct writing *w = user;
    for (int k = 0; k < SETS; k++) {
        bool decided =
            k < ELSEWHERE && wg_bits_has(w->g->beside[k], w->block) && wg_bits_has(w->g->wanted[k], r);
        if (w->to[k] || decided)
            wg_bits_add(w->s->of[k], r);
        else if (w->always)
            wg_bits_del(w->s->of[k], r);
    }
}

static void step(struct guess *q, uint32_t b, const struct wg_ir_instr *in, struct sets *s) {
    struct writing w = {.g = q->g, .s = s, .block = b, .always = in->guard == WG_NO_REG};
    bool exchanges = is_exchange(q, in), right, depends = uses_any(in, s->of[GUESSED]);
    if (in == q->load) {
        q->refuted |= depends;
        w.to[GUESSED] = true;
    } else if (depends && exchanges) {
        q->refuted |= (in->guard != WG_NO_REG && wg_bits_has(s->of[GUESSED], in->guard)) ||
                      uses_any(in, s->of[ELSEWHERE]);
    } else if (depends) {
        q->refuted |= !computes(in);
        for (int k = 0; k < SETS && !says_how(q, in, &right); k++) w.to[k] = uses_any(in, s->of[k]);
    }
    wg_each_def(in, write_one, &w);
    if (q->at.base.kind != WG_O_REG) return;
    struct wg_ir_opd base = q->at.base;
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG && in->dst[i].index == base.index)
            wg_bits_join(s->of[ELSEWHERE], s->of[GUESSED], q->g->f->nregs);
}

/* ---- branches that the guess decides ---- */

/* What is come to from the block without going through `join`; false: too much, the function's end, or
 * something that does more than compute, load, and exchange. */
static bool find_between(const struct guess *q, uint32_t from, uint32_t join, uint32_t *found, uint32_t *n) {
    const struct wg_ir_func *f = q->g->f;
    const struct wg_ir_block *blk = &f->blocks[from];
    *n = 0;
    for (uint32_t at = 0;; at++) {
        for (uint32_t k = 0; k < blk->nsucc; k++) {
            uint32_t to = blk->succ[k], i = 0;
            while (i < *n && found[i] != to) i++;
            if (to == join || i < *n) continue;
            if (*n == MOST_BESIDE) return false;
            found[(*n)++] = to;
        }
        if (at == *n) return true;
        blk = &f->blocks[found[at]];
        if (!blk->nsucc) return false;
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            const struct wg_ir_instr *in = &blk->instrs[i];
            if (!computes(in) && in->op != WG_OP_LD && !is_exchange(q, in)) return false;
        }
    }
}

/* Both ways meet again, and what is between them depends on the guess from then on. */
static void decide(struct guess *q, uint32_t b, bool failed) {
    uint32_t best[MOST_BESIDE], between[MOST_BESIDE], n, nbest = MOST_BESIDE + 1, meet = 0;
    for (uint32_t join = 0; join < q->g->f->nblocks; join++) {
        if (!find_between(q, b, join, between, &n) || n >= nbest) continue;
        memcpy(best, between, n * sizeof *best);
        nbest = n;
        meet = join;
    }
    q->refuted |= nbest > MOST_BESIDE;
    for (int k = 0; k <= (failed ? FAILED : GUESSED) && nbest <= MOST_BESIDE; k++) {
        q->changed |= wg_bits_join(q->g->wanted[k], q->g->cfg.live_in[meet], q->g->f->nregs);
        for (uint32_t i = 0; i < nbest; i++) {
            q->changed |= !wg_bits_has(q->g->beside[k], best[i]);
            wg_bits_add(q->g->beside[k], best[i]);
        }
    }
}

static void go_to(struct guess *q, uint32_t to, const struct sets *s) {
    for (int k = 0; k < SETS; k++) q->changed |= wg_bits_join(q->g->in[to].of[k], s->of[k], q->g->f->nregs);
}

static void leave(struct guess *q, uint32_t b, struct sets *s) {
    const struct wg_ir_block *blk = &q->g->f->blocks[b];
    bool right;
    bool asks = blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX;
    if (blk->term == WG_TERM_CBR && says_how(q, q->g->writer[blk->cond], &right)) {
        uint32_t to = right != blk->cond_neg ? 0 : 1;
        go_to(q, blk->succ[to], &(struct sets){{s->of[FAILED], s->of[FAILED], s->of[FAILED]}});
        wg_bits_join(s->of[FAILED], s->of[GUESSED], q->g->f->nregs);
        go_to(q, blk->succ[1 - to], s);
        return;
    }
    if (asks && wg_bits_has(s->of[GUESSED], blk->cond)) decide(q, b, wg_bits_has(s->of[FAILED], blk->cond));
    for (uint32_t k = 0; k < blk->nsucc; k++) go_to(q, blk->succ[k], s);
}

/* ---- loads ---- */

static bool is_only_guess(struct guess *q) {
    struct guesses *g = q->g;
    const struct wg_ir_func *f = g->f;
    const size_t regs = (f->nregs + 63) / 64 * sizeof(uint64_t),
                 blocks = (f->nblocks + 63) / 64 * sizeof(uint64_t);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (int k = 0; k < SETS; k++) memset(g->in[b].of[k], 0, regs);
    for (int k = 0; k < ELSEWHERE; k++) memset(g->beside[k], 0, blocks), memset(g->wanted[k], 0, regs);
    do {
        q->changed = false;
        for (uint32_t b = 0; b < f->nblocks && !q->refuted; b++) {
            const struct wg_ir_block *blk = &f->blocks[b];
            for (int k = 0; k < SETS; k++) wg_bits_copy(g->now.of[k], g->in[b].of[k], f->nregs);
            for (uint32_t i = 0; i < blk->ninstrs; i++) step(q, b, &blk->instrs[i], &g->now);
            leave(q, b, &g->now);
        }
    } while (q->changed && !q->refuted);
    return !q->refuted;
}

static struct sets new_sets(struct guesses *g) {
    struct sets s;
    for (int k = 0; k < SETS; k++) s.of[k] = wg_bits_new(&g->cfg.arena, g->f->nregs);
    return s;
}

static void prepare(struct guesses *g) {
    const struct wg_ir_func *f = g->f;
    g->in = WG_NEW_N(&g->cfg.arena, struct sets, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) g->in[b] = new_sets(g);
    g->now = new_sets(g);
    for (int k = 0; k < ELSEWHERE; k++) {
        g->beside[k] = wg_bits_new(&g->cfg.arena, f->nblocks);
        g->wanted[k] = wg_bits_new(&g->cfg.arena, f->nregs);
    }
    wg_cfg_liveness(&g->cfg);
}

/* The exchange of the narrowest scope: who sees its atomics sees the guess. */
static void look_at(struct wg_instrument *x, struct guesses *g, const struct wg_ir_instr *load) {
    struct guess q = {.g = g, .load = load, .at = address_of(g, load)};
    if (!has_exchange(&q)) return;
    find_exchanges(&q);
    if (!q.nexchanges) return;
    if (!g->in) prepare(g);
    if (!is_only_guess(&q)) return;
    const struct wg_ir_instr *narrowest = q.exchange[0];
    for (uint32_t i = 1; i < q.nexchanges; i++)
        if (q.exchange[i]->mod[WG_MC_SCOPE] == WG_M_cta) narrowest = q.exchange[i];
    x->sites[load->id].guess = narrowest;
}

static bool finds_writers(struct guesses *g) {
    const struct wg_ir_func *f = g->f;
    bool exchanges = false;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            exchanges |= in->op == WG_OP_ATOM && in->mod[WG_MC_AOP] == WG_M_cas;
            if (exchanges) break;
        }
    if (!exchanges) return false;
    g->writer = WG_NEW_N(&g->cfg.arena, const struct wg_ir_instr *, f->nregs + 1);
    g->written = WG_NEW_N(&g->cfg.arena, bool, f->nregs + 1);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            wg_each_def(&f->blocks[b].instrs[i], note_writer, &(struct noting){g, &f->blocks[b].instrs[i]});
    return true;
}

void wg_guess_find(struct wg_instrument *x) {
    struct guesses g = {.m = x->m, .cfg = {.func = x->from}, .f = x->from};
    if (finds_writers(&g))
        for (uint32_t b = 0; b < g.f->nblocks; b++)
            for (uint32_t i = 0; i < g.f->blocks[b].ninstrs; i++)
                if (is_plain_load(&g.f->blocks[b].instrs[i]) && g.f->blocks[b].instrs[i].id)
                    look_at(x, &g, &g.f->blocks[b].instrs[i]);
    wg_arena_free(&g.cfg.arena);
}
