/* Recursion elimination: functions of a cycle in the call graph become a loop with an explicit stack.
 *
 *     fib(n):  if (n < 2) return n;             push 0; n := 5
 *              return fib(n - 1) + fib(n - 2);  entry:  if n < 2: result := n, to returns
 *                                               push n, 1; n := n - 1; to entry
 *                                      back 1:  pop n; a := result
 *                                               push a, 2; n := n - 2; to entry
 *                                      back 2:  pop a; result := a + result
 *                                      returns: by the number on the stack to back 1, back 2, or to what
 *                                               follows the call
 *
 * Each function of the cycle is copied once (struct member) for each call from outside of it (struct group).
 * A call pushes the group's registers that are live after it, and the number of its return point; so lanes
 * that call, return and diverge are lanes in a loop with branches.
 *
 * Two stacks. Registers are saved in wg_warp.saves, each word as a row of 32 lanes, so that lanes at the same
 * depth save with one vector store; register `saved` counts the bytes in use, all lanes'. Variables and
 * parameters that have an address are in each lane's local memory: a frame for each activation, after the
 * kernel's; register `frame_at` is its offset in the lane's memory, and `frame` is its address.
 */
#include "cfg/cfg.h"
#include "warp/warp.h"
#include "analysis/recursion.h"

#include <stdlib.h>
#include <string.h>

/* MOST_INSTRS: some seconds of LLVM's. */
enum { ROW = WG_LANES * 4, FRAME_ALIGN = 64, MOST_INSTRS = 8000 };

static const struct wg_ir_opd nothing = {0};
static struct wg_ir_opd number(uint64_t v) { return (struct wg_ir_opd){.kind = WG_O_IMM, .imm = v}; }

/* ---- which functions ---- */

static bool may_call(const struct wg_ir_module *m, const bool *taken, const struct wg_ir_call *c,
                     uint32_t f) {
    if (c->builtin) return false;
    return c->func == WG_NO_REG ? taken[f] && wg_inline_same_signature(&m->funcs[f], c) : c->func == f;
}

/* Marks what `from` calls, itself and through others. */
static void reach(const struct wg_ir_module *m, const bool *taken, uint32_t from, bool *seen) {
    const struct wg_ir_func *f = &m->funcs[from];
    for (uint32_t b = 0; b < f->nblocks && (f->has_calls || f->has_indirect_calls); b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        if (!blk->ninstrs || blk->instrs[blk->ninstrs - 1].op != WG_OP_CALL) continue;
        const struct wg_ir_call *c = blk->instrs[blk->ninstrs - 1].call;
        for (uint32_t t = 0; t < m->nfuncs; t++) {
            if (seen[t] || !may_call(m, taken, c, t)) continue;
            seen[t] = true;
            reach(m, taken, t, seen);
        }
    }
}

void wg_recursion_begin(struct inliner *x) {
    const struct wg_ir_module *m = x->m;
    uint32_t n = m->nfuncs;
    x->cycle = WG_NEW_N(x->arena, uint32_t, n);
    bool *taken = WG_NEW_N(x->arena, bool, n), **from = WG_NEW_N(x->arena, bool *, n);
    for (uint32_t f = 0; f < n; f++) {
        x->cycle[f] = WG_NO_REG;
        taken[f] = m->funcs[f].recursive && wg_inline_address_taken(m, f);
    }
    for (uint32_t f = 0; f < n; f++) {
        if (!m->funcs[f].recursive) continue;
        from[f] = WG_NEW_N(x->arena, bool, n);
        reach(m, taken, f, from[f]);
    }
    for (uint32_t f = 0; f < n; f++)
        for (uint32_t g = 0; g <= f && from[f] && from[f][f] && x->cycle[f] == WG_NO_REG; g++)
            if (from[g] && from[f][g] && from[g][f]) x->cycle[f] = g;
}

void wg_recursion_free(struct inliner *x) {
    free(x->members.v);
    free(x->sites.v);
}

uint32_t *wg_recursion_frame(struct member *m) { return &m->bytes; }

/* ---- members ---- */

