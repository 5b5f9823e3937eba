/* The report as JSON: see write.h. The schema is docs/report.schema.json. */
#include "report/advice.h"
#include "report/chart.h"
#include "report/light.h"
#include "report/metric.h"
#include "report/links.h"
#include "report/modelled.h"
#include "report/overview.h"
#include "report/statement.h"
#include "report/write.h"
#include <inttypes.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

/* ---- JSON's own words -------------------------------------------------------------------------------------
 */

static void member(struct wg_strbuf *b, const char *name, const char *s) {
    wg_strbuf_printf(b, "\"%s\": ", name);
    wg_strbuf_json(b, s);
    wg_strbuf_puts(b, ", ");
}

static void number(struct wg_strbuf *b, const char *name, uint64_t n) {
    wg_strbuf_printf(b, "\"%s\": %" PRIu64 ", ", name, n);
}

static void shape(struct wg_strbuf *b, const char *name, const uint32_t v[3]) {
    wg_strbuf_printf(b, "\"%s\": [%u, %u, %u], ", name, v[0], v[1], v[2]);
}

/* The last member's comma goes. */
static void end(struct wg_strbuf *b, const char *closing) {
    while (b->n && (b->s[b->n - 1] == ' ' || b->s[b->n - 1] == ',' || b->s[b->n - 1] == '\n'))
        b->s[--b->n] = 0;
    wg_strbuf_puts(b, closing);
}

/* ---- Counters by name -------------------------------------------------------------------------------------
 */

static void write_metrics(struct wg_strbuf *b, const struct wg_by_class *c, bool all) {
    size_t n;
    const struct wg_metric *m = wg_metric_list(&n);
    wg_strbuf_puts(b, "{");
    for (size_t i = 0; i < n; i++) {
        double v = wg_metric_value(&m[i], c);
        if (isnan(v) || (v == 0 && !all)) continue;
        if (wg_metric_is_whole(&m[i]))
            wg_strbuf_printf(b, "\"%s\": %.0f, ", m[i].name, v);
        else
            wg_strbuf_printf(b, "\"%s\": %.6g, ", m[i].name, v);
    }
    end(b, "}");
}

/* ---- The result, as it was read ---------------------------------------------------------------------------
 */

static void write_sites(struct wg_strbuf *b, const struct wg_profile_kernel *k) {
    wg_strbuf_puts(b, "   \"sites\": [\n");
    for (uint32_t i = 0; i < k->site_count; i++) {
        const struct wg_site *s = &k->sites[i];
        wg_strbuf_puts(b, "    {");
        number(b, "id", s->id);
        member(b, "class", wg_class_infos[s->class].name);
        member(b, "op", s->op);
        number(b, "ptx_line", s->ptx_line);
        number(b, "bytes", s->bytes);
        number(b, "joined", s->joined);
        member(b, "what", s->what);
        if (s->becomes) member(b, "becomes", s->becomes);
        if (s->mix.all) {
            wg_strbuf_puts(b, "\"mix\": {");
            number(b, "all", s->mix.all);
            number(b, "doubles", s->mix.doubles);
            number(b, "conversions", s->mix.conversions);
            number(b, "divisions", s->mix.divisions);
            number(b, "divisions64", s->mix.divisions64);
            end(b, "}, ");
        }
        wg_strbuf_puts(b, "\"frames\": [");
        for (uint32_t j = 0; j < s->frame_count; j++) {
            wg_strbuf_puts(b, "{");
            member(b, "file", s->frames[j].file);
            number(b, "line", s->frames[j].line);
            number(b, "column", s->frames[j].column);
            member(b, "function", s->frames[j].function);
            end(b, "}, ");
        }
        if (s->frame_count) end(b, "");
        wg_strbuf_puts(b, "]},\n");
    }
    if (k->site_count) end(b, "");
    wg_strbuf_puts(b, "],\n");
}

static void write_code(struct wg_strbuf *b, const struct wg_profile_kernel *k) {
    wg_strbuf_puts(b, "   \"code\": [");
    for (uint32_t i = 0; i < k->code_count; i++) {
        const struct wg_code *c = &k->code[i];
        wg_strbuf_printf(b, "%s\n    [%u, %u, %u", i ? "," : "", c->ptx_line, c->line, c->block);
        if (c->text) wg_strbuf_puts(b, ", "), wg_strbuf_json(b, c->text);
        wg_strbuf_puts(b, "]");
    }
    wg_strbuf_puts(b, "],\n   \"loops\": [");
    const char *comma = "";
    for (uint32_t i = 0; i < k->code_count; i++) {
        if (k->code[i].enters == UINT32_MAX || (i && k->code[i].block == k->code[i - 1].block)) continue;
        wg_strbuf_printf(b, "%s[%u, %u]", comma, k->code[i].block, k->code[i].enters);
        comma = ", ";
    }
    wg_strbuf_puts(b, "],\n");
}

