/* Which cases a row gets, and the kernels that run them: see plan.h. */
#include "tests/rows/plan.h"
#include "tests/rows/values.h"
#include "base/arena.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which ---- */

static void add(struct plan *p, const struct row_case *c) {
    struct row_case *n = WG_PUSH(p);
    *n = *c;
}

static bool is_integer_class(uint8_t cls) { return cls <= V_I64 || cls == V_COUNT; }

static uint64_t immediate(const struct case_source *s, uint64_t *random) {
    static uint64_t *image;
    if (!image) {
        image = wg_xcalloc((size_t)V_CLASSES * CASE_SOURCES * VALUES, sizeof *image);
        values_fill(image);
    }
    return image[values_index(s->cls, 0, (uint32_t)(values_random(random) >> 32) % VALUES)];
}

/* Way `w` of giving the sources: false when there is none. */
static bool arrange(struct row_case *c, uint32_t w, uint64_t *random) {
    struct case_source s[CASE_SOURCES];
    uint32_t n = case_sources(c, s);
    memset(c->kind, 'v', sizeof c->kind);
    c->guarded = false;
    if (w == 0) {
        memset(c->kind, 'u', sizeof c->kind);
        return true;
    }
    if (w == 1) {
        c->guarded = true;
        return true;
    }
    uint32_t k = (w - 2) / 3, how = (w - 2) % 3;
    if (k >= n) return false;
    c->kind[k] = "uli"[how];
    c->guarded = (values_random(random) >> 40) % 4 == 0;
    if (how == 1) return is_integer_class(s[k].cls);
    if (how == 2) c->imm[k] = immediate(&s[k], random);
    return how == 0 || s[k].may_imm;
}

struct gather {
    struct plan *p;
    uint32_t extra, seen;
    uint64_t random;
};

static void gather(void *user, const struct row_case *form) {
    struct gather *g = user;
    struct row_case c = *form;
    if (!case_legal(&c)) {
        c.second = false;
        if (!case_legal(&c)) return;
    }
    g->seen++;
    /* Comparisons with a predicate folded in are many and alike. */
    bool folded =
        c.op == WG_OP_SET_B || c.op == WG_OP_SETP_B || c.op == WG_OP_SET_X2_B || c.op == WG_OP_SETP_X2_B;
    if (folded && g->extra < 8 && g->seen % 8 != 0) return;
    add(g->p, &c);
    enum { WAYS = 2 + 3 * CASE_SOURCES };
    /* Of a row with many forms each way has come by then. */
    uint32_t extra = g->seen > WAYS && g->extra < 8 ? (g->extra + 1) / 2 : g->extra;
    uint32_t first = (uint32_t)(values_random(&g->random) >> 33), taken = 0;
    for (uint32_t w = 0; w < WAYS && taken < extra; w++) {
        struct row_case v = c;
        if (!arrange(&v, (first + w) % WAYS, &g->random)) continue;
        if (v.op == WG_OP_SETP || v.op == WG_OP_SETP_B) v.second = v.second && (g->random >> 50 & 1);
        add(g->p, &v);
        taken++;
    }
}

void plan_row(struct plan *p, enum wg_op op, uint32_t extra) {
    struct gather g = {.p = p, .extra = extra, .random = 0x1234567 + op};
    case_forms(op, gather, &g);
}

void plan_free(struct plan *p) {
    free(p->v);
    *p = (struct plan){0};
}

/* ---- their kernel ---- */

static const char *reg_type(uint32_t bits) {
    return bits == 1 ? "pred" : bits == 16 ? "b16" : bits == 32 ? "b32" : "b64";
}

static void load(struct wg_strbuf *o, const char *reg, uint32_t bits, const char *base, uint32_t cls,
                 uint32_t k, uint32_t element) {
    size_t at = 8 * values_index(cls, k, element);
    if (bits > 1) {
        wg_strbuf_printf(o, "  ld.global.b%u %s, [%s+%zu];\n", bits, reg, base, at);
        return;
    }
    wg_strbuf_printf(o, "  { .reg .b16 %%t; ld.global.b16 %%t, [%s+%zu]; setp.ne.b16 %s, %%t, 0; }\n", base,
                     at, reg);
}

static void linear(struct wg_strbuf *o, const char *reg, uint32_t bits, uint32_t step, uint32_t start) {
    if (bits == 32)
        wg_strbuf_printf(o, "  mad.lo.s32 %s, %%tx, %u, %u;\n", reg, step, start);
    else if (bits == 64)
        wg_strbuf_printf(o, "  { .reg .b64 %%t; cvt.u64.u32 %%t, %%tx; mad.lo.s64 %s, %%t, %u, %u; }\n", reg,
                         step, start);
    else
        wg_strbuf_printf(o, "  { .reg .b32 %%t; mad.lo.s32 %%t, %%tx, %u, %u; cvt.u16.u32 %s, %%t; }\n", step,
                         start, reg);
}

