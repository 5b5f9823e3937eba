/* Index-set splitting of the grid. What programs write for borders costs each warp, and few blocks need it:
 *
 *     int l = max(x - 1, 0), r = min(x + 1, w - 1);      clamped
 *     int l = (x - 1 + w) % w, r = x == w - 1 ? 0 : x + 1;      wrapped round
 *     if (x >= 1 && x < w - 1) ...                         left out
 *
 * In a block none of whose threads is at a border, l is x - 1 and r is x + 1. A block tests that once, with scalars, by its
 * first and its last thread (interior_test.h), and then runs a copy of the kernel in which these are the values; the
 * others run the code as it is written:
 *
 *     block 0: test          cbr inside ? 1 : 2
 *     block 1, ...: the copy: no maxima, remainders, selections or branches of borders
 *     block 2, ...: the code as written
 *
 * A comparison with a small constant is taken for one with a lower border (x < 1 fails inside), others for one with an upper
 * border (x < w holds): a wrong guess costs time, since then no block passes the test. All threads of a block take the same
 * way, so nothing parts that did not part before.
 */
#include "analysis/interior.h"
#include "analysis/interior_test.h"
#include "analysis/plan.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_INSTRS = 160,
    SMALL = 64,       /* constants up to this are lower borders */
    FEWEST_GUARDS = 4 /* comparisons that make it worth while where there is nothing but them */
};

static struct wg_ir_opd immediate(uint64_t x) { return (struct wg_ir_opd){.kind = WG_O_IMM, .imm = x}; }

/* ---- what is known inside ---- */

enum truth { UNKNOWN, TRUE, FALSE };

static enum truth truth_of(const struct wg_interior *x, uint32_t reg, bool negated) {
    uint8_t is = x->inside[reg].is;
    if (is != WG_INSIDE_HOLDS && is != WG_INSIDE_FAILS) return UNKNOWN;
    return (is == WG_INSIDE_HOLDS) != negated ? TRUE : FALSE;
}

static enum truth truth_of_opd(const struct wg_interior *x, const struct wg_ir_opd *o) {
    if (o->kind == WG_O_IMM) return o->imm & 1 ? TRUE : FALSE;
    return o->kind == WG_O_REG ? truth_of(x, o->index, o->negated) : UNKNOWN;
}

/* A comparison as one of four, of a value on the left. */
static enum wg_mod plain_comparison(enum wg_mod cmp, bool swapped) {
    switch (cmp) {
    case WG_M_lo:
    case WG_M_lt: return swapped ? WG_M_gt : WG_M_lt;
    case WG_M_ls:
    case WG_M_le: return swapped ? WG_M_ge : WG_M_le;
    case WG_M_hi:
    case WG_M_gt: return swapped ? WG_M_lt : WG_M_gt;
    case WG_M_hs:
    case WG_M_ge: return swapped ? WG_M_le : WG_M_ge;
    case WG_M_eq:
    case WG_M_ne: return cmp;
    default: return WG_M_none;
    }
}

static bool is_low(const struct wg_ir_opd *bound, enum wg_type type) {
    if (bound->kind != WG_O_IMM) return false;
    return type == WG_T_U32 ? (uint32_t)bound->imm <= SMALL : (int32_t)bound->imm <= SMALL;
}

/* What is asked of values inside of a border, so that `value cmp border` holds, or fails. */
static enum wg_mod inside_of(enum wg_mod cmp, bool low, bool *holds) {
    switch (cmp) {
    case WG_M_lt:
    case WG_M_ge: *holds = (cmp == WG_M_ge) == low; return low ? WG_M_ge : WG_M_lt;
    case WG_M_le:
    case WG_M_gt: *holds = (cmp == WG_M_gt) == low; return low ? WG_M_gt : WG_M_le;
    default: *holds = cmp == WG_M_ne; return low ? WG_M_gt : WG_M_lt;
    }
}

