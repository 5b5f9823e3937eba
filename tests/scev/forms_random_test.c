/* Random kernels of index arithmetic: what forms (scev/forms.h) say is held against what the kernel does
 * when it is run, thread by thread, by a few lines of interpreter. Addresses must be numbers that the form
 * may be, and of two accesses that are said to be apart no two threads may touch a common byte. Kernels that
 * are apart and not found to be so are counted: most must be. */
#include "check/prove/apart_memo.h"
#include "check/prove/places.h"
#include "scev/scev.h"
#include "tests/check/random_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { REGS = RANDOM_REGS, STEPS = 4000, TOUCHES = 60000 };
static const uint64_t OUT = 0x10000000;

/* ---- running one ---- */

struct touch {
    uint64_t address;
    uint32_t thread, access;
};
struct thread {
    uint32_t tid[3], ctaid[3], lane, number;
    uint64_t reg[REGS * 3];
};
struct run {
    const struct wg_ir_module *m;
    const struct wg_forms *forms;
    struct wg_scev *scev;
    const uint8_t *params;
    const struct wg_form_launch *l;
    struct touch *touches;
    uint32_t ntouches;
    bool too_much;
};

static uint64_t cut(uint64_t x, uint32_t bits, bool is_signed) {
    if (bits >= 64) return x;
    return is_signed ? (uint64_t)((int64_t)(x << (64 - bits)) >> (64 - bits))
                     : x & ((UINT64_C(1) << bits) - 1);
}

static uint64_t source(const struct run *x, const struct thread *t, const struct wg_ir_instr *in, uint32_t i,
                       bool of_result) {
    const struct wg_ir_opd *o = &in->src[i];
    enum wg_type type = in->op == WG_OP_CVT ? in->type2 : in->type;
    uint32_t bits = wg_type_bits(type) * (of_result ? 2 : 1);
    if (o->kind == WG_O_SYM) return x->m->syms[o->index].offset + o->imm;
    uint64_t v = o->kind == WG_O_REG ? t->reg[o->index] : o->imm;
    return cut(o->negated ? !v : v, bits, wg_type_kind(type) == WG_K_S);
}

static bool compare(enum wg_mod cmp, uint64_t a, uint64_t b, bool is_signed) {
    bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
    switch (cmp) {
    case WG_M_eq: return a == b;
    case WG_M_ne: return a != b;
    case WG_M_lt: return less;
    case WG_M_le: return less || a == b;
    case WG_M_gt: return !less && a != b;
    default: return !less;
    }
}

