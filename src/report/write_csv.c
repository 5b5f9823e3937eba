/* The report as CSV: see write.h. */
#include "report/metric.h"
#include "report/write.h"
#include <math.h>
#include <string.h>

/* A name. Spreadsheets compute what begins with one of these characters, and so run what it says: a quote
 * before it makes it text to them. */
static void field(struct wg_strbuf *out, const char *name) {
    struct wg_strbuf shown = {0};
    if (*name && strchr("=+-@\t\r", *name)) wg_strbuf_puts(&shown, "'");
    wg_strbuf_shown(&shown, name, strlen(name));
    bool quoted = strpbrk(shown.s, ",\"\n") != NULL;
    if (quoted) wg_strbuf_puts(out, "\"");
    for (const char *s = shown.s; *s; s++) {
        if (*s == '"') wg_strbuf_puts(out, "\"");
        wg_strbuf_add(out, s, 1);
    }
    if (quoted) wg_strbuf_puts(out, "\"");
    wg_strbuf_free(&shown);
}

static void rows(struct wg_strbuf *out, const struct wg_summary *s, const char *file, uint32_t line,
                 const struct wg_by_class *c) {
    size_t n;
    const struct wg_metric *m = wg_metric_list(&n);
    for (size_t i = 0; i < n; i++) {
        double v = wg_metric_value(&m[i], c);
        if (isnan(v) || v == 0) continue;
        field(out, s->kernel->display);
        wg_strbuf_puts(out, ",");
        field(out, file ? file : "");
        if (line)
            wg_strbuf_printf(out, ",%u", line);
        else
            wg_strbuf_puts(out, ",");
        wg_strbuf_printf(out, ",%s,", m[i].name);
        if (wg_metric_is_whole(&m[i]))
            wg_strbuf_printf(out, "%.0f", v);
        else
            wg_strbuf_printf(out, "%.6g", v);
        wg_strbuf_printf(out, ",%s,%s\n", m[i].unit, m[i].exact ? "exact" : "modelled");
    }
}

void wg_write_csv(struct wg_strbuf *out, const struct wg_summaries *s) {
    wg_strbuf_puts(out, "kernel,file,line,counter,value,unit,kind\n");
    for (uint32_t i = 0; i < s->n; i++) {
        const struct wg_summary *k = &s->v[i];
        rows(out, k, NULL, 0, &k->classes);
        for (uint32_t j = 0; j < k->line_count; j++) {
            struct wg_by_class both = k->lines[j].own;
            for (int c = 0; c < WG_CLASSES; c++) wg_counts_add(&both.of[c], &k->lines[j].called.of[c]);
            rows(out, k, k->lines[j].file ? k->lines[j].file : "(PTX)", k->lines[j].line, &both);
        }
    }
}
