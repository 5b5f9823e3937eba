/* See obtain.h. The program leaves a result file in the folder for temporary files (count/result.h), which is
 * read when the program has ended, however it did. */
#include "cli/obtain.h"
#include "cli/commands.h"
#include "cli/layout.h"
#include "cli/process.h"
#include "cli/machine_code.h"
#include "cli/registers.h"
#include "cli/say.h"
#include "report/annotation.h"
#include "report/source_root.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool wg_obtain_is_report(const char *file) {
    size_t n = strlen(file);
    return n > 5 && !strcmp(file + n - 5, ".json");
}

static struct wg_profile *read_report(struct wg_arena *arena, const char *file, int *status) {
    struct wg_strbuf why = {0};
    struct wg_profile *r = wg_profile_read(arena, file, &why);
    if (!r) wg_say("%s", why.s);
    *status = r ? 0 : 1;
    wg_strbuf_free(&why);
    return r;
}

/* The command line with which to run this program, as this command: of the files this one, once, or with NULL all. */
static struct wg_cmdline as_run(const struct wg_cmdline *c, const char *file, const struct wg_item *first) {
    struct wg_cmdline run = {.command = c->command, .program_args = c->program_args};
    bool there = false;
    if (first) *WG_PUSH(&run.items) = *first;
    for (uint32_t i = 0; i < c->items.n; i++) {
        const struct wg_item *item = &c->items.v[i];
        if (item->option == WG_CLI_FILE && file && (there || strcmp(item->value, file) != 0)) continue;
        there |= item->option == WG_CLI_FILE;
        *WG_PUSH(&run.items) = *item;
    }
    return run;
}

const char *wg_obtain_single(const struct wg_cmdline *c, uint32_t *files) {
    const char *file = NULL;
    *files = 0;
    for (uint32_t i = 0; i < c->items.n; i++)
        if (c->items.v[i].option == WG_CLI_FILE && !(*files)++) file = c->items.v[i].value;
    return *files == 1 ? file : NULL;
}

int wg_obtain_result(const struct wg_cmdline *c, const char *file, const struct wg_item *first,
                     const char *variable, const char *path) {
    if (path) unlink(path);
    if (variable) setenv(variable, path, 1);
    struct wg_cmdline line = as_run(c, file, first);
    int status = wg_command_run(&line);
    wg_cmdline_free(&line);
    if (variable) unsetenv(variable);
    return status;
}

void wg_obtain_say_nothing(const char *file, int status, const char *what) {
    if (status != 1 && status != 2 && status < WG_STATUS_CANNOT_RUN) /* those were said */
        wg_say(status == WG_STATUS_TIMEOUT ? "%s was stopped before it reported anything, so %s"
                                           : "%s made no CUDA call that reached Warpglass, so %s",
               file ? file : "the program", what);
}

/* "3", "3:7", "3:", ":7" */
static bool read_range(const char *s, uint32_t *first, uint32_t *last) {
    char *end;
    *first = 0, *last = UINT32_MAX;
    if (*s != ':') {
        if (*s < '0' || *s > '9') return false;
        *first = (uint32_t)strtoul(s, &end, 10);
        if (!*end) *last = *first;
        s = end;
    }
    if (!*s) return true;
    if (*s++ != ':') return false;
    if (!*s) return true;
    if (*s < '0' || *s > '9') return false;
    *last = (uint32_t)strtoul(s, &end, 10);
    return !*end && *last >= *first;
}

/* The launches to count, for driver/profile.c: the others run as without a profile. */
static void set_numbers(struct wg_arena *arena, const struct wg_cmdline *c) {
    const char *numbers = wg_cmdline_value(c, WG_CLI_LAUNCHES);
    uint32_t first, last;
    if (!numbers || !read_range(numbers, &first, &last)) return;
    setenv("WARPGLASS_PROFILE_LAUNCHES", wg_arena_printf(arena, "%u:%u", first, last), 1);
    if (wg_cmdline_has(c, WG_CLI_KILL)) setenv("WARPGLASS_PROFILE_KILL", "1", 1);
}

/* What is to be counted, for driver/profile.c. NVTX's header looks for the library that listens under this name, where
 * the program has not loaded it yet. */
