/* Comparing results: see verdict.h. */
#include "tests/rows/verdict.h"
#include "ref/number.h"
#include <stdio.h>

/* The one NaN of a format for any of them, as h200.tsv was made. */
static uint64_t canonical(enum wg_type t, uint64_t v) {
    const struct ref_format *f = ref_format_of(t);
    if (!f) return v;
    if (f == &ref_f64) return ref_is_nan(f, v) ? UINT64_C(0x7ff8000000000000) : v;
    if (t != WG_T_F16X2 && t != WG_T_BF16X2) return ref_is_nan(f, v) ? f->nan : v;
    return (ref_is_nan(f, v & 0xffff) ? f->nan : v & 0xffff) | (ref_is_nan(f, v >> 16) ? f->nan : v >> 16)
                                                                   << 16;
}

static void operands_at(const struct row_case *c, const uint64_t *image, uint32_t x,
                        uint64_t v[CASE_SOURCES]) {
    struct case_source s[CASE_SOURCES];
    uint32_t n = case_sources(c, s);
    for (uint32_t k = 0; k < CASE_SOURCES; k++) v[k] = k < n ? image[values_index(s[k].cls, k, x)] : 0;
}

/* The first slot holds the result, the others a predicate and the carry flag. */
static enum wg_type slot_type(const struct row_case *c, uint32_t slot) {
    return slot ? WG_T_NONE : case_result_type(c);
}

static void describe(const struct row_case *c, const uint64_t v[CASE_SOURCES]) {
    struct case_source s[CASE_SOURCES];
    struct wg_strbuf b = {0};
    uint32_t n = case_sources(c, s);
    case_name(c, &b);
    printf("%s (%s%s)", b.s, wg_op_id(c->op), c->guarded ? ", guarded" : "");
    for (uint32_t k = 0; k < n; k++) {
        printf("  %c", c->kind[k]);
        if (c->kind[k] == 'i' || c->kind[k] == 'v')
            printf(":0x%llx", (unsigned long long)(c->kind[k] == 'i' ? c->imm[k] : v[k]));
    }
    wg_strbuf_free(&b);
}

/* x86 decides otherwise which of two NaNs of f64 an operation gives (docs/nans.md). */
static bool of_several_nans(const struct row_case *c) {
    switch (c->op) {
    case WG_OP_ADD_F:
    case WG_OP_SUB_F:
    case WG_OP_MUL_F:
    case WG_OP_FMA:
    case WG_OP_MAD_F: return c->type == WG_T_F64;
    default: return false;
    }
}

bool verdict_compare(const struct row_case *c, uint32_t id, const uint64_t *image, uint64_t *const out[2],
                     bool hardware) {
    for (uint32_t slot = 0; slot < PLAN_SLOTS; slot++)
        for (uint32_t x = 0; x < VALUES; x++) {
            size_t at = ((size_t)id * PLAN_SLOTS + slot) * VALUES + x;
            enum wg_type t = slot_type(c, slot);
            uint64_t v[CASE_SOURCES];
            if (out[0][at] == out[1][at]) continue;
            if (!hardware && of_several_nans(c) && canonical(t, out[0][at]) == canonical(t, out[1][at]))
                continue;
            operands_at(c, image, x, v);
            if (hardware && case_differs_from_hardware(c, v, out[0][at])) continue;
            describe(c, v);
            printf("  result %u at index %u: reference 0x%llx, %s 0x%llx\n", slot, x,
                   (unsigned long long)out[0][at], hardware ? "hardware" : "jit",
                   (unsigned long long)out[1][at]);
            return false;
        }
    return true;
}

bool verdict_plain(const struct row_case *c) {
    struct case_source s[CASE_SOURCES];
    for (uint32_t k = case_sources(c, s); k-- > 0;)
        if (c->kind[k] != 'v') return false;
    return !c->guarded && !case_approximate(c);
}

void verdict_line(const struct row_case *c, uint32_t id, const uint64_t *image, const uint64_t *out,
                  const uint64_t *reference, struct wg_strbuf *line) {
    uint64_t h = 0xcbf29ce484222325; /* FNV-1a */
    for (uint32_t slot = 0; slot < PLAN_SLOTS; slot++)
        for (uint32_t x = 0; x < VALUES; x++) {
            size_t at = ((size_t)id * PLAN_SLOTS + slot) * VALUES + x;
            uint64_t v[CASE_SOURCES], r = 0;
            operands_at(c, image, x, v);
            if (!case_differs_from_hardware(c, v, reference[at])) r = canonical(slot_type(c, slot), out[at]);
            for (int k = 0; k < 8; k++) h = (h ^ (r >> 8 * k & 0xff)) * UINT64_C(0x100000001b3);
        }
    line->n = 0;
    case_name(c, line);
    wg_strbuf_printf(line, "\t%s\t%u\t%016llx\n", wg_op_id(c->op), c->variant, (unsigned long long)h);
}
