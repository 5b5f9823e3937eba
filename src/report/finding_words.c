/* See finding_words.h. */
#include "report/finding_words.h"
#include "report/source.h"
#include "report/summary.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

const char *wg_counted(struct wg_arena *a, uint64_t n, const char *one, const char *many) {
    return wg_arena_printf(a, "%" PRIu64 " %s", n, n == 1 ? one : many);
}

static const char *bytes(struct wg_arena *a, uint64_t n) { return wg_counted(a, n, "byte", "bytes"); }

static const char *article_of(const char *noun) { return strchr("aeiou", *noun) ? "an" : "a"; }

/* ---- Places -----------------------------------------------------------------------------------------------
 */

const char *wg_found_act(struct wg_arena *a, const struct wg_found_place *p) {
    if (p->asked_by && !p->kernel && p->access) {
        const char *verb = strstr(p->asked_by, "Free")   ? "frees"
                           : strstr(p->asked_by, "lloc") ? "allocates"
                           : !strcmp(p->access, "read")  ? "reads"
                                                         : "writes";
        return wg_arena_printf(a, "%s, which %s it", p->asked_by, verb);
    }
    if (!p->access) return p->op ? p->op : "an operation";
    const char *article = article_of(p->access);
    const char *noun = !strcmp(p->access, "atomic") ? "atomic operation" : p->access;
    return p->bytes ? wg_arena_printf(a, "%s %s of %s", article, noun, bytes(a, p->bytes))
                    : wg_arena_printf(a, "%s %s", article, noun);
}

const char *wg_found_who(struct wg_arena *a, const struct wg_found_place *p) {
    const uint32_t *b = p->block, *t = p->thread;
    return p->has_thread
               ? wg_arena_printf(a, "block (%u,%u,%u), thread (%u,%u,%u)", b[0], b[1], b[2], t[0], t[1], t[2])
               : NULL;
}

const char *wg_found_place_name(struct wg_arena *a, const struct wg_found_place *p) {
    const struct wg_frame *f = wg_found_frame(p->frames, p->frame_count);
    if (f && f->column) return wg_arena_printf(a, "%s:%u:%u", f->file, f->line, f->column);
    if (f) return wg_arena_printf(a, "%s:%u", f->file, f->line);
    return p->ptx_line ? wg_arena_printf(a, "PTX line %u", p->ptx_line) : NULL;
}

const char *wg_found_function(struct wg_arena *a, const char *function) {
    enum { LONG = 100 };
    if (strlen(function) <= LONG) return function;
    const char *name = wg_short_name(a, function);
    if (strlen(name) <= LONG) return name;
    char *out = wg_arena_alloc(a, 2 * strlen(name) + 1), *end = out;
    int depth = 0;
    for (const char *s = name; *s; s++) {
        depth -= depth && *s == '>';
        if (!depth) *end++ = *s;
        if (*s == '<' && !depth++) end = stpcpy(end, "...");
    }
    *end = 0;
    return out;
}

const char *wg_found_code_name(struct wg_arena *a, const struct wg_found_code *c) {
    const struct wg_frame *f = wg_found_frame(c->frames, c->frame_count);
    if (!c->object) return NULL;
    if (!f) return wg_arena_printf(a, "%s+0x%" PRIx64, wg_source_base(c->object), c->offset);
    return wg_arena_printf(a, "%s:%u%s%s", f->file, f->line, f->function ? " in " : "",
                           f->function ? wg_found_function(a, f->function) : "");
}

/* ---- Memory -----------------------------------------------------------------------------------------------
 */

static const char *noun(struct wg_arena *a, const struct wg_found_memory *m) {
    const char *size = bytes(a, m->size);
    bool shared = strstr(m->space, "shared") != NULL;
    if (m->name)
        return wg_arena_printf(a, "%s '%s' (%s)",
                               shared                          ? "shared variable"
                               : !strcmp(m->space, "constant") ? "constant"
                                                               : "variable",
                               m->name, size);
    if (shared) return wg_arena_printf(a, "the block's %s of shared memory", size);
    if (!strcmp(m->space, "local")) return wg_arena_printf(a, "the thread's %s of local memory", size);
    if (!strcmp(m->space, "constant")) return wg_arena_printf(a, "%s of constant memory", size);
    if (!strcmp(m->space, "parameter")) return wg_arena_printf(a, "the kernel's %s of parameters", size);
    const char *what = m->what && !strcmp(m->what, "host") ? "page-locked host" : m->what;
    const char *whose = m->device < 0 ? "" : wg_arena_printf(a, " of device %d", m->device);
    return wg_arena_printf(a, "%s of %s memory%s", size, what ? what : "device", whose);
}

