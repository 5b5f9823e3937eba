/* See shadow.h: which registers have shadows, what is asked about, and accesses. */
#include "check/instrument/shadow.h"
#include "check/instrument/shadow_calls.h"

#include "cfg/cfg.h"
#include "check/finding.h"

typedef struct wg_ir_opd opd;

/* ---- what may be undefined ---- */

static bool is_parameter(const struct wg_ir_module *m, const opd *o) {
    if (o->kind != WG_O_SYM) return false;
    uint8_t k = m->syms[o->index].kind;
    return k == WG_SYM_PARAM || k == WG_SYM_FPARAM || k == WG_SYM_FRET;
}

/* An access of memory that has a shadow. Parameters and constants are always defined. */
static bool is_tracked(const struct wg_ir_module *m, const struct wg_ir_instr *in) {
    if (!(wg_op_flags(in->op) & WG_F_MEM)) return false;
    return in->space != WG_S_CONST && in->space != WG_S_PARAM && !is_parameter(m, &in->src[0]);
}

static bool is_exchange(const struct wg_ir_instr *in) { return in->mod[WG_MC_AOP] == WG_M_exch; }

static bool is_tainted(const struct wg_shadow *s, const opd *o) {
    return o->kind == WG_O_REG && wg_bits_has(s->tainted, o->index);
}

static bool results_tainted(const struct wg_shadow *s, const struct wg_ir_instr *in) {
    if (wg_shadow_is_passed(s, in)) return true;
    if (wg_op_is(in->op, WG_IS_LOAD) || (in->op == WG_OP_ATOM && is_exchange(in)))
        return is_tracked(s->x->m, in);
    if (in->op == WG_OP_SHFL) return true;
    if (wg_op_is(in->op, WG_IS_MATRIX)) return wg_shadow_matrix_tainted(s, in);
    if (!wg_shadow_has_rule(in->op)) return false;
    if (in->guard != WG_NO_REG && wg_bits_has(s->tainted, in->guard)) return true;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (is_tainted(s, &in->src[i])) return true;
    return wg_op_flags(in->op) & WG_F_CC && s->carry != WG_NO_REG;
}

static bool taint_reg(struct wg_shadow *s, const opd *o) {
    if (o->kind != WG_O_REG || is_tainted(s, o) || s->func->regs[o->index].width == WG_W128) return false;
    wg_bits_add(s->tainted, o->index);
    return true;
}

static bool taint(struct wg_shadow *s, const struct wg_ir_instr *in) {
    bool grew = false;
    if (!results_tainted(s, in)) return false;
    if (wg_op_flags(in->op) & WG_F_CC && s->carry == WG_NO_REG) {
        s->carry = wg_instrument_shadow(s->x, WG_W1, "carry");
        grew = true;
    }
    for (uint32_t k = 0; k < in->ndst; k++) grew |= taint_reg(s, &in->dst[k]);
    for (uint32_t k = 0; in->op == WG_OP_CALL && k < in->call->nrets; k++)
        grew |= taint_reg(s, &in->call->rets[k].value);
    return grew;
}

/* What a choice by something tainted writes. */
static bool taint_chosen(struct wg_shadow *s, const struct wg_choice *c) {
    bool grew = false;
    for (uint32_t k = 0; k < c->n; k++) {
        const struct wg_ir_block *b = &s->func->blocks[c->between[k]];
        for (uint32_t i = 0; i < b->ninstrs; i++)
            for (uint32_t d = 0; d < b->instrs[i].ndst; d++) grew |= taint_reg(s, &b->instrs[i].dst[d]);
    }
    return grew;
}

/* Loads, what may be read before it is written, and what is made of these. */
static void find_tainted(struct wg_shadow *s) {
    const struct wg_ir_func *f = s->func;
    struct wg_cfg cfg = {.func = f};
    wg_cfg_liveness(&cfg);
    WG_BITS_EACH(r, cfg.live_in[0], f->nregs)
    if (f->regs[r].width != WG_W128) wg_bits_add(s->tainted, r);
    wg_arena_free(&cfg.arena);
    s->x->careful |= wg_shadow_begins_undefined(s->x->m, f);
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t b = 0; b < f->nblocks; b++) {
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) grew |= taint(s, &f->blocks[b].instrs[i]);
            if (s->choices.of[b] && wg_bits_has(s->tainted, f->blocks[b].cond))
                grew |= taint_chosen(s, s->choices.of[b]);
        }
    }
}

