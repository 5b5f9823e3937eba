/* See interior_test.h. A value in the block's first thread is computed by a copy of what computes it, in which
 * threadIdx is zero:
 *
 *     mad.lo.s32 %r1, %ctaid.x, %ntid.x, %tid.x        first: mad.lo.s32 %r9, %ctaid.x, %ntid.x, 0
 *                                                      last:  add.s32 %r10, %r9, 255
 */
#include "analysis/interior_test.h"
#include "analysis/effects.h"

/* A block's values lie so far apart at most. */
enum { FARTHEST = 1 << 20 };

static bool is_word(const struct wg_ir_instr *in) {
    return (in->type == WG_T_U32 || in->type == WG_T_S32 || in->type == WG_T_B32) &&
           in->mod[WG_MC_SAT] == WG_M_none && in->mod[WG_MC_RELU] == WG_M_none;
}

/* ---- values that grow along the threads ---- */

static bool is_still(const struct wg_line *l) { return !l->by[0] && !l->by[1] && !l->by[2]; }

static void add_times(struct wg_line *to, const struct wg_line *l, int64_t times) {
    for (int i = 0; i < 3; i++) to->by[i] += l->by[i] * times;
    to->of_block |= l->of_block;
}

static int axis_of(uint32_t sreg) {
    return sreg == WG_SR_tid_x ? 0 : sreg == WG_SR_tid_y ? 1 : sreg == WG_SR_tid_z ? 2 : -1;
}

static bool special_line(uint32_t sreg, struct wg_line *to) {
    int axis = axis_of(sreg);
    if (axis >= 0) {
        to->by[axis] = 1;
        return true;
    }
    to->of_block = sreg >= WG_SR_ctaid_x && sreg <= WG_SR_ctaid_z;
    return to->of_block || (sreg >= WG_SR_ntid_x && sreg <= WG_SR_ntid_z) ||
           (sreg >= WG_SR_nctaid_x && sreg <= WG_SR_nctaid_z);
}

/* The product of two values that are the same for all threads, or of one and a constant. */
static bool product_line(const struct wg_ir_instr *in, const struct wg_line s[2], struct wg_line *to) {
    to->of_block = s[0].of_block || s[1].of_block;
    if (is_still(&s[0]) && is_still(&s[1])) return true;
    for (int i = 0; i < 2; i++) {
        if (in->src[i].kind != WG_O_IMM) continue;
        int32_t times = (int32_t)in->src[i].imm;
        if (times < 0 || times > FARTHEST) return false;
        add_times(to, &s[1 - i], times);
        return true;
    }
    return false;
}

static bool result_line(const struct wg_ir_instr *in, const struct wg_line s[3], struct wg_line *to) {
    switch (in->op) {
    case WG_OP_MOV: add_times(to, &s[0], 1); return true;
    case WG_OP_ADD_I:
        add_times(to, &s[0], 1);
        add_times(to, &s[1], 1);
        return true;
    case WG_OP_SUB_I:
        add_times(to, &s[0], 1);
        add_times(to, &s[1], -1);
        return true;
    case WG_OP_SHL:
        if (in->src[1].kind != WG_O_IMM || in->src[1].imm > 16) return is_still(&s[0]) && is_still(&s[1]);
        add_times(to, &s[0], INT64_C(1) << in->src[1].imm);
        return true;
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
        if (in->mod[WG_MC_MULW] != WG_M_lo || !product_line(in, s, to)) return false;
        if (in->op == WG_OP_MAD_I) add_times(to, &s[2], 1);
        return true;
    case WG_OP_MIN_I:
    case WG_OP_MAX_I:
    case WG_OP_AND:
    case WG_OP_OR:
    case WG_OP_SHR:
        add_times(to, &s[0], 1);
        add_times(to, &s[1], 1);
        return is_still(&s[0]) && is_still(&s[1]);
    default: return false;
    }
}

static bool is_parameter(const struct wg_ir_instr *in) { return wg_loads_for_launch(in) && in->nvec == 1; }

static bool find_line(struct wg_interior *x, const struct wg_ir_instr *in, struct wg_line *to) {
    struct wg_line s[3] = {{0}};
    if (!in || in->guard != WG_NO_REG || in->ndst != 1 || !is_word(in)) return false;
    if (in->op == WG_OP_MOV_SREG) return special_line(in->sreg, to);
    if (is_parameter(in)) return true;
    if (in->nsrc > 3) return false;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (!wg_interior_line(x, &in->src[i], &s[i])) return false;
    return result_line(in, s, to);
}