static void write_machine_code(struct wg_strbuf *b, const struct wg_profile_kernel *k) {
    wg_strbuf_puts(b, "   \"sass\": [");
    for (uint32_t i = 0; i < k->machine_count; i++) {
        const struct wg_machine_code *c = &k->machine[i];
        wg_strbuf_printf(b, "%s\n    [%u, %u, %u, %d, ", i ? "," : "", c->ptx_line, c->line, c->block,
                         c->spill);
        wg_strbuf_json(b, c->text);
        wg_strbuf_puts(b, "]");
    }
    wg_strbuf_puts(b, "],\n");
}

static void write_machine_counts(struct wg_strbuf *b, const struct wg_profile_kernel *k,
                                 const struct wg_launch *l) {
    if (!l->machine) return; /* too many launches */
    wg_strbuf_puts(b, "     \"sass\": [");
    for (uint32_t i = 0; i < k->machine_count; i++)
        wg_strbuf_printf(b, "%s%" PRIu64, i ? ", " : "", l->machine[i]);
    wg_strbuf_puts(b, "],\n");
}

static void write_counts(struct wg_strbuf *b, const struct wg_counts *c) {
    wg_strbuf_puts(b, "{");
    for (int i = 0; i < WG_COUNTERS; i++) number(b, wg_counter_infos[i].name, c->v[i]);
    end(b, "}");
}

/* Columns are the counters that are not 0 everywhere. */
static void write_site_counts(struct wg_strbuf *b, const struct wg_launch *l) {
    struct wg_counts any = {{0}};
    for (uint32_t i = 0; i < l->site_count; i++)
        for (int j = 0; j < WG_COUNTERS; j++) any.v[j] |= l->sites[i].counts.v[j];
    wg_strbuf_puts(b, "     \"sites\": {\"columns\": [\"site\"");
    for (int i = 0; i < WG_COUNTERS; i++)
        if (any.v[i]) wg_strbuf_printf(b, ", \"%s\"", wg_counter_infos[i].name);
    wg_strbuf_puts(b, "], \"rows\": [");
    for (uint32_t i = 0; i < l->site_count; i++) {
        wg_strbuf_printf(b, "%s\n      [%u", i ? "," : "", l->sites[i].site);
        for (int j = 0; j < WG_COUNTERS; j++)
            if (any.v[j]) wg_strbuf_printf(b, ", %" PRIu64, l->sites[i].counts.v[j]);
        wg_strbuf_puts(b, "]");
    }
    wg_strbuf_puts(b, "]},\n");
}

static void write_samples(struct wg_strbuf *b, const struct wg_launch *l) {
    wg_strbuf_puts(b, "     \"samples\": [");
    for (uint32_t i = 0; i < l->sample_count; i++) {
        const struct wg_recorded *s = &l->samples[i];
        wg_strbuf_puts(b, i ? ",\n      {" : "\n      {");
        number(b, "site", s->site);
        shape(b, "block", s->block);
        number(b, "warp", s->warp);
        number(b, "mask", s->lanes);
        member(b, "base", s->base);
        wg_strbuf_puts(b, "\"addresses\": [");
        for (int j = 0; j < 32; j++) {
            if (s->lanes >> j & 1)
                wg_strbuf_printf(b, "%s%" PRId64, j ? ", " : "", (int64_t)s->address[j]);
            else
                wg_strbuf_printf(b, "%snull", j ? ", " : "");
        }
        wg_strbuf_puts(b, "]}");
    }
    wg_strbuf_puts(b, "]");
}

/* The sums over its sites, which are not read back. */
static void write_launch_counters(struct wg_strbuf *b, const struct wg_profile_kernel *k,
                                  const struct wg_launch *l) {
    struct wg_by_class sum = {0};
    for (uint32_t i = 0; i < l->site_count; i++)
        wg_counts_add(&sum.of[k->sites[l->sites[i].site].class], &l->sites[i].counts);
    wg_strbuf_puts(b, "     \"counters\": ");
    write_metrics(b, &sum, true);
    wg_strbuf_puts(b, ",\n");
}