/* A maximum (minimum) of two values, both of which are below an upper (above a lower) border where it is. */
static const struct wg_ir_instr *extreme_of_two(struct wg_interior *x, const struct wg_ir_opd *o, bool low,
                                                enum wg_type type) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG && !o->negated ? x->cfg.def[o->index] : NULL;
    if (!in || in->op != (low ? WG_OP_MIN_I : WG_OP_MAX_I) || in->type != type || in->guard != WG_NO_REG)
        return NULL;
    if (in->mod[WG_MC_RELU] != WG_M_none || wg_bits_has(x->cfg.live_in[0], o->index)) return NULL;
    return wg_interior_varies(x, &in->src[0]) && wg_interior_varies(x, &in->src[1]) ? in : NULL;
}

static bool compare(struct wg_interior *x, const struct wg_ir_instr *in, struct wg_inside_value *to) {
    enum wg_type type = in->type == WG_T_U32 ? WG_T_U32 : WG_T_S32;
    bool other = in->ndst > 1 && in->dst[1].kind != WG_O_NONE, swapped = wg_interior_is_even(x, &in->src[0]),
         holds;
    enum wg_mod cmp = plain_comparison((enum wg_mod)in->mod[WG_MC_CMP], swapped);
    const struct wg_ir_opd *value = &in->src[swapped], *bound = &in->src[!swapped];
    if (other || cmp == WG_M_none || (in->type != WG_T_U32 && in->type != WG_T_S32 && in->type != WG_T_B32))
        return false;
    if (in->type == WG_T_B32 && cmp != WG_M_eq && cmp != WG_M_ne) return false;
    if (!wg_interior_is_even(x, bound)) return false;
    bool low = is_low(bound, type), one = wg_interior_varies(x, value);
    const struct wg_ir_instr *two =
        one || cmp == WG_M_eq || cmp == WG_M_ne ? NULL : extreme_of_two(x, value, low, type);
    if (!one && !two) return false;
    cmp = inside_of(cmp, low, &holds);
    for (int i = 0; i < (two ? 2 : 1); i++) wg_interior_want(x, two ? &two->src[i] : value, cmp, bound, type);
    to->is = holds ? WG_INSIDE_HOLDS : WG_INSIDE_FAILS;
    return true;
}

static bool clamp(struct wg_interior *x, const struct wg_ir_instr *in, struct wg_inside_value *to) {
    enum wg_type type = (enum wg_type)in->type;
    if ((type != WG_T_U32 && type != WG_T_S32) || in->mod[WG_MC_RELU] != WG_M_none) return false;
    for (int i = 0; i < 2; i++) {
        if (!wg_interior_varies(x, &in->src[i]) || !wg_interior_is_even(x, &in->src[!i])) continue;
        wg_interior_want(x, &in->src[i], in->op == WG_OP_MAX_I ? WG_M_ge : WG_M_le, &in->src[!i], type);
        *to = (struct wg_inside_value){.is = WG_INSIDE_MOVE, .opd = in->src[i]};
        return true;
    }
    return false;
}

/* Whether the operand is a sum of which the register is one term. */
static bool has_term(const struct wg_interior *x, const struct wg_ir_opd *o, const struct wg_ir_opd *term,
                     uint32_t depth) {
    enum { DEEPEST = 8 };
    if (o->kind != WG_O_REG || depth == DEEPEST) return false;
    if (o->index == term->index) return true;
    const struct wg_ir_instr *in = x->cfg.def[o->index];
    if (!in || in->guard != WG_NO_REG || (in->op != WG_OP_ADD_I && in->op != WG_OP_MOV)) return false;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (has_term(x, &in->src[i], term, depth + 1)) return true;
    return false;
}

