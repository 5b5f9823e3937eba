/* The call graph: what each kernel can reach, where static shared variables lie, which functions recurse.
 *
 * A shared variable has one offset, valid in every kernel that reaches it. Variables are placed in the order
 * of their declaration, each behind everything that any kernel which reaches it has so far; so kernels that
 * share no variable do not push each other's up.
 */
#include "ir/build.h"

#include <stdlib.h>
#include <string.h>

struct graph {
    struct wg_build *b;
    uint32_t n;
    uint32_t *succ, *succ_at; /* callees of i: succ[succ_at[i]] .. succ[succ_at[i + 1]] */
};

static void add_calls(struct wg_build *b, uint32_t i, uint32_t *succ, uint32_t *n) {
    const struct wg_uses *u = &b->uses[i];
    for (uint32_t k = 0; k < u->calls.n; k++) {
        if (succ) succ[*n] = u->calls.v[k];
        ++*n;
    }
    if (!u->indirect) return;
    for (uint32_t t = 0; t < b->m->nfuncs; t++)
        if (b->m->funcs[t].address_taken) {
            if (succ) succ[*n] = t;
            ++*n;
        }
}

static void find_calls(struct graph *g) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++) add_calls(g->b, i, NULL, &n);
    g->succ = WG_NEW_N(&g->b->scratch, uint32_t, n);
    n = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        g->succ_at[i] = n;
        add_calls(g->b, i, g->succ, &n);
    }
    g->succ_at[g->n] = n;
}

/* Marks in `seen` what `from` calls, directly and through others. */
static void reach(const struct graph *g, uint32_t from, uint32_t *seen, uint32_t mark, uint32_t *work) {
    uint32_t n = 0;
    work[n++] = from;
    while (n) {
        uint32_t i = work[--n];
        for (uint32_t k = g->succ_at[i]; k < g->succ_at[i + 1]; k++) {
            uint32_t s = g->succ[k];
            if (seen[s] == mark) continue;
            seen[s] = mark;
            work[n++] = s;
        }
    }
}

/* A module variable with the kernels that reach it. */
struct shared_var {
    uint32_t sym;
    WG_VEC(uint32_t) kernels;
};

/* Symbols that a kernel uses, itself and through calls: by number, once each. */
static void gather(struct graph *g, uint32_t kernel, const uint32_t *seen, uint32_t mark,
                   struct shared_var *vars, const uint32_t *var_of) {
    struct wg_build *b = g->b;
    struct wg_ir_func *f = &b->m->funcs[kernel];
    for (uint32_t i = 0; i < g->n; i++) {
        if (i != kernel && seen[i] != mark) continue;
        const struct wg_uses *u = &b->uses[i];
        f->uses_dynamic_shared |= u->dynamic;
        for (uint32_t k = 0; k < u->shared.n; k++) {
            struct shared_var *v = &vars[var_of[u->shared.v[k]]];
            if (v->kernels.n && v->kernels.v[v->kernels.n - 1] == kernel) continue;
            *WG_PUSH(&v->kernels) = kernel;
        }
    }
}

static void place(struct wg_build *b, const struct shared_var *v) {
    struct wg_ir_sym *s = &b->m->syms[v->sym];
    uint64_t offset = 0;
    for (uint32_t k = 0; k < v->kernels.n; k++) {
        uint32_t top = b->m->funcs[v->kernels.v[k]].shared_bytes;
        if (top > offset) offset = top;
    }
    if (!v->kernels.n) return;
    offset = (offset + s->align - 1) / s->align * s->align;
    if (offset + s->size > INT32_MAX) {
        wg_ptx_error(b->src, 0, "the module's shared variables are larger than any shared memory");
        return;
    }
    s->offset = offset;
    for (uint32_t k = 0; k < v->kernels.n; k++)
        b->m->funcs[v->kernels.v[k]].shared_bytes = (uint32_t)(offset + s->size);
}

static void lay_out_shared(struct graph *g, uint32_t *seen, uint32_t *work) {
    struct wg_ir_module *m = g->b->m;
    uint32_t *var_of = WG_NEW_N(&g->b->scratch, uint32_t, m->nsyms), n = 0;
    struct shared_var *vars = WG_NEW_N(&g->b->scratch, struct shared_var, m->nsyms);
    for (uint32_t i = 0; i < m->nsyms; i++)
        if (m->syms[i].kind == WG_SYM_SHARED) {
            vars[n].sym = i;
            var_of[i] = n++;
        }
    for (uint32_t i = 0; i < g->n; i++) {
        if (!m->funcs[i].entry) continue;
        reach(g, i, seen, i + 1, work);
        gather(g, i, seen, i + 1, vars, var_of);
    }
    for (uint32_t i = 0; i < n; i++) {
        place(g->b, &vars[i]);
        free(vars[i].kernels.v);
    }
}

void wg_build_graph(struct wg_build *b) {
    struct wg_ir_module *m = b->m;
    struct graph g = {.b = b, .n = m->nfuncs};
    g.succ_at = WG_NEW_N(&b->scratch, uint32_t, g.n + 1);
    find_calls(&g);
    uint32_t *seen = WG_NEW_N(&b->scratch, uint32_t, g.n), *work = WG_NEW_N(&b->scratch, uint32_t, g.n + 1);
    lay_out_shared(&g, seen, work);
    for (uint32_t i = 0; i < g.n; i++) {
        if (g.succ_at[i] == g.succ_at[i + 1]) continue;
        seen[i] = 0;
        reach(&g, i, seen, g.n + i + 1, work);
        m->funcs[i].recursive = seen[i] == g.n + i + 1;
    }
}