static bool is_reasonable(const struct wg_line *l) {
    for (int i = 0; i < 3; i++)
        if (l->by[i] > FARTHEST || l->by[i] < -FARTHEST) return false;
    return true;
}

static bool inside_line(struct wg_interior *x, const struct wg_inside_value *v, struct wg_line *to) {
    struct wg_line other = {0};
    if (!wg_interior_line(x, &v->opd, to)) return false;
    if (v->is == WG_INSIDE_MOVE) return true;
    if (!wg_interior_line(x, &v->other, &other)) return false;
    if (v->is == WG_INSIDE_SUM) add_times(to, &other, 1);
    return v->is == WG_INSIDE_SUM || is_still(&other);
}

bool wg_interior_line(struct wg_interior *x, const struct wg_ir_opd *o, struct wg_line *to) {
    *to = (struct wg_line){0};
    if (o->kind == WG_O_IMM) return true;
    if (o->kind != WG_O_REG || o->negated) return false;
    struct wg_line *l = &x->lines[o->index];
    if (!l->known) {
        const struct wg_inside_value *v = &x->inside[o->index];
        bool only = x->cfg.ndefs[o->index] == 1 && !wg_bits_has(x->cfg.live_in[0], o->index), is;
        l->known = 1; /* while it is looked for */
        if (v->is == WG_INSIDE_MOVE || v->is == WG_INSIDE_LESS || v->is == WG_INSIDE_SUM)
            is = inside_line(x, v, to);
        else
            is = only && find_line(x, x->cfg.def[o->index], to);
        *l = *to;
        l->known = 1 + (is && is_reasonable(to));
    }
    *to = *l;
    return l->known == 2;
}

static int64_t reach_of(const struct wg_interior *x, const struct wg_line *l) {
    int64_t n = 0;
    for (int i = 0; i < 3; i++) n += l->by[i] * (x->o->ntid[i] - INT64_C(1));
    return n;
}

bool wg_interior_varies(struct wg_interior *x, const struct wg_ir_opd *o) {
    struct wg_line l;
    if (!wg_interior_line(x, o, &l) || !l.of_block || is_still(&l)) return false;
    return l.by[0] >= 0 && l.by[1] >= 0 && l.by[2] >= 0 && reach_of(x, &l) <= FARTHEST;
}

bool wg_interior_is_even(struct wg_interior *x, const struct wg_ir_opd *o) {
    struct wg_line l;
    return wg_interior_line(x, o, &l) && is_still(&l);
}

/* ---- the test ---- */

static struct wg_ir_opd number(uint32_t n) { return (struct wg_ir_opd){.kind = WG_O_IMM, .imm = n}; }

static struct wg_ir_opd new_register(struct wg_interior *x, enum wg_width width, enum wg_type type) {
    *WG_PUSH(&x->regs) =
        (struct wg_ir_reg){.name = "%inside", .width = (uint8_t)width, .type = (uint8_t)type};
    return (struct wg_ir_opd){.kind = WG_O_REG, .index = x->regs.n - 1};
}

static struct wg_ir_opd make(struct wg_interior *x, enum wg_op op, enum wg_type type, struct wg_ir_opd p,
                             struct wg_ir_opd q, enum wg_mod cmp) {
    struct wg_ir_instr in = {.op = (uint16_t)op,
                             .type = (uint8_t)type,
                             .ndst = 1,
                             .nsrc = 2,
                             .nvec = 1,
                             .guard = WG_NO_REG,
                             .loc = x->f->loc,
                             .ptx_line = x->f->ptx_line};
    bool is_predicate = op == WG_OP_SETP || type == WG_T_PRED;
    in.mod[WG_MC_CMP] = (uint8_t)cmp;
    in.dst = WG_NEW(x->a, struct wg_ir_opd);
    in.src = WG_NEW_N(x->a, struct wg_ir_opd, 2);
    *in.dst = is_predicate ? new_register(x, WG_W1, WG_T_PRED) : new_register(x, WG_W32, WG_T_B32);
    in.src[0] = p;
    in.src[1] = q;
    *WG_PUSH(&x->test) = in;
    return *in.dst;
}

static struct wg_ir_opd first_of(struct wg_interior *x, const struct wg_ir_opd *o);

