/* See access.h. */
#include "check/instrument/access.h"
#include "check/finding.h"

static uint32_t bytes_of(const struct wg_ir_instr *in) { return wg_type_bits(in->type) / 8 * in->nvec; }

/* The variable of an address operand, or WG_NO_REG. */
static uint32_t variable_of(const struct wg_instrument *x, const struct wg_ir_opd *o) {
    if (o->kind == WG_O_SYM) return o->index;
    return o->kind == WG_O_REG ? x->variable[o->index] : WG_NO_REG;
}

static bool is_certain(const struct wg_instrument *x, const struct wg_ir_instr *in) {
    const struct wg_ir_opd *o = &in->src[0];
    if (o->kind != WG_O_SYM) return false;
    const struct wg_ir_sym *s = &x->m->syms[o->index];
    uint64_t at = o->imm + (uint64_t)in->offset, bytes = bytes_of(in);
    bool reads = wg_op_is(in->op, WG_IS_LOAD);
    if (s->kind != WG_SYM_SHARED && s->kind != WG_SYM_LOCAL && s->kind != WG_SYM_GLOBAL) return false;
    if (!reads && s->space == WG_S_CONST) return false;
    return at < s->size && bytes <= s->size - at && at % bytes == 0 && s->align % bytes == 0;
}

static uint32_t kind_of(const struct wg_ir_instr *in) {
    if (wg_op_is(in->op, WG_IS_LOAD)) return WG_CHECK_LOAD;
    return in->op == WG_OP_ST ? WG_CHECK_STORE : WG_CHECK_ATOMIC;
}

/* Of a call that the machine serves: its first arguments, or what it gave. */
static void tell_call(struct wg_instrument *x, const struct wg_ir_instr *in, enum wg_check_event what,
                      const struct wg_ir_arg *values, uint8_t n) {
    struct wg_ir_instr e = wg_instrument_like(in, WG_OP_CHECK_EVENT, WG_T_B64);
    struct wg_ir_opd src[2];
    for (uint8_t i = 0; i < n; i++) src[i] = values[i].value;
    e.check = what;
    e.src = src;
    e.nsrc = n;
    wg_instrument_put(x, e);
}

/* Whether kernels may reach into another block's shared memory. */
static bool uses_clusters(const struct wg_ir_module *m) {
    for (uint32_t f = 0; f < m->nfuncs; f++)
        for (uint32_t b = 0; b < m->funcs[f].nblocks; b++)
            for (uint32_t i = 0; i < m->funcs[f].blocks[b].ninstrs; i++)
                if (m->funcs[f].blocks[b].instrs[i].op == WG_OP_MAPA) return true;
    return false;
}

static void begin(struct wg_instrument *x) { x->clusters = uses_clusters(x->m); }

/* The barrier check asks only who uses the shared memory of whom. */
static bool is_wanted(const struct wg_instrument *x, const struct wg_ir_instr *in) {
    bool heard = x->checks & (1u << WG_CHECK_race | 1u << WG_CHECK_init);
    if (heard) return true;
    if (x->checks & 1u << WG_CHECK_memory) return !is_certain(x, in);
    return x->clusters && (in->space == WG_S_CLUSTER || in->space == WG_S_GENERIC);
}

static void ask(struct wg_instrument *x, const struct wg_ir_instr *in, bool also) {
    enum { MOST = 16 };
    struct wg_ir_opd src[MOST] = {0};
    if (in->nsrc + 1u > MOST || !is_wanted(x, in)) return;
    uint32_t variable = variable_of(x, &in->src[0]);
    x->sites[in->id].variable = variable;
    struct wg_ir_instr ask = *in;
    ask.op = WG_OP_CHECK_ACCESS;
    ask.check = kind_of(in);
    ask.ndst = 0;
    ask.src = src;
    src[0] = in->src[0];
    src[1] = (struct wg_ir_opd){.kind = WG_O_IMM};
    if (variable != WG_NO_REG) src[1] = (struct wg_ir_opd){.kind = WG_O_SYM, .index = variable};
    for (uint32_t i = 1; i < in->nsrc; i++) src[i + 1] = in->src[i];
    ask.nsrc = (uint8_t)(in->nsrc + 1);
    ask.checked = also;
    ask.quiet = x->sites[in->id].quiet;
    wg_instrument_put(x, ask);
    x->asked = in;
}

