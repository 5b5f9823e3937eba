/* See sites.h. */
#include "analysis/sites.h"
#include "analysis/assembly.h"
#include "analysis/atomics.h"
#include "analysis/fragments.h"
#include "analysis/joins.h"
#include "analysis/promoted.h"
#include "analysis/sass_accesses.h"
#include "analysis/slow_paths.h"
#include "analysis/wanted.h"
#include "cfg/cfg.h"
#include "count/system_calls.h"
#include <stdlib.h>
#include <string.h>

struct finder {
    struct wg_sites *s;
    const struct wg_ir_module *m;
    bool *seen;     /* [function] */
    uint32_t *line; /* [loc] its line's site */
    WG_VEC(struct wg_site) memory, others;
    WG_VEC(struct wg_site_code) code;
    uint32_t block; /* site of the basic block at hand, or WG_NO_SITE: nothing was counted in it yet */
    const struct wg_ir_func *f;          /* at hand */
    struct wg_joins joins;               /* of f */
    struct wg_atomics atomics;           /* of f */
    bool promoted;                       /* local memory of f is registers */
    const struct wg_sass_accesses *made; /* NULL: not known */
    const struct wg_ir_instr **def;      /* [register] of f: what writes it, when only one does */
    const struct wg_ir_instr **begin;    /* the same, ignoring the steps of a pointer that is incremented */
};

/* ---- what an address was made from ---- */

static const char *symbol_name(const struct finder *x, const struct wg_ir_opd *o) {
    const struct wg_ir_sym *s = &x->m->syms[o->index];
    return s->kind == WG_SYM_FUNC || s->kind == WG_SYM_FPARAM || s->kind == WG_SYM_FRET ? NULL : s->name;
}

/* The parameter or variable at the bottom of an address: through moves, sums and conversions, the first that
 * is found. */
static const char *origin(const struct finder *x, const struct wg_ir_opd *o, uint32_t depth) {
    if (o->kind == WG_O_SYM) return symbol_name(x, o);
    if (o->kind != WG_O_REG || depth == 0) return NULL;
    const struct wg_ir_instr *d = x->begin[o->index];
    if (!d) return NULL;
    switch (d->op) {
    case WG_OP_LD:
        return d->space == WG_S_PARAM && d->src[0].kind == WG_O_SYM ? symbol_name(x, &d->src[0]) : NULL;
    case WG_OP_MOV:
    case WG_OP_CVTA:
    case WG_OP_CVTA_TO:
    case WG_OP_MAPA:
    case WG_OP_CVT:
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_MAD_I:
        for (uint32_t i = d->nsrc; i-- > 0;) {
            bool wide = d->src[i].kind != WG_O_REG || x->f->regs[d->src[i].index].width == WG_W64 ||
                        x->f->regs[o->index].width == WG_W32;
            const char *name = wide ? origin(x, &d->src[i], depth - 1) : NULL;
            if (name) return name;
        }
        return NULL;
    default: return NULL;
    }
}

/* ---- classes ---- */

static bool adds_one(const struct finder *x, const struct wg_ir_instr *in) {
    if (in->mod[WG_MC_AOP] != WG_M_add || wg_type_bits(in->type) != 32 || wg_type_kind(in->type) == WG_K_F)
        return false;
    const struct wg_ir_opd *o = &in->src[1];
    if (o->kind == WG_O_IMM) return (uint32_t)o->imm == 1;
    const struct wg_ir_instr *d = o->kind == WG_O_REG ? x->def[o->index] : NULL;
    return d && d->op == WG_OP_MOV && d->src[0].kind == WG_O_IMM && (uint32_t)d->src[0].imm == 1;
}

static bool is_fragment(const struct wg_ir_instr *in) {
    return in->op == WG_OP_WMMA_LOAD || in->op == WG_OP_WMMA_STORE;
}

