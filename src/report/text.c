/* The terminal report, except for the source listing: see text.h. */
#include "report/text.h"
#include "report/figure.h"
#include "report/links.h"
#include "report/modelled.h"
#include "report/statement.h"
#include <string.h>

static const char *shape(struct wg_arena *a, const uint32_t v[3]) {
    if (v[2] > 1) return wg_arena_printf(a, "%u x %u x %u", v[0], v[1], v[2]);
    if (v[1] > 1) return wg_arena_printf(a, "%u x %u", v[0], v[1]);
    return wg_arena_printf(a, "%u", v[0]);
}

/* ---- The head of a kernel ---------------------------------------------------------------------------------
 */

/* " on device 1", " (2 on device 0, 3 on device 1)"; "" where there is but one. */
static const char *devices_of(struct wg_arena *a, const struct wg_summary *s) {
    uint32_t count = s->result->device_count, used = 0, *n = WG_NEW_N(a, uint32_t, count + 1);
    for (uint32_t i = 0; i < s->launch_count; i++)
        if (s->launches[i]->device >= 0 && (uint32_t)s->launches[i]->device < count)
            n[s->launches[i]->device]++;
    const char *text = "", *only = "";
    for (uint32_t d = 0; d < count; d++) {
        if (!n[d]) continue;
        only = wg_arena_printf(a, " on device %u", d);
        text = wg_arena_printf(a, "%s%s%u on device %u", text, used++ ? ", " : "", n[d], d);
    }
    return used > 1 ? wg_arena_printf(a, " (%s)", text) : only;
}

/* Of kernels that kernels launched: where. */
static void launchers_line(const struct wg_text *t, const struct wg_summary *s) {
    enum { MOST = 4 };
    const char *told[MOST], *text = NULL;
    uint32_t n = 0;
    bool host = false;
    for (uint32_t i = 0; i < s->launch_count; i++) {
        const char *by = s->launches[i]->launched_by;
        bool known = !by || n == MOST;
        for (uint32_t k = 0; k < n && !known; k++) known = !strcmp(told[k], by);
        host |= !by;
        if (!known) told[n++] = by;
    }
    if (!n) return;
    for (uint32_t k = 0; k < n; k++)
        text = text ? wg_arena_printf(t->arena, "%s%s%s", text, k + 1 < n ? ", " : " and ", told[k])
                    : wg_arena_printf(t->arena, "Launched by %s%s", host ? "the host, and by " : "", told[k]);
    wg_paint_wrapped(&t->paint, 2, WG_INK_PLAIN, wg_arena_printf(t->arena, "%s.", text));
}

static void launch_line(const struct wg_text *t, const struct wg_summary *s) {
    struct wg_arena *a = t->arena;
    const struct wg_launch *l = s->launches[0];
    struct wg_shape_groups groups = wg_shape_groups(a, s);
    struct wg_strbuf b = {0};
    const char *where = devices_of(a, s);
    if (s->launch_count == 1)
        wg_strbuf_printf(&b, "Launch %u%s: ", l->index, where);
    else
        wg_strbuf_printf(&b, "%u launches%s; the figures are their sums%s", s->launch_count, where,
                         groups.n == 1 ? ": " : "");
    if (groups.n == 1) wg_strbuf_printf(&b, "grid %s, block %s", shape(a, l->grid), shape(a, l->block));
    if (groups.n == 1 && (uint64_t)l->cluster[0] * l->cluster[1] * l->cluster[2] > 1)
        wg_strbuf_printf(&b, ", cluster %s", shape(a, l->cluster));
    if (groups.n == 1 && s->launch_count > 1) wg_strbuf_puts(&b, wg_text_spread(a, &groups));
    wg_paint_wrapped(&t->paint, 2, WG_INK_PLAIN, groups.n == 1 ? b.s : wg_arena_printf(a, "%s:", b.s));
    if (groups.n > 1) wg_text_shapes(t, &groups);
    wg_strbuf_free(&b);
    launchers_line(t, s);
    for (uint32_t i = 0; i < s->launch_count; i++)
        if (strcmp(s->launches[i]->status, "success") != 0) {
            wg_paint_wrapped(
                &t->paint, 2, WG_INK_BAD,
                wg_arena_printf(a, "Launch %u ended with %s: its figures cover what ran until then.",
                                s->launches[i]->index, s->launches[i]->status));
            break;
        }
}

static uint64_t spills_of(const struct wg_summary *s) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->launch_count; i++) sum += s->launches[i]->spills;
    return sum;
}

