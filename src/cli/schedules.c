/* See schedules.h. */
#include "cli/schedules.h"
#include "base/clock.h"
#include "cli/layout.h"
#include "cli/obtain.h"
#include "cli/process.h"
#include "cli/say.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1000, LEAST_SECONDS = 30, TIMES = 20, SHOWN = 60 /* of a line */ };

/* What a run left behind. */
struct outcome {
    struct wg_strbuf text;
    int status;
    double seconds;
};

struct trial {
    const struct wg_cmdline *c;
    const char *file;
    const struct wg_item *first;
    struct wg_findings_file *into;
    struct wg_arena *arena;
    struct outcome in_order, again;
    double limit; /* seconds for a run */
    uint32_t changed, tried;
    bool rounded;           /* that sums of floats differ was said */
    struct wg_strbuf late;  /* orders that took too long */
    struct wg_strbuf names; /* orders that changed the output */
    const char *harmless;   /* a launch that differs where the output does not; NULL: none */
};

static off_t input_at = -1;

bool wg_schedules_read(const struct wg_cmdline *c, uint32_t *n) {
    const char *text = wg_cmdline_value(c, WG_CLI_SCHEDULES);
    *n = 0;
    if (!text) return true;
    unsigned long value = strtoul(text, NULL, 10);
    if (!*text || strspn(text, "0123456789") != strlen(text) || value < 1 || value > MOST) {
        wg_say("--schedules %s: expected a number of orders from 1 to %d", text, MOST);
        return false;
    }
    *n = (uint32_t)value;
    return true;
}

void wg_schedules_begin(void) { input_at = lseek(STDIN_FILENO, 0, SEEK_CUR); }

/* ---- A run ------------------------------------------------------------------------------------------------
 */

static int redirected(int fd, const char *path) {
    int kept = dup(fd), to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (kept >= 0) fcntl(kept, F_SETFD, FD_CLOEXEC);
    if (to >= 0) dup2(to, fd), close(to);
    return kept;
}

static void put_back(int fd, int kept) {
    if (kept >= 0) dup2(kept, fd), close(kept);
}

/* With its output in `out`, and what it found, where that is wanted, in the file of this name. */
static void run(struct trial *t, const char *found, struct outcome *out) {
    const char *scratch = wg_layout_scratch();
    const char *output = wg_arena_printf(t->arena, "%s/output", scratch),
               *messages = wg_arena_printf(t->arena, "%s/messages", scratch);
    struct wg_cmdline line = {.command = t->c->command, .program_args = t->c->program_args};
    const char *seconds = wg_arena_printf(t->arena, "%g", 3 * t->limit);
    if (t->limit > 0) *WG_PUSH(&line.items) = (struct wg_item){WG_CLI_TIMEOUT, "--timeout", seconds};
    for (uint32_t i = 0; i < t->c->items.n; i++)
        if (t->limit <= 0 || t->c->items.v[i].option != WG_CLI_TIMEOUT)
            *WG_PUSH(&line.items) = t->c->items.v[i];
    if (input_at >= 0) lseek(STDIN_FILENO, input_at, SEEK_SET);
    fflush(NULL);
    int kept[2] = {redirected(STDOUT_FILENO, output), redirected(STDERR_FILENO, messages)};
    uint64_t began = wg_now_ns();
    out->status = wg_obtain_result(&line, t->file, t->first, found ? "WARPGLASS_CHECK" : NULL, found);
    out->seconds = (double)(wg_now_ns() - began) * 1e-9;
    put_back(STDOUT_FILENO, kept[0]);
    put_back(STDERR_FILENO, kept[1]);
    wg_file_read(output, &out->text);
    free(line.items.v);
}

/* ---- What it printed --------------------------------------------------------------------------------------
 */

/* Line by line; false: there are no more. */
static bool next_line(const char **at, const char **line, size_t *n) {
    if (!*at || !**at) return false;
    *line = *at;
    *n = strcspn(*at, "\n");
    *at += *n + ((*at)[*n] == '\n');
    return true;
}

static const char *quoted(struct trial *t, bool there, const char *line, size_t n) {
    if (!there) return "nothing";
    return wg_arena_printf(t->arena, "'%.*s%s'", n > SHOWN ? SHOWN : (int)n, line, n > SHOWN ? "..." : "");
}

