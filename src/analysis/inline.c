/* Inlining: see inline.h.
 *
 * Blocks keep their priority order: the callee's are placed between the block that ends in the call and the
 * next one, so loops stay contiguous. A block after them moves the results.
 */
#include "analysis/inliner.h"
#include "cfg/cfg.h"

#include <stdlib.h>
#include <string.h>

uint32_t wg_inline_reg(struct inliner *x, enum wg_width w, const char *name) {
    *WG_PUSH(&x->regs) = (struct wg_ir_reg){.name = name, .width = (uint8_t)w};
    return x->regs.n - 1;
}

uint32_t wg_inline_value_reg(struct inliner *x, uint8_t type, const char *name) {
    uint32_t bits = wg_type_bits(type);
    return wg_inline_reg(x, bits <= 16 ? WG_W16 : bits == 32 ? WG_W32 : WG_W64, name);
}

static struct wg_ir_opd *one_opd(struct inliner *x, struct wg_ir_opd o) {
    struct wg_ir_opd *p = WG_NEW(x->arena, struct wg_ir_opd);
    *p = o;
    return p;
}

void wg_inline_fail(struct inliner *x, const struct wg_ir_instr *in, const char *why) {
    x->failed = true;
    if (x->quiet) return;
    const struct wg_ir_loc *loc = &x->m->locs[in->loc];
    struct wg_pos at = {x->m->name, in->ptx_line, 0};
    if (in->loc && loc->file) at = (struct wg_pos){loc->file, loc->line, loc->col};
    wg_diag_error(x->d, at, NULL, "unsupported call: %s (PTX line %u)", why, in->ptx_line);
}

struct wg_ir_instr wg_inline_instr(uint16_t op, uint8_t type, const struct wg_ir_instr *like) {
    return (struct wg_ir_instr){
        .op = op, .type = type, .nvec = 1, .guard = WG_NO_REG, .loc = like->loc, .ptx_line = like->ptx_line};
}

/* ---- parameters ---- */

static bool is_place(const struct wg_ir_module *m, const struct wg_ir_opd *o) {
    if (o->kind != WG_O_SYM) return false;
    uint8_t k = m->syms[o->index].kind;
    return k == WG_SYM_FPARAM || k == WG_SYM_FRET;
}

int wg_inline_find_arg(const struct wg_ir_arg *a, uint32_t n, uint64_t offset, uint32_t bits) {
    for (uint32_t i = 0; i < n; i++)
        if (a[i].offset == offset && wg_type_bits(a[i].type) == bits) return (int)i;
    return -1;
}

/* The argument or result that an access of the callee names, or -1. */
static int place_of(const struct wg_ir_module *m, const struct wg_ir_call *c, const struct wg_ir_instr *in,
                    uint32_t elem) {
    const struct wg_ir_sym *s = &m->syms[in->src[0].index];
    uint32_t bits = wg_type_bits(in->type);
    uint64_t at = s->offset + in->src[0].imm + (uint64_t)in->offset + elem * bits / 8;
    if (s->kind == WG_SYM_FPARAM) return wg_inline_find_arg(c->args, c->nargs, at, bits);
    return wg_inline_find_arg(c->rets, c->nrets, at, bits);
}

bool wg_inline_fits_registers(const struct wg_ir_module *m, const struct wg_ir_func *f,
                              const struct wg_ir_call *c) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            bool memory = in->op == WG_OP_LD || in->op == WG_OP_ST;
            for (uint32_t s = 0; s < in->nsrc; s++)
                if (is_place(m, &in->src[s]) && (!memory || s > 0)) return false;
            if (in->op == WG_OP_CALL)
                for (uint32_t a = 0; a < in->call->nargs; a++)
                    if (is_place(m, &in->call->args[a].value)) return false;
            if (!memory || !in->nsrc || !is_place(m, &in->src[0])) continue;
            for (uint32_t v = 0; v < in->nvec; v++) {
                int at = place_of(m, c, in, v);
                bool ret = m->syms[in->src[0].index].kind == WG_SYM_FRET;
                if (at < 0 && !(ret && in->op == WG_OP_ST)) return false;
            }
        }
    /* every result that the caller wants must be one that a store can name: stores of other sizes need memory
     */
    return true;
}

