/* Single statements of generated programs: arithmetic of all kinds, memory, lanes together, barriers. */
#include "tests/generated/draw.h"
#include <stdarg.h>
#include <stdio.h>

uint32_t draw(struct maker *m, uint32_t below) { /* xorshift64* */
    m->random ^= m->random >> 12;
    m->random ^= m->random << 25;
    m->random ^= m->random >> 27;
    return (uint32_t)((m->random * UINT64_C(2685821657736338717)) >> 33) % below;
}
bool chance(struct maker *m, uint32_t percent) { return draw(m, 100) < percent; }

const char *format(struct maker *m, const char *fmt, ...) {
    char b[4096];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(b, sizeof b, fmt, ap);
    va_end(ap);
    return wg_arena_strdup(m->a, b);
}

struct node *text_node(struct maker *m, const char *text) {
    struct node *n = node_new(m->a, NODE_TEXT, m->serial++);
    n->text = text;
    return n;
}

/* ---- operands ---- */

const char *any_v(struct maker *m) { return format(m, "%%v%u", draw(m, NV)); }
static const char *any_w(struct maker *m) { return format(m, "%%w%u", draw(m, NW)); }
static const char *any_g(struct maker *m) { return format(m, "%%g%u", draw(m, NG)); }
static const char *any_k(struct maker *m) { return format(m, "%%k%u", draw(m, NK)); }

