/* Full unrolling of loops around __syncthreads() whose trip count is a compile-time constant:
 *
 *     for (stride = blockDim.x / 2; stride > 0; stride /= 2) {          stride 128, 64, ... 1:
 *         if (t < stride) part[t] += part[t + stride];                  eight copies, each with its own
 *         __syncthreads();                                              number in stride's place
 *     }
 *
 * The block's shape is known when code is generated for it, so the loop is interpreted here, as far as
 * numbers that are uniform for the block go. What an iteration computes from them alone is constant-folded in
 * its copy, and branches on it become unconditional; which lanes are active in an iteration is then known,
 * too (known.c). A register that is local to an iteration is renamed in each copy.
 */
#include "analysis/plan.h"
#include "analysis/unroll.h"
#include "cfg/constant.h"
#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TRIPS = 12, MOST_INSTRS = 240, MOST_BLOCKS = 12 };

struct number {
    bool known;
    uint64_t x;
};

struct unroller {
    struct wg_arena *a;
    const struct wg_ir_func *f;
    const struct wg_code_opts *o;
    uint32_t first, n;   /* the loop's blocks are contiguous */
    struct number *now;  /* [register] in the current iteration */
    uint32_t *defs, *in; /* [register] instructions that write it: all, those in the loop */
    uint32_t *name;      /* [register] in the current copy */
    bool *own;           /* [register] local to an iteration */
    bool *always;        /* [block of the loop] runs in each iteration */
    WG_VEC(struct wg_ir_block) blocks;
    WG_VEC(struct wg_ir_reg) regs;
};

/* ---- numbers ---- */

static uint32_t width_of(const struct unroller *u, uint32_t reg) {
    static const uint32_t bits[] = {
        [WG_W1] = 1, [WG_W16] = 16, [WG_W32] = 32, [WG_W64] = 64, [WG_W128] = 128};
    return bits[u->f->regs[reg].width];
}

/* Constant folding: the number that an instruction computes, from what is known now. */
static struct number number_of(const struct unroller *u, const struct wg_ir_instr *in) {
    struct number none = {0};
    uint64_t s[3] = {0}, x;
    if (in->ndst != 1 || in->dst[0].kind != WG_O_REG || in->guard != WG_NO_REG || in->nsrc > 3) return none;
    uint32_t bits = width_of(u, in->dst[0].index);
    if (in->op == WG_OP_MOV_SREG) {
        if (in->sreg < WG_SR_ntid_x || in->sreg > WG_SR_ntid_z) return none;
        return (struct number){true, u->o->ntid[in->sreg - WG_SR_ntid_x]};
    }
    if (bits > 64) return none;
    for (uint32_t k = 0; k < in->nsrc; k++) {
        const struct wg_ir_opd *o = &in->src[k];
        if (o->kind != WG_O_IMM && o->kind != WG_O_REG) return none;
        if (o->kind == WG_O_REG && !u->now[o->index].known) return none;
        s[k] = o->kind == WG_O_IMM ? o->imm : u->now[o->index].x;
        if (o->kind == WG_O_REG && o->negated) s[k] = !s[k];
    }
    if (!wg_constant_of(in, s, &x)) return none;
    return (struct number){true, wg_constant_cut(x, bits)};
}

/* ---- the loop ---- */

static bool inside(const struct unroller *u, uint32_t b) { return b >= u->first && b < u->first + u->n; }

/* Whether there is a path from one block to another that avoids `without` and, if `in_loop`, exits and back
 * edges of the loop. */
