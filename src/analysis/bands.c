/* Block remapping: see bands.h. It is profitable for kernels with a loop that loads from addresses that
 * depend on the thread's column and not on its row. The program's indices are computed from ours:
 *
 *     %tid.x      x + 32 * (z + n * strip)     the program's block is cut into 1 << shift strips for ours
 *     %ctaid.x    DOWN: block / strips         ALONG: row * blocks in a row + block / strips
 *     %ctaid.y    DOWN: row                    where  row = 8 * %ctaid.y + %tid.y
 *
 * Where rows are joined, kernels get what their own special registers would have in the first of the blocks
 * that lie beside each other, and %tid.x as it is (joined_rows.h).
 */
#include "analysis/bands.h"
#include "cfg/cfg.h"
#include "analysis/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_INSTRS = 200, SHIFT_ROWS = 3, SHIFT_LANES = 5 };
_Static_assert(1 << SHIFT_ROWS == WG_BAND_ROWS && 1 << SHIFT_LANES == WG_LANES, "powers of two");

#define EACH_INSTR(f, in)                                                                                    \
    for (uint32_t b_ = 0; b_ < (f)->nblocks; b_++)                                                           \
        for (const struct wg_ir_instr *in = (f)->blocks[b_].instrs,                                          \
                                      *end_ = in ? in + (f)->blocks[b_].ninstrs : in;                        \
             in < end_; in++)

/* ---- columns ---- */

/* The only definition of the operand; NULL: there are several. */
static const struct wg_ir_instr *made_by(const struct wg_ir_func *f, const struct wg_ir_opd *o) {
    const struct wg_ir_instr *only = NULL;
    if (o->kind != WG_O_REG) return NULL;
    EACH_INSTR(f, in) {
        if (!wg_writes(in, o->index)) continue;
        if (only || in->guard != WG_NO_REG) return NULL;
        only = in;
    }
    return only;
}

static bool same_operand(const struct wg_ir_opd *x, const struct wg_ir_opd *y) {
    return x->kind == WG_O_REG && y->kind == WG_O_REG && x->index == y->index;
}

/* The division that the instruction gives the rest of: `rem`, or x - x / width * width. */
static const struct wg_ir_instr *division_of(const struct wg_ir_func *f, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_REM_I) return in;
    if (in->op != WG_OP_SUB_I) return NULL;
    const struct wg_ir_instr *mul = made_by(f, &in->src[1]);
    if (!mul || mul->op != WG_OP_MUL_I || mul->mod[WG_MC_MULW] != WG_M_lo) return NULL;
    for (int i = 0; i < 2; i++) {
        const struct wg_ir_instr *div = made_by(f, &mul->src[i]);
        if (div && div->op == WG_OP_DIV_I && same_operand(&div->src[1], &mul->src[!i]) &&
            same_operand(&div->src[0], &in->src[0]))
            return div;
    }
    return NULL;
}

static const struct wg_ir_instr *width_of(const struct wg_ir_func *f, const struct wg_ir_instr *in) {
    const struct wg_ir_instr *div = wg_type_bits(in->type) == 32 ? division_of(f, in) : NULL;
    const struct wg_ir_instr *ld = div ? made_by(f, &div->src[1]) : NULL;
    bool param = ld && ld->op == WG_OP_LD && ld->space == WG_S_PARAM && ld->nvec == 1 &&
                 wg_type_bits(ld->type) == 32 && ld->src[0].kind == WG_O_SYM;
    return param ? ld : NULL;
}

bool wg_is_column(const struct wg_ir_func *f, const struct wg_ir_instr *in) {
    return width_of(f, in) != NULL;
}

/* ---- legality and profitability ---- */

static bool may_be_dealt(const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_LD:
    case WG_OP_ST: return wg_is_plain_access(in);
    case WG_OP_MOV_SREG: break;
    case WG_OP_NONE:
    case WG_OP_ACTIVEMASK: return false;
    default: return wg_op_flags(in->op) == 0;
    }
    if (in->guard != WG_NO_REG || wg_type_bits(in->type) != 32) return false;
    switch (in->sreg) {
    case WG_SR_tid_x:
    case WG_SR_tid_y:
    case WG_SR_tid_z:
    case WG_SR_ntid_x:
    case WG_SR_ntid_y:
    case WG_SR_ntid_z:
    case WG_SR_ctaid_x:
    case WG_SR_ctaid_y:
    case WG_SR_ctaid_z:
    case WG_SR_nctaid_x:
    case WG_SR_nctaid_y:
    case WG_SR_nctaid_z:
    case WG_SR_laneid: return true;
    default: return false;
    }
}

bool wg_may_be_dealt(const struct wg_ir_func *f) {
    if (f->local_bytes || f->shared_bytes || f->uses_dynamic_shared) return false;
    EACH_INSTR(f, in) {
        if (!may_be_dealt(in)) return false;
        for (uint32_t i = 0; i < in->nsrc; i++)
            if (in->src[i].kind == WG_O_SYM && in->op != WG_OP_LD) return false;
    }
    return true;
}

