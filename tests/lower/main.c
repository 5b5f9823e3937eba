/* Runs every case of tests/lower at every level of x86 that this machine has. */
#include "base/arena.h"
#include "cases.h"
#include <llvm-c/Core.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ROUNDS = 24, MAX_REPORTS = 40 };

static const struct level levels[] = {{"avx512", "skylake-avx512", true, true, "avx512vl"},
                                      {"avx2", "haswell", false, true, "avx2"},
                                      {"sse4.2", "nehalem", false, false, NULL}};

/* Sanitizers see what makes code, and not the code: under them that of one level is compiled and run. */
#ifdef WG_QUICK_CODE
enum { LEVELS_RUN = 1 };
#else
enum { LEVELS_RUN = sizeof levels / sizeof *levels };
#endif

struct list {
    struct test_case *cases;
    unsigned n, room;
};
static void add(void *user, struct test_case c) {
    struct list *l = user;
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->cases = wg_xrealloc(l->cases, l->room * sizeof c);
    }
    l->cases[l->n++] = c;
}

/* ---- Operands: edges more often than chance ---- */

static uint64_t random64(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static uint64_t int_edge(uint64_t *state, unsigned bits) {
    uint64_t r = random64(state);
    switch (r % 8) {
    case 0: return r >> 61;                                   /* small */
    case 1: return 0 - (r >> 61);                             /* small, negative */
    case 2: return (1ull << (bits - 1)) - 2 + ((r >> 8) % 4); /* about the greatest signed */
    case 3: return (1ull << ((r >> 8) % bits)) - (r >> 63);   /* about powers of two */
    case 4: return (r >> 8) % 70;                             /* shift counts */
    case 5: return r >> ((r >> 8) % 64);                      /* any length */
    default: return random64(state);
    }
}

static uint64_t float_edge(uint64_t *state, enum wg_type t) {
    const struct format *f = format_of(t);
    uint64_t r = random64(state), sign = (r >> 62 & 1) << (f->bits - 1),
             one = (uint64_t)f->bias << f->fraction;
    uint64_t inf = (2 * (uint64_t)f->bias + 1) << f->fraction, hidden = 1ull << f->fraction;
    switch (r % 12) {
    case 0: return sign;
    case 1: return sign | inf;
    case 2: return sign | inf | hidden >> 1 | (r >> 20 & 3);         /* NaN */
    case 3: return sign | low_bits(random64(state), f->fraction);    /* subnormal */
    case 4: return sign | (hidden - 2 + (r >> 20 & 3));              /* about the least normal */
    case 5: return sign | (inf - 1 - (r >> 20 & 1));                 /* the greatest */
    case 6: return sign | (one + (r >> 20 & 7) - 4);                 /* about 1 */
    case 7: return sign | (one + low_bits(r >> 8, f->fraction + 3)); /* [1, 256) */
    case 8: { /* halves and whole numbers, about limits of integers */
        struct exact x = {.negative = r >> 63, .mant = int_edge(state, 64), .exp = -(int)(r >> 20 & 3)};
        return exact_round(x, t, WG_M_rn);
    }
    case 9:
        return sign | low_bits(one + (random64(state) >> 8) % (64ull << f->fraction) - (32ull << f->fraction),
                               f->bits - 1);
    default: return low_bits(random64(state), f->bits);
    }
}

static uint64_t edge(uint64_t *state, enum wg_type t, unsigned bits) {
    if (!format_of(t) || format_of(t)->bits > bits) return low_bits(int_edge(state, bits), bits);
    uint64_t v = float_edge(state, t);
    return format_of(t)->bits < bits ? low_bits(v | float_edge(state, t) << 16, bits) : v;
}

/* ---- Comparing ---- */

static bool same(enum wg_type t, uint64_t got, uint64_t want, unsigned bits, unsigned ulps) {
    const struct format *f = format_of(t);
    if (!f || got == want || f->bits > bits) return got == want;
    for (unsigned at = 0; at < bits; at += f->bits) {
        uint64_t g = low_bits(got >> at, f->bits), w = low_bits(want >> at, f->bits);
        if (bits_are_nan(t, g) && bits_are_nan(t, w)) continue;
        if ((g > w ? g - w : w - g) > ulps) return false;
    }
    return true;
}

static void describe(const struct test_case *c, char *text, size_t size) {
    size_t n = (size_t)snprintf(text, size, "%s", wg_op_id(c->op));
    for (int i = 0; i < MAX_MODS; i++)
        if (c->mods[i].value) n += (size_t)snprintf(text + n, size - n, ".%s", wg_mod_name(c->mods[i].value));
    n += (size_t)snprintf(text + n, size - n, ".%s", wg_type_name(c->type));
    if (c->type2) n += (size_t)snprintf(text + n, size - n, ".%s", wg_type_name(c->type2));
    for (int i = 0; i < MAX_SRC && c->src[i]; i++)
        if (c->operand[i].known)
            n += (size_t)snprintf(text + n, size - n, " %s%d=%llx",
                                  c->operand[i].known == UNIFORM ? "uniform " : "", i,
                                  (unsigned long long)c->operand[i].value);
}

struct run {
    struct unit *unit;
    const struct test_case *c;
    unsigned index;
    const char *level;
    unsigned failures;
};

static void report(struct run *r, unsigned lanes, const uint64_t *s, const char *what, uint64_t got,
                   uint64_t want) {
    char text[256];
    if (r->failures++ >= MAX_REPORTS) return;
    describe(r->c, text, sizeof text);
    fprintf(stderr, "%s %s, %u lanes:", r->level, text, lanes);
    for (int i = 0; i < MAX_SRC && r->c->src[i]; i++) fprintf(stderr, " %llx", (unsigned long long)s[i]);
    fprintf(stderr, " -> %s %llx, want %llx\n", what, (unsigned long long)got, (unsigned long long)want);
}

static bool check_lane(struct run *r, unsigned lanes, unsigned lane, uint64_t src[MAX_SRC][LANES],
                       uint32_t cc, uint64_t dst[MAX_DST][LANES], uint32_t cc_out) {
    const struct test_case *c = r->c;
    uint64_t s[MAX_SRC], d[MAX_DST] = {0};
    for (int i = 0; i < MAX_SRC; i++) s[i] = src[i][lane];
    c->expect(c, s, d, &cc);
    if (cc == ANYTHING) return true;
    for (int i = 0; i < MAX_DST && c->dst[i]; i++) {
        enum wg_type t = c->dst_type ? c->dst_type : c->type;
        uint64_t want = low_bits(d[i], c->dst[i]);
        if (same(t, dst[i][lane], want, c->dst[i], c->ulps)) continue;
        report(r, lanes, s, "result", dst[i][lane], want);
        return false;
    }
    if (c->carry && cc_out != cc) {
        report(r, lanes, s, "carry", cc_out, cc);
        return false;
    }
    return true;
}

static void run_case(struct run *r) {
    uint64_t state = r->index * 7919 + 1, src[MAX_SRC][LANES], dst[MAX_DST][LANES];
    uint32_t cc[LANES], cc_out[LANES];
    const struct test_case *c = r->c;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < MAX_SRC; i++)
            for (int lane = 0; lane < LANES; lane++) {
                bool same_for_all = c->operand[i].known == UNIFORM && lane > 0;
                src[i][lane] = c->operand[i].known == CONSTANT ? c->operand[i].value
                               : same_for_all                  ? src[i][0]
                               : c->src[i] ? edge(&state, c->src_type ? c->src_type : c->type, c->src[i])
                                           : 0;
                if (i > 0 && lane % 5 == 0 && c->operand[i].known == VARIES && c->src[i] == c->src[0])
                    src[i][lane] = src[0][lane]; /* equal operands are an edge too */
            }
        for (int lane = 0; lane < LANES; lane++) cc[lane] = c->carry ? random64(&state) & 1 : 0;
        for (unsigned lanes = 1; lanes <= LANES; lanes += LANES - 1) {
            if (!unit_run(r->unit, r->index, lanes, src, cc, dst, cc_out)) {
                report(r, lanes, src[0], "no lowering", 0, 0);
                return;
            }
            for (unsigned lane = 0; lane < LANES; lane++)
                if (!check_lane(r, lanes, lane, src, cc[lane], dst, cc_out[lane])) return;
        }
    }
}

