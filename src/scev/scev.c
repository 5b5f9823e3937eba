/* Scalar evolution. See scev.h. */
#include "scev/scev.h"
#include "scev/form_state.h"

enum { MOST_VARS = 512, MOST_BLOCKS_X = INT32_MAX, MOST_BLOCKS = UINT16_MAX };

struct wg_scev {
    bool begun;
    struct wg_form_facts facts;
    struct wg_form_launch shape;
    struct wg_forms forms;
    struct form_maker maker;
    const struct wg_ir_module *module;
    const struct wg_cfg *cfg;
};

struct wg_scev *wg_scev_new(struct wg_arena *a, const struct wg_ir_module *m, const struct wg_cfg *c,
                            const uint32_t ntid[3], enum wg_scev_trust trust) {
    struct wg_scev *s = WG_NEW(a, struct wg_scev);
    *s = (struct wg_scev){.module = m, .cfg = c};
    s->shape = (struct wg_form_launch){.ntid = {ntid[0], ntid[1], ntid[2]},
                                       .nctaid = {MOST_BLOCKS_X, MOST_BLOCKS, MOST_BLOCKS}};
    s->forms.most_vars = MOST_VARS;
    s->maker = (struct form_maker){.x = &s->forms,
                                   .k = &s->facts,
                                   .l = &s->shape,
                                   .arena = a,
                                   .symbolic = true,
                                   .low = trust == WG_SCEV_LOW,
                                   .lax = trust == WG_SCEV_UNWRAPPED};
    for (uint32_t i = 0; i < WG_VAR_AXES; i++) s->maker.cuts[i][0] = s->maker.ncuts[i] = 1;
    return s;
}

static void begin(struct wg_scev *s) {
    if (s->begun) return;
    s->begun = true;
    s->facts.arena = s->maker.arena;
    form_read_graph(&s->facts, s->module, s->cfg);
    form_begin(&s->maker);
}

struct wg_sum wg_scev_at(struct wg_scev *s, const struct wg_ir_opd *o, uint32_t block, uint32_t index) {
    begin(s);
    return form_operand(&s->maker, o, (struct form_place){block, index});
}

struct wg_sum wg_scev_address(struct wg_scev *s, uint32_t block, uint32_t index) {
    const struct wg_ir_instr *in = &s->cfg->func->blocks[block].instrs[index];
    struct wg_sum f = wg_scev_at(s, &in->src[0], block, index), more = form_constant(in->offset);
    return form_sum(&f, 1, &more, 1);
}

const struct wg_form_var *wg_scev_var(const struct wg_scev *s, uint32_t var) { return &s->forms.vars[var]; }

struct wg_sum wg_scev_sum(const struct wg_sum *a, const struct wg_sum *b, int64_t times) {
    return form_sum(a, 1, b, times);
}

struct stepping {
    struct wg_scev *s;
    const struct wg_scev_move *move;
};

static bool step_of_var(const struct stepping *x, uint32_t var, int64_t *by) {
    const struct wg_form_var *v = &x->s->forms.vars[var];
    *by = 0;
    if (v->kind < WG_VAR_AXES) {
        *by = x->move->by[v->kind];
        return !(x->move->unknown >> v->kind & 1);
    }
    if (v->kind == WG_VAR_COUNT) *by = x->move->to_next && v->loop == x->move->loop;
    if (v->kind == WG_VAR_ENTRY && x->move->to_next && v->loop == x->move->loop) return true;
    if (v->kind != WG_VAR_ANY && v->kind != WG_VAR_REG && v->kind != WG_VAR_ENTRY) return true;
    return !x->move->stays || x->move->stays(x->move->user, v->reg);
}

/* (a + da) * (b + db) - a * b */
static bool step_of_product(const struct stepping *x, const struct wg_form_var *v, int64_t times,
                            struct wg_sum *to) {
    struct wg_sum a = form_var(v->reg, 1), b = form_var(v->loop, 1);
    int64_t da, db, both;
    if (!step_of_var(x, v->reg, &da) || !step_of_var(x, v->loop, &db)) return false;
    if (__builtin_mul_overflow(da, db, &both) || __builtin_mul_overflow(da, times, &da) ||
        __builtin_mul_overflow(db, times, &db))
        return false;
    struct wg_sum more = form_constant((int64_t)((uint64_t)both * (uint64_t)times));
    *to = form_sum(to, 1, &more, 1);
    *to = form_sum(to, 1, &a, db);
    *to = form_sum(to, 1, &b, da);
    return to->known;
}

static bool step_of(const struct stepping *x, const struct wg_sum *f, struct wg_sum *step) {
    *step = form_constant(0);
    if (!f->known) return false;
    for (uint32_t i = 0; i < f->nterms; i++) {
        const struct wg_form_term *t = &f->term[i];
        const struct wg_form_var *v = &x->s->forms.vars[t->var];
        int64_t by;
        if (v->kind == WG_VAR_PRODUCT) {
            if (!step_of_product(x, v, t->times, step)) return false;
            continue;
        }
        if (!step_of_var(x, t->var, &by)) return false;
        struct wg_sum more = form_constant((int64_t)((uint64_t)by * (uint64_t)t->times));
        *step = form_sum(step, 1, &more, 1);
    }
    return true;
}

bool wg_scev_step(struct wg_scev *s, const struct wg_sum *f, const struct wg_scev_move *move,
                  struct wg_sum *step) {
    return step_of(&(struct stepping){s, move}, f, step);
}

uint32_t wg_scev_low(const struct wg_scev *s, const struct wg_sum *f,
                     uint32_t (*zeros)(const void *user, const struct wg_form_var *v), const void *user,
                     uint64_t *value) {
    uint32_t bits = 32;
    if (!f->known || f->base) return 0;
    *value = (uint64_t)f->constant;
    for (uint32_t i = 0; i < f->nterms; i++) {
        const struct wg_form_var *v = &s->forms.vars[f->term[i].var];
        uint32_t n = (uint32_t)__builtin_ctzll((uint64_t)f->term[i].times);
        n += v->kind != WG_VAR_PRODUCT
                 ? zeros(user, v)
                 : zeros(user, &s->forms.vars[v->reg]) + zeros(user, &s->forms.vars[v->loop]);
        if (n < bits) bits = n;
    }
    return bits;
}

void wg_scev_print(const struct wg_scev *s, const struct wg_sum *f, struct wg_strbuf *out) {
    wg_form_print(&s->forms, f, out);
}