static uint64_t divide(const struct wg_ir_instr *in, uint64_t a, uint64_t b) {
    bool is_signed = wg_type_kind(in->type) == WG_K_S;
    if (is_signed)
        return (uint64_t)(in->op == WG_OP_DIV_I ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
    return in->op == WG_OP_DIV_I ? a / b : a % b;
}

static uint64_t special(const struct run *x, const struct thread *t, uint32_t sreg) {
    switch (sreg) {
    case WG_SR_tid_x: return t->tid[0];
    case WG_SR_tid_y: return t->tid[1];
    case WG_SR_ctaid_x: return t->ctaid[0];
    case WG_SR_ctaid_y: return t->ctaid[1];
    case WG_SR_laneid: return t->lane;
    default: return x->l->ntid[0];
    }
}

static uint64_t result(const struct run *x, const struct thread *t, const struct wg_ir_instr *in) {
    bool s = wg_type_kind(in->type) == WG_K_S, wide = in->mod[WG_MC_MULW] == WG_M_wide;
    uint64_t a = in->nsrc ? source(x, t, in, 0, false) : 0, b = in->nsrc > 1 ? source(x, t, in, 1, false) : 0,
             v = 0;
    switch (in->op) {
    case WG_OP_MOV: return a;
    case WG_OP_MOV_SREG: return special(x, t, in->sreg);
    case WG_OP_LD: memcpy(&v, x->params + a, wg_type_bits(in->type) / 8); return v;
    case WG_OP_ADD_I: return a + b;
    case WG_OP_SUB_I: return a - b;
    case WG_OP_MUL_I: return a * b;
    case WG_OP_MAD_I: return a * b + source(x, t, in, 2, wide);
    case WG_OP_SHL: return a << b;
    case WG_OP_SHR: return s ? (uint64_t)((int64_t)a >> b) : a >> b;
    case WG_OP_AND: return a & b;
    case WG_OP_OR: return a | b;
    case WG_OP_MIN_I: return (s ? (int64_t)a < (int64_t)b : a < b) ? a : b;
    case WG_OP_MAX_I: return (s ? (int64_t)a > (int64_t)b : a > b) ? a : b;
    case WG_OP_DIV_I:
    case WG_OP_REM_I: return divide(in, a, b);
    case WG_OP_CVT: return a;
    case WG_OP_SETP: return compare(in->mod[WG_MC_CMP], a, b, s);
    default: fail_msg("an instruction that the test does not know");
    }
    return 0;
}

static struct {
    uint32_t kernels, apart, shown, of_forms, known, exact, values;
} seen;

/* False: the variable is one that the test does not follow. */
static bool value_of_var(const struct run *x, const struct thread *t, uint32_t var, uint64_t *v) {
    const struct wg_form_var *is = wg_scev_var(x->scev, var);
    uint64_t a, b;
    *v = 0;
    switch (is->kind) {
    case WG_VAR_TID_X: *v = t->tid[0]; return true;
    case WG_VAR_TID_Y: *v = t->tid[1]; return true;
    case WG_VAR_CTAID_X: *v = t->ctaid[0]; return true;
    case WG_VAR_CTAID_Y: *v = t->ctaid[1]; return true;
    case WG_VAR_NCTAID: *v = x->l->nctaid[is->reg]; return true;
    case WG_VAR_PARAM:
        memcpy(v, x->params + is->reg, is->unit / 8);
        *v = cut(*v, is->unit, is->lo < 0);
        return true;
    case WG_VAR_PRODUCT:
        if (!value_of_var(x, t, is->reg, &a) || !value_of_var(x, t, is->loop, &b)) return false;
        *v = a * b;
        return true;
    default: return false;
    }
}

/* What is known without a launch is so at this one. */
static void hold_symbolic(const struct run *x, const struct thread *t, uint32_t block, uint32_t index) {
    static const uint8_t bits[] = {[WG_W1] = 1, [WG_W16] = 16, [WG_W32] = 32, [WG_W64] = 64};
    const struct wg_ir_func *f = &x->m->funcs[0];
    const struct wg_ir_instr *in = &f->blocks[block].instrs[index];
    for (uint32_t i = 0; i < in->nsrc; i++) {
        const struct wg_ir_opd *o = &in->src[i];
        if (o->kind != WG_O_REG || f->regs[o->index].width == WG_W1) continue;
        struct wg_sum s = wg_scev_at(x->scev, o, block, index);
        uint64_t sum = (uint64_t)s.constant, v;
        bool follows = s.known && !s.base;
        for (uint32_t k = 0; k < s.nterms && follows; k++) {
            follows = value_of_var(x, t, s.term[k].var, &v);
            sum += v * (uint64_t)s.term[k].times;
        }
        if (!follows) continue;
        seen.values++;
        assert_int_equal(cut(sum, bits[f->regs[o->index].width], false), t->reg[o->index]);
    }
}

static const struct wg_form_access *access_of(const struct run *x, const struct wg_ir_instr *in,
                                              uint32_t *number) {
    for (*number = 0; *number < x->forms->naccesses; ++*number)
        if (x->forms->accesses[*number].instr == in) return &x->forms->accesses[*number];
    return NULL;
}

static void touch(struct run *x, const struct thread *t, const struct wg_ir_instr *in) {
    uint32_t number;
    const struct wg_form_access *a = access_of(x, in, &number);
    uint64_t at = t->reg[in->src[0].index] + (uint64_t)in->offset;
    int64_t lo, hi;
    assert_non_null(a);
    if (a->at.known && wg_form_range(x->forms, &a->at, a->guards, &lo, &hi))
        assert_true((int64_t)at >= lo && (int64_t)at <= hi);
    assert_false(a->guards->never);
    x->too_much |= x->ntouches == TOUCHES;
    if (!x->too_much) x->touches[x->ntouches++] = (struct touch){at, t->number, number};
}

static void step(struct run *x, struct thread *t, const struct wg_ir_instr *in) {
    static const uint8_t bits[] = {[WG_W1] = 1, [WG_W16] = 16, [WG_W32] = 32, [WG_W64] = 64};
    if (in->guard != WG_NO_REG && (t->reg[in->guard] & 1) == in->guard_neg) return;
    if (in->space == WG_S_GLOBAL && (in->op == WG_OP_LD || in->op == WG_OP_ST)) {
        touch(x, t, in);
        return;
    }
    uint32_t d = in->dst[0].index;
    t->reg[d] = cut(result(x, t, in), bits[x->m->funcs[0].regs[d].width], false);
}

static void run_thread(struct run *x, struct thread *t) {
    const struct wg_ir_func *f = &x->m->funcs[0];
    uint32_t steps = 0;
    for (uint32_t b = 0; !x->too_much;) {
        const struct wg_ir_block *k = &f->blocks[b];
        for (uint32_t i = 0; i < k->ninstrs; i++) {
            hold_symbolic(x, t, b, i);
            step(x, t, &k->instrs[i]);
        }
        if (k->term != WG_TERM_BR && k->term != WG_TERM_CBR) return;
        b = k->term == WG_TERM_BR || (t->reg[k->cond] & 1) != k->cond_neg ? k->succ[0] : k->succ[1];
        x->too_much |= ++steps == STEPS;
    }
}

static void run_all(struct run *x) {
    const uint32_t *n = x->l->ntid, *blocks = x->l->nctaid;
    struct thread t = {0};
    for (uint32_t b = 0; b < blocks[0] * blocks[1]; b++)
        for (uint32_t i = 0; i < n[0] * n[1]; i++) {
            memset(t.reg, 0, sizeof t.reg);
            t.tid[0] = i % n[0], t.tid[1] = i / n[0], t.lane = i % 32;
            t.ctaid[0] = b % blocks[0], t.ctaid[1] = b / blocks[0];
            t.number = b * 1024 + i;
            run_thread(x, &t);
        }
}

/* ---- what is held against what ---- */

/* A byte, who touched it at the access, and at what it is told apart from others. */
struct byte {
    uint64_t group, address;
    uint32_t id;
};

static int by_place(const void *a, const void *b) {
    const struct byte *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static struct byte *bytes_of(const struct run *x, uint32_t access, enum wg_form_who who, uint32_t *n) {
    const uint32_t bytes = x->forms->accesses[access].bytes;
    struct byte *v = wg_xcalloc(x->ntouches * bytes + 1, sizeof *v);
    *n = 0;
    for (uint32_t i = 0; i < x->ntouches; i++) {
        const struct touch *t = &x->touches[i];
        for (uint32_t k = 0; k < bytes && t->access == access; k++)
            v[(*n)++] = (struct byte){who == WG_FORMS_OF_BLOCK ? t->thread / 1024 : 0, t->address + k,
                                      who == WG_FORMS_OF_BLOCKS ? t->thread / 1024 : t->thread};
    }
    qsort(v, *n, sizeof *v, by_place);
    return v;
}

static uint32_t run_of(const struct byte *v, uint32_t n, uint32_t i) {
    uint32_t k = i;
    while (k < n && v[k].group == v[i].group && v[k].address == v[i].address) k++;
    return k;
}

static bool meet(const struct run *x, uint32_t a, uint32_t b, enum wg_form_who who) {
    uint32_t na, nb;
    struct byte *va = bytes_of(x, a, who, &na), *vb = bytes_of(x, b, who, &nb);
    bool found = false;
    for (uint32_t i = 0, k = 0; i < na && k < nb && !found;) {
        uint32_t ei = run_of(va, na, i), ek = run_of(vb, nb, k);
        struct byte at = va[i], other = vb[k];
        at.id = other.id = 0;
        int order = by_place(&at, &other);
        if (!order) found = va[i].id != va[ei - 1].id || vb[k].id != vb[ek - 1].id || va[i].id != vb[k].id;
        if (order <= 0) i = ei;
        if (order >= 0) k = ek;
    }
    free(va);
    free(vb);
    return found;
}

/* Where all that an access touches is known, it is that, and the threads are right. */
struct extent {
    const struct run *x;
    struct byte *bytes;
    uint32_t n, access;
};

static void see_place(void *user, const struct wg_form_place *p) {
    struct extent *e = user;
    const uint32_t *n = e->x->l->ntid, *blocks = e->x->l->nctaid;
    uint32_t thread = (p->ctaid[0] + blocks[0] * p->ctaid[1]) * 1024 + p->tid[0] + n[0] * p->tid[1];
    bool found = false;
    for (uint32_t i = 0; i < e->x->ntouches; i++) {
        const struct touch *t = &e->x->touches[i];
        found |= t->access == e->access && t->address == p->from && t->thread == thread;
    }
    assert_true(found || e->x->ntouches == TOUCHES);
    for (uint32_t i = 0; i < e->n; i++)
        if (e->bytes[i].address >= p->from && e->bytes[i].address < p->to) e->bytes[i].id = UINT32_MAX;
}

static void hold_extent(const struct run *x, uint32_t access) {
    struct wg_form_extent *all = wg_form_extent_new(x->forms, &x->forms->accesses[access]);
    struct extent e = {.x = x, .access = access};
    if (!all) return;
    seen.exact++;
    e.bytes = bytes_of(x, access, WG_FORMS_OF_GRID, &e.n);
    wg_form_each_place(all, see_place, &e);
    for (uint32_t i = 0; i < e.n; i++) assert_int_equal(e.bytes[i].id, UINT32_MAX);
    free(e.bytes);
    free(all);
}

static void hold(const struct run *x, const char *text) {
    struct wg_apart_memo *memo[WG_FORMS_OF_BLOCKS + 1];
    for (enum wg_form_who who = WG_FORMS_OF_GRID; who <= WG_FORMS_OF_BLOCKS; who++)
        memo[who] = wg_apart_memo_new(x->forms, who);
    for (uint32_t a = 0; a < x->forms->naccesses; a++) {
        seen.of_forms++;
        seen.known += x->forms->accesses[a].at.known;
        hold_extent(x, a);
        for (uint32_t b = a; b < x->forms->naccesses; b++)
            for (enum wg_form_who who = WG_FORMS_OF_GRID; who <= WG_FORMS_OF_BLOCKS; who++) {
                struct wg_form_question q = {.who = who};
                bool said = wg_forms_apart(x->forms, &x->forms->accesses[a], &x->forms->accesses[b], &q);
                bool truly = !meet(x, a, b, who);
                assert_int_equal(
                    wg_apart_memo_ask(memo[who], &x->forms->accesses[a], &x->forms->accesses[b], NULL), said);
                seen.apart += truly;
                seen.shown += said;
                if (said && !truly)
                    fail_msg("accesses %u and %u are not apart (%d):\n%s", a, b, (int)who, text);
            }
    }
    for (enum wg_form_who who = WG_FORMS_OF_GRID; who <= WG_FORMS_OF_BLOCKS; who++)
        wg_apart_memo_free(memo[who]);
}

static void try(uint64_t number) {
    struct random_kernel w = {0};
    struct wg_diag d = {0};
    random_kernel_write(&w, number);
    struct wg_ir_module *m = wg_ir_from_ptx("k.ptx", w.text.s, w.text.n, &d);
    if (!m) fail_msg("%s\n%s", d.text.s, w.text.s);
    uint8_t params[16];
    memcpy(params, &OUT, 8);
    memcpy(params + 8, &w.n, 4);
    memcpy(params + 12, &w.w, 4);
    struct wg_form_launch l = {.params = params};
    memcpy(l.ntid, w.ntid, sizeof l.ntid);
    memcpy(l.nctaid, w.nctaid, sizeof l.nctaid);
    struct wg_form_facts *facts = wg_form_facts_new(m, &m->funcs[0]);
    struct run x = {.m = m, .forms = wg_forms_new(facts, &l), .params = params, .l = &l};
    struct wg_cfg cfg = {.func = &m->funcs[0]};
    wg_cfg_dominators(&cfg);
    wg_cfg_liveness(&cfg);
    x.scev = wg_scev_new(&cfg.arena, m, &cfg, l.ntid, WG_SCEV_EXACT);
    x.touches = wg_xcalloc(TOUCHES, sizeof *x.touches);
    run_all(&x);
    if (!x.too_much) {
        seen.kernels++;
        hold(&x, w.text.s);
    }
    free(x.touches);
    wg_forms_free((struct wg_forms *)x.forms);
    wg_form_facts_free(facts);
    wg_arena_free(&cfg.arena);
    wg_ir_free(m);
    wg_strbuf_free(&w.text);
}

static void random_kernels(void **state) {
    const char *more = getenv("WG_FORMS_SEEDS");
    uint32_t seeds = more ? (uint32_t)atoi(more) : 150 / WG_ONE_IN;
    for (uint32_t i = 0; i < seeds; i++) try(i);
    print_message(
        "%u values, %u kernels, %u of %u accesses have forms, %u are known in full, %u of %u pairs apart are "
        "shown to be\n",
        seen.values, seen.kernels, seen.known, seen.of_forms, seen.exact, seen.shown, seen.apart);
    assert_true(seen.values > 100 * seeds && seen.kernels > seeds / 2 && seen.shown > seen.apart / 3);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
