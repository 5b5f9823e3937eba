/* Tests of jit/lower*: one case is one row with its modifiers, compiled as vector and as scalar code for each
 * level of x86, run over edge-biased operands, and compared with a plain C function of one lane.
 *
 *     ADD(.op = WG_OP_SHL, .type = WG_T_B32, .src = {32, 32}, .dst = {32}, .expect = shift);
 *
 * int_cases.c and its like list cases; jit.c compiles and runs them; exact.c rounds.
 */
#ifndef WG_TESTS_LOWER_CASES_H
#define WG_TESTS_LOWER_CASES_H
#include "jit/lower/lower.h"
#include <stdint.h>

enum { MAX_SRC = 6, MAX_DST = 4, MAX_MODS = 6, LANES = 32, ANYTHING = 2 };

/* What the lowering is told of an operand besides its value. */
enum known { VARIES, UNIFORM, CONSTANT };

struct test_case {
    enum wg_op op;
    enum wg_type type, type2;
    struct {
        enum wg_modc field;
        enum wg_mod value;
    } mods[MAX_MODS];
    uint8_t src[MAX_SRC], dst[MAX_DST]; /* widths; a list ends with 0 */
    enum wg_type src_type;              /* decides which edge values sources get; 0: `type` */
    enum wg_type dst_type;              /* floats: NaN equals NaN; 0: `type` */
    struct {
        uint8_t known; /* enum known */
        uint64_t value;
    } operand[MAX_SRC];
    unsigned ulps;  /* floats may be this far off */
    bool one_level; /* what LLVM makes of it does not matter at every level of x86 */
    bool carry;     /* there is a carry flag going in; the flag coming out is compared too */
    /* Results of one lane from its sources; *cc is the carry flag, or is set to ANYTHING: do not compare. */
    void (*expect)(const struct test_case *c, const uint64_t *s, uint64_t *d, uint32_t *cc);
};

typedef void add_case_fn(void *user, struct test_case c);
void int_cases(add_case_fn *add, void *user);
void bit_cases(add_case_fn *add, void *user);
void float_cases(add_case_fn *add, void *user);
void cvt_cases(add_case_fn *add, void *user);

void test_roots(void **state); /* roots.c */

/* What case files are written with: an expectation, and a case. */
#define EXPECT(name) static void name(const struct test_case *c, const uint64_t *s, uint64_t *d, uint32_t *cc)
#define ADD(...)     add(user, (struct test_case){__VA_ARGS__})

static inline enum wg_mod mod_of(const struct test_case *c, enum wg_modc field) {
    for (int i = 0; i < MAX_MODS; i++)
        if (c->mods[i].value && c->mods[i].field == field) return c->mods[i].value;
    return WG_M_none;
}
static inline uint64_t low_bits(uint64_t v, unsigned bits) {
    return bits >= 64 ? v : v & ((1ull << bits) - 1);
}
static inline int64_t as_signed(uint64_t v, unsigned bits) {
    return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* ---- jit.c: code for one level of x86 ---- */
struct level {
    const char *name, *cpu;
    bool avx512, avx2;
    const char *needs; /* for __builtin_cpu_supports; NULL: nothing */
};
struct unit; /* compiled cases */
struct unit *unit_compile(const struct level *l, const struct test_case *cases, unsigned ncases);
/* lanes: 32 runs the vector form, 1 the scalar one lane by lane. False: the row has no lowering. */
bool unit_run(struct unit *u, unsigned index, unsigned lanes, uint64_t src[MAX_SRC][LANES],
              const uint32_t *cc_in, uint64_t dst[MAX_DST][LANES], uint32_t *cc_out);
char *unit_text(struct unit *u, unsigned index,
                unsigned lanes); /* for messages; free with LLVMDisposeMessage */
void unit_free(struct unit *u);

/* ---- exact.c: numbers as sign, integer and power of two, rounded once ---- */
struct exact {
    bool negative, sticky; /* sticky: a little more than mant * 2^exp */
    bool infinite, nan;
    unsigned __int128 mant;
    int exp;
};
struct format {
    int fraction, bias; /* bits of fraction; bias */
    int shift;          /* tf32: zero bits below */
    unsigned bits;
};
const struct format *format_of(enum wg_type t);
struct exact exact_from(enum wg_type t, uint64_t bits);
uint64_t exact_round(struct exact x, enum wg_type t, enum wg_mod rounding); /* NaN: 0x7fff... */
struct exact exact_whole(struct exact x, enum wg_mod rounding);             /* rounded to an integer */
struct exact exact_mul(struct exact x, struct exact y);
struct exact exact_add(struct exact x, struct exact y);
bool bits_are_nan(enum wg_type t, uint64_t bits);
uint64_t bits_flush(enum wg_type t, uint64_t bits);
#endif
