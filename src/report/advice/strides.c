/* Advice on strided global accesses: one field of a structure for each lane, columns of a matrix, and reductions whose
 * stride grows.
 *
 *     d[i].r    stride 32, field r     -> structure of arrays:     32 sectors an access become 4
 *     in[x * n] stride 16384           -> stage through shared memory
 *     in[3 * i] stride 12              -> neighbouring lanes take neighbouring elements
 *     c[8*i+j]  stride 32 in runs of lanes, a tile's rows -> the same, or 16 bytes at a time
 *     a[2*s*i]  stride 8, 16, 32 ...   -> the same, with the distance halved in each round
 */
#include "report/advice/adviser.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_STRUCTURE = 256 };

static bool is_strided(const struct wg_site_summary *site, struct wg_pattern *p) {
    if (!wg_is_access(site, WG_MEMORY_GLOBAL) || !wg_is_load_or_store(site->site)) return false;
    *p = wg_pattern_in_runs(site->worst, site->site->bytes);
    return p->kind == WG_PATTERN_STRIDED;
}

/* First and worst access of one warp in one launch lie differently far apart. */
static bool stride_grows(const struct wg_site_summary *site) {
    if (!site->first || !site->worst || site->first_launch != site->worst_launch ||
        site->first->warp != site->worst->warp ||
        memcmp(site->first->block, site->worst->block, sizeof site->first->block) != 0)
        return false;
    struct wg_pattern first = wg_pattern_in_runs(site->first, site->site->bytes);
    struct wg_pattern worst = wg_pattern_in_runs(site->worst, site->site->bytes);
    return first.stride && worst.stride && first.stride != worst.stride;
}

/* Where the word that the access is about ends: at a load's place it begins, a store's place is its '='. */
static size_t end_of_word(const char *text, size_t at) {
    if (isalnum((unsigned char)text[at]) || text[at] == '_') {
        while (isalnum((unsigned char)text[at]) || text[at] == '_') at++;
        return at;
    }
    while (at && text[at - 1] == ' ') at--;
    while (at && text[at - 1] == ']') {
        int depth = 0;
        do depth += text[at - 1] == ']' ? 1 : text[at - 1] == '[' ? -1 : 0;
        while (--at && depth);
    }
    return at;
}

/* The name behind a '.' or '->' at the place of the access. */
static const char *field_of(const struct wg_advising *g, const struct wg_site *site) {
    if (!site->frame_count) return NULL;
    const struct wg_frame *f = &site->frames[0];
    const char *text = wg_source_line(wg_source_find(g->sources, f->file), f->line);
    size_t at =
        text && f->column ? wg_source_offset(wg_source_find(g->sources, f->file), f->line, f->column) : 0;
    if (!text || !f->column || at >= strlen(text)) return NULL;
    size_t end = end_of_word(text, at), begin = end;
    while (begin && (isalnum((unsigned char)text[begin - 1]) || text[begin - 1] == '_')) begin--;
    bool member = begin < end && begin &&
                  (text[begin - 1] == '.' || (begin > 1 && text[begin - 1] == '>' && text[begin - 2] == '-'));
    return member ? wg_arena_strndup(g->arena, text + begin, end - begin) : NULL;
}

/* Of each site whether it accesses a field of a structure: by name, or through a function that gives one, beside others of
 * the same memory and stride that have names. Found once for all advisers: a kernel has thousands of sites at times. */
static void find_fields(struct wg_advising *g) {
    uint32_t n = g->s->kernel->site_count, named = 0;
    uint32_t *first = WG_NEW_N(g->arena, uint32_t, n); /* named ones, of each memory and stride */
    g->fields = WG_NEW_N(g->arena, bool, n);
    struct wg_pattern p, other;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < n; i++) {
            const struct wg_site_summary *site = &g->s->sites[i];
            if (g->fields[i] || !is_strided(site, &p) || llabs(p.stride) > LARGEST_STRUCTURE) continue;
            bool names = round == 0 && field_of(g, site->site);
            if (round == 0 && !names) continue;
            uint32_t k = 0;
            while (k < named && !(wg_same_what(g->s->sites[first[k]].site, site->site) &&
                                  is_strided(&g->s->sites[first[k]], &other) && other.stride == p.stride))
                k++;
            if (names && k == named) first[named++] = i;
            g->fields[i] = k < named;
        }
}

