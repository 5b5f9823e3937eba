/* See assembly.h. */
#include "analysis/assembly.h"
#include "cfg/cfg.h"
#include "base/arena.h"

enum { ONE = 10 }; /* instructions are estimated in tenths */

/* Who writes and who reads a register. */
struct value {
    const struct wg_ir_instr *def;  /* its definition; NULL: none or several */
    const struct wg_ir_instr *user; /* of one use: who */
    uint32_t uses;
    bool many;      /* several write it */
    bool elsewhere; /* a use other than as an address */
    bool upper;     /* a use of its upper 32 bits */
    bool alone;     /* a use that is no sum */
};

struct assembly {
    const struct wg_ir_func *f;
    wg_bits varying; /* registers that may differ from lane to lane */
    const struct wg_assembly_access *access;
    struct value *v; /* [register] */
    const struct wg_ir_instr *reader;
    uint16_t *machine;
};

/* ---- Who uses what ---- */

static void add_use(void *user, uint32_t r) {
    struct assembly *x = user;
    x->v[r].uses++;
    x->v[r].user = x->v[r].uses == 1 ? x->reader : NULL;
    bool address = x->reader && (wg_op_flags(x->reader->op) & WG_F_MEM) && x->reader->nsrc &&
                   x->reader->src[0].kind == WG_O_REG && x->reader->src[0].index == r;
    if (!address) x->v[r].elsewhere = true;
    if (!x->reader || x->reader->op != WG_OP_ADD_I) x->v[r].alone = true;
}

static void find_values(struct assembly *x) {
    const struct wg_ir_func *f = x->f;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            const struct wg_ir_instr *in = x->reader = &blk->instrs[i];
            wg_each_use(in, add_use, x);
            for (uint32_t d = 0; d < in->ndst; d++) {
                if (in->dst[d].kind != WG_O_REG) continue;
                struct value *v = &x->v[in->dst[d].index];
                v->many |= v->def != NULL;
                v->def = v->many ? NULL : in;
            }
        }
        x->reader = NULL;
        if (blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX) add_use(x, blk->cond);
    }
}

static const struct wg_ir_instr *def_of(const struct assembly *x, const struct wg_ir_opd *o) {
    return o->kind == WG_O_REG ? x->v[o->index].def : NULL;
}
static const struct value *result(const struct assembly *x, const struct wg_ir_instr *in) {
    return in->ndst && in->dst[0].kind == WG_O_REG ? &x->v[in->dst[0].index] : NULL;
}
static bool is_constant(const struct assembly *x, const struct wg_ir_opd *o) {
    if (o->kind == WG_O_IMM) return true;
    const struct wg_ir_instr *d = def_of(x, o);
    return d && d->op == WG_OP_MOV && d->src[0].kind == WG_O_IMM;
}
static bool is_double(const struct wg_ir_instr *in) { return in->type == WG_T_F64; }

/* The one instruction that reads what `in` writes; NULL: none or several. */
static const struct wg_ir_instr *only_reader(const struct assembly *x, const struct wg_ir_instr *in) {
    const struct value *v = result(x, in);
    return v && !v->many && v->uses == 1 ? v->user : NULL;
}

/* Whether the lower halves of an instruction's sources are all that the lower half of its result needs. */
static bool is_modular(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_MUL_I || in->op == WG_OP_MAD_I) return in->mod[WG_MC_MULW] == WG_M_lo;
    return wg_op_is(in->op, WG_IS_LINEAR | WG_IS_BITWISE) || in->op == WG_OP_NEG_I || in->op == WG_OP_MOV;
}

static bool needs_upper(const struct assembly *x, const struct wg_ir_instr *in, uint32_t s) {
    const struct value *v = result(x, in);
    if (in->op == WG_OP_CVT && wg_type_bits(in->type) <= 32 && wg_type_kind(in->type) != WG_K_F) return false;
    if (in->op == WG_OP_AND && in->src[1 - s].kind == WG_O_IMM && in->src[1 - s].imm <= UINT32_MAX)
        return false;
    if (in->op == WG_OP_SHL && (s == 1 || (in->src[1].kind == WG_O_IMM && in->src[1].imm >= 32)))
        return false;
    return !(is_modular(in) && v && !v->upper);
}

