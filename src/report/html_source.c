/* The source of a kernel on the page, with the heat and the figures of each line; a line expands to its PTX with the
 * counts of each instruction, and to its accesses, with pictures of the first and the worst of each. See html.h. */
#include "report/code.h"
#include "report/figure.h"
#include "report/listing.h"
#include "report/html.h"
#include "report/picture.h"
#include <string.h>

enum { CONTEXT = 2, COLUMNS = 7 };

static bool is_memory(const struct wg_site *s) {
    enum wg_class_memory m = wg_class_infos[s->class].memory;
    return m != WG_MEMORY_NONE && m != WG_MEMORY_CONSTANT;
}

/* Does the instruction lie in this line, or in a function that was called from it and inlined? */
static bool lies_in(const struct wg_site *s, const struct wg_line_summary *l) {
    if (!l->file) return !s->frame_count && s->ptx_line == l->line;
    for (uint32_t i = 0; i < s->frame_count; i++)
        if (s->frames[i].line == l->line && !strcmp(s->frames[i].file, l->file)) return true;
    return false;
}

static bool has_access(const struct wg_summary *s, const struct wg_line_summary *l) {
    for (uint32_t i = 0; i < s->kernel->site_count; i++)
        if (is_memory(&s->kernel->sites[i]) && s->sites[i].counts.v[WG_C_requests] &&
            lies_in(&s->kernel->sites[i], l))
            return true;
    return false;
}

/* ---- One access -------------------------------------------------------------------------------------------
 */

static void figure(struct wg_page *p, const char *which, const struct wg_recorded *access,
                   const struct wg_site *site) {
    wg_strbuf_printf(p->out, "<figure><figcaption>%s access: warp %u of block (%u, %u, %u)</figcaption>",
                     which, access->warp, access->block[0], access->block[1], access->block[2]);
    wg_picture_html(p->out, access, site);
    wg_strbuf_puts(p->out, "</figure>");
}

static void access_figures(struct wg_page *p, const struct wg_site_summary *s) {
    struct wg_arena *a = p->arena;
    const uint64_t *v = s->counts.v;
    bool banks = wg_picture_has_banks(s->site);
    enum wg_counter what = banks ? WG_C_wavefronts : WG_C_sectors,
                    ideal = banks ? WG_C_ideal_wavefronts : WG_C_ideal_sectors;
    wg_strbuf_printf(p->out, "<div>%s requests of %u bytes a lane, %s %s: %s each, %s at the least.",
                     wg_figure(a, v[WG_C_requests]), s->site->bytes, wg_figure(a, v[what]),
                     banks ? "wavefronts" : "sectors", wg_figure_ratio(a, v[what], v[WG_C_requests]),
                     wg_figure_ratio(a, v[ideal], v[WG_C_requests]));
    if (s->site->joined > 1)
        wg_strbuf_printf(p->out, " The assembler combines %u instructions into one here.", s->site->joined);
    wg_strbuf_puts(p->out, "</div>");
}

static void access_detail(struct wg_page *p, const struct wg_site_summary *s) {
    wg_strbuf_printf(p->out, "<div class=\"access\"><h5>%s", wg_class_infos[s->site->class].label);
    if (s->site->what) {
        wg_strbuf_puts(p->out, " of <code>");
        wg_html_text(p->out, s->site->what);
        wg_strbuf_puts(p->out, "</code>");
    }
    wg_strbuf_puts(p->out, " <span class=\"faint mono\">");
    wg_html_text(p->out, s->site->op);
    wg_strbuf_puts(p->out, "</span></h5>");
    access_figures(p, s);
    wg_strbuf_puts(p->out, "<div class=\"pictures\">");
    bool same = s->first && s->worst && s->first->lanes == s->worst->lanes &&
                !memcmp(s->first->address, s->worst->address, sizeof s->first->address);
    if (s->first) figure(p, "First", s->first, s->site);
    if (s->worst && !same) figure(p, "Worst", s->worst, s->site);
    wg_strbuf_puts(p->out, "</div></div>");
}

/* ---- The PTX of a line ---- */

enum { PTX_ROW = 48 }; /* bytes of a row beside its text, about */