/* Whether a value is compared with this border as well: x < w, or x > w - 1 of a constant. */
static bool is_upper_border(const struct wg_interior *x, const struct wg_ir_opd *o) {
    for (uint32_t b = 0; b < x->f->nblocks; b++)
        for (uint32_t i = 0; i < x->f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &x->f->blocks[b].instrs[i];
            if (in->op != WG_OP_SETP || !x->inside[in->dst[0].index].border) continue;
            for (uint32_t k = 0; k < 2; k++) {
                const struct wg_ir_opd *border = &in->src[k];
                if (border->kind != o->kind) continue;
                if (o->kind == WG_O_REG && border->index == o->index) return true;
                if (o->kind == WG_O_IMM && (uint32_t)o->imm - (uint32_t)border->imm <= 1) return true;
            }
        }
    return false;
}

/* What is added to the value's indices and parameters. */
static uint32_t constant_of(const struct wg_interior *x, const struct wg_ir_opd *o, uint32_t depth) {
    enum { DEEPEST = 8 };
    if (o->kind == WG_O_IMM) return (uint32_t)o->imm;
    const struct wg_ir_instr *in = o->kind == WG_O_REG && depth < DEEPEST ? x->cfg.def[o->index] : NULL;
    if (!in || in->guard != WG_NO_REG) return 0;
    switch (in->op) {
    case WG_OP_MOV: return constant_of(x, &in->src[0], depth + 1);
    case WG_OP_ADD_I: return constant_of(x, &in->src[0], depth + 1) + constant_of(x, &in->src[1], depth + 1);
    case WG_OP_SUB_I: return constant_of(x, &in->src[0], depth + 1) - constant_of(x, &in->src[1], depth + 1);
    case WG_OP_MAD_I: return constant_of(x, &in->src[2], depth + 1);
    default: return 0;
    }
}

/* Whether the width, or most of it, was added to the value. */
static bool has_width(const struct wg_interior *x, const struct wg_ir_opd *value,
                      const struct wg_ir_opd *width) {
    if (width->kind == WG_O_REG) return has_term(x, value, width, 0);
    int32_t added = (int32_t)constant_of(x, value, 0);
    return added >= 0 && (uint32_t)added >= (uint32_t)width->imm / 2;
}

/* A register, or a number that is large beside a block's rows. */
static bool is_width(struct wg_interior *x, const struct wg_ir_opd *o) {
    enum { SHORTEST = 128 };
    if (o->kind == WG_O_IMM) return (uint32_t)o->imm >= SHORTEST && (uint32_t)o->imm <= INT32_MAX;
    return o->kind == WG_O_REG && wg_interior_is_even(x, o);
}

/* (x + width) % width is x, and x % width for what is a column already. An index that is divided into row and column
 * is neither. */
static bool wrap(struct wg_interior *x, const struct wg_ir_instr *in, struct wg_inside_value *to) {
    const struct wg_ir_opd *value = &in->src[0], *width = &in->src[1], none = immediate(0);
    enum wg_type type = (enum wg_type)in->type;
    if (type != WG_T_S32 && type != WG_T_U32) return false;
    if (!wg_interior_varies(x, value) || !is_width(x, width)) return false;
    if (has_width(x, value, width)) {
        /* value >= width > 0, and value - width < width */
        wg_interior_want(x, value, WG_M_ge, width, type);
        wg_interior_want_less(x, value, width, WG_M_lt, width, type);
        *to = (struct wg_inside_value){.is = WG_INSIDE_LESS, .opd = *value, .other = *width};
    } else if (is_upper_border(x, width)) {
        wg_interior_want(x, value, WG_M_ge, &none, type);
        wg_interior_want(x, value, WG_M_lt, width, type);
        *to = (struct wg_inside_value){.is = WG_INSIDE_MOVE, .opd = *value};
    } else {
        return false;
    }
    if (type == WG_T_S32 && width->kind == WG_O_REG) wg_interior_want_above(x, width, 0);
    return true;
}

