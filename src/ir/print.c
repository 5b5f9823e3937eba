/* The IR as text: one instruction a line, for people and for tests.
 *
 *     block 2 "$L__BB0_2"  loop 2  from 1 2
 *         f1 = ld.global.f32 [rd4+8]                     ; ptx 31  t1.cu:9:154
 *         cbr p1 ? 3 : 2
 */
#include "ir/ir.h"
#include "ptx/row.h"

#include <inttypes.h>
#include <string.h>

static void print_reg(const struct wg_ir_func *f, uint32_t r, struct wg_strbuf *out) {
    wg_strbuf_puts(out, r < f->nregs ? f->regs[r].name : "?");
}

static void print_opd(const struct wg_ir_module *m, const struct wg_ir_func *f, const struct wg_ir_opd *o,
                      struct wg_strbuf *out) {
    if (o->negated) wg_strbuf_puts(out, "!");
    switch ((enum wg_opd_kind)o->kind) {
    case WG_O_NONE: wg_strbuf_puts(out, "_"); break;
    case WG_O_REG: print_reg(f, o->index, out); break;
    case WG_O_IMM:
        if (o->imm < 65536)
            wg_strbuf_printf(out, "%" PRIu64, o->imm);
        else
            wg_strbuf_printf(out, "0x%" PRIx64, o->imm);
        break;
    case WG_O_SYM:
        wg_strbuf_puts(out, m->syms[o->index].name);
        if (o->imm) wg_strbuf_printf(out, "%+" PRId64, (int64_t)o->imm);
        break;
    }
}

static void print_list(const struct wg_ir_module *m, const struct wg_ir_func *f, const struct wg_ir_opd *o,
                       uint32_t n, struct wg_strbuf *out) {
    for (uint32_t i = 0; i < n; i++) {
        if (i) wg_strbuf_puts(out, ", ");
        print_opd(m, f, &o[i], out);
    }
}

static const char *const space_names[] = {"generic", "global", "shared", "cluster",
                                          "local",   "const",  "param"};

static void print_call(const struct wg_ir_module *m, const struct wg_ir_func *f, const struct wg_ir_call *c,
                       struct wg_strbuf *out) {
    static const char *const builtins[] = {"",
#define X(id, spelled) spelled,
                                           WG_BUILTINS(X)
#undef X
    };
    for (uint32_t i = 0; i < c->nrets; i++) {
        if (i) wg_strbuf_puts(out, ", ");
        print_opd(m, f, &c->rets[i].value, out);
        wg_strbuf_printf(out, ":%s@%u", wg_type_name(c->rets[i].type), c->rets[i].offset);
    }
    wg_strbuf_puts(out, c->nrets ? " = call " : "call ");
    if (c->builtin)
        wg_strbuf_printf(out, "builtin %s", builtins[c->builtin]);
    else if (c->func != WG_NO_REG)
        wg_strbuf_puts(out, m->funcs[c->func].name);
    else
        print_opd(m, f, &c->target, out);
    wg_strbuf_puts(out, "(");
    for (uint32_t i = 0; i < c->nargs; i++) {
        if (i) wg_strbuf_puts(out, ", ");
        print_opd(m, f, &c->args[i].value, out);
        wg_strbuf_printf(out, ":%s@%u", wg_type_name(c->args[i].type), c->args[i].offset);
    }
    wg_strbuf_printf(out, ") frame %u", c->bytes);
}

static bool is_address(const struct wg_ir_instr *i, uint32_t k) {
    const struct wg_row_form *form = wg_ir_source_form(i, k);
    return form && (form->kind == 'm' || form->kind == 'M');
}

void wg_ir_print_words(const struct wg_ir_instr *i, struct wg_strbuf *out) {
    const struct wg_row *r = wg_row(i->op);
    bool cached = false, placed = false, laid = false;
    wg_strbuf_puts(out, r->opcode);
    for (int k = 0; k < r->nslots; k++) {
        const struct wg_slot *s = &r->slots[k];
        const char *word = "";
        if (s->kind == WG_SLOT_T)
            word = wg_type_name(i->type);
        else if (s->kind == WG_SLOT_U)
            word = wg_type_name(i->type2);
        else if (s->kind == WG_SLOT_B)
            word = wg_type_name(i->type3);
        else if (s->kind == WG_SLOT_C)
            word = wg_type_name(i->type4);
        else if (s->cls == WG_MC_COUNT)
            word = s->optional ? "" : wg_mod_name(wg_slot_only(s));
        else if (s->cls == WG_MC_CACHE && cached)
            word = wg_mod_name(i->mod[WG_MC_CACHE2]);
        else if (s->cls == WG_MC_LAYOUT && laid)
            word = wg_mod_name(i->mod[WG_MC_LAYOUT2]);
        else if (s->cls == WG_MC_SPACE && placed)
            word = wg_mod_name(i->mod[WG_MC_SPACE2]);
        else
            word = wg_mod_name(i->mod[s->cls]);
        cached |= s->cls == WG_MC_CACHE;
        placed |= s->cls == WG_MC_SPACE;
        laid |= s->cls == WG_MC_LAYOUT;
        if (*word) wg_strbuf_printf(out, ".%s", word);
    }
    if (is_address(i, 0) && !i->mod[WG_MC_SPACE] && i->space != WG_S_GENERIC)
        wg_strbuf_printf(out, " (%s)", space_names[i->space]);
}