/* Whether there is room on the page for the kernel's PTX, which then is taken. */
static bool takes_ptx(struct wg_page *p, const struct wg_profile_kernel *k) {
    size_t size = 0;
    for (uint32_t i = 0; i < k->code_count; i++)
        size += PTX_ROW + (k->code[i].text ? strlen(k->code[i].text) : 0);
    bool fits = size && size <= p->ptx_room;
    if (fits) p->ptx_room -= size;
    return fits;
}

static const char *each(struct wg_arena *a, const struct wg_counts *c, enum wg_counter what,
                        enum wg_counter ideal) {
    uint64_t n = c->v[WG_C_requests];
    if (!n || !c->v[what]) return "";
    return wg_arena_printf(a, "%s (%s)", wg_figure_ratio(a, c->v[what], n),
                           wg_figure_ratio(a, c->v[ideal], n));
}

/* As text in columns: a page has thousands of these rows. */
static void ptx_rows(struct wg_page *p, const struct wg_code_rows *rows) {
    bool sectors = false, waves = false;
    for (uint32_t i = 0; i < rows->n; i++) {
        sectors |= rows->v[i].access.v[WG_C_sectors] > 0;
        waves |= rows->v[i].access.v[WG_C_wavefronts] > 0;
    }
    wg_strbuf_printf(p->out, "<pre class=\"ptx\"><b> instr. lanes%s%s  line  PTX</b>\n",
                     sectors ? "       sectors" : "", waves ? "         waves" : "");
    for (uint32_t i = 0; i < rows->n; i++) {
        const struct wg_code_row *r = &rows->v[i];
        struct wg_arena *a = p->arena;
        uint64_t n = r->instructions;
        wg_strbuf_printf(p->out, "%7s%6s", wg_figure_short(a, n), n ? wg_figure_ratio(a, r->threads, n) : "");
        if (sectors) wg_strbuf_printf(p->out, "%14s", each(a, &r->access, WG_C_sectors, WG_C_ideal_sectors));
        if (waves)
            wg_strbuf_printf(p->out, "%14s", each(a, &r->access, WG_C_wavefronts, WG_C_ideal_wavefronts));
        wg_strbuf_printf(p->out, "%6u  ", r->ptx_line);
        wg_html_text(p->out, r->text);
        if (r->joined > 1) wg_strbuf_printf(p->out, " <i>combines %u</i>", r->joined);
        wg_strbuf_puts(p->out, "\n");
    }
    wg_strbuf_puts(p->out, "</pre>");
}

static void machine_rows(struct wg_page *p, const struct wg_profile_kernel *k,
                         const struct wg_machine_rows *rows) {
    wg_strbuf_puts(p->out, "<pre class=\"ptx\"><b> instr.   PTX  ");
    wg_html_text(p->out, wg_arena_printf(p->arena, "machine code (SASS) of %s", k->assembler));
    wg_strbuf_puts(p->out, "</b>\n");
    for (uint32_t i = 0; i < rows->n; i++) {
        const struct wg_machine_row *r = &rows->v[i];
        wg_strbuf_printf(p->out, "%7s%6u  ", wg_figure_short(p->arena, r->instructions), r->ptx_line);
        wg_html_text(p->out, r->text);
        wg_strbuf_puts(p->out, r->spill ? "  (spill)\n" : "\n");
    }
    wg_strbuf_puts(p->out, "</pre>");
}

static void details(struct wg_page *p, const struct wg_summary *s, const struct wg_line_summary *l,
                    const struct wg_code_rows *rows, const struct wg_machine_rows *machine) {
    wg_strbuf_printf(p->out, "<tr class=\"detail\" hidden><td colspan=\"%d\"><div class=\"inner\">", COLUMNS);
    if (rows->n) ptx_rows(p, rows);
    if (machine->n) machine_rows(p, s->kernel, machine);
    for (uint32_t i = 0; i < s->kernel->site_count; i++)
        if (is_memory(&s->kernel->sites[i]) && s->sites[i].counts.v[WG_C_requests] &&
            lies_in(&s->kernel->sites[i], l))
            access_detail(p, &s->sites[i]);
    wg_strbuf_puts(p->out, "</div>\n");
}

