/* Unroll-and-jam over warps: see jam.h.
 *
 * What is the same: a register whose every definition is an operation on what is the same, or a load from an
 * address that is. The warps' loads of one instruction happen together, with nothing in between. What a phase
 * loads from the warps' frames counts as different.
 *
 * Columns: from one warp to the next the address grows by an element, by the text's arithmetic; that nothing
 * wraps is checked at run time. Jammed warps then access a row's elements together, which is always
 * profitable.
 *
 * Windows: where a warp continues along the rows of a sum over windows, it reuses the ends of the rows of the
 * warp before it; the loads and additions that each warp saves are counted.
 *
 * Profitability: a load or a vector operation that is emitted once instead of `warps` times saves its cost
 * warps - 1 times; an iteration of a loop counts for many. At least a twentieth must be saved, all values
 * that are live in a loop must fit the host's registers, and the code must stay small, because compiling it
 * takes time.
 */
#include "analysis/plan.h"
#include "analysis/jam.h"
#include "analysis/bands.h"
#include "analysis/flow.h"
#include "analysis/memory.h"
#include "analysis/window.h"

#include <stdlib.h>

enum {
    TRIPS = 16,      /* iterations that a loop is assumed to have */
    LEAST_SAVED = 5, /* of a hundred */
    LONG = 32,       /* instructions in a row */
    MOST_CODE = 512, /* instructions emitted, each for one warp or for all */
    FEW = 8,   /* warps side by side; more only for the sake of columns, whose rows are whole lines then */
    SPARE = 6, /* host registers for values live inside a block only */
};

struct scene {
    const struct wg_analysis *an;
    struct wg_arena *a;
    struct wg_jam *jam;
    uint32_t bits, registers;
    bool long_too;
    wg_jam_ahead ahead;
    void *user;
    uint64_t gain;               /* of all jammed phases, for each warp */
    struct wg_window_sum **sums; /* [block] */
};

static bool in_phase(const struct wg_analysis *an, uint32_t begins, uint32_t b) {
    return an->phases->of[b] == begins;
}

/* ---- what is the same ---- */

/* A thread index along an axis: all warps of a group are within one step of it, or each spans all of it. */
static bool tid_same(const struct wg_analysis *an, const struct wg_jam *jam, uint32_t axis) {
    const uint32_t *n = an->opts->ntid;
    uint32_t inner = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
    return inner % (WG_LANES * jam->warps) == 0 || WG_LANES % (inner * n[axis]) == 0;
}

static bool sreg_same(const struct scene *s, uint32_t sreg) {
    switch (sreg) {
    case WG_SR_tid_x: return tid_same(s->an, s->jam, 0);
    case WG_SR_tid_y: return tid_same(s->an, s->jam, 1);
    case WG_SR_tid_z: return tid_same(s->an, s->jam, 2);
    case WG_SR_laneid:
    case WG_SR_lanemask_eq:
    case WG_SR_lanemask_lt:
    case WG_SR_lanemask_le:
    case WG_SR_lanemask_gt:
    case WG_SR_lanemask_ge: return true;
    default: return wg_sreg_of_block(sreg);
    }
}

static bool is_plain_load(const struct wg_ir_instr *in) {
    return in->op == WG_OP_LD && wg_is_plain_access(in);
}

static bool is_plain_store(const struct wg_ir_instr *in) {
    return in->op == WG_OP_ST && wg_is_plain_access(in);
}

bool wg_jam_compares(const struct wg_analysis *an, const struct wg_jam *jam, const struct wg_ir_instr *in) {
    const struct wg_dealt *d = &an->opts->dealt;
    if (d->threads && !d->joined) return d->along && wg_is_column(an->func, in);
    if (in->op != WG_OP_DIV_I || !wg_needs_row_check(an, in)) return false;
    const struct wg_ir_opd *by = &in->src[1];
    return by->kind != WG_O_REG || wg_bits_has(jam->same, by->index);
}

