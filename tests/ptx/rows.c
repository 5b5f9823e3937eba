/* The table of instructions: no row hides another, words match as they should. */
#include "ptx_tests.h"
#include "ptx/row.h"

#include <stdio.h>

enum { MAX = 24 };
struct words {
    const struct wg_spelling *v[MAX];
    uint32_t n;
};

static void add(struct words *w, const char *s) { w->v[w->n++] = wg_spelling(s, (uint32_t)strlen(s)); }

/* The words of a row with types t and u, and its optional modifiers if asked. */
static struct words words_of(const struct wg_row *r, enum wg_type t, enum wg_type u, bool optional) {
    struct words w = {0};
    for (int i = 0; i < r->nslots; i++) {
        const struct wg_slot *s = &r->slots[i];
        if (s->kind == WG_SLOT_T)
            add(&w, wg_type_name(t));
        else if (s->kind == WG_SLOT_U)
            add(&w, wg_type_name(u));
        else if (s->kind == WG_SLOT_B || s->kind == WG_SLOT_C)
            add(&w,
                wg_type_name((enum wg_type)__builtin_ctzll(s->kind == WG_SLOT_B ? r->b_allow : r->c_allow)));
        else if (!s->optional || optional)
            add(&w, wg_mod_name(wg_slot_only(s)));
    }
    return w;
}

static bool is_mov(enum wg_op op) {
    return op == WG_OP_MOV_SREG || op == WG_OP_MOV_PACK ||
           op == WG_OP_MOV_UNPACK; /* told apart by operands */
}

static void check_row(enum wg_op op, enum wg_type t, enum wg_type u) {
    const struct wg_row *r = wg_row(op);
    for (int optional = 0; optional < 2; optional++) {
        struct words w = words_of(r, t, u, optional);
        struct wg_match m;
        uint16_t first = wg_spelling(r->opcode, (uint32_t)strlen(r->opcode))->row;
        if (!wg_row_match(first, w.v, w.n, &m)) fail_msg("%s: its own words do not match it", r->id);
        if (m.op != op) fail_msg("%s with .%s is hidden by %s", r->id, wg_type_name(t), wg_row(m.op)->id);
        assert_int_equal(m.type, t);
        assert_int_equal(m.type2, u);
    }
}

void test_every_row_is_chosen(void **state) {
    for (int op = 1; op < WG_OP_COUNT; op++) {
        const struct wg_row *r = wg_row(op);
        if (is_mov(op)) continue;
        for (int t = 0; t < WG_T_COUNT; t++)
            for (int u = 0; u < WG_T_COUNT; u++) {
                bool has_t = t ? r->t_allow >> t & 1 : !r->t_allow,
                     has_u = u ? r->u_allow >> u & 1 : !r->u_allow;
                if (has_t && has_u) check_row(op, t, u);
            }
    }
}

static struct wg_match match(const char *opcode, const char *words) {
    struct words w = {0};
    char copy[200], *save = NULL;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *s = strtok_r(copy, " ", &save); s; s = strtok_r(NULL, " ", &save)) add(&w, s);
    struct wg_match m;
    if (!wg_row_match(wg_spelling(opcode, (uint32_t)strlen(opcode))->row, w.v, w.n, &m)) m.op = WG_OP_NONE;
    return m;
}

/* Memory instructions: compilers differ in the order of space, scope and cache words. */
void test_words_in_any_order(void **state) {
    static const char *const orders[] = {"relaxed gpu global add u32", "global relaxed gpu add u32",
                                         "add relaxed global gpu u32", "relaxed global gpu add u32"};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct wg_match m = match("atom", orders[i]);
        assert_int_equal(m.op, WG_OP_ATOM);
        assert_int_equal(m.mod[WG_MC_SEM], WG_M_relaxed);
        assert_int_equal(m.mod[WG_MC_SCOPE], WG_M_gpu);
        assert_int_equal(m.mod[WG_MC_SPACE], WG_M_global);
        assert_int_equal(m.mod[WG_MC_AOP], WG_M_add);
        assert_int_equal(m.type, WG_T_U32);
    }
    struct wg_match ld = match("ld", "global ca nc v4 f32");
    assert_int_equal(ld.mod[WG_MC_CACHE], WG_M_ca);
    assert_int_equal(ld.mod[WG_MC_CACHE2], WG_M_nc);
    assert_int_equal(match("setp", "lt or f32").op, WG_OP_SETP_B);
    assert_int_equal(match("setp", "lo u32").mod[WG_MC_CMP], WG_M_lo);
    assert_int_equal(match("mul", "lo u32").mod[WG_MC_MULW], WG_M_lo);
    assert_int_equal(match("set", "lt f32 s32").type2, WG_T_F32);
}

void test_row_refuses(void **state) {
    assert_int_equal(match("add", "f32 rn").op, WG_OP_NONE);
    assert_int_equal(match("add", "rn rn f32").op, WG_OP_NONE);
    assert_int_equal(match("add", "").op, WG_OP_NONE);
    assert_int_equal(match("add", "s32 s32").op, WG_OP_NONE);
    assert_int_equal(match("add", "pred").op, WG_OP_NONE);
    assert_int_equal(match("ld", "global global u32").op, WG_OP_NONE);
}

void test_spellings(void **state) {
    assert_null(wg_spelling("addd", 4));
    assert_null(wg_spelling("", 0));
    assert_true(wg_spelling("tcgen05", 7)->known_opcode);
    assert_false(wg_spelling("tcgen05", 7)->row);
    assert_true(wg_spelling("add", 3)->known_opcode);
    assert_true(wg_spelling("shared::cta", 11)->known_word);
    for (int m = 1; m < WG_M_COUNT; m++)
        assert_int_equal(wg_spelling(wg_mod_name(m), (uint32_t)strlen(wg_mod_name(m)))->mod, m);
}

void test_types(void **state) {
    assert_int_equal(wg_type_find("f16x2", 5), WG_T_F16X2);
    assert_int_equal(wg_type_find("f16", 3), WG_T_F16);
    assert_int_equal(wg_type_find("f1", 2), WG_T_NONE);
    assert_int_equal(wg_type_bits(WG_T_PRED), 1);
    assert_int_equal(wg_type_bits(WG_T_B128), 128);
    assert_int_equal(wg_type_kind(WG_T_S16), WG_K_S);
    for (int t = 1; t < WG_T_COUNT; t++)
        assert_int_equal(wg_type_find(wg_type_name(t), strlen(wg_type_name(t))), t);
}
