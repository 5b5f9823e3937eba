/* Idioms of a warp's lanes, in blocks of every size: sums, scans, votes, exits, switches, recursion. */
#include "tests/fuzz/idiom.h"

static const char *reg(struct maker *m, const struct type *t, uint32_t n) {
    return format(m, "%%%c%u", t->reg, n);
}

static const struct type *lane_type(struct maker *m) {
    return &types[m->p->data == DATA_FLOATS ? TYPE_F32 : TYPE_U32];
}

/* Of every size, often less than a warp or with a last warp that is not full. */
static void shape_lanes(struct maker *m) {
    uint32_t kind = draw(m, 10);
    if (kind < 4)
        shape_set(m, 1 + draw(m, 3), 1 + draw(m, 40), 1, 1);
    else if (kind < 7)
        shape_set(m, 1 + draw(m, 3), 1 + draw(m, 160), 1, 1);
    else if (kind < 8)
        shape_set(m, 1 + draw(m, 2), 1 + draw(m, 1024), 1, 1);
    else
        shape_any(m, 256);
}

/* shfl.sync.mode %to, %from, by, clamp, mask. */
static void shuffle_lane(struct maker *m, const char *mode, const struct type *t, uint32_t to, uint32_t from,
                         const char *by, uint32_t width, const char *mask) {
    uint32_t clamp = (32 - width) << 8 | (mode[0] == 'u' ? 0 : 31);
    const char *p = chance(m, 30) ? "|%p7" : "";
    S("shfl.sync.%s.b32 %s%s, %s, %s, %u, %s;", mode, reg(m, t, to), p, reg(m, t, from), by, clamp, mask);
}

static const char *mask_all(struct maker *m) {
    switch (draw(m, 6)) {
    case 0: S("activemask.b32 %%i;"); return "%i";
    case 1: S("vote.sync.ballot.b32 %%i, 1, -1;"); return "%i";
    default: return "-1";
    }
}

/* ---- sums ---- */

static void warp_sum(struct maker *m, const struct type *t, const char *op, const char *mode,
                     uint32_t width) {
    const char *mask = "-1";
    for (uint32_t by = width / 2; by; by /= 2) {
        uint32_t step = mode[0] == 'u' ? width / 2 / by : by;
        shuffle_lane(m, mode, t, 1, 0, format(m, "%u", step), width, mask);
        S("%s %s, %s, %s;", op, reg(m, t, 0), reg(m, t, 0), reg(m, t, 1));
    }
}
static void warp_sum_loop(struct maker *m, const struct type *t, const char *op, const char *mode,
                          uint32_t width) {
    struct node *saved;
    uint32_t steps = (uint32_t)__builtin_ctz(width), c;
    if (!steps) return;
    c = loop_begin(m, format(m, "%u", steps), &saved);
    S("mov.u32 %%j, %u; shr.u32 %%j, %%j, %%n%u;", width / 2, c);
    shuffle_lane(m, mode, t, 1, 0, "%j", width, "-1");
    S("%s %s, %s, %s;", op, reg(m, t, 0), reg(m, t, 0), reg(m, t, 1));
    loop_end(m, saved);
}