static bool gives_same(const struct scene *s, const struct wg_ir_instr *in) {
    if (in->guard != WG_NO_REG && !wg_bits_has(s->jam->same, in->guard)) return false;
    if (wg_jam_compares(s->an, s->jam, in)) return true;
    if (in->op == WG_OP_MOV_SREG) return sreg_same(s, in->sreg);
    if (in->op == WG_OP_ACTIVEMASK || (!is_plain_load(in) && wg_op_flags(in->op))) return false;
    for (uint32_t i = 0; i < in->nsrc; i++) {
        const struct wg_ir_opd *o = &in->src[i];
        if (o->kind == WG_O_REG && !wg_bits_has(s->jam->same, o->index)) return false;
        if (o->kind == WG_O_SYM && s->an->module->syms[o->index].kind == WG_SYM_LOCAL) return false;
    }
    return true;
}

struct removing {
    wg_bits set;
    bool changed;
};

static void remove_def(void *user, uint32_t reg) {
    struct removing *r = user;
    r->changed |= wg_bits_has(r->set, reg);
    wg_bits_del(r->set, reg);
}

static void find_same(struct scene *s) {
    const struct wg_ir_func *f = s->an->func;
    struct removing r = {.set = s->jam->same, .changed = true};
    wg_bits framed = wg_bits_new(s->a, f->nregs);
    for (uint32_t i = 0; i < f->nregs; i++) wg_bits_add(r.set, i);
    WG_BITS_EACH(b, s->an->phases->begins, f->nblocks) {
        if (b == 0) continue;
        wg_phase_framed(s->an, b, framed);
        WG_BITS_EACH(i, framed, f->nregs) wg_bits_del(r.set, i);
    }
    while (r.changed) {
        r.changed = false;
        for (uint32_t b = 0; b < f->nblocks; b++)
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
                if (!gives_same(s, &f->blocks[b].instrs[i]))
                    wg_each_def(&f->blocks[b].instrs[i], remove_def, &r);
    }
}

/* ---- columns ---- */

static bool stays_same(const void *same, uint32_t reg) { return wg_bits_has(same, reg); }

bool wg_jam_step(const struct wg_analysis *an, const struct wg_jam *jam, uint32_t reg, int64_t *step) {
    const uint32_t *n = an->opts->ntid;
    const struct wg_ir_opd o = {.kind = WG_O_REG, .index = reg};
    struct wg_scev_move next = {.stays = stays_same, .user = jam->same};
    *step = 0;
    if (wg_bits_has(jam->same, reg)) return true;
    if (an->cfg.ndefs[reg] != 1) return false; /* its value depends on where it is read */
    for (uint32_t axis = 0; axis < 3; axis++)
        if (!tid_same(an, jam, axis)) next.unknown |= (uint8_t)(1 << axis);
    if (next.unknown & 1 && (n[1] * n[2] == 1 || n[0] % (WG_LANES * jam->warps) == 0)) {
        next.by[WG_VAR_TID_X] = WG_LANES;
        next.unknown &= (uint8_t)~1;
    }
    if (next.unknown & 2 && n[2] == 1 && WG_LANES % n[0] == 0) {
        next.by[WG_VAR_TID_Y] = WG_LANES / n[0];
        next.unknown &= (uint8_t)~2;
    }
    struct wg_sum sum = wg_scev_at(an->unwrapped, &o, 0, 0), by;
    if (!wg_scev_step(an->unwrapped, &sum, &next, &by) || !wg_scev_is_constant(&by)) return false;
    *step = by.constant;
    return true;
}

static bool step_of(const struct scene *s, const struct wg_ir_opd *o, int64_t *step) {
    *step = 0;
    return o->kind != WG_O_REG || (!o->negated && wg_jam_step(s->an, s->jam, o->index, step));
}

enum { MOST_EACH = 16 }; /* elements of a row that jammed warps access together */

/* The number of rows that the lanes are in; the distance of rows is known at run time only, or larger than
 * the warps' elements. Lanes l and l + rows are an element apart. 0: no such rows. */
