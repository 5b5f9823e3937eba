/* A suite's report as JUnit XML, which CI services show as tests: see outcome.h. */
#include "report/html.h"
#include "suite/outcome.h"

static void attribute(struct wg_strbuf *b, const char *name, const char *value) {
    wg_strbuf_printf(b, " %s=\"", name);
    wg_html_text(b, value);
    wg_strbuf_puts(b, "\"");
}

static void put_program(struct wg_strbuf *b, const struct wg_suite_outcomes *all,
                        const struct wg_suite_outcome *o) {
    wg_strbuf_puts(b, "  <testcase");
    attribute(b, "classname", all->suite->path);
    attribute(b, "name", o->program->name);
    attribute(b, "file", all->suite->path);
    wg_strbuf_printf(b, " line=\"%u\" time=\"%.3f\"", o->program->line, o->result ? o->result->seconds : 0.0);
    if (o->good) {
        wg_strbuf_puts(b, "/>\n");
        return;
    }
    const char *kind = o->result ? "failure" : "error";
    wg_strbuf_printf(b, ">\n   <%s", kind);
    attribute(b, "message", o->words);
    wg_strbuf_puts(b, " type=\"status\">");
    wg_html_text(b, o->program->command);
    wg_strbuf_puts(b, "\n");
    for (uint32_t i = 0; i < o->finding_count; i++) {
        wg_html_text(b, o->findings[i]);
        wg_strbuf_puts(b, "\n");
    }
    if (o->tail) wg_html_text(b, o->tail);
    wg_strbuf_printf(b, "</%s>\n  </testcase>\n", kind);
}

void wg_suite_junit(struct wg_strbuf *b, const struct wg_suite_outcomes *o) {
    wg_strbuf_puts(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    for (int level = 0; level < 2; level++) {
        wg_strbuf_puts(b, level ? " <testsuite" : "<testsuites");
        attribute(b, "name", level ? o->suite->path : "warpglass suite");
        wg_strbuf_printf(b, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"0\" time=\"%.3f\">\n",
                         o->n, o->bad, o->unended, o->seconds);
    }
    for (uint32_t i = 0; i < o->n; i++) put_program(b, o, &o->v[i]);
    wg_strbuf_puts(b, " </testsuite>\n</testsuites>\n");
}
