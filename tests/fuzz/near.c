/* See near.h. */
#include "tests/fuzz/near.h"
#include "base/cpu.h"
#include "base/strbuf.h"
#include "warp/warp.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO, YES, SAME_BYTES, KINDS };
static const char *const kinds[KINDS] = {"no", "yes", "same"};

struct near {
    struct machines *x;
    const char *path, *form;
    struct program p;
    struct way way; /* the plan's, and of every machine: which forms a kernel has depends on the width */
};

bool kept_read(const char *text, struct program *p, char entry[64]) {
    unsigned long long seed;
    unsigned data;
    strcpy(entry, "made");
    if (sscanf(text, "// seed %llu: grid %u x %u x %u, block %u x %u x %u, q %u %u, data %u, kernel %63s",
               &seed, &p->grid[0], &p->grid[1], &p->grid[2], &p->block[0], &p->block[1], &p->block[2],
               &p->q[0], &p->q[1], &data, entry) < 10)
        return false;
    p->data = (enum data)data;
    p->entry = entry;
    return true;
}

/* ---- edits ---- */

static void unescape(char *s) {
    char *to = s;
    for (; *s; s++, to++)
        if (s[0] == '\\' && s[1] == 'n')
            *to = '\n', s++;
        else
            *to = *s;
    *to = 0;
}

/* "A => B" */
static bool edit(struct wg_strbuf *text, char *one) {
    char *arrow = strstr(one, " => ");
    if (!arrow) return false;
    *arrow = 0;
    char *to = arrow + 4;
    unescape(one), unescape(to);
    struct wg_strbuf out = {0};
    bool any = false;
    for (const char *at = text->s;;) {
        const char *hit = strstr(at, one);
        wg_strbuf_add(&out, at, hit ? (uint32_t)(hit - at) : (uint32_t)strlen(at));
        if (!hit) break;
        wg_strbuf_add(&out, to, (uint32_t)strlen(to));
        at = hit + strlen(one);
        any = true;
    }
    wg_strbuf_free(text);
    *text = out;
    return any;
}

bool near_edit(struct wg_strbuf *text, const char *edits) {
    char *copy = wg_xstrdup(edits), *one = copy;
    bool good = true;
    for (char *next; one && good; one = next) {
        next = strstr(one, " && ");
        if (next) *next = 0, next += 4;
        good = edit(text, one);
    }
    free(copy);
    return good;
}

/* ---- judging ---- */

static bool plan_says_yes(const char *said, const char *form) {
    char row[64];
    snprintf(row, sizeof row, "\n  %-12s  ", form);
    for (const char *at = strstr(said, row); at; at = strstr(at + 1, row)) {
        const char *end = strchr(at + 1, '\n');
        for (const char *yes = strstr(at, "  yes"); yes && yes < end;) return true;
    }
    return false;
}

/* The first line of what is said that no plan has: a kernel compiled without forms, a stray access. */
static const char *not_of_plan(const char *said) {
    for (const char *at = said; at && *at; at = strchr(at, '\n'), at += at != NULL) {
        bool plan = !strncmp(at, "plan of ", 8) || !strncmp(at, "  ", 2) || *at == '\n' ||
                    !strncmp(at, "// ---- plan", 12);
        if (!plan) return at;
    }
    return NULL;
}

/* Whether the kernel's bytes are as they should be; *used: the form was. */
static bool judge(const struct near *n, const struct way *way, const char *ptx, bool *used) {
    enum { ROOM = 1 << 16 };
    char why[640], *said = wg_xcalloc(1, ROOM);
    int was = machines_hush();
    enum verdict v = machines_judge(n->x, &n->p, ptx, way, 1, why, sizeof why);
    machines_said(was, said, ROOM);
    const char *more = not_of_plan(said);
    if (v != SAME) fprintf(stderr, "%s: %s\n", n->path, why);
    if (v == SAME && more)
        fprintf(stderr, "%s: %u bits: %.*s\n", n->path, way->width, (int)strcspn(more, "\n"), more);
    *used = plan_says_yes(said, n->form);
    free(said);
    return v == SAME && !more;
}