static uint32_t rows_of(const struct scene *s, const struct wg_fact *f, int64_t bytes) {
    for (uint32_t rows = WG_LANES; rows >= 8; rows /= 2) {
        uint32_t each = s->jam->warps * (WG_LANES / rows), l = 0;
        if (f->kind != WG_AFFINE || each > MOST_EACH || rows * each * bytes > WG_JAM_PIECE ||
            (f->r && f->r[1] == 0))
            return 0;
        int64_t far = f->r ? 0 : f->k[1];
        if (!f->r && llabs(far) < bytes * each) return 0;
        for (; l < WG_LANES; l++) {
            int64_t r = f->r ? f->r[l] : 0, k = f->k ? f->k[l] : 0, row = l % rows;
            if ((f->r && r != row * f->r[1]) || k != row * far + l / rows * bytes) break;
        }
        if (l == WG_LANES) return rows;
    }
    return 0;
}

static uint32_t column_rows(const struct scene *s, const struct wg_ir_instr *in) {
    /* A tile's data is in the L1 cache, and shuffled in registers by each warp alone. */
    bool where = in->space == WG_S_GLOBAL || in->space == WG_S_GENERIC ||
                 (in->space == WG_S_SHARED && in->op == WG_OP_ST);
    int64_t step, bytes = wg_type_bits(in->type) / 8;
    if (!is_plain_load(in) && !is_plain_store(in)) return 0;
    if (!where || in->guard != WG_NO_REG || in->nvec != 1 || bytes > 8) return 0;
    if (wg_element_bits(s->an, in) != wg_type_bits(in->type)) return 0;
    if (in->src[0].kind != WG_O_REG || !step_of(s, &in->src[0], &step)) return 0;
    if (in->op == WG_OP_LD && (in->dst[0].kind != WG_O_REG || wg_bits_has(s->jam->same, in->dst[0].index)))
        return 0;
    struct wg_fact f = wg_operand_fact(s->an, WG_CONVERGED, &in->src[0]);
    uint32_t rows = rows_of(s, &f, bytes);
    return rows && step == bytes * (WG_LANES / rows) ? rows : 0;
}

static void find_columns(struct scene *s) {
    const struct wg_ir_func *f = s->an->func;
    s->jam->columns = WG_NEW_N(s->a, uint8_t *, f->nblocks);
    bool may = s->jam->warps >= 4 && wg_may_use(s->an->opts, WG_FORM_columns);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        s->jam->columns[b] = WG_NEW_N(s->a, uint8_t, f->blocks[b].ninstrs + 1);
        for (uint32_t i = 0; i < f->blocks[b].ninstrs && i < s->jam->redo[b] && may; i++)
            s->jam->columns[b][i] = (uint8_t)column_rows(s, &f->blocks[b].instrs[i]);
    }
}

/* ---- windows ---- */

static bool goes_on(const struct scene *s, const struct wg_ir_instr *load) {
    int64_t step;
    return step_of(s, &load->src[0], &step) && step == WG_LANES * (wg_type_bits(load->type) / 8);
}

static bool rows_go_on(const struct scene *s, const struct wg_ir_block *b, const struct wg_window_sum *sum) {
    for (uint32_t w = 0; w < sum->nwindows; w++)
        for (uint32_t r = 0; r < sum->window[w].nrows; r++)
            if (!goes_on(s, &b->instrs[sum->window[w].row[r]])) return false;
    return true;
}

/* A quarter of the host's registers has to hold all warps' sums; where these are few, half of them. */
static bool sums_fit(const struct scene *s, const struct wg_ir_instr *root) {
    uint64_t max = s->an->facts[WG_CONVERGED][root->dst[0].index].max;
    uint32_t bits = max <= UINT16_MAX ? 16 : wg_type_bits(root->type);
    return s->jam->warps * (bits * WG_LANES / s->bits) <= s->registers / (s->bits == 512 ? 4 : 2);
}

