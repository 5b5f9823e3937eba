/* Calls put in place: see inline.h.
 *
 * Blocks keep their priority order: the callee's stand between the block that ends in the call and the next
 * one, so loops stay next to each other. Behind them a block moves the results.
 */
#include "analysis/inline.h"
#include "analysis/flow.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_INSTRS = 200000, MAX_DEPTH = 64 };

struct inliner {
    struct wg_arena *arena;
    const struct wg_ir_module *m;
    struct wg_diag *d;
    WG_VEC(struct wg_ir_reg) regs;
    WG_VEC(struct wg_ir_block) blocks;
    uint32_t frame_sym; /* LOCAL symbol at offset 0 */
    uint32_t local_bytes, instrs, shared_bytes;
    uint32_t stack[MAX_DEPTH], depth;
    bool failed, quiet;
};

/* One function's copy in the making. */
struct copy {
    const struct wg_ir_func *f;
    uint32_t reg_base;   /* its register 0 */
    uint32_t local_base; /* its local frame in the kernel's */
    uint32_t frame;      /* its call frame there */
    bool by_register;
    uint32_t *arg_reg, *ret_reg; /* by index of args and rets, by_register */
    const struct wg_ir_call *call;
    uint32_t first;      /* block that its block 0 became */
    uint32_t *block;     /* [block] where each begins; the calls in it spread it over several */
    uint32_t outer_loop; /* the loop that the call stands in */
};

static struct wg_ir_opd reg_opd(uint32_t r) { return (struct wg_ir_opd){.kind = WG_O_REG, .index = r}; }

static uint32_t new_reg(struct inliner *x, enum wg_width w, const char *name) {
    *WG_PUSH(&x->regs) = (struct wg_ir_reg){.name = name, .width = (uint8_t)w};
    return x->regs.n - 1;
}

static struct wg_ir_opd *one_opd(struct inliner *x, struct wg_ir_opd o) {
    struct wg_ir_opd *p = WG_NEW(x->arena, struct wg_ir_opd);
    *p = o;
    return p;
}

static void fail(struct inliner *x, const struct wg_ir_instr *in, const char *why) {
    x->failed = true;
    if (x->quiet) return;
    const struct wg_ir_loc *loc = &x->m->locs[in->loc];
    struct wg_pos at = {x->m->name, in->ptx_line, 0};
    if (in->loc && loc->file) at = (struct wg_pos){loc->file, loc->line, loc->col};
    wg_diag_error(x->d, at, NULL, "unsupported call: %s (PTX line %u)", why, in->ptx_line);
}

static struct wg_ir_instr simple(uint16_t op, uint8_t type, const struct wg_ir_instr *like) {
    return (struct wg_ir_instr){
        .op = op, .type = type, .nvec = 1, .guard = WG_NO_REG, .loc = like->loc, .ptx_line = like->ptx_line};
}

/* ---- parameters ---- */

static bool is_place(const struct wg_ir_module *m, const struct wg_ir_opd *o) {
    if (o->kind != WG_O_SYM) return false;
    uint8_t k = m->syms[o->index].kind;
    return k == WG_SYM_FPARAM || k == WG_SYM_FRET;
}

static int find_arg(const struct wg_ir_arg *a, uint32_t n, uint64_t offset, uint32_t bits) {
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
    if (s->kind == WG_SYM_FPARAM) return find_arg(c->args, c->nargs, at, bits);
    return find_arg(c->rets, c->nrets, at, bits);
}

