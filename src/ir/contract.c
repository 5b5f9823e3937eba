/* Contraction: a product and the sum that takes it become one fused multiply-add, as in the assembler.
 *
 * PTX's mul, add and sub without a rounding (mul.f32, not mul.rn.f32) may be fused; a GPU's results depend on which
 * are. The rules are those of ptxas, found by assembling small kernels (docs/contraction.md, tests/ir/contractions.py):
 *
 *   - A product is fused with all of its sums or with none: one more use, such as a store, keeps it apart. Copies and
 *     negations on the way do not matter. As the other operand of a fused sum it is used for good.
 *   - All are in one region: straight-line code, barriers included, that no branch enters or leaves; what becomes a
 *     branch ends it too: calls, exact division and roots, signed integer division, fences, guarded accesses. A product
 *     by a constant or a kernel's parameter needs no second register, and is fused wherever its sums are.
 *   - Of two products in one sum, that which only this sum uses is fused, then that with fewer uses, then the first.
 *     Sums with such a product come first, then the others, each in the order of the text.
 *
 * Where only some of its sums are fused in the end, the product is computed as well.
 *
 *     number_registers    how often each is read and written
 *     walk_line           instructions become items, line by line of blocks; see_read, see_write: who reads which product
 *     fuse_sums           which sums take which product
 *     put_block           the blocks again, with what was fused
 */
#include "ir/build.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

/* A sum that reads a product; a list for each product. */
struct use {
    uint32_t sum, next, via; /* items; via: the product, or the copy of it that is read */
    uint8_t operand;
    bool negated;
};

/* An instruction. Lines (blocks that follow one another with no other way in or out) are walked one after another; walls
 * part a line into regions. */
struct item {
    const struct wg_ir_instr *in;
    uint32_t block, region, line;
    uint32_t product; /* the product whose value it has: itself, or through copies and negations; or NONE */
    uint32_t source;  /* a copy or negation: the item it reads */
    bool negated;     /* has the negated product */
    bool lost;        /* a product: what is no sum reads it */
    bool kept;        /* somebody still reads its result */
    bool by_constant; /* a product */
    bool crosses;     /* a product: a sum of another line reads it */
    bool overwritten[2]; /* a product: a factor's register changes before the last sum of its line */
    uint32_t first, n;   /* a product's uses */
    uint32_t versions[2];
    uint32_t of[2];              /* a sum's operands: uses, or NONE */
    uint32_t fused;              /* a sum: the use that it was fused with, or NONE */
    struct wg_ir_opd factors[2]; /* a product: for its sums */
};

struct contraction {
    struct wg_fn *f;
    /* By register. Those with one write in the function keep the last two to its end, others to their line's. */
    uint32_t *reads, *writes; /* in the function */
    uint32_t *version;        /* how often this line wrote it */
    uint32_t *def;            /* the last item that wrote it */
    uint32_t *reads_seen;     /* of what such items wrote */
    uint32_t *seen;           /* [block]: the walk that has been there */
    uint32_t walk, region, line;
    WG_VEC(struct item) items;
    WG_VEC(struct use) uses;
    WG_VEC(uint32_t) touched; /* registers that this line wrote */
    WG_VEC(struct wg_ir_instr) out;
    bool changed; /* `out` is not the block as it was */
};

/* ---- registers ---- */

typedef void visit(struct contraction *c, uint32_t reg, uint32_t at, uint32_t operand);
enum { OTHER_OPERAND = 9 };

static void each_read(struct contraction *c, const struct wg_ir_instr *in, uint32_t at, visit *f) {
    if (in->guard != WG_NO_REG) f(c, in->guard, at, OTHER_OPERAND);
    for (uint32_t k = 0; k < in->nsrc; k++)
        if (in->src[k].kind == WG_O_REG) f(c, in->src[k].index, at, k);
    if (in->op != WG_OP_CALL) return;
    if (in->call->target.kind == WG_O_REG) f(c, in->call->target.index, at, OTHER_OPERAND);
    for (uint32_t k = 0; k < in->call->nargs; k++)
        if (in->call->args[k].value.kind == WG_O_REG) f(c, in->call->args[k].value.index, at, OTHER_OPERAND);
}

