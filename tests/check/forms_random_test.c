/* Random kernels of index arithmetic: what forms (check/forms.h) say is held against what the kernel does
 * when it is run, thread by thread, by a few lines of interpreter. Addresses must be numbers that the form
 * may be, and of two accesses that are said to be apart no two threads may touch a common byte. Kernels that
 * are apart and not found to be so are counted: most must be. */
#include "base/strbuf.h"
#include "check/forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ACCESSES = 8, REGS = 200, STEPS = 4000, TOUCHES = 60000 };
static const uint64_t OUT = 0x10000000;

static uint64_t seed;
static uint32_t any(uint32_t n) { /* below n */
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

/* ---- kernels ---- */

struct writer {
    struct wg_strbuf text;
    uint32_t nregs, npreds, naddresses, nlabels; /* %r1 .. %r<nregs> have been written, and so on */
    uint32_t depth;
};

static uint32_t some(const struct writer *w) { return 1 + any(w->nregs); }
static uint32_t number(void) {
    static const uint32_t n[] = {1, 2, 3, 4, 7, 8, 12, 16, 31, 32, 33, 64, 100, 128, 4096};
    return n[any(sizeof n / sizeof *n)];
}

#define PUT(...) wg_strbuf_printf(&w->text, __VA_ARGS__)

static void operation(struct writer *w) {
    uint32_t a = some(w), b = some(w), r = w->nregs + 1;
    switch (any(16)) {
    case 0:
    case 1: PUT("add.s32 %%r%u, %%r%u, %%r%u;\n", r, a, b); break;
    case 2: PUT("add.s32 %%r%u, %%r%u, %d;\n", r, a, (int)number() - 20); break;
    case 3: PUT("sub.s32 %%r%u, %%r%u, %%r%u;\n", r, a, b); break;
    case 4: PUT("mad.lo.s32 %%r%u, %%r%u, %u, %%r%u;\n", r, a, number(), b); break;
    case 5: PUT("mad.lo.s32 %%r%u, %%r4, %%r5, %%r3;\n", r); break;
    case 6: PUT("mad.lo.s32 %%r%u, %%r%u, %%r2, %%r%u;\n", r, a, b); break;
    case 7: PUT("shl.b32 %%r%u, %%r%u, %u;\n", r, a, any(8)); break;
    case 8: PUT("shr.%s32 %%r%u, %%r%u, %u;\n", any(2) ? "u" : "s", r, a, any(6)); break;
    case 9: PUT("and.b32 %%r%u, %%r%u, %d;\n", r, a, any(2) ? (1 << any(7)) - 1 : -(1 << any(5))); break;
    case 10: PUT("or.b32 %%r%u, %%r%u, %%r%u;\n", r, a, b); break;
    case 11: PUT("%s.u32 %%r%u, %%r%u, %u;\n", any(2) ? "div" : "rem", r, a, number()); break;
    case 12: PUT("%s.s32 %%r%u, %%r%u, %%r%u;\n", any(2) ? "min" : "max", r, a, b); break;
    case 13: PUT("mul.lo.s32 %%r%u, %%r%u, %u;\n", r, a, number()); break;
    case 14: PUT("%s.s32 %%r%u, %%r%u, %u;\n", any(2) ? "div" : "rem", r, a, number()); break;
    default: PUT("mad.lo.s32 %%r%u, %%r7, %u, %%r6;\n", r, number()); break;
    }
    w->nregs++;
}

static uint32_t comparison(struct writer *w) {
    static const char *const ops[] = {"lt", "le", "gt", "ge", "eq", "ne"};
    uint32_t p = ++w->npreds;
    PUT("setp.%s.%s32 %%p%u, %%r%u, ", ops[any(any(3) ? 4 : 6)], any(2) ? "u" : "s", p, some(w));
    if (any(2))
        PUT("%%r%u;\n", some(w));
    else
        PUT("%u;\n", number());
    if (p > 1 && !any(4)) {
        PUT("%s.pred %%p%u, %%p%u, %%p%u;\n", any(2) ? "and" : "or", p + 1, p, 1 + any(p - 1));
        p = ++w->npreds;
    }
    return p;
}

static void access(struct writer *w) {
    static const char *const types[] = {"u8", "u16", "u32", "u32", "u32", "u64"};
    uint32_t a = ++w->naddresses, type = any(6), bytes = type == 0 ? 1 : type == 1 ? 2 : type == 5 ? 8 : 4;
    if (any(3)) {
        PUT("mul.wide.%s32 %%rd%u, %%r%u, %u;\n", any(3) ? "s" : "u", 2 * a + 10, some(w),
            any(4) ? bytes : number());
    } else {
        PUT("cvt.%s64.%s32 %%rd%u, %%r%u;\n", "s", any(2) ? "s" : "u", 2 * a + 10, some(w));
        PUT("shl.b64 %%rd%u, %%rd%u, %u;\n", 2 * a + 10, 2 * a + 10, any(4));
    }
    PUT("add.s64 %%rd%u, %%rd1, %%rd%u;\n", 2 * a + 11, 2 * a + 10);
    if (!any(6)) PUT("@%%p%u ", comparison(w));
    if (any(4))
        PUT("st.global.%s [%%rd%u+%u], 0;\n", types[type], 2 * a + 11, bytes * any(3));
    else
        PUT("ld.global.%s %%rd%u, [%%rd%u+%u];\n", types[type], 9, 2 * a + 11, bytes * any(3));
}

static void block(struct writer *w, uint32_t length);

static void guarded(struct writer *w) {
    uint32_t p = comparison(w), label = w->nlabels++, had = w->nregs, preds = w->npreds;
    PUT("@%s%%p%u bra L%u;\n", any(2) ? "!" : "", p, label);
    block(w, 3);
    PUT("L%u:\n", label);
    w->nregs = had; /* what is written there may not have been */
    w->npreds = preds;
}

/* The names of registers written in a loop are not used again behind it, so each has one definition. */
static void loop(struct writer *w) {
    uint32_t i = ++w->nregs, label = w->nlabels++, p;
    static const char *const steps[] = {"1", "3", "32", "%r5", "%r9", "-2"};
    const char *step = steps[any(6)];
    bool first = any(2), down = *step == '-';
    PUT("mov.u32 %%r%u, %%r%u;\nL%u:\n", i, some(w), label);
    if (first)
        PUT("setp.%s.s32 %%p%u, %%r%u, %%r1;\n@%%p%u bra E%u;\n", down ? "lt" : "ge", w->npreds + 1, i,
            w->npreds + 1, label);
    w->npreds++;
    block(w, 3);
    PUT("add.s32 %%r%u, %%r%u, %s;\n", i, i, step);
    if (any(3)) access(w);
    p = ++w->npreds;
    if (first)
        PUT("bra L%u;\nE%u:\n", label, label);
    else
        PUT("setp.%s.s32 %%p%u, %%r%u, %%r1;\n@%%p%u bra L%u;\n", down ? "gt" : "lt", p, i, p, label);
}

static void block(struct writer *w, uint32_t length) {
    w->depth++;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t what = any(10);
        if (what == 0 && w->depth < 3)
            guarded(w);
        else if (what == 1 && w->depth < 3)
            loop(w);
        else if (what < 4 && w->naddresses < ACCESSES)
            access(w);
        else
            operation(w);
    }
    w->depth--;
}