static void find_windows(struct scene *s) {
    const struct wg_ir_func *f = s->an->func;
    s->jam->windows = WG_NEW_N(s->a, bool *, f->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        s->jam->windows[b] = WG_NEW_N(s->a, bool, f->blocks[b].ninstrs + 1);
        for (const struct wg_window_sum *x = s->sums[b]; x; x = x->next)
            s->jam->windows[b][x->root] = x->root < s->jam->redo[b] &&
                                          sums_fit(s, &f->blocks[b].instrs[x->root]) &&
                                          rows_go_on(s, &f->blocks[b], x);
    }
}

/* Instructions on vectors, of 16-bit sums, that the sums in a block need less for each warp than they do
 * alone. */
static uint64_t saved_by_windows(const struct scene *s, uint32_t b) {
    uint64_t saved = 0;
    for (const struct wg_window_sum *x = s->sums[b]; x; x = x->next)
        for (uint32_t w = 0; w < x->nwindows && s->jam->windows[b][x->root]; w++)
            saved += x->window[w].nrows * 2 * (512 / s->bits);
    return saved;
}

/* ---- idempotence ---- */

static void find_redo(struct scene *s) {
    const struct wg_ir_func *f = s->an->func;
    struct wg_replay *at = WG_NEW_N(s->a, struct wg_replay, f->nblocks);
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t b = 0; b < f->nblocks; b++) {
            struct wg_replay now = at[b];
            s->jam->redo[b] = now.spoilt ? 0 : UINT32_MAX;
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
                bool before = now.spoilt;
                wg_replay_past(&now, &f->blocks[b].instrs[i]);
                if (now.spoilt && !before) s->jam->redo[b] = i + 1;
            }
            for (uint32_t k = 0; k < f->blocks[b].nsucc; k++) {
                uint32_t to = f->blocks[b].succ[k];
                if (!wg_phase_ends(s->an->phases, f, b, to)) grew |= wg_replay_join(&at[to], &now);
            }
        }
    }
}

/* ---- which phases ---- */

/* What is done for each warp alone, one after the other. */
static bool is_warps_own(const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_SHFL:
    case WG_OP_VOTE:
    case WG_OP_VOTE_BALLOT:
    case WG_OP_MATCH:
    case WG_OP_REDUX:
    case WG_OP_BAR_WARP:
    case WG_OP_ACTIVEMASK: return true;
    default: return false;
    }
}

/* Whether warps leave before they begin, if they would have to leave at it. */
static bool leaves_ahead(const struct scene *s, uint32_t b, uint32_t i) {
    return wg_needs_wrap_check(s->an, &s->an->func->blocks[b].instrs[i]) && s->ahead(s->user, b, i);
}

static bool instr_fits(struct scene *s, uint32_t b, uint32_t i) {
    const struct wg_ir_instr *in = &s->an->func->blocks[b].instrs[i];
    if (wg_may_leave(s->an, in) && i >= s->jam->redo[b]) {
        if (!leaves_ahead(s, b, i)) return false;
        wg_bits_add(s->jam->ahead, s->an->phases->of[b]);
    }
    if (is_plain_load(in) || is_plain_store(in) || wg_meets_at(in)) return true;
    if (in->op == WG_OP_MOV_SREG) return sreg_same(s, in->sreg) || in->sreg <= WG_SR_tid_z;
    return is_warps_own(in) || (wg_op_flags(in->op) == 0 && in->op != WG_OP_NONE);
}

static bool branch_fits(const struct scene *s, uint32_t b) {
    const struct wg_ir_block *blk = &s->an->func->blocks[b];
    switch (blk->term) {
    case WG_TERM_BR:
    case WG_TERM_RET:
    case WG_TERM_EXIT: return true;
    case WG_TERM_CBR: break;
    default: return false;
    }
    bool one =
        wg_bits_has(s->jam->same, blk->cond) && s->an->facts[WG_CONVERGED][blk->cond].kind == WG_UNIFORM;
    return one || s->jam->redo[b] == UINT32_MAX;
}

