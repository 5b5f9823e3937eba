/* Idioms on a thread's own words: nobody else touches them, so accesses may stand in any order. */
#include "tests/fuzz/idiom.h"
#include <string.h>

enum { MOST_FIELDS = 16 };

struct field {
    const struct type *t;
    uint32_t at;
};
struct layout {
    struct field field[MOST_FIELDS];
    uint32_t n, stride, step; /* step: bytes from one row of structures to the next */
    const char *base, *space;
};

static const char *reg(struct maker *m, const struct type *t, uint32_t n) {
    return format(m, "%%%c%u", t->reg, n);
}

static uint32_t aligned(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }

/* Fields behind each other in a structure for each thread, or a field's words of all threads behind each
 * other. */
static void lay_out(struct maker *m, struct layout *l, bool mixed) {
    const struct type *t = type_any(m);
    uint32_t at = 0, align = 1, total = total_of(m->p);
    bool columns = !mixed && chance(m, 20);
    l->n = 2 + draw(m, chance(m, 60) ? 6 : MOST_FIELDS - 1);
    if (chance(m, 20)) l->n = EITHER(3, 4, 6, 8, 12, 16);
    for (uint32_t k = 0; k < l->n; k++) {
        if (mixed && chance(m, 40)) t = type_any(m);
        at = columns ? k * total * t->bytes : aligned(at, t->bytes);
        l->field[k] = (struct field){t, at};
        at += t->bytes;
        if (t->bytes > align) align = t->bytes;
    }
    if (chance(m, 20)) at += draw(m, 3) * align;
    if (chance(m, 20)) align = 16;
    l->stride = columns ? t->bytes : aligned(at, align);
    l->step = columns ? at : l->stride * total;
    l->base = "%own";
    l->space = chance(m, 85) ? ".global" : "";
}

/* ".global" with or without volatile, which local memory cannot be. */
static const char *how(struct maker *m, const struct layout *l) {
    return strcmp(l->space, ".local") != 0 && chance(m, 4) ? format(m, ".volatile%s", l->space) : l->space;
}
static const char *guard(struct maker *m) {
    return chance(m, 5) ? format(m, "@%s%%p%u ", chance(m, 50) ? "!" : "", draw(m, 8)) : "";
}

static void load(struct maker *m, const struct layout *l, uint32_t f, uint32_t r, uint32_t off) {
    const struct type *t = l->field[f].t;
    S("%sld%s.%s %s, [%s+%d];", guard(m), how(m, l), t->name, reg(m, t, r), l->base, l->field[f].at + off);
}
static void store(struct maker *m, const struct layout *l, uint32_t f, uint32_t r, uint32_t off) {
    const struct type *t = l->field[f].t;
    const char *value = t->reg == 'v' && chance(m, 4) ? format(m, "%u", draw(m, 200)) : reg(m, t, r);
    S("%sst%s.%s [%s+%d], %s;", guard(m), how(m, l), t->name, l->base, l->field[f].at + off, value);
}
static void compute(struct maker *m, const struct type *t, uint32_t d, uint32_t a, uint32_t b) {
    S("%s %s, %s, %s;", operation(m, t), reg(m, t, d), reg(m, t, a), reg(m, t, b));
}

/* Two or four neighbours of one type at once, where they lie so. */
static bool vector(struct maker *m, const struct layout *l, uint32_t f, uint32_t r, uint32_t off) {
    const struct type *t = l->field[f].t;
    uint32_t n = t->bytes <= 4 && chance(m, 50) ? 4 : 2, bytes = n * t->bytes;
    if (f + n > l->n || bytes > 16 || l->stride % bytes || l->field[f].at % bytes || off % bytes ||
        l->step % bytes)
        return false;
    for (uint32_t k = 1; k < n; k++)
        if (l->field[f + k].t != t || l->field[f + k].at != l->field[f].at + k * t->bytes) return false;
    const char *list = n == 2 ? format(m, "{%s, %s}", reg(m, t, r), reg(m, t, r + 1))
                              : format(m, "{%s, %s, %s, %s}", reg(m, t, r), reg(m, t, r + 1),
                                       reg(m, t, r + 2), reg(m, t, r + 3));
    if (chance(m, 50))
        S("%sld%s.v%u.%s %s, [%s+%d];", guard(m), how(m, l), n, t->name, list, l->base, l->field[f].at + off);
    else
        S("%sst%s.v%u.%s [%s+%d], %s;", guard(m), how(m, l), n, t->name, l->base, l->field[f].at + off, list);
    return true;
}