static void begin(struct wg_instrument *x) {
    struct wg_arena *a = x->arena;
    const struct wg_ir_func *f = x->from;
    struct wg_shadow *s = x->shadow = WG_NEW(a, struct wg_shadow);
    *s = (struct wg_shadow){.x = x, .func = f, .carry = WG_NO_REG};
    s->tainted = wg_bits_new(a, f->nregs);
    s->known = wg_bits_new(a, f->nregs);
    s->shadow = WG_NEW_N(a, uint32_t, f->nregs);
    s->def = WG_NEW_N(a, const struct wg_ir_instr *, f->nregs);
    s->written = WG_NEW_N(a, uint32_t, f->nregs);
    for (uint32_t r = 0; r < f->nregs; r++) s->shadow[r] = WG_NO_REG;
    s->choices = wg_choices(a, f);
    find_tainted(s);
}

/* Nothing is known of what other blocks asked about. */
static void forget(struct wg_shadow *s) {
    for (uint32_t i = 0; i < (s->func->nregs + 63) / 64; i++) s->known[i] = 0;
    s->block_began = s->now;
}

/* ---- asking ---- */

/* An inserted instruction, whose id gives its place in the source. */
static void put(struct wg_shadow *s, enum wg_op op, uint8_t type, uint32_t ndst, const opd *dst,
                uint32_t nsrc, const opd *src, const struct wg_ir_instr *access, uint32_t check) {
    struct wg_ir_instr in = {.op = (uint16_t)op,
                             .type = type,
                             .nvec = access ? access->nvec : 1,
                             .space = access ? access->space : 0,
                             .offset = access ? access->offset : 0,
                             .guard = s->at->guard,
                             .guard_neg = s->at->guard_neg,
                             .loc = s->at->loc,
                             .ptx_line = s->at->ptx_line,
                             .id = s->at->id,
                             .ndst = (uint8_t)ndst,
                             .nsrc = (uint8_t)nsrc,
                             .checked = access && s->x->asked == s->asked_for,
                             .check = check,
                             .dst = (opd *)dst,
                             .src = (opd *)src};
    wg_instrument_put(s->x, in);
}

static void ask_shadow(struct wg_shadow *s, enum wg_check_decides use, opd v, uint32_t bits) {
    if (!wg_sh_is_all(v)) put(s, WG_OP_CHECK_DEFINED, wg_sh_type(bits), 0, NULL, 1, &v, NULL, use);
}

/* Asks about a register; from then on it counts as defined. */
static bool ask(struct wg_shadow *s, enum wg_check_decides use, const opd *o) {
    if (o->kind != WG_O_REG) return false;
    uint32_t bits = wg_sh_reg_bits(s, o->index);
    opd v = wg_sh_of(s, o, bits);
    if (wg_sh_is_all(v)) return false;
    ask_shadow(s, use, v, bits);
    wg_sh_assign(s, v.index, bits, wg_sh_all());
    if (s->at->guard == WG_NO_REG) wg_bits_add(s->known, o->index);
    return true;
}

static bool still_holds(const struct wg_shadow *s, uint32_t reg, uint32_t since) {
    return s->written[reg] < since;
}

/* A predicate controls something. The values it was computed from in this block need not be reported
 * again. */
