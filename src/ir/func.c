/* A function's statements, one by one: declarations bind names, labels and control flow make blocks,
 * instructions are converted and put into the open block. */
#include "ir/texture.h"

#include <stdlib.h>
#include <string.h>

/* ---- blocks ---- */

static void open_block(struct wg_fn *f, const char *label) {
    struct wg_draft *d = WG_PUSH(&f->blocks);
    d->label = label;
    d->first = f->instrs.n;
}

static struct wg_draft *current(struct wg_fn *f) { return &f->blocks.v[f->blocks.n - 1]; }

struct wg_draft *wg_end_block(struct wg_fn *f, enum wg_term term) {
    wg_cparam_settle(f);
    struct wg_draft *d = current(f);
    uint32_t index = f->blocks.n - 1;
    d->n = f->instrs.n - d->first;
    d->term = (uint8_t)term;
    d->loc = f->loc;
    d->line = f->line;
    d->cond = WG_NO_REG;
    if (term == WG_TERM_BR) {
        d->nsucc = 1;
        d->two[0] = (struct wg_target){.block = index + 1};
    }
    open_block(f, NULL);
    return &f->blocks.v[index];
}

/* Ends the block with a branch on the guard: taken to the next block, otherwise to a block that the caller
 * names later with otherwise(). */
static uint32_t branch_on_guard(struct wg_fn *f, uint32_t guard, bool neg) {
    struct wg_draft *d = wg_end_block(f, WG_TERM_CBR);
    d->cond = guard;
    d->cond_neg = neg;
    d->nsucc = 2;
    d->two[0] = (struct wg_target){.block = f->blocks.n - 1};
    return f->blocks.n - 2;
}
static void otherwise(struct wg_fn *f, uint32_t block) {
    f->blocks.v[block].two[1] = (struct wg_target){.block = f->blocks.n - 1};
}

/* ---- instructions ---- */

static bool find_guard(struct wg_fn *f, const struct wg_ptx_instr *in, uint32_t *guard) {
    *guard = WG_NO_REG;
    if (!in->guard) return true;
    struct wg_ir_opd o;
    if (!wg_predicate(f, &(struct wg_ptx_opd){.kind = WG_P_NAME, .name = in->guard, .off = in->guard_off},
                      &o))
        return false;
    *guard = o.index;
    return true;
}

/* ---- control ---- */

static bool find_target(struct wg_fn *f, const struct wg_ptx_opd *o, struct wg_target *out) {
    if (o->kind != WG_P_NAME) {
        wg_ptx_error(f->b->src, o->off, "expected a label");
        return false;
    }
    struct wg_binding *x = o->name->binding;
    if (!x || x->kind != WG_BIND_LABEL || x->label->is_table) {
        wg_ptx_error(f->b->src, o->off, x ? "'%s' is not a label" : "unknown label '%s'", o->name->s);
        return false;
    }
    *out = (struct wg_target){.label = x->label, .off = o->off};
    return true;
}

static bool count_operands(struct wg_fn *f, const struct wg_ptx_instr *in, uint32_t n) {
    if (in->nopd == n) return true;
    wg_ptx_error(f->b->src, f->off, "'%s' takes %u operand%s, not %u", in->opcode->s, n, n == 1 ? "" : "s",
                 in->nopd);
    return false;
}

static bool build_bra(struct wg_fn *f, const struct wg_ptx_instr *in, uint32_t guard) {
    struct wg_target to;
    if (!count_operands(f, in, 1) || !find_target(f, &in->opd[0], &to)) return false;
    bool guarded = guard != WG_NO_REG;
    struct wg_draft *d = wg_end_block(f, guarded ? WG_TERM_CBR : WG_TERM_BR);
    d->two[0] = to;
    d->uniform = in->match.mod[WG_MC_UNI] != WG_M_none;
    if (!guarded) return true;
    d->cond = guard;
    d->cond_neg = in->guard_neg;
    d->nsucc = 2;
    d->two[1] = (struct wg_target){.block = f->blocks.n - 1};
    return true;
}

