/* Affine forms of a kernel's accesses, for a launch. See forms.h. */
#include "scev/forms.h"
#include "scev/form_state.h"
#include <stdlib.h>
#include <string.h>

/* ---- a kernel ---- */

struct counting_defs {
    struct wg_form_facts *k;
    struct form_place at;
    uint32_t *next; /* NULL: the first pass, which counts them */
};

static void see_def(void *user, uint32_t reg) {
    struct counting_defs *x = user;
    if (x->next)
        x->k->defs[x->next[reg]++] = x->at;
    else
        x->k->first_def[reg + 1]++;
}

static void each_def(struct counting_defs *x) {
    const struct wg_ir_func *f = x->k->cfg->func;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            x->at = (struct form_place){b, i};
            wg_each_def(&f->blocks[b].instrs[i], see_def, x);
        }
}

static void find_defs(struct wg_form_facts *k) {
    uint32_t n = k->cfg->func->nregs;
    struct counting_defs x = {.k = k};
    k->first_def = WG_NEW_N(k->arena, uint32_t, n + 1);
    each_def(&x);
    for (uint32_t r = 0; r < n; r++) k->first_def[r + 1] += k->first_def[r];
    k->defs = WG_NEW_N(k->arena, struct form_place, k->first_def[n] + 1);
    x.next = WG_NEW_N(k->arena, uint32_t, n + 1);
    memcpy(x.next, k->first_def, n * sizeof *x.next);
    each_def(&x);
}

static void find_latches(struct wg_form_facts *k) {
    const struct wg_ir_func *f = k->cfg->func;
    k->regular = true;
    k->latch = WG_NEW_N(k->arena, uint32_t, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        uint32_t back = 0;
        k->latch[b] = WG_NO_REG;
        for (uint32_t i = 0; i < f->blocks[b].npred; i++) {
            uint32_t from = f->blocks[b].pred[i];
            if (from < b) continue;
            k->regular &= wg_dominates(k->cfg, b, from);
            k->latch[b] = back++ ? WG_NO_REG : from;
        }
    }
}

/* Whether the exit can be reached from the block's dominator without passing through the block. */
static bool goes_past(const struct wg_form_facts *k, uint32_t block, wg_bits seen, uint32_t *work) {
    const struct wg_ir_func *f = k->cfg->func;
    uint32_t n = 0;
    memset(seen, 0, (f->nblocks + 63) / 64 * sizeof *seen);
    wg_bits_add(seen, block);
    work[n++] = k->cfg->idom[block];
    while (n) {
        const struct wg_ir_block *b = &f->blocks[work[--n]];
        if (!b->nsucc) return true;
        for (uint32_t i = 0; i < b->nsucc; i++) {
            if (wg_bits_has(seen, b->succ[i])) continue;
            wg_bits_add(seen, b->succ[i]);
            work[n++] = b->succ[i];
        }
    }
    return false;
}

static void find_sure(struct wg_form_facts *k) {
    uint32_t n = k->cfg->func->nblocks;
    wg_bits seen = wg_bits_new(k->arena, n);
    uint32_t *work = WG_NEW_N(k->arena, uint32_t, n + 1);
    k->sure = WG_NEW_N(k->arena, bool, n);
    for (uint32_t b = 1; b < n; b++) k->sure[b] = !goes_past(k, b, seen, work);
}

static uint32_t accesses_of(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CP_ASYNC) return 2;
    if (in->op == WG_OP_CALL) return in->call->builtin == WG_B_none;
    if (!(wg_op_flags(in->op) & (WG_F_MEM | WG_F_BULK | WG_F_MATRIX))) return 0;
    return in->space != WG_S_PARAM && in->space != WG_S_CONST && in->space != WG_S_LOCAL;
}

void form_read_graph(struct wg_form_facts *k, const struct wg_ir_module *m, const struct wg_cfg *c) {
    k->module = m;
    k->cfg = c;
    k->unset = c->live_in[0];
    find_defs(k);
    find_latches(k);
}

/* A kernel's facts, and the graph that they belong to. */
struct own_facts {
    struct wg_form_facts facts;
    struct wg_cfg cfg;
};

struct wg_form_facts *wg_form_facts_new(const struct wg_ir_module *m, const struct wg_ir_func *f) {
    struct own_facts *own = wg_xcalloc(1, sizeof *own);
    struct wg_form_facts *k = &own->facts;
    own->cfg.func = f;
    k->arena = &own->cfg.arena;
    wg_cfg_dominators(&own->cfg);
    wg_cfg_liveness(&own->cfg);
    form_read_graph(k, m, &own->cfg);
    find_sure(k);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            k->naccess += accesses_of(&f->blocks[b].instrs[i]);
    return k;
}

void wg_form_facts_free(struct wg_form_facts *k) {
    struct own_facts *own = (struct own_facts *)k;
    if (!k) return;
    wg_arena_free(&own->cfg.arena);
    free(own);
}

/* ---- a launch ---- */