/* ---- copying ---- */

void wg_inline_put(struct inliner *x, struct code *out, struct wg_ir_instr in) {
    *WG_PUSH(&out->v) = in;
    x->instrs++;
}

struct wg_ir_instr *wg_inline_put_op(struct inliner *x, struct code *out, struct wg_ir_instr in, uint32_t dst,
                                     struct wg_ir_opd a, struct wg_ir_opd b) {
    in.dst = one_opd(x, wg_inline_opd(dst));
    in.src = WG_NEW_N(x->arena, struct wg_ir_opd, 3);
    in.src[0] = a;
    in.src[1] = b;
    in.ndst = 1;
    in.nsrc = b.kind == WG_O_NONE ? 1 : 2;
    wg_inline_put(x, out, in);
    return &out->v.v[out->v.n - 1];
}

/* The offset of a variable or a parameter in memory in its activation's frame; false: it is neither. */
static bool lies_in_frame(const struct inliner *x, const struct copy *c, const struct wg_ir_opd *o,
                          uint64_t *at) {
    if (o->kind != WG_O_SYM) return false;
    const struct wg_ir_sym *s = &x->m->syms[o->index];
    if (s->kind != WG_SYM_LOCAL && !is_place(x->m, o)) return false;
    *at = s->offset + o->imm + (s->kind == WG_SYM_LOCAL ? c->local_base : c->frame);
    return true;
}

/* Of the kernel's own frame: a symbol with a constant. */
static struct wg_ir_opd in_frame(const struct inliner *x, uint64_t at) {
    return (struct wg_ir_opd){.kind = WG_O_SYM, .index = x->frame_sym, .imm = at};
}

struct wg_ir_opd wg_inline_map(struct inliner *x, const struct copy *c, const struct wg_ir_instr *like,
                               struct wg_ir_opd o, struct code *out) {
    uint64_t at;
    if (o.kind == WG_O_REG) o.index += c->reg_base;
    if (!lies_in_frame(x, c, &o, &at)) return o;
    if (!c->in) return in_frame(x, at);
    struct wg_ir_opd r = wg_inline_opd(wg_inline_reg(x, WG_W64, "in_frame"));
    wg_inline_put_op(x, out, wg_inline_instr(WG_OP_ADD_I, WG_T_U64, like), r.index, wg_inline_opd(x->frame),
                     (struct wg_ir_opd){.kind = WG_O_IMM, .imm = at});
    return r;
}

static struct wg_ir_opd *map_opds(struct inliner *x, const struct copy *c, const struct wg_ir_instr *like,
                                  const struct wg_ir_opd *o, uint32_t n, struct code *out) {
    struct wg_ir_opd *r = WG_NEW_N(x->arena, struct wg_ir_opd, n ? n : 1);
    for (uint32_t i = 0; i < n; i++) r[i] = wg_inline_map(x, c, like, o[i], out);
    return r;
}

static struct wg_ir_call *map_call(struct inliner *x, const struct copy *c, const struct wg_ir_instr *in,
                                   struct code *out) {
    const struct wg_ir_call *call = in->call;
    struct wg_ir_call *r = WG_NEW(x->arena, struct wg_ir_call);
    *r = *call;
    r->target = wg_inline_map(x, c, in, call->target, out);
    r->args = WG_NEW_N(x->arena, struct wg_ir_arg, call->nargs + 1);
    r->rets = WG_NEW_N(x->arena, struct wg_ir_arg, call->nrets + 1);
    for (uint32_t i = 0; i < call->nargs; i++) {
        r->args[i] = call->args[i];
        r->args[i].value = wg_inline_map(x, c, in, call->args[i].value, out);
    }
    for (uint32_t i = 0; i < call->nrets; i++) {
        r->rets[i] = call->rets[i];
        r->rets[i].value = wg_inline_map(x, c, in, call->rets[i].value, out);
    }
    return r;
}