static void write_devices(struct wg_strbuf *b, const struct wg_profile *r) {
    for (uint32_t i = 0; i < r->device_count; i++) {
        wg_strbuf_puts(b, i ? "  {" : " \"devices\": [\n  {");
        member(b, "arch", r->devices[i].arch);
        member(b, "name", r->devices[i].name);
        number(b, "sms", r->devices[i].sms);
        end(b, i + 1 < r->device_count ? "},\n" : "}],\n");
    }
}

static void write_counted(struct wg_strbuf *b, const struct wg_profile_kernel *k, const struct wg_launch *l,
                          bool sass) {
    wg_strbuf_puts(b, "\n     \"totals\": ");
    write_counts(b, &l->totals);
    wg_strbuf_puts(b, ",\n");
    write_launch_counters(b, k, l);
    write_site_counts(b, l);
    if (sass) write_machine_counts(b, k, l);
    write_samples(b, l);
}

/* What was counted of launches that are alike is written once. */
static void write_launches(struct wg_strbuf *b, const struct wg_summary *s, bool sass) {
    uint32_t *written = wg_xcalloc(s->kernel->alike_count + 1, sizeof *written); /* position plus one */
    wg_strbuf_puts(b, "   \"launches\": [\n");
    for (uint32_t i = 0; i < s->launch_count; i++) {
        const struct wg_launch *l = s->launches[i];
        wg_strbuf_puts(b, "    {");
        number(b, "index", l->index);
        shape(b, "grid", l->grid);
        shape(b, "block", l->block);
        shape(b, "cluster", l->cluster);
        number(b, "dynamic_shared", l->dynamic_shared);
        number(b, "stream", l->stream);
        number(b, "start_ns", l->start_ns);
        number(b, "end_ns", l->end_ns);
        if (l->device >= 0) number(b, "device", (uint64_t)l->device);
        if (l->launched_by) member(b, "launched_by", l->launched_by);
        member(b, "status", l->status);
        if (written[l->alike]) {
            number(b, "like", written[l->alike] - 1);
            end(b, "},\n");
            continue;
        }
        written[l->alike] = i + 1;
        write_counted(b, s->kernel, l, sass);
        wg_strbuf_puts(b, "},\n");
    }
    end(b, "]");
    free(written);
}

/* ---- What is made of it -----------------------------------------------------------------------------------
 */

static void write_lines(struct wg_strbuf *b, const struct wg_summary *s) {
    wg_strbuf_puts(b, "   \"lines\": [");
    for (uint32_t i = 0; i < s->line_count; i++) {
        const struct wg_line_summary *l = &s->lines[i];
        wg_strbuf_puts(b, i ? ",\n    {" : "\n    {");
        member(b, "file", l->file);
        number(b, "line", l->line);
        number(b, "work", wg_work(&l->own) + wg_work(&l->called));
        wg_strbuf_puts(b, "\"own\": ");
        write_metrics(b, &l->own, false);
        wg_strbuf_puts(b, ", \"called\": ");
        write_metrics(b, &l->called, false);
        wg_strbuf_puts(b, "}");
    }
    wg_strbuf_puts(b, "],\n");
}

static void write_advice(struct wg_strbuf *b, struct wg_arena *a, const struct wg_summary *s,
                         struct wg_sources *sources) {
    struct wg_advice_list list = wg_advise(a, s, sources);
    wg_strbuf_puts(b, "   \"advice\": [");
    for (uint32_t i = 0; i < list.n; i++) {
        const struct wg_advice *v = &list.v[i];
        wg_strbuf_puts(b, i ? ",\n    {" : "\n    {");
        member(b, "kind", v->kind);
        member(b, "title", v->title);
        member(b, "text", v->text);
        bool placed = v->site && v->site->frame_count;
        member(b, "file", placed ? v->site->frames[0].file : NULL);
        if (placed)
            number(b, "line", v->site->frames[0].line);
        else
            member(b, "line", NULL);
        member(b, "unit", v->unit);
        number(b, "before", v->before);
        number(b, "after", v->after);
        member(b, "note", v->note);
        if (v->seconds > 0)
            wg_strbuf_printf(b, "\"seconds\": %.4g, \"then_seconds\": %.4g, ", v->seconds, v->then_seconds);
        else
            wg_strbuf_puts(b, "\"seconds\": null, \"then_seconds\": null, ");
        wg_strbuf_printf(b, "\"proven\": %s}", v->proven ? "true" : "false");
    }
    wg_strbuf_puts(b, "],\n");
}