static bool is_short(const struct wg_ir_func *f) {
    uint32_t n = 0;
    for (uint32_t b = 0; b < f->nblocks; b++) n += f->blocks[b].ninstrs;
    return n <= MOST_INSTRS;
}

struct special {
    const struct wg_ir_func *f;
    uint32_t sreg;
    bool over_columns;
};

static enum wg_part part_of(const void *user, const struct wg_ir_instr *in) {
    const struct special *s = user;
    if (in->op == WG_OP_MOV_SREG && in->sreg == s->sreg) return WG_PART_BEGINS;
    return s->over_columns || !wg_is_column(s->f, in) ? WG_PART_FOLLOWS : WG_PART_NONE;
}

/* Registers that depend on a special one. */
static wg_bits following(struct wg_arena *a, const struct wg_ir_func *f, uint32_t sreg, bool over_columns) {
    const struct special s = {f, sreg, over_columns};
    return wg_following(a, f, part_of, &s);
}

/* Loads in loops whose addresses depend on the column alone. */
static bool gains(const struct wg_ir_func *f, uint32_t row) {
    struct wg_arena a = {0};
    wg_bits rows = following(&a, f, row, false), columns = following(&a, f, WG_SR_tid_x, true);
    bool any = false;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs && f->blocks[b].loop != WG_NO_REG; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->op != WG_OP_LD || in->space == WG_S_PARAM || in->src[0].kind != WG_O_REG) continue;
            any |= wg_bits_has(columns, in->src[0].index) && !wg_bits_has(rows, in->src[0].index);
        }
    wg_arena_free(&a);
    return any;
}

enum wg_band_kind wg_find_bands(const struct wg_ir_module *m, const struct wg_ir_func *f,
                                uint32_t *width_at) {
    bool down = false, along = false;
    if (!is_short(f) || !wg_may_be_dealt(f)) return WG_BANDS_NONE;
    EACH_INSTR(f, in) {
        const struct wg_ir_instr *width = width_of(f, in);
        down |= in->op == WG_OP_MOV_SREG && in->sreg >= WG_SR_ctaid_y && in->sreg <= WG_SR_ctaid_z;
        if (!width) continue;
        *width_at =
            m->syms[width->src[0].index].offset + (uint32_t)(width->src[0].imm + (uint64_t)width->offset);
        along = true;
    }
    if (down) return gains(f, WG_SR_ctaid_y) ? WG_BANDS_DOWN : WG_BANDS_NONE;
    return along && gains(f, WG_SR_ctaid_x) ? WG_BANDS_ALONG : WG_BANDS_NONE;
}

/* ---- remapping ---- */

struct dealer {
    struct wg_arena *a;
    const struct wg_ir_func *f;
    const struct wg_dealt *d;
    const struct wg_ir_instr *of; /* the instruction that is being replaced */
    WG_VEC(struct wg_ir_instr) instrs;
    WG_VEC(struct wg_ir_reg) regs;
};

static struct wg_ir_opd number(uint32_t x) { return (struct wg_ir_opd){.kind = WG_O_IMM, .imm = x}; }

static struct wg_ir_opd new_register(struct dealer *d) {
    struct wg_ir_opd o = {.kind = WG_O_REG, .index = d->regs.n};
    *WG_PUSH(&d->regs) = d->f->regs[d->of->dst[0].index];
    return o;
}

static struct wg_ir_opd make(struct dealer *d, uint16_t op, uint8_t type, uint8_t nsrc, struct wg_ir_opd x,
                             struct wg_ir_opd y) {
    struct wg_ir_instr in = {.op = op,
                             .type = type,
                             .ndst = 1,
                             .nsrc = nsrc,
                             .nvec = 1,
                             .guard = WG_NO_REG,
                             .loc = d->of->loc,
                             .ptx_line = d->of->ptx_line};
    if (op == WG_OP_MUL_I) in.mod[WG_MC_MULW] = WG_M_lo;
    in.dst = WG_NEW(d->a, struct wg_ir_opd);
    in.src = WG_NEW_N(d->a, struct wg_ir_opd, 2);
    *in.dst = new_register(d);
    in.src[0] = x;
    in.src[1] = y;
    *WG_PUSH(&d->instrs) = in;
    return *in.dst;
}

static struct wg_ir_opd add(struct dealer *d, struct wg_ir_opd x, struct wg_ir_opd y) {
    return make(d, WG_OP_ADD_I, WG_T_U32, 2, x, y);
}
static struct wg_ir_opd mul(struct dealer *d, struct wg_ir_opd x, struct wg_ir_opd y) {
    return make(d, WG_OP_MUL_I, WG_T_U32, 2, x, y);
}
static struct wg_ir_opd shl(struct dealer *d, struct wg_ir_opd x, uint32_t by) {
    return by ? make(d, WG_OP_SHL, WG_T_B32, 2, x, number(by)) : x;
}
static struct wg_ir_opd shr(struct dealer *d, struct wg_ir_opd x, uint32_t by) {
    return by ? make(d, WG_OP_SHR, WG_T_U32, 2, x, number(by)) : x;
}

