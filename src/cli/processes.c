/* See processes.h. */
#include "cli/processes.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "cli/layout.h"
#include "cli/merge.h"
#include "cli/process.h"
#include "cli/say.h"
#include "cli/terminal.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LOOK_MS = 20,
    SAY_AFTER_MS = 2000,
    LAST_MS = 2000,
    KEY = 16 + 1 + 10 /* of a file's name: when the process began, and its number */
};

bool wg_processes_begin(struct wg_arena *a, const struct wg_cmdline *c, struct wg_processes *p) {
    const char *scratch = wg_layout_scratch(); /* its guard is no process of the program */
    if (!scratch) return false;
    *p = (struct wg_processes){.arena = a,
                               .folder = c->leave ? c->leave : wg_arena_printf(a, "%s/processes/", scratch)};
    wg_layout_remove(p->folder);
    /* Whose parent has ended becomes a child of this process. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    wg_descendants_find(getpid(), NULL, &p->others);
    if (mkdir(p->folder, 0700) == 0) return true;
    wg_say("%s: %s", p->folder, strerror(errno));
    return false;
}

/* ---- What there is ----------------------------------------------------------------------------------------
 */

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list(struct wg_processes *p) {
    WG_VEC(const char *) names = {0};
    DIR *d = opendir(p->folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n > 5 && !strcmp(e->d_name + n - 5, ".json"))
            *WG_PUSH(&names) = wg_arena_printf(p->arena, "%s%s", p->folder, e->d_name);
    }
    if (d) closedir(d);
    if (names.n) qsort(names.v, names.n, sizeof *names.v, by_name);
    p->n = names.n;
    p->file = WG_NEW_N(p->arena, const char *, names.n + 1);
    p->replaced = WG_NEW_N(p->arena, bool, names.n + 1);
    size_t folder = strlen(p->folder);
    for (uint32_t i = 0; i < names.n; i++) {
        p->file[i] = names.v[i];
        p->replaced[i] = i + 1 < names.n && strlen(names.v[i] + folder) > KEY &&
                         !strncmp(names.v[i] + folder, names.v[i + 1] + folder, KEY);
    }
    free(names.v);
}

static json_t *load(const char *path) { return json_load_file(path, 0, NULL); }

static bool ended_by_itself(const json_t *root) {
    const char *ended = json_string_value(json_object_get(root, "ended"));
    return ended && !strcmp(ended, "exit");
}

/* Asked for the number of devices, perhaps, and did nothing with them. */
static bool is_idle(const struct wg_processes *p, uint32_t i) {
    static const char *const work[] = {"kernels", "library", "copies", "findings", "notes"};
    json_t *root = load(p->file[i]);
    bool idle = ended_by_itself(root) || p->replaced[i];
    for (size_t k = 0; k < sizeof work / sizeof *work; k++)
        idle &= json_array_size(json_object_get(root, work[k])) == 0;
    idle &= !json_object_get(root, "note");
    json_decref(root);
    return idle;
}

void wg_processes_find(struct wg_processes *p) {
    uint32_t kept = 0;
    list(p);
    for (uint32_t i = 0; i < p->n; i++) {
        if (is_idle(p, i) && (kept || i + 1 < p->n)) continue;
        p->replaced[kept] = p->replaced[i];
        p->file[kept++] = p->file[i];
    }
    p->n = kept;
}

/* The process that leaves this file, with this beginning, is there, and no mere memory of one. */
static bool lives(const struct wg_processes *p, uint32_t i) {
    unsigned long long began = 0;
    struct wg_proc now;
    int pid = 0;
    if (sscanf(p->file[i] + strlen(p->folder), "%16llx-%10d", &began, &pid) != 2) return false;
    return wg_proc_read(pid, &now) && now.began == began && now.state != 'Z' && now.state != 'X';
}

/* Until all have ended, those too that have not come to use a device, or somebody asks for an end. False: the time that the program had
 * is over once more, and they were ended. */
static bool wait_for_all(const struct wg_processes *p, double seconds) {
    struct wg_descendants running = {0};
    bool late = false;
    sigset_t end, before;
    sigemptyset(&end), sigaddset(&end, SIGTERM), sigaddset(&end, SIGINT), sigaddset(&end, SIGHUP);
    sigprocmask(SIG_BLOCK, &end, &before);
    for (int waited = 0; !late; waited += LOOK_MS) {
        wg_descendants_find(getpid(), &p->others, &running);
        if (!running.all.n) break;
        if (waited == SAY_AFTER_MS)
            wg_say("the program has ended; waiting for %u process%s of it", running.all.n,
                   running.all.n == 1 ? "" : "es");
        late = seconds > 0 && waited > seconds * 1000;
        if (sigtimedwait(&end, NULL, &(struct timespec){0, LOOK_MS * 1000000L}) > 0) break;
    }
    if (late) wg_say("its processes were stopped after %g seconds more (--timeout)", seconds);
    if (late) wg_descendants_end(&running, LAST_MS);
    sigprocmask(SIG_SETMASK, &before, NULL);
    wg_descendants_free(&running);
    return !late;
}