/* null for a chip that is not known. Each part is what it would take alone. */
static void write_model(struct wg_strbuf *b, struct wg_arena *a, const struct wg_summary *s) {
    struct wg_modelled m;
    wg_strbuf_puts(b, "   \"model\": ");
    if (!wg_model_kernel(a, s, &m)) {
        wg_strbuf_puts(b, "null,\n");
        return;
    }
    const struct wg_time *t = &m.first.bound.time;
    wg_strbuf_puts(b, "{");
    member(b, "chip", m.first.chip->name);
    wg_strbuf_printf(b, "\"seconds\": %.4g, ", m.seconds);
    member(b, "bound_by", wg_time_part_names[t->longest]);
    member(b, "reason", m.reason);
    wg_strbuf_puts(b, "\"parts\": {");
    for (int i = 0; i < WG_TIME_PART_COUNT; i++)
        if (i != WG_TIME_LINK || t->part[i] > 0)
            wg_strbuf_printf(b, "\"%s\": %.4g, ", wg_time_part_names[i], t->part[i]);
    end(b, "}, ");
    number(b, "blocks_per_sm", m.first.occupancy.blocks);
    number(b, "warps_per_sm", m.first.occupancy.warps);
    wg_strbuf_printf(b, "\"waves\": %.4g},\n", m.first.waves.waves);
}

static void write_seconds(struct wg_strbuf *b, bool known, double seconds) {
    if (known)
        wg_strbuf_printf(b, "\"seconds\": %.4g, ", seconds);
    else
        wg_strbuf_puts(b, "\"seconds\": null, ");
}

/* Of all launches, by device and peer; none where nothing goes to a peer's memory. */
static void write_links(struct wg_strbuf *b, struct wg_arena *a, const struct wg_summary *s) {
    uint32_t n;
    const struct wg_link_row *v = wg_links_of(a, s, &n);
    if (!n) return;
    wg_strbuf_puts(b, "   \"links\": [");
    for (uint32_t i = 0; i < n; i++) {
        wg_strbuf_puts(b, i ? ", {" : "{");
        number(b, "device", v[i].device);
        number(b, "peer", v[i].peer);
        number(b, "launches", v[i].launches);
        number(b, "bytes_read", (uint64_t)v[i].read);
        number(b, "bytes_written", (uint64_t)v[i].written);
        number(b, "atomics", (uint64_t)v[i].use.atomics);
        write_seconds(b, v[i].known, v[i].seconds);
        end(b, "}");
    }
    wg_strbuf_puts(b, "],\n");
}

static void write_roofs(struct wg_strbuf *b, const struct wg_light *l) {
    wg_strbuf_puts(b, "\"bytes\": {");
    for (int i = 0; i < WG_LEVELS; i++) wg_strbuf_printf(b, "\"%s\": %.4g, ", wg_level_names[i], l->bytes[i]);
    end(b, "}, \"roofline\": {");
    for (int i = 0; i < WG_ROOFS; i++) {
        const struct wg_roofline *r = &l->roof[i];
        if (r->operations <= 0) continue;
        wg_strbuf_printf(b, "\"%s\": {\"operations\": %.0f, \"per_second\": %.4g, \"roof\": %.4g, ",
                         wg_roof_names[i], r->operations, r->reached, r->roof);
        member(b, "bound_by", r->binds == WG_LEVELS ? "peak" : wg_level_names[r->binds]);
        end(b, "}, ");
    }
    end(b, "}");
}

/* null for a chip that is not known. */
static void write_light(struct wg_strbuf *b, const struct wg_summary *s) {
    struct wg_light l;
    wg_strbuf_puts(b, "   \"light\": ");
    if (!wg_light_of(s, &l)) {
        wg_strbuf_puts(b, "null,\n");
        return;
    }
    wg_strbuf_puts(b, "{\"of_peak\": {");
    for (int i = 0; i < WG_LIGHT_COUNT; i++)
        wg_strbuf_printf(b, "\"%s\": %.4g, ", wg_light_infos[i].file, l.of_peak[i]);
    end(b, "}, ");
    wg_strbuf_printf(b, "\"occupancy\": %.4g, \"achieved_occupancy\": %.4g, ", l.occupancy, l.achieved);
    write_roofs(b, &l);
    wg_strbuf_puts(b, "},\n");
}