/* Backward data flow to a fixed point: arithmetic of 64 bits of which only 32 are read. */
static void find_upper(struct assembly *x) {
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t b = x->f->nblocks; b-- > 0;)
            for (uint32_t i = x->f->blocks[b].ninstrs; i-- > 0;) {
                const struct wg_ir_instr *in = &x->f->blocks[b].instrs[i];
                for (uint32_t s = 0; s < in->nsrc; s++) {
                    if (in->src[s].kind != WG_O_REG || x->v[in->src[s].index].upper || !needs_upper(x, in, s))
                        continue;
                    x->v[in->src[s].index].upper = grew = true;
                }
            }
    }
}

/* An operation on 64 bits, and not on the lower half alone. */
static bool is_wide(const struct assembly *x, const struct wg_ir_instr *in) {
    if (in->type != WG_T_U64 && in->type != WG_T_S64 && in->type != WG_T_B64) return false;
    const struct value *v = result(x, in);
    return !v || v->upper || !is_modular(in);
}

/* ---- What becomes part of another instruction ---- */

static bool is_logic(const struct assembly *x, const struct wg_ir_instr *in) {
    return wg_op_is(in->op, WG_IS_BITWISE) && !is_wide(x, in);
}
static bool is_compare(const struct wg_ir_instr *in) {
    return in->op == WG_OP_SETP || in->op == WG_OP_SETP_B;
}

/* A logic operation on what another one makes: LOP3 has three sources. Of predicates: a compare takes one
 * along. */
static bool in_logic(const struct assembly *x, const struct wg_ir_instr *in) {
    const struct wg_ir_instr *reader = only_reader(x, in);
    if (in->type == WG_T_PRED) {
        for (uint32_t s = 0; s < in->nsrc; s++) {
            const struct wg_ir_instr *d = def_of(x, &in->src[s]);
            if (d && is_compare(d)) return true;
        }
        return in->op == WG_OP_NOT;
    }
    if (in->op == WG_OP_NOT) return reader && is_logic(x, reader);
    return reader && is_logic(x, reader) && reader->type != WG_T_PRED &&
           (reader->op == WG_OP_NOT || reader->src[0].index == in->dst[0].index ||
            !def_of(x, &reader->src[0]) || !is_logic(x, def_of(x, &reader->src[0])));
}

/* IADD3 has three sources, too; LEA shifts one of two; IMAD multiplies. */
static bool in_sum(const struct assembly *x, const struct wg_ir_instr *in) {
    const struct wg_ir_instr *reader = only_reader(x, in);
    if (!reader || (reader->op != WG_OP_ADD_I && reader->op != WG_OP_SUB_I) || is_wide(x, reader))
        return false;
    if (in->op == WG_OP_SHL) return is_constant(x, &in->src[1]);
    if (in->op == WG_OP_MUL_I) return in->mod[WG_MC_MULW] == WG_M_lo || in->mod[WG_MC_MULW] == WG_M_none;
    if (in->op == WG_OP_NEG_I) return true;
    if (in->op != WG_OP_ADD_I && in->op != WG_OP_SUB_I) return false;
    const struct wg_ir_instr *other = NULL; /* of two sums one is taken along */
    for (uint32_t s = 0; s < reader->nsrc; s++)
        if (reader->src[s].kind == WG_O_REG && reader->src[s].index == in->dst[0].index)
            other = def_of(x, &reader->src[1 - s]);
    return !(other && other->op == WG_OP_ADD_I && other < in);
}

/* A wide product that sums alone read: each of them is an IMAD.WIDE. */
static bool is_summed(const struct assembly *x, const struct wg_ir_instr *d) {
    const struct value *v = d ? result(x, d) : NULL;
    return v && d->op == WG_OP_MUL_I && d->mod[WG_MC_MULW] == WG_M_wide && !v->many && !v->alone;
}

/* Sums of 64 bits: IMAD.WIDE and LEA take one along, addresses a constant. */
static uint32_t wide_sum(const struct assembly *x, const struct wg_ir_instr *in) {
    const struct value *v = result(x, in);
    for (uint32_t s = 0; s < in->nsrc; s++) {
        const struct wg_ir_instr *d = def_of(x, &in->src[s]);
        if (in->op == WG_OP_ADD_I && is_summed(x, d)) return ONE;
        if (is_constant(x, &in->src[s]) && v && !v->elsewhere && !v->many) return 0;
    }
    return 2 * ONE;
}