static void make_axes(struct form_maker *m) {
    struct wg_forms *x = m->x;
    x->nvars = 0;
    for (uint32_t a = 0; a < WG_VAR_AXES; a++) {
        int64_t n = a < WG_VAR_CTAID_X ? m->l->ntid[a] : m->l->nctaid[a - WG_VAR_CTAID_X];
        m->digit[a] = x->nvars;
        for (uint32_t i = 0; i < m->ncuts[a]; i++) {
            struct wg_form_var *v = &x->vars[x->nvars++];
            *v = (struct wg_form_var){
                .kind = (uint8_t)a, .unit = m->cuts[a][i], .hi = (n - 1) / m->cuts[a][i]};
            if (i + 1 == m->ncuts[a]) continue;
            int64_t size = m->cuts[a][i + 1] / m->cuts[a][i];
            if (v->hi > size - 1) v->hi = size - 1;
        }
    }
}

void form_begin(struct form_maker *m) {
    const struct wg_ir_func *f = m->k->cfg->func;
    m->regs = WG_NEW_N(m->arena, struct form_reg *, f->nregs + 1);
    m->guards = WG_NEW_N(m->arena, const struct wg_form_guards *, f->nblocks);
    m->guards_state = WG_NEW_N(m->arena, uint8_t, f->nblocks);
    m->turns = WG_NEW_N(m->arena, int64_t, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) m->turns[b] = -1;
    m->written = WG_NEW_N(m->arena, struct wg_sum *, m->k->first_def[f->nregs] + 1);
    m->nrests = 0;
    m->x->vars = WG_NEW_N(m->arena, struct wg_form_var, m->x->most_vars);
    make_axes(m);
}

struct form_reg *form_reg_of(struct form_maker *m, uint32_t reg) {
    if (!m->regs[reg]) m->regs[reg] = WG_NEW(m->arena, struct form_reg);
    return m->regs[reg];
}

/* An address in global memory, or an offset in the block's shared window. */
static void place(struct form_maker *m, struct wg_form_access *a, struct form_place p) {
    const struct wg_ir_opd *o = &a->instr->src[a->operand];
    struct wg_sum f = form_operand(m, o, p);
    int64_t more = a->operand ? 0 : a->instr->offset;
    if (a->operand && o->kind == WG_O_REG) more = (int64_t)o->imm;
    bool narrow = o->kind == WG_O_REG && m->k->cfg->func->regs[o->index].width == WG_W32;
    if (!f.known || (narrow && !form_fit(m, &f, a->guards, 32, false))) return;
    if (a->space == WG_S_GENERIC) {
        if (f.base == WG_BASE_PARAM) return;
        a->space = f.base == WG_BASE_SHARED ? WG_S_SHARED : WG_S_GLOBAL;
        f.base = WG_BASE_NONE;
    }
    if (f.base) return;
    f.constant += more;
    a->at = f;
}

static void add_access(struct form_maker *m, const struct wg_ir_instr *in, struct form_place p,
                       uint32_t nth) {
    struct wg_form_access *a = &m->x->accesses[m->x->naccesses++];
    *a = (struct wg_form_access){.instr = in, .block = p.block, .index = p.index, .space = WG_S_GENERIC};
    a->guards = form_guards(m, p.block);
    if (in->guard != WG_NO_REG) a->guards = form_guards_with(m, p.block, in->guard, !in->guard_neg);
    bool load = wg_op_is(in->op, WG_IS_LOAD), store = in->op == WG_OP_ST,
         atomic = wg_op_is(in->op, WG_IS_ATOMIC), copy = in->op == WG_OP_CP_ASYNC;
    a->loads = !store && !(copy && !nth);
    a->stores = !load && !(copy && nth);
    if (!load && !store && !atomic && !copy) return;
    a->operand = nth;
    a->bytes = copy ? (uint32_t)in->src[2].imm : wg_type_bits(in->type) / 8 * in->nvec;
    a->space = nth ? WG_S_GLOBAL : in->space;
    if (a->space == WG_S_GLOBAL || a->space == WG_S_SHARED || a->space == WG_S_GENERIC)
        place(m, a, p);
    else
        a->space = WG_S_GENERIC;
}

/* False: an axis has to be split again. */
static bool make(struct wg_forms *x, struct form_maker *m) {
    const struct wg_ir_func *f = m->k->cfg->func;
    m->again = false;
    m->arena = &x->arena;
    form_begin(m);
    x->accesses = WG_NEW_N(&x->arena, struct wg_form_access, m->k->naccess + 1);
    x->naccesses = 0;
    for (uint32_t b = 0; b < f->nblocks && !m->again; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs && !m->again; i++)
            for (uint32_t k = 0; k < accesses_of(&f->blocks[b].instrs[i]); k++)
                add_access(m, &f->blocks[b].instrs[i], (struct form_place){b, i}, k);
    return !m->again;
}

struct wg_forms *wg_forms_new(const struct wg_form_facts *k, const struct wg_form_launch *l) {
    struct wg_forms *x = wg_xcalloc(1, sizeof *x);
    struct form_maker m = {.x = x, .k = k, .l = l};
    x->most_vars = WG_FORM_VARS;
    x->reads = wg_xcalloc(k->cfg->func->param_bytes + 1, sizeof *x->reads);
    for (uint32_t a = 0; a < WG_VAR_AXES; a++) m.cuts[a][0] = m.ncuts[a] = 1;
    while (!make(x, &m)) {
        wg_arena_free(&x->arena);
        x->arena = (struct wg_arena){0};
    }
    return x;
}

void wg_forms_free(struct wg_forms *x) {
    if (!x) return;
    free(x->reads);
    wg_arena_free(&x->arena);
    free(x);
}