static void write_chart(struct wg_strbuf *b, const struct wg_summary *s) {
    static const char *const names[WG_CHART_KINDS] = {"loads", "stores", "atomics", "local", "shared"};
    struct wg_chart c;
    if (!wg_chart_of(s, &c)) return;
    wg_strbuf_puts(b, "   \"chart\": {");
    if (c.l1_hits >= 0) wg_strbuf_printf(b, "\"l1_hits\": %.4g, ", c.l1_hits);
    if (c.l2_hits >= 0) wg_strbuf_printf(b, "\"l2_hits\": %.4g, ", c.l2_hits);
    for (int i = 0; i < WG_CHART_KINDS; i++) {
        const struct wg_chart_row *r = &c.row[i];
        if (r->requests > 0)
            wg_strbuf_printf(b, "\"%s\": {\"requests\": %.0f, \"l1\": %.0f, \"l2\": %.0f, \"dram\": %.0f}, ",
                             names[i], r->requests, r->l1, r->l2, r->dram);
    }
    end(b, "},\n");
}

/* Launches of one shape together. */
static void write_shapes(struct wg_strbuf *b, struct wg_arena *a, const struct wg_summary *s) {
    struct wg_shape_groups g = wg_shape_groups(a, s);
    wg_strbuf_puts(b, "   \"shapes\": [");
    for (uint32_t i = 0; i < g.n; i++) {
        const struct wg_shape_group *v = &g.v[i];
        wg_strbuf_puts(b, i ? ",\n    {" : "\n    {");
        shape(b, "grid", v->first->grid);
        shape(b, "block", v->first->block);
        shape(b, "cluster", v->first->cluster);
        number(b, "dynamic_shared", v->first->dynamic_shared);
        number(b, "launches", v->launches);
        number(b, "first", v->first->index);
        wg_strbuf_printf(
            b, "\"unit\": \"%s\", \"least\": %.4g, \"median\": %.4g, \"most\": %.4g, \"sum\": %.4g}",
            g.timed ? "modelled seconds" : "instructions", v->least, v->median, v->most, v->sum);
    }
    wg_strbuf_puts(b, "],\n");
}

static void write_kernel(struct wg_strbuf *b, struct wg_arena *a, const struct wg_summary *s,
                         struct wg_sources *sources, bool sass) {
    const struct wg_profile_kernel *k = s->kernel;
    wg_strbuf_puts(b, "  {");
    member(b, "name", k->name);
    member(b, "display", k->display);
    member(b, "module", k->module);
    if (k->chip) member(b, "chip", k->chip);
    number(b, "registers", k->registers);
    member(b, "registers_from", k->registers_estimated ? "estimate" : "ptxas");
    if (k->registers_estimated)
        wg_strbuf_printf(b, "\"registers_error\": %.2f, ", WG_REGISTERS_HALF_WITHIN / 100.0);
    number(b, "static_shared", k->static_shared);
    number(b, "local", k->local);
    number(b, "max_threads", k->max_threads);
    member(b, "counted", k->counted);
    if (k->assembler) member(b, "assembler", k->assembler);
    wg_strbuf_puts(b, "\n   ");
    member(b, "statement", wg_statement(a, s).text);
    wg_strbuf_puts(b, "\n   \"counters\": ");
    write_metrics(b, &s->classes, true);
    wg_strbuf_puts(b, ",\n");
    write_model(b, a, s);
    write_links(b, a, s);
    write_light(b, s);
    write_chart(b, s);
    write_shapes(b, a, s);
    write_lines(b, s);
    write_advice(b, a, s, sources);
    write_sites(b, k);
    if (k->code_count) write_code(b, k);
    if (sass && k->machine_count) write_machine_code(b, k);
    write_launches(b, s, sass);
    wg_strbuf_puts(b, "}");
}

/* The files that the chosen kernels' lines are in, when their text is there; of kernels without lines the
 * PTX. */