static uint32_t sum(const struct assembly *x, const struct wg_ir_instr *in) {
    if (is_wide(x, in)) return wide_sum(x, in);
    const struct value *v = result(x, in);
    bool address = v && !v->many && v->uses && !v->elsewhere;
    if (address && in->op == WG_OP_ADD_I && (is_constant(x, &in->src[0]) || is_constant(x, &in->src[1])))
        return 0;
    return in_sum(x, in) ? 0 : ONE;
}

/* ---- One instruction ---- */

/* A value of 32 bits in a register of 64. */
static bool is_extended(const struct assembly *x, const struct wg_ir_opd *o) {
    const struct wg_ir_instr *d = def_of(x, o);
    return (o->kind == WG_O_IMM && o->imm <= INT32_MAX) ||
           (d && d->op == WG_OP_CVT && wg_type_bits(d->type2) <= 32);
}

static uint32_t product(const struct assembly *x, const struct wg_ir_instr *in) {
    uint8_t width = in->mod[WG_MC_MULW];
    if (is_wide(x, in))
        return width == WG_M_hi                                             ? 7 * ONE
               : is_extended(x, &in->src[0]) && is_extended(x, &in->src[1]) ? ONE
                                                                            : 4 * ONE;
    if (in->op == WG_OP_MUL_I && (in_sum(x, in) || is_summed(x, in))) return 0;
    return ONE;
}

static uint32_t division(const struct assembly *x, const struct wg_ir_instr *in) {
    bool is_signed = in->type == WG_T_S16 || in->type == WG_T_S32 || in->type == WG_T_S64;
    if (is_wide(x, in)) return 30 * ONE; /* where both fit into 32 bits */
    return (in->op == WG_OP_DIV_I ? 18 : 17) * ONE + (is_signed ? 6 * ONE : 0);
}

static uint32_t rounded(const struct wg_ir_instr *in) {
    bool ftz = in->mod[WG_MC_FTZ] != WG_M_none;
    switch (in->op) {
    case WG_OP_DIV_F: return (is_double(in) ? 17 : 10) * ONE;
    case WG_OP_RCP: return (is_double(in) ? 12 : 8) * ONE;
    case WG_OP_SQRT: return (is_double(in) ? 17 : 9) * ONE;
    case WG_OP_DIV_A: return in->mod[WG_MC_APPROX] == WG_M_full ? 8 * ONE : ftz ? 2 * ONE : 5 * ONE;
    case WG_OP_RCP_A: return is_double(in) ? 2 * ONE : ftz ? ONE : 8 * ONE;
    case WG_OP_RSQRT_A: return is_double(in) ? 14 * ONE : ftz ? ONE : 4 * ONE;
    case WG_OP_SQRT_A:
    case WG_OP_LG2_A:
    case WG_OP_EX2_A: return in->type == WG_T_F32 && !ftz ? 4 * ONE : ONE;
    case WG_OP_SIN_A:
    case WG_OP_COS_A: return 2 * ONE;
    default: return ONE;
    }
}

static uint32_t conversion(const struct assembly *x, const struct wg_ir_instr *in) {
    bool from_float =
        in->type2 == WG_T_F32 || in->type2 == WG_T_F64 || in->type2 == WG_T_F16 || in->type2 == WG_T_BF16;
    bool to_float =
        in->type == WG_T_F32 || in->type == WG_T_F64 || in->type == WG_T_F16 || in->type == WG_T_BF16;
    if (from_float || to_float) return ONE;
    const struct wg_ir_instr *reader = only_reader(x, in), *from = def_of(x, &in->src[0]);
    if (in->type == WG_T_S64 && in->type2 == WG_T_S32)
        return reader && (reader->op == WG_OP_SHL || reader->op == WG_OP_MUL_I || reader->op == WG_OP_MAD_I)
                   ? 0
                   : ONE;
    bool narrows = in->type2 == WG_T_U64 || in->type2 == WG_T_S64 || in->type2 == WG_T_B64;
    bool widens = in->type == WG_T_U64 || in->type == WG_T_B64 || in->type == WG_T_S64;
    if (narrows || widens || (from && from->op == WG_OP_LD)) return 0;
    return ONE / 2;
}