/* ld.param / st.param of a callee whose parameters are registers. */
static bool copy_place(struct inliner *x, const struct copy *c, const struct wg_ir_instr *in,
                       struct code *out) {
    bool memory = in->op == WG_OP_LD || in->op == WG_OP_ST;
    if (!c->by_register || !memory || !is_place(x->m, &in->src[0])) return false;
    for (uint32_t v = 0; v < in->nvec; v++) {
        int at = place_of(x->m, c->call, in, v);
        if (at < 0) continue; /* a result that the caller does not take */
        bool ret = x->m->syms[in->src[0].index].kind == WG_SYM_FRET;
        uint32_t place = ret ? c->ret_reg[at] : c->arg_reg[at];
        bool load = in->op == WG_OP_LD;
        struct wg_ir_opd to = load ? wg_inline_map(x, c, in, in->dst[v], out) : wg_inline_opd(place);
        struct wg_ir_opd from = load ? wg_inline_opd(place) : wg_inline_map(x, c, in, in->src[1 + v], out);
        if (to.kind != WG_O_REG) continue;
        uint32_t bits = wg_type_bits(in->type);
        struct wg_ir_instr mv = wg_inline_instr(WG_OP_MOV, in->type, in);
        if (bits < 16) { /* a byte in a 16-bit or wider register: extended as the load says */
            mv.op = WG_OP_CVT;
            mv.type2 = in->type;
            mv.type = wg_type_kind(in->type) == WG_K_S ? WG_T_S16 : WG_T_U16;
            if (wg_type_kind(in->type) == WG_K_B) mv.type2 = WG_T_U8;
        }
        mv.id = in->id;
        mv.dst = one_opd(x, to);
        mv.src = one_opd(x, from);
        mv.ndst = mv.nsrc = 1;
        mv.guard = in->guard == WG_NO_REG ? WG_NO_REG : in->guard + c->reg_base;
        mv.guard_neg = in->guard_neg;
        wg_inline_put(x, out, mv);
    }
    return true;
}

static void copy_instr(struct inliner *x, const struct copy *c, const struct wg_ir_instr *in,
                       struct code *out) {
    if (copy_place(x, c, in, out)) return;
    struct wg_ir_instr n = *in;
    if ((in->op == WG_OP_LD || in->op == WG_OP_ST) && in->nsrc && is_place(x->m, &in->src[0]))
        n.space = WG_S_LOCAL;
    uint32_t before = out->v.n;
    n.dst = map_opds(x, c, in, in->dst, in->ndst, out);
    n.src = map_opds(x, c, in, in->src, in->nsrc, out);
    if (in->guard != WG_NO_REG) n.guard += c->reg_base;
    if (in->op == WG_OP_CALL) n.call = map_call(x, c, in, out);
    if (out->v.n > before && wg_op_flags(in->op) & WG_F_SYNC)
        wg_inline_fail(x, in, "a recursive function's variable where lanes meet");
    wg_inline_put(x, out, n);
}

uint32_t wg_inline_end_block(struct inliner *x, struct code *out, struct wg_ir_block blk) {
    blk.instrs = WG_NEW_N(x->arena, struct wg_ir_instr, out->v.n + 1);
    if (out->v.n) memcpy(blk.instrs, out->v.v, out->v.n * sizeof *blk.instrs);
    blk.ninstrs = out->v.n;
    free(out->v.v);
    memset(out, 0, sizeof *out);
    *WG_PUSH(&x->blocks) = blk;
    return x->blocks.n - 1;
}

/* Successors of blocks in the making are numbers of the copied function's own blocks, patched when it is
 * complete; these marks tell what is final already. */
uint32_t *wg_inline_succ(struct inliner *x, uint32_t s) {
    uint32_t *p = WG_NEW(x->arena, uint32_t);
    *p = s;
    return p;
}

