/* See findings_text.h. */
#include "report/findings_text.h"
#include "report/finding_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct view {
    struct wg_paint paint;
    struct wg_arena *arena;
    struct wg_sources *sources;
    bool timed_out;
};

enum { INDENT = 2, GUTTER = 6 /* of a line's number */, AROUND = 16 /* columns seen behind a mark */ };

/* ---- Source -----------------------------------------------------------------------------------------------
 */

/* A line of source and a mark below; of a long line what is around the mark. `said`: what happens there. */
static void show_line(const struct view *v, const char *file, uint32_t line, uint32_t column,
                      const char *said) {
    struct wg_source_file *f = wg_source_find(v->sources, file);
    const char *text = wg_source_line(f, line);
    if (!text) {
        if (said) wg_paint_wrapped(&v->paint, INDENT + 2, WG_INK_PLAIN, said);
        return;
    }
    int room = v->paint.width - INDENT - GUTTER - 3, at = column ? wg_source_column(f, line, column) : 0;
    size_t blanks = strspn(text, " ");
    if ((int)blanks > at) blanks = (size_t)at;
    text += blanks;
    at -= (int)blanks;
    const char *cut = "";
    int columns = at - room + AROUND, excess = wg_columns(text) - room;
    if (columns > excess) columns = excess;
    if (columns > 0) {
        cut = "...";
        text += wg_fitting(text, columns + 3);
        at -= columns;
        room -= 3;
    }
    wg_paint(&v->paint, WG_INK_FAINT, "%*s%*u | ", INDENT, "", GUTTER, line);
    wg_paint(&v->paint, WG_INK_FAINT, "%s", cut);
    wg_paint(&v->paint, WG_INK_PLAIN, "%.*s\n", (int)wg_fitting(text, room), text);
    if (column) {
        wg_paint(&v->paint, WG_INK_FAINT, "%*s%*s | ", INDENT, "", GUTTER, "");
        wg_paint(&v->paint, WG_INK_BAD, "%*s^", at, "");
        bool fits = said && at + 2 + wg_columns(said) <= room;
        wg_paint(&v->paint, WG_INK_PLAIN, "%s%s\n", fits ? " " : "", fits ? said : "");
        if (fits) return;
    }
    if (said) wg_paint_wrapped(&v->paint, INDENT + GUTTER + 3, WG_INK_PLAIN, said);
}

/* The frames outside of the one that is shown: who called it, and has its code inside. Inside of it are
 * headers' functions, of which the innermost is named. */
static void show_callers(const struct view *v, const struct wg_frame *frames, uint32_t n,
                         const struct wg_frame *shown) {
    const struct wg_frame *last = frames + n - 1;
    if (shown != frames && frames->function && wg_source_is_system(frames->file))
        wg_paint_wrapped(&v->paint, INDENT + 2, WG_INK_FAINT,
                         wg_arena_printf(v->arena, "in %s, called from %s:%u", frames->function,
                                         wg_source_base(frames->file), frames->line));
    for (const struct wg_frame *f = shown + 1; f <= last; f++) {
        uint32_t within = 0; /* a library's own calls say little; its kernel is named */
        while (f + within < last && wg_source_is_system(f[within].file)) within++;
        if (within > 1) {
            wg_paint_wrapped(&v->paint, INDENT + 2, WG_INK_FAINT,
                             wg_arena_printf(v->arena, "called through %u functions in headers", within));
            f += within;
        }
        wg_paint_wrapped(&v->paint, INDENT + 2, WG_INK_FAINT,
                         wg_arena_printf(v->arena, "called at %s:%u:%u%s%s", f->file, f->line, f->column,
                                         f->function ? " in " : "",
                                         f->function ? wg_found_function(v->arena, f->function) : ""));
    }
}

