/* See source_root.h. */
#include "report/source_root.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_repository(const char *folder) {
    char mark[PATH_MAX + 8];
    snprintf(mark, sizeof mark, "%s/.git", strcmp(folder, "/") ? folder : "");
    return access(mark, F_OK) == 0;
}

const char *wg_source_root_of(struct wg_arena *a, const char *given) {
    char folder[PATH_MAX];
    if (!realpath(given ? given : ".", folder)) return NULL;
    while (!given && !is_repository(folder)) {
        char *slash = strrchr(folder, '/');
        if (slash == folder) return NULL;
        *slash = 0;
    }
    return wg_arena_strdup(a, folder);
}

const char *wg_source_root_name(struct wg_arena *a, const char *root, const char *file) {
    char whole[PATH_MAX];
    if (!root || !file || wg_source_is_system(file) || !realpath(file, whole)) return file;
    size_t n = strcmp(root, "/") ? strlen(root) : 0;
    bool inside = !strncmp(whole, root, n) && whole[n] == '/';
    return inside ? wg_arena_strdup(a, whole + n + 1) : file;
}

static void rename_frames(struct wg_arena *a, const char *root, struct wg_frame *f, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) f[i].file = wg_source_root_name(a, root, f[i].file);
}

static void rename_sources(const char *root, struct wg_sources *s) {
    for (struct wg_source_file *f = s->files; f; f = f->next)
        f->name = wg_source_root_name(s->arena, root, f->name);
}

void wg_source_root_profile(const char *root, struct wg_profile *r, struct wg_summaries *s,
                            struct wg_sources *sources) {
    struct wg_arena *a = sources->arena;
    if (!root) return;
    for (uint32_t i = 0; i < r->kernel_count; i++)
        for (uint32_t j = 0; j < r->kernels[i].site_count; j++)
            rename_frames(a, root, r->kernels[i].sites[j].frames, r->kernels[i].sites[j].frame_count);
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < s->v[i].line_count; j++)
            s->v[i].lines[j].file = wg_source_root_name(a, root, s->v[i].lines[j].file);
    rename_sources(root, sources);
}

static void rename_code(struct wg_arena *a, const char *root, struct wg_found_code *c) {
    rename_frames(a, root, c->frames, c->frame_count);
}

static void rename_place(struct wg_arena *a, const char *root, struct wg_found_place *p) {
    rename_frames(a, root, p->frames, p->frame_count);
    rename_code(a, root, &p->asked);
}

static void rename_found(struct wg_arena *a, const char *root, struct wg_found *f) {
    rename_place(a, root, &f->here);
    rename_place(a, root, &f->other);
    rename_code(a, root, &f->memory.made_at);
    rename_code(a, root, &f->memory.freed_at);
    rename_code(a, root, &f->host);
    rename_code(a, root, &f->launched);
}

void wg_source_root_findings(const char *root, struct wg_findings_file *file, struct wg_sources *sources) {
    for (uint32_t i = 0; root && i < file->found_count; i++) {
        rename_found(file->arena, root, &file->found[i]);
        for (uint32_t j = 0; j < file->found[i].pair_count; j++)
            rename_found(file->arena, root, &file->found[i].pairs[j]);
    }
    if (root) rename_sources(root, sources);
}
