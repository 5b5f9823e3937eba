/* `warpglass suite`: runs the programs that a file lists, as many at a time as there are cores, or as ranks of mpirun and
 * srun, and reports of all together. All commands of the file are read before the first program runs. */
#include "base/thread.h"
#include "cli/commands.h"
#include "cli/layout.h"
#include "cli/obtain.h"
#include "cli/ranks.h"
#include "cli/say.h"
#include "cli/suite_workers.h"
#include "cli/terminal.h"
#include "suite/outcome.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { STATUS_UNEXPECTED = 3, MOST_JOBS = 4096 };

struct suiting {
    const struct wg_cmdline *c;
    struct wg_arena arena;
    struct wg_suite suite;
    struct wg_suite_run run;
    struct wg_ranks ranks;
    uint32_t jobs;
    double since;
};

/* ---- Before anything runs ---------------------------------------------------------------------------------
 */

static bool fail_line(const struct suiting *k, const struct wg_suite_program *p, const char *what) {
    wg_say("%s:%u: %s: %s", k->suite.path, p->line, p->name, what);
    return false;
}

/* A command of the suite is one of run, check and profile, of which the suite keeps the JSON report. */
static bool check_command(struct suiting *k, const struct wg_suite_program *p, char **words) {
    struct wg_cmdline own;
    struct wg_strbuf why = {0};
    bool good = wg_cmdline_parse(&own, words, &why), file = false;
    for (uint32_t i = 0; i < own.items.n; i++) file |= own.items.v[i].option == WG_CLI_FILE;
    if (!good)
        fail_line(k, p, why.s);
    else if (own.command != WG_CMD_RUN && own.command != WG_CMD_CHECK && own.command != WG_CMD_PROFILE)
        good = fail_line(k, p, "the command is run, check or profile, such as \"run saxpy.cu\"");
    else if (wg_cmdline_has(&own, WG_CLI_REPORT_JSON) || wg_cmdline_has(&own, WG_CLI_CHECK_JSON))
        good = fail_line(k, p, "the suite itself has the program write a JSON report, so leave --json out");
    else if (!file)
        good = fail_line(k, p, "which program? \"run FILE.cu\"");
    wg_strbuf_free(&why);
    wg_cmdline_free(&own);
    return good;
}

static bool check_commands(struct suiting *k) {
    bool good = true;
    for (uint32_t i = 0; i < k->suite.n; i++) {
        struct wg_args words = {0};
        wg_args_add(&words, "warpglass");
        wg_args_add_words(&words, k->suite.v[i].command, " \t\r\n");
        good &= check_command(k, &k->suite.v[i], words.v);
        wg_args_free(&words);
    }
    return good;
}

static bool read_jobs(struct suiting *k) {
    const char *text = wg_cmdline_value(k->c, WG_CLI_JOBS), *seconds = wg_cmdline_value(k->c, WG_CLI_TIMEOUT);
    char *end;
    k->jobs = k->ranks.launcher ? 1 : wg_cpus();
    if (seconds && (strtod(seconds, &end) < 0.001 || *end)) {
        wg_say("--timeout %s: expected a number of seconds, such as 10 or 0.5", seconds);
        return false;
    }
    if (!text) return true;
    unsigned long n = strtoul(text, NULL, 10);
    if (strspn(text, "0123456789") != strlen(text) || !n || n > MOST_JOBS) {
        wg_say("--jobs %s: expected a whole number from 1 to %d", text, MOST_JOBS);
        return false;
    }
    k->jobs = (uint32_t)n;
    return true;
}

static bool read_suite(struct suiting *k) {
    struct wg_strbuf why = {0};
    uint32_t files;
    const char *path = wg_obtain_single(k->c, &files);
    if (!path) {
        wg_say(files ? "suite takes one file, which lists all programs"
                     : "which suite? \"warpglass suite FILE\"");
        return false;
    }
    bool good = wg_suite_read(&k->arena, path, &k->suite, &why);
    if (!good) wg_say("%s", why.s);
    wg_strbuf_free(&why);
    return good && check_commands(k);
}

/* ---- The run ----------------------------------------------------------------------------------------------
 */

/* The folder of results, beside the suite unless named; whole, because commands run elsewhere. */
static const char *results_folder(struct suiting *k) {
    const char *given = wg_cmdline_value(k->c, WG_CLI_RESULTS);
    const char *path = given ? given : wg_arena_printf(&k->arena, "%s.results", k->suite.path);
    if (mkdir(path, 0777) == 0 || errno == EEXIST) {
        char *whole = realpath(path, NULL);
        if (whole) path = wg_arena_strdup(&k->arena, whole);
        free(whole);
        return path;
    }
    wg_say("%s: %s", path, strerror(errno));
    return NULL;
}