const char *any_u32(struct maker *m) {
    static const uint32_t numbers[] = {0,  1,   2,      3,      7,      8,          15,         31,        32,
                                       33, 255, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
    switch (draw(m, 10)) {
    case 0: return format(m, "%%q%u", draw(m, NQ));
    case 1: return "%tx";
    case 2: return "%x";
    case 3: return format(m, "0x%x", numbers[draw(m, sizeof numbers / sizeof *numbers)]);
    case 4: return format(m, "%u", draw(m, 100));
    default: return any_v(m);
    }
}
static const char *one_of(struct maker *m, const char *const *of, uint32_t n) { return of[draw(m, n)]; }
#define ONE_OF(m, array) one_of(m, array, sizeof(array) / sizeof *(array))

static const char *const integer_compare[] = {"eq.u32", "ne.u32", "lt.u32", "le.u32", "gt.u32",
                                              "ge.u32", "lt.s32", "le.s32", "gt.s32", "ge.s32"};
const char *condition(struct maker *m, const char *p) {
    static const char *const floats[] = {"lt.f32", "gt.f32", "geu.f32", "neu.f32", "nan.f32", "le.ftz.f32"};
    switch (draw(m, 6)) {
    case 0: return format(m, "  setp.%s %s, %s, %s;\n", ONE_OF(m, floats), p, any_g(m), any_g(m));
    case 1: return format(m, "  setp.lt.s64 %s, %s, %s;\n", p, any_w(m), any_w(m));
    case 2:
        return format(m, "  { .reg .b32 %%t; and.b32 %%t, %s, %u; setp.eq.u32 %s, %%t, %u; }\n", any_v(m),
                      1u << draw(m, 4), p, 0);
    case 3: return format(m, "  setp.lt.u32 %s, %%lane, %u;\n", p, draw(m, 33));
    default: return format(m, "  setp.%s %s, %s, %s;\n", ONE_OF(m, integer_compare), p, any_v(m), any_u32(m));
    }
}
const char *uniform_condition(struct maker *m, const char *p) {
    return format(m, "  setp.%s %s, %%q%u, %u;\n", ONE_OF(m, integer_compare), p, draw(m, NQ), draw(m, 20));
}

/* ---- arithmetic ---- */

static const char *integers(struct maker *m) {
    static const char *const two[] = {
        "add.u32", "sub.s32", "mul.lo.s32", "mul.hi.u32", "mul.hi.s32", "and.b32",     "or.b32",
        "xor.b32", "min.s32", "max.u32",    "min.u32",    "max.s32",    "shl.b32",     "shr.u32",
        "shr.s32", "div.u32", "rem.u32",    "div.s32",    "rem.s32",    "add.sat.s32", "sub.sat.s32"};
    static const char *const one[] = {"not.b32",  "neg.s32",   "abs.s32",  "popc.b32", "clz.b32",
                                      "brev.b32", "bfind.u32", "cnot.b32", "mov.b32"};
    static const char *const three[] = {"mad.lo.u32",     "mad.hi.s32",      "sad.s32",      "prmt.b32",
                                        "shf.l.wrap.b32", "shf.r.clamp.b32", "dp4a.u32.u32", "mad24.lo.s32"};
    switch (draw(m, 6)) {
    case 5:
        return format(m, "bfe.%s %s, %s, %s, %u;", chance(m, 50) ? "u32" : "s32", any_v(m), any_v(m),
                      any_v(m), draw(m, 40));
    case 0: return format(m, "%s %s, %s;", ONE_OF(m, one), any_v(m), any_v(m));
    case 1:
        return format(m, "%s %s, %s, %s, %s;", ONE_OF(m, three), any_v(m), any_v(m), any_u32(m), any_u32(m));
    case 2:
        return format(m, "lop3.b32 %s, %s, %s, %s, 0x%x;", any_v(m), any_v(m), any_v(m), any_u32(m),
                      draw(m, 256));
    default: return format(m, "%s %s, %s, %s;", ONE_OF(m, two), any_v(m), any_v(m), any_u32(m));
    }
}
static const char *long_integers(struct maker *m) {
    static const char *const two[] = {"add.u64", "sub.s64", "mul.lo.s64", "mul.hi.u64", "and.b64",
                                      "xor.b64", "min.s64", "max.u64",    "div.u64",    "rem.s64"};
    switch (draw(m, 7)) {
    case 0: return format(m, "cvt.u32.u64 %s, %s;", any_v(m), any_w(m));
    case 1: return format(m, "cvt.s64.s32 %s, %s;", any_w(m), any_v(m));
    case 2:
        return format(m, "mul.wide.%s %s, %s, %s;", chance(m, 50) ? "u32" : "s32", any_w(m), any_v(m),
                      any_v(m));
    case 3: return format(m, "mov.b64 %s, {%s, %s};", any_w(m), any_v(m), any_v(m));
    case 4: return format(m, "shr.s64 %s, %s, %s;", any_w(m), any_w(m), any_u32(m));
    case 5: return format(m, "mad.wide.s32 %s, %s, %s, %s;", any_w(m), any_v(m), any_v(m), any_w(m));
    default: return format(m, "%s %s, %s, %s;", ONE_OF(m, two), any_w(m), any_w(m), any_w(m));
    }
}
/* Lists whose last entries may be fused with others, or are approximate: not for exact programs. */
#define EXACT_OF(m, array, inexact)                                                                          \
    one_of(m, array, sizeof(array) / sizeof *(array) - ((m)->p->exact ? (inexact) : 0))

static const char *floats(struct maker *m) {
    static const char *const two[] = {"add.rn.f32", "sub.rn.f32", "mul.rn.f32", "mul.rn.ftz.f32",
                                      "div.rn.f32", "min.f32",    "max.f32",    "add.rz.f32",
                                      "add.f32",    "sub.f32",    "mul.f32",    "div.approx.f32"};
    static const char *const one[] = {
        "sqrt.rn.f32",     "rcp.rn.f32",         "neg.f32",        "abs.f32",          "cvt.rni.f32.f32",
        "cvt.sat.f32.f32", "ex2.approx.ftz.f32", "sin.approx.f32", "rsqrt.approx.f32", "lg2.approx.f32"};
    switch (draw(m, 8)) {
    case 0: return format(m, "%s %s, %s;", EXACT_OF(m, one, 4), any_g(m), any_g(m));
    case 1: return format(m, "fma.rn.f32 %s, %s, %s, %s;", any_g(m), any_g(m), any_g(m), any_g(m));
    case 2: return format(m, "cvt.rn.f32.%s %s, %s;", chance(m, 50) ? "s32" : "u32", any_g(m), any_v(m));
    case 3:
        return format(m, "cvt.%s.%s.f32 %s, %s;", chance(m, 50) ? "rzi" : "rni",
                      chance(m, 50) ? "s32" : "u32", any_v(m), any_g(m));
    case 4: return format(m, "mov.f32 %s, 0f%08X;", any_g(m), 0x3f000000 + (draw(m, 64) << 18));
    case 5:
        return format(m, "{ .reg .b16 %%h; cvt.rn.f16.f32 %%h, %s; cvt.f32.f16 %s, %%h; }", any_g(m),
                      any_g(m));
    default: return format(m, "%s %s, %s, %s;", EXACT_OF(m, two, 4), any_g(m), any_g(m), any_g(m));
    }
}
static const char *doubles(struct maker *m) {
    static const char *const two[] = {"add.rn.f64", "sub.rn.f64", "mul.rn.f64", "div.rn.f64", "min.f64",
                                      "max.f64",    "mul.rp.f64", "add.f64",    "sub.f64",    "mul.f64"};
    switch (draw(m, 6)) {
    case 0: return format(m, "cvt.f64.f32 %s, %s;", any_k(m), any_g(m));
    case 1: return format(m, "cvt.rn.f32.f64 %s, %s;", any_g(m), any_k(m));
    case 2: return format(m, "cvt.rn.f64.s32 %s, %s;", any_k(m), any_v(m));
    case 3: return format(m, "cvt.rzi.s32.f64 %s, %s;", any_v(m), any_k(m));
    case 4: return format(m, "fma.rn.f64 %s, %s, %s, %s;", any_k(m), any_k(m), any_k(m), any_k(m));
    default: return format(m, "%s %s, %s, %s;", EXACT_OF(m, two, 3), any_k(m), any_k(m), any_k(m));
    }
}
/* A float's bits as an integer, NaNs made one. */
static const char *bits_of_float(struct maker *m) {
    const char *g = any_g(m);
    return format(m, "{ .reg .pred %%c; setp.nan.f32 %%c, %s, %s; selp.b32 %s, 0x7fffffff, %s, %%c; }", g, g,
                  any_v(m), g);
}
static const char *selections(struct maker *m) {
    switch (draw(m, 4)) {
    case 0: return format(m, "slct.u32.s32 %s, %s, %s, %s;", any_v(m), any_v(m), any_u32(m), any_v(m));
    case 1:
        return format(
            m, "{ .reg .b32 %%t, %%s; add.cc.u32 %%t, %s, %s; addc.u32 %%s, %s, 0; xor.b32 %s, %%t, %%s; }",
            any_v(m), any_v(m), any_v(m), any_v(m));
    case 2: return format(m, "mad.lo.u32 %s, %%tx, %u, %s;", any_v(m), draw(m, 9), any_u32(m));
    default: return format(m, "set.lt.u32.s32 %s, %s, %s;", any_v(m), any_v(m), any_u32(m));
    }
}

struct node *simple(struct maker *m, const struct place *at) {
    const char *s;
    switch (draw(m, 12)) {
    case 0:
    case 1: s = long_integers(m); break;
    case 2:
    case 3: s = floats(m); break;
    case 4: s = doubles(m); break;
    case 5: s = bits_of_float(m); break;
    case 6: s = selections(m); break;
    default: s = integers(m); break;
    }
    if (s[0] != '{' && chance(m, 12)) {
        const char *p = format(m, "%%c%u", m->serial++);
        return text_node(m, format(m, "  .reg .pred %s;\n%s  @%s%s %s\n", p, condition(m, p),
                                   chance(m, 30) ? "!" : "", p, s));
    }
    if (s[0] != '{' && chance(m, 15)) { /* selp */
        const char *p = format(m, "%%c%u", m->serial++);
        return text_node(m, format(m, "  .reg .pred %s;\n%s  selp.b32 %s, %s, %s, %s;\n", p, condition(m, p),
                                   any_v(m), any_v(m), any_u32(m), p));
    }
    return text_node(m, format(m, "  %s\n", s));
}

/* ---- memory ---- */

/* A word of `in`: %a becomes its address. */
static const char *input_address(struct maker *m, uint32_t align) {
    const char *index;
    switch (draw(m, 5)) {
    case 0: index = format(m, "add.u32 %%i, %%x, %u;", draw(m, 64)); break;
    case 1: index = format(m, "mad.lo.u32 %%i, %%x, %u, %u;", draw(m, 8), draw(m, 64)); break;
    case 2: index = format(m, "add.u32 %%i, %%q%u, %u;", draw(m, NQ), draw(m, 64)); break;
    case 3: index = format(m, "mad.lo.u32 %%i, %%ty, %u, %%tx;", draw(m, 40)); break;
    default: index = format(m, "mov.u32 %%i, %s;", any_v(m)); break;
    }
    return format(m,
                  ".reg .b32 %%i; .reg .b64 %%a; %s and.b32 %%i, %%i, 0x%x; mul.wide.u32 %%a, %%i, 4; "
                  "add.s64 %%a, %%in, %%a;",
                  index, (IN_WORDS - 1) & ~(align - 1));
}
static const char *read_input(struct maker *m) {
    switch (draw(m, 5)) {
    case 0: return format(m, "  { %s ld.global.v2.u32 {%%v0, %%v5}, [%%a]; }\n", input_address(m, 2));
    case 1:
        return format(m, "  { %s ld.global.nc.v4.u32 {%%v1, %%v2, %%v3, %%v4}, [%%a]; }\n",
                      input_address(m, 4));
    case 2:
        return format(m, "  { %s ld.global.%s %s, [%%a+%u]; }\n", input_address(m, 1),
                      chance(m, 50) ? "u8" : "s16", any_v(m), 2 * draw(m, 2));
    case 3: return format(m, "  { %s ld.b32 %s, [%%a]; }\n", input_address(m, 1), any_v(m));
    default: return format(m, "  { %s ld.global.u32 %s, [%%a]; }\n", input_address(m, 1), any_v(m));
    }
}
/* The thread's own words, in global, local or shared memory. */
static const char *own_address(struct maker *m, uint32_t align, bool *is_local) {
    *is_local = chance(m, 30);
    const char *base = *is_local ? "%mine" : "%own";
    if (chance(m, 50))
        return format(m, ".reg .b64 %%a; add.s64 %%a, %s, %u;", base, 4 * align * draw(m, OWN_WORDS / align));
    return format(
        m,
        ".reg .b32 %%i; .reg .b64 %%a; and.b32 %%i, %s, %u; mul.wide.u32 %%a, %%i, 4; add.s64 %%a, %s, %%a;",
        any_v(m), (OWN_WORDS - 1) & ~(align - 1), base);
}
static const char *own_memory(struct maker *m) {
    bool local;
    const char *a = own_address(m, 1, &local), *space = local ? "local" : "global";
    switch (draw(m, 8)) {
    case 0: return format(m, "  { %s ld.%s.u32 %s, [%%a]; }\n", a, space, any_v(m));
    case 1: return format(m, "  { %s st.%s.u16 [%%a+2], %s; }\n", a, space, any_v(m));
    case 2:
        a = own_address(m, 2, &local);
        return format(m, "  { %s st.%s.u64 [%%a], %s; }\n", a, local ? "local" : "global", any_w(m));
    case 3:
        a = own_address(m, 4, &local);
        return format(m, "  { %s st.%s.v4.u32 [%%a], {%s, %s, %s, %s}; }\n", a, local ? "local" : "global",
                      any_v(m), any_v(m), any_v(m), any_v(m));
    case 4:
        a = own_address(m, 2, &local);
        return format(m, "  { %s ld.%s.u64 %s, [%%a]; }\n", a, local ? "local" : "global", any_w(m));
    case 5:
        return local ? format(m, "  { %s cvta.local.u64 %%a, %%a; st.u32 [%%a], %s; }\n", a, any_v(m))
                     : format(m, "  { %s atom.global.%s.u32 %s, [%%a], %s; }\n", a,
                              chance(m, 50) ? "add" : "max", any_v(m), any_u32(m));
    default: return format(m, "  { %s st.%s.u32 [%%a], %s; }\n", a, space, any_v(m));
    }
}
static const char *count(struct maker *m) {
    return format(m,
                  "  { .reg .b32 %%i; .reg .b64 %%a; and.b32 %%i, %s, %u; mul.wide.u32 %%a, %%i, 4; add.s64 "
                  "%%a, %%counts, %%a;"
                  " red.global.add.u32 [%%a], %s; }\n",
                  any_v(m), chance(m, 30) ? 0 : COUNT_WORDS - 1, any_u32(m));
}
struct node *memory(struct maker *m, const struct place *at) {
    switch (draw(m, 7)) {
    case 0:
    case 1:
    case 2: return text_node(m, read_input(m));
    case 3: return text_node(m, count(m));
    default: return text_node(m, own_memory(m));
    }
}

/* ---- lanes together ---- */

/* A lane that is not there, or somewhere else, gives 0. */
static const char *shuffle(struct maker *m, const char *mask) {
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    uint32_t mode = draw(m, 4), segment = chance(m, 70) ? 0 : (0x1f00u << draw(m, 5)) & 0x1f00;
    const char *by = chance(m, 60) ? format(m, "%u", draw(m, 32)) : any_v(m);
    const char *what = chance(m, 15) ? one_of(m, (const char *const[]){"%q0", "%tx", "%lane"}, 3) : any_v(m);
    return format(m,
                  "  { .reg .b32 %%t, %%p; .reg .pred %%c; shfl.sync.%s.b32 %%t|%%c, %s, %s, 0x%x, %s; "
                  "selp.b32 %%p, 1, 0, %%c; add.u32 %s, %%t, %%p; }\n",
                  modes[mode], what, by, segment | (mode == 0 ? 0 : 31), mask, any_v(m));
}

struct node *together(struct maker *m, const struct place *at) {
    const char *mask = at->mask, *p = format(m, "%%c%u", m->serial++);
    static const char *const reductions[] = {"add.u32", "min.s32", "max.u32", "and.b32", "xor.b32"};
    bool any_size = m->p->seed >= ANY_SIZE_FROM;
    uint32_t kind = draw(m, at->exits && !any_size ? 5 : 8);
    if (kind >= 6 && any_size) return text_node(m, shuffle(m, mask));
    switch (kind) {
    case 0:
        return text_node(m, format(m, "  .reg .pred %s;\n%s  vote.sync.ballot.b32 %s, %s, %s;\n", p,
                                   condition(m, p), any_v(m), p, mask));
    case 1:
        return text_node(
            m, format(m, "  .reg .pred %s;\n%s  vote.sync.%s.pred %s, %s, %s;\n  selp.b32 %s, %s, %s, %s;\n",
                      p, condition(m, p), chance(m, 50) ? "any" : "all", p, p, mask, any_v(m), any_v(m),
                      any_u32(m), p));
    case 2:
        return text_node(
            m, format(m, "  redux.sync.%s %s, %s, %s;\n", ONE_OF(m, reductions), any_v(m), any_v(m), mask));
    case 3:
        return text_node(
            m, format(m, "  { .reg .b32 %%t; and.b32 %%t, %s, 3; match.any.sync.b32 %s, %%t, %s; }\n",
                      any_v(m), any_v(m), mask));
    case 4: return text_node(m, format(m, "  bar.warp.sync %s;\n", mask));
    case 5: /* from the lowest lane of the mask, which is there */
        return text_node(m, format(m,
                                   "  { .reg .b32 %%t; brev.b32 %%t, %s; clz.b32 %%t, %%t; and.b32 %%t, %%t, "
                                   "31; shfl.sync.idx.b32 %s, %s, %%t, 31, %s; }\n",
                                   at->mask[0] == '-' ? "%all" : mask, any_v(m), any_v(m), mask));
    default: { /* what comes from a lane that is not there is thrown away */
        static const char *const modes[] = {"up", "down", "bfly", "idx"};
        uint32_t mode = draw(m, 4);
        const char *by = chance(m, 60) ? format(m, "%u", draw(m, 32)) : any_v(m);
        const char *from = mode == 0   ? "sub.u32 %s, %lane, %j;"
                           : mode == 1 ? "add.u32 %s, %lane, %j;"
                           : mode == 2 ? "xor.b32 %s, %lane, %j;"
                                       : "mov.u32 %s, %j;";
        return text_node(m, format(m,
                                   "  { .reg .b32 %%t, %%s, %%j; .reg .pred %%c, %%d; and.b32 %%j, %s, 31; "
                                   "shfl.sync.%s.b32 %%t|%%c, %s, %%j, %s, %s;\n"
                                   "    %s and.b32 %%s, %%s, 31; shr.u32 %%s, %s, %%s; and.b32 %%s, %%s, 1; "
                                   "setp.eq.and.u32 %%d, %%s, 1, %%c; selp.b32 %s, %%t, %s, %%d; }\n",
                                   by, modes[mode], any_v(m), mode == 0 ? "0" : "31", mask, from,
                                   at->mask[0] == '-' ? "%all" : mask, any_v(m), any_v(m)));
    }
    }
}

/* ---- barriers ---- */

struct node *exchange(struct maker *m, const struct place *at) {
    uint32_t id = chance(m, 70) ? 0 : 1 + draw(m, 14);
    if (at->exits || chance(m, 25)) { /* a count of the block */
        const char *p = format(m, "%%c%u", m->serial++);
        return text_node(m, format(m, "  .reg .pred %s;\n%s  barrier.red.popc.u32 %s, %u, %s;\n", p,
                                   condition(m, p), any_v(m), id, p));
    }
    const char *from;
    switch (draw(m, 3)) {
    case 0: from = format(m, "add.u32 %%i, %%t, %u; rem.u32 %%i, %%i, %%threads;", draw(m, 64)); break;
    case 1: from = "sub.u32 %i, %threads, 1; sub.u32 %i, %i, %t;"; break;
    default: from = format(m, "rem.u32 %%i, %s, %%threads;", any_v(m)); break;
    }
    return text_node(m, format(m,
                               "  bar.sync %u;\n  { .reg .b32 %%i, %%a; shl.b32 %%a, %%t, 2; add.u32 %%a, "
                               "%%a, %%cells; st.shared.b32 [%%a], %s;\n"
                               "    bar.sync %u;\n    %s shl.b32 %%a, %%i, 2; add.u32 %%a, %%a, %%cells; "
                               "ld.shared.b32 %s, [%%a]; }\n  bar.sync %u;\n",
                               id, any_v(m), id, from, any_v(m), id));
}
