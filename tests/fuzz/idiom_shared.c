/* Idioms in shared memory, between barriers of the block. */
#include "tests/fuzz/idiom.h"

static const char *reg(struct maker *m, const struct type *t, uint32_t n) {
    return format(m, "%%%c%u", t->reg, n);
}

static const struct type *word_type(struct maker *m) {
    if (m->p->data == DATA_FLOATS) return &types[EITHER(TYPE_F32, TYPE_F32, TYPE_F64)];
    return &types[EITHER(TYPE_U32, TYPE_U32, TYPE_U32, TYPE_U64, TYPE_U16, TYPE_U8)];
}
static void barrier(struct maker *m) {
    static const char *const all[] = {"bar.sync 0;", "bar.sync 0;", "bar.sync 0;", "barrier.sync 0;",
                                      "bar.sync 1;"};
    S("%s", all[draw(m, 5)]);
}
/* %s<n>: the address of an element whose index is in a register. */
static void address(struct maker *m, uint32_t s, const char *index, uint32_t bytes) {
    switch (draw(m, 3)) {
    case 0: S(".reg .b32 %%s%u; mad.lo.u32 %%s%u, %s, %u, %%cells;", s, s, index, bytes); break;
    default:
        S(".reg .b32 %%s%u; mul.lo.u32 %%s%u, %s, %u; add.u32 %%s%u, %%s%u, %%cells;", s, s, index, bytes, s,
          s);
    }
}
static bool is_power(uint32_t n) { return !(n & (n - 1)); }

/* ---- permutations ---- */

/* A thread's words among the block's: which index the thread has, in %i. */
static void index_of_thread(struct maker *m) {
    const uint32_t *b = m->p->block, n = threads_of(m->p);
    switch (draw(m, is_power(n) ? 8 : 5)) {
    case 0: S("sub.u32 %%i, %u, %%t;", n - 1); break;
    case 1: S("add.u32 %%i, %%t, %u; rem.u32 %%i, %%i, %u;", draw(m, n), n); break;
    case 2:
        if (b[1] > 1) {
            S("mad.lo.u32 %%i, %%tx, %u, %%ty; mad.lo.u32 %%i, %%tz, %u, %%i;", b[1], b[0] * b[1]);
            break;
        } /* fall through */
    case 3:
    case 4: S("mov.u32 %%i, %%t;"); break;
    case 5: S("xor.b32 %%i, %%t, %u;", draw(m, n)); break;
    default: S("mul.lo.u32 %%i, %%t, %u; and.b32 %%i, %%i, %u;", 2 * draw(m, n) + 1, n - 1); break;
    }
}

struct words {
    const struct type *t;
    uint32_t each, pad, s;
    bool columns;
};
static void access(struct maker *m, const struct words *w, uint32_t n, bool load, uint32_t k, uint32_t r) {
    const char *v = chance(m, 4) ? ".volatile" : "";
    uint32_t at = k * w->t->bytes * (w->columns ? n : 1);
    if (load)
        S("ld%s.shared.%s %s, [%%s%u+%u];", v, w->t->name, reg(m, w->t, r), w->s, at);
    else
        S("st%s.shared.%s [%%s%u+%u], %s;", v, w->t->name, w->s, at, reg(m, w->t, r));
}

/* A thread's words in the place that is its own in this phase. */
static void own_phase(struct maker *m, struct words *w, uint32_t n) {
    uint8_t read[8], write[8], to[8];
    w->columns = !w->pad && chance(m, 40);
    w->s = m->serial++;
    index_of_thread(m);
    address(m, w->s, "%i", w->t->bytes * (w->columns ? 1 : w->each + w->pad));
    uint32_t from = m->into->nkids, kind = draw(m, 4);
    if (kind == 0) {
        for (uint32_t k = 2 + draw(m, 5); k; k--)
            if (chance(m, 20))
                S("%s %s, %s, %s;", operation(m, w->t), reg(m, w->t, draw(m, 8)), reg(m, w->t, draw(m, 8)),
                  reg(m, w->t, draw(m, 8)));
            else
                access(m, w, n, chance(m, 50), draw(m, w->each), draw(m, 8));
        return;
    }
    permutation(m, read, w->each, chance(m, 50));
    permutation(m, write, w->each, chance(m, 50));
    permutation(m, to, w->each, chance(m, 50));
    for (uint32_t k = 0; k < w->each; k++) access(m, w, n, true, read[k], read[k]);
    for (uint32_t k = 0; k < w->each; k++) access(m, w, n, false, to[k], write[k]);
    if (kind == 1) shuffle(m, from, chance(m, 50));
}