static uint32_t vectors(const struct scene *s, uint32_t reg) {
    static const uint32_t bits[] = {
        [WG_W1] = 1, [WG_W16] = 16, [WG_W32] = 32, [WG_W64] = 64, [WG_W128] = 128};
    uint8_t kind = s->an->facts[WG_CONVERGED][reg].kind, width = s->an->func->regs[reg].width;
    if ((kind != WG_VARYING && kind != WG_UNKNOWN) || width == WG_W1) return 0;
    return (WG_LANES * bits[width] + s->bits - 1) / s->bits;
}

static bool is_same(const struct scene *s, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG && !wg_bits_has(s->jam->same, in->dst[i].index)) return false;
    return in->ndst > 0;
}

/* The number of contiguous pieces of memory that a load's lanes access. A gather gains nothing from jamming
 * warps, and structures.c works better on one warp. */
static uint32_t pieces(const struct scene *s, const struct wg_ir_instr *in) {
    const struct wg_ir_opd *o = &in->src[0];
    int64_t bytes = wg_type_bits(in->type) / 8 * in->nvec;
    uint32_t n = 1;
    if (o->kind != WG_O_REG) return 1;
    const struct wg_fact *f = &s->an->facts[WG_CONVERGED][o->index];
    if (f->kind != WG_AFFINE) return f->kind == WG_UNIFORM ? 1 : WG_LANES;
    for (int l = 1; l < WG_LANES; l++) {
        int64_t step = f->k ? f->k[l] - f->k[l - 1] : 0;
        n += (step != bytes && step != 0) || (f->r && f->r[l] != f->r[l - 1]);
    }
    return n;
}

static uint32_t cost_of(const struct scene *s, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_MOV && in->src[0].kind == WG_O_IMM) return 0;
    uint32_t most = in->op == WG_OP_LD ? pieces(s, in) : 1;
    if (in->op == WG_OP_ST) return WG_LANES * 32 / s->bits;
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG && vectors(s, in->dst[i].index) > most)
            most = vectors(s, in->dst[i].index);
    return most;
}

static bool in_loop(const struct scene *s, uint32_t begins, uint32_t b) {
    uint32_t header = s->an->func->blocks[b].loop;
    return header != WG_NO_REG && in_phase(s->an, begins, header);
}

/* Register pressure: live-in values of a loop's blocks, in host registers, the most of a block. */
static uint32_t most_alive(const struct scene *s, uint32_t begins) {
    const struct wg_ir_func *f = s->an->func;
    uint32_t most = 0;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        uint32_t alive = 0;
        if (!in_phase(s->an, begins, b) || !in_loop(s, begins, b)) continue;
        WG_BITS_EACH(r, s->an->cfg.live_in[b], f->nregs)
        alive += vectors(s, r) * (wg_bits_has(s->jam->same, r) ? 1 : s->jam->warps);
        if (alive > most) most = alive;
    }
    return most;
}

/* What loops do at an iteration, in instructions of the host. */
struct loop_work {
    uint32_t operations; /* on vectors */
    uint32_t loads;
    uint32_t shared; /* loads of vectors from global memory, for all warps of a group */
};

static void add_work(const struct scene *s, const struct wg_ir_instr *in, struct loop_work *w) {
    if (in->ndst == 0 || in->dst[0].kind != WG_O_REG) return;
    uint32_t n = vectors(s, in->dst[0].index), times = is_same(s, in) ? 1 : s->jam->warps;
    if (is_plain_load(in)) {
        w->loads += times * (n ? n : 1);
        w->shared += in->space == WG_S_GLOBAL && times == 1 && n > 0;
    } else if (in->op != WG_OP_MOV) {
        w->operations += times * n * (in->op == WG_OP_MAD_I ? 2 : 1);
    }
}

static struct loop_work work_of_loops(const struct scene *s, uint32_t begins) {
    const struct wg_ir_func *f = s->an->func;
    struct loop_work w = {0};
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; in_loop(s, begins, b) && in_phase(s->an, begins, b) && i < f->blocks[b].ninstrs;
             i++)
            add_work(s, &f->blocks[b].instrs[i], &w);
    return w;
}