static void print_instr(const struct wg_ir_module *m, const struct wg_ir_func *f, const struct wg_ir_instr *i,
                        struct wg_strbuf *out) {
    if (i->guard != WG_NO_REG) {
        wg_strbuf_puts(out, i->guard_neg ? "@!" : "@");
        print_reg(f, i->guard, out);
        wg_strbuf_puts(out, " ");
    }
    if (i->op == WG_OP_NONE) {
        wg_strbuf_printf(out, "<%s>", i->unsupported);
        return;
    }
    if (i->op == WG_OP_CALL) {
        print_call(m, f, i->call, out);
        return;
    }
    print_list(m, f, i->dst, i->ndst, out);
    if (i->ndst) wg_strbuf_puts(out, " = ");
    wg_ir_print_words(i, out);
    if (i->op == WG_OP_MOV_SREG) wg_strbuf_printf(out, " %s", wg_sreg_name(i->sreg));
    for (uint32_t k = 0; k < i->nsrc; k++) {
        bool address = is_address(i, k);
        int64_t plus = !address                     ? 0
                       : k == 0                     ? i->offset
                       : i->src[k].kind == WG_O_REG ? (int64_t)i->src[k].imm
                                                    : 0;
        wg_strbuf_puts(out, k ? ", " : " ");
        if (address) wg_strbuf_puts(out, "[");
        print_opd(m, f, &i->src[k], out);
        if (plus) wg_strbuf_printf(out, "%+" PRId64, plus);
        if (address) wg_strbuf_puts(out, "]");
    }
}

/* ; ptx 31  t1.cu:9:154 <- t1.cu:20:1 */
static void print_place(const struct wg_ir_module *m, uint32_t ptx_line, uint32_t loc, size_t start,
                        struct wg_strbuf *out) {
    while (out->n - start < 56) wg_strbuf_puts(out, " ");
    wg_strbuf_printf(out, " ; ptx %u", ptx_line);
    for (uint32_t l = loc; l; l = m->locs[l].inlined_at) {
        const char *file = m->locs[l].file ? m->locs[l].file : "?", *slash = strrchr(file, '/');
        wg_strbuf_printf(out, "%s%s:%u:%u", l == loc ? "  " : " <- ", slash ? slash + 1 : file,
                         m->locs[l].line, m->locs[l].col);
        if (m->locs[l].function) wg_strbuf_printf(out, " (%s)", m->locs[l].function);
    }
    wg_strbuf_puts(out, "\n");
}

static void print_term(const struct wg_ir_func *f, const struct wg_ir_block *b, struct wg_strbuf *out) {
    static const char *const names[] = {"br", "cbr", "brx", "ret", "exit", "trap", "bad call", "overflow"};
    wg_strbuf_printf(out, "    %s%s", names[b->term], b->uniform ? ".uni" : "");
    if (b->cond != WG_NO_REG) {
        wg_strbuf_puts(out, b->cond_neg ? " !" : " ");
        print_reg(f, b->cond, out);
        wg_strbuf_puts(out, b->term == WG_TERM_CBR ? " ?" : " of");
    }
    for (uint32_t i = 0; i < b->nsucc; i++)
        wg_strbuf_printf(out, "%s %u", i && b->term == WG_TERM_CBR ? " :" : "", b->succ[i]);
}

static void print_block(const struct wg_ir_module *m, const struct wg_ir_func *f, uint32_t index,
                        struct wg_strbuf *out) {
    const struct wg_ir_block *b = &f->blocks[index];
    wg_strbuf_printf(out, "  block %u", index);
    if (b->label) wg_strbuf_printf(out, " \"%s\"", b->label);
    if (b->loop != WG_NO_REG) wg_strbuf_printf(out, "  loop %u", b->loop);
    if (b->outer != WG_NO_REG) wg_strbuf_printf(out, " in %u", b->outer);
    if (b->npred) wg_strbuf_puts(out, "  from");
    for (uint32_t i = 0; i < b->npred; i++) wg_strbuf_printf(out, " %u", b->pred[i]);
    wg_strbuf_puts(out, "\n");
    for (uint32_t i = 0; i < b->ninstrs; i++) {
        size_t start = out->n;
        wg_strbuf_puts(out, "    ");
        print_instr(m, f, &b->instrs[i], out);
        print_place(m, b->instrs[i].ptx_line, b->instrs[i].loc, start, out);
    }
    size_t start = out->n;
    print_term(f, b, out);
    print_place(m, b->ptx_line, b->loc, start, out);
}

static void print_params(const char *what, const struct wg_ir_param *p, uint32_t n, struct wg_strbuf *out) {
    for (uint32_t i = 0; i < n; i++)
        wg_strbuf_printf(out, "  %s %s at %u, %u bytes%s\n", what, p[i].name, p[i].offset, p[i].size,
                         p[i].pointer ? ", pointer" : "");
}

void wg_ir_print(const struct wg_ir_module *m, const struct wg_ir_func *f, struct wg_strbuf *out) {
    wg_strbuf_printf(out, "%s %s", f->entry ? "kernel" : "function", f->name);
    if (f->local_bytes) wg_strbuf_printf(out, "  local %u", f->local_bytes);
    if (f->shared_bytes) wg_strbuf_printf(out, "  shared %u", f->shared_bytes);
    if (f->uses_dynamic_shared) wg_strbuf_puts(out, "  dynamic shared");
    if (f->recursive) wg_strbuf_puts(out, "  recursive");
    if (f->address_taken) wg_strbuf_puts(out, "  address taken");
    wg_strbuf_puts(out, f->nblocks ? "\n" : "  declared only\n");
    print_params("param", f->params, f->nparams, out);
    print_params("result", f->rets, f->nrets, out);
    for (uint32_t b = 0; b < f->nblocks; b++) print_block(m, f, b, out);
}