/* Where the access lies in the allocation. */
static const char *relation(struct wg_arena *a, const struct wg_found_memory *m, uint32_t width) {
    uint64_t at = (uint64_t)m->offset;
    if (!width) width = 1;
    if (m->offset < 0) return wg_arena_printf(a, "%s before the start of", bytes(a, (uint64_t)-m->offset));
    if (at == m->size) return "just past the end of";
    if (at > m->size) return wg_arena_printf(a, "%s past the end of", bytes(a, at - m->size));
    if (at + width > m->size)
        return wg_arena_printf(a, "at byte %" PRIu64 ", %s past the end of", at,
                               bytes(a, at + width - m->size));
    return wg_arena_printf(a, "at byte %" PRIu64 " of", at);
}

/* So far that the nearest allocation says nothing of it. */
static bool is_far(const struct wg_found_memory *m) {
    enum { NEAR = 16 << 20 };
    return m->offset < -NEAR || (m->offset > 0 && (uint64_t)m->offset > m->size + NEAR);
}

static const char *history(struct wg_arena *a, const struct wg_found *f) {
    const struct wg_found_memory *m = &f->memory;
    const char *made = wg_found_code_name(a, &m->made_at), *freed = wg_found_code_name(a, &m->freed_at);
    const char *done = f->kind == WG_F_read_only ? "made so" : "allocated";
    const char *by = m->made_by ? wg_arena_printf(a, ", %s by %s", done, m->made_by)
                     : made     ? ", allocated"
                                : "";
    return wg_arena_printf(a, "%s%s%s%s%s%s", by, made ? " at " : "", made ? made : "",
                           m->freed ? m->made_by || made ? " and freed" : ", freed" : "",
                           m->freed && freed ? " at " : "", m->freed && freed ? freed : "");
}

const char *wg_found_memory_sentence(struct wg_arena *a, const struct wg_found *f) {
    const struct wg_found_memory *m = &f->memory;
    if (!m->space) return NULL;
    if (!m->has_allocation) {
        if (f->kind == WG_F_host_memory) return NULL; /* another address in every run */
        if (f->kind == WG_F_invalid_free && !f->kernel)
            return wg_arena_printf(a, "This memory was not allocated with CUDA.");
        return wg_arena_printf(a, "The address is %s in %s memory.", m->address, m->space);
    }
    if (f->kernel && is_far(m)) return "The address is far from any allocation.";
    bool meets = wg_finding_info(f->kind)->check == WG_CHECK_race; /* at this byte, wherever it began */
    if (f->kernel)
        return wg_arena_printf(a, "The address is %s %s%s.", relation(a, m, meets ? 0 : f->here.bytes),
                               noun(a, m), history(a, f));
    if (f->kind == WG_F_leak) return wg_arena_printf(a, "Never freed: %s.", noun(a, m));
    if (f->kind == WG_F_invalid_free && m->offset)
        return wg_arena_printf(a, "The address is %s %s%s.", relation(a, m, 0), noun(a, m), history(a, f));
    return wg_arena_printf(a, "The memory: %s%s.", noun(a, m), history(a, f));
}

const char *wg_found_detail(struct wg_arena *a, const struct wg_found *f) {
    size_t n = f->detail ? strlen(f->detail) : 0;
    if (!n) return NULL;
    bool code = strcspn(f->detail, ".(_") < strcspn(f->detail, " "); /* its first word, as grid.sync() */
    return wg_arena_printf(a, "%c%s%s", code ? *f->detail : toupper((unsigned char)*f->detail), f->detail + 1,
                           strchr(".!?", f->detail[n - 1]) ? "" : ".");
}

