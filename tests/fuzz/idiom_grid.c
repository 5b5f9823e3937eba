/* Idioms of whole grids: strides, stencils in global memory, histograms, hash tables, gathers. */
#include "tests/fuzz/idiom.h"

static const char *reg(struct maker *m, const struct type *t, uint32_t n) {
    return format(m, "%%%c%u", t->reg, n);
}

/* for (i = x; i < n; i += threads of the grid), in one of the compilers' forms, some elements a turn. */
void grid_stride(struct maker *m) {
    const struct type *t = type_any(m);
    shape_any(m, 256);
    uint32_t total = total_of(m->p),
             most = 4 * total < FUZZ_IN_WORDS * 4 / t->bytes ? 4 * total : FUZZ_IN_WORDS * 4 / t->bytes;
    uint32_t n = draw(m, most + 1), unroll = chance(m, 70) ? 1 : 2, s = m->serial++;
    bool by_pointer = chance(m, 50);
    const char *bound = chance(m, 50) ? "%q1" : format(m, "%u", n);
    if (m->p->q[1] > most) m->p->q[1] = most;
    frame_put(m, &(struct frame){.nv = 8, .ng = 8, .nw = 8, .nk = 8, .nh = 8});
    S("setp.ge.%s %%p0, %%x, %s; @%%p0 bra DONE;", chance(m, 50) ? "s32" : "u32", bound);
    S("mov.u32 %%i, %%x; mul.wide.u32 %%d, %%x, %u; add.s64 %%a, %%in, %%d; add.s64 %%b, %%own, %%d;",
      t->bytes);
    struct node *loop = node_new(m->a, NODE_LOOP, m->serial++), *body = node_new(m->a, NODE_SEQ, m->serial++);
    loop->name = format(m, "%%c%u", s);
    loop->text = format(m, "  .reg .pred %%c%u;\n", s);
    loop->after =
        format(m, "  add.u32 %%i, %%i, %u;\n  setp.lt.u32 %%c%u, %%i, %s;\n", total * unroll, s, bound);
    node_add(m->a, loop, body);
    node_add(m->a, m->into, loop);
    struct node *saved = m->into, *guarded;
    m->into = body;
    for (uint32_t u = 0; u < unroll; u++) {
        uint32_t off = u * total;
        if (u) {
            S("add.u32 %%j, %%i, %u; setp.lt.u32 %%p1, %%j, %s;", off, bound);
            if_begin(m, "%p1", &guarded);
        }
        if (!by_pointer)
            S("mul.wide.u32 %%d, %%i, %u; add.s64 %%a, %%in, %%d; add.s64 %%b, %%own, %%d;", t->bytes);
        S("ld.global%s.%s %s, [%%a+%u];", chance(m, 20) ? ".nc" : "", t->name, reg(m, t, 0), off * t->bytes);
        S("ld.global.%s %s, [%%b+%u];", t->name, reg(m, t, 1), off * t->bytes);
        S("%s %s, %s, %s;", operation(m, t), reg(m, t, 2), reg(m, t, 0), reg(m, t, 1));
        S("st.global.%s [%%b+%u], %s;", t->name, off * t->bytes, reg(m, t, 2));
        if (chance(m, 30)) S("%s %s, %s, %s;", operation(m, t), reg(m, t, 3), reg(m, t, 3), reg(m, t, 2));
        if (u) if_end(m, guarded);
    }
    if (by_pointer)
        S("add.s64 %%a, %%a, %u; add.s64 %%b, %%b, %u;", total * unroll * t->bytes,
          total * unroll * t->bytes);
    m->into = saved;
    S("mul.wide.u32 %%d, %%x, 8; add.s64 %%b, %%out, %%d; st.global.%s [%%b], %s;", t->name, reg(m, t, 3));
}

/* Rows and columns of a matrix: neighbours with borders by clamping, by a test, or left out; one to some
 * cells a thread. */