static bool is_structure(struct wg_advising *g, const struct wg_site_summary *site) {
    if (!g->fields) find_fields(g);
    return g->fields[site - g->s->sites];
}

struct fields {
    struct wg_strbuf names;
    uint64_t before, after;
    uint32_t count, sites;
    bool proven, unnamed; /* unnamed: there are more */
    struct wg_alteration *change;
};

/* All accesses of one structure: the same memory, the same stride. */
static struct fields gather_fields(struct wg_advising *g, uint32_t from, int64_t stride, bool *done) {
    struct fields f = {.proven = true, .change = wg_change_none(g->arena, g->s->kernel)};
    const struct wg_site *head = g->s->sites[from].site;
    for (uint32_t i = from; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        struct wg_pattern p;
        if (done[i] || !is_strided(site, &p) || p.stride != stride || !wg_same_what(head, site->site))
            continue;
        const char *name = field_of(g, site->site);
        done[i] = true;
        uint32_t was = wg_sectors_of(site->worst, site->site->bytes);
        uint32_t is = wg_sectors_side_by_side(site->worst, site->site->bytes);
        f.before += site->counts.v[WG_C_sectors];
        f.after += wg_scaled(site, WG_C_sectors, was, is, &f.proven);
        struct wg_recorded then = wg_side_by_side(site);
        wg_change_lanes(f.change, site, &then);
        f.sites++;
        f.unnamed |= !name;
        if (!name) continue;
        const char *seen = f.names.s ? strstr(f.names.s, name) : NULL;
        size_t n = strlen(name);
        while (seen && !((seen == f.names.s || seen[-1] == ' ') && (seen[n] == ',' || !seen[n])))
            seen = strstr(seen + 1, name);
        if (seen) continue;
        wg_strbuf_printf(&f.names, "%s%s", f.count++ ? ", " : "", name);
    }
    return f;
}

void wg_advise_strided_structure(struct wg_advising *g) {
    bool *done = WG_NEW_N(g->arena, bool, g->s->kernel->site_count);
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        struct wg_pattern p;
        const struct wg_site_summary *site = &g->s->sites[i];
        if (done[i] || !is_strided(site, &p) || !is_structure(g, site)) continue;
        struct fields f = gather_fields(g, i, p.stride, done);
        if (wg_worth(f.before - f.after, wg_work(&g->s->classes))) {
            const char *what = wg_what(site->site, "the array");
            struct wg_advice *a = wg_advice_add(g, "strided_structure", site->site);
            a->title = wg_arena_printf(g->arena, "Array of structures: %s", what);
            a->text = wg_arena_printf(g->arena,
                                      "Lanes step over structures of %lld bytes and access %u bytes of each "
                                      "at a time: %s%s of %s. In a structure of arrays (an array for each "
                                      "field), lanes are side by side.",
                                      (long long)llabs(p.stride), site->site->bytes,
                                      f.count == 1 ? wg_arena_printf(g->arena, "field %s", f.names.s)
                                                   : wg_arena_printf(g->arena, "fields %s", f.names.s),
                                      f.unnamed ? " and others" : "", what);
            a->unit = "sectors";
            wg_show_side_by_side(g, a, site);
            a->change = f.change;
            a->before = f.before, a->after = f.after, a->proven = f.proven;
        }
        wg_strbuf_free(&f.names);
    }
}

/* ---- Strides of no structure: rows of a matrix, or partners of a reduction
 * ---------------------------------
 */

enum stride { SHORT_STRIDE, LONG_STRIDE, GROWING_STRIDE, NO_STRIDE };

static enum stride stride_of(struct wg_advising *g, const struct wg_site_summary *site) {
    struct wg_pattern p;
    if (!is_strided(site, &p) || is_structure(g, site)) return NO_STRIDE;
    /* The compiler loads a byte of a word where no more of it is used. */
    if (site->site->bytes < 4 && llabs(p.stride) == 4) return NO_STRIDE;
    return stride_grows(site)                    ? GROWING_STRIDE
           : llabs(p.stride) > LARGEST_STRUCTURE ? LONG_STRIDE
                                                 : SHORT_STRIDE;
}

/* The same memory in the same line, such as the copies of an unrolled loop; all of a kernel's walks down columns. */
static bool belong_together(const struct wg_site *a, const struct wg_site *b, enum stride kind) {
    bool line = a->frame_count && b->frame_count && a->frames[0].line == b->frames[0].line;
    if (kind == LONG_STRIDE) return true;
    return a == b || (line && wg_same_what(a, b) && (kind == GROWING_STRIDE || a->class == b->class));
}

