/* The source of one kernel with the figures of its lines, for the terminal: see text.h.
 *
 *      heat share instr. lanes   sectors     waves line
 *      ████  94 %   393k    32     4 (4)    32 (1)   16  tile[threadIdx.x][threadIdx.y] = in[y * n + x];
 *
 * Heat and share: the line's part of the kernel's sectors and wavefronts, or of its instructions if these take the time
 * ("issue"). Lanes: those that were active, on average. Sectors and waves: for each access (the worse kind if a line has
 * several), with the minimum in parentheses. Inlined calls count at the calling line as well. With --ptx each line is
 * followed by its PTX, whose line numbers begin with a colon, with --sass by its machine code, with the lines of the PTX
 * that it was made of.
 */
#include "report/code.h"
#include "report/figure.h"
#include "report/listing.h"
#include "report/statement.h"
#include "report/text.h"
#include <string.h>

enum { CONTEXT = 1, HEAT = 4, SHARE = 6, INSTRUCTIONS = 7, LANES = 6, SECTORS = 10, WAVES = 10, LINE = 5 };

struct columns {
    bool sectors, waves;
    enum wg_heat heat;
};

static const char *each(struct wg_arena *a, const struct wg_counts *r, enum wg_counter what,
                        enum wg_counter ideal) {
    uint64_t n = r->v[WG_C_requests];
    if (!n) return "";
    return wg_arena_printf(a, "%s (%s)", wg_figure_rough(a, r->v[what], n),
                           wg_figure_rough(a, r->v[ideal], n));
}

static enum wg_ink judged(const struct wg_counts *r, enum wg_counter what, enum wg_counter ideal) {
    return r->v[what] * 4 > r->v[ideal] * 5 ? WG_INK_BAD : WG_INK_PLAIN;
}

static void cell(const struct wg_text *t, enum wg_ink ink, int width, const char *text) {
    int pad = width - wg_columns(text);
    wg_paint(&t->paint, WG_INK_PLAIN, "%*s", pad > 0 ? pad : 0, "");
    wg_paint(&t->paint, ink, "%s", text);
}

static int gutter_width(const struct columns *c) {
    return 2 + HEAT + SHARE + INSTRUCTIONS + LANES + (c->sectors ? SECTORS : 0) + (c->waves ? WAVES : 0) +
           LINE + 2;
}

static void head(const struct wg_text *t, const struct columns *c, const char *file, const char *note) {
    int left = t->paint.width - gutter_width(c);
    wg_paint(&t->paint, WG_INK_FAINT, "  heat %*s%*s%*s", SHARE - 1,
             c->heat == WG_HEAT_MEMORY ? "share" : "issue", INSTRUCTIONS, "instr.", LANES, "lanes");
    if (c->sectors) wg_paint(&t->paint, WG_INK_FAINT, "%*s", SECTORS, "sectors");
    if (c->waves) wg_paint(&t->paint, WG_INK_FAINT, "%*s", WAVES, "waves");
    wg_paint(&t->paint, WG_INK_FAINT, "%*s  ", LINE, "line");
    wg_paint(&t->paint, WG_INK_BOLD, "%.*s", (int)wg_fitting(file, left), file);
    wg_paint(&t->paint, WG_INK_FAINT, "%s\n", note);
}