/* The class of an instruction at each memory. */
static uint8_t class_at(const struct finder *x, const struct wg_ir_instr *in, enum wg_site_place place) {
    static const uint8_t loads[] = {WG_CLASS_global_load, WG_CLASS_shared_load, WG_CLASS_dsmem_load,
                                    WG_CLASS_local_load};
    static const uint8_t stores[] = {WG_CLASS_global_store, WG_CLASS_shared_store, WG_CLASS_dsmem_store,
                                     WG_CLASS_local_store};
    if (in->op == WG_OP_LDMATRIX) return WG_CLASS_matrix_load;
    if (is_fragment(in)) {
        if (in->op == WG_OP_WMMA_STORE) return stores[place];
        return wg_fragment_of(in).form == WG_FRAGMENT_ROWS ? WG_CLASS_matrix_load : loads[place];
    }
    if (in->op == WG_OP_STMATRIX) return WG_CLASS_matrix_store;
    if (in->op == WG_OP_ST) return stores[place];
    if (!wg_op_is(in->op, WG_IS_ATOMIC)) return loads[place];
    struct wg_atomic_made made = wg_atomic_made(&x->atomics, in);
    switch (place) {
    case WG_PLACE_GLOBAL: return made.reduces ? WG_CLASS_global_reduction : WG_CLASS_global_atomic;
    case WG_PLACE_SHARED:
        if (!made.used && in->space == WG_S_SHARED && adds_one(x, in)) return WG_CLASS_shared_reduction;
        return WG_CLASS_shared_atomic;
    case WG_PLACE_REMOTE: return WG_CLASS_dsmem_atomic;
    default: return WG_CLASS_local_store;
    }
}

char *wg_site_spelling(struct wg_arena *a, const struct wg_ir_instr *in) {
    static const char *const spaces[] = {"",       ".global", ".shared", ".shared::cluster",
                                         ".local", ".const",  ".param"};
    bool atom = wg_op_is(in->op, WG_IS_ATOMIC);
    const char *part = in->op == WG_OP_WMMA_LOAD ? ".load" : in->op == WG_OP_WMMA_STORE ? ".store" : "";
    return wg_arena_printf(a, "%s%s%s%s%s%s.%s", wg_op_name(in->op), part, spaces[in->space], atom ? "." : "",
                           atom ? wg_mod_name(in->mod[WG_MC_AOP]) : "",
                           in->nvec == 2   ? ".v2"
                           : in->nvec == 4 ? ".v4"
                           : in->nvec == 8 ? ".v8"
                                           : "",
                           wg_type_name(in->type));
}

static bool is_barrier(const struct wg_ir_instr *in) {
    bool grid = in->op == WG_OP_CALL && in->call->builtin == WG_B_grid_sync;
    return grid || wg_op_is(in->op, WG_IS_BARRIER);
}

/* ---- sites ---- */

/* cp.async: a load and a store, of different sites. */
static void add_copy(struct finder *x, const struct wg_ir_instr *in) {
    struct wg_site s = {.class = WG_CLASS_async_load,
                        .bytes = (uint8_t)in->src[2].imm,
                        .joined = 1,
                        .space = in->space,
                        .loc = in->loc,
                        .ptx_line = in->ptx_line,
                        .op = "cp.async",
                        .what = origin(x, &in->src[1], 16)};
    x->s->memory[in->id] = x->memory.n;
    *WG_PUSH(&x->memory) = s;
    s.class = WG_CLASS_async_store;
    s.what = origin(x, &in->src[0], 16);
    *WG_PUSH(&x->memory) = s;
}