static void ask_predicate(struct wg_shadow *s, uint32_t reg) {
    opd o = wg_sh_reg(reg);
    if (!ask(s, WG_DECIDES_BRANCH, &o)) return;
    const struct wg_ir_instr *def = s->def[reg];
    if (s->written[reg] <= s->block_began || !def || def->guard != WG_NO_REG) return;
    for (uint32_t i = 0; i < def->nsrc; i++) {
        const opd *src = &def->src[i];
        if (src->kind != WG_O_REG || !still_holds(s, src->index, s->written[reg])) continue;
        uint32_t bits = wg_sh_reg_bits(s, src->index);
        opd v = wg_sh_of(s, src, bits);
        if (wg_sh_is_all(v)) continue;
        wg_sh_assign(s, v.index, bits, wg_sh_all());
        wg_bits_add(s->known, src->index);
    }
}

static bool has_effect(const struct wg_ir_instr *in) {
    return wg_op_flags(in->op) & (WG_F_MEM | WG_F_EFFECT);
}

static void ask_guard(struct wg_shadow *s) {
    struct wg_ir_instr bare = *s->at;
    const struct wg_ir_instr *outer = s->at;
    bare.guard = WG_NO_REG;
    s->at = &bare;
    ask_predicate(s, outer->guard);
    s->at = outer;
}

static void ask_call(struct wg_shadow *s, const struct wg_ir_call *c) {
    if (c->func == WG_NO_REG && !c->builtin) ask(s, WG_DECIDES_ADDRESS, &c->target);
    for (uint32_t i = 0; i < c->nargs && c->builtin; i++) ask(s, WG_DECIDES_USE, &c->args[i].value);
}

static void ask_operands(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    uint32_t flags = wg_op_flags(in->op);
    if (in->guard != WG_NO_REG && has_effect(in)) ask_guard(s);
    if (flags & WG_F_MEM) ask(s, WG_DECIDES_ADDRESS, &in->src[0]);
    for (uint32_t i = 1; i < in->nsrc && in->op == WG_OP_CP_ASYNC; i++)
        ask(s, WG_DECIDES_ADDRESS, &in->src[i]);
    if (wg_op_is(in->op, WG_IS_ATOMIC))
        for (uint32_t i = 1; i < in->nsrc && !is_exchange(in); i++) ask(s, WG_DECIDES_USE, &in->src[i]);
    if (in->op == WG_OP_CALL) ask_call(s, in->call);
    if ((has_effect(in) && !(flags & WG_F_MEM)) ||
        (flags & WG_F_WAIT && in->op != WG_OP_CALL && in->op != WG_OP_NANOSLEEP))
        for (uint32_t i = 0; i < in->nsrc; i++) ask(s, WG_DECIDES_USE, &in->src[i]);
}

/* ---- accesses ---- */

static uint8_t loaded_type(uint8_t type) { /* sign-extended shadows for sign-extended values */
    static const uint8_t b[] = {WG_T_B8, WG_T_B16, WG_T_B32, WG_T_B64},
                         i[] = {WG_T_S8, WG_T_S16, WG_T_S32, WG_T_S64};
    uint32_t bits = wg_type_bits(type), at = bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3;
    return wg_type_kind(type) == WG_K_S ? i[at] : b[at];
}

static void load(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    uint32_t bits = wg_type_bits(in->type);
    opd dst[8] = {{0}};
    bool any = false;
    for (uint32_t k = 0; k < in->ndst; k++) {
        if (in->dst[k].kind != WG_O_REG || !is_tainted(s, &in->dst[k])) continue;
        dst[k] = wg_sh_reg(wg_sh_shadow(s, in->dst[k].index));
        wg_bits_del(s->known, in->dst[k].index);
        any = true;
    }
    if (!any) return;
    put(s, WG_OP_CHECK_LD, loaded_type(in->type), in->ndst, dst, 1, in->src, in, WG_CHECK_LOAD);
    if (wg_type_kind(in->type) == WG_K_S) return;
    for (uint32_t k = 0; k < in->ndst; k++) {
        if (dst[k].kind != WG_O_REG) continue;
        uint32_t own = wg_sh_reg_bits(s, in->dst[k].index);
        if (own > bits)
            wg_sh_assign(s, dst[k].index, own, wg_sh_or(s, own, dst[k], wg_sh_imm(UINT64_MAX << bits)));
    }
}