enum { REGISTERS = 20 };
static void frame(struct maker *m, const struct layout *l, bool local) {
    frame_put(m, &(struct frame){.nv = REGISTERS,
                                 .ng = REGISTERS,
                                 .nw = REGISTERS,
                                 .nk = REGISTERS,
                                 .nh = REGISTERS,
                                 .own_stride = local ? 0 : l->stride,
                                 .out_stride = 32,
                                 .local = local});
}

/* What a few registers hold. */
static void results(struct maker *m, const struct layout *l) {
    for (uint32_t k = draw(m, 3); k; k--) {
        const struct type *t = l->field[draw(m, l->n)].t;
        S("st.global.%s [%%out+%u], %s;", t->name, 8 * k, reg(m, t, draw(m, REGISTERS)));
    }
}

/* Anything in any order. */
static void any_order(struct maker *m, const struct layout *l, uint32_t n, uint32_t off) {
    for (uint32_t k = 0; k < n; k++) {
        uint32_t f = draw(m, l->n), r = draw(m, 6), kind = draw(m, 20);
        if (kind < 3 && vector(m, l, f, r, off)) continue;
        if (kind < 9)
            load(m, l, f, r, off);
        else if (kind < 16)
            store(m, l, f, r, off);
        else
            compute(m, l->field[f].t, draw(m, 6), draw(m, 6), r);
    }
}

/* Some fields are read in one order and written in another: to another's place, where the types agree. */
static void in_place(struct maker *m, const struct layout *l, uint32_t off) {
    uint8_t read[MOST_FIELDS], write[MOST_FIELDS], to[MOST_FIELDS];
    uint32_t from = m->into->nkids, n = 1 + draw(m, l->n), kind = draw(m, 5);
    permutation(m, read, l->n, chance(m, 50));
    permutation(m, write, l->n, chance(m, 50));
    permutation(m, to, l->n, chance(m, 50));
    for (uint32_t k = 0; k < n; k++) load(m, l, read[k], read[k], off);
    if (kind == 1)
        for (uint32_t k = 0; k < n; k++) compute(m, l->field[read[k]].t, read[k], read[k], read[n - 1 - k]);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t f = kind == 2 ? l->n - 1 - write[k] : to[write[k]];
        if (l->field[f].t->reg != l->field[write[k]].t->reg) f = write[k];
        store(m, l, f, write[k], off);
    }
    if (kind >= 3) shuffle(m, from, kind == 3);
}

static const char *base_moved(struct maker *m, struct layout *l) {
    if (!chance(m, 25)) return l->base;
    int32_t by = (int32_t)draw(m, 9) * 8 - 32;
    S("add.s64 %%a, %%own, %d;", by);
    for (uint32_t k = 0; k < l->n; k++) l->field[k].at -= (uint32_t)by;
    return "%a";
}

/* A few rounds over rows of structures, which an unrolled loop has behind each other. */
static void over_rows(struct maker *m, struct layout *l,
                      void (*row)(struct maker *m, const struct layout *l, uint32_t off)) {
    uint32_t size = total_of(m->p) * l->stride, fit = size ? FUZZ_WORDS * 4 / size : 1;
    uint32_t unroll = 1 + draw(m, 3), turns = 1 + draw(m, 4);
    struct node *saved;
    while (unroll * turns > fit && turns > 1) turns--;
    if (unroll * turns > fit || l->step % 8) unroll = 1;
    if (l->step != size) unroll = turns = 1;
    if (turns == 1 || chance(m, 30)) {
        for (uint32_t u = 0; u < unroll; u++) row(m, l, u * l->step);
        return;
    }
    loop_begin(m, format(m, "%u", turns), &saved);
    for (uint32_t u = 0; u < unroll; u++) row(m, l, u * l->step);
    S("add.s64 %s, %s, %u;", l->base, l->base, unroll * l->step);
    loop_end(m, saved);
}

static void some(struct maker *m, const struct layout *l, uint32_t off) {
    any_order(m, l, 2 + draw(m, 6), off);
}

void words_structure(struct maker *m) {
    struct layout l;
    shape_any(m, 256);
    lay_out(m, &l, true);
    frame(m, &l, false);
    any_order(m, &l, 3 + draw(m, chance(m, 20) ? 20 : 8), 0);
    results(m, &l);
}