struct wg_ir_opd *wg_inline_map_args(struct inliner *x, const struct copy *caller,
                                     const struct wg_ir_instr *in, struct code *out) {
    struct wg_ir_opd *v = WG_NEW_N(x->arena, struct wg_ir_opd, in->call->nargs + 1);
    for (uint32_t i = 0; i < in->call->nargs; i++)
        v[i] = wg_inline_map(x, caller, in, in->call->args[i].value, out);
    return v;
}

/* The argument's or result's place in the copy's call frame, as the address of `in`. */
static struct wg_ir_opd in_call_frame(const struct inliner *x, const struct copy *c, uint32_t offset,
                                      struct wg_ir_instr *in) {
    in->space = WG_S_LOCAL;
    if (!c->in) return in_frame(x, c->frame + offset);
    in->offset = c->frame + offset;
    return wg_inline_opd(x->frame);
}

void wg_inline_pass_args(struct inliner *x, const struct copy *callee, const struct wg_ir_instr *at,
                         const struct wg_ir_opd *v, struct code *out) {
    const struct wg_ir_call *call = at->call, *known = callee->call;
    for (uint32_t i = 0; i < call->nargs; i++) {
        const struct wg_ir_arg *a = &call->args[i];
        uint32_t bits = wg_type_bits(a->type);
        if (callee->by_register) {
            int k = known == call ? (int)i : wg_inline_find_arg(known->args, known->nargs, a->offset, bits);
            wg_inline_put_op(x, out, wg_inline_instr(WG_OP_MOV, bits < 16 ? WG_T_B16 : a->type, at),
                             callee->arg_reg[k], v[i], (struct wg_ir_opd){0});
        } else {
            struct wg_ir_instr st = wg_inline_instr(WG_OP_ST, a->type, at);
            st.src = WG_NEW_N(x->arena, struct wg_ir_opd, 2);
            st.src[0] = in_call_frame(x, callee, a->offset, &st);
            st.src[1] = v[i];
            st.nsrc = 2;
            wg_inline_put(x, out, st);
        }
    }
}

void wg_inline_take_results(struct inliner *x, const struct copy *callee, const uint32_t *regs,
                            const struct copy *caller, const struct wg_ir_instr *at, struct code *out) {
    const struct wg_ir_call *call = at->call, *known = callee->call;
    for (uint32_t i = 0; i < call->nrets; i++) {
        const struct wg_ir_arg *r = &call->rets[i];
        struct wg_ir_opd to = wg_inline_map(x, caller, at, r->value, out), from;
        uint32_t bits = wg_type_bits(r->type);
        if (to.kind != WG_O_REG) continue;
        struct wg_ir_instr in = wg_inline_instr(callee->by_register ? WG_OP_MOV : WG_OP_LD,
                                                callee->by_register && bits < 16 ? WG_T_B16 : r->type, at);
        if (callee->by_register) {
            int k = known == call ? (int)i : wg_inline_find_arg(known->rets, known->nrets, r->offset, bits);
            from = wg_inline_opd(regs[k]);
        } else
            from = in_call_frame(x, callee, r->offset, &in);
        wg_inline_put_op(x, out, in, to.index, from, (struct wg_ir_opd){0});
    }
}

void wg_inline_registers(struct inliner *x, struct copy *c) {
    const struct wg_ir_call *call = c->call;
    c->reg_base = x->regs.n;
    for (uint32_t r = 0; r < c->f->nregs; r++) *WG_PUSH(&x->regs) = c->f->regs[r];
    c->arg_reg = WG_NEW_N(x->arena, uint32_t, call->nargs + 1);
    c->ret_reg = WG_NEW_N(x->arena, uint32_t, call->nrets + 1);
    if (!c->by_register) return;
    for (uint32_t i = 0; i < call->nargs; i++)
        c->arg_reg[i] = wg_inline_value_reg(x, call->args[i].type, "arg");
    for (uint32_t i = 0; i < call->nrets; i++)
        c->ret_reg[i] = wg_inline_value_reg(x, call->rets[i].type, "result");
}

