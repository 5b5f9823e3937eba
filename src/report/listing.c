/* See listing.h. */
#include "report/listing.h"
#include <string.h>

static bool same_file(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

bool wg_listing_next(const struct wg_summary *s, struct wg_listing *l) {
    do {
        l->from = l->to;
        if (l->from == s->line_count) return false;
        l->file = s->lines[l->from].file;
        while (l->to < s->line_count && same_file(s->lines[l->to].file, l->file)) l->to++;
    } while (!l->file && s->has_lines);
    return true;
}

static void keep_worse(struct wg_counts *kept, const struct wg_counts *r, enum wg_counter what,
                       enum wg_counter ideal) {
    if (r->v[WG_C_requests] &&
        (!kept->v[WG_C_requests] || r->v[what] - r->v[ideal] > kept->v[what] - kept->v[ideal]))
        *kept = *r;
}

struct wg_line_figures wg_line_figures(const struct wg_line_summary *l) {
    struct wg_line_figures f = {.work = wg_work(&l->own) + wg_work(&l->called)};
    for (int i = 0; i < WG_CLASSES; i++) {
        struct wg_counts both = l->own.of[i];
        wg_counts_add(&both, &l->called.of[i]);
        switch (wg_class_infos[i].memory) {
        case WG_MEMORY_GLOBAL:
        case WG_MEMORY_LOCAL: keep_worse(&f.moving, &both, WG_C_sectors, WG_C_ideal_sectors); break;
        case WG_MEMORY_SHARED:
        case WG_MEMORY_REMOTE: keep_worse(&f.turning, &both, WG_C_wavefronts, WG_C_ideal_wavefronts); break;
        default: break;
        }
        if (i == WG_CLASS_line) f.run = both;
    }
    return f;
}

const char *wg_listing_ptx(struct wg_sources *sources, const struct wg_summary *s, uint32_t line) {
    const struct wg_profile_kernel *k = s->kernel;
    const char *op = "";
    struct wg_source_file *f = k->module ? wg_source_find(sources, k->module) : NULL;
    if (f && f->found && wg_source_line(f, line)) return wg_source_line(f, line);
    for (uint32_t i = 0; i < k->site_count; i++)
        if (k->sites[i].ptx_line == line && *k->sites[i].op) op = k->sites[i].op;
    return op;
}
