/* Induction variables (registers that loops add to or shift) and trip counts. See forms.h.
 *
 *     mov.u32 %r1, %r0;                  entry: the value of %r0
 *     loop:  ... [%r1] ...               entry + step * count
 *     add.s32 %r1, %r1, %r2;             the update, once per iteration; after it: entry + step * (count + 1)
 *     setp.lt.s32 %p1, %r1, %r3;
 *     @%p1 bra loop;                     so count is at most (%r3 - 1 - entry) / step
 *
 * A value that is shifted right never grows. A value that is shifted left, and found to be below a bound
 * before each further iteration, is below it in all of them:
 *
 *     shl.b32 %r1, %r1, 1;  setp.lt.s32 %p1, %r1, 256;  @%p1 bra loop;            entry..255
 */
#include "scev/form_state.h"

#define MANY (INT64_C(1) << 40) /* iterations that take hours */
enum { DEEP = 8 };

static bool in_loop(const struct wg_ir_func *f, uint32_t block, uint32_t header) {
    uint32_t h = f->blocks[block].loop;
    while (h != WG_NO_REG && h != header) h = f->blocks[h].outer;
    return h == header;
}

/* ---- a register plus a constant ---- */

struct trace {
    struct form_maker *m;
    uint32_t reg, bits, loop;
    struct form_place read; /* out: where the register is read */
    int64_t more;           /* out */
    struct wg_sum by;       /* out: symbolic: a loop-invariant sum */
    bool narrow;            /* out: by way of a number of 32 bits that is extended to 64 */
    uint32_t depth;
};

static bool trace(struct trace *t, const struct wg_ir_opd *o, struct form_place p);

static bool var_stays(const struct trace *t, uint32_t var) {
    const struct wg_form_facts *k = t->m->k;
    const struct wg_form_var *v = &t->m->x->vars[var];
    if (v->kind == WG_VAR_PRODUCT) return var_stays(t, v->reg) && var_stays(t, v->loop);
    if (v->kind != WG_VAR_REG) return v->kind != WG_VAR_COUNT && v->kind != WG_VAR_ANY;
    for (uint32_t i = k->first_def[v->reg]; i < k->first_def[v->reg + 1]; i++)
        if (in_loop(k->cfg->func, k->defs[i].block, t->loop)) return false;
    return true;
}

/* Whether the sum is loop-invariant. */
static bool stays(const struct trace *t, const struct wg_sum *f) {
    for (uint32_t i = 0; i < f->nterms; i++)
        if (!var_stays(t, f->term[i].var)) return false;
    return f->known && !f->base;
}

/* What the update adds. Symbolic: its product with a count is to be one of two variables. */
static struct wg_sum addend(const struct trace *t, const struct wg_ir_opd *o, struct form_place p) {
    struct wg_sum c = form_operand(t->m, o, p);
    bool product = false;
    for (uint32_t i = 0; i < c.nterms; i++) product |= t->m->x->vars[c.term[i].var].kind == WG_VAR_PRODUCT;
    return product && o->kind == WG_O_REG ? form_register(t->m, o->index) : c;
}

static bool trace_sum(struct trace *t, const struct wg_ir_instr *in, struct form_place p) {
    for (uint32_t i = 0; i < (in->op == WG_OP_SUB_I ? 1 : 2); i++) {
        if (!trace(t, &in->src[i], p)) continue;
        struct wg_sum c = addend(t, &in->src[1 - i], p);
        int64_t sign = in->op == WG_OP_SUB_I ? -1 : 1;
        if (!form_is_constant(&c) && !(t->m->symbolic && stays(t, &c))) return false;
        t->more += sign * c.constant;
        c.constant = 0;
        t->by = form_sum(&t->by, 1, &c, sign);
        return t->by.known;
    }
    return false;
}

/* What has no effect on the low 32 bits. Clang keeps an int that is added to a size_t in 64 bits:
 *
 *     cvt.s64.s32 %rd2, %rd1;  ...  add.s64 %rd1, %rd2, %rd3;                        the counter is %rd1 */