void words_permuted(struct maker *m) {
    struct layout l;
    shape_any(m, 256);
    lay_out(m, &l, chance(m, 30));
    frame(m, &l, false);
    l.base = base_moved(m, &l);
    for (uint32_t rounds = chance(m, 75) ? 1 : 1 + draw(m, 3); rounds; rounds--) in_place(m, &l, 0);
    results(m, &l);
}

void words_rows(struct maker *m) {
    struct layout l;
    shape_any(m, 128);
    lay_out(m, &l, false);
    frame(m, &l, false);
    over_rows(m, &l, chance(m, 50) ? some : in_place);
    results(m, &l);
}

/* Pairs of words are put in order, as a sorting network has them, or a transform's steps in registers or in
 * memory.
 */
void words_network(struct maker *m) {
    struct layout l;
    uint32_t n, bits;
    shape_any(m, 128);
    lay_out(m, &l, false);
    frame(m, &l, false);
    bits = 1 + draw(m, l.n >= 8 && chance(m, 30) ? 3 : l.n >= 4 ? 2 : 1);
    n = 1u << bits;
    const struct type *t = l.field[0].t;
    bool in_memory = chance(m, 40), sort = chance(m, 50) && t->reg != 'h';
    const char *low = format(m, "%s.%s", "min",
                             t->reg == 'g'   ? "f32"
                             : t->reg == 'k' ? "f64"
                             : t->reg == 'w' ? "u64"
                                             : "u32");
    const char *high = format(m, "%s.%s", "max", low + 4);
    const char *sum = operation(m, t), *difference = operation(m, t);
    uint8_t order[MOST_FIELDS];
    permutation(m, order, n, chance(m, 50));
    if (!in_memory)
        for (uint32_t k = 0; k < n; k++) load(m, &l, order[k], order[k], 0);
    for (uint32_t s = 0; s < bits; s++)
        for (uint32_t k = 0; k < n; k++) {
            uint32_t a = k, b = k ^ 1u << s;
            if (b < a) continue;
            if (in_memory) load(m, &l, a, a, 0), load(m, &l, b, b, 0);
            S("%s %s, %s, %s;", sort ? low : sum, reg(m, t, 17), reg(m, t, a), reg(m, t, b));
            S("%s %s, %s, %s;", sort ? high : difference, reg(m, t, b), reg(m, t, a), reg(m, t, b));
            S("mov.b%u %s, %s;", 8u * (t->bytes < 4 && t->reg == 'v' ? 4 : t->bytes), reg(m, t, a),
              reg(m, t, 17));
            if (in_memory) store(m, &l, a, a, 0), store(m, &l, b, b, 0);
        }
    permutation(m, order, n, chance(m, 50));
    if (!in_memory)
        for (uint32_t k = 0; k < n; k++) store(m, &l, chance(m, 20) ? k : order[k], order[k], 0);
    results(m, &l);
}

/* Pixels of bytes or 16 bits: neighbours of an input image, a few together, to a pixel or a word of some. */
void words_image(struct maker *m) {
    uint32_t bytes = EITHER(1, 1, 2), each = EITHER(1, 1, 2, 3, 4), width = 16 + draw(m, 80),
             radius = 1 + draw(m, 2);
    const char *t = bytes == 1 ? (chance(m, 80) ? "u8" : "s8") : chance(m, 50) ? "u16" : "s16";
    const char *nc = chance(m, 30) ? ".nc" : "";
    struct node *saved;
    m->p->data = DATA_INTEGERS;
    shape_any(m, 256);
    frame_put(m, &(struct frame){.nv = 12, .nw = 2, .out_stride = each * bytes});
    S("rem.u32 %%i, %%x, %u;", width);
    S("div.u32 %%j, %%x, %u;", width);
    S("mad.lo.u32 %%e, %%j, %u, %%i;", width + 2 * radius);
    S("rem.u32 %%e, %%e, %u;", FUZZ_IN_WORDS * 4 / bytes / each - 8 * (width + 8));
    S("mul.lo.u32 %%e, %%e, %u;", bytes * each);
    S("cvt.u64.u32 %%a, %%e; add.s64 %%a, %%a, %%in;");
    bool loop = chance(m, 40);
    if (loop) loop_begin(m, format(m, "%u", 1 + draw(m, 4)), &saved);
    uint32_t from = m->into->nkids;
    for (uint32_t n = 1 + draw(m, 6); n; n--) {
        uint32_t v = draw(m, 6);
        S("{ .reg .b32 %%s; ld.global%s.%s %%s, [%%a+%u]; %s %%v%u, %%v%u, %%s; }", nc, t,
          bytes * (draw(m, 2 * radius + each) + draw(m, 3) * width), operation(m, &types[TYPE_U32]), v, v);
    }
    if (chance(m, 30)) S("min.u32 %%v0, %%v0, 255;");
    if (chance(m, 30)) S("shr.u32 %%v1, %%v0, %u;", draw(m, 9));
    if (chance(m, 50)) shuffle(m, from, true);
    if (loop) {
        S("add.s64 %%a, %%a, %u;", bytes * width);
        loop_end(m, saved);
    }
    for (uint32_t k = 0; k < each; k++)
        S("st.global.u%u [%%out+%u], %%v%u;", 8 * bytes, k * bytes, draw(m, 6));
}

