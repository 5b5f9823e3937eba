/* Row by row: reference against generated code over edge values, bit for bit.
 *
 *     rows_test [--row ID] [--extra N] [--shape N] [--show N] [--part K/N] [--quick 1] [--truth h200.tsv]
 *
 * Every form of every pure row goes through both back ends with its operands varying, and with some of them
 * uniform, linear in the lane or immediate, and with lanes left out. Without generated code in the build, the
 * reference must still run every form. --quick 1 has LLVM make code in its quickest way. --truth holds the reference against the hashes of an H200's results.
 *
 * On a machine with a GPU: --dump D writes each kernel's PTX and the values, rows_hardware D (hardware.c)
 * runs them there, and --against D compares the reference with what it wrote, --write-truth F makes h200.tsv
 * of it (all with --shape 0). Rows whose results PTX leaves approximate are passed over.
 */
#include "base/arena.h"
#include "tests/rows/harness.h"
#include "tests/rows/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t shapes[][3] = {{128, 1, 1}, {16, 4, 2}, {48, 1, 1}, {7, 5, 3}, {256, 1, 1}, {1, 32, 2}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

struct options {
    const char *row, *dump, *against, *truth, *write_truth;
    uint32_t extra, shape, show, part, parts, quick;
};
struct run {
    struct options o;
    struct wg_strbuf truth;
    uint64_t *image, *out[2];
    uint32_t cases, kernels, wrong, broken, unmeasured;
    double compile[HARNESS_BACKENDS], seconds[HARNESS_BACKENDS];
};

/* ---- one kernel ---- */