/* A place's name, and what is said of it on the same line or, where that is too narrow, on the next. */
static void show_name(const struct view *v, const char *name, const char *rest) {
    wg_paint(&v->paint, WG_INK_PLAIN, "%*s", INDENT, "");
    wg_paint(&v->paint, WG_INK_BOLD, "%s", name);
    if (INDENT + wg_columns(name) + 1 + wg_columns(rest) <= v->paint.width) {
        wg_paint(&v->paint, WG_INK_PLAIN, "%s%s\n", *rest ? " " : "", rest);
    } else {
        wg_paint(&v->paint, WG_INK_PLAIN, "\n");
        wg_paint_wrapped(&v->paint, INDENT + 2, WG_INK_PLAIN, rest);
    }
}

static void show_frames(const struct view *v, const struct wg_frame *frames, uint32_t n, const char *tail,
                        const char *said) {
    const struct wg_frame *f = wg_found_frame(frames, n);
    const char *function =
        f->function ? wg_arena_printf(v->arena, "in %s", wg_found_function(v->arena, f->function)) : "";
    const char *column = f->column ? wg_arena_printf(v->arena, ":%u", f->column) : "";
    show_name(v, wg_arena_printf(v->arena, "%s:%u%s", f->file, f->line, column),
              wg_arena_printf(v->arena, "%s%s%s", function, *function && *tail ? ", " : "", tail));
    show_line(v, f->file, f->line, f->column, said);
    show_callers(v, frames, n, f);
}

/* ---- A finding --------------------------------------------------------------------------------------------
 */

/* Where it is about a place that is wrong, for whoever prints pointers or has a debugger: files have it in a
 * field of its own, since it is another one in other processes. */
static const char *raw_address(const struct wg_found *f, const struct wg_found_place *p) {
    const struct wg_found_memory *m = &f->memory;
    bool wrong = wg_finding_info(f->kind)->check == WG_CHECK_memory && p == &f->here;
    return wrong && m->space && !strcmp(m->space, "global") ? m->address : NULL;
}

/* "a write of 4 bytes at 0x760000200190 by block (0,0,0), thread (3,0,0), value 0x7" */
static const char *deed(const struct view *v, const struct wg_found *f, const struct wg_found_place *p) {
    const char *who = wg_found_who(v->arena, p), *address = raw_address(f, p);
    return wg_arena_printf(v->arena, "%s%s%s%s%s%s%s", wg_found_act(v->arena, p), address ? " at " : "",
                           address ? address : "", who ? " by " : "", who ? who : "",
                           p->value ? ", value " : "", p->value ? p->value : "");
}

/* A kernel that another one launched has that one's line, not the host's. */
static void show_launch(const struct view *v, const char *launcher, const char *at) {
    if (launcher || at)
        wg_paint_wrapped(&v->paint, INDENT + 2, WG_INK_FAINT,
                         launcher ? wg_arena_printf(v->arena, "launched by %s", launcher)
                                  : wg_arena_printf(v->arena, "launched at %s", at));
}

static void show_place(const struct view *v, const struct wg_found *f, const struct wg_found_place *p,
                       const char *tail) {
    const char *asked = p->kernel ? wg_found_code_name(v->arena, &p->asked) : NULL;
    if (p->frame_count) {
        show_frames(v, p->frames, p->frame_count, tail, deed(v, f, p));
        show_launch(v, p->launcher, asked);
        return;
    }
    show_name(v,
              p->ptx_line   ? wg_arena_printf(v->arena, "PTX line %u%s", p->ptx_line, *tail ? "," : "")
              : p->asked_by ? p->asked_by
                            : f->kernel,
              tail);
    wg_paint_wrapped(&v->paint, INDENT + 2, WG_INK_PLAIN, deed(v, f, p));
}

/* Where the host program called what it is about; a leak has the call that made it. */
static void show_call(const struct view *v, const struct wg_found *f) {
    const struct wg_found_code *c = f->host.object ? &f->host : &f->memory.made_at;
    bool own = f->here.op || f->here.access;
    const char *call = own ? wg_found_act(v->arena, &f->here) : f->memory.made_by;
    const char *address = f->kind == WG_F_invalid_free ? raw_address(f, &f->here) : NULL;
    if (address) call = wg_arena_printf(v->arena, "%s of %s", call, address);
    const char *name = wg_found_code_name(v->arena, c);
    const struct wg_frame *at = wg_found_frame(c->frames, c->frame_count);
    if (at) /* without CUDA's own wrappers, which are inlined there */
        show_frames(v, at, c->frame_count - (uint32_t)(at - c->frames), "", call);
    else if (name || call)
        wg_paint_wrapped(&v->paint, INDENT, WG_INK_BOLD,
                         wg_arena_printf(v->arena, "%s%s%s", call ? call : "", name && call ? " at " : "",
                                         name ? name : ""));
}