/* How many low bits of a value are zero, inside. */
static uint32_t zeros_of(const struct wg_interior *x, const struct wg_ir_opd *o, uint32_t depth) {
    enum { DEEPEST = 8, ALL = 31 };
    uint32_t n[2] = {0, 0};
    if (o->kind == WG_O_IMM) return (uint32_t)o->imm ? (uint32_t)__builtin_ctz((uint32_t)o->imm) : ALL;
    if (o->kind != WG_O_REG || depth == DEEPEST) return 0;
    const struct wg_inside_value *v = &x->inside[o->index];
    if (v->is == WG_INSIDE_MOVE) return zeros_of(x, &v->opd, depth + 1);
    const struct wg_ir_instr *in = x->cfg.def[o->index];
    if (!in || in->guard != WG_NO_REG) return 0;
    for (uint32_t i = 0; i < in->nsrc && i < 2; i++) n[i] = zeros_of(x, &in->src[i], depth + 1);
    switch (in->op) {
    case WG_OP_SHL:
        if (in->src[1].kind != WG_O_IMM) return n[0];
        return n[0] + in->src[1].imm < ALL ? n[0] + (uint32_t)in->src[1].imm : ALL;
    case WG_OP_MUL_I:
        if (in->mod[WG_MC_MULW] != WG_M_lo) return 0;
        return n[0] + n[1] < ALL ? n[0] + n[1] : ALL;
    case WG_OP_AND: return n[0] > n[1] ? n[0] : n[1];
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_MIN_I:
    case WG_OP_MAX_I: return n[0] < n[1] ? n[0] : n[1];
    default: return 0;
    }
}

/* y * 2048 | x is a sum if x is less than 2048. */
static bool join(struct wg_interior *x, const struct wg_ir_instr *in, struct wg_inside_value *to) {
    struct wg_line line;
    for (int i = 0; i < 2; i++) {
        const struct wg_ir_opd *high = &in->src[i], *low = &in->src[1 - i];
        uint32_t zeros = zeros_of(x, high, 0);
        if (!zeros || in->type != WG_T_B32 || !wg_interior_line(x, high, &line) ||
            !wg_interior_varies(x, low))
            continue;
        struct wg_ir_opd past = immediate(UINT64_C(1) << zeros);
        wg_interior_want(x, low, WG_M_lt, &past, WG_T_U32);
        *to = (struct wg_inside_value){.is = WG_INSIDE_SUM, .opd = *high, .other = *low};
        return true;
    }
    return false;
}

/* ---- what follows from it ---- */

static struct wg_inside_value both(const struct wg_interior *x, const struct wg_ir_instr *in) {
    enum truth a = truth_of_opd(x, &in->src[0]), b = truth_of_opd(x, &in->src[1]);
    enum truth rules = in->op == WG_OP_AND ? FALSE : TRUE; /* either alone decides */
    if (a == rules || b == rules)
        return (struct wg_inside_value){.is = rules == TRUE ? WG_INSIDE_HOLDS : WG_INSIDE_FAILS};
    if (a != UNKNOWN && b != UNKNOWN)
        return (struct wg_inside_value){.is = rules == TRUE ? WG_INSIDE_FAILS : WG_INSIDE_HOLDS};
    const struct wg_ir_opd *rest = a != UNKNOWN ? &in->src[1] : &in->src[0];
    if ((a == UNKNOWN && b == UNKNOWN) || rest->negated) return (struct wg_inside_value){0};
    return (struct wg_inside_value){.is = WG_INSIDE_MOVE, .opd = *rest};
}

static struct wg_inside_value consequence(const struct wg_interior *x, const struct wg_ir_instr *in) {
    struct wg_inside_value none = {0};
    switch (in->op) {
    case WG_OP_AND:
    case WG_OP_OR: return in->type == WG_T_PRED ? both(x, in) : none;
    case WG_OP_NOT:
    case WG_OP_MOV: {
        enum truth t =
            in->type == WG_T_PRED && in->src[0].kind == WG_O_REG ? truth_of_opd(x, &in->src[0]) : UNKNOWN;
        if (t == UNKNOWN) return none;
        none.is = (t == TRUE) == (in->op == WG_OP_MOV) ? WG_INSIDE_HOLDS : WG_INSIDE_FAILS;
        return none;
    }
    case WG_OP_SELP: {
        enum truth t = truth_of_opd(x, &in->src[2]);
        if (t == UNKNOWN) return none;
        return (struct wg_inside_value){.is = WG_INSIDE_MOVE, .opd = in->src[t == TRUE ? 0 : 1]};
    }
    default: return none;
    }
}