static bool run_on(struct run *r, struct harness_kernel *k, enum harness_backend b, uint32_t shape,
                   uint64_t *out) {
    struct {
        const uint64_t *in;
        uint64_t *out;
        uint32_t count;
    } params = {r->image, out, VALUES};
    struct harness_launch l = {.kernel = k,
                               .backend = b,
                               .params = &params,
                               .param_bytes = sizeof params,
                               .code = r->o.quick ? HARNESS_QUICK : HARNESS_BEST};
    struct harness_result result;
    memcpy(l.block, shapes[shape], sizeof l.block);
    uint32_t threads = l.block[0] * l.block[1] * l.block[2];
    l.grid[0] = (VALUES + threads - 1) / threads;
    l.grid[1] = l.grid[2] = 1;
    memset(out, 0, OUT_WORDS * sizeof *out);
    if (!harness_run(&l, &result)) printf("%s\n", result.message);
    r->compile[b] += result.seconds_compile;
    r->seconds[b] += result.seconds_run;
    wg_strbuf_free(&result.printed);
    return result.ok;
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

/* ---- verdicts ---- */

/* A form that the truth has no line of may be new; one that has another hash there is wrong. */
static bool not_measured(struct run *r, char *line) {
    char *hash = strrchr(line, '\t') + 1;
    size_t n = (size_t)(hash - line);
    for (const char *at = r->truth.s; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (!strncmp(at, line, n)) return printf("not what an H200 did: %s", line), false;
    }
    r->unmeasured++;
    return true;
}

static bool right(struct run *r, const struct row_case *c, uint32_t id, bool have_other) {
    struct wg_strbuf line = {0};
    bool ok = true;
    if (r->truth.n && verdict_plain(c)) {
        verdict_line(c, id, r->image, r->out[0], r->out[0], &line);
        if (!strstr(r->truth.s, line.s)) ok = not_measured(r, line.s);
    }
    if (have_other && !(r->o.against && case_approximate(c)))
        ok &= verdict_compare(c, id, r->image, r->out, r->o.against != NULL);
    if (have_other && r->o.write_truth && verdict_plain(c)) {
        FILE *f = fopen(r->o.write_truth, "a");
        if (!f) exit((perror(r->o.write_truth), 1));
        verdict_line(c, id, r->image, r->out[1], r->out[0], &line);
        fputs(line.s, f);
        fclose(f);
    }
    wg_strbuf_free(&line);
    return ok;
}

static void kernel(struct run *r, const struct row_case *cases, uint32_t n) {
    struct wg_strbuf ptx = {0};
    struct harness_kernel k;
    const struct options *o = &r->o;
    char name[64];
    snprintf(name, sizeof name, "%s_%03u.ptx", wg_op_id(cases[0].op), r->kernels);
    uint32_t number = r->kernels++, shape = o->shape < SHAPES ? o->shape : number % SHAPES;
    if (number % o->parts != o->part) return;
    r->cases += n;
    plan_ptx(cases, n, &ptx);
    if (o->dump) write_file(o->dump, name, ptx.s, ptx.n);
    bool ok = harness_open(&k, name, ptx.s, "rows"), other = o->against || harness_has(HARNESS_JIT);
    if (!ok) printf("%s", k.diag.text.s ? k.diag.text.s : "not built\n");
    ok = ok && run_on(r, &k, HARNESS_REF, shape, r->out[0]);
    if (ok && o->against)
        ok = read_results(o->against, name, n, r->out[1]);
    else if (ok && other)
        ok = run_on(r, &k, HARNESS_JIT, shape, r->out[1]);
    if (!ok) r->broken++;
    for (uint32_t c = 0; ok && c < n; c++)
        if (!right(r, &cases[c], c, other) && ++r->wrong >= o->show) exit(1);
    harness_close(&k);
    wg_strbuf_free(&ptx);
}

static void row(struct run *r, enum wg_op op) {
    struct plan p = {0};
    plan_row(&p, op, r->o.extra);
    for (uint32_t k = 0; k < p.n; k += PLAN_CASES)
        kernel(r, p.v + k, p.n - k < PLAN_CASES ? p.n - k : PLAN_CASES);
    plan_free(&p);
}

static bool read_options(struct options *o, int argc, char **argv) {
    struct {
        const char *name, **text;
        uint32_t *number;
    } known[] = {{"--row", &o->row, NULL},
                 {"--dump", &o->dump, NULL},
                 {"--against", &o->against, NULL},
                 {"--truth", &o->truth, NULL},
                 {"--write-truth", &o->write_truth, NULL},
                 {"--extra", NULL, &o->extra},
                 {"--shape", NULL, &o->shape},
                 {"--quick", NULL, &o->quick},
                 {"--show", NULL, &o->show}};
    for (int k = 1; k + 1 < argc; k += 2) {
        if (!strcmp(argv[k], "--part")) {
            if (sscanf(argv[k + 1], "%u/%u", &o->part, &o->parts) != 2) return false;
            continue;
        }
        size_t n = 0;
        while (n < sizeof known / sizeof *known && strcmp(argv[k], known[n].name) != 0) n++;
        if (n == sizeof known / sizeof *known) return false;
        if (known[n].text)
            *known[n].text = argv[k + 1];
        else
            *known[n].number = (uint32_t)strtoul(argv[k + 1], NULL, 10);
    }
    return argc % 2 == 1;
}

int main(int argc, char **argv) {
    struct run r = {.o = {.extra = 2, .shape = UINT32_MAX, .show = 30, .parts = 1}};
    if (!read_options(&r.o, argc, argv))
        return fprintf(stderr, "rows_test: unknown or incomplete option\n"), 2;
    if (r.o.truth && !wg_file_read(r.o.truth, &r.truth)) return perror(r.o.truth), 1;
    size_t bytes = (size_t)V_CLASSES * CASE_SOURCES * VALUES * sizeof *r.image;
    r.image = harness_alloc(bytes);
    for (int k = 0; k < 2; k++) r.out[k] = harness_alloc(OUT_WORDS * sizeof *r.out[k]);
    values_fill(r.image);
    if (r.o.dump) write_file(r.o.dump, "values.bin", r.image, bytes);
    for (uint32_t op = 1; op < WG_OP_COUNT; op++)
        if (case_pure(op) && (!r.o.row || !strcmp(r.o.row, wg_op_id(op)))) row(&r, op);
    printf("%u cases in %u kernels: %u wrong, %u not run\n", r.cases, r.kernels, r.wrong, r.broken);
    if (r.unmeasured) printf("%u forms that no H200 has run yet\n", r.unmeasured);
    for (int b = 0; b < HARNESS_BACKENDS; b++)
        printf("%s: %.1f s to compile, %.1f s to run\n", harness_name(b), r.compile[b], r.seconds[b]);
    harness_free(r.image);
    for (int k = 0; k < 2; k++) harness_free(r.out[k]);
    wg_strbuf_free(&r.truth);
    return r.wrong || r.broken || !r.cases;
}