/* brx.idx %r1, table; */
static bool build_brx(struct wg_fn *f, const struct wg_ptx_instr *in) {
    struct wg_ir_opd index;
    if (!count_operands(f, in, 2) || !wg_source(f, &in->opd[0], WG_T_U32, 32, false, &index)) return false;
    const struct wg_ptx_opd *o = &in->opd[1];
    struct wg_binding *x = o->kind == WG_P_NAME ? o->name->binding : NULL;
    if (index.kind != WG_O_REG || !x || x->kind != WG_BIND_LABEL || !x->label->is_table ||
        !x->label->ntargets) {
        wg_ptx_error(f->b->src, o->off, "brx.idx takes a register and the label of a .branchtargets list");
        return false;
    }
    uint32_t n = x->label->ntargets;
    struct wg_target *succ = WG_NEW_N(&f->b->scratch, struct wg_target, n);
    for (uint32_t i = 0; i < n; i++)
        if (!find_target(f, &x->label->targets[i], &succ[i])) return false;
    struct wg_draft *d = wg_end_block(f, WG_TERM_BRX);
    d->cond = index.index;
    d->uniform = in->match.mod[WG_MC_UNI] != WG_M_none;
    d->succ = succ;
    d->nsucc = n;
    return true;
}

/* Results that are registers (.func (.reg .b32 r) f) go into the frame before the function returns. */
static void store_reg_rets(struct wg_fn *f) {
    for (uint32_t i = 0; i < f->reg_rets.n; i++) {
        struct wg_ir_opd src[2] = {{.kind = WG_O_SYM, .index = f->reg_ret_syms.v[i]}, f->reg_rets.v[i]};
        struct wg_ir_instr *st = wg_emit(f, WG_OP_ST);
        st->type = f->regs.v[src[1].index].type;
        st->space = WG_S_PARAM;
        st->mod[WG_MC_SPACE] = WG_M_param;
        st->nsrc = 2;
        st->src = wg_copy_opds(f, src, 2);
    }
}

static bool build_flow(struct wg_fn *f, const struct wg_ptx_instr *in) {
    uint32_t guard;
    if (!find_guard(f, in, &guard)) return false;
    if (in->match.op == WG_OP_BRA) return build_bra(f, in, guard);
    if (in->match.op == WG_OP_RET) store_reg_rets(f);
    uint32_t around = 0;
    bool guarded = guard != WG_NO_REG, ok = true;
    if (guarded) around = branch_on_guard(f, guard, in->guard_neg);
    if (in->match.op == WG_OP_BRX_IDX)
        ok = build_brx(f, in);
    else {
        ok = count_operands(f, in, 0);
        wg_end_block(f, in->match.op == WG_OP_RET    ? WG_TERM_RET
                        : in->match.op == WG_OP_EXIT ? WG_TERM_EXIT
                                                     : WG_TERM_TRAP);
    }
    if (guarded) otherwise(f, around);
    return ok;
}

/* A barrier, call or warp-level instruction: a guard becomes a branch around it, and it has its place in its
 * block. `put` emits it. */
