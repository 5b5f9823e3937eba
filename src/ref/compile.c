/* Compilation of IR to ref_ins: resolves operands to register slots, immediates and addresses, and each row
 * to its function.
 *
 * Everything that the kernel may call is compiled with it: direct callees and, if one of them has an indirect
 * call, every function of the module. Rows that no family implements are diagnostics. */
#include "ref/call.h"
#include "analysis/duplicates.h"
#include "analysis/spins.h"
#include "ref/count.h"
#include "ref/operand.h"
#include "ref/run.h"
#include <stdlib.h>
#include <string.h>

struct compiler {
    struct ref_code *code;
    const struct wg_ir_module *m;
    struct wg_diag *d;
    const struct wg_ir_func *kernel;
};

static const struct ref_row *find_row(enum wg_op op) {
    static const struct ref_row *const families[] = {
        wg_ref_int_rows,    wg_ref_bit_rows,    wg_ref_float_rows,  wg_ref_compare_rows, wg_ref_convert_rows,
        wg_ref_approx_rows, wg_ref_move_rows,   wg_ref_memory_rows, wg_ref_warp_rows,    wg_ref_control_rows,
        wg_ref_async_rows,  wg_ref_matrix_rows, wg_ref_bulk_rows,   wg_ref_wgmma_rows,
    };
    if (op >= WG_OP_COUNT) return &wg_ref_check_rows[op - WG_OP_COUNT];
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        if (families[k][op].lane || families[k][op].group) return &families[k][op];
    return NULL;
}

static void unsupported(struct compiler *c, const struct wg_ir_instr *i, const char *what) {
    struct wg_pos at = {c->m->name, i->ptx_line, 0};
    if (i->loc && i->loc < c->m->nlocs) {
        const struct wg_ir_loc *loc = &c->m->locs[i->loc];
        at = (struct wg_pos){loc->file, loc->line, loc->col};
    }
    wg_diag_error(c->d, at, NULL, "unsupported instruction '%s' (kernel %s)", what, c->kernel->name);
}

static const struct ref_opd *operands(struct compiler *c, const struct ref_func *f, const struct wg_ir_opd *o,
                                      uint32_t n) {
    struct ref_opd *r = WG_NEW_N(&c->code->arena, struct ref_opd, n);
    for (uint32_t k = 0; k < n; k++) r[k] = wg_ref_operand(f, c->m, &o[k]);
    return r;
}

static void instruction(struct compiler *c, const struct ref_func *f, const struct wg_ir_instr *i,
                        struct ref_ins *r) {
    const struct ref_row *row = find_row(i->op);
    if (!row) {
        unsupported(c, i, wg_op_name(i->op));
        return;
    }
    *r = (struct ref_ins){.fn = row->lane,
                          .group = row->group,
                          .op = i->op,
                          .type2 = i->type2,
                          .space = i->space,
                          .nvec = i->nvec,
                          .nsrc = i->nsrc,
                          .ndst = i->ndst,
                          .sync = (wg_op_flags(i->op) & WG_F_SYNC) != 0,
                          .waits = (wg_op_flags(i->op) & WG_F_WAIT) != 0,
                          .checked = i->checked,
                          .offset = i->offset,
                          .guarded = i->guard != WG_NO_REG,
                          .guard_neg = i->guard_neg,
                          .mod = i->mod,
                          .ir = i};
    wg_ref_set_type(r, i->type);
    if (r->guarded) r->guard = f->slot_of[i->guard];
    r->dst = operands(c, f, i->dst, i->ndst);
    r->src = operands(c, f, i->src, i->nsrc);
}

static void function(struct compiler *c, uint32_t index);

static void callees(struct compiler *c, const struct wg_ir_instr *i) {
    const struct wg_ir_call *call = i->call;
    if (call->func != WG_NO_REG) {
        if (c->m->funcs[call->func].nblocks)
            function(c, call->func);
        else
            unsupported(c, i, "call of a function that has no body");
    } else if (call->builtin == WG_B_none) {
        for (uint32_t k = 0; k < c->m->nfuncs; k++)
            if (!c->m->funcs[k].entry && c->m->funcs[k].nblocks) function(c, k);
    }
}