static uint32_t memory(const struct assembly *x, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_LD && in->space == WG_S_PARAM) return is_wide(x, in) ? ONE : 7;
    if (in->op == WG_OP_LD && in->space == WG_S_CONST) return in->src[0].kind == WG_O_SYM ? 0 : ONE;
    const struct wg_assembly_access *made = &x->access[in->id];
    return (made->joined > 1 ? ONE / made->joined : ONE) + made->more * ONE;
}

static uint32_t move(const struct assembly *x, const struct wg_ir_instr *in) {
    const struct value *v = result(x, in);
    if (in->op == WG_OP_MOV && in->src[0].kind == WG_O_SYM) return 0;
    if (in->op == WG_OP_MOV_PACK || in->op == WG_OP_MOV_UNPACK)
        return in->type == WG_T_B32 && in->op == WG_OP_MOV_PACK ? ONE : 0;
    return v && v->many && in->src[0].kind == WG_O_IMM ? ONE : 0;
}

static uint32_t special(const struct wg_ir_instr *in) {
    switch (in->sreg) {
    case WG_SR_ntid_x:
    case WG_SR_ntid_y:
    case WG_SR_ntid_z:
    case WG_SR_nctaid_x:
    case WG_SR_nctaid_y:
    case WG_SR_nctaid_z: return 7; /* constants */
    default: return ONE;
    }
}

static uint32_t shift(const struct assembly *x, const struct wg_ir_instr *in) {
    bool wide = wg_type_bits(in->type) == 64;
    if (wide && in->src[1].kind == WG_O_IMM && in->src[1].imm >= 32)
        return in->src[1].imm == 32 || in->op == WG_OP_SHL ? 0 : ONE;
    const struct wg_ir_instr *d = def_of(x, &in->src[0]), *reader = only_reader(x, in);
    if (wide && d && d->op == WG_OP_SHL) return ONE;           /* of 32 bits with their sign */
    if (wide && reader && reader->op == WG_OP_ADD_I) return 0; /* LEA and LEA.HI.X */
    return in_sum(x, in) ? 0 : is_wide(x, in) ? 2 * ONE : ONE;
}

/* A tile of a matrix, by as many registers: where a lane's rows are, then two for each. */
static uint32_t fragment(uint32_t registers) { return (6 + 2 * registers) * ONE; }

static uint32_t weight(const struct assembly *x, const struct wg_ir_instr *in) {
    if (in->op != WG_OP_CP_ASYNC && (wg_op_flags(in->op) & WG_F_MEM)) return memory(x, in);
    switch (in->op) {
    case WG_OP_MOV:
    case WG_OP_MOV_PACK:
    case WG_OP_MOV_UNPACK: return move(x, in);
    case WG_OP_MOV_SREG: return special(in);
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO: return 0;
    case WG_OP_ADD_I:
    case WG_OP_SUB_I: return sum(x, in);
    case WG_OP_MUL_I:
    case WG_OP_MAD_I: return product(x, in);
    case WG_OP_DIV_I:
    case WG_OP_REM_I: return division(x, in);
    case WG_OP_NEG_I: return in_sum(x, in) ? 0 : is_wide(x, in) ? 2 * ONE : ONE;
    case WG_OP_MIN_I:
    case WG_OP_MAX_I: return is_wide(x, in) ? 4 * ONE : ONE;
    case WG_OP_AND:
    case WG_OP_OR:
    case WG_OP_XOR:
    case WG_OP_NOT:
        if (in->op == WG_OP_AND && in->src[1].kind == WG_O_IMM && in->src[1].imm <= UINT32_MAX)
            return in_logic(x, in) ? 0 : ONE;
        return in_logic(x, in) ? 0 : is_wide(x, in) ? 2 * ONE : ONE;
    case WG_OP_SHL:
    case WG_OP_SHR: return shift(x, in);
    case WG_OP_SETP:
    case WG_OP_SETP_B:
    case WG_OP_SELP: return is_wide(x, in) || (is_double(in) && in->op == WG_OP_SELP) ? 2 * ONE : ONE;
    case WG_OP_BFE:
    case WG_OP_CLZ:
    case WG_OP_REDUX:
    case WG_OP_ELECT: return 2 * ONE;
    case WG_OP_POPC: return in->type == WG_T_B64 ? 3 * ONE : ONE;
    case WG_OP_NEG_F:
    case WG_OP_ABS_F: return in->type == WG_T_F32 || is_double(in) ? 0 : ONE;
    case WG_OP_MIN_F:
    case WG_OP_MAX_F: return is_double(in) ? 8 * ONE : ONE;
    case WG_OP_CVT: return conversion(x, in);
    case WG_OP_WMMA_LOAD: return fragment(in->ndst);
    case WG_OP_WMMA_STORE: return fragment(in->nsrc);
    default: return rounded(in);
    }
}