static bool add_places(struct inliner *x, struct wg_ir_arg **list, uint32_t *n, const struct wg_ir_arg *more,
                       uint32_t nmore) {
    for (uint32_t i = 0; i < nmore; i++) {
        uint32_t at = more[i].offset, bytes = (wg_type_bits(more[i].type) + 7) / 8;
        bool known = false;
        for (uint32_t k = 0; k < *n && !known; k++) {
            uint32_t other = (*list)[k].offset, size = (wg_type_bits((*list)[k].type) + 7) / 8;
            known = at == other && bytes == size;
            if (!known && at < other + size && other < at + bytes) return false;
        }
        if (known) continue;
        struct wg_ir_arg *longer = WG_NEW_N(x->arena, struct wg_ir_arg, *n + 1);
        if (*n) memcpy(longer, *list, *n * sizeof *longer);
        longer[(*n)++] = more[i];
        *list = longer;
    }
    return true;
}

/* What all calls pass and take, so that all do it in the same registers; false: they differ. */
static bool agree_on_places(struct inliner *x, uint32_t func, struct wg_ir_call *all) {
    const struct wg_ir_module *m = x->m;
    bool agree = true, *taken = WG_NEW_N(x->arena, bool, m->nfuncs);
    taken[func] = wg_inline_address_taken(m, func);
    for (uint32_t f = 0; f < m->nfuncs; f++)
        for (uint32_t b = 0; b < m->funcs[f].nblocks; b++) {
            const struct wg_ir_block *blk = &m->funcs[f].blocks[b];
            if (!blk->ninstrs || blk->instrs[blk->ninstrs - 1].op != WG_OP_CALL) continue;
            const struct wg_ir_call *c = blk->instrs[blk->ninstrs - 1].call;
            if (!may_call(m, taken, c, func)) continue;
            if (c->bytes > all->bytes) all->bytes = c->bytes;
            agree = agree && add_places(x, &all->args, &all->nargs, c->args, c->nargs) &&
                    add_places(x, &all->rets, &all->nrets, c->rets, c->nrets);
        }
    return agree;
}

static struct member *new_member(struct inliner *x, struct group *g, uint32_t func, uint32_t loop) {
    struct member *m = WG_NEW(x->arena, struct member);
    struct wg_ir_call *all = WG_NEW(x->arena, struct wg_ir_call);
    const struct wg_ir_func *f = &x->m->funcs[func];
    bool agree = agree_on_places(x, func, all);
    *m = (struct member){.func = func, .group = g, .c = {.f = f, .call = all, .in = m, .outer_loop = loop}};
    m->c.by_register = agree && wg_inline_fits_registers(x->m, f, all);
    if (!m->c.by_register)
        m->c.local_base = (all->bytes + f->frame_bytes + FRAME_ALIGN - 1) & ~(uint32_t)(FRAME_ALIGN - 1);
    wg_inline_need(x, m, m->c.local_base + f->local_bytes);
    wg_inline_registers(x, &m->c);
    m->out = WG_NEW_N(x->arena, uint32_t, all->nrets + 1);
    for (uint32_t i = 0; i < all->nrets; i++)
        m->out[i] = wg_inline_value_reg(x, all->rets[i].type, "returned");
    *WG_PUSH(&x->members) = m;
    return m;
}

static uint32_t new_block(struct inliner *x, struct code *out, struct wg_ir_block like, uint8_t term,
                          uint32_t to) {
    like.term = term;
    like.nsucc = term == WG_TERM_BR;
    like.succ = wg_inline_succ(x, to);
    return wg_inline_end_block(x, out, like);
}

static void copy_member(struct inliner *x, struct member *m, const struct wg_ir_instr *in,
                        struct wg_ir_block like) {
    struct code out = {0};
    x->depth++;
    wg_inline_function(x, &m->c);
    x->depth--;
    m->returns = x->blocks.n;
    wg_inline_returns(x, &m->c, m->returns);
    for (uint32_t i = 0; i < m->c.call->nrets && m->c.by_register; i++) {
        uint8_t type = m->c.call->rets[i].type;
        struct wg_ir_instr mv = wg_inline_instr(WG_OP_MOV, wg_type_bits(type) < 16 ? WG_T_B16 : type, in);
        wg_inline_put_op(x, &out, mv, m->out[i], wg_inline_opd(m->c.ret_reg[i]), nothing);
    }
    new_block(x, &out, like, WG_TERM_TRAP, 0); /* wg_recursion_end fills it in */
}

static struct member *find_member(const struct inliner *x, const struct group *g, uint32_t func) {
    for (uint32_t i = 0; i < x->members.n; i++)
        if (x->members.v[i]->group == g && x->members.v[i]->func == func) return x->members.v[i];
    return NULL;
}