static void each_write(struct contraction *c, const struct wg_ir_instr *in, uint32_t at, visit *f) {
    for (uint32_t k = 0; k < in->ndst; k++)
        if (in->dst[k].kind == WG_O_REG) f(c, in->dst[k].index, at, k);
    if (in->op != WG_OP_CALL) return;
    for (uint32_t k = 0; k < in->call->nrets; k++)
        if (in->call->rets[k].value.kind == WG_O_REG) f(c, in->call->rets[k].value.index, at, k);
}

static void count_read(struct contraction *c, uint32_t reg, uint32_t at, uint32_t operand) {
    c->reads[reg]++;
}
static void count_write(struct contraction *c, uint32_t reg, uint32_t at, uint32_t operand) {
    c->writes[reg]++;
}

static void number_registers(struct contraction *c) {
    const struct wg_ir_func *f = c->f->out;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            each_read(c, in, 0, count_read);
            each_write(c, in, 0, count_write);
        }
        if (f->blocks[b].cond != WG_NO_REG) c->reads[f->blocks[b].cond]++;
    }
}

static bool reads(const struct wg_ir_instr *in, uint32_t reg) {
    if (in->guard == reg) return true;
    for (uint32_t k = 0; k < in->nsrc; k++)
        if (in->src[k].kind == WG_O_REG && in->src[k].index == reg) return true;
    if (in->op != WG_OP_CALL) return false;
    for (uint32_t k = 0; k < in->call->nargs; k++)
        if (in->call->args[k].value.kind == WG_O_REG && in->call->args[k].value.index == reg) return true;
    return in->call->target.kind == WG_O_REG && in->call->target.index == reg;
}

static bool sets(const struct wg_ir_instr *in, uint32_t reg) {
    if (in->guard != WG_NO_REG) return false;
    for (uint32_t k = 0; k < in->ndst; k++)
        if (in->dst[k].kind == WG_O_REG && in->dst[k].index == reg) return true;
    if (in->op != WG_OP_CALL) return false;
    for (uint32_t k = 0; k < in->call->nrets; k++)
        if (in->call->rets[k].value.index == reg) return true;
    return false;
}

/* Whether somebody may read the register behind the block before it is set. */
static bool is_live(struct contraction *c, uint32_t block, uint32_t reg) {
    const struct wg_ir_func *f = c->f->out;
    WG_VEC(uint32_t) work = {0};
    bool live = f->blocks[block].cond == reg;
    c->walk++;
    *WG_PUSH(&work) = block;
    for (bool set = false; work.n && !live;) {
        const struct wg_ir_block *b = &f->blocks[work.v[--work.n]];
        for (uint32_t k = 0; k < b->nsucc && !live; k++) {
            const struct wg_ir_block *next = &f->blocks[b->succ[k]];
            if (c->seen[b->succ[k]] == c->walk) continue;
            c->seen[b->succ[k]] = c->walk;
            set = false;
            for (uint32_t i = 0; i < next->ninstrs && !live && !set; i++) {
                live = reads(&next->instrs[i], reg);
                set = sets(&next->instrs[i], reg);
            }
            live |= !set && next->cond == reg;
            if (!set) *WG_PUSH(&work) = b->succ[k];
        }
    }
    free(work.v);
    return live;
}

/* ---- what an instruction is ---- */

static bool is_plain(const struct wg_ir_instr *in) {
    return in->guard == WG_NO_REG && in->dst[0].kind == WG_O_REG;
}

static bool is_product(const struct wg_ir_instr *in) {
    if (in->op != WG_OP_MUL_F || !is_plain(in)) return false;
    if (in->mod[WG_MC_RND] != WG_M_none || in->mod[WG_MC_SAT] != WG_M_none) return false;
    return in->src[0].kind != WG_O_IMM || in->src[1].kind != WG_O_IMM;
}