void wg_inline_returns(struct inliner *x, const struct copy *c, uint32_t to) {
    for (uint32_t i = c->first; i < x->blocks.n; i++) {
        struct wg_ir_block *r = &x->blocks.v[i];
        if (r->term != WG_TERM_RET) continue;
        r->term = WG_TERM_BR;
        r->succ = wg_inline_succ(x, to | WG_FINAL);
        r->nsucc = 1;
    }
}

void wg_inline_need(struct inliner *x, struct member *in, uint32_t bytes) {
    uint32_t *most = in ? wg_recursion_frame(in) : &x->local_bytes;
    if (*most < bytes) *most = bytes;
}

/* The call's target in place, from the block in the making `out` to a block that has moved the results and
 * goes to `next` (a number of the caller's own blocks, to be patched). */
static void put_in_place(struct inliner *x, const struct copy *caller, const struct wg_ir_instr *in,
                         uint32_t func, struct code *out, struct wg_ir_block like) {
    const struct wg_ir_func *f = &x->m->funcs[func];
    const struct wg_ir_call *call = in->call;
    if (f->nblocks == 0) return wg_inline_fail(x, in, "the function is declared but not defined");
    if (x->depth == WG_INLINE_DEPTH || x->instrs > WG_INLINE_INSTRS)
        return wg_inline_fail(x, in, "calls are nested too deeply");
    if (x->cycle[func] != WG_NO_REG) return wg_recursion_call(x, caller, in, func, out, like);
    struct copy c = {.f = f, .call = call, .in = caller->in, .outer_loop = like.loop};
    c.frame = (caller->local_base + caller->f->local_bytes + 15) & ~15u;
    c.local_base = (c.frame + call->bytes + f->frame_bytes + 63) & ~63u;
    c.by_register = wg_inline_fits_registers(x->m, f, call);
    if (f->local_bytes || !c.by_register) wg_inline_need(x, c.in, c.local_base + f->local_bytes);
    struct wg_ir_opd *args = wg_inline_map_args(x, caller, in, out);
    wg_inline_registers(x, &c);
    wg_inline_pass_args(x, &c, in, args, out);
    uint32_t next = like.succ[0];
    like.term = WG_TERM_BR;
    like.succ = wg_inline_succ(x, (x->blocks.n + 1) | WG_FINAL);
    like.nsucc = 1;
    wg_inline_end_block(x, out, like);
    x->depth++;
    wg_inline_function(x, &c);
    x->depth--;
    if (x->failed) return;
    wg_inline_returns(x, &c, x->blocks.n);
    wg_inline_take_results(x, &c, c.ret_reg, caller, in, out);
    like.succ = wg_inline_succ(x, next);
    wg_inline_end_block(x, out, like);
}

bool wg_inline_address_taken(const struct wg_ir_module *m, uint32_t func) {
    for (uint32_t s = 0; s < m->nsyms; s++) {
        for (uint32_t r = 0; r < m->syms[s].nrelocs; r++) {
            const struct wg_ir_sym *t = &m->syms[m->syms[s].relocs[r].sym];
            if (t->kind == WG_SYM_FUNC && t->func == func) return true;
        }
    }
    for (uint32_t f = 0; f < m->nfuncs; f++)
        for (uint32_t b = 0; b < m->funcs[f].nblocks; b++)
            for (uint32_t i = 0; i < m->funcs[f].blocks[b].ninstrs; i++) {
                const struct wg_ir_instr *in = &m->funcs[f].blocks[b].instrs[i];
                for (uint32_t s = 0; s < in->nsrc; s++)
                    if (in->src[s].kind == WG_O_SYM && m->syms[in->src[s].index].kind == WG_SYM_FUNC &&
                        m->syms[in->src[s].index].func == func)
                        return true;
                for (uint32_t s = 0; in->op == WG_OP_CALL && s < in->call->nargs; s++) {
                    const struct wg_ir_opd *o = &in->call->args[s].value;
                    if (o->kind == WG_O_SYM && m->syms[o->index].kind == WG_SYM_FUNC &&
                        m->syms[o->index].func == func)
                        return true;
                }
            }
    return false;
}