static void make_registers(struct inliner *x) {
    if (x->recurses) return;
    x->recurses = true;
    x->saved = wg_inline_reg(x, WG_W32, "saved");
    x->column = wg_inline_reg(x, WG_W32, "column");
    x->saves = wg_inline_reg(x, WG_W64, "saves");
    x->frame_at = wg_inline_reg(x, WG_W64, "frame_at");
    x->frame = wg_inline_reg(x, WG_W64, "frame");
}

void wg_recursion_call(struct inliner *x, const struct copy *caller, const struct wg_ir_instr *in,
                       uint32_t func, struct code *out, struct wg_ir_block like) {
    make_registers(x);
    struct group *g = caller->in ? caller->in->group : NULL;
    bool inside = g && g->cycle == x->cycle[func];
    if (!inside) {
        struct group *inner = WG_NEW(x->arena, struct group);
        *inner = (struct group){.cycle = x->cycle[func], .first_reg = x->regs.n};
        g = inner;
    }
    struct member *m = find_member(x, g, func);
    bool first = !m;
    if (first) m = new_member(x, g, func, like.loop);
    struct site *s = WG_NEW(x->arena, struct site);
    *WG_PUSH(&x->sites) = s;
    *s =
        (struct site){.caller = caller->in, .callee = m, .call = in, .inside = inside, .place = m->nplaces++};
    uint32_t next = like.succ[0], here = x->blocks.n;
    if (first) m->c.first = here + 3;
    struct wg_ir_opd *args = wg_inline_map_args(x, caller, in, out);
    like.id = 0;
    s->test = new_block(x, out, like, WG_TERM_BR, (here + 2) | WG_FINAL);
    s->overflow = new_block(x, out, like, WG_TERM_OVERFLOW, 0);
    wg_inline_pass_args(x, &m->c, in, args, out);
    s->push = new_block(x, out, like, WG_TERM_BR, m->c.first | WG_FINAL);
    if (first) copy_member(x, m, in, like);
    if (!inside) g->end_reg = x->regs.n;
    wg_inline_take_results(x, &m->c, m->out, caller, in, out);
    s->back = new_block(x, out, like, WG_TERM_BR, next);
}

/* ---- what a call pushes ---- */

/* Registers that are live at return points, within one activation: control goes from a call to after it. */
static wg_bits *find_live(struct inliner *x) {
    uint32_t n = x->blocks.n;
    struct wg_ir_block *blocks = WG_NEW_N(x->arena, struct wg_ir_block, n);
    struct wg_ir_func f = {.blocks = blocks, .nblocks = n, .nregs = x->regs.n};
    memcpy(blocks, x->blocks.v, n * sizeof *blocks);
    for (uint32_t i = 0; i < x->sites.n; i++)
        blocks[x->sites.v[i]->push].succ = wg_inline_succ(x, x->sites.v[i]->back);
    struct wg_cfg cfg = {.func = &f};
    wg_cfg_liveness(&cfg);
    wg_bits *live = WG_NEW_N(x->arena, wg_bits, x->sites.n);
    const bool *same = wg_recursion_same(x);
    for (uint32_t i = 0; i < x->sites.n; i++) {
        const struct site *s = x->sites.v[i];
        live[i] = wg_bits_new(x->arena, f.nregs);
        if (!s->inside) continue; /* from here on nothing of the caller's is written */
        const struct group *g = s->callee->group;
        WG_BITS_EACH(r, cfg.live_in[s->back], f.nregs)
        if (r >= g->first_reg && r < g->end_reg && !same[r]) wg_bits_add(live[i], r);
        for (uint32_t k = 0; k < s->callee->c.call->nrets; k++) wg_bits_del(live[i], s->callee->out[k]);
    }
    wg_arena_free(&cfg.arena);
    return live;
}

/* A call's two sides in the making. */
struct pushed {
    struct inliner *x;
    const struct site *s;
    struct code *push, *pop;
    uint32_t push_at, pop_at; /* registers: what is pushed begins there */
    uint32_t bytes;           /* so far */
};

static struct wg_ir_instr plain(const struct pushed *p, uint16_t op, uint8_t type) {
    return wg_inline_instr(op, type, p->s->call);
}