/* An array in local memory, with indices that are known or not. */
void words_local(struct maker *m) {
    struct layout l;
    uint32_t turns = draw(m, 3);
    struct node *saved;
    shape_any(m, 128);
    lay_out(m, &l, true);
    frame(m, &l, true);
    l.base = "%mine";
    l.space = ".local";
    uint32_t bytes = aligned(l.stride, 16);
    for (uint32_t k = 0; k < bytes; k += 16)
        S("st.local.v4.u32 [%%mine+%u], {%%x, %%t, %u, %u};", k, k, k + 99);
    if (turns) loop_begin(m, format(m, "%u", turns), &saved);
    for (uint32_t k = 1 + draw(m, 2); k; k--) {
        some(m, &l, 0);
        S("{ .reg .b32 %%s; .reg .b64 %%f; add.u32 %%s, %%%s, %u; and.b32 %%s, %%s, %u; mul.wide.u32 %%f, "
          "%%s, 4; "
          "add.s64 %%f, %%f, %%mine; %s }",
          chance(m, 50) ? "x" : "v1", draw(m, 16), bytes >= 32 ? 7 : 3,
          chance(m, 50) ? "ld.local.u32 %v3, [%f];" : "st.local.u32 [%f], %v2;");
    }
    if (turns) loop_end(m, saved);
    results(m, &l);
    for (uint32_t k = 0; k < 4; k++)
        if (chance(m, 50)) S("ld.local.u32 %%v%u, [%%mine+%u];", k, 16 * draw(m, bytes / 16));
    S("st.global.v4.u32 [%%out+16], {%%v0, %%v1, %%v2, %%v3};");
}

/* A ring of words: an index that comes round, read and written as it goes. */
void words_ring(struct maker *m) {
    uint32_t slots = 2 + draw(m, 14), bytes = EITHER(4, 4, 4, 8);
    struct node *saved;
    const char *t = bytes == 8 ? "u64" : "u32", *r = bytes == 8 ? "w" : "v";
    m->p->data = DATA_INTEGERS;
    shape_any(m, 128);
    frame_put(m, &(struct frame){.nv = 8, .nw = 8, .own_stride = slots * bytes, .out_stride = 16});
    S("%s.u32 %%i, %%%s, %u;", "rem", chance(m, 50) ? "x" : "q0", slots);
    loop_begin(m, format(m, "%u", 2 + draw(m, 2 * slots)), &saved);
    uint32_t from = m->into->nkids;
    S("mul.wide.u32 %%a, %%i, %u; add.s64 %%a, %%a, %%own;", bytes);
    S("ld.global.%s %%%s0, [%%a];", t, r);
    S("add.%s %%%s1, %%%s1, %%%s0;", t, r, r, r);
    S("xor.b%u %%%s2, %%%s1, %%%s2;", 8 * bytes, r, r, r);
    S("st.global.%s [%%a], %%%s%u;", t, r, draw(m, 3));
    if (slots & (slots - 1))
        S("add.u32 %%i, %%i, %u; setp.ge.u32 %%p1, %%i, %u; @%%p1 sub.u32 %%i, %%i, %u;",
          1 + draw(m, slots - 1), slots, slots);
    else
        S("add.u32 %%i, %%i, %u; and.b32 %%i, %%i, %u;", 1 + draw(m, 3), slots - 1);
    if (chance(m, 50)) shuffle(m, from, true);
    loop_end(m, saved);
    S("st.global.%s [%%out], %%%s1;", t, r);
    S("st.global.%s [%%out+8], %%%s2;", t, r);
}