static bool trace_conversion(struct trace *t, const struct wg_ir_instr *in, struct form_place p) {
    uint32_t to = wg_type_bits(in->type), from = wg_type_bits(in->type2);
    bool ints = wg_type_kind(in->type) != WG_K_F && wg_type_kind(in->type2) != WG_K_F;
    bool extends = t->bits == 64 && to == 64 && from == 32 && wg_type_kind(in->type2) == WG_K_S,
         cuts = (t->bits == 32 || t->narrow) && to == 32 && from == 64;
    if (t->m->symbolic || !ints || in->mod[WG_MC_SAT] != WG_M_none || !(extends || cuts)) return false;
    t->narrow |= extends;
    return trace(t, &in->src[0], p);
}

static bool trace_result(struct trace *t, const struct wg_ir_instr *in, struct form_place p) {
    if (in->op == WG_OP_CVT) return trace_conversion(t, in, p);
    bool sum = in->op == WG_OP_ADD_I || in->op == WG_OP_SUB_I;
    if (wg_type_bits(in->type) != t->bits || in->mod[WG_MC_SAT] != WG_M_none || t->depth == DEEP)
        return false;
    if (in->type == WG_T_U16X2 || in->type == WG_T_S16X2 || (!sum && in->op != WG_OP_MOV)) return false;
    t->depth++;
    bool found = sum ? trace_sum(t, in, p) : trace(t, &in->src[0], p);
    t->depth--;
    return found;
}

/* reg WG_NO_REG: any that has several definitions. */
static bool trace(struct trace *t, const struct wg_ir_opd *o, struct form_place p) {
    const struct wg_form_facts *k = t->m->k;
    struct form_place at;
    if (o->kind != WG_O_REG) return false;
    const struct wg_ir_instr *in = form_definition(k, o->index, &at);
    if (o->index == t->reg || (t->reg == WG_NO_REG && !in)) {
        t->reg = o->index;
        t->read = p;
        t->more = 0;
        t->by = form_constant(0);
        return true;
    }
    return in && k->cfg->func->blocks[at.block].loop == t->loop && form_before(k, at, p) &&
           trace_result(t, in, at);
}

/* ---- counters ---- */

static bool find_update(struct form_maker *m, uint32_t reg, uint32_t bits, struct form_counter *c) {
    const struct wg_form_facts *k = m->k;
    const struct wg_ir_func *f = k->cfg->func;
    for (uint32_t i = k->first_def[reg]; i < k->first_def[reg + 1]; i++) {
        struct form_place p = k->defs[i];
        struct trace t = {.m = m, .reg = reg, .bits = bits, .loop = f->blocks[p.block].loop};
        if (t.loop == WG_NO_REG || form_at(k, p)->guard != WG_NO_REG) continue;
        if (!trace_result(&t, form_at(k, p), p)) continue;
        bool itself = t.read.block == p.block && t.read.index == p.index;
        if (!itself && !form_before(k, t.read, p)) return false;
        struct wg_sum step = form_constant(t.more);
        form_reduce(&step, bits);
        c->update = p;
        c->loop = t.loop;
        c->step = step.constant;
        c->by = t.by;
        c->narrow = t.narrow;
        return c->step || c->by.nterms;
    }
    return false;
}

/* The other definition is before the loop, in the loop around it, and dominates its header. */
static bool find_entry(struct form_maker *m, uint32_t reg, struct form_counter *c) {
    const struct wg_form_facts *k = m->k;
    const struct wg_ir_func *f = k->cfg->func;
    uint32_t first = k->first_def[reg];
    struct form_place p = k->defs[first];
    if (p.block == c->update.block && p.index == c->update.index) p = k->defs[first + 1];
    if (form_at(k, p)->guard != WG_NO_REG || in_loop(f, p.block, c->loop)) return false;
    if (f->blocks[p.block].loop != f->blocks[c->loop].outer || !wg_dominates(k->cfg, p.block, c->loop))
        return false;
    c->from = p;
    c->entry = form_result(m, form_at(k, p), p, reg);
    return c->entry.known;
}

/* Symbolic: whatever the register is before the loop; it has no other definition in the loop. */
static bool enters(struct form_maker *m, uint32_t reg, uint32_t bits, struct form_counter *c) {
    const struct wg_form_facts *k = m->k;
    uint32_t inside = 0;
    for (uint32_t i = k->first_def[reg]; i < k->first_def[reg + 1]; i++)
        inside += in_loop(k->cfg->func, k->defs[i].block, c->loop);
    int64_t least = (int64_t)(UINT64_MAX << (bits - 1));
    c->entry = form_the(m, (struct wg_form_var){
                               .kind = WG_VAR_ENTRY, .reg = reg, .loop = c->loop, .lo = least, .hi = ~least});
    c->enters = true;
    return inside == 1 && c->entry.known;
}