static bool is_sum(const struct wg_ir_instr *in) {
    return (in->op == WG_OP_ADD_F || in->op == WG_OP_SUB_F) && in->mod[WG_MC_RND] == WG_M_none;
}

/* A copy of all of a register, or its negation; of the product's type where there is one. */
static bool is_copy(const struct contraction *c, const struct wg_ir_instr *in) {
    if ((in->op != WG_OP_MOV && in->op != WG_OP_NEG_F) || !is_plain(in)) return false;
    return in->src[0].kind == WG_O_REG &&
           c->f->regs.v[in->src[0].index].width == c->f->regs.v[in->dst[0].index].width;
}

static bool fits(const struct wg_ir_instr *product, const struct wg_ir_instr *in) {
    return in->type == product->type && in->mod[WG_MC_FTZ] == product->mod[WG_MC_FTZ];
}

/* ---- who reads which product ---- */

static bool gives_constant(const struct contraction *c, const struct wg_ir_instr *in) {
    if (in->guard != WG_NO_REG || in->ndst != 1 || in->dst[0].kind != WG_O_REG) return false;
    if (in->op == WG_OP_MOV) return in->src[0].kind == WG_O_IMM;
    return in->op == WG_OP_LD && in->space == WG_S_PARAM && c->f->out->entry && in->src[0].kind == WG_O_SYM;
}

static bool is_constant(const struct contraction *c, const struct wg_ir_opd *o) {
    if (o->kind != WG_O_REG) return o->kind == WG_O_IMM;
    return c->def[o->index] != NONE && gives_constant(c, c->items.v[c->def[o->index]].in);
}

static void add_use(struct contraction *c, uint32_t p, uint32_t sum, uint32_t via, uint32_t operand) {
    struct item *product = &c->items.v[p];
    bool crosses = product->line != c->line;
    product->crosses |= crosses;
    for (uint32_t k = 0; k < 2 && !crosses; k++) {
        const struct wg_ir_opd *o = &product->in->src[k];
        product->overwritten[k] |= o->kind == WG_O_REG && c->version[o->index] != product->versions[k];
    }
    c->items.v[sum].of[operand] = c->uses.n;
    *WG_PUSH(&c->uses) = (struct use){.sum = sum,
                                      .next = product->first,
                                      .via = via,
                                      .operand = (uint8_t)operand,
                                      .negated = c->items.v[via].negated};
    product->first = c->uses.n - 1;
    product->n++;
}

/* Somebody reads it and is no sum that it might be fused with. */
static void lose(struct contraction *c, uint32_t at) {
    c->items.v[c->items.v[at].product].lost = c->items.v[at].kept = true;
}

static void see_read(struct contraction *c, uint32_t reg, uint32_t at, uint32_t operand) {
    uint32_t via = c->def[reg];
    if (via == NONE) return;
    c->reads_seen[reg]++;
    uint32_t p = c->items.v[via].product;
    if (p == NONE) return;
    struct item *reader = &c->items.v[at], *product = &c->items.v[p];
    const struct wg_ir_instr *in = reader->in;
    bool may_reach = product->region == c->region || product->by_constant;
    if (may_reach && is_copy(c, in) && (in->op == WG_OP_MOV || fits(product->in, in))) {
        reader->source = via;
        reader->product = p;
        reader->negated = c->items.v[via].negated != (in->op == WG_OP_NEG_F);
    } else if (may_reach && is_sum(in) && operand < 2 && fits(product->in, in)) {
        add_use(c, p, at, via, operand);
    } else {
        lose(c, via);
    }
}

static void see_write(struct contraction *c, uint32_t reg, uint32_t at, uint32_t operand) {
    const struct item *i = &c->items.v[at];
    uint32_t before = c->def[reg];
    if (i->in->guard != WG_NO_REG && before != NONE && c->items.v[before].product != NONE) lose(c, before);
    if (!c->version[reg]) *WG_PUSH(&c->touched) = reg;
    c->def[reg] = at;
    c->version[reg]++;
}