bool wg_inline_same_signature(const struct wg_ir_func *f, const struct wg_ir_call *c) {
    return !f->entry && f->nblocks && f->param_bytes == c->arg_bytes && (f->nrets != 0 || c->nrets == 0);
}

/* if (target == address of f) { f in place } else if ... else trap */
static void put_indirect(struct inliner *x, const struct copy *caller, const struct wg_ir_instr *in,
                         struct code *out, struct wg_ir_block like) {
    struct wg_ir_opd target = wg_inline_map(x, caller, in, in->call->target, out);
    uint32_t next = like.succ[0];
    for (uint32_t f = 0; f < x->m->nfuncs && !x->failed; f++) {
        if (!wg_inline_same_signature(&x->m->funcs[f], in->call) || !wg_inline_address_taken(x->m, f))
            continue;
        uint32_t p = wg_inline_reg(x, WG_W1, "is_target");
        struct wg_ir_instr eq = wg_inline_instr(WG_OP_SETP, WG_T_U64, in);
        eq.mod[WG_MC_CMP] = WG_M_eq;
        eq.dst = one_opd(x, wg_inline_opd(p));
        eq.src = WG_NEW_N(x->arena, struct wg_ir_opd, 2);
        eq.src[0] = target;
        eq.src[1] = (struct wg_ir_opd){.kind = WG_O_IMM, .imm = f + 1};
        eq.ndst = 1;
        eq.nsrc = 2;
        wg_inline_put(x, out, eq);
        struct wg_ir_block test = like;
        test.term = WG_TERM_CBR;
        test.cond = p;
        test.cond_neg = false;
        test.id = 0;
        test.succ = WG_NEW_N(x->arena, uint32_t, 2);
        test.nsucc = 2;
        uint32_t t = wg_inline_end_block(x, out, test);
        x->blocks.v[t].succ[0] = x->blocks.n | WG_FINAL;
        like.succ = wg_inline_succ(x, next);
        put_in_place(x, caller, in, f, out, like);
        if (!x->failed) x->blocks.v[t].succ[1] = x->blocks.n | WG_FINAL;
    }
    struct wg_ir_block trap = like;
    trap.term = WG_TERM_BAD_CALL;
    trap.nsucc = 0;
    wg_inline_end_block(x, out, trap);
}

static void copy_block(struct inliner *x, struct copy *c, uint32_t b) {
    const struct wg_ir_block *blk = &c->f->blocks[b];
    struct code out = {0};
    struct wg_ir_block n = *blk;
    n.succ = WG_NEW_N(x->arena, uint32_t, blk->nsucc + 1);
    memcpy(n.succ, blk->succ, blk->nsucc * sizeof *n.succ);
    if (blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX) n.cond += c->reg_base;
    for (uint32_t i = 0; i < blk->ninstrs && !x->failed; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        if (in->op == WG_OP_CALL && !in->call->builtin) {
            if (in->call->func != WG_NO_REG)
                put_in_place(x, c, in, in->call->func, &out, n);
            else
                put_indirect(x, c, in, &out, n);
            free(out.v.v);
            return;
        }
        copy_instr(x, c, in, &out);
    }
    wg_inline_end_block(x, &out, n);
}