static void store(struct pushed *p, struct wg_ir_opd value) {
    struct wg_ir_instr st = plain(p, WG_OP_ST, WG_T_B32);
    st.space = WG_S_LOCAL;
    st.offset = p->bytes;
    st.src = WG_NEW_N(p->x->arena, struct wg_ir_opd, 2);
    st.src[0] = wg_inline_opd(p->push_at);
    st.src[1] = value;
    st.nsrc = 2;
    wg_inline_put(p->x, p->push, st);
}

static void load(struct pushed *p, uint32_t reg) {
    struct wg_ir_instr ld = plain(p, WG_OP_LD, WG_T_B32);
    ld.space = WG_S_LOCAL;
    ld.offset = p->bytes;
    wg_inline_put_op(p->x, p->pop, ld, reg, wg_inline_opd(p->pop_at), nothing);
    p->bytes += ROW;
}

static void push_word(struct pushed *p, uint32_t r) {
    store(p, wg_inline_opd(r));
    load(p, r);
}

/* As two words: a row's bytes are each lane's own, whatever the other lanes have pushed. */
static void push_double(struct pushed *p, uint32_t r) {
    struct inliner *x = p->x;
    uint32_t low = wg_inline_reg(x, WG_W32, "low"), high = wg_inline_reg(x, WG_W32, "high");
    struct wg_ir_instr *cut =
        wg_inline_put_op(x, p->push, plain(p, WG_OP_MOV_UNPACK, WG_T_B64), low, wg_inline_opd(r), nothing);
    cut->dst = WG_NEW_N(x->arena, struct wg_ir_opd, 2);
    cut->dst[0] = wg_inline_opd(low);
    cut->dst[1] = wg_inline_opd(high);
    cut->ndst = 2;
    push_word(p, low);
    push_word(p, high);
    wg_inline_put_op(x, p->pop, plain(p, WG_OP_MOV_PACK, WG_T_B64), r, wg_inline_opd(low),
                     wg_inline_opd(high));
}

static void push_half(struct pushed *p, uint32_t r) {
    struct inliner *x = p->x;
    uint32_t word = wg_inline_reg(x, WG_W32, "word");
    struct wg_ir_instr cvt = plain(p, WG_OP_CVT, WG_T_U32);
    cvt.type2 = WG_T_U16;
    wg_inline_put_op(x, p->push, cvt, word, wg_inline_opd(r), nothing);
    push_word(p, word);
    cvt.type = WG_T_U16;
    cvt.type2 = WG_T_U32;
    wg_inline_put_op(x, p->pop, cvt, r, wg_inline_opd(word), nothing);
}

static void push_predicate(struct pushed *p, uint32_t r) {
    struct inliner *x = p->x;
    uint32_t word = wg_inline_reg(x, WG_W32, "word");
    struct wg_ir_instr *sel =
        wg_inline_put_op(x, p->push, plain(p, WG_OP_SELP, WG_T_B32), word, number(1), number(0));
    sel->src[2] = wg_inline_opd(r);
    sel->nsrc = 3;
    push_word(p, word);
    struct wg_ir_instr set = plain(p, WG_OP_SETP, WG_T_B32);
    set.mod[WG_MC_CMP] = WG_M_ne;
    wg_inline_put_op(x, p->pop, set, r, wg_inline_opd(word), number(0));
}

static void push_register(struct pushed *p, uint32_t r) {
    switch (p->x->regs.v[r].width) {
    case WG_W1: push_predicate(p, r); break;
    case WG_W16: push_half(p, r); break;
    case WG_W32: push_word(p, r); break;
    case WG_W64: push_double(p, r); break;
    default: wg_inline_fail(p->x, p->s->call, "a register of 128 bits lives across a recursive call");
    }
}

static void add(struct pushed *p, struct code *out, uint32_t dst, uint32_t a, struct wg_ir_opd b) {
    wg_inline_put_op(p->x, out, plain(p, WG_OP_ADD_I, WG_T_U64), dst, wg_inline_opd(a), b);
}

static void move_top(struct pushed *p, struct code *out, uint32_t bytes) {
    wg_inline_put_op(p->x, out, plain(p, WG_OP_ADD_I, WG_T_U32), p->x->saved, wg_inline_opd(p->x->saved),
                     number(bytes));
}

/* A register with the address of the lane's word in the row on top. The mask tells what is known of `saved`,
 * so that 32 bits are enough to find the row by. */
