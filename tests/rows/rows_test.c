/* Row by row: reference against generated code over edge values, bit for bit.
 *
 *     rows_test [--row ID] [--extra N] [--shape N] [--show N] [--dump FOLDER] [--against FOLDER]
 *
 * Every form of every pure row goes through both back ends with its operands varying, and with some of them
 * uniform, linear in the lane or immediate, and with lanes left out. Where a floating-point result is no
 * number any NaN will do. Without generated code in the build, the reference must still run every form.
 * --dump writes each kernel's PTX and the values (values.bin); hardware.c runs them on a real GPU, and
 * --against compares the reference with what it wrote (X.hw beside X.ptx; the same --extra, --row and --shape
 * 0). Rows whose results PTX leaves approximate are passed over there.
 */
#include "tests/rows/harness.h"
#include "tests/rows/plan.h"
#include "tests/rows/values.h"
#include "ref/number.h"
#include "base/arena.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t shapes[][3] = {{128, 1, 1}, {16, 4, 2}, {48, 1, 1}, {7, 5, 3}, {256, 1, 1}, {1, 32, 2}};
enum { SHAPES = sizeof shapes / sizeof *shapes, OUT_WORDS = PLAN_CASES * PLAN_SLOTS * VALUES };

struct options {
    const char *row, *dump, *against;
    uint32_t extra, shape, show;
};
struct tally {
    uint32_t cases, kernels, wrong, broken;
    double compile[HARNESS_BACKENDS], run[HARNESS_BACKENDS];
};

static bool same(enum wg_type t, uint64_t a, uint64_t b) {
    if (a == b) return true;
    const struct ref_format *f = ref_format_of(t);
    if (!f) return false;
    if (t != WG_T_F16X2 && t != WG_T_BF16X2) return ref_is_nan(f, a) && ref_is_nan(f, b);
    return same(t == WG_T_F16X2 ? WG_T_F16 : WG_T_BF16, a & 0xffff, b & 0xffff) &&
           same(t == WG_T_F16X2 ? WG_T_F16 : WG_T_BF16, a >> 16, b >> 16);
}

static void describe(const struct row_case *c, const uint64_t *image, uint32_t x) {
    struct case_source s[CASE_SOURCES];
    struct wg_strbuf b = {0};
    uint32_t n = case_sources(c, s);
    case_name(c, &b);
    printf("%s (%s%s)", b.s, wg_op_id(c->op), c->guarded ? ", guarded" : "");
    for (uint32_t k = 0; k < n; k++) {
        uint64_t v = c->kind[k] == 'i' ? c->imm[k] : image[values_index(s[k].cls, k, x)];
        bool shown = c->kind[k] == 'i' || c->kind[k] == 'v';
        if (shown)
            printf("  %c:0x%llx", c->kind[k], (unsigned long long)v);
        else
            printf("  %c", c->kind[k]);
    }
    wg_strbuf_free(&b);
}

/* Compares one case's results: false with the first difference told. */
static bool compare(const struct row_case *c, uint32_t id, const uint64_t *image, uint64_t *const out[2],
                    const char *other) {
    enum wg_type t = case_result_type(c);
    for (uint32_t slot = 0; slot < PLAN_SLOTS; slot++)
        for (uint32_t x = 0; x < VALUES; x++) {
            size_t at = ((size_t)id * PLAN_SLOTS + slot) * VALUES + x;
            if (same(slot ? WG_T_NONE : t, out[0][at], out[1][at])) continue;
            describe(c, image, x);
            printf("  result %u at index %u: reference 0x%llx, %s 0x%llx\n", slot, x,
                   (unsigned long long)out[0][at], other, (unsigned long long)out[1][at]);
            return false;
        }
    return true;
}

static void write_file(const char *folder, const char *name, const void *bytes, size_t n) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!wg_file_write(path, bytes, n)) perror(path);
}

/* What hardware wrote for kernel `name`. */
static bool read_results(const char *folder, const char *name, uint32_t n, uint64_t *out) {
    char path[4096];
    struct wg_strbuf b = {0};
    snprintf(path, sizeof path, "%s/%.*s.hw", folder, (int)(strlen(name) - 4), name);
    size_t bytes = (size_t)n * PLAN_SLOTS * VALUES * sizeof *out;
    bool ok = wg_file_read(path, &b) && b.n >= bytes;
    if (ok)
        memcpy(out, b.s, bytes);
    else
        printf("%s: no results there\n", path);
    wg_strbuf_free(&b);
    return ok;
}