static const char *accesses(struct wg_arena *a, const struct wg_found_also *x) {
    const char *article = article_of(x->access);
    if (!x->other_access) return wg_arena_printf(a, "by %s %s", article, x->access);
    if (!strcmp(x->access, x->other_access)) return wg_arena_printf(a, "by two %ss", x->access);
    return wg_arena_printf(a, "by %s %s and %s %s", article, x->access, article_of(x->other_access),
                           x->other_access);
}

static void put_times(struct wg_arena *a, struct wg_strbuf *b, bool *first, uint64_t n, const char *how) {
    wg_strbuf_printf(b, "%s%s %s",
                     !*first ? ", "
                     : b->n  ? "; also "
                             : "Also ",
                     wg_counted(a, n, "time", "times"), how);
    *first = false;
}

const char *wg_found_more(struct wg_arena *a, const struct wg_found *f) {
    static const char *const between[WG_FINDING_KINDS] = {
        [WG_F_race_warp] = "between lanes of a warp",
        [WG_F_race_block] = "between warps of a block",
        [WG_F_race_cluster] = "between blocks of a cluster",
        [WG_F_race_grid] = "between blocks of the grid",
    };
    struct wg_strbuf b = {0};
    uint64_t of[WG_FINDING_KINDS] = {0}, own = f->count;
    bool first = true;
    for (uint32_t i = 0; i < f->also_count; i++) {
        own -= f->also[i].count;
        of[f->also[i].kind] += f->also[i].count;
    }
    if (own > 1) wg_strbuf_printf(&b, "%" PRIu64 " more like it", own - 1);
    for (uint32_t i = 0; i < f->also_count; i++)
        if (f->also[i].kind == f->kind) put_times(a, &b, &first, f->also[i].count, accesses(a, &f->also[i]));
    for (int k = 0; k < WG_FINDING_KINDS; k++)
        if (of[k] && k != (int)f->kind) put_times(a, &b, &first, of[k], between[k]);
    const char *text = b.n ? wg_arena_strdup(a, b.s) : NULL;
    wg_strbuf_free(&b);
    return text;
}

/* ---- Of one cause ----------------------------------------------------------------------------------------- */

/* "12", or "tile.h:12" where it is in another file than the finding. */
static const char *line_name(struct wg_arena *a, const struct wg_found *f, const struct wg_frame *at,
                             const struct wg_found_place *p) {
    const struct wg_frame *where = wg_found_where(f);
    if (!at) return p->op ? p->op : "a place without a line";
    if (where && !strcmp(at->file, where->file)) return wg_arena_printf(a, "%u", at->line);
    return wg_arena_printf(a, "%s:%u", wg_source_base(at->file), at->line);
}

/* Of accesses in two functions that were inlined, such as put() and get(): where the one that calls both does. */
static void name_pair(struct wg_arena *a, const struct wg_found *f, const struct wg_found *pair,
                      const char *names[2]) {
    const struct wg_frame *at[2] = {wg_found_frame(pair->other.frames, pair->other.frame_count),
                                    wg_found_frame(pair->here.frames, pair->here.frame_count)};
    struct wg_found_apart x = wg_found_apart(pair);
    bool named = at[0] && at[1] && at[0]->function && at[1]->function;
    bool apart = named && strcmp(at[0]->function, at[1]->function) != 0;
    if (apart && x.here && !wg_source_is_system(x.here->file)) {
        at[0] = x.other;
        at[1] = x.here;
    }
    names[0] = line_name(a, f, at[0], &pair->other);
    names[1] = line_name(a, f, at[1], &pair->here);
}

/* Puts each name once; at most so many of them. */
struct names {
    struct wg_arena *arena;
    const char **v;
    uint32_t n;
};

static void add_name(struct names *l, const char *name) {
    for (uint32_t i = 0; i < l->n; i++)
        if (!strcmp(l->v[i], name)) return;
    l->v[l->n++] = name;
}

static const char *listed(const struct names *l) {
    enum { NAMED = 12 };
    const char *text = "";
    for (uint32_t i = 0; i < l->n && i < NAMED; i++)
        text = wg_arena_printf(l->arena, "%s%s%s", text, !i ? "" : ", ", l->v[i]);
    return l->n > NAMED ? wg_arena_printf(l->arena, "%s and %u more", text, l->n - NAMED) : text;
}