static uint32_t find_top(struct pushed *p, struct code *out) {
    struct inliner *x = p->x;
    uint32_t row = wg_inline_reg(x, WG_W32, "row"), word = wg_inline_reg(x, WG_W32, "word");
    uint32_t wide = wg_inline_reg(x, WG_W64, "word"), at = wg_inline_reg(x, WG_W64, "top");
    struct wg_ir_instr cvt = plain(p, WG_OP_CVT, WG_T_U64);
    cvt.type2 = WG_T_U32;
    wg_inline_put_op(x, out, plain(p, WG_OP_AND, WG_T_B32), row, wg_inline_opd(x->saved),
                     number(WG_SAVES_MOST - ROW));
    wg_inline_put_op(x, out, plain(p, WG_OP_ADD_I, WG_T_U32), word, wg_inline_opd(row),
                     wg_inline_opd(x->column));
    wg_inline_put_op(x, out, cvt, wide, wg_inline_opd(word), nothing);
    add(p, out, at, wide, wg_inline_opd(x->saves));
    return at;
}

/* `frame`, from `frame_at`. */
static void set_frame(struct pushed *p, struct code *out) {
    struct wg_ir_opd local = {.kind = WG_O_SYM, .index = p->x->frame_sym};
    wg_inline_put_op(p->x, out, plain(p, WG_OP_ADD_I, WG_T_U64), p->x->frame, wg_inline_opd(p->x->frame_at),
                     local);
}

/* ---- all is copied ---- */

static void replace(struct inliner *x, uint32_t block, struct code *with) {
    struct wg_ir_block *b = &x->blocks.v[block];
    b->instrs = WG_NEW_N(x->arena, struct wg_ir_instr, with->v.n + 1);
    if (with->v.n) memcpy(b->instrs, with->v.v, with->v.n * sizeof *b->instrs);
    b->ninstrs = with->v.n;
    free(with->v.v);
    memset(with, 0, sizeof *with);
}

/* Appends the block's own instructions to `out`. */
static void follow(struct inliner *x, uint32_t block, struct code *out) {
    const struct wg_ir_block *b = &x->blocks.v[block];
    for (uint32_t i = 0; i < b->ninstrs; i++) *WG_PUSH(&out->v) = b->instrs[i];
}

static void branch(struct inliner *x, uint32_t block, uint32_t cond, uint32_t yes, uint32_t no) {
    struct wg_ir_block *b = &x->blocks.v[block];
    b->term = WG_TERM_CBR;
    b->cond = cond;
    b->cond_neg = false;
    b->succ = WG_NEW_N(x->arena, uint32_t, 2);
    b->succ[0] = yes;
    b->succ[1] = no;
    b->nsucc = 2;
}

static uint32_t bytes_of(const struct member *m) {
    return m ? (m->bytes + FRAME_ALIGN - 1) & ~(uint32_t)(FRAME_ALIGN - 1) : 0;
}

/* The offset of the first frame, after the kernel's. */
static uint32_t first_frame(const struct inliner *x) {
    return (x->local_bytes + FRAME_ALIGN - 1) & ~(uint32_t)(FRAME_ALIGN - 1);
}

/* Whether there is room for `bytes` more in all, of which frames take `frames` a lane. */
static void test_room(struct pushed *p, uint32_t size, uint32_t frames) {
    struct inliner *x = p->x;
    struct code out = {0};
    uint32_t full = WG_NO_REG;
    follow(x, p->s->test, &out);
    for (int k = 0; k < 2; k++) {
        uint32_t more = k ? frames : size, used = wg_inline_reg(x, k ? WG_W64 : WG_W32, "used");
        uint8_t type = k ? WG_T_U64 : WG_T_U32;
        uint32_t room = wg_inline_reg(x, k ? WG_W64 : WG_W32, "room"),
                 over = wg_inline_reg(x, WG_W1, "overflows");
        if (!more) continue;
        struct wg_ir_instr sreg = plain(p, WG_OP_MOV_SREG, type);
        sreg.sreg = k ? WG_SR_local_stride : WG_SR_save_bytes;
        wg_inline_put_op(x, &out, sreg, room, nothing, nothing)->nsrc = 0;
        wg_inline_put_op(x, &out, plain(p, WG_OP_ADD_I, type), used,
                         wg_inline_opd(k ? x->frame_at : x->saved), number(more));
        struct wg_ir_instr set = plain(p, WG_OP_SETP, type);
        set.mod[WG_MC_CMP] = WG_M_gt;
        wg_inline_put_op(x, &out, set, over, wg_inline_opd(used), wg_inline_opd(room));
        if (full != WG_NO_REG)
            wg_inline_put_op(x, &out, plain(p, WG_OP_OR, WG_T_PRED), over, wg_inline_opd(over),
                             wg_inline_opd(full));
        full = over;
    }
    replace(x, p->s->test, &out);
    if (full != WG_NO_REG) branch(x, p->s->test, full, p->s->overflow, p->s->push);
}