static void set_counted(struct wg_arena *arena, const struct wg_cmdline *c) {
    const char *from_start = wg_cmdline_value(c, WG_CLI_FROM_START), *ranges = "";
    for (uint32_t i = 0; i < c->items.n; i++)
        if (c->items.v[i].option == WG_CLI_NVTX)
            ranges = wg_arena_printf(arena, "%s%s\n", ranges, c->items.v[i].value);
    if (from_start && !strcmp(from_start, "off")) setenv("WARPGLASS_PROFILE_FROM_START", "0", 1);
    set_numbers(arena, c);
    if (!*ranges) return;
    setenv("WARPGLASS_NVTX", ranges, 1);
    setenv("NVTX_INJECTION64_PATH", wg_arena_printf(arena, "%s/libcuda.so.1", wg_layout_libraries()), 1);
}

/* What a process has just left. */
static struct wg_profile *read_result(struct wg_arena *arena, const char *path) {
    struct wg_strbuf why = {0};
    struct wg_profile *r = wg_profile_read(arena, path, &why);
    if (!r) wg_say("%s", why.s);
    wg_strbuf_free(&why);
    if (!r) return NULL;
    r->path = ""; /* it is gone when the command ends */
    wg_registers_ask(r);
    wg_machine_code_ask(arena, r);
    return r;
}

static struct wg_profile *run(struct wg_arena *arena, const struct wg_cmdline *c, const char *file,
                              int *status, struct wg_processes *several) {
    struct wg_profile *r = NULL;
    *status = 1;
    if (!wg_processes_begin(arena, c, several)) return NULL;
    set_counted(arena, c);
    if (wg_cmdline_has(c, WG_CLI_REPORT_TRACE)) setenv("WARPGLASS_TRACE", "1", 1);
    *status = wg_obtain_result(c, file, NULL, "WARPGLASS_PROFILE", several->folder);
    unsetenv("WARPGLASS_TRACE");
    *status = wg_processes_look(several, c, *status);
    if (several->n > 1) return NULL;
    if (several->n)
        r = read_result(arena, several->file[0]);
    else if (!c->of_rank)
        wg_obtain_say_nothing(file, *status, "there is nothing to report");
    if (!r && !*status && !c->of_rank) *status = 1;
    return r;
}

struct wg_profile *wg_obtain(struct wg_arena *arena, const struct wg_cmdline *c, const char *file,
                             int *status, struct wg_processes *several) {
    several->n = 0;
    if (c->left) {
        struct wg_profile *r = read_result(arena, c->left);
        *status = r ? c->left_status : 1;
        return r;
    }
    return file && wg_obtain_is_report(file) ? read_report(arena, file, status)
                                             : run(arena, c, file, status, several);
}

bool wg_obtain_write(const char *path, struct wg_strbuf *text) {
    bool good = wg_file_write(path, text->s ? text->s : "", text->n);
    if (!good) wg_say("%s: %s", path, strerror(errno));
    wg_strbuf_free(text);
    return good;
}

bool wg_obtain_choice(const struct wg_cmdline *c, struct wg_choice *choice) {
    const char *launches = wg_cmdline_value(c, WG_CLI_LAUNCHES);
    struct wg_arena arena = {0};
    struct wg_strbuf why = {0};
    struct wg_profile none = {0};
    struct wg_summaries nothing;
    *choice = WG_CHOOSE_ALL;
    choice->kernel = wg_cmdline_value(c, WG_CLI_KERNEL);
    bool good = !launches || read_range(launches, &choice->first, &choice->last);
    if (!good) {
        wg_say("--launches %s: expected launch numbers, such as 0:3, 2 or 5:", launches);
    } else if (wg_cmdline_has(c, WG_CLI_KILL) && choice->last == UINT32_MAX) {
        wg_say("--kill: say which launch is the last to be counted, such as --launches 0:3");
        good = false;
    } else if (!wg_summarise(&arena, &none, choice, &nothing, &why)) { /* tried on nothing */
        wg_say("--kernel: %s", why.s);
        good = false;
    }
    wg_strbuf_free(&why);
    wg_arena_free(&arena);
    return good;
}