/* ---- Lines ------------------------------------------------------------------------------------------------
 */

static void each_cell(struct wg_page *p, const struct wg_counts *c, enum wg_counter what,
                      enum wg_counter ideal) {
    uint64_t n = c->v[WG_C_requests];
    if (!n) {
        wg_strbuf_puts(p->out, "<td>");
        return;
    }
    wg_strbuf_printf(p->out, "<td%s>%s (%s)", c->v[what] * 4 > c->v[ideal] * 5 ? " class=\"bad\"" : "",
                     wg_figure_ratio(p->arena, c->v[what], n), wg_figure_ratio(p->arena, c->v[ideal], n));
}

/* A line's part of what binds the kernel. */
static uint64_t heat_of(const struct wg_line_summary *l, enum wg_heat heat) {
    struct wg_line_figures f = wg_line_figures(l);
    return heat == WG_HEAT_MEMORY ? f.work : f.run.v[WG_C_instructions];
}

static void heat_cell(struct wg_page *p, uint64_t work, uint64_t all) {
    if (!work) {
        wg_strbuf_puts(p->out, "<td>");
        return;
    }
    wg_strbuf_printf(p->out, "<td class=\"heat\" style=\"--share:%.1f%%\">%s",
                     100 * (double)work / (double)all, wg_figure_percent(p->arena, work, all));
}

static void line_cells(struct wg_page *p, const struct wg_summary *s, const struct wg_line_summary *l) {
    struct wg_line_figures f = wg_line_figures(l);
    heat_cell(p, heat_of(l, p->heat), wg_heat_whole(s, p->heat));
    uint64_t n = f.run.v[WG_C_instructions];
    wg_strbuf_printf(p->out, "<td>%s<td>%s", n ? wg_figure_short(p->arena, n) : "",
                     n ? wg_figure_ratio(p->arena, f.run.v[WG_C_threads], n) : "");
    each_cell(p, &f.moving, WG_C_sectors, WG_C_ideal_sectors);
    each_cell(p, &f.turning, WG_C_wavefronts, WG_C_ideal_wavefronts);
}

static void row(struct wg_page *p, const struct wg_summary *s, const struct wg_line_summary *l,
                const char *file, uint32_t line, const char *text) {
    if (!l) {
        wg_strbuf_printf(p->out, "<tr class=\"quiet\"><td><td><td><td><td><td>%u<td>", line);
        wg_html_text(p->out, text);
        wg_strbuf_puts(p->out, "\n");
        return;
    }
    uint64_t work = heat_of(l, p->heat), all = wg_heat_whole(s, p->heat);
    struct wg_code_rows rows = {0};
    struct wg_machine_rows machine = {0};
    if (p->ptx) rows = wg_code_of(p->arena, s, l);
    if (p->sass) machine = wg_machine_of(p->arena, s, l);
    bool open = rows.n || machine.n || has_access(s, l);
    wg_strbuf_printf(p->out, "<tr id=\"k%u-", p->kernel);
    wg_html_text(p->out, wg_source_base(file));
    wg_strbuf_printf(p->out, "-%u\"", line);
    if (work * 10 > all)
        wg_strbuf_printf(p->out, " class=\"hot\" style=\"--glow:%.3f\"", 0.14 * (double)work / (double)all);
    wg_strbuf_puts(p->out, ">");
    line_cells(p, s, l);
    if (open)
        wg_strbuf_printf(p->out, "<td><button class=\"more\">%u</button><td>", line);
    else
        wg_strbuf_printf(p->out, "<td>%u<td>", line);
    wg_html_text(p->out, text);
    wg_strbuf_puts(p->out, "\n");
    if (open) details(p, s, l, &rows, &machine);
}

static void column_head(struct wg_page *p, const char *name, const char *meaning) {
    wg_strbuf_puts(p->out, "<th scope=\"col\"><span");
    wg_html_tip(p, meaning);
    wg_strbuf_printf(p->out, ">%s</span></th>", name);
}