void wg_inline_function(struct inliner *x, struct copy *c) {
    c->first = x->blocks.n;
    c->block = WG_NEW_N(x->arena, uint32_t, c->f->nblocks);
    for (uint32_t b = 0; b < c->f->nblocks && !x->failed; b++) {
        c->block[b] = x->blocks.n;
        copy_block(x, c, b);
    }
    if (x->failed) return;
    for (uint32_t i = c->first; i < x->blocks.n; i++) {
        struct wg_ir_block *n = &x->blocks.v[i];
        for (uint32_t s = 0; s < n->nsucc; s++)
            n->succ[s] = n->succ[s] >> 31 ? n->succ[s] : c->block[n->succ[s]] | WG_FINAL;
        if (n->loop != WG_NO_REG && !(n->loop >> 31))
            n->loop = c->block[n->loop] | WG_FINAL;
        else if (n->loop == WG_NO_REG)
            n->loop = c->outer_loop == WG_NO_REG ? WG_NO_REG : c->outer_loop;
    }
}

static bool calls_anything(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (f->blocks[b].instrs[i].op == WG_OP_CALL && !f->blocks[b].instrs[i].call->builtin) return true;
    return false;
}

/* A copy of the module with a LOCAL symbol at offset 0 more. */
static const struct wg_ir_module *with_frame_symbol(struct wg_arena *a, const struct wg_ir_module *m) {
    struct wg_ir_module *n = WG_NEW(a, struct wg_ir_module);
    *n = *m;
    n->syms = WG_NEW_N(a, struct wg_ir_sym, m->nsyms + 1);
    memcpy(n->syms, m->syms, m->nsyms * sizeof *n->syms);
    n->syms[m->nsyms] = (struct wg_ir_sym){
        .name = "call frame", .kind = WG_SYM_LOCAL, .space = WG_S_LOCAL, .align = 16, .func = WG_NO_REG};
    n->nsyms++;
    return n;
}

/* What the blocks have become, as a function. */
static const struct wg_ir_func *finish(struct inliner *x, const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < x->blocks.n; b++) {
        for (uint32_t s = 0; s < x->blocks.v[b].nsucc; s++) x->blocks.v[b].succ[s] &= ~WG_FINAL;
        if (x->blocks.v[b].loop != WG_NO_REG) x->blocks.v[b].loop &= ~WG_FINAL;
    }
    if (x->recurses) wg_recursion_end(x);
    if (x->failed) return NULL;
    struct wg_ir_func *n = WG_NEW(x->arena, struct wg_ir_func);
    *n = *f;
    wg_flow_install(x->arena, n, x->regs.v, x->regs.n, x->blocks.v, x->blocks.n);
    n->local_bytes = (x->local_bytes + 15) & ~15u;
    if (x->recurses) wg_recursion_order(x, n);
    return n;
}

static struct wg_inlined inline_calls(const struct wg_ir_module *m, uint32_t func, struct wg_diag *d,
                                      bool quiet) {
    struct wg_inlined r = {.module = m, .func = &m->funcs[func]};
    if (!calls_anything(r.func)) return r;
    const struct wg_ir_func *f = r.func;
    r.module = with_frame_symbol(&r.arena, m);
    struct inliner x = {.arena = &r.arena,
                        .m = r.module,
                        .d = d,
                        .frame_sym = m->nsyms,
                        .quiet = quiet,
                        .local_bytes = f->local_bytes};
    struct copy c = {.f = f, .outer_loop = WG_NO_REG};
    for (uint32_t i = 0; i < f->nregs; i++) *WG_PUSH(&x.regs) = f->regs[i];
    wg_recursion_begin(&x);
    wg_inline_function(&x, &c);
    r.func = x.failed ? NULL : finish(&x, f);
    wg_recursion_free(&x);
    free(x.regs.v);
    free(x.blocks.v);
    return r;
}

struct wg_inlined wg_inline_calls(const struct wg_ir_module *m, uint32_t func, struct wg_diag *d) {
    return inline_calls(m, func, d, false);
}

bool wg_inline_possible(const struct wg_ir_module *m, uint32_t func, bool *recursive) {
    struct wg_inlined i = inline_calls(m, func, NULL, true);
    bool ok = i.func != NULL;
    *recursive = ok && i.func->saves;
    wg_inlined_free(&i);
    return ok;
}

void wg_inlined_free(struct wg_inlined *i) { wg_arena_free(&i->arena); }