/* The same but for numbers that are near each other, as sums are that were added up in another order. */
static bool is_near(const char *a, size_t n, const char *b, size_t m) {
    char x[1024], y[1024], *s = x, *t = y, *after_s, *after_t;
    snprintf(x, sizeof x, "%.*s", (int)(n < sizeof x ? n : sizeof x - 1), a);
    snprintf(y, sizeof y, "%.*s", (int)(m < sizeof y ? m : sizeof y - 1), b);
    while (*s && *t) {
        double u = strtod(s, &after_s), v = strtod(t, &after_t);
        if (after_s > s && after_t > t) {
            if (!(fabs(u - v) <= 1e-4 * fmax(fabs(u), fabs(v)))) return false;
            s = after_s;
            t = after_t;
        } else if (*s++ != *t++) {
            return false;
        }
    }
    return *s == *t;
}

/* How the run differs from those in order, as a sentence; NULL: it does not. Lines that are not the same in two runs in
 * order are left out: they tell the time, perhaps. `*sums`: only where sums of floats may differ, which were rounded
 * otherwise; false if anything else does. */
static const char *difference(struct trial *t, const char *order, const struct outcome *o, bool *sums) {
    const char *rounded = NULL, *how;
    const char *at[3] = {t->in_order.text.s, t->again.text.s, o->text.s}, *line[3];
    size_t n[3];
    for (unsigned number = 1;; number++) {
        bool there[3];
        for (int k = 0; k < 3; k++) there[k] = next_line(&at[k], &line[k], &n[k]);
        if (!there[0] && !there[2]) break;
        bool steady =
            there[0] == there[1] && (!there[0] || (n[0] == n[1] && !memcmp(line[0], line[1], n[0])));
        if (!steady || (there[0] && there[2] && n[0] == n[2] && !memcmp(line[0], line[2], n[0]))) continue;
        how = wg_arena_printf(t->arena, "With --schedule %s, line %u of the output is %s; in order it is %s",
                              order, number, quoted(t, there[2], line[2], n[2]),
                              quoted(t, there[0], line[0], n[0]));
        bool near = *sums && there[0] && there[2] && is_near(line[0], n[0], line[2], n[2]);
        if (near && !rounded) rounded = how;
        if (near) continue;
        *sums = false;
        return how;
    }
    if (o->status == t->in_order.status || t->in_order.status != t->again.status) return rounded;
    *sums = false;
    return wg_arena_printf(t->arena, "With --schedule %s, the exit status is %d; in order it is %d", order,
                           o->status, t->in_order.status);
}

/* ---- An order ---------------------------------------------------------------------------------------------
 */

static const struct wg_found *first_launch(const struct wg_findings_file *f) {
    const struct wg_found *first = NULL;
    for (uint32_t i = 0; f && i < f->found_count; i++)
        if (f->found[i].kind == WG_F_order_dependent && (!first || f->found[i].launch < first->launch))
            first = &f->found[i];
    return first;
}

static bool is_known(const struct trial *t, const struct wg_found *x) {
    for (uint32_t i = 0; i < t->into->found_count; i++) {
        const struct wg_found *f = &t->into->found[i];
        if (f->kind == x->kind && (!x->kernel || (f->kernel && !strcmp(f->kernel, x->kernel)))) return true;
    }
    return false;
}

static void add(struct trial *t, const struct wg_found *x) {
    struct wg_found *all = WG_NEW_N(t->into->arena, struct wg_found, t->into->found_count + 1);
    if (t->into->found_count) memcpy(all, t->into->found, t->into->found_count * sizeof *all);
    all[t->into->found_count++] = *x;
    t->into->found = all;
}

static void note(struct trial *t, const char *sentence) {
    for (uint32_t i = 0; i < t->into->note_count; i++)
        if (!strcmp(t->into->notes[i], sentence)) return;
    const char **all = WG_NEW_N(t->into->arena, const char *, t->into->note_count + 1);
    if (t->into->note_count) memcpy(all, t->into->notes, t->into->note_count * sizeof *all);
    all[t->into->note_count++] = sentence;
    t->into->notes = all;
}

static void put_name(struct wg_strbuf *to, const char *order) {
    wg_strbuf_printf(to, "%s%s", to->n ? ", " : "", order);
}

