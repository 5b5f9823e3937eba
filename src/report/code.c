/* See code.h. */
#include "report/code.h"
#include "report/source.h"
#include <stdlib.h>
#include <string.h>

/* "ld.param.u32 %r1, [param_0]" of "\tld.param.u32 \t%r1, [_Z4blurPKf_param_0];  // comment" */
static const char *tidy(struct wg_arena *a, const char *kernel, const char *at, size_t n) {
    struct wg_strbuf b = {0};
    size_t name = strlen(kernel);
    for (size_t i = 0; i < n && strncmp(at + i, "//", 2) != 0; i++) {
        if (n - i > name && at[i] == '_' && !strncmp(at + i, kernel, name) &&
            !strncmp(at + i + name, "_param_", 7))
            i += name + 1;
        bool blank = at[i] == ' ' || at[i] == '\t' || at[i] == '\r';
        if (!blank)
            wg_strbuf_add(&b, at + i, 1);
        else if (b.n && b.s[b.n - 1] != ' ')
            wg_strbuf_puts(&b, " ");
    }
    while (b.n && (b.s[b.n - 1] == ' ' || b.s[b.n - 1] == ';')) b.s[--b.n] = 0;
    const char *text = wg_arena_strdup(a, b.n ? b.s : "");
    wg_strbuf_free(&b);
    return text;
}

static int by_line(const void *a, const void *b) {
    const struct wg_code *const *x = a, *const *y = b;
    return ((*x)->ptx_line > (*y)->ptx_line) - ((*x)->ptx_line < (*y)->ptx_line);
}

void wg_code_texts(struct wg_arena *a, struct wg_profile_kernel *k) {
    struct wg_code **sorted = WG_NEW_N(a, struct wg_code *, k->code_count + 1);
    for (uint32_t i = 0; i < k->code_count; i++) sorted[i] = &k->code[i];
    qsort(sorted, k->code_count, sizeof *sorted, by_line);
    uint32_t line = 1, next = 0;
    for (const char *at = k->ptx; at && *at && next < k->code_count; line++) {
        const char *end = strchr(at, '\n');
        size_t n = end ? (size_t)(end - at) : strlen(at);
        const char *text = sorted[next]->ptx_line == line ? tidy(a, k->name, at, n) : NULL;
        while (next < k->code_count && sorted[next]->ptx_line <= line) sorted[next++]->text = text;
        at = end ? end + 1 : NULL;
    }
}

static bool belongs(const struct wg_site *s, const struct wg_line_summary *l) {
    uint32_t i = 0;
    while (i + 1 < s->frame_count && wg_source_is_system(s->frames[i].file)) i++;
    return l->file && i < s->frame_count && s->frames[i].line == l->line &&
           !strcmp(s->frames[i].file, l->file);
}

static struct wg_code_row row_of(const struct wg_summary *s, const struct wg_code *c) {
    const uint64_t *block = s->sites[c->block].counts.v;
    struct wg_code_row row = {.ptx_line = c->ptx_line,
                              .text = c->text ? c->text : "",
                              .instructions = block[WG_C_instructions],
                              .threads = block[WG_C_threads]};
    for (uint32_t i = 0; i < s->kernel->site_count; i++) {
        const struct wg_site *site = &s->kernel->sites[i];
        if (site->ptx_line != c->ptx_line || wg_class_infos[site->class].memory == WG_MEMORY_NONE) continue;
        wg_counts_add(&row.access, &s->sites[i].counts);
        row.joined = site->joined;
    }
    if (row.access.v[WG_C_requests]) row.threads = row.access.v[WG_C_threads];
    return row;
}

struct wg_code_rows wg_code_of(struct wg_arena *a, const struct wg_summary *s,
                               const struct wg_line_summary *l) {
    const struct wg_profile_kernel *k = s->kernel;
    struct wg_code_rows rows = {.v = WG_NEW_N(a, struct wg_code_row, k->code_count + 1)};
    for (uint32_t i = 0; i < k->code_count; i++) {
        bool again = rows.n && rows.v[rows.n - 1].ptx_line == k->code[i].ptx_line;
        if (!again && belongs(&k->sites[k->code[i].line], l)) rows.v[rows.n++] = row_of(s, &k->code[i]);
    }
    return rows;
}

struct wg_machine_rows wg_machine_of(struct wg_arena *a, const struct wg_summary *s,
                                     const struct wg_line_summary *l) {
    const struct wg_profile_kernel *k = s->kernel;
    struct wg_machine_rows rows = {0};
    bool *member = WG_NEW_N(a, bool, k->site_count + 1);
    for (uint32_t i = 0; i < k->site_count; i++)
        member[i] = k->sites[i].class == WG_CLASS_line && belongs(&k->sites[i], l);
    for (uint32_t i = 0; i < k->machine_count; i++) rows.n += member[k->machine[i].line];
    rows.v = WG_NEW_N(a, struct wg_machine_row, rows.n + 1);
    rows.n = 0;
    for (uint32_t i = 0; i < k->machine_count; i++) {
        const struct wg_machine_code *m = &k->machine[i];
        if (!member[m->line]) continue;
        struct wg_machine_row *r = &rows.v[rows.n++];
        *r = (struct wg_machine_row){
            .text = m->text, .ptx_line = m->ptx_line, .block = m->block, .spill = m->spill};
        for (uint32_t j = 0; j < s->launch_count; j++)
            if (s->launches[j]->machine) r->instructions += s->launches[j]->machine[i];
        if (!r->instructions && !strcmp(m->text, "NOP")) rows.n--; /* it fills the code's end */
    }
    return rows;
}