typedef void cases_fn(add_case_fn *add, void *user);

static void run_level(const struct level *level, const struct list *l, bool runs, unsigned *failures) {
    struct unit *u = unit_compile(level, l->cases, l->n);
    for (unsigned k = 0; k < l->n && runs; k++) {
        struct run r = {u, &l->cases[k], k, level->name, 0};
        run_case(&r);
        *failures += r.failures;
        const char *dump =
            getenv("WG_LOWER_DUMP"); /* 1: the scalar form, else the vector form of what fails */
        if (r.failures && dump) {
            char *text = unit_text(u, k, *dump == '1' ? 1 : LANES);
            fputs(text, stderr);
            LLVMDisposeMessage(text);
        }
    }
    unit_free(u);
}

static void drop_one_level_cases(struct list *l) {
    unsigned n = 0;
    for (unsigned i = 0; i < l->n; i++)
        if (!l->cases[i].one_level) l->cases[n++] = l->cases[i];
    l->n = n;
}

static void run_list(cases_fn *cases) {
    struct list l = {0};
    unsigned failures = 0, ran = 0;
    cases(add, &l);
    for (unsigned i = 0; i < sizeof levels / sizeof *levels; i++) {
        const struct level *level = &levels[i];
        if ((level->avx512 && !__builtin_cpu_supports("avx512vl")) ||
            (level->avx2 && !__builtin_cpu_supports("avx2")))
            continue;
        if (ran++) drop_one_level_cases(&l);
        run_level(level, &l, ran <= LEVELS_RUN, &failures);
    }
    free(l.cases);
    assert_int_equal(failures, 0);
}

static void test_int(void **state) { run_list(int_cases); }
static void test_bits(void **state) { run_list(bit_cases); }
static void test_float(void **state) { run_list(float_cases); }
static void test_cvt(void **state) { run_list(cvt_cases); }

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_int), cmocka_unit_test(test_bits),
                                       cmocka_unit_test(test_float), cmocka_unit_test(test_cvt),
                                       cmocka_unit_test(test_roots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