/* The textbook's sum: warps by shuffles, then their sums by the first warp. */
void lanes_sum(struct maker *m) {
    static const char *const modes[] = {"down", "down", "bfly", "up"};
    const struct type *t = lane_type(m);
    struct node *saved;
    shape_lanes(m);
    uint32_t n = threads_of(m->p), warps = (n + 31) / 32, width = chance(m, 70) ? 32 : EITHER(2, 4, 8, 16);
    const char *op = operation(m, t), *mode = modes[draw(m, 4)];
    bool guard = chance(m, 30), whole = chance(m, 50);
    frame_put(m, &(struct frame){.nv = 8, .ng = 8, .own_stride = 4, .out_stride = 16, .shared = 32 * 4});
    if (guard) { /* some have nothing to bring */
        S("setp.lt.u32 %%p0, %%x, %%q0;");
        S("@%%p0 ld.global.%s %s, [%%own];", t->name, reg(m, t, 0));
    } else
        S("ld.global.%s %s, [%%own];", t->name, reg(m, t, 0));
    (chance(m, 60) ? warp_sum : warp_sum_loop)(m, t, op, mode, width);
    S("st.global.%s [%%out], %s;", t->name, reg(m, t, 0));
    if (!whole) return;
    S("and.b32 %%i, %%t, 31; setp.eq.u32 %%p0, %%i, 0; shr.u32 %%e, %%t, 5; mad.lo.u32 %%e, %%e, 4, "
      "%%cells;");
    S("@%%p0 st.shared.%s [%%e], %s;", t->name, reg(m, t, 0));
    S("bar.sync 0;");
    S("setp.lt.u32 %%p1, %%t, 32;");
    if_begin(m, "%p1", &saved);
    S("mov.b32 %s, %s;", reg(m, t, 0), reg(m, t, 4));
    S("setp.lt.u32 %%p2, %%t, %u; mad.lo.u32 %%e, %%t, 4, %%cells;", warps);
    S("@%%p2 ld.shared.%s %s, [%%e];", t->name, reg(m, t, 0));
    warp_sum(m, t, op, mode, 32);
    S("st.global.%s [%%out+4], %s;", t->name, reg(m, t, 0));
    if (t->reg == 'v') S("setp.eq.u32 %%p3, %%t, 0; @%%p3 red.global.add.u32 [%%counts], %%v0;");
    if_end(m, saved);
}

void lanes_scan(struct maker *m) {
    const struct type *t = lane_type(m);
    struct node *saved;
    shape_lanes(m);
    uint32_t width = chance(m, 70) ? 32 : EITHER(4, 8, 16), c;
    const char *op = operation(m, t);
    bool by_predicate = chance(m, 40), loop = chance(m, 40);
    frame_put(m, &(struct frame){.nv = 8, .ng = 8, .own_stride = 4, .out_stride = 8});
    S("ld.global.%s %s, [%%own];", t->name, reg(m, t, 0));
    S("and.b32 %%e, %%lane, %u;", width - 1);
    uint32_t steps = (uint32_t)__builtin_ctz(width);
    if (loop) c = loop_begin(m, format(m, "%u", steps), &saved);
    for (uint32_t k = 0; k < (loop ? 1 : steps); k++) {
        if (loop)
            S("mov.u32 %%j, 1; shl.b32 %%j, %%j, %%n%u;", c);
        else
            S("mov.u32 %%j, %u;", 1u << k);
        if (by_predicate)
            S("shfl.sync.up.b32 %s|%%p0, %s, %%j, %u, -1;", reg(m, t, 1), reg(m, t, 0), (32 - width) << 8);
        else {
            shuffle_lane(m, "up", t, 1, 0, "%j", width, "-1");
            S("setp.ge.u32 %%p0, %%e, %%j;");
        }
        S("@%%p0 %s %s, %s, %s;", op, reg(m, t, 0), reg(m, t, 0), reg(m, t, 1));
    }
    if (loop) loop_end(m, saved);
    S("st.global.%s [%%out], %s;", t->name, reg(m, t, 0));
}

/* ---- votes and shuffles of all sorts ---- */