/* ---- Branches ---- */

/* Small code on one side of a branch, or on both, runs under a predicate: its instructions are executed
 * whether lanes are active or not, and there is no branch. */
enum { PREDICATED_MOST = 12 * ONE };

static bool may_be_predicated(const struct wg_ir_instr *in) {
    return in->op != WG_OP_CALL &&
           !(wg_op_flags(in->op) & (WG_F_SYNC | WG_F_WAIT | WG_F_FLOW | WG_F_BULK | WG_F_MATRIX));
}

/* The weight of one side of a branch, if its only predecessor is `from` and its successor `to`; else
 * UINT32_MAX. */
static uint32_t side_weight(const struct assembly *x, uint32_t from, uint32_t side, uint32_t to) {
    const struct wg_ir_block *b = &x->f->blocks[side];
    uint32_t all = 0;
    if (side == to) return 0;
    if (b->npred != 1 || b->pred[0] != from || b->term != WG_TERM_BR || b->succ[0] != to ||
        b->loop != x->f->blocks[from].loop)
        return UINT32_MAX;
    for (uint32_t i = 0; i < b->ninstrs; i++) {
        if (!may_be_predicated(&b->instrs[i])) return UINT32_MAX;
        all += x->machine[b->instrs[i].id];
    }
    return all;
}

static void run_under_predicate(struct assembly *x, uint32_t from, uint32_t side) {
    const struct wg_ir_block *b = &x->f->blocks[side];
    for (uint32_t i = 0; i < b->ninstrs; i++) {
        x->machine[x->f->blocks[from].id] += x->machine[b->instrs[i].id];
        x->machine[b->instrs[i].id] = 0;
    }
    x->machine[b->id] = 0;
}

static bool ends_at_once(const struct wg_ir_block *b) {
    return b->ninstrs == 0 && (b->term == WG_TERM_RET || b->term == WG_TERM_EXIT);
}

/* BSSY before lanes diverge, BSYNC where they reconverge. */
static uint32_t meeting(const struct assembly *x, const struct wg_ir_block *b) {
    return !b->uniform && wg_bits_has(x->varying, b->cond) ? 2 * ONE : 0;
}

static void branch(struct assembly *x, uint32_t at) {
    const struct wg_ir_block *b = &x->f->blocks[at];
    uint32_t yes = b->succ[0], no = b->succ[1];
    x->machine[b->id] = ONE;
    if (yes <= at || no <= at || ends_at_once(&x->f->blocks[yes]) || ends_at_once(&x->f->blocks[no])) return;
    const struct wg_ir_block *first = &x->f->blocks[yes < no ? yes : no];
    uint32_t last = yes < no ? no : yes; /* the join: the later one, or the successor of the first */
    if (first->term == WG_TERM_BR && first->succ[0] != last && x->f->blocks[last].term == WG_TERM_BR &&
        x->f->blocks[last].npred == 1)
        last = first->succ[0];
    uint32_t one = side_weight(x, at, yes, last), other = side_weight(x, at, no, last);
    if (one == UINT32_MAX || other == UINT32_MAX || one + other > PREDICATED_MOST) {
        x->machine[b->id] += (uint16_t)meeting(x, b);
        return;
    }
    x->machine[b->id] = 0;
    if (yes != last) run_under_predicate(x, at, yes);
    if (no != last) run_under_predicate(x, at, no);
}

/* Terminators that are not counted by themselves are added to the instruction before. */
static void charge(struct assembly *x, const struct wg_ir_block *b, uint32_t parts) {
    if (b->ninstrs) x->machine[b->instrs[b->ninstrs - 1].id] += (uint16_t)parts;
}