void grid_stencil(struct maker *m) {
    const struct type *t = type_any(m);
    uint32_t w = 8 + draw(m, 56), h = 4 + draw(m, 20), kind = draw(m, 3);
    struct node *saved;
    shape_any(m, 256);
    bool flat = m->p->block[1] == 1;
    frame_put(m, &(struct frame){.nv = 8, .ng = 8, .nw = 8, .nk = 8, .nh = 8});
    if (flat)
        S("rem.u32 %%i, %%x, %u; div.u32 %%j, %%x, %u;", w, w);
    else
        S("mov.u32 %%i, %%tx; mad.lo.u32 %%j, %%bx, %u, %%ty;", m->p->block[1]);
    S("setp.lt.u32 %%p0, %%i, %u; setp.lt.and.u32 %%p0, %%j, %u, %%p0;", w, h);
    if (m->p->block[2] > 1) S("setp.eq.and.u32 %%p0, %%tz, 0, %%p0;");
    if (chance(m, 50))
        S("@!%%p0 bra DONE;");
    else
        if_begin(m, "%p0", &saved), (void)saved;
    S("mad.lo.u32 %%e, %%j, %u, %%i; mul.wide.u32 %%d, %%e, %u; add.s64 %%a, %%in, %%d; add.s64 %%b, %%out, "
      "%%d;",
      w, t->bytes);
    static const int steps[][2] = {{0, 0},   {-1, 0}, {1, 0}, {0, -1}, {0, 1},
                                   {-1, -1}, {1, 1},  {2, 0}, {0, 2}};
    uint32_t from = m->into->nkids;
    for (uint32_t k = 0; k < 2 + draw(m, 6) && k < 9; k++) {
        int dx = steps[k][0], dy = steps[k][1];
        const char *op = operation(m, t);
        if (kind == 0) { /* the nearest there is */
            S("{ .reg .b32 %%c, %%r; .reg .b64 %%f; add.s32 %%c, %%i, %d; max.s32 %%c, %%c, 0; min.s32 %%c, "
              "%%c, %u; add.s32 "
              "%%r, %%j, %d; max.s32 %%r, %%r, 0; min.s32 %%r, %%r, %u; mad.lo.u32 %%c, %%r, %u, %%c; "
              "mul.wide.s32 %%f, %%c, "
              "%u; add.s64 %%f, %%f, %%in; ld.global.%s %s, [%%f]; %s %s, %s, %s; }",
              dx, w - 1, dy, h - 1, w, t->bytes, t->name, reg(m, t, 1), op, reg(m, t, 0), reg(m, t, 0),
              reg(m, t, 1));
        } else {
            S("add.s32 %%v6, %%i, %d; setp.lt.u32 %%p1, %%v6, %u; add.s32 %%v7, %%j, %d; setp.lt.and.u32 "
              "%%p1, %%v7, %u, %%p1; "
              "@%%p1 ld.global.%s %s, [%%a+%d]; %s%s %s, %s, %s;",
              dx, w, dy, h, t->name, reg(m, t, 1), (dy * (int)w + dx) * t->bytes, kind == 1 ? "@%p1 " : "",
              op, reg(m, t, 0), reg(m, t, 0), reg(m, t, 1));
        }
    }
    if (chance(m, 30)) shuffle(m, from, true);
    S("st.global.%s [%%b], %s;", t->name, reg(m, t, 0));
    /* what is behind an if that is open here is inside of it */
}