static void instruction(const struct wg_text *t, const struct columns *c, const struct wg_code_row *r) {
    struct wg_arena *a = t->arena;
    const struct wg_counts none = {0}, *v = &r->access;
    uint64_t n = r->instructions;
    wg_paint(&t->paint, WG_INK_PLAIN, "%*s", 2 + HEAT + SHARE, "");
    cell(t, WG_INK_FAINT, INSTRUCTIONS, n ? wg_figure_short(a, n) : "0");
    cell(t, r->threads < n * 31 ? WG_INK_MARK : WG_INK_FAINT, LANES,
         n ? wg_figure_rough(a, r->threads, n) : "");
    const struct wg_counts *sectors = v->v[WG_C_sectors] ? v : &none,
                           *waves = v->v[WG_C_wavefronts] ? v : &none;
    if (c->sectors)
        cell(t, judged(sectors, WG_C_sectors, WG_C_ideal_sectors), SECTORS,
             each(a, sectors, WG_C_sectors, WG_C_ideal_sectors));
    if (c->waves)
        cell(t, judged(waves, WG_C_wavefronts, WG_C_ideal_wavefronts), WAVES,
             each(a, waves, WG_C_wavefronts, WG_C_ideal_wavefronts));
    cell(t, WG_INK_FAINT, LINE, wg_arena_printf(a, ":%u", r->ptx_line));
    const char *joined = r->joined > 1 ? wg_arena_printf(a, "  // combines %u", r->joined) : "";
    const char *text = wg_arena_printf(a, "  %s%s", r->text, joined);
    int left = t->paint.width - gutter_width(c);
    wg_paint(&t->paint, WG_INK_FAINT, "  %.*s", (int)wg_fitting(text, left), text);
    wg_paint_end_line(&t->paint);
}

static void machine_instruction(const struct wg_text *t, const struct columns *c,
                                const struct wg_machine_row *r) {
    struct wg_arena *a = t->arena;
    int left = t->paint.width - gutter_width(c),
        skipped = gutter_width(c) - 2 - HEAT - SHARE - INSTRUCTIONS - LINE - 2;
    const char *text = wg_arena_printf(a, "  %s%s", r->text, r->spill ? "  (spill)" : "");
    wg_paint(&t->paint, WG_INK_PLAIN, "%*s", 2 + HEAT + SHARE, "");
    cell(t, WG_INK_FAINT, INSTRUCTIONS, r->instructions ? wg_figure_short(a, r->instructions) : "0");
    wg_paint(&t->paint, WG_INK_PLAIN, "%*s", skipped, "");
    cell(t, WG_INK_FAINT, LINE, r->ptx_line ? wg_arena_printf(a, ":%u", r->ptx_line) : "");
    wg_paint(&t->paint, WG_INK_FAINT, "  %.*s", (int)wg_fitting(text, left), text);
    wg_paint_end_line(&t->paint);
}

static void code_below(const struct wg_text *t, const struct columns *c, const struct wg_summary *s,
                       const struct wg_line_summary *l) {
    struct wg_code_rows rows = {0};
    struct wg_machine_rows machine = {0};
    if (t->ptx) rows = wg_code_of(t->arena, s, l);
    if (t->sass) machine = wg_machine_of(t->arena, s, l);
    for (uint32_t i = 0; i < rows.n; i++) instruction(t, c, &rows.v[i]);
    for (uint32_t i = 0; i < machine.n; i++) machine_instruction(t, c, &machine.v[i]);
}

/* `l` is NULL for a line that did nothing. */
static void row(const struct wg_text *t, const struct columns *c, const struct wg_summary *s,
                const struct wg_line_summary *l, uint32_t line, const char *source) {
    struct wg_arena *a = t->arena;
    struct wg_line_figures f = l ? wg_line_figures(l) : (struct wg_line_figures){0};
    uint64_t instructions = f.run.v[WG_C_instructions], threads = f.run.v[WG_C_threads];
    uint64_t all = wg_heat_whole(s, c->heat), part = c->heat == WG_HEAT_MEMORY ? f.work : instructions;
    wg_paint(&t->paint, WG_INK_PLAIN, "  ");
    wg_paint_bar(&t->paint, HEAT, part, all);
    cell(t, part * 4 > all ? WG_INK_BAD : WG_INK_PLAIN, SHARE, part ? wg_figure_percent(a, part, all) : "");
    cell(t, WG_INK_FAINT, INSTRUCTIONS, instructions ? wg_figure_short(a, instructions) : "");
    bool apart = threads < instructions * 31;
    cell(t, apart ? WG_INK_MARK : WG_INK_FAINT, LANES,
         instructions ? wg_figure_rough(a, threads, instructions) : "");
    if (c->sectors)
        cell(t, judged(&f.moving, WG_C_sectors, WG_C_ideal_sectors), SECTORS,
             each(a, &f.moving, WG_C_sectors, WG_C_ideal_sectors));
    if (c->waves)
        cell(t, judged(&f.turning, WG_C_wavefronts, WG_C_ideal_wavefronts), WAVES,
             each(a, &f.turning, WG_C_wavefronts, WG_C_ideal_wavefronts));
    wg_paint(&t->paint, WG_INK_FAINT, "%*u  ", LINE, line);
    int left = t->paint.width - gutter_width(c);
    wg_paint(&t->paint, l ? WG_INK_PLAIN : WG_INK_FAINT, "%.*s", (int)wg_fitting(source, left), source);
    wg_paint_end_line(&t->paint);
    if (l) code_below(t, c, s, l);
}