static void see_item(struct contraction *c, uint32_t at) {
    struct item *i = &c->items.v[at];
    bool product = is_product(i->in);
    for (uint32_t k = 0; product && k < 2; k++) {
        const struct wg_ir_opd *o = &i->in->src[k];
        if (o->kind == WG_O_REG) i->versions[k] = c->version[o->index];
        i->by_constant |= is_constant(c, o);
    }
    each_read(c, i->in, at, see_read);
    if (product) i->product = at;
    each_write(c, i->in, at, see_write);
}

/* Registers with one write are seen to the end of the function. */
static void end_line(struct contraction *c, uint32_t last) {
    for (uint32_t i = 0; i < c->touched.n; i++) {
        uint32_t reg = c->touched.v[i], at = c->def[reg];
        c->version[reg] = 0;
        if (c->writes[reg] == 1) continue;
        bool elsewhere = c->items.v[at].product != NONE && c->reads[reg] != c->reads_seen[reg];
        if (elsewhere && is_live(c, last, reg)) lose(c, at);
        c->def[reg] = NONE;
        c->reads_seen[reg] = 0;
    }
    c->touched.n = 0;
    c->line++;
    c->region++;
}

static void end_function(struct contraction *c) {
    for (uint32_t at = 0; at < c->items.n; at++) {
        if (c->items.v[at].product == NONE) continue;
        uint32_t reg = c->items.v[at].in->dst[0].index;
        if (c->writes[reg] == 1 && c->reads[reg] != c->reads_seen[reg]) lose(c, at);
    }
}

/* ---- which are fused ---- */

static uint32_t product_of(const struct contraction *c, uint32_t use) {
    return use == NONE ? NONE : c->items.v[c->uses.v[use].via].product;
}

static bool may_fuse(const struct contraction *c, uint32_t p) {
    const struct item *i = &c->items.v[p];
    if (i->lost) return false;
    for (uint32_t u = i->first; u != NONE; u = c->uses.v[u].next) {
        const struct item *sum = &c->items.v[c->uses.v[u].sum];
        if (sum->fused != NONE && sum->fused != u) return false;
        if (product_of(c, sum->of[0]) == product_of(c, sum->of[1])) return false;
    }
    return true;
}

static void fuse_sums(struct contraction *c, bool only_use) {
    for (uint32_t at = 0; at < c->items.n; at++) {
        struct item *sum = &c->items.v[at];
        if (sum->fused != NONE) continue;
        uint32_t best = NONE, fewest = NONE;
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t p = product_of(c, sum->of[k]);
            if (p == NONE || (only_use && c->items.v[p].n != 1) || c->items.v[p].n >= fewest) continue;
            if (!may_fuse(c, p)) continue;
            best = sum->of[k];
            fewest = c->items.v[p].n;
        }
        sum->fused = best;
    }
}

/* What is still read: of sums that are fused the other operand alone. Copies stand behind what they copy. */
static void find_kept(struct contraction *c) {
    for (uint32_t u = 0; u < c->uses.n; u++)
        if (c->items.v[c->uses.v[u].sum].fused != u) c->items.v[c->uses.v[u].via].kept = true;
    for (uint32_t at = c->items.n; at-- > 0;) {
        const struct item *i = &c->items.v[at];
        if (i->source != NONE && i->kept) c->items.v[i->source].kept = true;
    }
}

/* ---- the blocks again, with what was fused ---- */

static struct wg_ir_instr *put(struct contraction *c, const struct wg_ir_instr *like, enum wg_op op,
                               uint8_t type) {
    struct wg_ir_instr *i = WG_PUSH(&c->out);
    *i = (struct wg_ir_instr){.op = (uint16_t)op,
                              .type = type,
                              .nvec = 1,
                              .guard = WG_NO_REG,
                              .loc = like->loc,
                              .ptx_line = like->ptx_line};
    return i;
}

