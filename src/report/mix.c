/* See mix.h. */
#include "report/mix.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The kernel's body behind its .entry, and the number of the line that it begins in. */
static const char *body_of(const struct wg_profile_kernel *k, uint32_t *line) {
    size_t n = strlen(k->name);
    *line = 1;
    for (const char *at = k->ptx; at && *at; (*line)++) {
        const char *end = strchr(at, '\n'), *entry = strstr(at, ".entry ");
        if (entry && (!end || entry < end)) {
            const char *name = entry + strlen(".entry ") + strspn(entry + strlen(".entry "), " ");
            if (!strncmp(name, k->name, n) && !isalnum((unsigned char)name[n]) && name[n] != '_') return at;
        }
        at = end ? end + 1 : NULL;
    }
    return NULL;
}

/* The line's site that the instruction at this line of the PTX belongs to. */
static struct wg_mix *mix_at(struct wg_profile_kernel *k, uint32_t source_line, uint32_t ptx_line) {
    struct wg_site *best = NULL;
    for (uint32_t i = 0; i < k->site_count; i++) {
        struct wg_site *s = &k->sites[i];
        bool here = s->class == WG_CLASS_line && s->frame_count && s->frames[0].line == source_line;
        if (here && s->ptx_line <= ptx_line && (!best || s->ptx_line > best->ptx_line)) best = s;
    }
    return best ? &best->mix : NULL;
}

static bool has_type(const char *op, size_t n, const char *type) {
    for (size_t i = 0; i + strlen(type) <= n; i++)
        if (!strncmp(op + i, type, strlen(type))) return true;
    return false;
}

static void count(struct wg_mix *m, const char *op, size_t n) {
    static const char *const no_arithmetic[] = {"ld.", "st.", "mov.", "atom.", "red.", "shfl."};
    bool f64 = has_type(op, n, ".f64");
    m->all++;
    for (size_t i = 0; i < sizeof no_arithmetic / sizeof *no_arithmetic; i++)
        if (!strncmp(op, no_arithmetic[i], strlen(no_arithmetic[i]))) return;
    if (!strncmp(op, "cvt.", 4)) {
        m->conversions += f64 && has_type(op, n, ".f32");
    } else if (f64) {
        m->doubles++;
    } else if (!strncmp(op, "div.", 4) || !strncmp(op, "rem.", 4)) {
        m->divisions64 += has_type(op, n, "64");
        m->divisions += has_type(op, n, ".s32") || has_type(op, n, ".u32");
    }
}

void wg_mix_lines(struct wg_profile_kernel *k) {
    uint32_t line, source_line = 0;
    const char *at = k->ptx ? body_of(k, &line) : NULL;
    for (; at && *at && *at != '}'; line++) {
        const char *end = strchr(at, '\n'), *op = at + strspn(at, " \t");
        if (*op == '@') op += strcspn(op, " \t\n"), op += strspn(op, " \t");
        size_t n = strcspn(op, " \t\n;");
        if (!strncmp(op, ".loc", 4)) {
            char *next;
            strtoul(op + 4, &next, 10);
            source_line = (uint32_t)strtoul(next, NULL, 10);
        } else if (islower((unsigned char)*op) && op[n] != '\n' && op > at) {
            struct wg_mix *m = mix_at(k, source_line, line);
            if (m) count(m, op, n);
        }
        at = end ? end + 1 : NULL;
    }
}