/* Counting in global or shared memory; bins by bits, by remainder, or weighted. */
void grid_histogram(struct maker *m) {
    uint32_t bins = chance(m, 60) ? EITHER(1, 2, 16, 32, 64) : 1 + draw(m, 64), each = 1 + draw(m, 3);
    struct node *saved;
    m->p->data = DATA_INTEGERS;
    shape_any(m, 256);
    bool shared = chance(m, 60), bytes = chance(m, 30);
    uint32_t n = threads_of(m->p), total = total_of(m->p);
    const char *op = either(m, (const uint32_t[]){0, 0, 0, 1}, 4) ? "max.u32" : "add.u32";
    const char *amount = chance(m, 70) ? "1" : "%v1";
    frame_put(m, &(struct frame){.nv = 8, .out_stride = 4, .shared = shared ? 64 * 4 : 0});
    if (shared) {
        for (uint32_t k = 0; k * n < 64; k++)
            S("add.u32 %%i, %%t, %u; setp.lt.u32 %%p0, %%i, 64; mad.lo.u32 %%j, %%i, 4, %%cells; @%%p0 "
              "st.shared.u32 [%%j], 0;",
              k * n);
        S("bar.sync 0;");
    }
    bool loop = chance(m, 50);
    S("mul.wide.u32 %%d, %%x, %u; add.s64 %%a, %%in, %%d;", bytes ? 1 : 4);
    if (loop) loop_begin(m, format(m, "%u", each), &saved);
    for (uint32_t k = 0; k < (loop ? 1 : each); k++) {
        uint32_t off = loop ? 0 : k * total * (bytes ? 1 : 4);
        if (off + total * 4 > FUZZ_IN_WORDS * 4) break;
        S("ld.global%s.%s %%v0, [%%a+%u];", chance(m, 30) ? ".nc" : "", bytes ? "u8" : "u32", off);
        if (chance(m, 50) && !(bins & (bins - 1)))
            S("shr.u32 %%v1, %%v0, %u; and.b32 %%v2, %%v1, %u;", draw(m, 20), bins - 1);
        else
            S("shr.u32 %%v1, %%v0, 1; rem.u32 %%v2, %%v0, %u;", bins);
        if (chance(m, 20)) S("setp.gt.u32 %%p2, %%v0, 40;");
        if (shared) {
            bool red = op[0] == 'a' && chance(m, 70);
            S("mad.lo.u32 %%j, %%v2, 4, %%cells; %s.shared.%s %s[%%j], %s;", red ? "red" : "atom", op,
              red ? "" : "%v5, ", amount);
        } else
            S("mul.wide.u32 %%b, %%v2, 4; add.s64 %%b, %%b, %%counts; red.global.%s [%%b], %s;", op, amount);
    }
    if (loop) {
        if (total * each * 4 <= FUZZ_IN_WORDS * 4) S("add.s64 %%a, %%a, %u;", total * (bytes ? 1 : 4));
        loop_end(m, saved);
    }
    if (!shared) return;
    S("bar.sync 0;");
    for (uint32_t k = 0; k * n < 64; k++)
        S("add.u32 %%i, %%t, %u; setp.lt.u32 %%p0, %%i, 64; mad.lo.u32 %%j, %%i, 4, %%cells; @%%p0 "
          "ld.shared.u32 %%v0, [%%j]; "
          "mul.wide.u32 %%b, %%i, 4; add.s64 %%b, %%b, %%counts; @%%p0 red.global.%s [%%b], %%v0;",
          k * n, op);
}

/* A hash table by compare-and-swap with linear probing: which slot a key gets is open, what it counts is not.
 */
void grid_table(struct maker *m) {
    uint32_t slots = EITHER(32, 32, 64, 128), keys = 1 + draw(m, slots / 2), s = m->serial++;
    struct node *saved;
    m->p->data = DATA_INTEGERS;
    shape_any(m, 256);
    m->p->grid[0] = 1;
    uint32_t n = threads_of(m->p);
    bool shared = chance(m, 60);
    const char *space = shared ? "shared" : "global", *d = shared ? "b32" : "b64";
    frame_put(m, &(struct frame){.nv = 8, .out_stride = 8, .shared = shared ? slots * 8 : 0});
    S(".reg .%s %%s%u, %%u%u; mov.%s %%u%u, %s;", d, s, s, d, s, shared ? "%cells" : "%own");
    const char *at = shared ? format(m, "mad.lo.u32 %%s%u, %%i, 8, %%u%u;", s, s)
                            : format(m, "mad.wide.u32 %%s%u, %%i, 8, %%u%u;", s, s);
    for (uint32_t k = 0; k * n < slots; k++)
        S("add.u32 %%i, %%t, %u; setp.lt.u32 %%p0, %%i, %u; %s @%%p0 st.%s.v2.u32 [%%s%u], {0, 0};", k * n,
          slots, at, space, s);
    S("bar.sync 0;");
    S("mul.wide.u32 %%d, %%x, 4; add.s64 %%a, %%in, %%d; ld.global.u32 %%v0, [%%a]; rem.u32 %%v1, %%v0, %u; "
      "add.u32 %%v1, %%v1, 1;",
      keys);
    for (int pass = 0; pass < 2; pass++) { /* puts, then looks */
        S("mul.lo.u32 %%i, %%v1, %u; and.b32 %%i, %%i, %u;", 2 * draw(m, 20) + 1, slots - 1);
        if (pass) S("mul.lo.u32 %%i, %%v1, 1; and.b32 %%i, %%i, %u; mov.u32 %%v3, 0;", slots - 1);
        if (!pass) S("and.b32 %%i, %%v1, %u;", slots - 1);
        struct node *loop = node_new(m->a, NODE_LOOP, m->serial++),
                    *body = node_new(m->a, NODE_SEQ, m->serial++);
        loop->name = "%p3";
        loop->text = "";
        loop->after = format(m, "  @%%p3 add.u32 %%i, %%i, 1;\n  and.b32 %%i, %%i, %u;\n", slots - 1);
        node_add(m->a, loop, body);
        node_add(m->a, m->into, loop);
        saved = m->into;
        m->into = body;
        S("%s", at);
        if (pass) {
            S("ld.%s%s.u32 %%v2, [%%s%u]; setp.ne.u32 %%p3, %%v2, %%v1; setp.ne.and.u32 %%p3, %%v2, 0, %%p3;",
              chance(m, 30) ? "volatile." : "", space, s);
            S("@!%%p3 ld.%s.u32 %%v3, [%%s%u+4];", space, s);
        } else {
            S("atom.%s.cas.b32 %%v2, [%%s%u], 0, %%v1; setp.ne.u32 %%p3, %%v2, %%v1; setp.ne.and.u32 %%p3, "
              "%%v2, 0, %%p3;",
              space, s);
            bool red = chance(m, 50);
            S("@!%%p3 %s.%s.add.u32 %s[%%s%u+4], %%v%u;", red ? "red" : "atom", space, red ? "" : "%v5, ", s,
              chance(m, 50) ? 0 : 1);
        }
        m->into = saved;
        S("bar.sync 0;");
    }
    S("st.global.v2.u32 [%%out], {%%v1, %%v3};");
    if (!shared) { /* the order of slots is nobody's business */
        S("bar.sync 0;");
        for (uint32_t k = 0; k * n < slots; k++)
            S("add.u32 %%i, %%t, %u; setp.lt.u32 %%p0, %%i, %u; %s @%%p0 st.%s.v2.u32 [%%s%u], {0, 0};",
              k * n, slots, at, space, s);
    }
}