/* Words of one row that each thread accesses one by one, at the first and at the following three sites. */
static bool is_row_of_words(const struct wg_advising *g, const struct wg_site_summary *head) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        if (!site->worst || site->site->bytes != 4 || !belong_together(head->site, site->site, SHORT_STRIDE))
            continue;
        uint64_t apart = site->worst->address[0] - head->worst->address[0];
        if (site->worst->warp == head->worst->warp && apart < 16 && apart % 4 == 0) found |= 1u << apart / 4;
    }
    return found == 0xf;
}

/* Sites whose advice is one: see belong_together; short strides of the same length, too, where they waste much. */
static bool is_one_of(struct wg_advising *g, const struct wg_site_summary *head, uint32_t i,
                      enum stride kind) {
    const struct wg_site_summary *site = &g->s->sites[i];
    if (stride_of(g, site) != kind) return false;
    bool mild = wg_sectors_of(head->worst, head->site->bytes) <
                4 * wg_sectors_side_by_side(head->worst, head->site->bytes);
    if (kind != SHORT_STRIDE || mild) return belong_together(head->site, site->site, kind);
    return llabs(wg_pattern_in_runs(site->worst, site->site->bytes).stride) ==
           llabs(wg_pattern_in_runs(head->worst, head->site->bytes).stride);
}

/* "Transposed load: in", "Transposed accesses: a, b". */
static const char *stride_title(struct wg_advising *g, const struct wg_site_summary *head, enum stride of,
                                const char *kind) {
    struct wg_strbuf names = {0};
    bool loads = false, stores = false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site *site = &g->s->kernel->sites[i];
        bool seen = !is_one_of(g, head, i, of) || !site->frame_count != !head->site->frame_count;
        if (seen) continue;
        loads |= site->class == WG_CLASS_global_load, stores |= site->class == WG_CLASS_global_store;
        for (uint32_t j = 0; j < i && !seen; j++)
            seen = is_one_of(g, head, j, of) && wg_same_what(site, &g->s->kernel->sites[j]);
        if (!seen) wg_strbuf_printf(&names, "%s%s", count++ ? ", " : "", wg_what(site, "memory"));
    }
    const char *what = loads && stores ? "accesses"
                       : loads         ? count > 1 ? "loads" : "load"
                       : count > 1     ? "stores"
                                       : "store";
    const char *title = wg_arena_printf(g->arena, "%s %s: %s", kind, what, names.s ? names.s : "memory");
    wg_strbuf_free(&names);
    return title;
}

/* What a thread may do in a loop: add up its own row. The loop may be unrolled, so all of the line's loads count. */
static const char *of_rows(struct wg_advising *g, const struct wg_site_summary *head, enum stride kind) {
    uint64_t requests = 0;
    for (uint32_t i = 0; i < g->s->kernel->site_count; i++) {
        const struct wg_site_summary *site = &g->s->sites[i];
        if (site->site->class == WG_CLASS_global_load && stride_of(g, site) == kind &&
            belong_together(head->site, site->site, SHORT_STRIDE))
            requests += site->counts.v[WG_C_requests];
    }
    return requests >= 4 * wg_warps_launched(g->s)
               ? " Where each thread goes along a row of its own, a warp may take the row, each lane every "
                 "32nd element of it, and add up with shuffles."
               : "";
}