static void store(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    uint32_t bits = wg_type_bits(in->type), parts = bits > 64 ? 2 : 1;
    opd src[1 + 8] = {in->src[0]};
    struct wg_ir_instr shape = *in;
    uint32_t n = 0;
    for (uint32_t k = 1; k < in->nsrc && n + parts <= 8; k++)
        for (uint32_t p = 0; p < parts; p++) {
            uint32_t own = in->src[k].kind == WG_O_REG ? wg_sh_reg_bits(s, in->src[k].index) : bits;
            src[++n] = parts > 1 ? wg_sh_all() : wg_sh_of(s, &in->src[k], own);
        }
    shape.nvec = (uint8_t)n;
    put(s, WG_OP_CHECK_ST, loaded_type(parts > 1 ? WG_T_B64 : in->type), 0, NULL, 1 + n, src, &shape,
        WG_CHECK_STORE);
}

/* The old value decides what an atomic leaves, and who sees it; only an exchange passes it on. */
static void atomic(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    uint32_t bits = wg_type_bits(in->type);
    if (bits > 64) return;
    struct wg_ir_instr shape = *in;
    shape.nvec = 1;
    opd old = wg_sh_reg(wg_instrument_shadow(s->x, wg_sh_width(bits), "old"));
    put(s, WG_OP_CHECK_LD, loaded_type(in->type), 1, &old, 1, in->src, &shape, WG_CHECK_ATOMIC);
    if (!is_exchange(in)) {
        ask_shadow(s, WG_DECIDES_USE, old, bits);
        if (in->op == WG_OP_ATOM && in->dst[0].kind == WG_O_REG) wg_sh_set(s, in->dst[0].index, wg_sh_all());
        return;
    }
    opd src[2] = {in->src[0], wg_sh_of(s, &in->src[1], bits)};
    put(s, WG_OP_CHECK_ST, loaded_type(in->type), 0, NULL, 2, src, &shape, WG_CHECK_STORE);
    if (in->op == WG_OP_ATOM && in->dst[0].kind == WG_O_REG) wg_sh_set(s, in->dst[0].index, old);
}

/* cp.async: what it reads of the source, and zeros after that. */
static opd copied(struct wg_shadow *s, opd v, uint32_t bits, uint32_t at) {
    const struct wg_ir_instr *in = s->at;
    if (in->nsrc < 4) return v;
    if (in->src[3].kind == WG_O_REG && wg_sh_reg_bits(s, in->src[3].index) == 1)
        return wg_sh_select(s, bits, wg_sh_all(), v, in->src[3]);
    opd from[2] = {in->src[3], wg_sh_imm(at)}, count[2];
    count[0] = wg_sh_op(s, WG_OP_MAX_I, WG_T_U32, WG_W32, 2, from);
    count[1] = wg_sh_imm(at);
    count[0] = wg_sh_op(s, WG_OP_SUB_I, WG_T_U32, WG_W32, 2, count);
    count[1] = wg_sh_imm(3);
    opd shift[2] = {wg_sh_imm(UINT64_MAX), wg_sh_op(s, WG_OP_SHL, WG_T_B32, WG_W32, 2, count)};
    return wg_sh_or(s, bits, v, wg_sh_op(s, WG_OP_SHL, wg_sh_type(bits), wg_sh_width(bits), 2, shift));
}

static void copy(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    uint32_t bytes = (uint32_t)in->src[2].imm, bits = bytes < 8 ? 32 : 64, n = bytes > 8 ? 2 : 1;
    struct wg_ir_instr from = *in, to = *in;
    opd v[2], src[3] = {in->src[0]}, source = in->src[1];
    from.space = WG_S_GLOBAL;
    from.offset = source.kind == WG_O_REG ? (int64_t)source.imm : 0;
    if (source.kind == WG_O_REG) source.imm = 0;
    from.nvec = to.nvec = (uint8_t)n;
    to.space = WG_S_SHARED;
    for (uint32_t i = 0; i < n; i++)
        v[i] = wg_sh_reg(wg_instrument_shadow(s->x, wg_sh_width(bits), "copied"));
    put(s, WG_OP_CHECK_LD, wg_sh_type(bits), n, v, 1, &source, &from, WG_CHECK_LOAD);
    for (uint32_t i = 0; i < n; i++) src[1 + i] = copied(s, v[i], bits, i * 8);
    put(s, WG_OP_CHECK_ST, wg_sh_type(bits), 0, NULL, 1 + n, src, &to, WG_CHECK_STORE);
}