/* Transfers of the copy engine and matrix instructions: one site each, whatever their addresses. */
static uint8_t class_of_engine(enum wg_op op) {
    switch (op) {
    case WG_OP_BULK_LOAD:
    case WG_OP_TENSOR_LOAD: return WG_CLASS_bulk_load;
    case WG_OP_BULK_STORE:
    case WG_OP_TENSOR_STORE: return WG_CLASS_bulk_store;
    case WG_OP_BULK_RED:
    case WG_OP_TENSOR_RED: return WG_CLASS_bulk_reduction;
    case WG_OP_BULK_SHARED:
    case WG_OP_BULK_RED_SHARED: return WG_CLASS_bulk_dsmem;
    case WG_OP_WGMMA: return WG_CLASS_matrix_operand;
    default: return WG_CLASS_line;
    }
}
static void add_engine(struct finder *x, const struct wg_ir_instr *in, uint8_t class) {
    struct wg_site s = {.class = class,
                        .bytes = 16,
                        .joined = 1,
                        .space = in->space,
                        .loc = in->loc,
                        .ptx_line = in->ptx_line,
                        .op = wg_op_name(in->op)};
    bool map = in->op == WG_OP_TENSOR_STORE || in->op == WG_OP_TENSOR_RED || in->op == WG_OP_BULK_STORE ||
               in->op == WG_OP_BULK_RED;
    if (class != WG_CLASS_matrix_operand) s.what = origin(x, &in->src[map ? 0 : 1], 16);
    x->s->memory[in->id] = x->memory.n;
    *WG_PUSH(&x->memory) = s;
}

static bool is_system_call(const struct wg_ir_instr *in) {
    if (in->op != WG_OP_CALL) return false;
    uint8_t b = in->call->builtin;
    return b == WG_B_vprintf || b == WG_B_malloc || b == WG_B_free;
}

static void add_system_call(struct finder *x, const struct wg_ir_instr *in) {
    static const uint8_t classes[WG_SYSTEM_CALL_SITES] = {
        [WG_SYSTEM_CALL_LOADS] = WG_CLASS_global_load,
        [WG_SYSTEM_CALL_STORES] = WG_CLASS_global_store,
        [WG_SYSTEM_CALL_ATOMICS] = WG_CLASS_global_atomic,
        [WG_SYSTEM_CALL_LOCAL_LOADS] = WG_CLASS_local_load,
        [WG_SYSTEM_CALL_LOCAL_STORES] = WG_CLASS_local_store,
    };
    uint8_t b = in->call->builtin;
    x->s->memory[in->id] = x->memory.n;
    for (uint32_t i = 0; i < WG_SYSTEM_CALL_SITES; i++)
        *WG_PUSH(&x->memory) = (struct wg_site){.class = classes[i],
                                                .joined = 1,
                                                .space = in->space,
                                                .loc = in->loc,
                                                .ptx_line = in->ptx_line,
                                                .op = b == WG_B_vprintf  ? WG_PRINTF_OP
                                                      : b == WG_B_malloc ? WG_MALLOC_OP
                                                                         : WG_FREE_OP};
}

/* Records at its sites how ptxas lowers an atomic; the loads of a loop have a site of their own, after
 * them. */
static void note_atomic(struct finder *x, const struct wg_ir_instr *in) {
    struct wg_atomic_made made = wg_atomic_made(&x->atomics, in);
    uint32_t first = x->s->memory[in->id], n = x->memory.n;
    for (uint32_t i = first; i < n; i++) {
        struct wg_site *s = &x->memory.v[i];
        s->one_lane = made.one_lane;
        if (s->class != WG_CLASS_shared_atomic) continue;
        s->way = made.way;
        if (made.way != WG_SHARED_WAY_LOOP) continue;
        struct wg_site load = *s;
        load.class = WG_CLASS_shared_load;
        load.way = WG_SHARED_WAY_NATIVE;
        load.op = wg_arena_printf(&x->s->arena, "load of %s", s->op);
        s->also = (uint8_t)(n - i);
        *WG_PUSH(&x->memory) = load;
    }
}

/* A load that is two: the second has sites of its own, after the first's. */
static void note_second(struct finder *x, const struct wg_ir_instr *in, const struct wg_join *join) {
    uint32_t first = x->s->memory[in->id], n = x->memory.n;
    for (uint32_t i = first; i < n; i++) {
        struct wg_site second = x->memory.v[i];
        second.bytes = join->also_bytes;
        second.shift = join->also_shift;
        second.op = wg_arena_printf(&x->s->arena, "second load of %s", second.op);
        x->memory.v[i].also = (uint8_t)(n - first);
        *WG_PUSH(&x->memory) = second;
    }
}