static void write_kernel(struct writer *w) {
    w->nregs = 9;
    PUT(".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 p, .param .u32 n, .param .u32 w)\n{\n"
        "  .reg .b64 %%rd<60>;\n  .reg .b32 %%r<%u>;\n  .reg .pred %%p<%u>;\n  ld.param.u64 %%rd1, [p];\n"
        "  ld.param.u32 %%r1, [n];\n  ld.param.u32 %%r2, [w];\n  mov.u32 %%r3, %%tid.x;\n"
        "  mov.u32 %%r4, %%ctaid.x;\n  mov.u32 %%r5, %%ntid.x;\n  mov.u32 %%r6, %%tid.y;\n"
        "  mov.u32 %%r7, %%ctaid.y;\n  mov.u32 %%r8, %%laneid;\n  mul.lo.s32 %%r9, %%r5, 6;\n",
        REGS, REGS);
    block(w, 8);
    while (w->naddresses < 2) access(w);
    PUT("ret;\n}\n");
}

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
        for (uint32_t i = 0; i < k->ninstrs; i++) step(x, t, &k->instrs[i]);
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

static struct {
    uint32_t kernels, apart, shown, of_forms, known;
} seen;

static void hold(const struct run *x, const char *text) {
    for (uint32_t a = 0; a < x->forms->naccesses; a++) {
        seen.of_forms++;
        seen.known += x->forms->accesses[a].at.known;
        for (uint32_t b = a; b < x->forms->naccesses; b++)
            for (enum wg_form_who who = WG_FORMS_OF_GRID; who <= WG_FORMS_OF_BLOCKS; who++) {
                struct wg_form_question q = {.who = who};
                bool said = wg_forms_apart(x->forms, &x->forms->accesses[a], &x->forms->accesses[b], &q);
                bool truly = !meet(x, a, b, who);
                seen.apart += truly;
                seen.shown += said;
                if (said && !truly)
                    fail_msg("accesses %u and %u are not apart (%d):\n%s", a, b, (int)who, text);
            }
    }
}

static void try(uint64_t number) {
    static const uint32_t shapes[][4] = {
        {32, 1, 4, 1}, {40, 1, 3, 1}, {16, 4, 3, 2}, {64, 1, 5, 1}, {5, 3, 4, 3}};
    struct writer w = {0};
    struct wg_diag d = {0};
    seed = number * 0x9e3779b97f4a7c15u + 1;
    write_kernel(&w);
    struct wg_ir_module *m = wg_ir_from_ptx("k.ptx", w.text.s, w.text.n, &d);
    if (!m) fail_msg("%s\n%s", d.text.s, w.text.s);
    const uint32_t *s = shapes[any(5)], n[2] = {any(300), 1 + any(100)};
    uint8_t params[16];
    memcpy(params, &OUT, 8);
    memcpy(params + 8, n, 8);
    struct wg_form_launch l = {.ntid = {s[0], s[1], 1}, .nctaid = {s[2], s[3], 1}, .params = params};
    struct wg_form_facts *facts = wg_form_facts_new(m, &m->funcs[0]);
    struct run x = {.m = m, .forms = wg_forms_new(facts, &l), .params = params, .l = &l};
    x.touches = wg_xcalloc(TOUCHES, sizeof *x.touches);
    run_all(&x);
    if (!x.too_much) {
        seen.kernels++;
        hold(&x, w.text.s);
    }
    free(x.touches);
    wg_forms_free((struct wg_forms *)x.forms);
    wg_form_facts_free(facts);
    wg_ir_free(m);
    wg_strbuf_free(&w.text);
}

static void random_kernels(void **state) {
    const char *more = getenv("WG_FORMS_SEEDS");
    uint32_t seeds = more ? (uint32_t)atoi(more) : 300;
    for (uint32_t i = 0; i < seeds; i++) try(i);
    print_message("%u kernels, %u of %u accesses have forms, %u of %u pairs apart are shown to be\n",
                  seen.kernels, seen.known, seen.of_forms, seen.shown, seen.apart);
    assert_true(seen.kernels > seeds / 2 && seen.shown > seen.apart / 3);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