void shared_permuted(struct maker *m) {
    struct words w;
    struct node *saved;
    shape_any(m, 256);
    uint32_t n = threads_of(m->p);
    w.t = word_type(m);
    w.each = 1 + draw(m, chance(m, 25) ? 8 : 4);
    w.pad = chance(m, 30) ? 1 : 0;
    frame_put(m, &(struct frame){.nv = 8,
                                 .ng = 8,
                                 .nw = 8,
                                 .nk = 8,
                                 .own_stride = w.each * 8,
                                 .out_stride = w.each * 8,
                                 .shared = n * (w.each + w.pad) * w.t->bytes});
    for (uint32_t k = 0; k < w.each; k++) S("ld.global.%s %s, [%%own+%u];", w.t->name, reg(m, w.t, k), 8 * k);
    w.columns = !w.pad && chance(m, 50);
    w.s = m->serial++;
    index_of_thread(m);
    address(m, w.s, "%i", w.t->bytes * (w.columns ? 1 : w.each + w.pad));
    for (uint32_t k = 0; k < w.each; k++) access(m, &w, n, false, k, k);
    bool loop = chance(m, 25);
    if (loop) loop_begin(m, format(m, "%u", 1 + draw(m, 3)), &saved);
    for (uint32_t phases = chance(m, 70) ? 1 : 1 + draw(m, 3); phases; phases--) {
        barrier(m);
        own_phase(m, &w, n);
    }
    if (loop) {
        barrier(m);
        loop_end(m, saved);
    }
    barrier(m);
    w.s = m->serial++;
    w.columns = !w.pad && chance(m, 50);
    address(m, w.s, "%t", w.t->bytes * (w.columns ? 1 : w.each + w.pad));
    for (uint32_t k = 0; k < w.each; k++) access(m, &w, n, true, k, k);
    for (uint32_t k = 0; k < w.each; k++) S("st.global.%s [%%out+%u], %s;", w.t->name, 8 * k, reg(m, w.t, k));
}

/* ---- transforms and sorts ---- */

static void load_own(struct maker *m, const struct type *t, uint32_t s) {
    S("ld.global.%s %s, [%%own];", t->name, reg(m, t, 0));
    address(m, s, "%t", t->bytes);
    S("st.shared.%s [%%s%u], %s;", t->name, s, reg(m, t, 0));
    barrier(m);
}