int wg_processes_look(struct wg_processes *p, const struct wg_cmdline *c, int status) {
    const char *seconds = wg_cmdline_value(c, WG_CLI_TIMEOUT);
    if (status != WG_STATUS_TIMEOUT && !wg_process_ending_signal() &&
        !wait_for_all(p, seconds ? strtod(seconds, NULL) : 0))
        status = WG_STATUS_TIMEOUT;
    wg_descendants_free(&p->others);
    wg_processes_find(p);
    return status;
}

/* ---- One report -------------------------------------------------------------------------------------------
 */

struct reporting {
    const struct wg_cmdline *c;
    const struct wg_processes *p;
    const char *kept; /* the folder of each process's own report */
    int status;       /* the greatest of the reports' own */
};

static const char *own_file(const struct reporting *r, uint32_t i, const char *end) {
    return wg_arena_printf(r->p->arena, "%s/process-%u%s", r->kept, i, end);
}

static bool takes_options(const struct reporting *r) {
    static const enum wg_option own[] = {WG_CLI_REPORT_CSV, WG_CLI_REPORT_TRACE};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const char *path = wg_cmdline_value(r->c, own[i]);
        if (!path) continue;
        wg_say("%s was not written: %u processes used a device, and each has one of its own. Leave their "
               "reports with "
               "--results DIR, for \"warpglass profile %s FILE DIR/process-0.json\"",
               path, r->p->n, own[i] == WG_CLI_REPORT_CSV ? "--csv" : "--trace");
        return false;
    }
    return true;
}

static bool make_folder(struct reporting *r) {
    const char *results = wg_cmdline_value(r->c, WG_CLI_RESULTS);
    r->kept = results ? results : wg_arena_printf(r->p->arena, "%sreports", r->p->folder);
    if (mkdir(r->kept, 0777) == 0 || errno == EEXIST) return true;
    wg_say("%s: %s", r->kept, strerror(errno));
    return false;
}

static void report_one(struct reporting *r, int (*command)(const struct wg_cmdline *), uint32_t i,
                       int status) {
    struct wg_cmdline own = wg_merge_own(r->c, own_file(r, i, ".json"), own_file(r, i, ".sarif"));
    own.left = r->p->file[i];
    own.left_status = status == WG_STATUS_TIMEOUT ? status : 0;
    wg_terminal_silence(true);
    int own_status = command(&own);
    wg_terminal_silence(false);
    if (own_status > r->status && own_status != WG_STATUS_TIMEOUT) r->status = own_status;
    free(own.items.v);
}

/* A process that was asked to end, or ended without a word, is its parent's affair; one that crashed is not. */
static int crashed(const struct wg_merge *m, const struct wg_processes *p) {
    static const int asking[] = {SIGTERM, SIGINT, SIGHUP, SIGKILL, SIGPIPE};
    int status = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        json_t *root = load(p->file[i]);
        const char *ended = json_string_value(json_object_get(root, "ended"));
        int sig =
            ended && !strcmp(ended, "signal") ? (int)json_integer_value(json_object_get(root, "status")) : 0;
        for (size_t k = 0; k < sizeof asking / sizeof *asking; k++)
            if (sig == asking[k]) sig = 0;
        if (sig && WG_STATUS_SIGNAL + sig > status) status = WG_STATUS_SIGNAL + sig;
        if (m->ranks[i].missing && !status) status = 1;
        json_decref(root);
    }
    return status;
}

/* What stands for "running" in its file. */
static void say_how(struct wg_merge *m, const struct wg_processes *p) {
    for (uint32_t i = 0; i < p->n; i++) {
        struct wg_merge_rank *r = &m->ranks[i];
        if (!r->ended || strcmp(r->ended, "running") != 0) continue;
        r->ended = p->replaced[i] ? "exec: another program took its place"
                   : lives(p, i)  ? "it still ran when the program had ended"
                                  : "_exit, exec or SIGKILL";
    }
}

int wg_processes_report(const struct wg_cmdline *c, int (*command)(const struct wg_cmdline *),
                        const struct wg_processes *p, int status) {
    struct reporting r = {.c = c, .p = p};
    struct wg_merge m;
    if (c->of_rank) {
        wg_say("%u processes of a rank used a device: a report of ranks takes one of each", p->n);
        return 1;
    }
    if (!make_folder(&r)) return 1;
    const char **sarifs = WG_NEW_N(p->arena, const char *, p->n);
    wg_merge_begin(&m, p->n);
    m.processes = true;
    for (uint32_t i = 0; i < p->n; i++) {
        report_one(&r, command, i, status);
        sarifs[i] = own_file(&r, i, ".sarif");
        wg_merge_add(&m, i, own_file(&r, i, ".json"));
    }
    say_how(&m, p);
    bool good = wg_merge_print(c, &m, sarifs);
    good &= takes_options(&r);
    int crash = crashed(&m, p);
    wg_merge_free(&m);
    /* What was found wins over the program's status, which may well come of it. */
    if (c->command == WG_CMD_CHECK && r.status == WG_STATUS_FOUND && status != WG_STATUS_DIFFERS)
        return r.status;
    return status ? status : crash ? crash : r.status ? r.status : !good;
}