static bool leads(const struct unroller *u, uint32_t from, uint32_t to, uint32_t without, bool in_loop) {
    wg_bits seen = wg_bits_new(u->a, u->f->nblocks);
    if (from == without) return false;
    wg_bits_add(seen, from);
    for (bool more = true; more && !wg_bits_has(seen, to);) {
        more = false;
        WG_BITS_EACH(b, seen, u->f->nblocks)
        for (uint32_t k = 0; k < u->f->blocks[b].nsucc; k++) {
            uint32_t s = u->f->blocks[b].succ[k];
            if (s == without || wg_bits_has(seen, s)) continue;
            if (in_loop && (!inside(u, s) || s == u->first)) continue;
            wg_bits_add(seen, s);
            more = true;
        }
    }
    return wg_bits_has(seen, to);
}

/* The loop with this header: one entry, one back edge, a barrier, nothing too large. */
static bool find_loop(struct unroller *u, uint32_t header) {
    const struct wg_ir_func *f = u->f;
    uint32_t latches = 0, instrs = 0, latch = 0;
    bool meets = false;
    u->first = header;
    for (u->n = 0; header + u->n < f->nblocks && f->blocks[header + u->n].loop == header; u->n++) {
    }
    if (u->n > MOST_BLOCKS) return false;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        if (!inside(u, b)) {
            if (blk->loop == header || (blk->loop == b && blk->outer == header)) return false;
            continue;
        }
        if (blk->term != WG_TERM_BR && blk->term != WG_TERM_CBR) return false;
        for (uint32_t k = 0; k < blk->nsucc; k++) {
            if (blk->succ[k] == header) latches++, latch = b;
            if (blk->succ[k] <= b && blk->succ[k] != header) return false;
        }
        instrs += blk->ninstrs;
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            if (blk->instrs[i].op == WG_OP_CALL) return false;
            meets |= wg_is_plain_barrier(&blk->instrs[i]);
        }
    }
    for (uint32_t p = 0; p < f->blocks[header].npred; p++)
        if (!inside(u, f->blocks[header].pred[p]) && f->blocks[header].pred[p] > header) return false;
    if (latches != 1 || !meets || instrs > MOST_INSTRS / 2) return false;
    for (uint32_t b = 0; b < u->n; b++) u->always[b] = !leads(u, header, latch, header + b, true);
    u->always[0] = true;
    return true;
}

static void count_def(void *user, uint32_t reg) { ((uint32_t *)user)[reg]++; }

static void note(void *user, uint32_t reg) { wg_bits_add(user, reg); }

static void forget(void *user, uint32_t reg) { ((struct number *)user)[reg].known = false; }

/* Whether the loop can be entered again without passing block b. */
static bool comes_again(const struct unroller *u, uint32_t without) {
    for (uint32_t b = u->first; b < u->first + u->n; b++)
        for (uint32_t k = 0; k < u->f->blocks[b].nsucc; k++) {
            uint32_t s = u->f->blocks[b].succ[k];
            if (!inside(u, s) && leads(u, s, u->first, without, false)) return true;
        }
    return false;
}

/* Numbers at the loop's entry: of registers with one definition before it, on every path. */
static void find_first_numbers(struct unroller *u) {
    const struct wg_ir_func *f = u->f;
    memset(u->now, 0, f->nregs * sizeof *u->now);
    memset(u->in, 0, f->nregs * sizeof *u->in);
    wg_bits wanted = wg_bits_new(u->a, f->nregs);
    for (uint32_t b = u->first; b < u->first + u->n; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            wg_each_def(&f->blocks[b].instrs[i], count_def, u->in);
            wg_each_use(&f->blocks[b].instrs[i], note, wanted);
        }
    for (uint32_t b = 0; b < u->first; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->ndst != 1 || in->dst[0].kind != WG_O_REG) continue;
            uint32_t r = in->dst[0].index;
            if (u->defs[r] - u->in[r] != 1) continue;
            struct number x = number_of(u, in);
            if (!x.known || (u->in[r] && comes_again(u, b))) continue;
            if (!wg_bits_has(wanted, r) || !leads(u, 0, u->first, b, false)) u->now[r] = x;
        }
}