static void one_of_lanes(struct maker *m, const char *mask) {
    static const char *const modes[] = {"down", "up", "bfly", "idx"};
    static const char *const reductions[] = {"add.u32", "min.s32", "max.u32", "and.b32", "xor.b32", "or.b32"};
    uint32_t d = draw(m, 6), a = draw(m, 6);
    switch (draw(m, 9)) {
    case 0:
        S("setp.lt.u32 %%p0, %%v%u, %%v%u; vote.sync.ballot.b32 %%v%u, %%p0, %s;", a, draw(m, 6), d, mask);
        break;
    case 1:
        S("setp.ne.u32 %%p0, %%v%u, %u; vote.sync.%s.pred %%p1, %%p0, %s; selp.b32 %%v%u, 1, %%v%u, %%p1;", a,
          draw(m, 4), chance(m, 50) ? "all" : "any", mask, d, a);
        break;
    case 2: S("redux.sync.%s %%v%u, %%v%u, %s;", reductions[draw(m, 6)], d, a, mask); break;
    case 3:
        S("and.b32 %%e, %%v%u, %u; match.any.sync.b32 %%v%u, %%e, %s;", a, EITHER(1, 3, 7), d, mask);
        break;
    case 4:
        S("and.b32 %%e, %%v%u, %u; match.all.sync.b32 %%v%u|%%p2, %%e, %s;", a, EITHER(1, 256), d, mask);
        break;
    case 5: S("bar.warp.sync %s;", mask); break;
    default: {
        const char *by = chance(m, 70) ? format(m, "%u", draw(m, 32)) : format(m, "%%v%u", draw(m, 6));
        shuffle_lane(m, modes[draw(m, 4)], &types[TYPE_U32], d, a, by, EITHER(32, 32, 32, 16, 8, 4), mask);
        break;
    }
    }
    if (chance(m, 50))
        S("%s %%v%u, %%v%u, %%v%u;", operation(m, &types[TYPE_U32]), draw(m, 6), d, draw(m, 6));
}

static void values(struct maker *m) {
    S("ld.global.v2.u32 {%%v0, %%v1}, [%%own];");
    S("mov.u32 %%v2, %%x;");
    S("mov.u32 %%v3, %%lane;");
}
static void results(struct maker *m) {
    S("st.global.v2.u32 [%%out+16], {%%v%u, %%v%u};", draw(m, 6), draw(m, 6));
    if (chance(m, 60)) S("st.global.v4.u32 [%%out], {%%v0, %%v1, %%v2, %%v%u};", draw(m, 6));
}

void lanes_mixed(struct maker *m) {
    struct node *saved;
    m->p->data = DATA_INTEGERS;
    shape_lanes(m);
    frame_put(m, &(struct frame){.nv = 8, .by_lane = true, .own_stride = 8, .out_stride = 32});
    values(m);
    bool loop = chance(m, 25);
    const char *mask = mask_all(m);
    if (loop) loop_begin(m, format(m, "%u", 1 + draw(m, 4)), &saved);
    for (uint32_t k = 1 + draw(m, 3); k; k--) one_of_lanes(m, mask);
    if (loop) loop_end(m, saved);
    results(m);
}

/* Some leave early; those that stay, or one side of a branch, go on together. */
void lanes_exits(struct maker *m) {
    struct node *saved;
    m->p->data = DATA_INTEGERS;
    shape_lanes(m);
    frame_put(m, &(struct frame){.nv = 8, .by_lane = true, .own_stride = 8, .out_stride = 32});
    values(m);
    switch (draw(m, 5)) {
    case 0: S("setp.ge.u32 %%p0, %%x, %u;", draw(m, total_of(m->p) + 1)); break;
    case 1: S("setp.ge.u32 %%p0, %%x, %%q0;"); break;
    case 2: S("and.b32 %%e, %%t, %u; setp.eq.u32 %%p0, %%e, %u;", EITHER(1, 3, 7, 16), draw(m, 2)); break;
    case 3: S("and.b32 %%e, %%v0, %u; setp.ne.u32 %%p0, %%e, 0;", EITHER(1, 2, 7)); break;
    default: S("setp.lt.u32 %%p0, %%lane, %u;", draw(m, 33)); break;
    }
    uint32_t kind = draw(m, 4);
    const char *mask = "%i";
    if (kind == 0)
        S("@%%p0 exit;");
    else if (kind == 1)
        S("@%%p0 bra DONE;");
    if (kind < 2) {
        if (chance(m, 40)) S("bar.sync 0;");
        if (chance(m, 50))
            mask = "-1";
        else
            S("activemask.b32 %%i;");
        for (uint32_t k = 1 + draw(m, 2); k; k--) one_of_lanes(m, mask);
    } else {
        S("vote.sync.ballot.b32 %%i, %%p0, -1;");
        if_begin(m, "%p0", &saved);
        for (uint32_t k = 1 + draw(m, 2); k; k--) one_of_lanes(m, mask);
        if (kind == 3 && chance(m, 30)) S("exit;");
        if_end(m, saved);
    }
    if (chance(m, 40)) S("bar.sync 0;");
    results(m);
}