static bool build_meeting(struct wg_fn *f, const struct wg_ptx_instr *in,
                          bool put(struct wg_fn *f, const struct wg_ptx_instr *in, struct wg_ir_instr *i)) {
    struct wg_ir_instr i = {.guard = WG_NO_REG};
    uint32_t guard, around = 0, flags = wg_op_flags(in->match.op);
    bool call = in->match.op == WG_OP_CALL || wg_op_is(in->match.op, WG_IS_TEXTURE);
    if (!find_guard(f, in, &guard) || (!call && !put(f, in, &i))) return false;
    if (!call) wg_cparam_settle(f); /* neither before nor behind it in its block */
    if (guard != WG_NO_REG)
        around = branch_on_guard(f, guard, in->guard_neg);
    else if (flags & WG_F_SYNC && f->instrs.n > current(f)->first)
        wg_end_block(f, WG_TERM_BR);
    bool ok = true;
    if (call)
        ok = put(f, in, &i);
    else {
        struct wg_ir_instr *at = wg_emit(f, in->match.op);
        i.loc = at->loc;
        i.ptx_line = at->ptx_line;
        *at = i;
    }
    if (flags & WG_F_SYNC) current(f)->syncs = true;
    if (flags & WG_F_WAIT)
        wg_end_block(f, WG_TERM_BR)->waits = true;
    else if (guard != WG_NO_REG)
        wg_end_block(f, WG_TERM_BR);
    if (guard != WG_NO_REG) otherwise(f, around);
    return ok;
}

static bool put_call(struct wg_fn *f, const struct wg_ptx_instr *in, struct wg_ir_instr *i) {
    return wg_build_call(f, in);
}

/* The variable of the caller that an address names, if it is one. */
static struct wg_cparam *cparam_of(struct wg_fn *f, const struct wg_ptx_opd *o, int64_t *offset) {
    if (o->kind != WG_P_ADDRESS || o->nelem != 1 || o->elem[0].kind != WG_P_NAME) return NULL;
    struct wg_binding *x = o->elem[0].name->binding;
    *offset = o->elem[0].plus;
    return x && x->kind == WG_BIND_CPARAM ? x->cparam : NULL;
}

/* A word's lower half is an index of 32 bits that is made wider, which compilers write as a mask. */
static void widen_by_mask(struct wg_ir_instr *i) {
    if (i->op != WG_OP_AND || i->type != WG_T_B64 || i->src[0].kind != WG_O_REG) return;
    if (i->src[1].kind != WG_O_IMM || i->src[1].imm != UINT32_MAX) return;
    i->op = WG_OP_CVT;
    i->type = WG_T_U64;
    i->type2 = WG_T_U32;
    i->nsrc = 1;
}

static bool build_plain(struct wg_fn *f, const struct wg_ptx_instr *in) {
    struct wg_ir_instr i = {.nvec = 1};
    uint32_t guard;
    int64_t offset = 0;
    if (!find_guard(f, in, &guard)) return false;
    struct wg_cparam *c = NULL;
    if (in->match.op == WG_OP_LD && in->nopd == 2) c = cparam_of(f, &in->opd[1], &offset);
    if (in->match.op == WG_OP_ST && in->nopd == 2) c = cparam_of(f, &in->opd[0], &offset);
    if (!wg_build_operands(f, in, &i)) return false;
    i.guard = guard;
    i.guard_neg = in->guard_neg;
    if (c) return i.op == WG_OP_LD ? wg_cparam_load(f, c, &i, offset) : wg_cparam_store(f, c, &i, offset);
    widen_by_mask(&i);
    wg_cparam_protect(f, i.dst, i.ndst);
    struct wg_ir_instr *at = wg_emit(f, i.op);
    i.loc = at->loc;
    i.ptx_line = at->ptx_line;
    *at = i;
    return true;
}

static bool convert(struct wg_fn *f, const struct wg_ptx_instr *in) {
    if (in->unsupported) return wg_unsupported(f, "unsupported instruction '%s'", in->unsupported);
    uint32_t flags = wg_op_flags(in->match.op);
    if (flags & WG_F_FLOW) return build_flow(f, in);
    if (in->match.op == WG_OP_CALL) return build_meeting(f, in, put_call);
    if (wg_op_is(in->match.op, WG_IS_TEXTURE)) return build_meeting(f, in, wg_build_texture);
    if (flags & (WG_F_SYNC | WG_F_WAIT)) return build_meeting(f, in, wg_build_operands);
    return build_plain(f, in);
}