/* All counters that are updated in each iteration have one count, for a launch: that of the iterations. */
static bool count_of(struct form_maker *m, uint32_t reg, struct form_counter *c) {
    uint32_t latch = m->k->latch[c->loop];
    struct wg_form_var v = {.kind = WG_VAR_COUNT,
                            .reg = reg,
                            .loop = c->loop,
                            .each = latch != WG_NO_REG && wg_dominates(m->k->cfg, c->update.block, latch),
                            .hi = m->turns[c->loop] < 0 ? MANY : m->turns[c->loop]};
    for (uint32_t i = 0; i < m->x->nvars && v.each && !m->symbolic; i++) {
        const struct wg_form_var *u = &m->x->vars[i];
        c->var = i;
        if (u->kind == WG_VAR_COUNT && u->loop == c->loop && u->each) return true;
    }
    return form_new_var(m, &v, &c->var);
}

static bool is_counter(struct form_maker *m, uint32_t reg, uint32_t bits, struct form_counter *c) {
    bool twice = m->k->first_def[reg + 1] - m->k->first_def[reg] == 2;
    if (!find_update(m, reg, bits, c)) return false;
    if (!(twice && find_entry(m, reg, c)) && !(m->symbolic && enters(m, reg, bits, c))) return false;
    return count_of(m, reg, c);
}

static bool is_shifted(struct form_maker *m, uint32_t reg, struct form_counter *c);

static const struct form_counter *counter_of(struct form_maker *m, uint32_t reg) {
    const struct wg_form_facts *k = m->k;
    struct form_reg *r = form_reg_of(m, reg);
    enum wg_width w = k->cfg->func->regs[reg].width;
    if (r->counter_state != FORM_NEW) return r->counter_state == FORM_DONE ? r->counter : NULL;
    r->counter_state = FORM_OPEN;
    struct form_counter c = {0};
    bool twice = k->first_def[reg + 1] - k->first_def[reg] == 2;
    uint32_t bits = w == WG_W16 && !m->symbolic ? 16 : w == WG_W32 ? 32 : w == WG_W64 ? 64 : 0;
    if (k->regular &&
        ((bits && is_counter(m, reg, bits, &c)) || (twice && w == WG_W32 && is_shifted(m, reg, &c)))) {
        r->counter = WG_NEW(m->arena, struct form_counter);
        *r->counter = c;
    }
    r->counter_state = FORM_DONE;
    return r->counter;
}

/* ---- trip counts ---- */

struct turns {
    struct form_maker *m;
    uint32_t loop, latch;
    int64_t most;
};

/* The counter, plus `more`, when the loop condition is tested, as if it counted upwards. */
struct counting {
    wide lo, hi; /* entry */
    wide step, more;
    wide most; /* of counter + more, if there is another iteration */
};

static void less_turns(struct turns *x, const struct counting *c, uint32_t bits) {
    wide limit = ((wide)1 << (bits - 1)) - 1, top = c->most - c->more + c->step;
    if (c->hi > top) top = c->hi;
    if (top + (c->more > 0 ? c->more : 0) > limit || c->lo + (c->more < 0 ? c->more : 0) < -limit) return;
    wide room = c->most - c->more - c->lo, turns = room < 0 ? 0 : room / c->step + 1;
    if (turns < x->most) x->most = (int64_t)turns;
}

static bool is_multiple(const struct wg_sum *f, int64_t of) {
    bool all = f->constant % of == 0;
    for (uint32_t i = 0; i < f->nterms; i++) all &= f->term[i].times % of == 0;
    return all;
}

/* Written outside the loop only. */
static bool stays_outside(const struct turns *x, const struct wg_ir_opd *o) {
    const struct wg_form_facts *k = x->m->k;
    bool outside = true;
    for (uint32_t i = 0; o->kind == WG_O_REG && i < k->first_def[o->index + 1] - k->first_def[o->index]; i++)
        outside &= !in_loop(k->cfg->func, k->defs[k->first_def[o->index] + i].block, x->loop);
    return outside;
}