/* Whether both successors of the branch stay within the iteration. */
static bool stays_within(const struct unroller *u, const struct wg_ir_block *blk) {
    for (uint32_t k = 0; k < blk->nsucc; k++)
        if (!inside(u, blk->succ[k]) || blk->succ[k] == u->first) return false;
    return true;
}

/* Interprets the block; false: the direction of an exit branch is unknown. *to: the successor, or WG_NO_REG:
 * either, within the iteration. */
static bool run_block(struct unroller *u, uint32_t b, uint32_t *to) {
    const struct wg_ir_block *blk = &u->f->blocks[b];
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        struct number x = u->always[b - u->first] ? number_of(u, in) : (struct number){0};
        wg_each_def(in, forget, u->now);
        if (x.known) u->now[in->dst[0].index] = x;
    }
    *to = WG_NO_REG;
    if (blk->term == WG_TERM_BR) {
        *to = blk->succ[0];
        return true;
    }
    if (u->always[b - u->first] && u->now[blk->cond].known) {
        *to = blk->succ[(u->now[blk->cond].x != 0) != blk->cond_neg ? 0 : 1];
        return true;
    }
    return stays_within(u, blk);
}

/* The loop's trip count, and the last block that the last iteration reaches. 0: unknown. All iterations reach
 * the back edge, and it is known in each whether it is taken. */
static uint32_t count_trips(struct unroller *u, uint32_t *last) {
    uint32_t instrs = 0;
    find_first_numbers(u);
    for (uint32_t trip = 1; trip <= MOST_TRIPS; trip++) {
        for (uint32_t b = u->first; b < u->first + u->n; b++) {
            uint32_t to;
            instrs += u->f->blocks[b].ninstrs;
            if (!run_block(u, b, &to) || instrs > MOST_INSTRS) return 0;
            if (to == WG_NO_REG || !u->always[b - u->first]) continue;
            *last = b;
            if (!inside(u, to)) return trip;
        }
    }
    return 0;
}

/* ---- registers of an iteration ---- */

struct using {
    struct unroller *u;
    uint32_t block, instr;
    const uint32_t *def_block, *def_instr;
};

static void see_use(void *user, uint32_t reg) {
    struct using *x = user;
    struct unroller *u = x->u;
    if (!u->own[reg]) return;
    bool before = x->block == x->def_block[reg] && x->instr <= x->def_instr[reg];
    if (!inside(u, x->block) || before)
        u->own[reg] = false;
    else if (x->block != x->def_block[reg] && leads(u, u->first, x->block, x->def_block[reg], true))
        u->own[reg] = false;
}

static void find_own(struct unroller *u) {
    const struct wg_ir_func *f = u->f;
    uint32_t *block = WG_NEW_N(u->a, uint32_t, f->nregs), *instr = WG_NEW_N(u->a, uint32_t, f->nregs);
    memset(u->own, 0, f->nregs * sizeof *u->own);
    for (uint32_t b = u->first; b < u->first + u->n; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            for (uint32_t d = 0; d < in->ndst && in->guard == WG_NO_REG; d++) {
                if (in->dst[d].kind != WG_O_REG || u->defs[in->dst[d].index] != 1) continue;
                u->own[in->dst[d].index] = true;
                block[in->dst[d].index] = b;
                instr[in->dst[d].index] = i;
            }
        }
    struct using x = {.u = u, .def_block = block, .def_instr = instr};
    for (x.block = 0; x.block < f->nblocks; x.block++) {
        const struct wg_ir_block *blk = &f->blocks[x.block];
        for (x.instr = 0; x.instr < blk->ninstrs; x.instr++) wg_each_use(&blk->instrs[x.instr], see_use, &x);
        if (blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX) see_use(&x, blk->cond);
    }
}

/* ---- copying ---- */

static void rename_opds(struct unroller *u, struct wg_ir_opd **opds, uint32_t n) {
    struct wg_ir_opd *to = WG_NEW_N(u->a, struct wg_ir_opd, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        to[i] = (*opds)[i];
        if (to[i].kind == WG_O_REG) to[i].index = u->name[to[i].index];
    }
    *opds = to;
}