static void add_memory(struct finder *x, const struct wg_ir_instr *in) {
    const struct wg_join *join = &x->joins.of[in->id - x->joins.first];
    uint32_t first = WG_PLACE_GLOBAL, last = WG_PLACE_GLOBAL;
    switch (in->space) {
    case WG_S_GLOBAL: break;
    case WG_S_GENERIC: last = WG_PLACE_LOCAL; break;
    case WG_S_SHARED: first = last = WG_PLACE_SHARED; break;
    case WG_S_CLUSTER: first = WG_PLACE_SHARED, last = WG_PLACE_REMOTE; break;
    case WG_S_LOCAL:
        if (x->promoted) return;
        first = last = WG_PLACE_LOCAL;
        break;
    case WG_S_CONST: break;
    default: return;
    }
    if (join->into || join->dropped) return;
    struct wg_site s = {.bytes = (uint8_t)(wg_type_bits(in->type) / 8 * in->nvec),
                        .joined = 1,
                        .space = in->space,
                        .shift = join->shift,
                        .loc = in->loc,
                        .ptx_line = in->ptx_line,
                        .op = wg_site_spelling(&x->s->arena, in),
                        .what = origin(x, &in->src[0], 16)};
    if (in->op == WG_OP_LDMATRIX || in->op == WG_OP_STMATRIX) s.bytes = 16; /* a row */
    if (is_fragment(in)) {
        struct wg_fragment f = wg_fragment_of(in);
        s.bytes = (uint8_t)wg_fragment_bytes(&f);
    }
    if (join->joined) {
        s.bytes = join->bytes;
        s.joined = join->joined;
    }
    x->s->memory[in->id] = x->memory.n;
    for (uint32_t p = first; p <= last; p++) {
        s.class = in->space == WG_S_CONST ? WG_CLASS_constant : class_at(x, in, (enum wg_site_place)p);
        *WG_PUSH(&x->memory) = s;
    }
    if (wg_op_is(in->op, WG_IS_ATOMIC)) note_atomic(x, in);
    if (join->also_bytes) note_second(x, in, join);
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool same_line(const struct wg_ir_module *m, uint32_t a, uint32_t b) {
    for (; a && b; a = m->locs[a].inlined_at, b = m->locs[b].inlined_at)
        if (m->locs[a].line != m->locs[b].line || !same_text(m->locs[a].file, m->locs[b].file) ||
            !same_text(m->locs[a].function, m->locs[b].function))
            return false;
    return a == b;
}

/* The line's site, whichever the column. */
static uint32_t line_of(struct finder *x, uint32_t loc, uint32_t ptx_line) {
    if (x->line[loc] != WG_NO_SITE) return x->line[loc];
    for (uint32_t i = 0; i < x->others.n; i++)
        if (x->others.v[i].class == WG_CLASS_line && same_line(x->m, x->others.v[i].loc, loc))
            return x->line[loc] = i;
    *WG_PUSH(&x->others) = (struct wg_site){.class = WG_CLASS_line, .loc = loc, .ptx_line = ptx_line};
    return x->line[loc] = x->others.n - 1;
}

static void add_other(struct finder *x, uint32_t *at, enum wg_class class, uint32_t loc, uint32_t ptx_line,
                      const char *op) {
    *at = x->others.n;
    *WG_PUSH(&x->others) =
        (struct wg_site){.class = (uint8_t)class, .joined = 1, .loc = loc, .ptx_line = ptx_line, .op = op};
}

/* The instruction `id` is counted at its line and in its block. */
static void add_code(struct finder *x, uint32_t id, uint32_t loc, uint32_t ptx_line, struct wg_operation of) {
    x->s->line[id] = line_of(x, loc, ptx_line);
    x->s->operation[id] = of;
    if (x->block == WG_NO_SITE) {
        add_other(x, &x->s->block[id], WG_CLASS_block, 0, ptx_line, NULL);
        x->block = x->s->block[id];
    }
    *WG_PUSH(&x->code) = (struct wg_site_code){ptx_line, x->s->line[id], x->block, WG_NO_SITE};
}

static void find_in(struct finder *x, uint32_t func);

static void add_slow_path(struct finder *x, const struct wg_ir_instr *in) {
    uint32_t unused;
    for (int i = 0; i < WG_SLOW_PATHS; i++)
        add_other(x, i ? &unused : &x->s->slow[in->id], WG_CLASS_slow_path, in->loc, in->ptx_line,
                  wg_slow_path_name(i));
    x->s->slow_number[in->id] = x->s->nslow++;
}

static void find_callees(struct finder *x, const struct wg_ir_instr *in) {
    if (in->call->func != WG_NO_REG) {
        find_in(x, in->call->func);
        return;
    }
    for (uint32_t f = 0; f < x->m->nfuncs; f++)
        if (x->m->funcs[f].address_taken) find_in(x, f);
}

static void add_instr(struct finder *x, const struct wg_ir_instr *in) {
    bool access = wg_op_flags(in->op) & WG_F_MEM;
    bool call = in->op == WG_OP_CALL && in->call->builtin == WG_B_none;
    if (in->op == WG_OP_CP_ASYNC)
        add_copy(x, in);
    else if (access || is_fragment(in))
        add_memory(x, in);
    else if (is_system_call(in))
        add_system_call(x, in);
    else if (class_of_engine(in->op) != WG_CLASS_line)
        add_engine(x, in, class_of_engine(in->op));
    if (is_barrier(in))
        add_other(x, &x->s->barrier[in->id], WG_CLASS_barrier, in->loc, in->ptx_line, wg_op_name(in->op));
    if (call) return; /* it is put in place */
    if (x->made && wg_has_slow_path(in)) add_slow_path(x, in);
    add_code(x, in->id, in->loc, in->ptx_line, wg_operation_of(in));
}

static void add_end(struct finder *x, const struct wg_ir_block *b) {
    bool branch = b->term == WG_TERM_CBR || b->term == WG_TERM_BRX;
    if (!branch) return; /* jumps and returns are where the assembler puts them */
    add_other(x, &x->s->branch[b->id], WG_CLASS_branch, b->loc, b->ptx_line,
              b->term == WG_TERM_CBR ? "bra" : "brx.idx");
    add_code(x, b->id, b->loc, b->ptx_line, wg_operation_of_branch());
}

/* A pointer increment, in a loop: it still points into the same array. */
static bool moves_on(const struct wg_ir_instr *in) {
    return in->op == WG_OP_ADD_I && in->dst[0].kind == WG_O_REG && in->src[0].kind == WG_O_REG &&
           in->src[0].index == in->dst[0].index;
}

/* The definition of each register of a function but for its increments; NULL: none, or several. */
static const struct wg_ir_instr **find_begins(const struct wg_ir_func *f) {
    bool *many = wg_xcalloc(f->nregs + 1, sizeof *many);
    const struct wg_ir_instr **def = wg_xcalloc(f->nregs + 1, sizeof *def);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            for (uint32_t k = 0; k < in->ndst; k++) {
                uint32_t r = in->dst[k].index;
                if (in->dst[k].kind != WG_O_REG || moves_on(in)) continue;
                def[r] = def[r] || many[r] ? NULL : in;
                many[r] = true;
            }
        }
    free(many);
    return def;
}