static void test_counter(struct turns *x, const struct wg_ir_instr *in, struct form_place p, bool holds,
                         uint32_t side) {
    struct form_maker *m = x->m;
    uint32_t bits = wg_type_bits(in->type);
    struct trace t = {.m = m, .reg = WG_NO_REG, .bits = bits, .loop = x->loop};
    bool swapped, is_signed;
    enum form_relation r = form_relation(in, holds, &swapped, &is_signed);
    if (r == FORM_OTHER || r == FORM_EQUAL || !trace(&t, &in->src[side], p)) return;
    const struct form_counter *n = counter_of(m, t.reg);
    if (!n || n->shifts || n->by.nterms || n->loop != x->loop ||
        !in_loop(m->k->cfg->func, t.read.block, x->loop))
        return;
    if (!wg_dominates(m->k->cfg, n->update.block, x->latch)) return;
    if (form_before(m->k, n->update, t.read))
        t.more += n->step;
    else if (!form_before(m->k, t.read, n->update))
        return;
    struct wg_sum more = form_constant(t.more), entry = n->entry, by = form_constant(n->step);
    form_reduce(&more, bits);
    form_reduce(&by, bits);
    int64_t step = by.constant;
    struct wg_sum other = form_number(m, &in->src[1 - side], p, bits, true);
    wide lo, hi, from, to;
    const struct wg_form_guards *g = m->symbolic ? NULL : form_guards(m, n->loop);
    if (!form_fit(m, &entry, g, bits, true) || !form_range(m->x, &entry, g, &lo, &hi)) return;
    if (!step || !other.known || !form_range(m->x, &other, form_guards(m, p.block), &from, &to)) return;
    bool up = step > 0, below = (side == 0) != swapped; /* counter + more < other */
    if (!is_signed && r < FORM_EQUAL && (lo + (more.constant < 0 ? more.constant : 0) < 0 || from < 0))
        return;
    struct counting c = {up ? lo : -hi, up ? hi : -lo, up ? step : -(wide)step,
                         up ? more.constant : -(wide)more.constant, up ? to : -from};
    if (r == FORM_UNEQUAL) {
        struct wg_sum room = form_sum(&other, 1, &entry, -1);
        if (!room.known || (up ? from : -to) - c.more - c.hi < 0 ||
            (from != to && !stays_outside(x, &in->src[1 - side])))
            return;
        room.constant -= more.constant;
        if (!is_multiple(&room, step)) return;
        c.most -= c.step;
    } else if (up != below) {
        return;
    } else if (r == FORM_LESS) {
        c.most--;
    }
    less_turns(x, &c, bits);
}

static void test(void *user, const struct wg_ir_instr *in, struct form_place p, bool holds) {
    const struct turns *x = user;
    uint32_t bits = wg_type_bits(in->type);
    if (wg_type_kind(in->type) == WG_K_F || (bits != 32 && (bits != 64 || x->m->low))) return;
    for (uint32_t side = 0; side < 2; side++) test_counter(user, in, p, holds, side);
}

/* Calls `fn` for the conditions that hold at the loop's back edge, tested since its header. */
static void each_test(const struct form_maker *m, uint32_t loop, form_comparison_fn *fn, void *user) {
    const struct wg_form_facts *k = m->k;
    const struct wg_ir_func *f = k->cfg->func;
    uint32_t pred;
    bool is;
    for (uint32_t to = loop, b = k->latch[loop];; to = b, b = k->cfg->idom[b]) {
        bool only = to == loop || (f->blocks[to].npred == 1);
        if (only && form_edge(k, b, to, &pred, &is))
            form_each_comparison(k, pred, is, (struct form_place){b, f->blocks[b].ninstrs}, fn, user);
        if (b == loop) break;
    }
}

static void find_turns(struct form_maker *m, uint32_t loop) {
    struct turns x = {m, loop, m->k->latch[loop], MANY};
    m->turns[loop] = MANY;
    if (x.latch == WG_NO_REG) return;
    each_test(m, loop, test, &x);
    m->turns[loop] = x.most;
    for (uint32_t v = 0; v < m->x->nvars; v++) {
        struct wg_form_var *n = &m->x->vars[v];
        if (n->kind == WG_VAR_COUNT && n->loop == loop && x.most < n->hi) n->hi = x.most;
    }
}