void shared_butterfly(struct maker *m) {
    const struct type *t = word_type(m);
    uint32_t s = m->serial++, o = m->serial++;
    shape_power(m, 2, chance(m, 20) ? 256 : 32);
    uint32_t n = threads_of(m->p);
    frame_put(
        m, &(struct frame){
               .nv = 6, .ng = 6, .nw = 6, .nk = 6, .own_stride = 8, .out_stride = 8, .shared = n * t->bytes});
    load_own(m, t, s);
    bool down = chance(m, 50), pairs = chance(m, 40);
    S(".reg .b32 %%s%u;", o);
    for (uint32_t k = 1; k < n; k *= 2) {
        uint32_t by = down ? n / 2 / k : k;
        if (pairs) { /* half the threads do a pair each */
            S("setp.ge.u32 %%p0, %%t, %u;", n / 2);
            S("@%%p0 bra SKIP_%u_%u;", s, k);
            S("and.b32 %%i, %%t, %u; sub.u32 %%j, %%t, %%i; shl.b32 %%j, %%j, 1; add.u32 %%j, %%j, %%i;",
              by - 1);
            S("mad.lo.u32 %%s%u, %%j, %u, %%cells;", o, t->bytes);
            S("ld.shared.%s %s, [%%s%u];", t->name, reg(m, t, 0), o);
            S("ld.shared.%s %s, [%%s%u+%u];", t->name, reg(m, t, 1), o, by * t->bytes);
            S("%s %s, %s, %s;", operation(m, t), reg(m, t, 2), reg(m, t, 0), reg(m, t, 1));
            S("%s %s, %s, %s;", operation(m, t), reg(m, t, 3), reg(m, t, 0), reg(m, t, 1));
            S("st.shared.%s [%%s%u], %s;", t->name, o, reg(m, t, 2));
            S("st.shared.%s [%%s%u+%u], %s;", t->name, o, by * t->bytes, reg(m, t, 3));
            S("SKIP_%u_%u:", s, k);
        } else {
            S("xor.b32 %%i, %%t, %u; mad.lo.u32 %%s%u, %%i, %u, %%cells;", by, o, t->bytes);
            S("ld.shared.%s %s, [%%s%u];", t->name, reg(m, t, 1), o);
            S("%s %s, %s, %s;", operation(m, t), reg(m, t, 0), reg(m, t, 0), reg(m, t, 1));
            barrier(m);
            S("st.shared.%s [%%s%u], %s;", t->name, s, reg(m, t, 0));
        }
        barrier(m);
    }
    S("ld.shared.%s %s, [%%s%u];", t->name, reg(m, t, 0), s);
    S("st.global.%s [%%out], %s;", t->name, reg(m, t, 0));
}

/* Bitonic: with loops as in the samples, or with its steps laid out. */
void shared_sort(struct maker *m) {
    const struct type *t = &types[m->p->data == DATA_FLOATS ? TYPE_F32 : TYPE_U32];
    const char *mm = t->reg == 'g' ? "f32" : chance(m, 50) ? "u32" : "s32";
    uint32_t s = m->serial++, o = m->serial++;
    struct node *outer = NULL, *inner = NULL, *branch;
    shape_power(m, 2, 128);
    uint32_t n = threads_of(m->p);
    frame_put(m, &(struct frame){.nv = 6, .ng = 6, .own_stride = 4, .out_stride = 4, .shared = n * t->bytes});
    load_own(m, t, s);
    S(".reg .b32 %%s%u, %%k, %%h;", o);
    bool loops = n > 8 || chance(m, 60);
    uint32_t logs = (uint32_t)__builtin_ctz(n), c = 0;
    for (uint32_t k = 1; k <= (loops ? 1 : logs); k++) {
        if (loops) {
            c = loop_begin(m, format(m, "%u", logs), &outer);
            S("mov.u32 %%k, 2; shl.b32 %%k, %%k, %%n%u; shr.u32 %%h, %%k, 1;", c);
            c = loop_begin(m, format(m, "%u", 1 + draw(m, logs)), &inner);
        }
        for (uint32_t j = loops ? 1 : k; j; j--) {
            if (!loops) S("mov.u32 %%k, %u; mov.u32 %%h, %u;", 1u << k, 1u << (j - 1));
            S("xor.b32 %%i, %%t, %%h;");
            S("and.b32 %%j, %%t, %%k; setp.eq.u32 %%p1, %%j, 0;");
            S("setp.gt.u32 %%p0, %%i, %%t;");
            if_begin(m, "%p0", &branch);
            S("mad.lo.u32 %%s%u, %%i, 4, %%cells;", o);
            S("ld.shared.%s %s, [%%s%u];", t->name, reg(m, t, 0), s);
            S("ld.shared.%s %s, [%%s%u];", t->name, reg(m, t, 1), o);
            if (chance(m, 50)) {
                S("min.%s %s, %s, %s;", mm, reg(m, t, 2), reg(m, t, 0), reg(m, t, 1));
                S("max.%s %s, %s, %s;", mm, reg(m, t, 3), reg(m, t, 0), reg(m, t, 1));
                S("selp.%s %s, %s, %s, %%p1;", t->reg == 'g' ? "f32" : "b32", reg(m, t, 0), reg(m, t, 2),
                  reg(m, t, 3));
                S("selp.%s %s, %s, %s, %%p1;", t->reg == 'g' ? "f32" : "b32", reg(m, t, 1), reg(m, t, 3),
                  reg(m, t, 2));
                S("st.shared.%s [%%s%u], %s;", t->name, s, reg(m, t, 0));
                S("st.shared.%s [%%s%u], %s;", t->name, o, reg(m, t, 1));
            } else {
                S("setp.gt.%s %%p2, %s, %s; xor.pred %%p2, %%p2, %%p1;", mm, reg(m, t, 0), reg(m, t, 1));
                S("@!%%p2 st.shared.%s [%%s%u], %s;", t->name, s, reg(m, t, 1));
                S("@!%%p2 st.shared.%s [%%s%u], %s;", t->name, o, reg(m, t, 0));
            }
            if_end(m, branch);
            barrier(m);
        }
        if (loops) {
            S("shr.u32 %%h, %%h, 1; max.u32 %%h, %%h, 1;");
            loop_end(m, inner);
            loop_end(m, outer);
        }
    }
    S("ld.shared.%s %s, [%%s%u];", t->name, reg(m, t, 0), s);
    S("st.global.%s [%%out], %s;", t->name, reg(m, t, 0));
}

