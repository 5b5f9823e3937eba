/* The reports of ranks as JUnit XML, which CI services show as tests: see merge.h. Each rank is a test that failed if it did not
 * come to a good end, each finding one that failed in the ranks that had it. */
#include "report/html.h"
#include "report/merge.h"

#include <string.h>

static void attribute(struct wg_strbuf *b, const char *name, const char *value) {
    wg_strbuf_printf(b, " %s=\"", name);
    wg_html_text(b, value);
    wg_strbuf_puts(b, "\"");
}

static void put_rank(struct wg_strbuf *b, struct wg_arena *a, const struct wg_merge *m, uint32_t rank) {
    const char *wrong = wg_merge_wrong(a, m, rank);
    wg_strbuf_printf(b, "  <testcase classname=\"%s\" name=\"%s %u\" time=\"0\"",
                     wg_merge_noun(m, false, true), wg_merge_noun(m, false, false), rank);
    if (wrong) {
        wg_strbuf_puts(b, ">\n   <error");
        attribute(b, "message", wrong);
        wg_strbuf_puts(b, " type=\"status\"/>\n  </testcase>\n");
    } else {
        wg_strbuf_puts(b, "/>\n");
    }
}

static const char *place_of(struct wg_arena *a, const struct wg_merge_finding *f) {
    return f->file ? wg_arena_printf(a, "%s at %s", f->kind, f->file) : f->kind;
}

static const char *class_of(const struct wg_merge_finding *f) {
    return f->kernel ? f->kernel : "host program";
}

/* Services tell tests apart by class and name. */
static const char *name_of(struct wg_arena *a, const struct wg_merge *m, uint32_t finding) {
    const struct wg_merge_finding *f = &m->findings.v[finding];
    const char *name = place_of(a, f);
    uint32_t before = 0;
    for (uint32_t i = 0; i < finding; i++) {
        const struct wg_merge_finding *x = &m->findings.v[i];
        before += x->counts && !strcmp(place_of(a, x), name) && !strcmp(class_of(x), class_of(f));
    }
    return before ? wg_arena_printf(a, "%s (%u)", name, before + 1) : name;
}

static void put_finding(struct wg_strbuf *b, struct wg_arena *a, const struct wg_merge *m, uint32_t finding) {
    const struct wg_merge_finding *f = &m->findings.v[finding];
    wg_strbuf_puts(b, "  <testcase");
    attribute(b, "classname", class_of(f));
    attribute(b, "name", name_of(a, m, finding));
    wg_strbuf_puts(b, " time=\"0\">\n   <failure");
    attribute(b, "message", wg_arena_printf(a, "in %s: %s", wg_merge_ranks(a, m, f->in), f->message));
    attribute(b, "type", f->kind);
    wg_strbuf_puts(b, "/>\n  </testcase>\n");
}

void wg_merge_junit(struct wg_strbuf *out, struct wg_arena *a, const struct wg_merge *m) {
    uint32_t failures = 0, errors = 0;
    for (uint32_t i = 0; i < m->findings.n; i++) failures += m->findings.v[i].counts;
    for (uint32_t i = 0; i < m->n; i++) errors += wg_merge_wrong(a, m, i) != NULL;
    wg_strbuf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    for (int level = 0; level < 2; level++) {
        wg_strbuf_puts(out, level ? " <testsuite" : "<testsuites");
        attribute(out, "name", level ? wg_merge_title(a, m) : "warpglass");
        wg_strbuf_printf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"0\" time=\"0\">\n",
                         m->n + failures, failures, errors);
    }
    for (uint32_t i = 0; i < m->n; i++) put_rank(out, a, m, i);
    for (uint32_t i = 0; i < m->findings.n; i++)
        if (m->findings.v[i].counts) put_finding(out, a, m, i);
    wg_strbuf_puts(out, " </testsuite>\n</testsuites>\n");
}