/* ---- shifted registers ---- */

struct shift {
    struct form_maker *m;
    const struct form_counter *c;
    uint32_t reg, made; /* the register that the shift writes: reg, or one that is copied to it */
    struct form_place at;
    uint32_t by;
    bool left;
    int64_t most; /* its upper bound, tested before another iteration */
};

/* The definition of a register that a move reads, in the same iteration. */
static const struct wg_ir_instr *moved(const struct form_maker *m, const struct wg_ir_opd *o, uint32_t loop,
                                       struct form_place *p) {
    struct form_place at;
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? form_definition(m->k, o->index, &at) : NULL;
    if (!in || m->k->cfg->func->blocks[at.block].loop != loop || !form_before(m->k, at, *p)) return NULL;
    *p = at;
    return in;
}

static bool find_shift(struct shift *s, struct form_counter *c) {
    const struct wg_form_facts *k = s->m->k;
    for (uint32_t i = k->first_def[s->reg]; i < k->first_def[s->reg + 1]; i++) {
        struct form_place p = k->defs[i];
        const struct wg_ir_instr *in = form_at(k, p);
        struct trace t = {.m = s->m, .reg = s->reg, .bits = 32, .loop = k->cfg->func->blocks[p.block].loop};
        if (t.loop == WG_NO_REG || in->guard != WG_NO_REG) continue;
        s->at = p;
        for (uint32_t n = 0; in && in->op == WG_OP_MOV && n < DEEP; n++)
            in = moved(s->m, &in->src[0], t.loop, &s->at);
        s->left = in && in->op == WG_OP_SHL;
        if (!in || (!s->left && in->op != WG_OP_SHR) || wg_type_bits(in->type) != 32) continue;
        struct wg_sum by = form_operand(s->m, &in->src[1], s->at);
        if (!form_is_constant(&by) || by.constant < 1 || by.constant > 30) continue;
        if (!trace(&t, &in->src[0], s->at) || t.more || t.by.nterms) continue;
        bool itself = t.read.block == p.block && t.read.index == p.index;
        if (!itself && !form_before(k, t.read, p)) continue;
        s->by = (uint32_t)by.constant;
        s->made = in->dst[0].index;
        c->update = p;
        c->loop = t.loop;
        return true;
    }
    return false;
}

/* Whether the operand is the shift's result in this iteration. */
static bool is_made(const struct shift *s, const struct wg_ir_opd *o, struct form_place p) {
    for (uint32_t n = 0; n < DEEP && o->kind == WG_O_REG && in_loop(s->m->k->cfg->func, p.block, s->c->loop);
         n++) {
        if (o->index == s->reg) return form_before(s->m->k, s->c->update, p);
        if (o->index == s->made) return form_before(s->m->k, s->at, p);
        const struct wg_ir_instr *in = moved(s->m, o, s->c->loop, &p);
        if (!in || in->op != WG_OP_MOV) return false;
        o = &in->src[0];
    }
    return false;
}

static void test_shifted(void *user, const struct wg_ir_instr *in, struct form_place p, bool holds) {
    struct shift *s = user;
    struct form_maker *m = s->m;
    bool swapped, is_signed;
    if (wg_type_kind(in->type) == WG_K_F || wg_type_bits(in->type) != 32) return;
    enum form_relation r = form_relation(in, holds, &swapped, &is_signed);
    if (r > FORM_NOT_GREATER || !is_made(s, &in->src[swapped], p)) return;
    struct wg_sum other = form_number(m, &in->src[!swapped], p, 32, true);
    wide from, to;
    if (!other.known || !form_range(m->x, &other, form_guards(m, p.block), &from, &to)) return;
    if (r == FORM_LESS) to--;
    if (from >= 0 && to < s->most) s->most = (int64_t)to;
}