static void say_stride(struct wg_advising *g, struct wg_advice *a, const struct wg_site_summary *site,
                       enum stride kind) {
    const char *what = wg_what(site->site, "memory");
    const char *direction = site->site->class == WG_CLASS_global_load ? "load" : "store";
    long long apart = llabs(wg_pattern_in_runs(site->worst, site->site->bytes).stride);
    uint32_t now = wg_sectors_of(site->worst, site->site->bytes);
    uint32_t then = wg_sectors_side_by_side(site->worst, site->site->bytes);
    if (kind == GROWING_STRIDE) {
        a->title = wg_arena_printf(g->arena, "Distance between lanes grows: %s", what);
        a->text = wg_arena_printf(
            g->arena,
            "The lanes of a warp are up to %lld bytes apart, and further in each iteration of the loop. "
            "Halve the distance between partners instead of doubling it, so that the threads that go on "
            "are neighbours and take neighbouring elements.",
            apart);
    } else if (kind == LONG_STRIDE) {
        a->title = stride_title(g, site, kind, "Transposed");
        a->text = wg_arena_printf(
            g->arena,
            "Neighbouring lanes %s %lld bytes apart, so an access takes %u sectors and uses %u bytes of "
            "each. %s a tile along its rows, and transpose it in shared memory (rows of 33 elements avoid "
            "bank conflicts): an access then takes %u.%s",
            direction, apart, now, site->site->bytes, *direction == 'l' ? "Load" : "Store", then,
            of_rows(g, site, kind));
    } else {
        a->title = stride_title(g, site, kind, "Strided");
        a->text = wg_arena_printf(
            g->arena,
            "Neighbouring lanes %s %lld bytes apart, and use %u of these: an access takes %u sectors "
            "instead of %u. Let neighbouring lanes access neighbouring elements, through shared memory if "
            "each thread needs several, or keep the elements that are used together side by side.%s%s",
            direction, apart, site->site->bytes, now, then,
            apart % 16 == 0 && is_row_of_words(g, site)
                ? wg_arena_printf(g->arena, " Four of a thread's elements in one %s (float4) need a quarter.",
                                  direction)
                : "",
            of_rows(g, site, kind));
    }
}

/* The one to show: with a place in the source, and the most to be gained. */
static bool is_worse(const struct wg_site_summary *a, const struct wg_site_summary *than) {
    if (!a->site->frame_count != !than->site->frame_count) return a->site->frame_count;
    return a->counts.v[WG_C_sectors] > than->counts.v[WG_C_sectors];
}

/* Sectors of a site that its lanes side by side would move. */
static uint64_t sectors_after(const struct wg_site_summary *site, enum stride kind, bool *proven) {
    uint32_t bytes = site->site->bytes;
    if (kind == GROWING_STRIDE) return site->counts.v[WG_C_ideal_sectors];
    return wg_scaled(site, WG_C_sectors, wg_sectors_of(site->worst, bytes),
                     wg_sectors_side_by_side(site->worst, bytes), proven);
}

static struct wg_alteration *change_of(struct wg_advising *g, const uint32_t *sites, uint32_t n,
                                       enum stride kind) {
    struct wg_alteration *change = wg_change_none(g->arena, g->s->kernel);
    bool proven = true;
    for (uint32_t k = 0; k < n; k++) {
        const struct wg_site_summary *site = &g->s->sites[sites[k]];
        uint64_t was = site->counts.v[WG_C_sectors];
        struct wg_recorded then = wg_side_by_side(site);
        wg_change_lanes(change, site, &then);
        change->of[WG_CHANGE_SECTORS][sites[k]] =
            was ? (double)sectors_after(site, kind, &proven) / (double)was : 1;
    }
    return change;
}

static void advise_stride(struct wg_advising *g, enum stride kind, const char *name) {
    uint32_t n = g->s->kernel->site_count;
    bool *done = WG_NEW_N(g->arena, bool, n);
    uint32_t *mine = WG_NEW_N(g->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct wg_site_summary *head = &g->s->sites[i];
        if (done[i] || stride_of(g, head) != kind) continue;
        uint64_t before = 0, after = 0;
        uint32_t count = 0;
        bool proven = true;
        for (uint32_t j = i; j < n; j++) {
            const struct wg_site_summary *site = &g->s->sites[j];
            if (!is_one_of(g, head, j, kind)) continue;
            done[j] = true;
            mine[count++] = j;
            before += site->counts.v[WG_C_sectors], after += sectors_after(site, kind, &proven);
            if (is_worse(site, head)) head = site;
        }
        if (after >= before || !wg_worth(before - after, wg_work(&g->s->classes))) continue;
        struct wg_advice *a = wg_advice_add(g, name, head->site);
        say_stride(g, a, head, kind);
        wg_show_side_by_side(g, a, head);
        a->unit = "sectors";
        a->change = change_of(g, mine, count, kind);
        a->before = before, a->after = after, a->proven = proven;
    }
}

void wg_advise_strided_access(struct wg_advising *g) { advise_stride(g, SHORT_STRIDE, "strided_access"); }
void wg_advise_transposed_access(struct wg_advising *g) {
    advise_stride(g, LONG_STRIDE, "transposed_access");
}
void wg_advise_growing_stride(struct wg_advising *g) { advise_stride(g, GROWING_STRIDE, "growing_stride"); }