static uint32_t whole_type(uint32_t bits) {
    return bits == 1 ? WG_T_PRED : bits == 16 ? WG_T_B16 : bits == 32 ? WG_T_B32 : WG_T_B64;
}

static struct wg_ir_instr copy_instr(struct unroller *u, const struct wg_ir_instr *in, struct number x) {
    struct wg_ir_instr c = *in;
    if (x.known) { /* mov */
        c = (struct wg_ir_instr){.op = WG_OP_MOV,
                                 .type = (uint8_t)whole_type(width_of(u, in->dst[0].index)),
                                 .ndst = 1,
                                 .nsrc = 1,
                                 .nvec = 1,
                                 .guard = WG_NO_REG,
                                 .loc = in->loc,
                                 .ptx_line = in->ptx_line,
                                 .id = in->id,
                                 .dst = in->dst};
        c.src = WG_NEW(u->a, struct wg_ir_opd);
        *c.src = (struct wg_ir_opd){.kind = WG_O_IMM, .imm = x.x};
        rename_opds(u, &c.dst, 1);
        return c;
    }
    rename_opds(u, &c.dst, in->ndst);
    rename_opds(u, &c.src, in->nsrc);
    for (uint32_t k = 0; k < in->nsrc; k++) {
        const struct wg_ir_opd *o = &in->src[k];
        if (o->kind != WG_O_REG || o->negated || !u->now[o->index].known || width_of(u, o->index) == 1)
            continue;
        if (!wg_constant_type(in->type) ||
            (in->op != WG_OP_ADD_I && in->op != WG_OP_SETP && in->op != WG_OP_AND && in->op != WG_OP_SUB_I &&
             in->op != WG_OP_MUL_I && in->op != WG_OP_MAD_I && in->op != WG_OP_SHL && in->op != WG_OP_SHR))
            continue;
        c.src[k] = (struct wg_ir_opd){.kind = WG_O_IMM, .imm = u->now[o->index].x};
    }
    if (c.guard != WG_NO_REG) c.guard = u->name[c.guard];
    return c;
}

/* Block b of iteration `trip`, of `trips`; blocks have their final numbers. */
static void copy_block(struct unroller *u, uint32_t b, uint32_t trip, uint32_t trips, uint32_t last) {
    const struct wg_ir_block *blk = &u->f->blocks[b];
    uint32_t base = u->first + trip * u->n, behind = u->first + (trips - 1) * u->n + last - u->first + 1, to;
    struct wg_ir_block c = *blk;
    c.instrs = WG_NEW_N(u->a, struct wg_ir_instr, blk->ninstrs + 1);
    bool always = u->always[b - u->first];
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        struct number x = always ? number_of(u, in) : (struct number){0};
        c.instrs[i] = copy_instr(u, in, x);
        wg_each_def(in, forget, u->now);
        if (x.known) u->now[in->dst[0].index] = x;
    }
    to = blk->term == WG_TERM_BR ? blk->succ[0] : WG_NO_REG;
    if (blk->term == WG_TERM_CBR && !stays_within(u, blk))
        to = blk->succ[(u->now[blk->cond].x != 0) != blk->cond_neg ? 0 : 1];
    c.nsucc = to == WG_NO_REG ? 2 : 1;
    c.term = to == WG_NO_REG ? WG_TERM_CBR : WG_TERM_BR;
    c.succ = WG_NEW_N(u->a, uint32_t, 2);
    for (uint32_t k = 0; k < c.nsucc; k++) {
        uint32_t s = to == WG_NO_REG ? blk->succ[k] : to;
        if (s == u->first)
            s = base + u->n;
        else if (inside(u, s))
            s = base + s - u->first;
        else if (s > u->first)
            s += behind - (u->first + u->n);
        c.succ[k] = s;
    }
    if (c.term == WG_TERM_CBR) c.cond = u->name[blk->cond];
    c.loop = u->f->blocks[u->first].outer;
    c.outer = WG_NO_REG;
    *WG_PUSH(&u->blocks) = c;
}