static const char *other_tail(const struct view *v, const struct wg_found *f) {
    if (f->other.kernel)
        return wg_arena_printf(v->arena, "launch %" PRIu64 "%s, earlier", f->other.launch, f->other.on);
    if (f->kind == WG_F_order_dependent) return "in order";
    return wg_finding_info(f->kind)->check == WG_CHECK_race ? "earlier" : "";
}

static void show_finding(const struct view *v, const struct wg_found *f) {
    const struct wg_finding_info *info = wg_finding_info(f->kind);
    const char *memory = wg_found_memory_sentence(v->arena, f);
    wg_paint(&v->paint, f->benign ? WG_INK_MARK : WG_INK_BAD, "%s", info->name);
    wg_paint(&v->paint, WG_INK_BOLD, ": %s\n", info->title);
    if (f->kernel) {
        uint32_t n = f->here.frame_count; /* the kernel is the outermost function, and named there */
        const char *outer = n ? f->here.frames[n - 1].function : NULL;
        bool named = n ? outer && !strcmp(outer, f->kernel) : !f->here.ptx_line && !f->here.asked_by;
        const char *kernel = named ? "" : wg_arena_printf(v->arena, "kernel %s, ", f->kernel);
        show_place(v, f, &f->here,
                   wg_arena_printf(v->arena, "%slaunch %" PRIu64 "%s", kernel, f->launch, f->on));
        bool known = wg_found_frame(f->launched.frames, f->launched.frame_count);
        if (!f->here.kernel)
            show_launch(v, f->launcher, known ? wg_found_code_name(v->arena, &f->launched) : NULL);
    } else {
        show_call(v, f);
    }
    if (f->has_other) show_place(v, f, &f->other, other_tail(v, f));
    bool nowhere =
        f->kernel && raw_address(f, &f->here) && !f->memory.has_allocation; /* the address says it all */
    if (memory && !nowhere) wg_paint_wrapped(&v->paint, INDENT, WG_INK_PLAIN, memory);
    if (f->benign)
        wg_paint_wrapped(
            &v->paint, INDENT, WG_INK_MARK,
            "Both write the same value, so this is harmless as it stands and is not counted as a finding.");
    if (f->detail) wg_paint_wrapped(&v->paint, INDENT, WG_INK_PLAIN, wg_found_detail(v->arena, f));
    const char *more = wg_found_more(v->arena, f);
    if (more) wg_paint_wrapped(&v->paint, INDENT, WG_INK_FAINT, more);
    const char *pairs = wg_found_pairs(v->arena, f);
    if (pairs) wg_paint_wrapped(&v->paint, INDENT, WG_INK_PLAIN, pairs);
    wg_paint(&v->paint, WG_INK_PLAIN, "\n");
}

/* ---- What was looked at -----------------------------------------------------------------------------------
 */

static void show_ending(const struct view *v, const struct wg_findings_file *f) {
    const char *how = NULL;
    if (!strcmp(f->ended, "running"))
        how = "The program ended abruptly (_exit, exec or SIGKILL): its last actions may be missing.";
    else if (!strcmp(f->ended, "signal") && v->timed_out)
        how = "The program was stopped by --timeout: the rest of it was not checked.";
    else if (!strcmp(f->ended, "signal"))
        how = wg_arena_printf(
            v->arena, "The program was terminated by signal %" PRId64 ": the rest of it was not checked.",
            f->status);
    else if (!strcmp(f->ended, "fault"))
        how = "A kernel failed, and what follows it did not run: there may be more findings once it is "
              "fixed.";
    if (how) wg_paint_wrapped(&v->paint, 0, WG_INK_MARK, how);
    for (uint32_t i = 0; i < f->note_count; i++)
        wg_paint_wrapped(&v->paint, 0, WG_INK_MARK, wg_arena_printf(v->arena, "Note: %s.", f->notes[i]));
}