/* Whether values that go by the stack cost little beside what warps share then. Few registers are all taken by
 * what is live across a block, and for each vector that is loaded others have to give way. That is no loss where
 * arithmetic takes longer than all loads and stores; nor with two warps, without which nothing would be
 * shared. */
static bool may_spill(const struct scene *s, uint32_t begins, uint32_t alive) {
    struct loop_work w = work_of_loops(s, begins);
    uint32_t spilled = alive + SPARE - s->registers;
    if (s->bits >= 512 || alive > s->registers || w.shared == 0) return false;
    return s->jam->warps == 2 || w.loads + w.shared * 2 * spilled <= w.operations;
}

static bool fits_registers(const struct scene *s, uint32_t begins) {
    uint32_t alive = most_alive(s, begins);
    return alive + SPARE <= s->registers || may_spill(s, begins, alive);
}

/* Not what scalars of the host do beside the rest. */
static bool is_work(const struct scene *s, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_LD) return in->space != WG_S_PARAM && in->space != WG_S_CONST;
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG && vectors(s, in->dst[i].index)) return true;
    return false;
}

static bool has_columns(const struct scene *s, uint32_t begins) {
    const struct wg_ir_func *f = s->an->func;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; in_phase(s->an, begins, b) && i < f->blocks[b].ninstrs; i++)
            if (s->jam->columns[b][i]) return true;
    return false;
}

static bool has_windows(const struct scene *s, uint32_t begins) {
    const struct wg_ir_func *f = s->an->func;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (const struct wg_window_sum *x = s->sums[b]; in_phase(s->an, begins, b) && x; x = x->next)
            if (s->jam->windows[b][x->root]) return true;
    return false;
}

/* Whether it is known already that what is alive in it fits well enough: columns are in memory, and without
 * AVX-512 each warp's sums are half of what it loads and adds alone, though some of them go by memory. */
static bool may_be_long(const struct scene *s, uint32_t begins) {
    return has_columns(s, begins) || (s->bits < 512 && has_windows(s, begins));
}

struct sum {
    uint64_t all, saved; /* what a group of warps costs one by one, and what is saved of it */
    uint32_t emitted, longest;
};

static struct sum sum_up(const struct scene *s, uint32_t begins) {
    const struct wg_ir_func *f = s->an->func;
    struct sum x = {0};
    uint32_t n = s->jam->warps;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        uint64_t trips = in_loop(s, begins, b) ? TRIPS : 1;
        if (in_phase(s->an, begins, b) && f->blocks[b].ninstrs > x.longest) x.longest = f->blocks[b].ninstrs;
        if (in_phase(s->an, begins, b)) x.saved += n * trips * saved_by_windows(s, b);
        for (uint32_t i = 0; in_phase(s->an, begins, b) && i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            uint64_t cost = trips * cost_of(s, in);
            x.all += n * cost;
            x.saved += is_same(s, in) && is_work(s, in) ? (n - 1) * cost : 0;
            x.saved += s->jam->columns[b][i] ? (n - 1) * trips * WG_LANES : 0;
            x.emitted += is_same(s, in) ? 1 : n;
        }
    }
    return x;
}

/* Whether it is profitable; adds the emitted instructions to *code. */
static bool pays(struct scene *s, uint32_t begins, uint32_t *code) {
    struct sum x = sum_up(s, begins);
    uint32_t n = s->jam->warps;
    bool is_long = x.longest > LONG, columns = has_columns(s, begins);
    bool gains = (!is_long || s->long_too) && x.saved * 100 >= x.all * LEAST_SAVED;
    uint32_t most = n <= 4 || columns ? MOST_CODE : is_long ? MOST_CODE / 2 : MOST_CODE * 3 / 4;
    if ((!gains && !columns) || (n > FEW && !columns) || *code + x.emitted > most) return false;
    *code += x.emitted;
    s->gain += x.saved * WG_JAM_MOST / n;
    s->jam->is_long |= is_long && !may_be_long(s, begins);
    return true;
}