/* ---- scans and sums ---- */

void shared_scan(struct maker *m) {
    const struct type *t = word_type(m);
    uint32_t s = m->serial++, back = 0;
    shape_any(m, chance(m, 20) ? 256 : 32);
    uint32_t n = threads_of(m->p);
    bool twice = chance(m, 50); /* two buffers: one barrier a step */
    const char *op = operation(m, t);
    frame_put(m, &(struct frame){.nv = 6,
                                 .ng = 6,
                                 .nw = 6,
                                 .nk = 6,
                                 .own_stride = 8,
                                 .out_stride = 8,
                                 .shared = n * t->bytes * 2});
    load_own(m, t, s);
    for (uint32_t by = 1; by < n; by *= 2) {
        uint32_t from = back, to = twice ? n * t->bytes - back : 0;
        bool branch = chance(m, 50);
        S("setp.%s.u32 %%p0, %%t, %u;", branch ? "lt" : "ge", by);
        S("ld.shared.%s %s, [%%s%u+%u];", t->name, reg(m, t, 0), s, from);
        if (branch) S("@%%p0 bra LESS_%u_%u;", s, by);
        S("%sld.shared.%s %s, [%%s%u+%d];", branch ? "" : "@%p0 ", t->name, reg(m, t, 1), s,
          (int)from - (int)(by * t->bytes));
        S("%s%s %s, %s, %s;", branch ? "" : "@%p0 ", op, reg(m, t, 0), reg(m, t, 0), reg(m, t, 1));
        if (branch) S("LESS_%u_%u:", s, by);
        if (!twice) barrier(m);
        S("st.shared.%s [%%s%u+%u], %s;", t->name, s, to, reg(m, t, 0));
        barrier(m);
        back = to;
    }
    S("ld.shared.%s %s, [%%s%u+%u];", t->name, reg(m, t, 0), s, back);
    S("st.global.%s [%%out], %s;", t->name, reg(m, t, 0));
}

/* A tree: by halves, as the samples have it, in a loop or laid out; its end by a warp with shuffles or
 * volatile. */