static void access(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    if (wg_shadow_is_passed(s, in)) {
        wg_shadow_place(s);
        return;
    }
    if (!is_tracked(s->x->m, in)) {
        for (uint32_t k = 0; k < in->ndst; k++)
            if (in->dst[k].kind == WG_O_REG) wg_sh_set(s, in->dst[k].index, wg_sh_all());
        return;
    }
    if (in->op == WG_OP_CP_ASYNC)
        copy(s);
    else if (wg_op_is(in->op, WG_IS_LOAD))
        load(s);
    else if (in->op == WG_OP_ST)
        store(s);
    else
        atomic(s);
}

/* ---- what lanes do together: it has been done, and its sources are what they were but for the result ----
 */

static bool overwritten(const struct wg_ir_instr *in, uint32_t i) {
    for (uint32_t k = 0; k < in->ndst; k++)
        if (in->src[i].kind == WG_O_REG && in->dst[k].kind == WG_O_REG &&
            in->src[i].index == in->dst[k].index)
            return true;
    return false;
}

static void shuffle(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    opd src[4] = {wg_sh_of(s, &in->src[0], 32), in->src[1], in->src[2], in->src[3]}, v = wg_sh_all();
    bool lost =
        overwritten(in, 1) || overwritten(in, 2) || overwritten(in, 3); /* nobody knows whose it was */
    if (!lost && in->dst[0].kind == WG_O_REG) {
        struct wg_ir_instr shape = *in;
        v = wg_sh_reg(wg_instrument_shadow(s->x, WG_W32, "shuffled"));
        shape.op = WG_OP_CHECK_SHFL;
        shape.check = WG_CHECK_SHUFFLE;
        shape.dst = &v;
        shape.ndst = 1;
        shape.src = src;
        shape.nsrc = 4;
        wg_instrument_put(s->x, shape);
    }
    ask(s, WG_DECIDES_USE, &in->src[1]);
    if (in->dst[0].kind == WG_O_REG) wg_sh_set(s, in->dst[0].index, v);
    if (in->ndst > 1 && in->dst[1].kind == WG_O_REG) wg_sh_set(s, in->dst[1].index, wg_sh_all());
}

/* A bit of the result is as defined as its lane's predicate; lanes that do not vote have defined zeros. */
static void ballot(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    opd v = wg_sh_of(s, &in->src[0], 1), mask = in->src[1];
    if (!wg_sh_is_all(v)) {
        opd lost = wg_sh_not(s, 1, v);
        lost = wg_sh_op(s, WG_OP_CHECK_BALLOT, WG_T_B32, WG_W32, 1, &lost);
        v = wg_sh_not(s, 32, overwritten(in, 1) ? lost : wg_sh_and(s, 32, lost, mask));
    }
    if (in->dst[0].kind == WG_O_REG) wg_sh_set(s, in->dst[0].index, v);
}

static void together(struct wg_shadow *s) {
    const struct wg_ir_instr *in = s->at;
    uint32_t mask = in->nsrc - 1u;
    if (in->nsrc && !overwritten(in, mask)) ask(s, WG_DECIDES_USE, &in->src[mask]);
    switch (in->op) {
    case WG_OP_SHFL: shuffle(s); return;
    case WG_OP_VOTE_BALLOT: ballot(s); return;
    default: break;
    }
    for (uint32_t i = 0; i < mask; i++)
        if (!overwritten(in, i)) ask(s, WG_DECIDES_USE, &in->src[i]);
    for (uint32_t k = 0; k < in->ndst; k++)
        if (in->dst[k].kind == WG_O_REG) wg_sh_set(s, in->dst[k].index, wg_sh_all());
}

/* ---- the walk ---- */