static uint32_t moved(const struct unroller *u, uint32_t b, uint32_t by) {
    return b == WG_NO_REG || b < u->first + u->n ? b : b + by;
}

static void copy_outside(struct unroller *u, uint32_t b, uint32_t by) {
    struct wg_ir_block c = u->f->blocks[b];
    c.succ = WG_NEW_N(u->a, uint32_t, c.nsucc + 1);
    for (uint32_t k = 0; k < c.nsucc; k++) c.succ[k] = moved(u, u->f->blocks[b].succ[k], by);
    c.loop = moved(u, c.loop, by);
    c.outer = moved(u, c.outer, by);
    *WG_PUSH(&u->blocks) = c;
}

static const struct wg_ir_func *unrolled(struct unroller *u, uint32_t trips, uint32_t last) {
    struct wg_ir_func *f = WG_NEW(u->a, struct wg_ir_func);
    uint32_t by = (trips - 1) * u->n + last - u->first + 1 - u->n;
    *f = *u->f;
    find_own(u);
    find_first_numbers(u);
    u->blocks.n = u->regs.n = 0;
    for (uint32_t r = 0; r < f->nregs; r++) *WG_PUSH(&u->regs) = f->regs[r];
    for (uint32_t b = 0; b < u->first; b++) copy_outside(u, b, by);
    for (uint32_t trip = 0; trip < trips; trip++) {
        for (uint32_t r = 0; r < f->nregs; r++) {
            u->name[r] = r;
            if (!u->own[r] || trip == 0) continue;
            u->name[r] = u->regs.n;
            *WG_PUSH(&u->regs) = f->regs[r];
        }
        for (uint32_t b = u->first; b < u->first + u->n; b++)
            if (trip + 1 < trips || b <= last) copy_block(u, b, trip, trips, last);
    }
    for (uint32_t b = u->first + u->n; b < f->nblocks; b++) copy_outside(u, b, by);
    wg_flow_install(u->a, f, u->regs.v, u->regs.n, u->blocks.v, u->blocks.n);
    return f;
}

/* For the function as it is now. */
static void make_room(struct unroller *u) {
    const struct wg_ir_func *f = u->f;
    u->now = WG_NEW_N(u->a, struct number, f->nregs + 1);
    u->defs = wg_count_defs(u->a, f);
    u->in = WG_NEW_N(u->a, uint32_t, f->nregs + 1);
    u->name = WG_NEW_N(u->a, uint32_t, f->nregs + 1);
    u->own = WG_NEW_N(u->a, bool, f->nregs + 1);
    u->always = WG_NEW_N(u->a, bool, f->nblocks + 1);
}

const struct wg_ir_func *wg_unroll(struct wg_arena *a, const struct wg_ir_func *f,
                                   const struct wg_code_opts *o) {
    if (!o->whole_blocks || !wg_may_use(o, WG_FORM_unroll)) return f;
    struct unroller u = {.a = a, .f = f, .o = o};
    const struct wg_ir_func *room_for = NULL;
    for (uint32_t h = 0; h < u.f->nblocks; h++) {
        uint32_t last = 0;
        if (u.f->blocks[h].loop != h) continue;
        if (room_for != u.f) make_room(&u);
        room_for = u.f;
        uint32_t trips = find_loop(&u, h) ? count_trips(&u, &last) : 0;
        if (!trips) continue;
        wg_plan_yes(o, WG_FORM_unroll, u.f->blocks[h].instrs);
        u.f = unrolled(&u, trips, last);
    }
    free(u.blocks.v);
    free(u.regs.v);
    return u.f;
}