void shared_sum(struct maker *m) {
    const struct type *t = word_type(m);
    uint32_t s = m->serial++, c;
    struct node *saved;
    if (chance(m, 60))
        shape_power(m, 2, chance(m, 20) ? 512 : 64);
    else
        shape_any(m, chance(m, 20) ? 512 : 64);
    uint32_t n = threads_of(m->p), top = 1;
    while (top * 2 < n) top *= 2;
    const char *op = operation(m, t);
    frame_put(
        m, &(struct frame){
               .nv = 6, .ng = 6, .nw = 6, .nk = 6, .own_stride = 8, .out_stride = 8, .shared = n * t->bytes});
    load_own(m, t, s);
    if (n == 1) top = 0;
    if (chance(m, 40) && top) { /* a loop; index from a register */
        uint32_t logs = (uint32_t)__builtin_ctz(top) + 1;
        c = loop_begin(m, format(m, "%u", logs), &saved);
        S("mov.u32 %%j, %u; shr.u32 %%j, %%j, %%n%u;", top, c);
        S("add.u32 %%i, %%t, %%j; setp.lt.u32 %%p0, %%t, %%j; setp.lt.and.u32 %%p0, %%i, %u, %%p0;", n);
        S("mad.lo.u32 %%i, %%i, %u, %%cells;", t->bytes);
        S("@%%p0 ld.shared.%s %s, [%%i];", t->name, reg(m, t, 1));
        S("@%%p0 ld.shared.%s %s, [%%s%u];", t->name, reg(m, t, 0), s);
        S("@%%p0 %s %s, %s, %s;", op, reg(m, t, 0), reg(m, t, 0), reg(m, t, 1));
        S("@%%p0 st.shared.%s [%%s%u], %s;", t->name, s, reg(m, t, 0));
        barrier(m);
        loop_end(m, saved);
    } else {
        bool near = chance(m, 30); /* neighbours first */
        for (uint32_t k = near ? 1 : top; k && k < n; k = near ? 2 * k : k / 2) {
            struct node *branch;
            if (near)
                S("and.b32 %%i, %%t, %u; setp.eq.u32 %%p0, %%i, 0; add.u32 %%j, %%t, %u; setp.lt.and.u32 "
                  "%%p0, %%j, "
                  "%u, %%p0;",
                  2 * k - 1, k, n);
            else
                S("setp.lt.u32 %%p0, %%t, %u;", k + k > n ? n - k : k);
            if_begin(m, "%p0", &branch);
            S("ld.shared.%s %s, [%%s%u];", t->name, reg(m, t, 0), s);
            S("ld.shared.%s %s, [%%s%u+%u];", t->name, reg(m, t, 1), s, k * t->bytes);
            S("%s %s, %s, %s;", op, reg(m, t, 2), reg(m, t, 0), reg(m, t, 1));
            S("st.shared.%s [%%s%u], %s;", t->name, s, reg(m, t, 2));
            if_end(m, branch);
            barrier(m);
        }
    }
    S("ld.shared.%s %s, [%%cells];", t->name, reg(m, t, 0));
    S("ld.shared.%s %s, [%%s%u];", t->name, reg(m, t, 1), s);
    if (chance(m, 50)) S("setp.eq.u32 %%p0, %%t, 0; @%%p0 st.global.%s [%%out], %s;", t->name, reg(m, t, 0));
    S("st.global.%s [%%out], %s;", t->name, reg(m, t, 1));
    if (t->reg == 'v') S("@%%p0 red.global.add.u32 [%%counts+%u], %%v0;", 4 * draw(m, 64));
}

/* ---- tiles ---- */