static bool has_one_result(const struct wg_interior *x, const struct wg_ir_instr *in) {
    return in->guard == WG_NO_REG && in->ndst >= 1 && in->dst[0].kind == WG_O_REG &&
           x->cfg.ndefs[in->dst[0].index] == 1 && !wg_bits_has(x->cfg.live_in[0], in->dst[0].index);
}

/* Finds all borders, in the order of the code. How much they are worth. */
static uint32_t find_borders(struct wg_interior *x) {
    uint32_t worth = 0;
    for (uint32_t b = 0; b < x->f->nblocks; b++)
        for (uint32_t i = 0; i < x->f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &x->f->blocks[b].instrs[i];
            if (!has_one_result(x, in)) continue;
            struct wg_inside_value v = {0};
            bool extreme = in->op == WG_OP_MIN_I || in->op == WG_OP_MAX_I;
            if (in->op == WG_OP_SETP) v.border = compare(x, in, &v);
            if (extreme) v.border = clamp(x, in, &v);
            if (in->op == WG_OP_REM_I) v.border = wrap(x, in, &v);
            if (v.border) {
                bool guard =
                    in->op == WG_OP_SETP && in->mod[WG_MC_CMP] != WG_M_eq && in->mod[WG_MC_CMP] != WG_M_ne;
                worth += guard ? 1 : FEWEST_GUARDS;
            } else if (in->op != WG_OP_OR || !join(x, in, &v)) {
                v = consequence(x, in);
            }
            x->inside[in->dst[0].index] = v;
        }
    return worth;
}

/* ---- the copy ---- */

static enum wg_type type_of(uint8_t width) {
    return width == WG_W1 ? WG_T_PRED : width == WG_W16 ? WG_T_B16 : width == WG_W32 ? WG_T_B32 : WG_T_B64;
}

/* Registers of the copy are numbered after those of the kernel. */
static void rename_opds(struct wg_interior *x, struct wg_ir_opd **opds, uint32_t n) {
    struct wg_ir_opd *to = WG_NEW_N(x->a, struct wg_ir_opd, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        to[i] = (*opds)[i];
        if (to[i].kind == WG_O_REG) to[i].index += x->f->nregs;
    }
    *opds = to;
}

static struct wg_ir_instr simpler(struct wg_interior *x, const struct wg_ir_instr *in,
                                  const struct wg_inside_value *v) {
    bool two = v->is == WG_INSIDE_LESS || v->is == WG_INSIDE_SUM;
    enum wg_op sum = v->is == WG_INSIDE_SUM ? WG_OP_ADD_I : WG_OP_SUB_I;
    struct wg_ir_instr c = {.op = two ? sum : WG_OP_MOV,
                            .type = (uint8_t)(two ? WG_T_S32 : type_of(x->f->regs[in->dst[0].index].width)),
                            .ndst = 1,
                            .nsrc = two ? 2 : 1,
                            .nvec = 1,
                            .guard = WG_NO_REG,
                            .loc = in->loc,
                            .ptx_line = in->ptx_line,
                            .id = in->id,
                            .dst = in->dst};
    struct wg_ir_opd src[2] = {v->opd, v->other}, *from = src;
    if (v->is == WG_INSIDE_HOLDS || v->is == WG_INSIDE_FAILS) src[0] = immediate(v->is == WG_INSIDE_HOLDS);
    rename_opds(x, &from, c.nsrc);
    rename_opds(x, &c.dst, 1);
    c.src = from;
    return c;
}