/* Estimates the SASS instructions of the function; merged accesses are as the sites record. */
static void find_machine(struct finder *x) {
    enum {
        ELECTION = 6 /* VOTEU, UFLO, S2R, ISETP, REDUX, IMAD */,
        SPIN = 4 /* LDS, the sum, ISETP, BRA: an iteration */
    };
    struct wg_assembly_access *access = wg_xcalloc(x->m->nids + 1, sizeof *access);
    for (uint32_t id = 0; id < x->m->nids; id++) {
        if (x->s->memory[id] == WG_NO_SITE) continue;
        const struct wg_site *s = &x->memory.v[x->s->memory[id]];
        access[id].joined = s->joined;
        access[id].more = (s->one_lane ? ELECTION : 0) + (s->way == WG_SHARED_WAY_LOOP ? SPIN : 0);
    }
    wg_assembly_estimate(&x->s->arena, x->f, x->atomics.varying, access, x->s->machine);
    free(access);
}

/* What a texture or surface instruction became (ir/texture.h) is one instruction, counted where that begins. */
static void add_texture(struct finder *x, const struct wg_ir_func *f) {
    const struct wg_ir_instr *first = &f->blocks[0].instrs[0];
    x->block = WG_NO_SITE;
    add_code(x, first->id, first->loc, first->ptx_line, (struct wg_operation){.class = WG_C_op_memory});
    x->s->machine[first->id] = 1;
}