/* Non-negative numbers only: so no sign bit is shifted in or set. */
static bool is_shifted(struct form_maker *m, uint32_t reg, struct form_counter *c) {
    struct shift s = {.m = m, .c = c, .reg = reg, .most = INT64_MAX};
    wide lo, hi;
    if (!find_shift(&s, c) || !find_entry(m, reg, c)) return false;
    struct wg_sum entry = c->entry;
    if (!form_fit(m, &entry, NULL, 32, true) || !form_range(m->x, &entry, NULL, &lo, &hi) || lo < 0)
        return false;
    if (s.left && m->k->latch[c->loop] != WG_NO_REG) each_test(m, c->loop, test_shifted, &s);
    if (s.left && s.most > hi) hi = s.most;
    if (s.left && hi > INT32_MAX >> s.by) return false;
    struct wg_sum begins = form_any(m, reg, s.left ? (int64_t)lo : 0, (int64_t)hi), none = form_constant(0);
    c->after =
        s.left ? form_sum(&begins, INT64_C(1) << s.by, &none, 0) : form_any(m, reg, 0, (int64_t)(hi >> s.by));
    c->entry = entry;
    c->shifts = true;
    if (!begins.known || !c->after.known || begins.nterms != 1) return false;
    c->var = begins.term[0].var;
    return true;
}

/* ---- what is read ---- */

/* After the register's definition before the loop, and before the loop. */
static bool is_before_loop(const struct wg_form_facts *k, const struct form_counter *c, struct form_place p) {
    const struct wg_ir_func *f = k->cfg->func;
    return !c->enters && f->blocks[p.block].loop == f->blocks[c->loop].outer && form_before(k, c->from, p) &&
           form_before(k, p, (struct form_place){c->loop, 0});
}

/* Read in the loop, and before the update in each iteration: forward edges lead to higher blocks. */
static bool is_before_update(const struct wg_form_facts *k, const struct form_counter *c,
                             struct form_place p) {
    bool itself = p.block == c->update.block && p.index == c->update.index;
    return itself || p.block < c->update.block || form_before(k, p, c->update);
}

static struct wg_sum of_shifted(struct form_maker *m, const struct form_counter *c, uint32_t reg,
                                struct form_place p) {
    const struct wg_form_facts *k = m->k;
    if (!in_loop(k->cfg->func, p.block, c->loop)) return form_any_bits(m, reg, 32, true);
    if (is_before_update(k, c, p)) return form_var(c->var, 1);
    return form_before(k, c->update, p) ? c->after : form_any_bits(m, reg, 32, true);
}

/* Whether the counter of 64 bits fits into 32 before each update, which extends those. */
static bool stays_narrow(struct form_maker *m, const struct form_counter *c) {
    wide lo, hi, more = (wide)c->step * m->turns[c->loop];
    if (!form_range(m->x, &c->entry, form_guards(m, c->loop), &lo, &hi)) return false;
    return lo + (more < 0 ? more : 0) >= INT32_MIN && hi + (more > 0 ? more : 0) <= INT32_MAX;
}

struct wg_sum form_of_loop(struct form_maker *m, uint32_t reg, struct form_place p) {
    const struct wg_form_facts *k = m->k;
    const struct form_counter *c = counter_of(m, reg);
    enum wg_width w = k->cfg->func->regs[reg].width;
    if (!c) return form_of_definitions(m, reg, p);
    bool inside = in_loop(k->cfg->func, p.block, c->loop);
    if (is_before_loop(k, c, p) || (!inside && !c->enters && form_reaches_alone(m, reg, c->from, p))) {
        struct wg_sum f = c->entry;
        form_reduce(&f, w == WG_W16 ? 16 : w == WG_W32 ? 32 : 64);
        return f;
    }
    if (c->shifts) return of_shifted(m, c, reg, p);
    if (m->turns[c->loop] < 0) find_turns(m, c->loop);
    if (c->narrow && !stays_narrow(m, c)) return form_unknown();
    struct wg_sum count = form_var(c->var, 1);
    bool before = is_before_update(k, c, p);
    if (!inside || !(before || form_before(k, c->update, p)))
        count = form_any(m, reg, 0, m->turns[c->loop] + 1);
    else if (!before)
        count.constant = 1;
    struct wg_sum f = form_sum(&c->entry, 1, &count, c->step);
    if (c->by.nterms) {
        struct wg_sum more = form_product(m, &c->by, &count);
        f = form_sum(&f, 1, &more, 1);
    }
    if (f.known) form_reduce(&f, w == WG_W16 ? 16 : w == WG_W32 ? 32 : 64);
    return f;
}