/* A new register with the operand's value, or the negated one. */
static struct wg_ir_opd put_copy(struct contraction *c, const struct wg_ir_instr *like, enum wg_op op,
                                 struct wg_ir_opd from) {
    struct wg_ir_opd to = {.kind = WG_O_REG};
    struct wg_ir_reg r = c->f->regs.v[from.index];
    bool copy = op == WG_OP_MOV;
    const char *name = wg_arena_printf(c->f->b->arena, "%s.%s", r.name, copy ? "kept" : "negated");
    to.index = wg_new_reg(c->f, name, r.type);
    uint8_t bits = r.width == WG_W16 ? WG_T_B16 : r.width == WG_W32 ? WG_T_B32 : WG_T_B64;
    struct wg_ir_instr *i = put(c, like, op, copy ? bits : like->type);
    i->ndst = i->nsrc = 1;
    i->dst = wg_copy_opds(c->f, &to, 1);
    i->src = wg_copy_opds(c->f, &from, 1);
    return to;
}

static struct wg_ir_opd negate(struct contraction *c, const struct wg_ir_instr *like, struct wg_ir_opd o) {
    if (o.kind == WG_O_REG) return put_copy(c, like, WG_OP_NEG_F, o);
    bool pair = like->type == WG_T_F16X2 || like->type == WG_T_BF16X2;
    o.imm ^= pair ? 0x80008000 : 1ull << (wg_type_bits(like->type) - 1);
    return o;
}

/* A factor where the sums are, or where the product is: its register may have another value by then. */
static struct wg_ir_opd factor(struct contraction *c, const struct item *i, uint32_t k) {
    struct wg_ir_opd o = i->in->src[k];
    if (o.kind != WG_O_REG) return o;
    bool changes = i->overwritten[k] || (i->crosses && c->writes[o.index] > 1);
    return changes ? put_copy(c, i->in, WG_OP_MOV, o) : o;
}

static void put_product(struct contraction *c, struct item *i) {
    bool fused = false;
    for (uint32_t u = i->first; u != NONE; u = c->uses.v[u].next)
        fused |= c->items.v[c->uses.v[u].sum].fused == u;
    for (uint32_t k = 0; k < 2 && fused; k++) i->factors[k] = factor(c, i, k);
    if (i->kept || !fused) *WG_PUSH(&c->out) = *i->in;
    c->changed |= fused;
}

static void put_sum(struct contraction *c, struct item *i) {
    const struct use *u = &c->uses.v[i->fused];
    const struct item *p = &c->items.v[c->items.v[u->via].product];
    bool sub = i->in->op == WG_OP_SUB_F, minus = u->negated != (sub && u->operand == 1);
    struct wg_ir_opd src[3] = {p->factors[0], p->factors[1], i->in->src[1 - u->operand]};
    uint32_t which = src[1].kind == WG_O_IMM;
    if (minus) src[which] = negate(c, i->in, src[which]);
    if (sub && u->operand == 0) src[2] = negate(c, i->in, src[2]);
    struct wg_ir_instr *fma = WG_PUSH(&c->out);
    *fma = *i->in;
    fma->op = WG_OP_FMA;
    fma->mod[WG_MC_RND] = WG_M_rn;
    fma->nsrc = 3;
    fma->src = wg_copy_opds(c->f, src, 3);
}

static void put_item(struct contraction *c, struct item *i) {
    if (i->fused != NONE)
        put_sum(c, i);
    else if (i->product != NONE && i->source == NONE)
        put_product(c, i);
    else if (i->source == NONE || i->kept)
        *WG_PUSH(&c->out) = *i->in;
    c->changed |= i->fused != NONE || (i->source != NONE && !i->kept);
}