static void end(struct assembly *x, uint32_t at) {
    const struct wg_ir_block *b = &x->f->blocks[at];
    switch (b->term) {
    case WG_TERM_CBR: branch(x, at); break;
    case WG_TERM_BRX: x->machine[b->id] = 3 * ONE; break;
    case WG_TERM_BR:
        charge(x, b, b->succ[0] == at + 1 && !ends_at_once(&x->f->blocks[b->succ[0]]) ? 0 : ONE);
        break;
    default: charge(x, b, ONE);
    }
}

/* Rounds weights to whole instructions so that the sum over a block is preserved. */
static void make_whole(struct assembly *x, const struct wg_ir_block *b) {
    uint32_t parts = ONE / 2;
    for (uint32_t i = 0; i <= b->ninstrs; i++) {
        uint16_t *v = &x->machine[i < b->ninstrs ? b->instrs[i].id : b->id];
        parts += *v;
        *v = (uint16_t)(parts / ONE);
        parts %= ONE;
    }
}

/* ---- Loops ---- */

/* A single-block counted loop: unrolled four times, so that the counter, the pointer steps and the back edge
 * are paid once per four iterations. */
enum { UNROLLED = 4, UNROLLED_MOST = 60 * ONE };

static bool counts(const struct wg_ir_instr *in) {
    return in->op == WG_OP_ADD_I && in->dst[0].kind == WG_O_REG && in->src[0].kind == WG_O_REG &&
           in->src[0].index == in->dst[0].index && in->src[1].kind == WG_O_IMM;
}

static void unroll(struct assembly *x, uint32_t at) {
    const struct wg_ir_block *b = &x->f->blocks[at];
    if (b->term != WG_TERM_CBR || (b->succ[0] != at && b->succ[1] != at) || b->nounroll) return;
    uint32_t all = 0;
    const struct wg_ir_instr *test = x->v[b->cond].def, *counter = NULL;
    for (uint32_t i = 0; i < b->ninstrs; i++) {
        if (!may_be_predicated(&b->instrs[i])) return;
        all += x->machine[b->instrs[i].id];
        if (test && test->op == WG_OP_SETP && counts(&b->instrs[i]) && test->src[0].kind == WG_O_REG &&
            test->src[0].index == b->instrs[i].dst[0].index)
            counter = &b->instrs[i];
    }
    if (!counter || all > UNROLLED_MOST) return;
    for (uint32_t i = 0; i < b->ninstrs; i++)
        if (counts(&b->instrs[i]) || &b->instrs[i] == test) x->machine[b->instrs[i].id] /= UNROLLED;
    x->machine[b->id] /= UNROLLED;
}

/* ---- The function ---- */

/* The stack pointer; the descriptor of global memory; the window of shared memory. */
static uint32_t at_the_start(const struct assembly *x) {
    bool global = false, shared = false;
    for (uint32_t b = 0; b < x->f->nblocks; b++)
        for (uint32_t i = 0; i < x->f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &x->f->blocks[b].instrs[i];
            if (!(wg_op_flags(in->op) & WG_F_MEM)) continue;
            global |= in->space == WG_S_GLOBAL || in->space == WG_S_GENERIC;
            shared |= in->space == WG_S_SHARED;
        }
    return ONE + (global ? ONE : 0) + (shared ? 3 * ONE : 0);
}

void wg_assembly_estimate(struct wg_arena *a, const struct wg_ir_func *f, wg_bits varying,
                          const struct wg_assembly_access *access, uint16_t *machine) {
    struct assembly x = {.f = f,
                         .varying = varying,
                         .access = access,
                         .machine = machine,
                         .v = WG_NEW_N(a, struct value, f->nregs + 1)};
    find_values(&x);
    find_upper(&x);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            machine[in->id] = (uint16_t)weight(&x, in);
        }
    for (uint32_t b = f->nblocks; b-- > 0;) end(&x, b);
    if (f->nblocks && f->entry) charge(&x, &f->blocks[0], at_the_start(&x));
    for (uint32_t b = 0; b < f->nblocks; b++) unroll(&x, b);
    for (uint32_t b = 0; b < f->nblocks; b++) make_whole(&x, &f->blocks[b]);
}