/* Commands name files as somebody beside the suite does. */
static const char *suite_folder(struct suiting *k) {
    const char *slash = strrchr(k->suite.path, '/');
    if (!slash) return ".";
    return slash == k->suite.path
               ? "/"
               : wg_arena_strndup(&k->arena, k->suite.path, (size_t)(slash - k->suite.path));
}

static bool begin(struct suiting *k, bool *over) {
    struct wg_strbuf why = {0};
    const char *folder = results_folder(k);
    if (!folder) return false;
    bool good = wg_suite_begin(&k->arena, folder, k->ranks.rank, k->ranks.size,
                               wg_cmdline_has(k->c, WG_CLI_AGAIN), &k->run, over, &why);
    if (!good) wg_say("%s", why.s);
    if (good && k->run.outdated) wg_layout_remove(k->run.outdated);
    wg_strbuf_free(&why);
    if (good) wg_suite_last_times(&k->arena, &k->run, &k->suite);
    return good;
}

static bool work(struct suiting *k, int *signal) {
    uint32_t at_once = k->jobs * k->ranks.here, cpus = wg_cpus();
    struct wg_suite_work w = {.suite = &k->suite,
                              .run = &k->run,
                              .order = wg_suite_order(&k->arena, &k->suite),
                              .folder = suite_folder(k),
                              .timeout = wg_cmdline_value(k->c, WG_CLI_TIMEOUT),
                              .jobs = k->jobs < k->suite.n ? k->jobs : k->suite.n,
                              .threads = cpus > at_once ? cpus / at_once : 1};
    return wg_suite_run_all(&w, signal);
}

/* ---- The report -------------------------------------------------------------------------------------------
 */

static bool write_files(struct suiting *k, const struct wg_suite_outcomes *o) {
    const char *html = wg_cmdline_value(k->c, WG_CLI_SUITE_HTML),
               *json = wg_cmdline_value(k->c, WG_CLI_SUITE_JSON),
               *junit = wg_cmdline_value(k->c, WG_CLI_SUITE_JUNIT);
    struct wg_strbuf text = {0};
    bool good = true;
    if (html) {
        wg_suite_html(&text, &k->arena, o);
        good &= wg_obtain_write(html, &text);
    }
    if (json) {
        wg_suite_json(&text, o);
        good &= wg_obtain_write(json, &text);
    }
    if (junit) {
        wg_suite_junit(&text, o);
        good &= wg_obtain_write(junit, &text);
    }
    return good;
}

static int report(struct suiting *k, bool good, int signal) {
    struct wg_suite_outcomes o;
    struct wg_strbuf text = {0}, missing = {0};
    if (good && !signal) wg_suite_missing_ranks(&k->run, &missing);
    wg_suite_outcomes(&k->arena, &k->suite, &k->run, k->since, missing.s ? missing.s : "", &o);
    struct wg_paint p = wg_terminal_paint(&text);
    wg_suite_text(&p, &k->arena, &o);
    good &= wg_terminal_print(&text);
    good &= write_files(k, &o);
    if (!o.unended && !wg_suite_complete(&k->run)) {
        wg_say("%s: %s", k->run.folder, strerror(errno));
        good = false;
    }
    if (o.unended)
        wg_say("%u of %u programs have not ended: the same command continues with them", o.unended, o.n);
    wg_strbuf_free(&text);
    wg_strbuf_free(&missing);
    if (signal) return WG_STATUS_SIGNAL + signal;
    return !good || o.unended ? 1 : o.bad ? STATUS_UNEXPECTED : 0;
}

static int run(struct suiting *k) {
    bool over;
    int signal = 0;
    if (!begin(k, &over)) return 1;
    if (over) return 0;
    bool good = work(k, &signal);
    if (!k->run.rank) return report(k, good, signal);
    return signal ? WG_STATUS_SIGNAL + signal : !good;
}

int wg_command_suite(const struct wg_cmdline *c) {
    struct suiting k = {.c = c, .ranks = wg_ranks_of_process()};
    struct timespec now;
    int status = 2;
    clock_gettime(CLOCK_REALTIME, &now);
    k.since = (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
    if (read_jobs(&k) && read_suite(&k) && wg_obtain_check_files(c)) {
        status = 1;
        if (wg_obtain_may_write(c)) status = run(&k);
    }
    wg_arena_free(&k.arena);
    return status;
}