/* The one block outside of the outermost loop around b that leads into it. */
static uint32_t loop_entry(const struct wg_ir_func *f, uint32_t b) {
    uint32_t header = f->blocks[b].loop, entry = WG_NO_SITE;
    if (header == WG_NO_REG) return WG_NO_SITE;
    while (f->blocks[header].outer != WG_NO_REG) header = f->blocks[header].outer;
    for (uint32_t k = 0; k < f->blocks[header].npred; k++) {
        uint32_t pred = f->blocks[header].pred[k];
        if (wg_in_loop(f, pred, header)) continue;
        if (entry != WG_NO_SITE) return WG_NO_SITE;
        entry = pred;
    }
    return entry;
}

/* site: that of each block of the function; its code is among what is there from `first` on. */
static void find_entries(struct finder *x, const struct wg_ir_func *f, const uint32_t *site, size_t first) {
    uint32_t *enters = WG_NEW_N(&x->s->arena, uint32_t, x->others.n + 1);
    memset(enters, 0xff, (x->others.n + 1) * sizeof *enters);
    for (uint32_t b = 0; b < f->nblocks; b++) {
        uint32_t entry = loop_entry(f, b);
        if (site[b] != WG_NO_SITE && entry != WG_NO_SITE) enters[site[b]] = site[entry];
    }
    for (size_t k = first; k < x->code.n; k++)
        if (enters[x->code.v[k].block] != WG_NO_SITE) x->code.v[k].enters = enters[x->code.v[k].block];
}

static void find_in(struct finder *x, uint32_t func) {
    const struct wg_ir_func *f = &x->m->funcs[func], *before = x->f;
    struct wg_atomics atomics = x->atomics;
    bool promoted = x->promoted;
    const struct wg_ir_instr **def = x->def, **begin = x->begin;
    struct wg_cfg cfg = {.func = f};
    struct wg_joins joins = x->joins;
    if (x->seen[func]) return;
    x->seen[func] = true;
    if (f->within) {
        add_texture(x, f);
        return;
    }
    x->f = f;
    wg_cfg_definitions(&cfg);
    x->def = cfg.def;
    x->begin = find_begins(f);
    const uint64_t *wanted = wg_wanted(&x->s->arena, f);
    x->promoted = wg_local_is_promoted(&x->s->arena, x->m, f);
    x->atomics = wg_atomics_find(&x->s->arena, f, wanted);
    x->joins = wg_joins_find(&x->s->arena, x->m, f, wanted);
    if (x->made && wg_joins_assembled(x->m, f, wanted, x->made, &x->joins)) x->promoted = false;
    uint32_t *site = WG_NEW_N(&x->s->arena, uint32_t, f->nblocks + 1);
    size_t first = x->code.n;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        x->block = WG_NO_SITE;
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) add_instr(x, &f->blocks[b].instrs[i]);
        add_end(x, &f->blocks[b]);
        site[b] = x->block;
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->op == WG_OP_CALL && in->call->builtin == WG_B_none) find_callees(x, in);
        }
    }
    find_entries(x, f, site, first);
    find_machine(x);
    wg_arena_free(&cfg.arena);
    free(x->begin);
    x->f = before;
    x->atomics = atomics;
    x->promoted = promoted;
    x->def = def;
    x->begin = begin;
    x->joins = joins;
}