static void build_instr(struct wg_fn *f, const struct wg_ptx_instr *in) {
    f->unsupported = NULL;
    if (!convert(f, in) && f->unsupported) wg_emit(f, WG_OP_NONE)->unsupported = f->unsupported;
}

/* ---- declarations ---- */

static void declare_reg(struct wg_fn *f, const struct wg_ptx_var *v) {
    struct wg_build *b = f->b;
    struct wg_binding *x = wg_bind(b, v->name, v->count ? WG_BIND_REGSET : WG_BIND_REG, v->off);
    if (!x) return;
    if (!wg_type_bits(v->type) || (v->count && v->vec > 1) || v->array) {
        wg_ptx_error(b->src, v->off, "'%s' cannot be a register", v->name->s);
        return;
    }
    x->type = v->type;
    x->vec = v->vec;
    x->index = v->count;
    if (v->count) {
        x->pages = WG_NEW_N(&b->scratch, uint32_t *, v->count / 256 + 1);
        return;
    }
    x->index = f->regs.n;
    if (v->vec == 1)
        wg_new_reg(f, v->name->s, v->type);
    else
        for (int e = 0; e < v->vec; e++)
            wg_new_reg(f, wg_arena_printf(b->arena, "%s.%c", v->name->s, "xyzwefgh"[e]), v->type);
}

static void declare_cparam(struct wg_fn *f, const struct wg_ptx_var *v) {
    uint64_t size;
    uint32_t align;
    struct wg_binding *x = wg_bind(f->b, v->name, WG_BIND_CPARAM, v->off);
    if (!x || !wg_var_size(f->b, v, &size, &align)) return;
    if (v->count || size > UINT16_MAX) {
        wg_ptx_error(f->b->src, v->off, "'%s' cannot be a parameter", v->name->s);
        return;
    }
    x->cparam = WG_NEW(&f->b->scratch, struct wg_cparam);
    *x->cparam =
        (struct wg_cparam){.name = v->name, .size = (uint32_t)size, .align = align, .next = f->cparams};
    f->cparams = x->cparam;
}

static void declare(struct wg_fn *f, const struct wg_ptx_var *v) {
    if (v->space == WG_PS_REG)
        declare_reg(f, v);
    else if (v->space == WG_PS_PARAM)
        declare_cparam(f, v);
    else if (v->space == WG_PS_SREG)
        wg_ptx_error(f->b->src, v->off, "special registers are predefined");
    else if (v->count)
        wg_ptx_error(f->b->src, v->off, "a count such as <4> is for registers only");
    else
        wg_add_var(f->b, v, f);
}

/* Parameters as symbols; those that are registers are copied from and to the call frame. */
static void bind_params(struct wg_fn *f, const struct wg_ptx_var *v, const struct wg_ir_param *p, uint32_t n,
                        enum wg_sym_kind kind) {
    struct wg_build *b = f->b;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t sym = b->syms.n;
        *WG_PUSH(&b->syms) = (struct wg_ir_sym){.name = p[i].name,
                                                .kind = (uint8_t)kind,
                                                .space = WG_S_PARAM,
                                                .align = p[i].align,
                                                .size = p[i].size,
                                                .offset = p[i].offset,
                                                .func = WG_NO_REG};
        if (v[i].space == WG_PS_PARAM) {
            struct wg_binding *x = wg_bind(b, v[i].name, WG_BIND_SYM, v[i].off);
            if (x) x->index = sym;
            continue;
        }
        if (v[i].space != WG_PS_REG || v[i].type == WG_T_PRED || f->src->entry || v[i].array ||
            v[i].vec > 1) {
            wg_ptx_error(b->src, v[i].off, "'%s' cannot be a parameter here", p[i].name);
            continue;
        }
        struct wg_ir_opd reg = {.kind = WG_O_REG, .index = f->regs.n};
        declare_reg(f, &v[i]);
        if (kind == WG_SYM_FRET) {
            *WG_PUSH(&f->reg_rets) = reg;
            *WG_PUSH(&f->reg_ret_syms) = sym;
            continue;
        }
        struct wg_ir_instr *ld = wg_emit(f, WG_OP_LD);
        ld->type = v[i].type;
        ld->space = WG_S_PARAM;
        ld->mod[WG_MC_SPACE] = WG_M_param;
        ld->ndst = ld->nsrc = 1;
        struct wg_ir_opd src = {.kind = WG_O_SYM, .index = sym};
        ld->dst = wg_copy_opds(f, &reg, 1);
        ld->src = wg_copy_opds(f, &src, 1);
    }
}