/* The callee's frame follows the caller's, the first follows the kernel's. */
static void move_frames(struct pushed *p) {
    struct inliner *x = p->x;
    const struct member *from = p->s->caller;
    uint32_t base = first_frame(x), bytes = bytes_of(from);
    if (!from) {
        wg_inline_put_op(x, p->push, plain(p, WG_OP_MOV, WG_T_U64), x->frame_at, number(base), nothing);
        set_frame(p, p->push);
    } else if (bytes) {
        add(p, p->push, x->frame_at, x->frame_at, number(bytes));
        set_frame(p, p->push);
        add(p, p->pop, x->frame_at, x->frame_at, number(-(uint64_t)bytes));
        set_frame(p, p->pop);
    }
}

/* Results in memory are found by the callee's frame, and `frame` is the caller's again. */
static void move_results(struct inliner *x, const struct site *s) {
    struct wg_ir_block *b = &x->blocks.v[s->back];
    for (uint32_t i = 0; i < b->ninstrs; i++)
        if (b->instrs[i].op == WG_OP_LD) b->instrs[i].offset += bytes_of(s->caller);
}

static uint32_t bytes_pushed(const struct inliner *x, const struct site *s, const uint64_t *live,
                             uint32_t nregs) {
    uint32_t bytes = s->callee->nplaces > 1 ? ROW : 0;
    WG_BITS_EACH(r, live, nregs) bytes += x->regs.v[r].width == WG_W64 ? 2 * ROW : ROW;
    return bytes;
}

static void fill_site(struct inliner *x, const struct site *s, const uint64_t *live, uint32_t nregs,
                      bool frames) {
    struct code push = {0}, pop = {0};
    struct pushed p = {.x = x, .s = s, .push = &push, .pop = &pop};
    if (!s->caller) wg_inline_put_op(x, &push, plain(&p, WG_OP_MOV, WG_T_U32), x->saved, number(0), nothing);
    uint32_t size = bytes_pushed(x, s, live, nregs);
    if (s->caller && size) move_top(&p, &pop, -size);
    if (size) p.push_at = find_top(&p, &push);
    if (s->caller && size) p.pop_at = find_top(&p, &pop);
    WG_BITS_EACH(r, live, nregs) if (!x->failed) push_register(&p, r);
    if (s->callee->nplaces > 1) store(&p, number(s->place));
    if (size) move_top(&p, &push, size);
    if (frames) move_frames(&p);
    follow(x, s->push, &push);
    replace(x, s->push, &push);
    if (frames) move_results(x, s);
    follow(x, s->back, &pop);
    replace(x, s->back, &pop);
    if (s->caller) test_room(&p, size, frames ? bytes_of(s->caller) + bytes_of(s->callee) : 0);
}

/* Dispatches by the number on the stack to the return point of that call. */
static void fill_returns(struct inliner *x, const struct member *m) {
    struct code out = {0};
    uint32_t block = m->returns, left = m->nplaces;
    uint32_t place = wg_inline_reg(x, WG_W32, "place");
    struct wg_ir_block like = x->blocks.v[block];
    for (uint32_t i = x->sites.n; i-- > 0;) {
        const struct site *s = x->sites.v[i];
        struct pushed p = {.x = x, .s = s};
        if (s->callee != m) continue;
        if (left == m->nplaces) {
            follow(x, block, &out);
            if (left > 1) {
                struct wg_ir_instr ld = plain(&p, WG_OP_LD, WG_T_B32);
                ld.space = WG_S_LOCAL;
                ld.offset = -ROW;
                uint32_t top = find_top(&p, &out);
                wg_inline_put_op(x, &out, ld, place, wg_inline_opd(top), nothing);
            }
        }
        if (--left == 0) {
            replace(x, block, &out);
            x->blocks.v[block].term = WG_TERM_BR;
            x->blocks.v[block].succ = wg_inline_succ(x, s->back);
            x->blocks.v[block].nsucc = 1;
            break;
        }
        uint32_t is = wg_inline_reg(x, WG_W1, "is_place"), next = x->blocks.n;
        struct wg_ir_instr set = plain(&p, WG_OP_SETP, WG_T_U32);
        set.mod[WG_MC_CMP] = WG_M_eq;
        wg_inline_put_op(x, &out, set, is, wg_inline_opd(place), number(s->place));
        replace(x, block, &out);
        new_block(x, &out, like, WG_TERM_TRAP, 0);
        branch(x, block, is, s->back, next);
        block = next;
    }
}