/* Memory sites, then the others. */
static void gather(struct finder *x) {
    struct wg_sites *s = x->s;
    s->nmemory = x->memory.n;
    s->n = x->memory.n + x->others.n;
    s->v = WG_NEW_N(&s->arena, struct wg_site, s->n + 1);
    if (x->memory.n) memcpy(s->v, x->memory.v, x->memory.n * sizeof *s->v);
    if (x->others.n) memcpy(s->v + x->memory.n, x->others.v, x->others.n * sizeof *s->v);
    for (uint32_t id = 0; id < x->m->nids; id++) {
        if (s->branch[id] != WG_NO_SITE) s->branch[id] += s->nmemory;
        if (s->barrier[id] != WG_NO_SITE) s->barrier[id] += s->nmemory;
        if (s->line[id] != WG_NO_SITE) s->line[id] += s->nmemory;
        if (s->block[id] != WG_NO_SITE) s->block[id] += s->nmemory;
        if (s->slow[id] != WG_NO_SITE) s->slow[id] += s->nmemory;
    }
    s->ncode = x->code.n;
    s->code = WG_NEW_N(&s->arena, struct wg_site_code, s->ncode + 1);
    for (uint32_t i = 0; i < s->ncode; i++) {
        struct wg_site_code c = x->code.v[i];
        s->code[i] = (struct wg_site_code){c.ptx_line, c.line + s->nmemory, c.block + s->nmemory,
                                           c.enters == WG_NO_SITE ? WG_NO_SITE : c.enters + s->nmemory};
    }
    free(x->code.v);
    free(x->memory.v);
    free(x->others.v);
}

static uint32_t *none(struct wg_arena *a, uint32_t n) {
    uint32_t *v = WG_NEW_N(a, uint32_t, n + 1);
    memset(v, 0xff, (n + 1) * sizeof *v);
    return v;
}

struct wg_sites *wg_sites_find(const struct wg_ir_module *m, uint32_t func,
                               const struct wg_sass_accesses *made) {
    struct wg_sites *s = wg_xcalloc(1, sizeof *s);
    s->module = m;
    s->func = func;
    s->memory = none(&s->arena, m->nids);
    s->branch = none(&s->arena, m->nids);
    s->barrier = none(&s->arena, m->nids);
    s->line = none(&s->arena, m->nids);
    s->block = none(&s->arena, m->nids);
    s->slow = none(&s->arena, m->nids);
    s->slow_number = none(&s->arena, m->nids);
    s->operation = WG_NEW_N(&s->arena, struct wg_operation, m->nids);
    s->machine = WG_NEW_N(&s->arena, uint16_t, m->nids + 1);
    struct finder x = {
        .s = s, .m = m, .made = made, .seen = wg_xcalloc(m->nfuncs, 1), .line = none(&s->arena, m->nlocs)};
    s->made = made ? made->hash : 0;
    find_in(&x, func);
    gather(&x);
    free(x.seen);
    return s;
}

void wg_sites_free(struct wg_sites *s) {
    if (!s) return;
    struct wg_arena a = s->arena;
    wg_arena_free(&a);
    free(s);
}

uint32_t wg_site_at(const struct wg_sites *s, uint32_t id, enum wg_site_place place) {
    static const uint8_t places[] = {
        [WG_MEMORY_GLOBAL] = WG_PLACE_GLOBAL,
        [WG_MEMORY_SHARED] = WG_PLACE_SHARED,
        [WG_MEMORY_REMOTE] = WG_PLACE_REMOTE,
        [WG_MEMORY_LOCAL] = WG_PLACE_LOCAL,
    };
    uint32_t first = s->memory[id];
    if (first == WG_NO_SITE || s->v[first].class == WG_CLASS_constant) return first;
    uint32_t from = places[wg_class_infos[s->v[first].class].memory];
    if (place < from || first + place - from >= s->nmemory) return WG_NO_SITE;
    uint32_t at = first + place - from;
    return s->v[at].ptx_line == s->v[first].ptx_line && s->v[at].op == s->v[first].op ? at : WG_NO_SITE;
}