bool wg_obtain_root(const struct wg_cmdline *c, struct wg_arena *arena, const char **root) {
    const char *given = wg_cmdline_value(c, WG_CLI_SOURCE_ROOT);
    struct stat st;
    if (given && (stat(given, &st) != 0 || (!S_ISDIR(st.st_mode) && (errno = ENOTDIR)))) {
        wg_say("--source-root %s: %s", given, strerror(errno));
        return false;
    }
    *root = wg_source_root_of(arena, given);
    return true;
}

void wg_obtain_annotate(struct wg_strbuf *annotations) {
    struct wg_strbuf shown = {0};
    if (annotations->n && wg_annotation_wanted()) {
        wg_strbuf_shown(&shown, annotations->s, annotations->n);
        fputs(shown.s, stderr);
    }
    wg_strbuf_free(&shown);
    wg_strbuf_free(annotations);
}

bool wg_obtain_format(const struct wg_cmdline *c, bool *gcc) {
    const char *format = wg_cmdline_value(c, WG_CLI_FORMAT);
    *gcc = format && !strcmp(format, "gcc");
    if (!format || *gcc || !strcmp(format, "text")) return true;
    wg_say("--format %s: expected text or gcc", format);
    return false;
}

/* ---- Where reports go -------------------------------------------------------------------------------------
 */

static bool is_report_file(const struct wg_cmdline *c, const struct wg_item *item) {
    switch (item->option) {
    case WG_CLI_REPORT_JSON:
    case WG_CLI_REPORT_CSV:
    case WG_CLI_REPORT_HTML:
    case WG_CLI_REPORT_TRACE:
    case WG_CLI_CHECK_JSON:
    case WG_CLI_CHECK_SARIF:
    case WG_CLI_CHECK_JUNIT:
    case WG_CLI_SUITE_HTML:
    case WG_CLI_SUITE_JSON:
    case WG_CLI_MERGE_HTML:
    case WG_CLI_MERGE_JSON:
    case WG_CLI_MERGE_JUNIT:
    case WG_CLI_SUITE_JUNIT:
        return item->value == wg_cmdline_value(c, item->option); /* the last one counts */
    default: return false;
    }
}

static bool is_same_file(const char *a, const char *b) {
    struct stat x, y;
    if (stat(a, &x) != 0) return stat(b, &y) != 0 && !strcmp(a, b);
    return stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_ino == y.st_ino && x.st_dev == y.st_dev;
}

/* A report may be written anew, in JSON, over the one that it is made of. */
static bool is_input(const struct wg_item *item, enum wg_option report) {
    if (item->option == WG_CLI_FILE) return report != WG_CLI_REPORT_JSON || !wg_obtain_is_report(item->value);
    return item->option == WG_CLI_BUDGET || item->option == WG_CLI_SUPPRESS;
}

/* Said before the program has run for an hour, not after. */
static bool may_be_written(const struct wg_item *to) {
    struct wg_arena arena = {0};
    const char *slash = strrchr(to->value, '/');
    const char *folder = !slash ? "." : wg_arena_strndup(&arena, to->value, (size_t)(slash - to->value) + 1);
    struct stat st;
    bool there = stat(to->value, &st) == 0, good = access(there ? to->value : folder, W_OK) == 0;
    if (there && S_ISDIR(st.st_mode)) errno = EISDIR, good = false;
    if (!good) wg_say("%s %s: %s", to->spelling, to->value, strerror(errno));
    wg_arena_free(&arena);
    return good;
}

bool wg_obtain_may_write(const struct wg_cmdline *c) {
    for (uint32_t i = 0; i < c->items.n; i++)
        if (is_report_file(c, &c->items.v[i]) && !may_be_written(&c->items.v[i])) return false;
    return true;
}

bool wg_obtain_check_files(const struct wg_cmdline *c) {
    for (uint32_t i = 0; i < c->items.n; i++) {
        const struct wg_item *to = &c->items.v[i];
        if (!is_report_file(c, to)) continue;
        for (uint32_t j = 0; j < c->items.n; j++) {
            const struct wg_item *other = &c->items.v[j];
            bool is_read = is_input(other, to->option);
            if (!is_read && (j >= i || !is_report_file(c, other))) continue;
            if (!is_same_file(to->value, other->value)) continue;
            if (is_read)
                wg_say("%s %s: this would overwrite an input file", to->spelling, to->value);
            else
                wg_say("%s and %s would both write %s; give each its own file", other->spelling, to->spelling,
                       to->value);
            return false;
        }
    }
    return true;
}