static void resource_line(const struct wg_text *t, const struct wg_summary *s) {
    struct wg_arena *a = t->arena;
    const struct wg_profile_kernel *k = s->kernel;
    struct wg_strbuf b = {0};
    wg_strbuf_printf(&b, "%u registers per thread", k->registers);
    if (k->registers_estimated)
        wg_strbuf_printf(&b, " (an estimate: half of them are within %d %%)", WG_REGISTERS_HALF_WITHIN);
    uint64_t shared = k->static_shared + s->launches[0]->dynamic_shared;
    if (shared) wg_strbuf_printf(&b, ", %s of shared memory per block", wg_figure_bytes(a, shared));
    if (k->local) wg_strbuf_printf(&b, ", %s of local memory per thread", wg_figure_bytes(a, k->local));
    wg_strbuf_printf(&b, ". %s warp instructions", wg_figure(a, s->totals.v[WG_C_instructions]));
    uint64_t warp = s->totals.v[WG_C_instructions], threads = s->totals.v[WG_C_threads];
    if (warp && threads < warp * 32)
        wg_strbuf_printf(&b, ", %s of 32 lanes active", wg_figure_ratio(a, threads, warp));
    wg_strbuf_puts(&b, ".");
    if (k->assembler)
        wg_strbuf_printf(&b, " %s machine instructions, as assembled by %s.",
                         wg_figure(a, s->totals.v[WG_C_machine_instructions]), k->assembler);
    if (spills_of(s)) wg_strbuf_printf(&b, " %s of them spill registers.", wg_figure(a, spills_of(s)));
    wg_paint_wrapped(&t->paint, 2, WG_INK_PLAIN, b.s);
    wg_strbuf_free(&b);
}

static const char *counted_note(const struct wg_profile_kernel *k) {
    if (!strcmp(k->counted, "as assembled"))
        return "Counted on the PTX, with neighbouring loads combined as the assembler does.";
    if (!strcmp(k->counted, "sass")) return "Instructions as the assembler generated them.";
    return "Counted on the PTX as written; the assembler may combine loads.";
}

/* ---- The table of memory ----------------------------------------------------------------------------------
 */

enum { NAME = 17, COUNT = 13, EACH = 13, SIZE = 11, WIDE = 110 };

static void cell(const struct wg_text *t, enum wg_ink ink, int width, const char *text) {
    wg_paint(&t->paint, WG_INK_PLAIN, "%*s", width - wg_columns(text), "");
    wg_paint(&t->paint, ink, "%s", text);
}

/* "4 (4)": each access and the least it could be. */
static const char *each(struct wg_arena *a, const struct wg_counts *r, enum wg_counter what,
                        enum wg_counter ideal) {
    uint64_t n = r->v[WG_C_requests];
    return wg_arena_printf(a, "%s (%s)", wg_figure_ratio(a, r->v[what], n),
                           wg_figure_ratio(a, r->v[ideal], n));
}

/* In full where it fits. */
static const char *in_full(struct wg_arena *a, uint64_t n) {
    return n < 1000000000 ? wg_figure(a, n) : wg_figure_short(a, n);
}

static enum wg_ink judged(uint64_t what, uint64_t ideal) {
    return what * 4 > ideal * 5 ? WG_INK_BAD : WG_INK_PLAIN;
}

static void moving_row(const struct wg_text *t, const char *name, const struct wg_counts *r) {
    struct wg_arena *a = t->arena;
    wg_paint(&t->paint, WG_INK_PLAIN, "  %-*s", NAME, name);
    cell(t, WG_INK_PLAIN, COUNT, in_full(a, r->v[WG_C_requests]));
    cell(t, WG_INK_PLAIN, COUNT, in_full(a, r->v[WG_C_sectors]));
    cell(t, judged(r->v[WG_C_sectors], r->v[WG_C_ideal_sectors]), EACH,
         each(a, r, WG_C_sectors, WG_C_ideal_sectors));
    cell(t, WG_INK_PLAIN, SIZE, wg_figure_bytes(a, r->v[WG_C_bytes_asked]));
    cell(t, WG_INK_PLAIN, SIZE, wg_figure_bytes(a, r->v[WG_C_bytes_moved]));
    if (t->paint.width >= WIDE) {
        cell(t, WG_INK_PLAIN, EACH, wg_figure_percent(a, r->v[WG_C_bytes_asked], r->v[WG_C_bytes_moved]));
        cell(t, WG_INK_PLAIN, COUNT, in_full(a, r->v[WG_C_tags]));
    }
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
}