static struct wg_ir_opd read(struct dealer *d, uint32_t sreg) {
    struct wg_ir_instr in = *d->of;
    in.dst = WG_NEW(d->a, struct wg_ir_opd);
    *in.dst = new_register(d);
    in.sreg = sreg;
    *WG_PUSH(&d->instrs) = in;
    return *in.dst;
}

static struct wg_ir_opd row(struct dealer *d) {
    return add(d, shl(d, read(d, WG_SR_ctaid_y), SHIFT_ROWS), read(d, WG_SR_tid_y));
}

static struct wg_ir_opd thread(struct dealer *d) {
    struct wg_ir_opd x = add(d, read(d, WG_SR_tid_x), shl(d, read(d, WG_SR_tid_z), SHIFT_LANES));
    uint32_t strips = 1u << d->d->shift;
    if (strips == 1) return x;
    struct wg_ir_opd strip = make(d, WG_OP_AND, WG_T_B32, 2, read(d, WG_SR_ctaid_x), number(strips - 1));
    return add(d, x, mul(d, strip, number(d->d->threads >> d->d->shift)));
}

static struct wg_ir_opd block(struct dealer *d) {
    struct wg_ir_opd x = shr(d, read(d, WG_SR_ctaid_x), d->d->shift);
    if (!d->d->along) return x;
    return add(d, mul(d, row(d), shr(d, read(d, WG_SR_nctaid_x), d->d->shift)), x);
}

static struct wg_ir_opd blocks(struct dealer *d) {
    struct wg_ir_opd x = shr(d, read(d, WG_SR_nctaid_x), d->d->shift);
    return d->d->along ? mul(d, x, shl(d, read(d, WG_SR_nctaid_y), SHIFT_ROWS)) : x;
}

/* What the program's thread would find in a special register. */
static struct wg_ir_opd found_in(struct dealer *d, uint32_t sreg) {
    bool along = d->d->along;
    switch (sreg) {
    case WG_SR_tid_x: return thread(d);
    case WG_SR_tid_y:
    case WG_SR_tid_z: return number(0);
    case WG_SR_ntid_x: return number(d->d->threads);
    case WG_SR_ntid_y:
    case WG_SR_ntid_z: return number(1);
    case WG_SR_ctaid_x: return block(d);
    case WG_SR_ctaid_y: return along ? number(0) : row(d);
    case WG_SR_nctaid_x: return blocks(d);
    case WG_SR_nctaid_y: return along ? number(1) : shl(d, read(d, WG_SR_nctaid_y), SHIFT_ROWS);
    default: return read(d, sreg);
    }
}

/* The instruction for a special register, where rows are joined: no more than it takes, for it is weighed. */
static void find_in_joined(struct dealer *d) {
    switch (d->of->sreg) {
    case WG_SR_ntid_x: make(d, WG_OP_MOV, WG_T_B32, 1, number(d->d->threads), number(0)); break;
    case WG_SR_ctaid_x:
    case WG_SR_nctaid_x: shl(d, read(d, d->of->sreg), d->d->shift); break;
    default: read(d, d->of->sreg); break;
    }
}

static void deal_block(struct dealer *d, struct wg_ir_block *b) {
    d->instrs.n = 0;
    for (uint32_t i = 0; i < b->ninstrs; i++) {
        d->of = &b->instrs[i];
        if (d->of->op != WG_OP_MOV_SREG) {
            *WG_PUSH(&d->instrs) = *d->of;
            continue;
        }
        if (d->d->joined)
            find_in_joined(d);
        else
            make(d, WG_OP_MOV, WG_T_B32, 1, found_in(d, d->of->sreg), number(0));
        *d->instrs.v[d->instrs.n - 1].dst = d->of->dst[0];
    }
    b->ninstrs = d->instrs.n;
    b->instrs = WG_NEW_N(d->a, struct wg_ir_instr, d->instrs.n + 1);
    memcpy(b->instrs, d->instrs.v, d->instrs.n * sizeof *b->instrs);
}

const struct wg_ir_func *wg_deal_threads(struct wg_arena *a, const struct wg_ir_func *f,
                                         const struct wg_code_opts *o) {
    if (!o->dealt.threads) return f;
    struct dealer d = {.a = a, .f = f, .d = &o->dealt};
    struct wg_ir_func *to = WG_NEW(a, struct wg_ir_func);
    *to = *f;
    to->blocks = WG_NEW_N(a, struct wg_ir_block, f->nblocks);
    memcpy(to->blocks, f->blocks, f->nblocks * sizeof *f->blocks);
    for (uint32_t r = 0; r < f->nregs; r++) *WG_PUSH(&d.regs) = f->regs[r];
    for (uint32_t b = 0; b < f->nblocks; b++) deal_block(&d, &to->blocks[b]);
    to->nregs = d.regs.n;
    to->regs = WG_NEW_N(a, struct wg_ir_reg, to->nregs);
    memcpy(to->regs, d.regs.v, to->nregs * sizeof *to->regs);
    free(d.instrs.v);
    free(d.regs.v);
    return to;
}