static void note_writes(struct wg_shadow *s, const struct wg_ir_instr *in) {
    s->now++;
    for (uint32_t k = 0; k < in->ndst; k++) {
        if (in->dst[k].kind != WG_O_REG) continue;
        s->def[in->dst[k].index] = in;
        s->written[in->dst[k].index] = s->now;
    }
}

static void before(struct wg_instrument *x, const struct wg_ir_instr *in) {
    struct wg_shadow *s = x->shadow;
    uint32_t flags = wg_op_flags(in->op);
    s->at = s->asked_for = in;
    if (flags & WG_F_SYNC) return;
    ask_operands(s);
    if (flags & WG_F_MEM)
        access(s);
    else if (in->op == WG_OP_MBARRIER_INIT)
        put(s, WG_OP_CHECK_ST, WG_T_B64, 0, NULL, 2, (opd[]){in->src[0], wg_sh_all()}, in, WG_CHECK_STORE);
    else if (wg_shadow_is_passed(s, in))
        wg_shadow_call(s);
    else if (in->op == WG_OP_CALL)
        for (uint32_t i = 0; i < in->call->nrets; i++) {
            if (in->call->rets[i].value.kind == WG_O_REG)
                wg_sh_set(s, in->call->rets[i].value.index, wg_sh_all());
        }
    else if (in->ndst)
        wg_shadow_apply(s);
}

static void after(struct wg_instrument *x, const struct wg_ir_instr *in) {
    struct wg_shadow *s = x->shadow;
    if (wg_op_is(in->op, WG_IS_MATRIX))
        wg_shadow_matrix(s);
    else if (wg_op_flags(in->op) & WG_F_SYNC)
        together(s);
    else if (in->op == WG_OP_CALL && wg_shadow_is_passed(s, in))
        wg_shadow_called(s);
    note_writes(s, in);
}

/* What the block writes is as undefined as the predicate. */
static void choose(struct wg_shadow *s, const struct wg_ir_block *b, uint32_t predicate) {
    opd p = wg_sh_reg(predicate), whole = wg_sh_of(s, &p, 1);
    if (wg_sh_is_all(whole)) return;
    for (uint32_t i = 0; i < b->ninstrs; i++)
        for (uint32_t d = 0; d < b->instrs[i].ndst; d++) {
            const opd *to = &b->instrs[i].dst[d];
            if (!is_tainted(s, to)) continue;
            uint32_t bits = wg_sh_reg_bits(s, to->index);
            opd v = wg_sh_of(s, to, bits);
            wg_sh_set(s, to->index, wg_sh_and(s, bits, v, wg_sh_spread(s, whole, bits)));
        }
}

/* On the way that does not write them the registers keep what they had, so they are undefined from the branch on. */
static void leave_by_choice(struct wg_shadow *s, const struct wg_ir_block *b, const struct wg_choice *c) {
    for (uint32_t k = 0; k < c->n; k++) choose(s, &s->func->blocks[c->between[k]], b->cond);
}

static void end(struct wg_instrument *x, const struct wg_ir_block *b) {
    struct wg_shadow *s = x->shadow;
    struct wg_ir_instr end = {.guard = WG_NO_REG, .loc = b->loc, .ptx_line = b->ptx_line, .id = b->id};
    s->at = &end;
    const struct wg_choice *c = s->choices.of[b - s->func->blocks];
    const struct wg_around *around = s->choices.around[b - s->func->blocks];
    for (; around; around = around->next) choose(s, b, s->func->blocks[around->branch].cond);
    if (c)
        leave_by_choice(s, b, c);
    else if (b->term == WG_TERM_CBR || b->term == WG_TERM_BRX)
        ask_predicate(s, b->cond);
    s->at = NULL;
    forget(s);
}

static void finish(struct wg_instrument *x, struct wg_ir_func *to) { wg_shadow_frame(x, to); }

const struct wg_instrument_pass wg_shadow_pass = {
    .checks = 1u << WG_CHECK_init,
    .begin = begin,
    .before = before,
    .after = after,
    .end = end,
    .finish = finish,
};
