/* Findings as JUnit XML, which GitLab, Jenkins and GitHub Actions display as tests: see write_findings.h. Each combination
 * of kernel and check without a finding is a test that passed, each finding one that failed. */
#include "report/finding_words.h"
#include "report/findings_text.h"
#include "report/html.h"
#include "report/write_findings.h"

#include <string.h>

enum { WIDTH = 100 };

static void attribute(struct wg_strbuf *b, const char *name, const char *value) {
    wg_strbuf_printf(b, " %s=\"", name);
    wg_html_text(b, value);
    wg_strbuf_puts(b, "\"");
}

static const char *class_of(const struct wg_found *f) { return f->kernel ? f->kernel : "host program"; }

/* Services tell tests apart by class and name: of several of one kind on one line all but the first have a
 * number. */
static const char *name_of(const struct wg_findings_file *file, const struct wg_found *f) {
    const struct wg_frame *where = wg_found_where(f);
    const char *kind = wg_finding_info(f->kind)->name;
    uint32_t before = 0;
    for (const struct wg_found *o = file->found; o < f; o++) {
        const struct wg_frame *at = wg_found_where(o);
        bool same_place =
            at && where ? at->line == where->line && !strcmp(at->file, where->file) : at == where;
        before += same_place && o->kind == f->kind && !strcmp(class_of(o), class_of(f));
    }
    const char *number = before ? wg_arena_printf(file->arena, " (%u)", before + 1) : "";
    return where ? wg_arena_printf(file->arena, "%s at %s:%u%s", kind, where->file, where->line, number)
                 : wg_arena_printf(file->arena, "%s%s", kind, number);
}

static void put_finding(struct wg_strbuf *b, const struct wg_findings_file *file, const struct wg_found *f,
                        struct wg_sources *sources) {
    const struct wg_frame *where = wg_found_where(f);
    const char *kind = wg_finding_info(f->kind)->name;
    struct wg_strbuf text = {0};
    wg_strbuf_puts(b, "  <testcase");
    attribute(b, "classname", class_of(f));
    attribute(b, "name", name_of(file, f));
    if (where) attribute(b, "file", where->file);
    if (where) wg_strbuf_printf(b, " line=\"%u\"", where->line);
    wg_strbuf_puts(b, " time=\"0\"");
    if (f->benign && !f->suppressed) {
        wg_strbuf_puts(b, "/>\n");
        return;
    }
    wg_strbuf_printf(b, ">\n   <%s", f->suppressed ? "skipped" : "failure");
    attribute(b, "message",
              f->suppressed ? wg_arena_printf(file->arena, "suppressed by %s", f->suppressed)
                            : wg_found_message(file->arena, f));
    if (f->suppressed) {
        wg_strbuf_puts(b, "/>\n");
    } else {
        attribute(b, "type", kind);
        wg_strbuf_puts(b, ">");
        wg_findings_text_one(&text, file, f, sources, WIDTH);
        wg_html_text(b, text.s);
        wg_strbuf_puts(b, "</failure>\n");
        wg_strbuf_free(&text);
    }
    wg_strbuf_puts(b, "  </testcase>\n");
}

static bool has(const struct wg_findings_file *f, const char *kernel, enum wg_check_id check) {
    for (uint32_t i = 0; i < f->found_count; i++)
        if (!strcmp(class_of(&f->found[i]), kernel) && wg_finding_info(f->found[i].kind)->check == check)
            return true;
    return false;
}

/* Of one class: a test for each check that found nothing. */
static uint32_t put_passed(struct wg_strbuf *b, const struct wg_findings_file *f, const char *name,
                           int checks) {
    uint32_t n = 0;
    for (int c = 0; c < checks; c++) {
        if (!f->checks[c] || has(f, name, c)) continue;
        wg_strbuf_puts(b, "  <testcase");
        attribute(b, "classname", name);
        attribute(b, "name", wg_check_name(c));
        wg_strbuf_puts(b, " time=\"0\"/>\n");
        n++;
    }
    return n;
}

/* A program that did not end well has not been looked at to its end. */
static void put_program(struct wg_strbuf *b, const struct wg_findings_file *f, int status) {
    wg_strbuf_puts(b, "  <testcase classname=\"host program\" name=\"exit status\" time=\"0\"");
    if (status)
        wg_strbuf_printf(b,
                         ">\n   <error message=\"the program ended with status %d\" type=\"status\"/>\n"
                         "  </testcase>\n",
                         status);
    else
        wg_strbuf_puts(b, "/>\n");
}

void wg_findings_junit(struct wg_strbuf *out, const struct wg_findings_file *f, struct wg_sources *sources,
                       int status) {
    struct wg_strbuf cases = {0};
    uint32_t tests = f->found_count + 1, failures = wg_findings_counting(f), skipped = 0;
    put_program(&cases, f, status);
    /* Of the host program the memory check alone says something. */
    tests += put_passed(&cases, f, "host program", WG_CHECK_memory + 1);
    for (uint32_t i = 0; i < f->kernel_count; i++)
        if (!i || strcmp(f->kernels[i - 1].name, f->kernels[i].name) != 0)
            tests += put_passed(&cases, f, f->kernels[i].name, WG_CHECKS);
    for (uint32_t i = 0; i < f->found_count; i++) {
        put_finding(&cases, f, &f->found[i], sources);
        skipped += f->found[i].suppressed != NULL;
    }
    wg_strbuf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    for (int level = 0; level < 2; level++) {
        wg_strbuf_puts(out, level ? " <testsuite" : "<testsuites");
        attribute(out, "name", level ? f->program : "warpglass check");
        wg_strbuf_printf(out, " tests=\"%u\" failures=\"%u\" errors=\"%d\" skipped=\"%u\" time=\"0\">\n",
                         tests, failures, status != 0, skipped);
    }
    wg_strbuf_add(out, cases.s, cases.n);
    wg_strbuf_puts(out, " </testsuite>\n</testsuites>\n");
    wg_strbuf_free(&cases);
}