/* ---- control ---- */

/* A machine of states: a switch in a loop. */
void lanes_switch(struct maker *m) {
    struct node *saved, *outer;
    uint32_t arms = 2 + draw(m, 3);
    m->p->data = DATA_INTEGERS;
    shape_lanes(m);
    frame_put(m, &(struct frame){.nv = 8, .by_lane = true, .own_stride = 8, .out_stride = 32});
    values(m);
    bool uniform = chance(m, 30), leave = false;
    if (uniform) S("mov.u32 %%v0, %%q0;");
    loop_begin(m, format(m, "%u", 1 + draw(m, 9)), &saved);
    struct node *n = node_new(m->a, NODE_SWITCH, m->serial++);
    n->name = format(m, "%%n%u", m->serial++);
    n->text = format(m, "  .reg .b32 %s;\n  rem.u32 %s, %%v0, %u;\n", n->name, n->name, arms);
    node_add(m->a, m->into, n);
    outer = m->into;
    for (uint32_t k = 0; k < arms; k++) {
        struct node *arm = node_new(m->a, NODE_SEQ, m->serial++);
        node_add(m->a, n, arm);
        m->into = arm;
        for (uint32_t j = draw(m, 3); j; j--) {
            uint32_t d = draw(m, 6);
            switch (draw(m, 5)) {
            case 0: S("ld.global.u32 %%v%u, [%%own+%u];", d, 4 * draw(m, 2)); break;
            case 1: S("st.global.u32 [%%own+%u], %%v%u;", 4 * draw(m, 2), d); break;
            default:
                S("%s %%v%u, %%v%u, %s;", operation(m, &types[TYPE_U32]), d, draw(m, 6),
                  chance(m, 50) ? format(m, "%%v%u", draw(m, 6)) : format(m, "%u", draw(m, 50)));
            }
        }
        S("mad.lo.u32 %%v0, %%v0, %u, %u;", 1 + 2 * draw(m, 5), draw(m, 9));
        if (chance(m, 10)) {
            S("and.b32 %%e, %%v0, 7; setp.eq.u32 %%p0, %%e, 7; @%%p0 bra DONE;");
            leave = true;
        }
    }
    m->into = outer;
    if (chance(m, 30)) S("st.global.u32 [%%out+24], %%v0;");
    loop_end(m, saved);
    if (chance(m, 30)) {
        S("shfl.sync.bfly.b32 %%v1, %%v1, 1, 31, -1;");
        m->p->open =
            leave || threads_of(m->p) % 32; /* the mask names lanes that are not there, after parting */
    }
    results(m);
}

/* A function that calls itself, once or twice, as deep as an argument says. */
void lanes_recursion(struct maker *m) {
    m->p->data = DATA_INTEGERS;
    shape_lanes(m);
    bool twice = chance(m, 20), writes = chance(m, 50);
    const char *step = chance(m, 50) ? "sub.u32 %m, %n, 1;" : "shr.u32 %m, %n, 1;";
    const char *call =
        "{ .param .b32 a; .param .b64 b; .param .b32 s; st.param.b32 [a], %m; st.param.b64 [b], %own; "
        "call (s), deep, (a, b); ld.param.b32 %r, [s]; }";
    const char *function = format(
        m,
        ".func (.param .b32 res) deep(.param .b32 pn, .param .b64 pown) {\n  .reg .b32 %%n, %%m, %%r, %%s; "
        ".reg .b64 %%own; "
        ".reg .pred %%p;\n  ld.param.b32 %%n, [pn]; ld.param.b64 %%own, [pown]; mov.u32 %%s, %%n;\n"
        "  setp.lt.u32 %%p, %%n, 2; @%%p bra FLAT;\n  %s\n  %s\n  %s %%s, %%s, %%r;\n%s%s"
        "FLAT:\n  st.param.b32 [res], %%s;\n  ret;\n}\n",
        step, call, operation(m, &types[TYPE_U32]),
        writes ? "  ld.global.u32 %r, [%own+4]; add.u32 %r, %r, %n; st.global.u32 [%own+4], %r;\n" : "",
        twice ? format(m, "  shr.u32 %%m, %%m, 1;\n  %s\n  xor.b32 %%s, %%s, %%r;\n", call) : "");
    frame_put(m, &(struct frame){
                     .nv = 8, .by_lane = true, .own_stride = 8, .out_stride = 32, .functions = function});
    values(m);
    S("and.b32 %%v4, %%%s, %u;", chance(m, 50) ? "x" : "v0", EITHER(3, 7, 7, 15));
    S("{ .param .b32 a; .param .b64 b; .param .b32 s; st.param.b32 [a], %%v4; st.param.b64 [b], %%own; call "
      "(s), deep, "
      "(a, b); ld.param.b32 %%v5, [s]; }");
    if (chance(m, 50)) {
        one_of_lanes(m, "-1");
        m->p->open = true; /* what a GPU's assembler makes does not wait for lanes from other depths */
    }
    results(m);
}