/* ---- accesses taken out of an instruction ---- */

uint32_t wg_instrument_parts(const struct wg_ir_instr *in) {
    if (wg_op_flags(in->op) & WG_F_BULK) return 2;
    switch (in->op) {
    case WG_OP_CP_ASYNC: return 2;
    case WG_OP_LDMATRIX:
    case WG_OP_STMATRIX:
    case WG_OP_WMMA_LOAD:
    case WG_OP_WMMA_STORE:
    case WG_OP_WGMMA: return 1;
    default: return 0;
    }
}

/* A load or store at an operand of the instruction, of so many bytes. */
static struct wg_check_site *take(struct wg_instrument *x, const struct wg_ir_instr *in, enum wg_op op,
                                  uint32_t operand, uint32_t bytes) {
    struct wg_ir_instr *part = WG_NEW(x->arena, struct wg_ir_instr);
    *part = wg_instrument_like(in, op, WG_T_B32);
    part->nvec = (uint8_t)(bytes / 4);
    part->space = operand ? WG_S_GLOBAL : in->space;
    part->src = &in->src[operand];
    part->nsrc = 1;
    part->offset = in->offset;
    if (operand) part->offset = part->src->kind == WG_O_REG ? (int64_t)part->src->imm : 0;
    part->id = (*x->nids)++;
    struct wg_check_site *s = &x->sites[part->id];
    s->instr = part;
    s->part_of = in;
    s->quiet = x->sites[in->id].quiet;
    s->func = x->func;
    return s;
}

/* Bytes of a row that lanes 0 to 7 give for the first matrix, 8 to 15 for the second. */
static void ask_rows(struct wg_instrument *x, const struct wg_ir_instr *in) {
    bool loads = in->op == WG_OP_LDMATRIX;
    uint32_t matrices = loads ? in->ndst : in->nsrc - 2u;
    struct wg_check_site *s = take(x, in, loads ? WG_OP_LD : WG_OP_ST, 0, 16);
    if (matrices < 4) s->lanes = (1u << 8 * matrices) - 1;
    ask(x, s->instr, false);
}

/* A copy may leave bytes out and make them zeros: it is asked about where it reads all of them. */
static void ask_source(struct wg_instrument *x, const struct wg_ir_instr *in, uint32_t bytes) {
    struct wg_ir_instr *from = (struct wg_ir_instr *)take(x, in, WG_OP_LD, 1, bytes)->instr;
    if (in->nsrc > 3 && in->src[3].kind == WG_O_REG) {
        const struct wg_ir_reg *r = &x->from->regs[in->src[3].index];
        if (in->guard != WG_NO_REG) return;
        if (r->width == WG_W1) {
            from->guard = in->src[3].index;
            from->guard_neg = !in->src[3].negated;
        } else {
            struct wg_ir_instr all = wg_instrument_like(in, WG_OP_SETP, WG_T_U32);
            struct wg_ir_opd is = {.kind = WG_O_REG, .index = wg_instrument_reg(x, WG_W1, "reads")};
            struct wg_ir_opd src[2] = {in->src[3], {.kind = WG_O_IMM, .imm = bytes}};
            all.id = 0;
            all.mod[WG_MC_CMP] = WG_M_eq;
            all.dst = &is;
            all.ndst = 1;
            all.src = src;
            all.nsrc = 2;
            wg_instrument_put(x, all);
            from->guard = is.index;
        }
    } else if (in->nsrc > 3 && in->src[3].imm < bytes) {
        return;
    }
    ask(x, from, true);
}