static void write_sources(struct wg_strbuf *b, const struct wg_summaries *s, struct wg_sources *sources) {
    const char *comma = "";
    for (uint32_t i = 0; i < s->n; i++) {
        const struct wg_profile_kernel *k = s->v[i].kernel;
        for (uint32_t j = 0; j < s->v[i].line_count; j++)
            if (s->v[i].lines[j].file) wg_source_find(sources, s->v[i].lines[j].file);
        if (!s->v[i].has_lines && k->module) wg_source_find(sources, k->module);
    }
    wg_strbuf_puts(b, " \"sources\": [");
    for (const struct wg_source_file *f = sources->files; f; f = f->next) {
        if (!f->found || wg_source_is_system(f->name)) continue;
        wg_strbuf_printf(b, "%s{", comma);
        member(b, "name", f->name);
        member(b, "text", f->text);
        end(b, "}");
        comma = ", ";
    }
    wg_strbuf_puts(b, "],\n");
}

static void write_library(struct wg_strbuf *b, const struct wg_profile *r) {
    if (!r->library_count) return;
    wg_strbuf_puts(b, ",\n \"library\": [");
    for (uint32_t i = 0; i < r->library_count; i++) {
        const struct wg_profile_library *l = &r->library[i];
        wg_strbuf_puts(b, i ? ",\n  {" : "\n  {");
        member(b, "name", l->name);
        member(b, "sizes", l->sizes);
        number(b, "calls", l->calls);
        number(b, "operations", l->operations);
        number(b, "bytes_read", l->bytes_read);
        number(b, "bytes_written", l->bytes_written);
        end(b, "}");
    }
    wg_strbuf_puts(b, "]");
}

static void write_copies(struct wg_strbuf *b, const struct wg_profile *r) {
    if (!r->copy_count) return;
    wg_strbuf_puts(b, ",\n \"copies\": [");
    for (uint32_t i = 0; i < r->copy_count; i++) {
        const struct wg_profile_copy *c = &r->copies[i];
        double seconds;
        wg_strbuf_puts(b, i ? ",\n  {" : "\n  {");
        number(b, "from", c->from);
        number(b, "to", c->to);
        wg_strbuf_printf(b, "\"peer_access\": %s, ", c->peer_access ? "true" : "false");
        number(b, "bytes", c->bytes);
        number(b, "count", c->count);
        bool known = wg_link_copy_seconds(r, c, &seconds);
        write_seconds(b, known, seconds);
        end(b, "}");
    }
    wg_strbuf_puts(b, "]");
}

void wg_write_json(struct wg_strbuf *b, struct wg_arena *a, const struct wg_profile *r,
                   const struct wg_summaries *s, struct wg_sources *sources, bool sass) {
    wg_strbuf_puts(b, "{\n ");
    member(b, "format", "warpglass-report");
    number(b, "version", WG_PROFILE_VERSION);
    member(b, "warpglass", r->warpglass);
    wg_strbuf_puts(b, "\n ");
    member(b, "program", r->program);
    wg_strbuf_puts(b, "\"arguments\": [");
    for (uint32_t i = 0; i < r->argument_count; i++) {
        wg_strbuf_puts(b, i ? ", " : "");
        wg_strbuf_json(b, r->arguments[i]);
    }
    wg_strbuf_puts(b, "], ");
    if (r->note) member(b, "note", r->note);
    member(b, "ended", r->ended);
    wg_strbuf_printf(b, "\"status\": %" PRId64 ",\n \"device\": {", r->status);
    member(b, "arch", r->arch);
    member(b, "name", r->device);
    number(b, "sms", r->sms);
    end(b, "},\n");
    write_devices(b, r);
    write_sources(b, s, sources);
    wg_strbuf_puts(b, " \"kernels\": [\n");
    for (uint32_t i = 0; i < s->n; i++) {
        write_kernel(b, a, &s->v[i], sources, sass);
        wg_strbuf_puts(b, i + 1 < s->n ? ",\n" : "");
    }
    wg_strbuf_puts(b, "],\n \"allocations\": [");
    for (uint32_t i = 0; i < r->allocation_count; i++) {
        const struct wg_profile_allocation *v = &r->allocations[i];
        wg_strbuf_puts(b, i ? ", {" : "{");
        number(b, "id", v->id);
        number(b, "bytes", v->bytes);
        member(b, "kind", v->kind);
        if (v->device >= 0) number(b, "device", (uint64_t)v->device);
        end(b, "}");
    }
    wg_strbuf_puts(b, "]");
    write_copies(b, r);
    write_library(b, r);
    wg_strbuf_puts(b, "\n}\n");
}