static bool loops_inside(const struct scene *s, uint32_t b) {
    const struct wg_ir_block *blk = &s->an->func->blocks[b];
    for (uint32_t k = 0; k < blk->nsucc; k++)
        if (blk->succ[k] <= b && !wg_phase_ends(s->an->phases, s->an->func, b, blk->succ[k])) return true;
    return false;
}

/* Of a group each warp's addresses and lanes are constants away from the first one's, and so are worked out
 * and compared once; little code is worth that where other phases go side by side anyway. */
static bool is_short(struct scene *s, uint32_t begins, uint32_t *code) {
    const struct wg_ir_func *f = s->an->func;
    struct sum x = sum_up(s, begins);
    bool stores = false;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        if (!in_phase(s->an, begins, b)) continue;
        if (loops_inside(s, b)) return false;
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) stores |= is_plain_store(&f->blocks[b].instrs[i]);
    }
    if (!stores || x.longest > LONG || *code + x.emitted > MOST_CODE) return false;
    *code += x.emitted;
    return true;
}

static bool phase_fits(struct scene *s, uint32_t begins) {
    const struct wg_ir_func *f = s->an->func;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        if (!in_phase(s->an, begins, b)) continue;
        if (!branch_fits(s, b)) return false;
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (!instr_fits(s, b, i)) return false;
    }
    return true;
}

static bool has_atomics(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (f->blocks[b].instrs[i].op == WG_OP_ATOM || f->blocks[b].instrs[i].op == WG_OP_RED)
                return true;
    return false;
}

static void try_warps(struct scene *s, uint32_t warps) {
    const struct wg_ir_func *f = s->an->func;
    uint32_t code = 0;
    s->jam = WG_NEW(s->a, struct wg_jam);
    s->jam->warps = warps;
    s->jam->begins = wg_bits_new(s->a, f->nblocks);
    s->jam->ahead = wg_bits_new(s->a, f->nblocks);
    s->jam->same = wg_bits_new(s->a, f->nregs);
    s->jam->redo = WG_NEW_N(s->a, uint32_t, f->nblocks);
    s->gain = 0;
    find_same(s);
    find_redo(s);
    find_columns(s);
    find_windows(s);
    WG_BITS_EACH(b, s->an->phases->begins, f->nblocks)
    if (phase_fits(s, b) && fits_registers(s, b) && pays(s, b, &code)) wg_bits_add(s->jam->begins, b);
    if (!code || wg_running_threads(s->an->opts) % (warps * WG_LANES)) return;
    WG_BITS_EACH(b, s->an->phases->begins, f->nblocks)
    if (!wg_bits_has(s->jam->begins, b) && phase_fits(s, b) && is_short(s, b, &code))
        wg_bits_add(s->jam->begins, b);
}

struct wg_jam *wg_find_jam(const struct wg_analysis *an, struct wg_arena *a, uint32_t bits,
                           uint32_t registers, bool long_too, wg_jam_ahead ahead, void *user) {
    struct scene s = {.an = an, .a = a, .bits = bits, .registers = registers};
    s.long_too = long_too;
    s.ahead = ahead;
    s.user = user;
    struct wg_jam *best = NULL;
    uint64_t most = 0;
    if (!an->phases || !wg_may_use(an->opts, WG_FORM_jam)) return NULL;
    if (has_atomics(an->func)) {
        wg_plan_no(an->opts, WG_FORM_jam, "it has atomics");
        return NULL;
    }
    s.sums = wg_window_sums(an, a);
    for (uint32_t warps = WG_JAM_MOST; warps > 1; warps /= 2) {
        if (wg_running_threads(an->opts) / WG_LANES < warps) continue;
        try_warps(&s, warps);
        if (s.gain <= most) continue;
        most = s.gain;
        best = s.jam;
    }
    if (!best) wg_plan_no(an->opts, WG_FORM_jam, "no phase gains by it, or may begin again");
    return best;
}