/* Through an index that is read, or worked out: gathers, and scatters to places of one's own. */
void grid_gather(struct maker *m) {
    const struct type *t = type_any(m);
    struct node *saved;
    shape_any(m, 256);
    uint32_t total = total_of(m->p), mask = 1023, each = 1 + draw(m, 4),
             vec = t->bytes <= 4 && chance(m, 20) ? 2 : 1;
    frame_put(m,
              &(struct frame){.nv = 8, .ng = 8, .nw = 8, .nk = 8, .nh = 8, .own_stride = 4, .out_stride = 0});
    S("ld.global.u32 %%i, [%%own];");
    bool loop = chance(m, 40);
    if (loop) loop_begin(m, format(m, "%u", 1 + draw(m, 4)), &saved);
    for (uint32_t k = 0; k < each; k++) {
        switch (draw(m, 6)) {
        case 0: S("mad.lo.u32 %%j, %%x, %u, %u;", draw(m, 9), draw(m, 99)); break;
        case 1: S("mad.lo.u32 %%j, %%ty, %u, %%tx;", draw(m, 60)); break;
        case 2: S("sub.u32 %%j, %u, %%t;", 1000 + draw(m, 20)); break;
        case 3: S("shr.u32 %%j, %%x, %u; add.u32 %%j, %%j, %%q0;", draw(m, 6)); break;
        case 4: S("xor.b32 %%j, %%x, %u;", draw(m, 64)); break;
        default: S("add.u32 %%j, %%i, %u;", draw(m, 9)); break;
        }
        if (vec == 2)
            S("and.b32 %%j, %%j, %u; mul.wide.u32 %%d, %%j, %u; add.s64 %%a, %%in, %%d; ld.global.v2.%s {%s, "
              "%s}, [%%a];",
              mask & ~1u, t->bytes, t->name, reg(m, t, 0), reg(m, t, 1));
        else
            S("and.b32 %%j, %%j, %u; mul.wide.u32 %%d, %%j, %u; add.s64 %%a, %%in, %%d; ld.global.%s %s, "
              "[%%a];",
              mask, t->bytes, t->name, reg(m, t, 0));
        S("%s %s, %s, %s;", operation(m, t), reg(m, t, 2), reg(m, t, 2), reg(m, t, draw(m, vec)));
    }
    if (loop) {
        S("mad.lo.u32 %%i, %%i, 5, %u;", 1 + draw(m, 9));
        loop_end(m, saved);
    }
    switch (draw(m, 3)) {
    case 0: S("sub.u32 %%j, %u, %%x;", total - 1); break;
    case 1: S("mul.lo.u32 %%j, %%x, %u;", 1 + draw(m, 5)); break;
    default: S("mov.u32 %%j, %%x;");
    }
    S("mul.wide.u32 %%d, %%j, %u; add.s64 %%b, %%out, %%d;", t->bytes);
    S("%sst.global.%s [%%b], %s;", chance(m, 20) ? "@%p2 " : "", t->name, reg(m, t, 2));
}