/* The items from `at` on that are of one block. Gives the first behind. */
static uint32_t put_block(struct contraction *c, uint32_t at) {
    struct wg_ir_block *b = &c->f->out->blocks[c->items.v[at].block];
    uint32_t block = c->items.v[at].block;
    c->changed = false;
    c->out.n = 0;
    for (; at < c->items.n && c->items.v[at].block == block; at++) put_item(c, &c->items.v[at]);
    if (!c->changed) return at;
    b->ninstrs = c->out.n;
    b->instrs = WG_NEW_N(c->f->b->arena, struct wg_ir_instr, c->out.n);
    if (c->out.n) memcpy(b->instrs, c->out.v, c->out.n * sizeof *c->out.v);
    return at;
}

/* ---- lines and regions ---- */

bool wg_ir_has_slow_path(const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_DIV_F:
    case WG_OP_RCP:
    case WG_OP_SQRT: return true;
    case WG_OP_DIV_I:
    case WG_OP_REM_I: return wg_type_bits(in->type) == 64;
    default: return false;
    }
}

/* What the assembler makes a branch of, or moves nothing across. */
static bool is_wall(const struct contraction *c, const struct wg_ir_instr *in) {
    uint32_t flags = wg_op_flags(in->op);
    if (in->guard != WG_NO_REG && flags & (WG_F_MEM | WG_F_EFFECT)) return true;
    if (wg_ir_has_slow_path(in)) return true;
    switch (in->op) {
    case WG_OP_DIV_I:
    case WG_OP_REM_I: return in->type != WG_T_U32;
    case WG_OP_MEMBAR:
    case WG_OP_FENCE: return true;
    case WG_OP_CALL: return in->call->func == WG_NO_REG || !c->f->b->m->funcs[in->call->func].within;
    default: return false;
    }
}

/* Blocks that follow one another with no other way in or out. */
static void walk_line(struct contraction *c, uint32_t block) {
    const struct wg_ir_func *f = c->f->out;
    for (;; block = f->blocks[block].succ[0]) {
        const struct wg_ir_block *b = &f->blocks[block];
        for (uint32_t i = 0; i < b->ninstrs; i++) {
            *WG_PUSH(&c->items) = (struct item){.in = &b->instrs[i],
                                                .block = block,
                                                .region = c->region,
                                                .line = c->line,
                                                .product = NONE,
                                                .source = NONE,
                                                .first = NONE,
                                                .of = {NONE, NONE},
                                                .fused = NONE};
            see_item(c, c->items.n - 1);
            c->region += is_wall(c, &b->instrs[i]);
        }
        if (b->term != WG_TERM_BR || f->blocks[b->succ[0]].npred != 1) break;
    }
    end_line(c, block);
}

static bool begins_line(const struct wg_ir_func *f, uint32_t block) {
    const struct wg_ir_block *b = &f->blocks[block];
    return b->npred != 1 || f->blocks[b->pred[0]].term != WG_TERM_BR;
}

static void contract(struct contraction *c) {
    number_registers(c);
    for (uint32_t b = 0; b < c->f->out->nblocks; b++)
        if (begins_line(c->f->out, b)) walk_line(c, b);
    end_function(c);
    fuse_sums(c, true);
    fuse_sums(c, false);
    find_kept(c);
    for (uint32_t at = 0; at < c->items.n;) at = put_block(c, at);
}

void wg_contract(struct wg_fn *f) {
    struct wg_arena *a = &f->b->scratch;
    uint32_t n = f->regs.n;
    /* What hardware computes as it is; what the assembler does not optimise. */
    if (f->out->within || f->b->tree->debug) return;
    struct contraction c = {.f = f,
                            .reads = WG_NEW_N(a, uint32_t, n),
                            .writes = WG_NEW_N(a, uint32_t, n),
                            .reads_seen = WG_NEW_N(a, uint32_t, n),
                            .def = WG_NEW_N(a, uint32_t, n),
                            .version = WG_NEW_N(a, uint32_t, n),
                            .seen = WG_NEW_N(a, uint32_t, f->out->nblocks)};
    if (n) memset(c.def, 0xff, n * sizeof *c.def);
    contract(&c);
    free(c.items.v);
    free(c.uses.v);
    free(c.touched.v);
    free(c.out.v);
}