static void listing(const struct wg_text *t, const struct columns *c, const struct wg_summary *s,
                    uint32_t from, uint32_t to) {
    const char *name = s->lines[from].file;
    struct wg_source_file *f = wg_source_find(t->sources, name);
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
    head(t, c, wg_source_base(name), f->found ? "" : "  (source not found)");
    uint32_t shown = 0; /* up to this line */
    for (uint32_t i = from; i < to; i++) {
        uint32_t line = s->lines[i].line;
        uint32_t first = line > CONTEXT ? line - CONTEXT : 1, last = line + CONTEXT;
        if (t->all_lines && i == from) first = 1;
        if (t->all_lines) last = i + 1 < to ? s->lines[i + 1].line - 1 : f->lines;
        if (i + 1 < to && last >= s->lines[i + 1].line) last = s->lines[i + 1].line - 1;
        if (!f->found) first = last = line;
        if (first <= shown) first = shown + 1;
        if (shown && first > shown + 1) {
            if (first == shown + 2 && f->found)
                first--;
            else
                wg_paint(&t->paint, WG_INK_FAINT, "%*s\n", gutter_width(c), "...");
        }
        for (uint32_t n = first; n <= last; n++) {
            const char *text = wg_source_line(f, n);
            if (!text && n != line) continue;
            row(t, c, s, n == line ? &s->lines[i] : NULL, n, text ? text : "");
        }
        shown = last;
    }
}

static void ptx_listing(const struct wg_text *t, const struct columns *c, const struct wg_summary *s) {
    wg_paint_wrapped(
        &t->paint, 2, WG_INK_MARK,
        "This kernel has no line information, so these are PTX lines. Compile the program with \"warpglass "
        "cc\" or \"nvcc -lineinfo\" to see its source.");
    wg_paint(&t->paint, WG_INK_PLAIN, "\n");
    head(t, c, s->kernel->name, " (PTX)");
    for (uint32_t i = 0; i < s->line_count; i++) {
        uint32_t line = s->lines[i].line;
        row(t, c, s, &s->lines[i], line, wg_listing_ptx(t->sources, s, line));
    }
}

void wg_text_source(const struct wg_text *t, const struct wg_summary *s) {
    struct columns c = {.heat = wg_heat_of(s)};
    for (int i = 0; i < WG_CLASSES; i++) {
        enum wg_class_memory m = wg_class_infos[i].memory;
        if (!s->classes.of[i].v[WG_C_requests]) continue;
        c.sectors |= m == WG_MEMORY_GLOBAL || m == WG_MEMORY_LOCAL;
        c.waves |= m == WG_MEMORY_SHARED || m == WG_MEMORY_REMOTE;
    }
    if (t->sass && !s->kernel->machine_count)
        wg_paint_wrapped(
            &t->paint, 2, WG_INK_MARK,
            "This kernel's machine code is not known: that needs ptxas and nvdisasm when the program runs, "
            "and counts that fit the code. Reports in JSON have it where they were written with --sass.");
    for (struct wg_listing l = {0}; wg_listing_next(s, &l);) {
        if (!l.file) ptx_listing(t, &c, s);
        if (l.file && (!wg_source_is_system(l.file) || t->all_lines)) listing(t, &c, s, l.from, l.to);
    }
}