/* ---- the body ---- */

static void bind_labels(struct wg_fn *f, const struct wg_ptx_scope *s) {
    for (struct wg_ptx_label *l = s->labels; l; l = l->next) {
        struct wg_binding *x = wg_bind(f->b, l->name, WG_BIND_LABEL, l->off);
        if (x) x->label = l;
    }
}

/* Marks names that branches mention: other labels (debug information has many) begin no block. */
static void mark_targets(struct wg_fn *f, const struct wg_ptx_scope *s) {
    for (const struct wg_ptx_label *l = s->labels; l; l = l->next)
        for (uint32_t i = 0; i < l->ntargets; i++) l->targets[i].name->target_of = f->index + 1;
}
static void mark_all_targets(struct wg_fn *f) {
    mark_targets(f, &f->src->scope);
    for (uint32_t i = 0; i < f->src->nstmts; i++) {
        const struct wg_ptx_stmt *s = &f->src->stmts[i];
        if (s->kind == WG_ST_OPEN)
            mark_targets(f, s->scope);
        else if (s->kind == WG_ST_INSTR && s->instr->match.op == WG_OP_BRA && s->instr->nopd == 1 &&
                 s->instr->opd[0].kind == WG_P_NAME)
            s->instr->opd[0].name->target_of = f->index + 1;
    }
}

static void place_label(struct wg_fn *f, struct wg_ptx_label *l) {
    if (l->name->target_of != f->index + 1) return;
    wg_end_block(f, WG_TERM_BR);
    current(f)->label = l->name->s;
    current(f)->nounroll = l->nounroll;
    l->block = f->blocks.n;
}

static void build_stmts(struct wg_fn *f) {
    struct wg_build *b = f->b;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < f->src->nstmts && !wg_ptx_gave_up(b->src); i++) {
        const struct wg_ptx_stmt *s = &f->src->stmts[i];
        f->off = s->off;
        if (!f->placed) f->line = s->line;
        switch ((enum wg_ptx_stmt_kind)s->kind) {
        case WG_ST_VAR: declare(f, s->var); break;
        case WG_ST_LOC:
            if (f->placed) break;
            f->loc = wg_loc_index(b, f, s->loc);
            if (!f->out->loc) f->out->loc = f->loc;
            break;
        case WG_ST_LABEL:
            wg_inlines_label(f->b, s->label->name);
            place_label(f, s->label);
            break;
        case WG_ST_INSTR: build_instr(f, s->instr); break;
        case WG_ST_OPEN:
            wg_scope_open(b, WG_NEW(&b->scratch, struct wg_scope));
            bind_labels(f, s->scope);
            depth++;
            break;
        case WG_ST_CLOSE:
            wg_scope_close(b);
            depth--;
            break;
        }
        if (!b->src->errors) f->sound_loc = f->loc;
    }
    while (depth--) wg_scope_close(b);
}

static void free_fn(struct wg_fn *f) {
    for (struct wg_cparam *c = f->cparams; c; c = c->next) {
        free(c->slots.v);
        free(c->returns.v);
        free(c->ret_offsets.v);
    }
    free(f->instrs.v);
    free(f->blocks.v);
    free(f->reg_rets.v);
    free(f->reg_ret_syms.v);
    free(f->textures.v);
}

