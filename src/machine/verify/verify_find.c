/* Attribution of differences: which words differ, and which threads wrote them. The reference runs the launch
 * again and reports every access. See verify.h. */
#include "machine/verify/verify.h"
#include "machine/worker.h"
#include <math.h>
#include <string.h>

/* ---- what differs ---- */

struct tally {
    struct wg_verify *v;
    struct wg_verify_difference *d;
    uint64_t lowest; /* of memory without an overlay: strays, and the kernels' heap */
};

static bool note_word(void *user, uint64_t word, bool stray) {
    struct tally *t = user;
    t->d->words++;
    t->d->strays += stray;
    struct wg_replay_line line = wg_replay_line_at(t->v->overlay, word);
    if (!(line.written >> word % WG_VERIFY_LINE & 15) && word < t->lowest) t->lowest = word;
    wg_replay_mark(t->v->overlay, word, WG_VERIFY_WORD);
    return true;
}

static uint64_t marked(struct wg_replay *r, uint64_t address, uint32_t size) {
    uint64_t any = 0;
    for (uint64_t a = address; a < address + size; a++)
        any |= wg_replay_line_at(r, a).marked >> a % WG_VERIFY_LINE & 1;
    return any;
}

/* ---- order of float atomics ---- */

static uint32_t element_bytes(const struct wg_ir_instr *i) { return (wg_type_bits(i->type) + 7u) / 8; }

bool wg_verify_adds_floats(const struct wg_access *a) {
    const struct wg_ir_instr *i = a->instr;
    if (a->kind != WG_ACCESS_ATOMIC || i->mod[WG_MC_AOP] != WG_M_add) return false;
    switch (i->type) {
    case WG_T_F16:
    case WG_T_F16X2:
    case WG_T_BF16:
    case WG_T_BF16X2:
    case WG_T_F32:
    case WG_T_F64: return true;
    default: return false;
    }
}

static bool is_used(const struct wg_ir_func *f, uint32_t reg) {
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *block = &f->blocks[b];
        if ((block->term == WG_TERM_CBR || block->term == WG_TERM_BRX) && block->cond == reg) return true;
        for (uint32_t k = 0; k < block->ninstrs; k++) {
            const struct wg_ir_instr *in = &block->instrs[k];
            if (in->guard == reg) return true;
            for (uint32_t s = 0; s < in->nsrc; s++)
                if (in->src[s].kind == WG_O_REG && in->src[s].index == reg) return true;
        }
    }
    return false;
}

static const struct wg_ir_func *func_of(const struct wg_ir_module *m, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < m->nfuncs; i++)
        for (uint32_t b = 0; b < m->funcs[i].nblocks; b++) {
            const struct wg_ir_block *block = &m->funcs[i].blocks[b];
            if (in >= block->instrs && in < block->instrs + block->ninstrs) return &m->funcs[i];
        }
    return NULL;
}

bool wg_verify_uses_old_value(const struct wg_ir_module *m, const struct wg_ir_instr *in) {
    const struct wg_ir_func *f = func_of(m, in);
    if (in->nvec > 1 || !f) return true;
    for (uint32_t d = 0; d < in->ndst; d++)
        if (in->dst[d].kind == WG_O_REG && is_used(f, in->dst[d].index)) return true;
    return false;
}

struct watch {
    struct wg_verify *v;
    uint64_t first; /* the first word that differs, of those that are written otherwise; 0: none so far */
    uint64_t word;  /* that is watched */
    const struct wg_ir_instr *asked; /* the last atomic */
    struct wg_verify_difference *d;
};

static bool mark_writes(void *user, const struct wg_warp *w, const struct wg_access *a) {
    struct watch *x = user;
    if (a->kind == WG_ACCESS_ATOMIC && a->instr != x->asked) {
        x->asked = a->instr;
        x->d->order_is_open |= wg_verify_uses_old_value(wg_grid_ir(x->v->g), a->instr);
    }
    if (a->kind == WG_ACCESS_LOAD || wg_verify_adds_floats(a)) return true;
    wg_replay_mark(x->v->running, a->address, a->size);
    for (uint64_t k = a->address; !x->first && k < a->address + a->size; k++)
        if (marked(x->v->overlay, k, 1)) x->first = k & ~(uint64_t)(WG_VERIFY_WORD - 1);
    return true;
}