/* A tile of any aspect through shared memory, transposed or mirrored; some rows a thread. */
void shared_tile(struct maker *m) {
    const struct type *t = word_type(m);
    uint32_t w = chance(m, 50) ? EITHER(4, 8, 16, 32) : 1 + draw(m, 34),
             h = chance(m, 40) ? w : 1 + draw(m, 20);
    uint32_t rows = 1 + draw(m, 4), pad = draw(m, 3), s = m->serial++, o = m->serial++, u = m->serial++;
    while (w * h > 512) h /= 2;
    shape_set(m, 1 + draw(m, 3), w, h, 1);
    while ((w + pad) * h * rows * t->bytes > FUZZ_SHARED || total_of(m->p) * rows > FUZZ_WORDS / 2) rows--;
    uint32_t all = h * rows, pitch = (w + pad) * t->bytes;
    frame_put(m, &(struct frame){.nv = 8, .ng = 8, .nw = 8, .nk = 8, .shared = pitch * all});
    S("mul.lo.u32 %%e, %%bx, %u;", w * all);
    S("mad.lo.u32 %%i, %%ty, %u, %%tx; add.u32 %%i, %%i, %%e; mul.wide.u32 %%a, %%i, %u; add.s64 %%a, %%a, "
      "%%own;",
      w, t->bytes);
    S(".reg .b32 %%s%u, %%s%u, %%s%u; mad.lo.u32 %%s%u, %%tx, %u, %%cells; mad.lo.u32 %%s%u, %%ty, %u, "
      "%%s%u;",
      s, o, u, s, t->bytes, s, pitch, s);
    for (uint32_t k = 0; k < rows; k++) {
        S("ld.global.%s %s, [%%a+%u];", t->name, reg(m, t, k), k * w * h * t->bytes);
        S("st.shared.%s [%%s%u+%u], %s;", t->name, s, k * h * pitch, reg(m, t, k));
    }
    barrier(m);
    uint32_t kind = draw(m, 3); /* transposed, mirrored, or turned */
    for (uint32_t k = 0; k < rows; k++) {
        /* the output's element number, and where it comes from: column c, row r */
        S("mad.lo.u32 %%i, %%ty, %u, %%tx; add.u32 %%i, %%i, %u;", w, k * w * h);
        if (kind == 0)
            S("div.u32 %%j, %%i, %u; rem.u32 %%s%u, %%i, %u;", all, u, all);
        else if (kind == 1)
            S("rem.u32 %%j, %%i, %u; sub.u32 %%j, %u, %%j; div.u32 %%s%u, %%i, %u;", w, w - 1, u, w);
        else
            S("div.u32 %%j, %%i, %u; rem.u32 %%s%u, %%i, %u; sub.u32 %%s%u, %u, %%s%u;", all, u, all, u,
              all - 1, u);
        S("mad.lo.u32 %%s%u, %%j, %u, %%cells; mad.lo.u32 %%s%u, %%s%u, %u, %%s%u;", o, t->bytes, o, u, pitch,
          o);
        S("ld.shared.%s %s, [%%s%u];", t->name, reg(m, t, 4), o);
        S("add.u32 %%i, %%i, %%e; mul.wide.u32 %%b, %%i, %u; add.s64 %%b, %%b, %%out;", t->bytes);
        S("st.global.%s [%%b], %s;", t->name, reg(m, t, 4));
    }
}

/* A row with a halo on both sides, or a square with one all around. */
void shared_stencil(struct maker *m) {
    const struct type *t = word_type(m);
    uint32_t radius = 1 + draw(m, chance(m, 20) ? 4 : 1), s = m->serial++;
    bool square = chance(m, 50);
    if (square)
        shape_set(m, 1 + draw(m, 3), EITHER(8, 16, 32, 7, 20), EITHER(4, 8, 5, 2), 1);
    else
        shape_any(m, 256);
    uint32_t w = square ? m->p->block[0] : threads_of(m->p), h = square ? m->p->block[1] : 1;
    uint32_t pitch = w + 2 * radius, cells = pitch * (square ? h + 2 * radius : 1), n = w * h;
    struct node *saved;
    const char *op = operation(m, t);
    frame_put(m, &(struct frame){
                     .nv = 6, .ng = 6, .nw = 6, .nk = 6, .out_stride = t->bytes, .shared = cells * t->bytes});
    /* every thread brings cells t, t + n, ... */
    S("mul.lo.u32 %%e, %%bx, %u;", draw(m, n + 1));
    for (uint32_t k = 0; k * n < cells; k++) {
        S("add.u32 %%i, %%t, %u; setp.lt.u32 %%p0, %%i, %u;", k * n, cells);
        if_begin(m, "%p0", &saved);
        S("add.u32 %%j, %%i, %%e; and.b32 %%j, %%j, 1023; mul.wide.u32 %%a, %%j, %u; add.s64 %%a, %%a, %%in;",
          t->bytes);
        S("ld.global%s.%s %s, [%%a];", chance(m, 30) ? ".nc" : "", t->name, reg(m, t, 0));
        S("mad.lo.u32 %%j, %%i, %u, %%cells;", t->bytes);
        S("st.shared.%s [%%j], %s;", t->name, reg(m, t, 0));
        if_end(m, saved);
    }
    barrier(m);
    if (square)
        S("mad.lo.u32 %%i, %%ty, %u, %%tx; mov.b%u %s, %s;", pitch, 8u * (t->bytes < 4 ? 4 : t->bytes),
          reg(m, t, 2), reg(m, t, 3));
    else
        S("mov.u32 %%i, %%t;");
    address(m, s, "%i", t->bytes);
    uint32_t from = m->into->nkids;
    for (uint32_t y = 0; y <= (square ? 2 * radius : 0); y++)
        for (uint32_t x = 0; x <= 2 * radius; x++) {
            if (square && x != radius && y != radius && radius > 1) continue;
            S("ld.shared.%s %s, [%%s%u+%u]; %s %s, %s, %s;", t->name, reg(m, t, 1), s,
              (y * pitch + x) * t->bytes, op, reg(m, t, 2), reg(m, t, 2), reg(m, t, 1));
        }
    if (chance(m, 50)) shuffle(m, from, chance(m, 50));
    S("st.global.%s [%%out], %s;", t->name, reg(m, t, 2));
}