static void table_head(struct wg_page *p, const struct wg_summary *s) {
    bool sectors = false, waves = false;
    for (int i = 0; i < WG_CLASSES; i++) {
        sectors |= s->classes.of[i].v[WG_C_sectors] > 0;
        waves |= s->classes.of[i].v[WG_C_wavefronts] > 0;
    }
    wg_strbuf_printf(p->out, "<div class=\"scroll\"><table class=\"source%s%s\"><thead><tr>",
                     sectors ? "" : " no-sectors", waves ? "" : " no-waves");
    const char *const heads[][2] = {
        {"heat", p->heat == WG_HEAT_MEMORY
                     ? "the line's share of the kernel's sectors and wavefronts"
                     : "the line's share of the kernel's instructions, which take its time"},
        {"instr.", "warp instructions that the line executed"},
        {"lanes", "average active lanes per instruction"},
        {"sectors", "sectors of an access (of the worst kind if there are several), and the ideal"},
        {"waves", "wavefronts of an access to shared memory, and the ideal"},
        {"line", "choose a line's number to see more of it"}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) column_head(p, heads[i][0], heads[i][1]);
    wg_strbuf_puts(p->out, "<th scope=\"col\"></th></tr></thead><tbody>\n");
}

static void listing(struct wg_page *p, const struct wg_summary *s, uint32_t from, uint32_t to) {
    const char *name = s->lines[from].file;
    struct wg_source_file *f = wg_source_find(p->sources, name);
    wg_strbuf_puts(p->out, "<h3>");
    wg_html_text(p->out, wg_source_base(name));
    bool left_out = p->with_ptx && !p->ptx && s->kernel->code_count;
    if (f->found)
        wg_strbuf_printf(p->out,
                         " <span class=\"hint\">Choose a line's number to see its %saccesses.%s</span>",
                         p->ptx ? "PTX and " : "",
                         left_out ? " A page of fewer kernels (--kernel) has its PTX, too." : "");
    else
        wg_strbuf_puts(p->out, " <span class=\"hint\">Its source was not found.</span>");
    if (p->ptx)
        wg_strbuf_puts(
            p->out, " <button type=\"button\" class=\"more all\" aria-expanded=\"false\">All lines</button>");
    wg_strbuf_puts(p->out, "</h3>");
    table_head(p, s);
    uint32_t shown = 0;
    for (uint32_t i = from; i < to; i++) {
        uint32_t line = s->lines[i].line, first = line > CONTEXT ? line - CONTEXT : 1, last = line + CONTEXT;
        if (!f->found) first = last = line;
        if (i + 1 < to && last >= s->lines[i + 1].line) last = s->lines[i + 1].line - 1;
        if (last > f->lines && f->found) last = f->lines;
        if (first <= shown) first = shown + 1;
        if (shown && first > shown + 1)
            wg_strbuf_printf(
                p->out, "<tr class=\"gap\"><td colspan=\"%d\">&middot;&middot;&middot;</td></tr>", COLUMNS);
        for (uint32_t n = first; n <= last; n++) {
            const char *text = wg_source_line(f, n);
            row(p, s, n == line ? &s->lines[i] : NULL, name, n, text ? text : "");
        }
        shown = last;
    }
    wg_strbuf_puts(p->out, "</tbody></table></div>\n");
}

static void ptx_listing(struct wg_page *p, const struct wg_summary *s) {
    wg_strbuf_puts(
        p->out,
        "<h3>PTX</h3><p class=\"faint\">This kernel has no line information, so these are PTX lines. "
        "Compile the program with <code>warpglass cc</code> or <code>nvcc -lineinfo</code> to see its "
        "source.</p>");
    table_head(p, s);
    for (uint32_t i = 0; i < s->line_count; i++) {
        uint32_t line = s->lines[i].line;
        row(p, s, &s->lines[i], "ptx", line, wg_listing_ptx(p->sources, s, line));
    }
    wg_strbuf_puts(p->out, "</tbody></table></div>\n");
}

void wg_html_source(struct wg_page *p, const struct wg_summary *s) {
    p->heat = wg_heat_of(s);
    p->ptx = takes_ptx(p, s->kernel);
    for (struct wg_listing l = {0}; wg_listing_next(s, &l);) {
        if (!l.file) ptx_listing(p, s);
        if (l.file && !wg_source_is_system(l.file)) listing(p, s, l.from, l.to);
    }
}