static void sources(struct wg_strbuf *o, const struct row_case *c, char name[][16], uint32_t id) {
    struct case_source s[CASE_SOURCES];
    uint32_t n = case_sources(c, s);
    for (uint32_t k = 0; k < n; k++) {
        snprintf(name[k], 16, "%%s%u_%u", id, k);
        if (c->kind[k] == 'i') continue;
        wg_strbuf_printf(o, "  .reg .%s %s;\n", reg_type(s[k].bits), name[k]);
        if (c->kind[k] == 'v')
            load(o, name[k], s[k].bits, "%in", s[k].cls, k, 0);
        else if (c->kind[k] == 'u')
            load(o, name[k], s[k].bits, "%base", s[k].cls, k, (id * 131 + c->op * 17) % VALUES);
        else
            linear(o, name[k], s[k].bits, id % 5 ? id % 5 : 9, c->op * 3);
    }
}

/* Sets the carry flag from data, so that rows that read it do, and lanes left out have one as well. */
static void set_carry(struct wg_strbuf *o, bool subtracts) {
    wg_strbuf_puts(o, "  { .reg .b32 %cx, %cy;\n");
    load(o, "%cx", 32, "%in", V_I32, 3, 0);
    load(o, "%cy", 32, "%in", V_I32, 4, 0);
    wg_strbuf_printf(o, "  %s.cc.u32 %%cx, %%cx, %%cy; }\n", subtracts ? "sub" : "add");
}

static void one_case(struct wg_strbuf *o, const struct row_case *c, uint32_t id) {
    uint32_t bits[2], results = case_results(c, bits);
    char src[CASE_SOURCES][16], dst[2][16];
    const char *s[CASE_SOURCES], *d[2];
    bool carry = wg_op_flags(c->op) & WG_F_CC, subtracts = c->op == WG_OP_SUB_CC || c->op == WG_OP_SUBC;
    sources(o, c, src, id);
    for (uint32_t k = 0; k < CASE_SOURCES; k++) s[k] = src[k];
    for (uint32_t k = 0; k < results; k++) {
        snprintf(dst[k], 16, "%%d%u_%u", id, k);
        d[k] = dst[k];
        wg_strbuf_printf(o, "  .reg .%s %s;\n", reg_type(bits[k]), dst[k]);
        if (!c->guarded) continue;
        if (bits[k] == 1)
            wg_strbuf_printf(o, "  mov.pred %s, %%guard;\n", dst[k]);
        else
            wg_strbuf_printf(o, "  mov.b%u %s, %s;\n", bits[k], dst[k],
                             bits[k] == 16 ? "0x5a5a" : "0x5a5a5a5a");
    }
    if (carry) set_carry(o, subtracts);
    wg_strbuf_puts(o, c->guarded ? "  @%guard " : "  ");
    case_text(c, d, s, o);
    wg_strbuf_puts(o, "\n");
    for (uint32_t k = 0; k < results; k++) {
        uint32_t at = (id * PLAN_SLOTS + k) * VALUES * 8;
        if (bits[k] > 1)
            wg_strbuf_printf(o, "  st.global.b%u [%%out+%u], %s;\n", bits[k], at, dst[k]);
        else
            wg_strbuf_printf(o,
                             "  { .reg .b32 %%t; selp.b32 %%t, 1, 0, %s; st.global.b32 [%%out+%u], %%t; }\n",
                             dst[k], at);
    }
    if (carry)
        wg_strbuf_printf(o, "  { .reg .b32 %%t; %s.u32 %%t, 0, 0; st.global.b32 [%%out+%u], %%t; }\n",
                         subtracts ? "subc" : "addc", (id * PLAN_SLOTS + 2) * VALUES * 8);
}

void plan_ptx(const struct row_case *cases, uint32_t n, struct wg_strbuf *o) {
    wg_strbuf_puts(
        o, ".version 8.6\n.target sm_90\n.address_size 64\n"
           ".visible .entry rows(.param .u64 p_in, .param .u64 p_out, .param .u32 p_count) {\n"
           "  .reg .b32 %tx, %ty, %tz, %nx, %ny, %nz, %block, %x, %count, %bits;\n"
           "  .reg .b64 %base, %in, %out, %at;\n  .reg .pred %beyond, %guard;\n"
           "  mov.u32 %tx, %tid.x;\n  mov.u32 %ty, %tid.y;\n  mov.u32 %tz, %tid.z;\n"
           "  mov.u32 %nx, %ntid.x;\n  mov.u32 %ny, %ntid.y;\n  mov.u32 %nz, %ntid.z;\n"
           "  mov.u32 %block, %ctaid.x;\n"
           "  mad.lo.u32 %x, %block, %nz, %tz;\n  mad.lo.u32 %x, %x, %ny, %ty;\n"
           "  mad.lo.u32 %x, %x, %nx, %tx;\n"
           "  ld.param.u32 %count, [p_count];\n  setp.ge.u32 %beyond, %x, %count;\n  @%beyond bra DONE;\n"
           "  ld.param.u64 %base, [p_in];\n  ld.param.u64 %out, [p_out];\n"
           "  cvta.to.global.u64 %base, %base;\n  cvta.to.global.u64 %out, %out;\n"
           "  mul.wide.u32 %at, %x, 8;\n  add.s64 %in, %base, %at;\n  add.s64 %out, %out, %at;\n"
           "  and.b32 %bits, %x, 10;\n  setp.ne.b32 %guard, %bits, 0;\n");
    for (uint32_t k = 0; k < n; k++) one_case(o, &cases[k], k);
    wg_strbuf_puts(o, "DONE:\n  ret;\n}\n");
}