const char *wg_found_pairs(struct wg_arena *a, const struct wg_found *f) {
    struct names two = {a, WG_NEW_N(a, const char *, f->pair_count + 1), 0},
                 one = {a, WG_NEW_N(a, const char *, f->pair_count + 1), 0};
    if (!f->pair_count) return NULL;
    for (uint32_t i = 0; i < f->pair_count; i++) {
        const char *names[2];
        name_pair(a, f, &f->pairs[i], names);
        const char *first = names[0], *second = names[1];
        bool swap =
            strlen(first) > strlen(second) || (strlen(first) == strlen(second) &&
                                               strcmp(first, second) > 0); /* which was earlier says little */
        if (strcmp(first, second) != 0)
            add_name(&two, wg_arena_printf(a, "%s and %s", swap ? second : first, swap ? first : second));
        else
            add_name(&one, first);
    }
    bool waits = f->kind == WG_F_race_stream || f->kind == WG_F_race_host; /* whatever memory it is */
    return wg_arena_printf(a, "%s of accesses%s %s the same cause: %s%s%s%s%s.",
                           wg_counted(a, f->pair_count, "other pair", "other pairs"), waits ? "" : " to it",
                           f->pair_count == 1 ? "has" : "have", two.n ? "lines " : "", listed(&two),
                           two.n && one.n ? "; " : "",
                           !one.n       ? ""
                           : one.n == 1 ? "in line "
                                        : "in lines ",
                           listed(&one));
}

/* ---- All of it --------------------------------------------------------------------------------------------
 */

/* What the host program did: a call, and where. */
static void put_call(struct wg_arena *a, struct wg_strbuf *b, const struct wg_found *f) {
    const char *call = f->here.op       ? f->here.op
                       : f->here.access ? wg_found_act(a, &f->here)
                                        : f->memory.made_by;
    const char *where = wg_found_code_name(a, f->host.object ? &f->host : &f->memory.made_at);
    wg_strbuf_printf(b, "%s%s%s", call ? call : "the host program", where ? " at " : "", where ? where : "");
}

static void put_actor(struct wg_arena *a, struct wg_strbuf *b, const struct wg_found_place *p) {
    const char *who = wg_found_who(a, p), *where = wg_found_place_name(a, p);
    wg_strbuf_puts(b, wg_found_act(a, p));
    if (p->value) wg_strbuf_printf(b, " (value %s)", p->value);
    if (who) wg_strbuf_printf(b, " by %s", who);
    if (where) wg_strbuf_printf(b, " at %s", where);
}

const char *wg_found_message(struct wg_arena *a, const struct wg_found *f) {
    struct wg_strbuf b = {0};
    const char *memory = wg_found_memory_sentence(a, f);
    wg_strbuf_printf(&b, "%s: ", wg_finding_info(f->kind)->title);
    if (f->kernel)
        put_actor(a, &b, &f->here);
    else
        put_call(a, &b, f);
    if (f->has_other) {
        wg_strbuf_puts(&b, "; and ");
        put_actor(a, &b, &f->other);
    }
    wg_strbuf_puts(&b, ".");
    if (f->benign) wg_strbuf_puts(&b, " Both write the same value.");
    if (memory) wg_strbuf_printf(&b, " %s", memory);
    if (f->detail) wg_strbuf_printf(&b, " %s", wg_found_detail(a, f));
    const char *more = wg_found_more(a, f);
    if (more) wg_strbuf_printf(&b, " %s.", more);
    const char *pairs = wg_found_pairs(a, f);
    if (pairs) wg_strbuf_printf(&b, " %s", pairs);
    const char *text = wg_arena_strdup(a, b.s);
    wg_strbuf_free(&b);
    return text;
}

const char *wg_findings_checks_named(const struct wg_findings_file *f) {
    const char *text = "", *names[WG_CHECKS];
    int n = 0;
    for (int c = 0; c < WG_CHECKS; c++)
        if (f->checks[c]) names[n++] = wg_check_name(c);
    for (int i = 0; i < n; i++)
        text = wg_arena_printf(f->arena, "%s%s%s", text, !i ? "" : i == n - 1 ? " and " : ", ", names[i]);
    return text;
}