static void ask_copy(struct wg_instrument *x, const struct wg_ir_instr *in) {
    uint32_t bytes = (uint32_t)in->src[2].imm;
    struct wg_check_site *to = take(x, in, WG_OP_ST, 0, bytes);
    to->late = true;
    ask(x, to->instr, false);
    ask_source(x, in, bytes);
    x->asked = in;
}

/* What hardware of its own does for the instruction is asked about as it begins (wg_services.check_bulk and
 * its like): here it only gets the numbers that tell what it writes and what it reads apart. */
static void take_sides(struct wg_instrument *x, const struct wg_ir_instr *in) {
    bool loads = in->op == WG_OP_TENSOR_LOAD,
         stores = in->op == WG_OP_TENSOR_STORE || in->op == WG_OP_TENSOR_RED;
    bool combines = in->op == WG_OP_BULK_RED || in->op == WG_OP_BULK_RED_SHARED || in->op == WG_OP_TENSOR_RED;
    uint32_t rank = loads || stores ? in->mod[WG_MC_DIMS] - WG_M_d1 + 1u : 0, from = stores ? 1 + rank : 1;
    struct wg_check_site *to = take(x, in, combines ? WG_OP_RED : WG_OP_ST, 0, 16);
    struct wg_check_site *read = take(x, in, WG_OP_LD, from, 16);
    struct wg_ir_instr *source = (struct wg_ir_instr *)read->instr;
    if (in->op != WG_OP_BULK_LOAD && !loads) source->space = WG_S_SHARED;
    if (!stores) to->variable = variable_of(x, &in->src[0]);
    if (!loads) read->variable = variable_of(x, &in->src[from]);
    x->sites[in->id].parts = to->instr->id;
}

static void take_operands(struct wg_instrument *x, const struct wg_ir_instr *in) {
    bool product = in->op == WG_OP_WGMMA;
    struct wg_check_site *s = take(x, in, in->op == WG_OP_WMMA_STORE ? WG_OP_ST : WG_OP_LD, 0, 16);
    if (product) ((struct wg_ir_instr *)s->instr)->space = WG_S_SHARED;
    if (!product) s->variable = variable_of(x, &in->src[0]);
    x->sites[in->id].parts = s->instr->id;
}

static bool changes_mbarrier(const struct wg_instrument *x, const struct wg_ir_instr *in) {
    return x->checks & 1u << WG_CHECK_memory && wg_instrument_changes_mbarrier(in) && !is_certain(x, in);
}

static void before(struct wg_instrument *x, const struct wg_ir_instr *in) {
    bool call = in->op == WG_OP_CALL && x->checks & (1u << WG_CHECK_memory | 1u << WG_CHECK_init);
    if (call && in->call->builtin == WG_B_free && in->call->nargs)
        tell_call(x, in, WG_EVENT_FREE, in->call->args, 1);
    if (call && in->call->builtin == WG_B_vprintf && in->call->nargs > 1)
        tell_call(x, in, WG_EVENT_PRINT, in->call->args, 2);
    if (wg_op_flags(in->op) & WG_F_BULK)
        take_sides(x, in);
    else if (in->op == WG_OP_WMMA_LOAD || in->op == WG_OP_WMMA_STORE || in->op == WG_OP_WGMMA)
        take_operands(x, in);
    else if (in->op == WG_OP_CP_ASYNC)
        ask_copy(x, in);
    else if (wg_instrument_parts(in))
        ask_rows(x, in);
    else if (wg_instrument_is_access(x, in) || changes_mbarrier(x, in))
        ask(x, in, false);
}

static void after(struct wg_instrument *x, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CALL && in->call->builtin == WG_B_malloc && in->call->nrets &&
        x->checks & 1u << WG_CHECK_memory)
        tell_call(x, in, WG_EVENT_MALLOC, in->call->rets, 1);
}

const struct wg_instrument_pass wg_access_pass = {
    .checks = 1u << WG_CHECK_memory | 1u << WG_CHECK_race | 1u << WG_CHECK_init | 1u << WG_CHECK_barrier,
    .begin = begin,
    .before = before,
    .after = after,
};