/* Sums in another order are near each other. What is not is no matter of order. */
static bool near_enough(const struct wg_verify *v, const struct wg_snapshot_state *now, uint64_t word) {
    float a, b;
    double c, d;
    struct wg_replay_line line = wg_replay_line_at(v->overlay, word);
    uint32_t at = word % WG_VERIFY_LINE;
    memcpy(&a, line.bytes + at, sizeof a);
    wg_snapshot_read(v->snapshot, now, word, &b, sizeof b);
    if (fabsf(a - b) <= 1e-3f * fmaxf(fabsf(a), fabsf(b)) || (isnan(a) && isnan(b))) return true;
    /* The lower half of a double, perhaps. */
    memcpy(&c, line.bytes + (at & ~7u), sizeof c);
    wg_snapshot_read(v->snapshot, now, word & ~UINT64_C(7), &d, sizeof d);
    return fabs(c - d) <= 1e-9 * fmax(fabs(c), fabs(d));
}

static void count_by_order(struct wg_verify *v, const struct wg_snapshot_state *now,
                           struct wg_verify_difference *d, uint64_t *lowest) {
    struct wg_replay_line line;
    *lowest = UINT64_MAX;
    for (size_t at = 0; wg_replay_next(v->overlay, &at, &line);)
        for (uint32_t k = 0; k < WG_VERIFY_LINE; k += WG_VERIFY_WORD) {
            uint64_t word = line.address + k;
            if (!((line.marked & line.written) >> k & 15)) continue;
            if (wg_verify_is_by_order(v, word)) {
                if (near_enough(v, now, word))
                    d->by_order++;
                else
                    wg_replay_mark(v->marks, word, WG_VERIFY_WORD);
            }
            if (!wg_verify_is_by_order(v, word) && word < *lowest) *lowest = word;
        }
}

/* ---- who wrote it ---- */

static bool watch_word(void *user, const struct wg_warp *w, const struct wg_access *a) {
    struct watch *x = user;
    const struct wg_cta *c = w->machine;
    const uint32_t *n = c->block.ntid;
    uint32_t t = w->id * WG_LANES + a->lane;
    if (a->kind == WG_ACCESS_LOAD || a->address >= x->word + WG_VERIFY_WORD ||
        a->address + a->size <= x->word)
        return true;
    struct wg_verify_difference *d = x->d;
    d->instr = a->instr;
    memcpy(d->block, c->block.ctaid, sizeof d->block);
    d->thread[0] = t % n[0];
    d->thread[1] = t / n[0] % n[1];
    d->thread[2] = t / n[0] / n[1];
    /* Of a vector, the element. */
    uint32_t bytes = element_bytes(a->instr);
    if (!bytes || bytes > a->size || bytes > sizeof d->generated) bytes = WG_VERIFY_WORD;
    uint64_t into = x->word > a->address ? x->word - a->address : 0;
    d->at = a->address + into / bytes * bytes;
    d->size = bytes;
    return true;
}

static void read_values(const struct wg_verify *v, const struct wg_snapshot_state *now,
                        struct wg_verify_difference *d) {
    for (uint32_t k = 0; k < d->size; k++) {
        wg_snapshot_read(v->snapshot, now, d->at + k, &d->generated[k], 1);
        wg_verify_expected(v, d->at + k, &d->reference[k]);
    }
}

bool wg_verify_find(struct wg_verify *v, const struct wg_snapshot_state *now,
                    struct wg_verify_difference *d) {
    struct tally t = {v, d, UINT64_MAX};
    struct watch x = {.v = v, .d = d};
    uint64_t lowest;
    *d = (struct wg_verify_difference){0};
    wg_verify_compare(v, note_word, &t);
    v->marks = wg_verify_replay(v, mark_writes, &x);
    count_by_order(v, now, d, &lowest);
    if (d->words == d->by_order) return false;
    x.word = x.first ? x.first : lowest != UINT64_MAX ? lowest : t.lowest;
    d->at = x.word;
    d->size = WG_VERIFY_WORD;
    wg_replay_free(wg_verify_replay(v, watch_word, &x));
    read_values(v, now, d);
    return true;
}