static void turning_row(const struct wg_text *t, const char *name, const struct wg_counts *r) {
    struct wg_arena *a = t->arena;
    wg_paint(&t->paint, WG_INK_PLAIN, "  %-*s", NAME, name);
    cell(t, WG_INK_PLAIN, COUNT, in_full(a, r->v[WG_C_requests]));
    cell(t, WG_INK_PLAIN, COUNT, in_full(a, r->v[WG_C_wavefronts]));
    cell(t, judged(r->v[WG_C_wavefronts], r->v[WG_C_ideal_wavefronts]), EACH,
         each(a, r, WG_C_wavefronts, WG_C_ideal_wavefronts));
    cell(t, r->v[WG_C_conflicts] ? WG_INK_BAD : WG_INK_GOOD, SIZE, in_full(a, r->v[WG_C_conflicts]));
    cell(t, WG_INK_PLAIN, SIZE, wg_arena_printf(a, "%llu-way", (unsigned long long)r->v[WG_C_ways]));
    if (t->paint.width >= WIDE) cell(t, WG_INK_PLAIN, EACH, wg_figure_bytes(a, r->v[WG_C_bytes_asked]));
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
}

/* The label, or where it is too long the class's name: "dsmem load". */
static const char *row_name(struct wg_arena *a, enum wg_class class) {
    const char *label = wg_class_infos[class].label;
    if (wg_columns(label) <= NAME) return label;
    char *name = wg_arena_strdup(a, wg_class_infos[class].name);
    for (char *s = name; *s; s++)
        if (*s == '_') *s = ' ';
    return name;
}

static bool turns(enum wg_class_memory m) { return m == WG_MEMORY_SHARED || m == WG_MEMORY_REMOTE; }

static bool has_rows(const struct wg_summary *s, bool turning) {
    for (int i = 0; i < WG_CLASSES; i++)
        if (s->classes.of[i].v[WG_C_requests] && wg_class_infos[i].memory != WG_MEMORY_NONE &&
            wg_class_infos[i].memory != WG_MEMORY_CONSTANT && turns(wg_class_infos[i].memory) == turning)
            return true;
    return false;
}

static void memory_table(const struct wg_text *t, const struct wg_summary *s) {
    for (int turning = 0; turning < 2; turning++) {
        if (!has_rows(s, turning)) continue;
        static const char *const titles[2][8] = {
            {"Memory", "requests", "sectors", "each (ideal)", "asked", "moved", "asked %", "lines"},
            {"Shared memory", "accesses", "wavefronts", "each (ideal)", "conflicts", "worst", "asked", ""}};
        static const int widths[8] = {-NAME, COUNT, COUNT, EACH, SIZE, SIZE, EACH, COUNT};
        wg_paint(&t->paint, WG_INK_PLAIN, "  ");
        for (int i = 0; i < (t->paint.width >= WIDE ? 8 : 6); i++)
            wg_paint(&t->paint, WG_INK_FAINT, "%*s", *titles[turning][i] ? widths[i] : 0, titles[turning][i]);
        wg_paint(&t->paint, WG_INK_PLAIN, "\n");
        for (int i = 0; i < WG_CLASSES; i++) {
            enum wg_class_memory m = wg_class_infos[i].memory;
            if (!s->classes.of[i].v[WG_C_requests] || m == WG_MEMORY_NONE || m == WG_MEMORY_CONSTANT ||
                turns(m) != turning)
                continue;
            (turning ? turning_row : moving_row)(t, row_name(t->arena, (enum wg_class)i), &s->classes.of[i]);
        }
    }
}

static void flow_lines(const struct wg_text *t, const struct wg_summary *s) {
    struct wg_arena *a = t->arena;
    const char *calls = wg_system_calls(a, s);
    uint64_t branches = s->totals.v[WG_C_branches], divergent = s->totals.v[WG_C_divergent_branches];
    if (calls) wg_paint_wrapped(&t->paint, 2, WG_INK_PLAIN, calls);
    if (divergent)
        wg_paint_wrapped(&t->paint, 2, WG_INK_PLAIN,
                         wg_arena_printf(a, "Warps diverged at %s of %s branches (%s).",
                                         wg_figure(a, divergent), wg_figure(a, branches),
                                         wg_figure_percent(a, divergent, branches)));
    if (s->totals.v[WG_C_barriers])
        wg_paint_wrapped(
            &t->paint, 2, WG_INK_PLAIN,
            wg_arena_printf(a, "Barriers: %s warp arrivals.", wg_figure(a, s->totals.v[WG_C_barriers])));
}