static const char *looked_at(const struct view *v, const struct wg_findings_file *f) {
    uint64_t launches = 0, threads = 0, accesses = 0;
    for (uint32_t i = 0; i < f->kernel_count; i++) {
        launches += f->kernels[i].launches;
        threads += f->kernels[i].threads;
        accesses += f->kernels[i].accesses;
    }
    if (!launches && f->chosen) return "no kernel, as none matches --kernel";
    if (!launches) return "the host program, which launched no kernel";
    return wg_arena_printf(v->arena, "%s, %s, %s, %s",
                           wg_counted(v->arena, f->kernel_count, "kernel", "kernels"),
                           wg_counted(v->arena, launches, "launch", "launches"),
                           wg_counted(v->arena, threads, "thread", "threads"),
                           wg_counted(v->arena, accesses, "access in the code", "accesses in the code"));
}

static void show_unused(const struct view *v, const struct wg_suppressions *s) {
    for (uint32_t i = 0; i < s->all.n; i++)
        if (!s->all.v[i].used)
            wg_paint_wrapped(&v->paint, 0, WG_INK_MARK,
                             wg_arena_printf(v->arena, "%s: nothing was found that '%s' would suppress.",
                                             s->all.v[i].at, s->all.v[i].text));
}

static void show_summary(const struct view *v, const struct wg_findings_file *f, uint32_t hidden) {
    uint32_t counting = wg_findings_counting(f), suppressed = 0, benign = 0;
    for (uint32_t i = 0; i < f->found_count; i++) {
        suppressed += f->found[i].suppressed != NULL;
        benign += !f->found[i].suppressed && f->found[i].benign;
    }
    if (counting)
        wg_paint(&v->paint, WG_INK_BAD, "%s", wg_counted(v->arena, counting, "finding", "findings"));
    else if (!strcmp(f->ended, "exit"))
        wg_paint(&v->paint, WG_INK_GOOD, "clean");
    else
        wg_paint(&v->paint, WG_INK_MARK, "nothing was found until then");
    struct wg_strbuf rest = {0};
    if (benign) wg_strbuf_printf(&rest, ", %s", wg_counted(v->arena, benign, "benign race", "benign races"));
    if (suppressed) wg_strbuf_printf(&rest, ", %u suppressed", suppressed);
    if (hidden) wg_strbuf_printf(&rest, "; %u not shown (--max-findings)", hidden);
    wg_paint(&v->paint, WG_INK_PLAIN, "%s\n", rest.s ? rest.s : "");
    wg_strbuf_free(&rest);
    wg_paint_wrapped(
        &v->paint, 0, WG_INK_FAINT,
        wg_arena_printf(v->arena, "Checked %s: %s.", wg_findings_checks_named(f), looked_at(v, f)));
}

void wg_findings_text(struct wg_strbuf *out, const struct wg_findings_file *f,
                      const struct wg_suppressions *suppressions, struct wg_sources *sources,
                      const struct wg_findings_view *o) {
    struct view v = {.paint = {.out = out, .width = o->width, .colour = o->colour, .plain = o->plain},
                     .arena = f->arena,
                     .sources = sources,
                     .timed_out = o->timed_out};
    uint32_t shown = 0, hidden = 0;
    for (uint32_t i = 0; i < f->found_count; i++) {
        if (f->found[i].suppressed) continue;
        if (shown < o->most) {
            show_finding(&v, &f->found[i]);
            shown++;
        } else {
            hidden++;
        }
    }
    show_ending(&v, f);
    show_unused(&v, suppressions);
    show_summary(&v, f, hidden);
}

void wg_findings_text_one(struct wg_strbuf *out, const struct wg_findings_file *f, const struct wg_found *x,
                          struct wg_sources *sources, int width) {
    struct view v = {.paint = {.out = out, .width = width}, .arena = f->arena, .sources = sources};
    show_finding(&v, x);
}