static bool fits_registers(const struct wg_ir_module *m, const struct wg_ir_func *f,
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

static struct wg_ir_opd map_opd(struct inliner *x, const struct copy *c, struct wg_ir_opd o) {
    if (o.kind == WG_O_REG) o.index += c->reg_base;
    if (o.kind != WG_O_SYM) return o;
    const struct wg_ir_sym *s = &x->m->syms[o.index];
    if (s->kind == WG_SYM_LOCAL) o.imm += c->local_base;
    if (is_place(x->m, &o)) {
        o.imm += s->offset + c->frame;
        o.index = x->frame_sym;
    }
    return o;
}

static struct wg_ir_opd *map_opds(struct inliner *x, const struct copy *c, const struct wg_ir_opd *o,
                                  uint32_t n) {
    struct wg_ir_opd *r = WG_NEW_N(x->arena, struct wg_ir_opd, n ? n : 1);
    for (uint32_t i = 0; i < n; i++) r[i] = map_opd(x, c, o[i]);
    return r;
}

static struct wg_ir_call *map_call(struct inliner *x, const struct copy *c, const struct wg_ir_call *call) {
    struct wg_ir_call *r = WG_NEW(x->arena, struct wg_ir_call);
    *r = *call;
    r->target = map_opd(x, c, call->target);
    r->args = WG_NEW_N(x->arena, struct wg_ir_arg, call->nargs + 1);
    r->rets = WG_NEW_N(x->arena, struct wg_ir_arg, call->nrets + 1);
    for (uint32_t i = 0; i < call->nargs; i++) {
        r->args[i] = call->args[i];
        r->args[i].value = map_opd(x, c, call->args[i].value);
    }
    for (uint32_t i = 0; i < call->nrets; i++) {
        r->rets[i] = call->rets[i];
        r->rets[i].value = map_opd(x, c, call->rets[i].value);
    }
    return r;
}

struct code {
    WG_VEC(struct wg_ir_instr) v;
};

static void put(struct inliner *x, struct code *out, struct wg_ir_instr in) {
    *WG_PUSH(&out->v) = in;
    x->instrs++;
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
        struct wg_ir_opd to = load ? map_opd(x, c, in->dst[v]) : reg_opd(place);
        struct wg_ir_opd from = load ? reg_opd(place) : map_opd(x, c, in->src[1 + v]);
        if (to.kind != WG_O_REG) continue;
        uint32_t bits = wg_type_bits(in->type);
        struct wg_ir_instr mv = simple(WG_OP_MOV, in->type, in);
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
        put(x, out, mv);
    }
    return true;
}

static void copy_instr(struct inliner *x, const struct copy *c, const struct wg_ir_instr *in,
                       struct code *out) {
    if (copy_place(x, c, in, out)) return;
    struct wg_ir_instr n = *in;
    if ((in->op == WG_OP_LD || in->op == WG_OP_ST) && in->nsrc && is_place(x->m, &in->src[0]))
        n.space = WG_S_LOCAL;
    n.dst = map_opds(x, c, in->dst, in->ndst);
    n.src = map_opds(x, c, in->src, in->nsrc);
    if (in->guard != WG_NO_REG) n.guard += c->reg_base;
    if (in->op == WG_OP_CALL) n.call = map_call(x, c, in->call);
    put(x, out, n);
}