/* A product of matrices by tiles. */
void shared_product(struct maker *m) {
    const struct type *t = &types[m->p->data == DATA_FLOATS ? TYPE_F32 : TYPE_U32];
    uint32_t w = EITHER(4, 8, 4, 16, 5), s = m->serial++, o = m->serial++, u = m->serial++,
             tiles = 1 + draw(m, 3);
    struct node *saved, *inner = NULL;
    shape_set(m, 1 + draw(m, 2), w, w, 1);
    frame_put(m, &(struct frame){.nv = 6, .ng = 6, .out_stride = 4, .shared = 2 * w * w * 4});
    S(".reg .b32 %%s%u, %%s%u, %%s%u; mad.lo.u32 %%s%u, %%t, 4, %%cells;", s, o, u, s);
    S("mul.lo.u32 %%i, %%ty, %u; add.u32 %%i, %%i, %%tx; mul.wide.u32 %%a, %%i, 4; add.s64 %%b, %%a, %%own; "
      "add.s64 %%a, "
      "%%a, %%in;",
      w * tiles);
    S("mov.b32 %s, %s;", reg(m, t, 3), reg(m, t, 4));
    loop_begin(m, format(m, "%u", tiles), &saved);
    S("ld.global.%s %s, [%%a];", t->name, reg(m, t, 0));
    S("ld.global.%s %s, [%%b];", t->name, reg(m, t, 1));
    S("st.shared.%s [%%s%u], %s;", t->name, s, reg(m, t, 0));
    S("st.shared.%s [%%s%u+%u], %s;", t->name, s, w * w * 4, reg(m, t, 1));
    barrier(m);
    S("mad.lo.u32 %%s%u, %%ty, %u, %%cells; mad.lo.u32 %%s%u, %%tx, 4, %%cells;", o, 4 * w, u);
    uint32_t unroll = chance(m, 60) ? w : 1;
    if (unroll == 1) loop_begin(m, format(m, "%u", w), &inner);
    for (uint32_t k = 0; k < unroll; k++) {
        S("ld.shared.%s %s, [%%s%u+%u];", t->name, reg(m, t, 0), o, 4 * k);
        S("ld.shared.%s %s, [%%s%u+%u];", t->name, reg(m, t, 1), u, 4 * (w * w + k * w));
        S("%s %s, %s, %s, %s;", t->reg == 'g' ? "fma.rn.f32" : "mad.lo.u32", reg(m, t, 3), reg(m, t, 0),
          reg(m, t, 1), reg(m, t, 3));
    }
    if (unroll == 1) {
        S("add.u32 %%s%u, %%s%u, 4; add.u32 %%s%u, %%s%u, %u;", o, o, u, u, 4 * w);
        loop_end(m, inner);
    }
    S("add.s64 %%a, %%a, %u; add.s64 %%b, %%b, %u;", 4 * w, 4 * w * w);
    barrier(m);
    loop_end(m, saved);
    S("st.global.%s [%%out], %s;", t->name, reg(m, t, 3));
}