/* Draft blocks and registers become the function's. */
static void finish(struct wg_fn *f) {
    struct wg_arena *a = f->b->arena;
    wg_cparam_finish(f);
    wg_textures_settle(f);
    if (wg_finish_blocks(f)) wg_contract(f);
    f->out->nregs = f->regs.n;
    f->out->regs = WG_NEW_N(a, struct wg_ir_reg, f->regs.n);
    if (f->regs.n) memcpy(f->out->regs, f->regs.v, f->regs.n * sizeof *f->regs.v);
}

/* *wrong_at: the place in the source of what is wrong with it, if something is; 0: none. */
static void build_body(struct wg_build *b, uint32_t index, uint32_t *wrong_at) {
    struct wg_ptx_func *src = b->func_src[index];
    struct wg_fn f = {.b = b, .src = src, .out = &b->m->funcs[index], .index = index};
    struct wg_scope params, body;
    const struct wg_texture_function *texture = wg_texture_function_at(b, index);
    wg_locs_begin(b, &f);
    wg_inlines_begin(b);
    wg_scope_open(b, &params);
    open_block(&f, NULL);
    f.off = src->off;
    f.line = src->line;
    if (texture) {
        f.placed = true;
        f.out->loc = f.loc = texture->loc;
        f.out->ptx_line = f.line = texture->line;
    }
    bind_params(&f, src->sig.params, f.out->params, f.out->nparams,
                src->entry ? WG_SYM_PARAM : WG_SYM_FPARAM);
    bind_params(&f, src->sig.rets, f.out->rets, f.out->nrets, WG_SYM_FRET);
    wg_scope_open(b, &body);
    bind_labels(&f, &src->scope);
    mark_all_targets(&f);
    wg_end_block(&f, WG_TERM_BR); /* block 0 has no predecessors */
    build_stmts(&f);
    *wrong_at = b->src->errors ? f.sound_loc : 0;
    store_reg_rets(&f);
    wg_end_block(&f, WG_TERM_RET);
    wg_scope_close(b);
    wg_scope_close(b);
    if (!b->src->errors) finish(&f);
    free(f.regs.v);
    free_fn(&f);
}

/* In place of a refused function's body: an instruction that is not there, at the place of what is wrong. */
static void build_refused(struct wg_build *b, uint32_t index, uint32_t wrong_at) {
    struct wg_ptx_func *src = b->func_src[index];
    struct wg_ir_func *out = &b->m->funcs[index];
    struct wg_fn f = {.b = b, .src = src, .out = out, .index = index, .line = src->line};
    out->refused = wg_arena_strdup(b->arena, src->refused);
    out->has_calls = out->has_indirect_calls = false;
    out->local_bytes = 0;
    b->uses[index].shared.n = b->uses[index].calls.n = 0;
    b->uses[index].indirect = b->uses[index].dynamic = false;
    b->m->nrefused++;
    wg_locs_begin(b, &f);
    wg_inlines_begin(b);
    out->loc = f.loc = src->refused_at ? wg_loc_index(b, &f, src->refused_at) : wrong_at;
    open_block(&f, NULL);
    wg_end_block(&f, WG_TERM_BR);
    wg_emit(&f, WG_OP_NONE)->unsupported = "what its text says";
    wg_end_block(&f, WG_TERM_RET);
    finish(&f);
    free(f.regs.v);
    free_fn(&f);
}

void wg_build_func(struct wg_build *b, uint32_t index) {
    struct wg_ptx_func *src = b->func_src[index];
    struct wg_ptx_aside aside;
    uint32_t wrong_at = 0;
    if (!src->has_body) return;
    if (!src->refused) {
        wg_ptx_aside_begin(b->src, &aside);
        build_body(b, index, &wrong_at);
        src->refused = wg_ptx_aside_end(b->src, &aside, &b->scratch);
    }
    if (src->refused) build_refused(b, index, wrong_at);
}