/* False: it is not done inside. */
static bool copy_instr(struct wg_interior *x, const struct wg_ir_instr *in, struct wg_ir_instr *to) {
    const struct wg_inside_value *v = has_one_result(x, in) ? &x->inside[in->dst[0].index] : NULL;
    if (v && v->is != WG_INSIDE_SAME) {
        *to = simpler(x, in, v);
        return true;
    }
    *to = *in;
    if (in->guard != WG_NO_REG) {
        enum truth t = truth_of(x, in->guard, in->guard_neg);
        if (t == FALSE) return false;
        to->guard = t == TRUE ? WG_NO_REG : in->guard + x->f->nregs;
        if (t == TRUE) to->guard_neg = false;
    }
    rename_opds(x, &to->dst, in->ndst);
    rename_opds(x, &to->src, in->nsrc);
    return true;
}

/* Where a block leads inside: a branch may be none. */
static uint32_t only_successor(const struct wg_interior *x, const struct wg_ir_block *b) {
    if (b->term == WG_TERM_BR) return b->succ[0];
    enum truth t = b->term == WG_TERM_CBR ? truth_of(x, b->cond, b->cond_neg) : UNKNOWN;
    return t == UNKNOWN ? WG_NO_REG : b->succ[t == TRUE ? 0 : 1];
}

/* [block] how many come to it inside */
static uint32_t *count_comers(const struct wg_interior *x) {
    const struct wg_ir_func *f = x->f;
    uint32_t *n = WG_NEW_N(x->a, uint32_t, f->nblocks);
    n[0] = 1;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        uint32_t only = only_successor(x, &f->blocks[b]);
        if (!n[b]) continue;
        for (uint32_t k = 0; k < f->blocks[b].nsucc; k++)
            if (only == WG_NO_REG || only == f->blocks[b].succ[k]) n[f->blocks[b].succ[k]]++;
    }
    return n;
}

struct copying {
    struct wg_interior *x;
    uint32_t *comers, *at; /* [block of the kernel] its number in the function that is made */
    WG_VEC(struct wg_ir_block) blocks;
    WG_VEC(struct wg_ir_instr) instrs;
};

static void add_block(struct copying *c, struct wg_ir_block b) {
    b.ninstrs = c->instrs.n;
    b.instrs = WG_NEW_N(c->x->a, struct wg_ir_instr, b.ninstrs + 1);
    if (b.ninstrs) memcpy(b.instrs, c->instrs.v, b.ninstrs * sizeof *b.instrs);
    c->instrs.n = 0;
    *WG_PUSH(&c->blocks) = b;
}

/* The block of the copy that begins with block b, and those that follow it without another way to them. Numbers of
 * successors are the kernel's. */
static void copy_from(struct copying *c, uint32_t b, bool *done) {
    struct wg_interior *x = c->x;
    struct wg_ir_instr in;
    uint32_t only;
    c->at[b] = c->blocks.n;
    for (;; b = only) {
        const struct wg_ir_block *blk = &x->f->blocks[b];
        done[b] = true;
        for (uint32_t i = 0; i < blk->ninstrs; i++)
            if (copy_instr(x, &blk->instrs[i], &in)) *WG_PUSH(&c->instrs) = in;
        only = only_successor(x, blk);
        if (only != WG_NO_REG && c->comers[only] == 1) continue;
        struct wg_ir_block to = *blk;
        if (only != WG_NO_REG) {
            to.term = WG_TERM_BR;
            to.nsucc = 1;
            to.succ = WG_NEW(x->a, uint32_t);
            *to.succ = only;
        } else if (to.term == WG_TERM_CBR || to.term == WG_TERM_BRX) {
            to.cond += x->f->nregs;
        }
        add_block(c, to);
        return;
    }
}

static void renumber(struct copying *c, uint32_t first, uint32_t end) {
    for (uint32_t b = first; b < end; b++) {
        struct wg_ir_block *blk = &c->blocks.v[b];
        uint32_t *succ = WG_NEW_N(c->x->a, uint32_t, blk->nsucc + 1);
        for (uint32_t k = 0; k < blk->nsucc; k++) succ[k] = c->at[blk->succ[k]];
        blk->succ = succ;
    }
}

