/* See registers.h. */
#include "analysis/registers.h"
#include "analysis/flow.h"
#include <string.h>

enum {
    OVERHEAD = 6, /* seen: the hardware's compiler keeps about this many more */
    LEAST = 8,
    MOST = 255,
    PREDICATES = 7, /* of their own, not counted until they run out */
};

struct pressure {
    const struct wg_ir_func *f;
    wg_bits live;
    uint32_t words, predicates, most;
};

static uint32_t words_of(const struct wg_ir_reg *r) {
    return r->width == WG_W128 ? 4 : r->width == WG_W64 ? 2 : r->width == WG_W1 ? 0 : 1;
}

static void change(struct pressure *p, uint32_t r, bool alive) {
    if (wg_bits_has(p->live, r) == alive) return;
    uint32_t words = words_of(&p->f->regs[r]);
    if (alive) {
        wg_bits_add(p->live, r);
        p->words += words;
        p->predicates += words == 0;
    } else {
        wg_bits_del(p->live, r);
        p->words -= words;
        p->predicates -= words == 0;
    }
    uint32_t now = p->words + (p->predicates > PREDICATES ? p->predicates - PREDICATES : 0);
    if (now > p->most) p->most = now;
}
static void begins(void *p, uint32_t r) { change(p, r, true); }
static void ends(void *p, uint32_t r) { change(p, r, false); }

static void walk(struct pressure *p, const struct wg_analysis *an, uint32_t block) {
    const struct wg_ir_block *b = &p->f->blocks[block];
    memset(p->live, 0, (p->f->nregs + 63) / 64 * sizeof *p->live);
    p->words = p->predicates = 0;
    WG_BITS_EACH(r, an->live_out[block], p->f->nregs) begins(p, r);
    if (b->term == WG_TERM_CBR || b->term == WG_TERM_BRX) begins(p, b->cond);
    for (uint32_t i = b->ninstrs; i-- > 0;) {
        if (b->instrs[i].guard == WG_NO_REG) wg_each_def(&b->instrs[i], ends, p);
        wg_each_use(&b->instrs[i], begins, p);
    }
}

uint32_t wg_registers_estimate(const struct wg_ir_func *f) {
    struct wg_analysis an = {.func = f};
    struct pressure p = {.f = f};
    wg_flow_liveness(&an);
    p.live = wg_bits_new(&an.arena, f->nregs);
    for (uint32_t b = 0; b < f->nblocks; b++) walk(&p, &an, b);
    wg_arena_free(&an.arena);
    uint32_t n = (p.most + OVERHEAD + 1) / 2 * 2;
    if (f->maxnreg && n > f->maxnreg) n = f->maxnreg;
    return n < LEAST ? LEAST : n > MOST ? MOST : n;
}