static void tell(struct trial *t, const char *how, const struct wg_found *where) {
    struct wg_found x = {.kind = WG_F_order_dependent, .count = 1, .here = {.op = "the program"}};
    if (where) x = *where;
    x.detail = where ? wg_arena_printf(t->arena, "%s. %s", how, where->detail)
                     : wg_arena_printf(t->arena, "%s. No single launch differs", how);
    if (!is_known(t, &x)) add(t, &x);
}

static void try_order(struct trial *t, const char *order) {
    struct outcome o = {0};
    struct wg_strbuf why = {0};
    const char *path = wg_arena_printf(t->arena, "%s/schedule.json", wg_layout_scratch());
    bool lanes = strchr(order, ',') != NULL;
    setenv("WARPGLASS_SCHEDULE", order, 1);
    if (!lanes) setenv("WARPGLASS_TIMEOUT", wg_arena_printf(t->arena, "%g", t->limit), 1);
    run(t, path, &o);
    unsetenv("WARPGLASS_TIMEOUT");
    unsetenv("WARPGLASS_SCHEDULE");
    struct wg_findings_file *found =
        access(path, F_OK) == 0 ? wg_findings_read(t->into->arena, path, &why) : NULL;
    const struct wg_found *where = first_launch(found);
    /* Which launch adds up floats in the order of its blocks: that is said, and no finding where nothing else differs. */
    const char *sums = found ? found->rounded : NULL;
    bool near = sums != NULL;
    const char *how = o.status == WG_STATUS_TIMEOUT ? NULL : difference(t, order, &o, &near);
    t->tried += o.status != WG_STATUS_TIMEOUT;
    for (uint32_t i = 0; found && i < found->note_count; i++) note(t, found->notes[i]);
    if (o.status == WG_STATUS_TIMEOUT) {
        put_name(&t->late, order);
    } else if (how && near) {
        if (!t->rounded) note(t, wg_arena_printf(t->arena, "%s: %s", how, sums));
        t->rounded = true;
    } else if (how) {
        t->changed++;
        put_name(&t->names, order);
        tell(t, how, where);
    } else if (where && !t->harmless) {
        t->harmless =
            wg_arena_printf(t->arena, "launch %llu, %s", (unsigned long long)where->launch, where->kernel);
    }
    wg_strbuf_free(&o.text);
    wg_strbuf_free(&why);
}

/* ---- All of them ------------------------------------------------------------------------------------------
 */

static void sum_up(struct trial *t) {
    if (t->names.n)
        note(t, wg_arena_printf(t->arena, "%u of %u other orders changed the program's output: %s",
                                t->changed, t->tried, t->names.s));
    else if (t->tried)
        note(t, wg_arena_printf(
                    t->arena,
                    "%s the program's output is the same in %u other order%s of blocks, warps and lanes%s%s",
                    t->rounded ? "apart from that" : "with --schedules", t->tried, t->tried == 1 ? "" : "s",
                    t->harmless ? ", though memory differs after " : "", t->harmless ? t->harmless : ""));
    if (t->late.n)
        note(t, wg_arena_printf(t->arena,
                                "some orders took longer than %g seconds and were stopped, so nothing is "
                                "known about them: %s",
                                3 * t->limit, t->late.s));
}

void wg_schedules_try(const struct wg_cmdline *c, const char *file, const struct wg_item *first, uint32_t n,
                      struct wg_findings_file *into) {
    struct trial t = {.c = c, .file = file, .first = first, .into = into, .arena = into->arena};
    const char *given = wg_cmdline_value(c, WG_CLI_TIMEOUT);
    setenv("WARPGLASS_DETERMINISTIC", "1", 1);
    run(&t, NULL, &t.in_order);
    run(&t, NULL, &t.again);
    unsetenv("WARPGLASS_DETERMINISTIC");
    t.limit = given ? strtod(given, NULL) : TIMES * t.again.seconds;
    if (!given && t.limit < LEAST_SECONDS) t.limit = LEAST_SECONDS;
    for (uint32_t i = 0; i < n && !wg_process_ending_signal(); i++) {
        const char *order = i ? wg_arena_printf(t.arena, "random:%u", i) : "reverse";
        uint32_t changed = t.changed;
        try_order(&t, order);
        if (t.changed == changed && !wg_process_ending_signal())
            try_order(&t, wg_arena_printf(t.arena, "%s,lanes", order));
    }
    sum_up(&t);
    wg_strbuf_free(&t.in_order.text);
    wg_strbuf_free(&t.again.text);
    wg_strbuf_free(&t.late);
    wg_strbuf_free(&t.names);
}
