/* See random_kernel.h. */
#include "tests/check/random_kernel.h"
#include <stdbool.h>
#include <stdio.h>

enum { ACCESSES = 8 };

static uint64_t seed;
static uint32_t any(uint32_t n) { /* below n */
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

/* ---- kernels ---- */

static uint32_t some(const struct random_kernel *w) { return 1 + any(w->nregs); }
static uint32_t number(void) {
    static const uint32_t n[] = {1, 2, 3, 4, 7, 8, 12, 16, 31, 32, 33, 64, 100, 128, 4096};
    return n[any(sizeof n / sizeof *n)];
}

#define PUT(...) wg_strbuf_printf(&w->text, __VA_ARGS__)

static void operation(struct random_kernel *w) {
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

static uint32_t comparison(struct random_kernel *w) {
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

static void access(struct random_kernel *w) {
    static const char *const types[] = {"u8", "u16", "u32", "u32", "u32", "u64"};
    const char *space = w->shared ? "shared" : "global";
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
        PUT("st.%s.%s [%%rd%u+%u], 0;\n", space, types[type], 2 * a + 11, bytes * any(3));
    else
        PUT("ld.%s.%s %%rd%u, [%%rd%u+%u];\n", space, types[type], 9, 2 * a + 11, bytes * any(3));
}

static void block(struct random_kernel *w, uint32_t length);

static void guarded(struct random_kernel *w) {
    uint32_t p = comparison(w), label = w->nlabels++, had = w->nregs, preds = w->npreds;
    bool parted = w->parted;
    uint32_t joins = any(2) ? ++w->nregs : 0; /* one of two values */
    had += joins != 0;
    if (joins) PUT("mov.u32 %%r%u, %%r%u;\n", joins, 1 + any(joins - 1));
    PUT("@%s%%p%u bra L%u;\n", any(2) ? "!" : "", p, label);
    w->parted = true;
    block(w, 3);
    w->parted = parted;
    if (joins && any(2))
        PUT("add.s32 %%r%u, %%r%u, %u;\n", joins, some(w), number());
    else if (joins)
        PUT("mov.u32 %%r%u, %%r%u;\n", joins, some(w));
    PUT("L%u:\n", label);
    w->nregs = had; /* what is written there may not have been */
    w->npreds = preds;
}

enum { WIDE = 100 }; /* %rd100 and so on: counters of 64 bits, three registers each */

/* An int that is kept in 64 bits, as a step of 64 bits is added to it: extended, stepped, and cut. */
static void step_wide(struct random_kernel *w, uint32_t wide, const char *step) {
    PUT("cvt.s64.s32 %%rd%u, %%rd%u;\n", wide + 1, wide);
    if (*step == '%')
        PUT("cvt.u64.u32 %%rd%u, %s;\n", wide + 2, step);
    else
        PUT("mov.u64 %%rd%u, %s;\n", wide + 2, step);
    PUT("add.s64 %%rd%u, %%rd%u, %%rd%u;\n", wide, wide + 1, wide + 2);
}

static void begin_loop(struct random_kernel *w, uint32_t i, uint32_t label, bool same, uint32_t wide) {
    if (same)
        PUT("mov.u32 %%r%u, %u;\nL%u:\n", i, number(), label);
    else if (wide)
        PUT("cvt.%s32 %%rd%u, %%r%u;\nL%u:\ncvt.u32.u64 %%r%u, %%rd%u;\n", any(2) ? "s64.s" : "u64.u", wide,
            some(w), label, i, wide);
    else
        PUT("mov.u32 %%r%u, %%r%u;\nL%u:\n", i, some(w), label);
}

/* The names of registers written in a loop are not used again behind it, so each has one definition. */
static void loop(struct random_kernel *w) {
    uint32_t i = ++w->nregs, label = w->nlabels++, p, tested = i;
    static const char *const steps[] = {"1", "3", "32", "%r5", "%r9", "-2"};
    const char *step = steps[any(6)];
    bool first = any(2), down = *step == '-', parted = w->parted, same = w->shared && any(4);
    uint32_t wide = !same && !any(3) && label < 25 ? WIDE + 3 * label : 0;
    begin_loop(w, i, label, same, wide);
    w->parted |= !same;
    if (first)
        PUT("setp.%s.s32 %%p%u, %%r%u, %%r1;\n@%%p%u bra E%u;\n", down ? "lt" : "ge", w->npreds + 1, i,
            w->npreds + 1, label);
    w->npreds++;
    block(w, 3);
    if (wide)
        step_wide(w, wide, step);
    else
        PUT("add.s32 %%r%u, %%r%u, %s;\n", i, i, step);
    if (wide && !first) PUT("cvt.u32.u64 %%r%u, %%rd%u;\n", tested = ++w->nregs, wide);
    if (any(3)) access(w);
    if (w->shared && !w->parted && any(4)) PUT("bar.sync 0;\n");
    w->parted = parted;
    p = ++w->npreds;
    if (first)
        PUT("bra L%u;\nE%u:\n", label, label);
    else
        PUT("setp.%s.s32 %%p%u, %%r%u, %%r1;\n@%%p%u bra L%u;\n", down ? "gt" : "lt", p, tested, p, label);
}

/* What an unrolled loop leaves, in which a compiler compares for equality alone: eight at a time, or the rest, and a
 * register that each turn writes for the next one. */
static void of_eight(struct random_kernel *w) {
    uint32_t most = ++w->nregs, i = ++w->nregs, last = ++w->nregs, label = w->nlabels++, p = ++w->npreds;
    bool rest = any(2), parted = w->parted;
    PUT("and.b32 %%r%u, %%r%u, %u;\nsetp.eq.u32 %%p%u, %%r%u, 0;\n", most, 1 + any(most - 1), rest ? 7 : 56,
        p, most);
    PUT("mov.u32 %%r%u, %%r%u;\nmov.u32 %%r%u, ", last, 1 + any(most), i);
    if (rest)
        PUT("%%r%u;\n@%%p%u bra E%u;\nL%u:\n", most, p, label, label);
    else
        PUT("0;\n@%%p%u bra E%u;\nL%u:\n", p, label, label);
    w->parted = true;
    block(w, 3);
    if (any(2)) PUT("mov.u32 %%r%u, %%r%u;\n", last, any(2) ? i : some(w));
    w->parted = parted;
    PUT("add.s32 %%r%u, %%r%u, %d;\nsetp.ne.s32 %%p%u, %%r%u, ", i, i, rest ? -1 : 8, ++w->npreds, i);
    if (rest)
        PUT("0;\n@%%p%u bra L%u;\nE%u:\n", w->npreds, label, label);
    else
        PUT("%%r%u;\n@%%p%u bra L%u;\nE%u:\n", most, w->npreds, label, label);
    w->nregs = last;
    w->npreds = p;
}

/* A register that is shifted each turn: at its beginning or end, in place or by way of another one. It comes
 * to an end: to the left from 1 at least and not beyond 32 bits, to the right without a sign. */
static void shifted(struct random_kernel *w) {
    uint32_t i = ++w->nregs, copy = ++w->nregs, label = w->nlabels++, p;
    bool left = any(2), in_place = any(2), early = any(2), reads_copy = any(2),
         far = left && !w->tame && !any(4);
    uint32_t made = in_place ? i : ++w->nregs;
    bool parted = w->parted;
    char shift[100];
    w->parted = true;
    snprintf(shift, sizeof shift, "%s %%r%u, %%r%u, %u;\n",
             left     ? "shl.b32"
             : any(2) ? "shr.s32"
                      : "shr.u32",
             made, reads_copy ? copy : i, 1 + any(3));
    if (any(2))
        PUT("mov.u32 %%r%u, %u;\n", i, left ? 1 + any(3) : number());
    else
        PUT("%s %%r%u, %%r%u, %u;\n", left ? "max.u32" : "and.b32", i, 1 + any(9), left ? 1 : 63);
    PUT("L%u:\nmov.u32 %%r%u, %%r%u;\n", label, copy, i);
    if (!in_place || early) PUT("%s", shift);
    if (!in_place && early) PUT("mov.u32 %%r%u, %%r%u;\n", i, made);
    block(w, 3);
    if (in_place && !early) PUT("%s", shift);
    if (!in_place && !early) PUT("mov.u32 %%r%u, %%r%u;\n", i, made);
    p = ++w->npreds;
    if (left)
        PUT("setp.%s.%s32 %%p%u, %%r%u, ", any(2) ? "lt" : "le", far || any(2) ? "u" : "s", p,
            !any(4)  ? copy
            : any(2) ? made
                     : i);
    else
        PUT("setp.%s.u32 %%p%u, %%r%u, ", any(2) ? "gt" : "ge", p, any(2) ? copy : i);
    if (far)
        PUT("%u;\n", UINT32_C(1) << (26 + any(3)));
    else if (left && any(2))
        PUT("%%r5;\n");
    else
        PUT("%u;\n", left ? number() : 1 + any(4));
    PUT("@%%p%u bra L%u;\n", p, label);
    w->parted = parted;
}

static void block(struct random_kernel *w, uint32_t length) {
    w->depth++;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t what = any(10);
        if (what == 0 && w->depth < 3)
            guarded(w);
        else if (what == 1 && w->depth < 3)
            loop(w);
        else if (what == 2 && w->depth < 3 && !any(2))
            shifted(w);
        else if (what == 3 && w->depth < 3 && !any(2))
            of_eight(w);
        else if (what > 7 && w->shared && !w->parted)
            PUT("bar.sync 0;\n");
        else if (what < (w->shared ? 6 : 4) && w->naddresses < ACCESSES)
            access(w);
        else
            operation(w);
    }
    w->depth--;
}

void random_kernel_write(struct random_kernel *w, uint64_t number) {
    static const uint32_t shapes[][4] = {
        {32, 1, 4, 1}, {40, 1, 3, 1}, {16, 4, 3, 2}, {64, 1, 5, 1}, {5, 3, 4, 3}};
    seed = number * 0x9e3779b97f4a7c15u + 1;
    w->nregs = 9;
    PUT(".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 p, .param .u32 n, .param .u32 w)\n{\n"
        "  .reg .b64 %%rd<180>;\n  .reg .b32 %%r<%u>;\n  .reg .pred %%p<%u>;\n  ld.param.u64 %%rd1, [p];\n"
        "%s  ld.param.u32 %%r1, [n];\n  ld.param.u32 %%r2, [w];\n  mov.u32 %%r3, %%tid.x;\n"
        "  mov.u32 %%r4, %%ctaid.x;\n  mov.u32 %%r5, %%ntid.x;\n  mov.u32 %%r6, %%tid.y;\n"
        "  mov.u32 %%r7, %%ctaid.y;\n  mov.u32 %%r8, %%laneid;\n  mul.lo.s32 %%r9, %%r5, 6;\n",
        RANDOM_REGS, RANDOM_REGS,
        w->shared
            ? "  .shared .align 8 .b8 tile[16384];\n  mov.u64 %rd1, tile;\n  add.s64 %rd1, %rd1, 8192;\n"
            : "");
    block(w, 8);
    while (w->naddresses < 2) access(w);
    PUT("ret;\n}\n");
    const uint32_t *s = shapes[any(5)];
    w->ntid[0] = s[0], w->ntid[1] = s[1], w->nctaid[0] = s[2], w->nctaid[1] = s[3];
    w->ntid[2] = w->nctaid[2] = 1;
    w->n = any(300);
    w->w = 1 + any(100);
}