/* ---- what cannot be run ---- */

static const struct wg_ir_instr *find_unsupported(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (f->blocks[b].instrs[i].op == WG_OP_NONE) return &f->blocks[b].instrs[i];
    return NULL;
}

static void report(const struct wg_ir_module *m, uint32_t kernel, uint32_t func, const struct wg_ir_instr *i,
                   struct wg_diag *d) {
    const struct wg_ir_loc *l = &m->locs[i->loc];
    struct wg_pos at = {m->name, i->ptx_line, 0};
    struct wg_strbuf where = {0};
    wg_strbuf_printf(&where, "%s %s", m->funcs[func].entry ? "kernel" : "function", m->funcs[func].name);
    if (func != kernel) wg_strbuf_printf(&where, ", called by kernel %s", m->funcs[kernel].name);
    if (l->file) wg_strbuf_printf(&where, ", %s:%u", l->file, l->line);
    if (m->funcs[func].refused) {
        d->errors++;
        wg_strbuf_printf(&d->text, "%s    in ", m->funcs[func].refused);
        wg_strbuf_shown(&d->text, where.s, where.n);
        wg_strbuf_puts(&d->text, "\n");
    } else
        wg_diag_error(d, at, NULL, "%s (%s)", i->unsupported, where.s);
    wg_strbuf_free(&where);
}

static void add_callees(const struct wg_ir_module *m, const struct wg_ir_func *f, bool *seen, uint32_t *work,
                        uint32_t *n) {
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *x = &f->blocks[b];
        if (!x->ninstrs || x->instrs[x->ninstrs - 1].op != WG_OP_CALL) continue;
        uint32_t callee = x->instrs[x->ninstrs - 1].call->func;
        if (callee == WG_NO_REG || seen[callee]) continue;
        seen[callee] = true;
        work[(*n)++] = callee;
    }
    for (uint32_t i = 0; f->has_indirect_calls && i < m->nfuncs; i++)
        if (m->funcs[i].address_taken && !seen[i]) {
            seen[i] = true;
            work[(*n)++] = i;
        }
}

/* Whether all is there that `func` may come to, or at least right. */
static bool can_be_run(const struct wg_ir_module *m, uint32_t func, bool all_there, struct wg_diag *d) {
    bool *seen = wg_xcalloc(m->nfuncs, sizeof *seen), ok = true;
    uint32_t *work = wg_xcalloc(m->nfuncs, sizeof *work), n = 0;
    seen[func] = true;
    work[n++] = func;
    while (n && ok) {
        uint32_t at = work[--n];
        bool asked = all_there || m->funcs[at].refused;
        const struct wg_ir_instr *i = asked ? find_unsupported(&m->funcs[at]) : NULL;
        if (i) {
            if (d) report(m, func, at, i, d);
            ok = false;
        } else
            add_callees(m, &m->funcs[at], seen, work, &n);
    }
    free(seen);
    free(work);
    return ok;
}

bool wg_ir_check_supported(const struct wg_ir_module *m, uint32_t func, struct wg_diag *d) {
    return can_be_run(m, func, true, d);
}

bool wg_ir_refused(const struct wg_ir_module *m, uint32_t func, struct wg_diag *d) {
    return m->nrefused && !can_be_run(m, func, false, d);
}

bool wg_ir_calls(const struct wg_ir_func *f, uint32_t builtins) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            if (in->op == WG_OP_CALL && builtins >> in->call->builtin & 1) return true;
        }
    return false;
}

bool *wg_ir_reached(const struct wg_ir_module *m, uint32_t func) {
    bool *seen = wg_xcalloc(m->nfuncs + 1u, sizeof *seen);
    uint32_t *work = wg_xcalloc(m->nfuncs + 1u, sizeof *work), n = 0;
    seen[func] = true;
    work[n++] = func;
    while (n) add_callees(m, &m->funcs[work[--n]], seen, work, &n);
    free(work);
    return seen;
}

bool wg_ir_makes_system_calls(const struct wg_ir_module *m, uint32_t func) {
    const uint32_t calls = 1u << WG_B_vprintf | 1u << WG_B_malloc | 1u << WG_B_free | 1u << WG_B_assertfail;
    bool *reached = wg_ir_reached(m, func), makes = false;
    for (uint32_t k = 0; k < m->nfuncs && !makes; k++) makes = reached[k] && wg_ir_calls(&m->funcs[k], calls);
    free(reached);
    return makes;
}

uint32_t wg_ir_call_loc(const struct wg_ir_module *m, uint32_t id) {
    for (uint32_t f = 0; f < m->nfuncs; f++)
        for (uint32_t b = 0; b < m->funcs[f].nblocks; b++)
            for (uint32_t i = 0; i < m->funcs[f].blocks[b].ninstrs; i++) {
                const struct wg_ir_instr *in = &m->funcs[f].blocks[b].instrs[i];
                if (in->op == WG_OP_CALL && in->id == id) return in->loc;
            }
    return 0;
}