/* ---- words of a warp ---- */

/* Shared words that a warp's lanes hand to each other, with bar.warp.sync between, as code without block
 * barriers. */
void lanes_words(struct maker *m) {
    const struct type *t = lane_type(m);
    uint32_t each = 1 + draw(m, 4);
    shape_set(m, 1 + draw(m, 3), 32 * (1 + draw(m, 4)), chance(m, 80) ? 1 : 2, 1);
    uint32_t n = threads_of(m->p);
    bool is_volatile = chance(m, 40);
    const char *v = is_volatile ? ".volatile" : "";
    frame_put(m,
              &(struct frame){.nv = 8, .ng = 8, .own_stride = 16, .out_stride = 16, .shared = n * each * 4});
    for (uint32_t k = 0; k < each; k++) S("ld.global.%s %s, [%%own+%u];", t->name, reg(m, t, k), 4 * k);
    S("shr.u32 %%j, %%t, 5; mad.lo.u32 %%j, %%j, %u, %%cells; and.b32 %%i, %%t, 31; mad.lo.u32 %%e, %%i, %u, "
      "%%j;",
      32 * 4 * each, 4 * each);
    for (uint32_t k = 0; k < each; k++) S("st%s.shared.%s [%%e+%u], %s;", v, t->name, 4 * k, reg(m, t, k));
    for (uint32_t rounds = 1 + draw(m, 3); rounds; rounds--) {
        S("bar.warp.sync -1;");
        switch (draw(m, 3)) {
        case 0: S("xor.b32 %%i, %%lane, %u; mad.lo.u32 %%e, %%i, %u, %%j;", draw(m, 32), 4 * each); break;
        case 1: S("sub.u32 %%i, 31, %%lane; mad.lo.u32 %%e, %%i, %u, %%j;", 4 * each); break;
        default:
            S("add.u32 %%i, %%lane, %u; and.b32 %%i, %%i, 31; mad.lo.u32 %%e, %%i, %u, %%j;", draw(m, 32),
              4 * each);
        }
        uint32_t from = m->into->nkids;
        for (uint32_t k = 0; k < each; k++)
            if (chance(m, 80)) S("ld%s.shared.%s %s, [%%e+%u];", v, t->name, reg(m, t, k), 4 * k);
        S("%s %s, %s, %s;", operation(m, t), reg(m, t, draw(m, each)), reg(m, t, draw(m, each)),
          reg(m, t, draw(m, each)));
        for (uint32_t k = 0; k < each; k++)
            if (chance(m, 80)) S("st%s.shared.%s [%%e+%u], %s;", v, t->name, 4 * k, reg(m, t, draw(m, each)));
        if (chance(m, 40)) shuffle(m, from, true);
    }
    for (uint32_t k = 0; k < each; k++) S("st.global.%s [%%out+%u], %s;", t->name, 4 * k, reg(m, t, k));
    S("bar.sync 0;");
    S("mad.lo.u32 %%e, %%t, 4, %%cells; ld.shared.%s %s, [%%e];", t->name, reg(m, t, 5));
    S("st.global.%s [%%out+12], %s;", t->name, reg(m, t, 5));
}