static bool run(struct harness_kernel *k, enum harness_backend b, uint32_t shape, const uint64_t *image,
                uint64_t *out, struct tally *t) {
    struct {
        const uint64_t *in;
        uint64_t *out;
        uint32_t count;
    } params = {image, out, VALUES};
    struct harness_launch l = {.kernel = k, .backend = b, .params = &params, .param_bytes = sizeof params};
    struct harness_result r;
    memcpy(l.block, shapes[shape], sizeof l.block);
    uint32_t threads = l.block[0] * l.block[1] * l.block[2];
    l.grid[0] = (VALUES + threads - 1) / threads;
    l.grid[1] = l.grid[2] = 1;
    memset(out, 0, OUT_WORDS * sizeof *out);
    if (!harness_run(&l, &r)) printf("%s\n", r.message);
    t->compile[b] += r.seconds_compile;
    t->run[b] += r.seconds_run;
    wg_strbuf_free(&r.printed);
    return r.ok;
}

static void kernel(const struct options *o, const struct row_case *cases, uint32_t n, const uint64_t *image,
                   uint64_t *const out[2], struct tally *t) {
    struct wg_strbuf ptx = {0};
    struct harness_kernel k;
    char name[64];
    snprintf(name, sizeof name, "%s_%03u.ptx", wg_op_id(cases[0].op), t->kernels);
    uint32_t shape = o->shape < SHAPES ? o->shape : t->kernels % SHAPES;
    t->kernels++;
    t->cases += n;
    plan_ptx(cases, n, &ptx);
    if (o->dump) write_file(o->dump, name, ptx.s, ptx.n);
    bool ok = harness_open(&k, name, ptx.s, "rows");
    if (!ok) printf("%s", k.diag.text.s ? k.diag.text.s : "not built\n");
    ok = ok && run(&k, HARNESS_REF, shape, image, out[0], t);
    if (ok && o->against)
        ok = read_results(o->against, name, n, out[1]);
    else if (ok && harness_has(HARNESS_JIT))
        ok = run(&k, HARNESS_JIT, shape, image, out[1], t);
    if (!ok) t->broken++;
    if (ok && (o->against || harness_has(HARNESS_JIT)))
        for (uint32_t c = 0; c < n; c++) {
            if (o->against && case_approximate(&cases[c])) continue;
            if (!compare(&cases[c], c, image, out, o->against ? "hardware" : "jit") && ++t->wrong >= o->show)
                exit(1);
        }
    harness_close(&k);
    wg_strbuf_free(&ptx);
}

static void row(const struct options *o, enum wg_op op, const uint64_t *image, uint64_t *const out[2],
                struct tally *t) {
    struct plan p = {0};
    plan_row(&p, op, o->extra);
    for (uint32_t k = 0; k < p.n; k += PLAN_CASES)
        kernel(o, p.v + k, p.n - k < PLAN_CASES ? p.n - k : PLAN_CASES, image, out, t);
    plan_free(&p);
}

int main(int argc, char **argv) {
    struct options o = {.extra = 2, .shape = UINT32_MAX, .show = 30};
    struct tally t = {0};
    for (int k = 1; k + 1 < argc; k += 2) {
        if (!strcmp(argv[k], "--row"))
            o.row = argv[k + 1];
        else if (!strcmp(argv[k], "--extra"))
            o.extra = (uint32_t)strtoul(argv[k + 1], NULL, 10);
        else if (!strcmp(argv[k], "--shape"))
            o.shape = (uint32_t)strtoul(argv[k + 1], NULL, 10);
        else if (!strcmp(argv[k], "--show"))
            o.show = (uint32_t)strtoul(argv[k + 1], NULL, 10);
        else if (!strcmp(argv[k], "--against"))
            o.against = argv[k + 1];
        else if (!strcmp(argv[k], "--dump"))
            o.dump = argv[k + 1];
        else
            return fprintf(stderr, "rows_test: unknown option '%s'\n", argv[k]), 2;
    }
    size_t words = (size_t)V_CLASSES * CASE_SOURCES * VALUES;
    uint64_t *image = harness_alloc(words * sizeof *image);
    uint64_t *out[2] = {harness_alloc(OUT_WORDS * 8), harness_alloc(OUT_WORDS * 8)};
    values_fill(image);
    if (o.dump) write_file(o.dump, "values.bin", image, words * sizeof *image);
    for (uint32_t op = 1; op < WG_OP_COUNT; op++)
        if (case_pure(op) && (!o.row || !strcmp(o.row, wg_op_id(op)))) row(&o, op, image, out, &t);
    printf("%u cases in %u kernels: %u wrong, %u not run\n", t.cases, t.kernels, t.wrong, t.broken);
    for (int b = 0; b < HARNESS_BACKENDS; b++)
        printf("%s: %.1f s to compile, %.1f s to run\n", harness_name(b), t.compile[b], t.run[b]);
    harness_free(image);
    harness_free(out[0]);
    harness_free(out[1]);
    return t.wrong || t.broken || !t.cases;
}