static void block(struct compiler *c, const struct ref_func *f, const struct wg_ir_block *b,
                  struct ref_block *r) {
    struct ref_ins *ins = WG_NEW_N(&c->code->arena, struct ref_ins, b->ninstrs);
    for (uint32_t k = 0; k < b->ninstrs; k++) {
        instruction(c, f, &b->instrs[k], &ins[k]);
        if (b->instrs[k].op == WG_OP_CALL) callees(c, &b->instrs[k]);
    }
    bool cond = b->term == WG_TERM_CBR || b->term == WG_TERM_BRX;
    *r = (struct ref_block){.ins = ins, .nins = b->ninstrs, .cond = cond ? f->slot_of[b->cond] : 0, .ir = b};
}

static void function(struct compiler *c, uint32_t index) {
    if (c->code->funcs[index]) return;
    const struct wg_ir_func *ir = &c->m->funcs[index];
    struct ref_func *f = WG_NEW(&c->code->arena, struct ref_func);
    c->code->funcs[index] = f;
    f->ir = ir;
    f->index = index;
    uint32_t *slot_of = WG_NEW_N(&c->code->arena, uint32_t, ir->nregs);
    for (uint32_t k = 0; k < ir->nregs; k++) {
        slot_of[k] = f->nslots;
        f->nslots += ir->regs[k].width == WG_W128 ? 2 : 1;
    }
    f->slot_of = slot_of;
    struct ref_block *blocks = WG_NEW_N(&c->code->arena, struct ref_block, ir->nblocks);
    f->blocks = blocks;
    f->yields = wg_spins_find(&c->code->arena, c->m, ir);
    for (uint32_t k = 0; k < ir->nblocks; k++) block(c, f, &ir->blocks[k], &blocks[k]);
}

/* Local memory of one call of every function: enough for any way through them without recursion. */
static uint32_t local_bytes(const struct ref_code *code) {
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < code->module->nfuncs; k++) {
        if (!code->funcs[k]) continue;
        const struct wg_ir_func *f = code->funcs[k]->ir;
        bytes += f->local_bytes;
        if (!f->entry) bytes += f->frame_bytes + 2u * (f->local_align > 16 ? f->local_align : 16) + 16;
    }
    return (uint32_t)((bytes + 15) / 16 * 16);
}

static void destroy(struct wg_code *code) {
    struct ref_code *r = code->impl;
    wg_ref_pool_free(r->pool);
    wg_arena_free(&r->arena);
    free(r);
}

struct wg_code *wg_ref_compile(const struct wg_ir_module *m, uint32_t func, const struct wg_code_opts *opts,
                               struct wg_diag *d) {
    if (!wg_ir_check_supported(m, func, d)) return NULL;
    struct ref_code *code = wg_xcalloc(1, sizeof *code);
    struct compiler c = {code, m, d, &m->funcs[func]};
    uint32_t errors = d->errors;
    code->module = m;
    code->opts = *opts;
    code->pool = wg_ref_pool_new();
    code->funcs = WG_NEW_N(&code->arena, struct ref_func *, m->nfuncs);
    function(&c, func);
    code->entry = code->funcs[func];
    code->code.run = wg_ref_run;
    code->code.reference = true;
    code->code.destroy = destroy;
    code->code.impl = code;
    if (opts->sites) {
        code->code.tally_units = wg_ref_count_units(opts->sites);
        code->code.collect = wg_ref_collect;
    }
    code->code.local_bytes = local_bytes(code);
    code->code.warps = wg_distinct_warps(m, &m->funcs[func], opts);
    size_t lane = sizeof(struct ref_activation) + code->entry->nslots * sizeof(uint64_t);
    code->code.frame_bytes = (uint32_t)(sizeof(struct ref_warp) + WG_LANES * lane);
    if (d->errors == errors) return &code->code;
    destroy(&code->code);
    return NULL;
}