/* The kernel's first block from now on, put last: where its warp's saved registers are. */
static void begin_kernel(struct inliner *x) {
    static const struct wg_ir_instr of_none = {.guard = WG_NO_REG};
    struct wg_ir_block like = x->blocks.v[0];
    struct code out = {0};
    uint32_t lane = wg_inline_reg(x, WG_W32, "lane");
    struct wg_ir_instr in = wg_inline_instr(WG_OP_MOV_SREG, WG_T_U64, &of_none);
    in.sreg = WG_SR_saves;
    wg_inline_put_op(x, &out, in, x->saves, nothing, nothing)->nsrc = 0;
    in = wg_inline_instr(WG_OP_MOV_SREG, WG_T_U32, &of_none);
    in.sreg = WG_SR_laneid;
    wg_inline_put_op(x, &out, in, lane, nothing, nothing)->nsrc = 0;
    in = wg_inline_instr(WG_OP_SHL, WG_T_B32, &of_none);
    wg_inline_put_op(x, &out, in, x->column, wg_inline_opd(lane), number(2));
    like.label = NULL;
    like.cond = WG_NO_REG;
    like.id = 0;
    new_block(x, &out, like, WG_TERM_BR, 0);
}

void wg_recursion_end(struct inliner *x) {
    uint32_t nregs = x->regs.n;
    wg_bits *live = find_live(x);
    for (uint32_t i = 0; i < x->members.n; i++) x->frames |= x->members.v[i]->bytes != 0;
    for (uint32_t i = 0; i < x->sites.n && !x->failed; i++)
        fill_site(x, x->sites.v[i], live[i], nregs, x->frames);
    for (uint32_t i = 0; i < x->members.n; i++) fill_returns(x, x->members.v[i]);
    begin_kernel(x);
    if (x->instrs > MOST_INSTRS)
        wg_inline_fail(x, x->sites.v[0]->call, "recursion by so many ways would be too much code");
}

static void visit(const struct wg_ir_func *f, uint32_t from, bool *seen, uint32_t *work) {
    uint32_t n = 0;
    seen[from] = true;
    work[n++] = from;
    while (n) {
        const struct wg_ir_block *b = &f->blocks[work[--n]];
        for (uint32_t k = 0; k < b->nsucc; k++)
            if (!seen[b->succ[k]]) {
                seen[b->succ[k]] = true;
                work[n++] = b->succ[k];
            }
    }
}

void wg_recursion_order(struct inliner *x, struct wg_ir_func *f) {
    uint32_t n = f->nblocks, kept = 1, *place = WG_NEW_N(x->arena, uint32_t, n + 1);
    bool *seen = WG_NEW_N(x->arena, bool, n);
    visit(f, n - 1, seen, place);
    struct wg_ir_block *blocks = WG_NEW_N(x->arena, struct wg_ir_block, n);
    for (uint32_t b = 0; b < n; b++) {
        if (!seen[b]) continue;
        place[b] = b == n - 1 ? 0 : kept++;
        blocks[place[b]] = f->blocks[b];
    }
    for (uint32_t b = 0; b < kept; b++)
        for (uint32_t k = 0; k < blocks[b].nsucc; k++) blocks[b].succ[k] = place[blocks[b].succ[k]];
    f->blocks = blocks;
    f->nblocks = kept;
    f->saves = true;
    f->frames = x->frames;
    /* There is room for one frame of each, whatever the stack's limit. */
    f->local_bytes = first_frame(x);
    for (uint32_t i = 0; i < x->members.n; i++) f->local_bytes += bytes_of(x->members.v[i]);
    wg_ir_order(x->arena, f);
}
