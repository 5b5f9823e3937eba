/* Registers with several definitions that no loop counts: phi nodes. See forms.h.
 *
 *     @%p1 bra A;  mov.u64 %rd1, 0;  bra B;  A:  cvt.u64.u32 %rd1, %r1;  B:  ... [tile + %rd1] ...     0 or %r1
 *
 * If one definition alone reaches a place, and dominates it, the register is what that writes. Otherwise it is what
 * all that reach it have in common of thread and block indices, plus an unknown number in the range of the rest: of
 * counts, too, because a definition may be of an earlier iteration.
 */
#include "scev/form_state.h"
#include <string.h>

enum { DEFINITIONS = 8, DEEP = 100 };
#define MUCH ((wide)1 << 40)

/* Definitions by number, in k->defs. */
struct reaching {
    const struct wg_form_facts *k;
    uint32_t first, end; /* of the register */
    uint32_t n, def[DEFINITIONS];
    bool too_many;
};

/* Adds those in the block before `index`, the last first, up to one that is sure; false: there is no such. */
static bool add_in_block(struct reaching *x, uint32_t block, uint32_t index) {
    for (uint32_t i = x->end; i-- > x->first;) {
        const struct form_place *p = &x->k->defs[i];
        if (p->block != block || p->index >= index) continue;
        bool had = false;
        for (uint32_t d = 0; d < x->n; d++) had |= x->def[d] == i;
        x->too_many |= !had && x->n == DEFINITIONS;
        if (!had && !x->too_many) x->def[x->n++] = i;
        if (form_at(x->k, *p)->guard == WG_NO_REG) return true;
    }
    return false;
}

static void find_reaching(struct form_maker *m, struct reaching *x, struct form_place p) {
    const struct wg_ir_func *f = x->k->cfg->func;
    if (add_in_block(x, p.block, p.index)) return;
    wg_bits seen = wg_bits_new(m->arena, f->nblocks);
    uint32_t *todo = WG_NEW_N(m->arena, uint32_t, f->nblocks + 1), n = 0;
    todo[n++] = p.block;
    while (n && !x->too_many) {
        const struct wg_ir_block *b = &f->blocks[todo[--n]];
        for (uint32_t i = 0; i < b->npred; i++) {
            uint32_t from = b->pred[i];
            if (wg_bits_has(seen, from)) continue;
            wg_bits_add(seen, from);
            if (!add_in_block(x, from, UINT32_MAX)) todo[n++] = from;
        }
    }
}

static struct reaching reaching(struct form_maker *m, uint32_t reg, struct form_place p) {
    struct reaching x = {.k = m->k, .first = m->k->first_def[reg], .end = m->k->first_def[reg + 1]};
    find_reaching(m, &x, p);
    return x;
}

static bool is_alone(const struct reaching *x, struct form_place p) {
    const struct form_place *def = &x->k->defs[x->def[0]];
    return x->n == 1 && !x->too_many && form_at(x->k, *def)->guard == WG_NO_REG && form_before(x->k, *def, p);
}

bool form_reaches_alone(struct form_maker *m, uint32_t reg, struct form_place def, struct form_place p) {
    if (m->symbolic || !form_before(m->k, def, p)) return false;
    struct reaching x = reaching(m, reg, p);
    return is_alone(&x, p) && m->k->defs[x.def[0]].block == def.block &&
           m->k->defs[x.def[0]].index == def.index;
}

static struct wg_sum what_is_written(struct form_maker *m, uint32_t def, uint32_t reg) {
    struct wg_sum **known = &m->written[def];
    if (*known) return **known;
    *known = WG_NEW(m->arena, struct wg_sum); /* not known, if it depends on itself */
    struct form_place at = m->k->defs[def];
    m->depth++;
    struct wg_sum f = form_result(m, form_at(m->k, at), at, reg);
    m->depth--;
    return **known = f;
}

/* The part of a sum that is the same whenever it is computed. */
static struct wg_sum lasting(const struct form_maker *m, const struct wg_sum *f) {
    struct wg_sum out = form_constant(0);
    for (uint32_t i = 0; i < f->nterms; i++)
        if (m->x->vars[f->term[i].var].kind < WG_VAR_AXES) out.term[out.nterms++] = f->term[i];
    return out;
}

/* The numbers that definitions add to what they have in common. */
struct rests {
    wide lo, hi;
    int64_t constant[DEFINITIONS];
    uint32_t n, nconstants;
};

static bool add_rest(struct form_maker *m, struct rests *x, struct wg_sum f, const struct wg_sum *common,
                     const struct wg_form_guards *g) {
    wide lo, hi;
    f.base = WG_BASE_NONE;
    struct wg_sum rest = form_sum(&f, 1, common, -1);
    if (!rest.known) return false;
    if (!form_range(m->x, &rest, g, &lo, &hi)) return true; /* nobody comes there */
    if (!x->n || lo < x->lo) x->lo = lo;
    if (!x->n || hi > x->hi) x->hi = hi;
    if (!rest.nterms) x->constant[x->nconstants++] = rest.constant;
    x->n++;
    return true;
}

static struct wg_sum joined(struct form_maker *m, const struct reaching *x, uint32_t reg) {
    struct rests r = {.n = 0};
    struct wg_sum first = what_is_written(m, x->def[0], reg), common = lasting(m, &first);
    if (!first.known) return first;
    for (uint32_t i = 0; i < x->n; i++) {
        struct wg_sum f = what_is_written(m, x->def[i], reg);
        if (!f.known || f.base != first.base ||
            !add_rest(m, &r, f, &common, form_guards(m, m->k->defs[x->def[i]].block)))
            return form_unknown();
    }
    bool narrow = m->k->cfg->func->regs[reg].width == WG_W32;
    if (!r.n || r.hi - r.lo > (narrow ? (wide)UINT32_MAX : MUCH) || r.lo < INT64_MIN || r.hi > INT64_MAX)
        return form_unknown();
    bool two = r.n == 2 && r.nconstants == 2;
    struct wg_sum some = form_any(m, reg, 0, two ? r.lo != r.hi : (int64_t)(r.hi - r.lo));
    common.base = first.base;
    common.constant = (int64_t)r.lo;
    return form_sum(&common, 1, &some, two ? (int64_t)(r.hi - r.lo) : 1);
}

struct wg_sum form_of_definitions(struct form_maker *m, uint32_t reg, struct form_place p) {
    const struct wg_form_facts *k = m->k;
    enum wg_width w = k->cfg->func->regs[reg].width;
    struct wg_sum f = form_unknown();
    if (!m->symbolic && m->depth < DEEP && (w == WG_W32 || w == WG_W64)) {
        struct reaching x = reaching(m, reg, p);
        if (x.n && !x.too_many) f = is_alone(&x, p) ? what_is_written(m, x.def[0], reg) : joined(m, &x, reg);
    }
    if (f.known && w == WG_W32) form_reduce(&f, 32);
    return f.known || w != WG_W32 ? f : form_any_bits(m, reg, 32, true);
}