static uint32_t end_block(struct inliner *x, struct code *out, struct wg_ir_block blk) {
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
static uint32_t *one_succ(struct inliner *x, uint32_t s) {
    uint32_t *p = WG_NEW(x->arena, uint32_t);
    *p = s;
    return p;
}

static void copy_function(struct inliner *x, struct copy *c);

static void pass_args(struct inliner *x, struct copy *callee, const struct wg_ir_call *call,
                      const struct copy *caller, const struct wg_ir_instr *at, struct code *out) {
    for (uint32_t i = 0; i < call->nargs; i++) {
        struct wg_ir_opd v = map_opd(x, caller, call->args[i].value);
        uint8_t type = call->args[i].type;
        uint32_t bits = wg_type_bits(type);
        if (callee->by_register) {
            struct wg_ir_instr mv = simple(WG_OP_MOV, bits < 16 ? WG_T_B16 : type, at);
            callee->arg_reg[i] = new_reg(x, bits <= 16 ? WG_W16 : bits == 32 ? WG_W32 : WG_W64, "arg");
            mv.dst = one_opd(x, reg_opd(callee->arg_reg[i]));
            mv.src = one_opd(x, v);
            mv.ndst = mv.nsrc = 1;
            put(x, out, mv);
        } else {
            struct wg_ir_instr st = simple(WG_OP_ST, type, at);
            st.space = WG_S_LOCAL;
            st.src = WG_NEW_N(x->arena, struct wg_ir_opd, 2);
            st.src[0] = (struct wg_ir_opd){
                .kind = WG_O_SYM, .index = x->frame_sym, .imm = callee->frame + call->args[i].offset};
            st.src[1] = v;
            st.nsrc = 2;
            put(x, out, st);
        }
    }
}

static void take_results(struct inliner *x, const struct copy *callee, const struct wg_ir_call *call,
                         const struct copy *caller, const struct wg_ir_instr *at, struct code *out) {
    for (uint32_t i = 0; i < call->nrets; i++) {
        struct wg_ir_opd to = map_opd(x, caller, call->rets[i].value);
        uint8_t type = call->rets[i].type;
        if (to.kind != WG_O_REG) continue;
        struct wg_ir_instr in = simple(callee->by_register ? WG_OP_MOV : WG_OP_LD, type, at);
        in.dst = one_opd(x, to);
        in.ndst = in.nsrc = 1;
        if (callee->by_register) {
            if (wg_type_bits(type) < 16) in.type = WG_T_B16;
            in.src = one_opd(x, reg_opd(callee->ret_reg[i]));
        } else {
            in.space = WG_S_LOCAL;
            in.src = one_opd(x, (struct wg_ir_opd){.kind = WG_O_SYM,
                                                   .index = x->frame_sym,
                                                   .imm = callee->frame + call->rets[i].offset});
        }
        put(x, out, in);
    }
}

/* The call's target in place, from the block in the making `out` to a block that has moved the results and
 * goes to `next` (a number of the caller's own blocks, to be patched). */
static void put_in_place(struct inliner *x, const struct copy *caller, const struct wg_ir_instr *in,
                         uint32_t func, struct code *out, struct wg_ir_block like) {
    const struct wg_ir_func *f = &x->m->funcs[func];
    const struct wg_ir_call *call = in->call;
    if (f->nblocks == 0) return fail(x, in, "the function is declared but not defined");
    for (uint32_t i = 0; i < x->depth; i++)
        if (x->stack[i] == func) return fail(x, in, "it is recursive");
    if (x->depth == MAX_DEPTH || x->instrs > MAX_INSTRS) return fail(x, in, "calls are nested too deeply");
    struct copy c = {.f = f, .call = call, .reg_base = x->regs.n, .outer_loop = like.loop};
    c.frame = (caller->local_base + caller->f->local_bytes + 15) & ~15u;
    c.local_base = (c.frame + call->bytes + f->frame_bytes + 63) & ~63u;
    if (x->local_bytes < c.local_base + f->local_bytes) x->local_bytes = c.local_base + f->local_bytes;
    c.by_register = fits_registers(x->m, f, call);
    c.arg_reg = WG_NEW_N(x->arena, uint32_t, call->nargs + 1);
    c.ret_reg = WG_NEW_N(x->arena, uint32_t, call->nrets + 1);
    for (uint32_t r = 0; r < f->nregs; r++) *WG_PUSH(&x->regs) = f->regs[r];
    for (uint32_t i = 0; i < call->nrets && c.by_register; i++) {
        uint32_t bits = wg_type_bits(call->rets[i].type);
        c.ret_reg[i] = new_reg(x, bits <= 16 ? WG_W16 : bits == 32 ? WG_W32 : WG_W64, "result");
    }
    pass_args(x, &c, call, caller, in, out);
    uint32_t next = like.succ[0];
    struct wg_ir_block before = like;
    before.term = WG_TERM_BR;
    before.succ = one_succ(x, 0);
    before.nsucc = 1;
    uint32_t b = end_block(x, out, before);
    x->stack[x->depth++] = func;
    *x->blocks.v[b].succ = x->blocks.n | 1u << 31; /* final */
    copy_function(x, &c);
    x->depth--;
    if (x->failed) return;
    /* returns go to the block behind */
    for (uint32_t i = c.first; i < x->blocks.n; i++) {
        struct wg_ir_block *r = &x->blocks.v[i];
        if (r->term != WG_TERM_RET) continue;
        r->term = WG_TERM_BR;
        r->succ = one_succ(x, x->blocks.n | 1u << 31);
        r->nsucc = 1;
    }
    take_results(x, &c, call, caller, in, out);
    struct wg_ir_block behind = like;
    behind.term = WG_TERM_BR;
    behind.succ = one_succ(x, next);
    behind.nsucc = 1;
    end_block(x, out, behind);
}

static bool address_taken(const struct wg_ir_module *m, uint32_t func) {
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

static bool same_signature(const struct wg_ir_func *f, const struct wg_ir_call *c) {
    return !f->entry && f->nblocks && f->param_bytes == c->arg_bytes && (f->nrets != 0 || c->nrets == 0);
}

/* if (target == address of f) { f in place } else if ... else trap */
static void put_indirect(struct inliner *x, const struct copy *caller, const struct wg_ir_instr *in,
                         struct code *out, struct wg_ir_block like) {
    struct wg_ir_opd target = map_opd(x, caller, in->call->target);
    uint32_t next = like.succ[0];
    for (uint32_t f = 0; f < x->m->nfuncs && !x->failed; f++) {
        if (!same_signature(&x->m->funcs[f], in->call) || !address_taken(x->m, f)) continue;
        uint32_t p = new_reg(x, WG_W1, "is_target");
        struct wg_ir_instr eq = simple(WG_OP_SETP, WG_T_U64, in);
        eq.mod[WG_MC_CMP] = WG_M_eq;
        eq.dst = one_opd(x, reg_opd(p));
        eq.src = WG_NEW_N(x->arena, struct wg_ir_opd, 2);
        eq.src[0] = target;
        eq.src[1] = (struct wg_ir_opd){.kind = WG_O_IMM, .imm = f + 1};
        eq.ndst = 1;
        eq.nsrc = 2;
        put(x, out, eq);
        struct wg_ir_block test = like;
        test.term = WG_TERM_CBR;
        test.cond = p;
        test.cond_neg = false;
        test.id = 0;
        test.succ = WG_NEW_N(x->arena, uint32_t, 2);
        test.nsucc = 2;
        uint32_t t = end_block(x, out, test);
        x->blocks.v[t].succ[0] = x->blocks.n | 1u << 31;
        like.succ = one_succ(x, next);
        put_in_place(x, caller, in, f, out, like);
        if (!x->failed) x->blocks.v[t].succ[1] = x->blocks.n | 1u << 31;
    }
    struct wg_ir_block trap = like;
    trap.term = WG_TERM_BAD_CALL;
    trap.nsucc = 0;
    end_block(x, out, trap);
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
    end_block(x, &out, n);
}

static void copy_function(struct inliner *x, struct copy *c) {
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
            n->succ[s] = n->succ[s] >> 31 ? n->succ[s] : c->block[n->succ[s]] | 1u << 31;
        if (n->loop != WG_NO_REG && !(n->loop >> 31))
            n->loop = c->block[n->loop] | 1u << 31;
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
    x.stack[x.depth++] = func;
    copy_function(&x, &c);
    r.func = NULL;
    if (!x.failed) {
        for (uint32_t b = 0; b < x.blocks.n; b++) {
            for (uint32_t s = 0; s < x.blocks.v[b].nsucc; s++) x.blocks.v[b].succ[s] &= ~(1u << 31);
            if (x.blocks.v[b].loop != WG_NO_REG) x.blocks.v[b].loop &= ~(1u << 31);
        }
        wg_flow_preds(x.arena, x.blocks.v, x.blocks.n);
        struct wg_ir_func *n = WG_NEW(&r.arena, struct wg_ir_func);
        *n = *f;
        n->regs = WG_NEW_N(&r.arena, struct wg_ir_reg, x.regs.n);
        memcpy(n->regs, x.regs.v, x.regs.n * sizeof *n->regs);
        n->nregs = x.regs.n;
        n->blocks = WG_NEW_N(&r.arena, struct wg_ir_block, x.blocks.n);
        memcpy(n->blocks, x.blocks.v, x.blocks.n * sizeof *n->blocks);
        n->nblocks = x.blocks.n;
        n->local_bytes = (x.local_bytes + 15) & ~15u;
        r.func = n;
    }
    free(x.regs.v);
    free(x.blocks.v);
    return r;
}

struct wg_inlined wg_inline_calls(const struct wg_ir_module *m, uint32_t func, struct wg_diag *d) {
    return inline_calls(m, func, d, false);
}

bool wg_inline_possible(const struct wg_ir_module *m, uint32_t func) {
    struct wg_inlined i = inline_calls(m, func, NULL, true);
    bool ok = i.func != NULL;
    wg_inlined_free(&i);
    return ok;
}

void wg_inlined_free(struct wg_inlined *i) { wg_arena_free(&i->arena); }