static void kernel_block(const struct wg_text *t, const struct wg_summary *s) {
    struct wg_statement what = wg_statement(t->arena, s);
    static const enum wg_ink ink[] = {WG_INK_GOOD, WG_INK_BAD, WG_INK_PLAIN};
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
    wg_paint_wrapped(&t->paint, 0, WG_INK_BOLD, s->kernel->display);
    launch_line(t, s);
    resource_line(t, s);
    wg_paint_wrapped(&t->paint, 2, ink[what.verdict], what.text);
    struct wg_modelled model;
    if (wg_model_kernel(t->arena, s, &model)) {
        wg_paint_wrapped(&t->paint, 2, WG_INK_PLAIN, model.time);
        wg_paint_wrapped(&t->paint, 2, WG_INK_PLAIN, model.occupancy);
    }
    uint32_t links;
    const struct wg_link_row *link = wg_links_of(t->arena, s, &links);
    for (uint32_t i = 0; i < links; i++)
        wg_paint_wrapped(&t->paint, 2, WG_INK_PLAIN, wg_link_sentence(t->arena, &link[i]));
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
    wg_text_light(t, s);
    memory_table(t, s);
    flow_lines(t, s);
    wg_text_source(t, s);
    wg_text_advice(t, s);
}

/* "sm_90 (NVIDIA H200)"; where there are several, how many of which. */
static const char *machine_of(struct wg_arena *a, const struct wg_profile *r) {
    struct wg_strbuf b = {0};
    wg_strbuf_printf(&b, "%s%s%s%s", r->arch, *r->device ? " (" : "", r->device, *r->device ? ")" : "");
    if (r->device_count > 1) {
        bool alike = true;
        b.n = 0;
        for (uint32_t i = 1; i < r->device_count; i++)
            alike &= !strcmp(r->devices[i].name, r->devices[0].name);
        wg_strbuf_printf(&b, "%u devices (", r->device_count);
        for (uint32_t i = 0; i < (alike ? 1 : r->device_count); i++)
            wg_strbuf_printf(&b, "%s%s", i ? ", " : "", r->devices[i].name);
        wg_strbuf_puts(&b, ")");
    }
    const char *text = wg_arena_strdup(a, b.s);
    wg_strbuf_free(&b);
    return text;
}

void wg_text_report(struct wg_strbuf *out, struct wg_arena *arena, const struct wg_profile *r,
                    struct wg_summaries *s, struct wg_sources *sources, const struct wg_text_options *o) {
    struct wg_text t = {.paint = {.out = out, .width = o->width, .colour = o->colour, .plain = o->plain},
                        .arena = arena,
                        .sources = sources,
                        .all_lines = o->all_lines,
                        .ptx = o->ptx,
                        .sass = o->sass,
                        .full_names = o->full_names,
                        .rows = o->rows};
    struct wg_overview overview = wg_overview(arena, s, o->order);
    struct wg_strbuf head = {0};
    wg_strbuf_printf(&head, "%s on %s: %s", r->program, machine_of(arena, r),
                     s->n ? wg_figure_plural(arena, s->n, "kernel", "kernels") : "no kernels");
    wg_paint_wrapped(&t.paint, 0, WG_INK_BOLD, head.s);
    wg_strbuf_free(&head);
    if (s->n) wg_paint_wrapped(&t.paint, 0, WG_INK_FAINT, counted_note(s->v[0].kernel));
    const char *ending = wg_ending(arena, r);
    if (ending) wg_paint_wrapped(&t.paint, 0, WG_INK_BAD, ending);
    if (r->note) wg_paint_wrapped(&t.paint, 0, WG_INK_MARK, r->note);
    if (s->n > 1) wg_text_overview(&t, &overview);
    wg_text_library(&t, r);
    uint32_t at = 0;
    for (const char *copies; (copies = wg_link_copies(arena, r, &at));)
        wg_paint_wrapped(&t.paint, 2, WG_INK_PLAIN, copies);
    for (uint32_t i = 0; i < s->n && i < o->detailed; i++) kernel_block(&t, &s->v[i]);
    if (!o->detailed && s->n)
        wg_paint_wrapped(&t.paint, 2, WG_INK_FAINT,
                         "Lines and advice: --kernel NAME for matching kernels, --top N for the first N.");
}