/* The instruction, for the first thread. */
static struct wg_ir_opd copy(struct wg_interior *x, const struct wg_ir_instr *in) {
    struct wg_ir_instr c = *in;
    if (in->op == WG_OP_MOV_SREG && axis_of(in->sreg) >= 0) return number(0);
    c.id = 0;
    c.src = WG_NEW_N(x->a, struct wg_ir_opd, c.nsrc + 1);
    for (uint32_t i = 0; i < in->nsrc; i++)
        c.src[i] = in->src[i].kind == WG_O_REG ? first_of(x, &in->src[i]) : in->src[i];
    c.dst = WG_NEW(x->a, struct wg_ir_opd);
    *c.dst = new_register(x, WG_W32, WG_T_B32);
    *WG_PUSH(&x->test) = c;
    return *c.dst;
}

static struct wg_ir_opd first_of(struct wg_interior *x, const struct wg_ir_opd *o) {
    if (o->kind != WG_O_REG) return *o;
    struct wg_ir_opd *to = &x->first[o->index];
    const struct wg_inside_value *v = &x->inside[o->index];
    if (to->kind != WG_O_NONE) return *to;
    if (v->is == WG_INSIDE_MOVE)
        *to = first_of(x, &v->opd);
    else if (v->is == WG_INSIDE_LESS || v->is == WG_INSIDE_SUM)
        *to = make(x, v->is == WG_INSIDE_SUM ? WG_OP_ADD_I : WG_OP_SUB_I, WG_T_S32, first_of(x, &v->opd),
                   first_of(x, &v->other), WG_M_none);
    else
        *to = copy(x, x->cfg.def[o->index]);
    return *to;
}

static void want(struct wg_interior *x, struct wg_ir_opd p, enum wg_mod cmp, struct wg_ir_opd q,
                 enum wg_type type) {
    struct wg_ir_opd is = make(x, WG_OP_SETP, type, p, q, cmp);
    if (x->holds != WG_NO_REG)
        is = make(x, WG_OP_AND, WG_T_PRED, (struct wg_ir_opd){.kind = WG_O_REG, .index = x->holds}, is,
                  WG_M_none);
    x->holds = is.index;
}

/* Between the first thread's value and the last one's there is no wrap. */
static void want_growth(struct wg_interior *x, const struct wg_ir_opd *o, uint32_t reach, enum wg_type type) {
    uint8_t bit = type == WG_T_S32 ? 2 : 1;
    if (!reach || x->grows[o->index] & bit) return;
    x->grows[o->index] |= bit;
    want(x, first_of(x, o), WG_M_le, number((type == WG_T_S32 ? INT32_MAX : UINT32_MAX) - reach), type);
}

static struct wg_ir_opd last_of(struct wg_interior *x, const struct wg_ir_opd *o, uint32_t reach) {
    struct wg_ir_opd *to = &x->last[o->index];
    if (to->kind == WG_O_NONE) {
        struct wg_ir_opd first = first_of(x, o);
        *to = reach ? make(x, WG_OP_ADD_I, WG_T_S32, first, number(reach), WG_M_none) : first;
    }
    return *to;
}

static struct wg_ir_opd extreme(struct wg_interior *x, const struct wg_ir_opd *o, enum wg_mod cmp,
                                enum wg_type type) {
    struct wg_line l;
    wg_interior_line(x, o, &l);
    uint32_t reach = (uint32_t)reach_of(x, &l);
    want_growth(x, o, reach, type);
    return cmp == WG_M_lt || cmp == WG_M_le ? last_of(x, o, reach) : first_of(x, o);
}

void wg_interior_want(struct wg_interior *x, const struct wg_ir_opd *o, enum wg_mod cmp,
                      const struct wg_ir_opd *bound, enum wg_type type) {
    want(x, extreme(x, o, cmp, type), cmp, first_of(x, bound), type);
}

void wg_interior_want_less(struct wg_interior *x, const struct wg_ir_opd *o, const struct wg_ir_opd *less,
                           enum wg_mod cmp, const struct wg_ir_opd *bound, enum wg_type type) {
    struct wg_ir_opd p =
        make(x, WG_OP_SUB_I, WG_T_S32, extreme(x, o, cmp, type), first_of(x, less), WG_M_none);
    want(x, p, cmp, first_of(x, bound), type);
}

void wg_interior_want_above(struct wg_interior *x, const struct wg_ir_opd *o, uint32_t than) {
    want(x, first_of(x, o), WG_M_gt, number(than), WG_T_S32);
}