static void add_test(struct copying *c) {
    struct wg_interior *x = c->x;
    for (uint32_t i = 0; i < x->test.n; i++) *WG_PUSH(&c->instrs) = x->test.v[i];
    add_block(c, (struct wg_ir_block){.term = WG_TERM_CBR,
                                      .cond = x->holds,
                                      .succ = WG_NEW_N(x->a, uint32_t, 2),
                                      .nsucc = 2,
                                      .loc = x->f->loc,
                                      .ptx_line = x->f->ptx_line,
                                      .loop = WG_NO_REG,
                                      .outer = WG_NO_REG});
}

static const struct wg_ir_func *split(struct wg_interior *x) {
    const struct wg_ir_func *f = x->f;
    struct wg_ir_func *to = WG_NEW(x->a, struct wg_ir_func);
    struct copying c = {.x = x, .comers = count_comers(x), .at = WG_NEW_N(x->a, uint32_t, f->nblocks)};
    bool *done = WG_NEW_N(x->a, bool, f->nblocks);
    add_test(&c);
    for (uint32_t b = 0; b < f->nblocks; b++)
        if (c.comers[b] && !done[b]) copy_from(&c, b, done);
    uint32_t written = c.blocks.n;
    renumber(&c, 1, written);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) *WG_PUSH(&c.instrs) = f->blocks[b].instrs[i];
        c.at[b] = c.blocks.n;
        add_block(&c, f->blocks[b]);
    }
    renumber(&c, written, c.blocks.n);
    c.blocks.v[0].succ[0] = 1;
    c.blocks.v[0].succ[1] = written;
    *to = *f;
    wg_flow_install(x->a, to, x->regs.v, x->regs.n, c.blocks.v, c.blocks.n);
    wg_drop_unused(x->a, to, written);
    free(c.blocks.v);
    free(c.instrs.v);
    return to;
}

/* ---- which kernels ---- */

static bool may_be_split(const struct wg_ir_func *f) {
    uint32_t n = 0;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        if (blk->loop != WG_NO_REG || blk->term == WG_TERM_BRX) return false;
        n += blk->ninstrs;
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            enum wg_op op = (enum wg_op)blk->instrs[i].op;
            if (op >= WG_OP_COUNT || op == WG_OP_CALL || wg_op_flags(op) & (WG_F_WAIT | WG_F_SYNC))
                return false;
        }
    }
    return n <= MOST_INSTRS;
}

static void make_room(struct wg_interior *x) {
    uint32_t n = x->f->nregs;
    x->cfg.func = x->f;
    wg_cfg_liveness(&x->cfg);
    wg_cfg_definitions(&x->cfg);
    x->lines = WG_NEW_N(x->a, struct wg_line, n);
    x->inside = WG_NEW_N(x->a, struct wg_inside_value, n);
    x->first = WG_NEW_N(x->a, struct wg_ir_opd, n);
    x->last = WG_NEW_N(x->a, struct wg_ir_opd, n);
    x->grows = WG_NEW_N(x->a, uint8_t, n);
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t r = 0; r < n; r++) *WG_PUSH(&x->regs) = x->f->regs[r];
}

const struct wg_ir_func *wg_split_interior(struct wg_arena *a, const struct wg_ir_func *f,
                                           const struct wg_code_opts *o) {
    if (!o->whole_blocks || !wg_may_use(o, WG_FORM_interior) || !may_be_split(f)) return f;
    struct wg_interior x = {.a = a, .f = f, .o = o, .holds = WG_NO_REG};
    const struct wg_ir_func *to = f;
    make_room(&x);
    if (find_borders(&x) >= FEWEST_GUARDS) {
        to = split(&x);
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
                const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
                if (has_one_result(&x, in) && x.inside[in->dst[0].index].border)
                    wg_plan_yes(o, WG_FORM_interior, in);
            }
    }
    wg_arena_free(&x.cfg.arena);
    free(x.test.v);
    free(x.regs.v);
    return to;
}