static bool is_as_wanted(const struct near *n, const char *ptx, uint32_t kind, const char *edits) {
    bool used = false, good = judge(n, &n->way, ptx, &used);
    if (good && kind != SAME_BYTES && used != (kind == YES)) {
        fprintf(stderr, "%s: plan: %s is%s used\n", n->path, n->form, used ? "" : " not");
        good = false;
    }
    if (!good) fprintf(stderr, "    of %s: %s\n", kinds[kind], edits);
    return good;
}

static bool try_edits(const struct near *n, const char *body, uint32_t kind, const char *edits) {
    struct wg_strbuf text = {0};
    wg_strbuf_add(&text, body, (uint32_t)strlen(body));
    bool good = near_edit(&text, edits);
    if (!good)
        fprintf(stderr, "%s: nothing to edit by %s\n", n->path, edits);
    else
        good = is_as_wanted(n, text.s, kind, edits);
    wg_strbuf_free(&text);
    return good;
}

/* What the file asks of machines; they are its own, then. */
static bool take_options(struct near *n, const char *text, const char *body) {
    static const char mark[] = "\n// option ";
    char option[64];
    bool own = false, good = true;
    for (const char *at = text; (at = strstr(at, mark)) && at < body; at++) {
        if (!own) {
            machines_close(n->x);
            n->x = machines_new(WG_DUMP_PLAN, false);
        }
        own = true;
        good = good && sscanf(at + strlen(mark), "%63s", option) == 1 && machines_option(n->x, option);
    }
    if (!good) fprintf(stderr, "%s: there is no such option\n", n->path);
    return good;
}

static bool begin(struct near *n, const char *text, const char *body, char form[32], char entry[64]) {
    const char *at = strstr(text, "\n// form ");
    struct way all[MOST_WAYS];
    bool used = false;
    if (!kept_read(text, &n->p, entry) || !at || sscanf(at, "\n// form %31s", form) != 1) {
        fprintf(stderr, "%s: which kernel, and which form?\n", n->path);
        return false;
    }
    bool wanted = *form != '-';
    n->form = form + !wanted;
    ways_list(all);
    if (!judge(n, &all[0], body, &used) || !judge(n, &n->way, body, &used)) return false;
    if (used != wanted) fprintf(stderr, "%s: plan: %s is%s used\n", n->path, n->form, used ? "" : " not");
    return used == wanted;
}

/* What a line of the head says, or `otherwise`. */
static uint32_t number_of(const char *text, const char *body, const char *what, uint32_t otherwise) {
    char mark[32];
    int n = snprintf(mark, sizeof mark, "\n// %s ", what);
    const char *at = strstr(text, mark);
    return at && at < body ? (uint32_t)strtoul(at + n, NULL, 10) : otherwise;
}

bool near_misses(struct machines *x, const char *path) {
    struct wg_strbuf text = {0};
    struct near n = {.x = x, .path = path};
    char form[32], entry[64];
    n.way = (struct way){256, 2, 1, 1, false};
    bool good = wg_file_read(path, &text);
    const char *body = good ? strstr(text.s, ".version") : NULL;
    if (body) n.way.width = (uint16_t)number_of(text.s, body, "bits", n.way.width);
    if (n.way.width > wg_cpu_vector_bits()) {
        wg_strbuf_free(&text);
        return true;
    }
    good = good && body && take_options(&n, text.s, body) && begin(&n, text.s, body, form, entry);
    bool all = good;
    for (char *line = text.s, *end; good && line < body; line = end + 1) {
        end = strchr(line, '\n');
        *end = 0;
        for (uint32_t k = 0; k < KINDS; k++) {
            char mark[16];
            size_t length = (size_t)snprintf(mark, sizeof mark, "// %s: ", kinds[k]);
            if (!strncmp(line, mark, length)) all &= try_edits(&n, body, k, line + length);
        }
    }
    if (n.x != x) machines_free(n.x);
    wg_strbuf_free(&text);
    return all;
}
