/* profile and check under mpirun or srun: each rank runs its program and leaves a report in a folder that ranks share, and rank 0
 * makes one report of them all (report/merge.h). Nobody needs MPI for that. When a rank's program crashes, or goes without
 * MPI_Finalize, the others would wait for its messages for ever: after a while they are asked to end, and leave what they
 * know. So the launcher never has to kill anybody, and rank 0 lives to tell. */
#include "cli/commands.h"
#include "base/clock.h"
#include "cli/layout.h"
#include "cli/merge.h"
#include "cli/obtain.h"
#include "cli/ranks.h"
#include "cli/say.h"
#include "cli/terminal.h"
#include "suite/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { POLL_NS = 100000000, GRACE_SECONDS = 5, DEAD_LOOKS = 10 };
static const char folder_name[] = "warpglass-ranks";

struct ranked {
    const struct wg_cmdline *c;
    struct wg_arena arena;
    struct wg_suite_run run;
    const char *stop; /* the file that asks all programs to end */
    int own;          /* the rank's file, locked as long as it lives */
    atomic_bool over;
    pthread_t watcher;
};

static void pause_a_moment(void) { nanosleep(&(struct timespec){0, POLL_NS}, NULL); }
static const char *rank_file(struct wg_arena *a, const struct ranked *k, const char *room, uint32_t rank,
                             const char *end) {
    return wg_arena_printf(a, "%s/%s/%u%s", k->run.folder, room, rank, end);
}

/* ---- A rank's own program ---------------------------------------------------------------------------------
 */

static void *watch(void *user) {
    struct ranked *k = user;
    while (!atomic_load(&k->over)) {
        if (access(k->stop, F_OK) == 0) wg_process_end_child(SIGTERM);
        pause_a_moment();
    }
    return NULL;
}

/* One file for each rank, or one that all write over each other's: neither is what was asked for. */
static bool takes_options(const struct ranked *k) {
    for (uint32_t i = 0; i < k->c->items.n; i++) {
        enum wg_option o = k->c->items.v[i].option;
        if (o != WG_CLI_REPORT_CSV && o != WG_CLI_REPORT_TRACE) continue;
        if (!k->run.rank)
            wg_say("%s: each rank has one of its own: leave the reports with --results DIR, for "
                   "\"warpglass profile --csv FILE DIR/run-1/reports/0.json\"",
                   k->c->items.v[i].spelling);
        return false;
    }
    return true;
}

/* What the rank does in MPI. Its program may be somewhere else when it begins. */
static const char *events_file(struct ranked *k) {
    const char *path = rank_file(&k->arena, k, "reports", k->run.rank, ".mpi");
    char *here = *path == '/' ? NULL : getcwd(NULL, 0);
    if (here) path = wg_arena_printf(&k->arena, "%s/%s", here, path);
    free(here);
    return path;
}

static int run_program(struct ranked *k, int (*command)(const struct wg_cmdline *)) {
    bool profile = k->c->command == WG_CMD_PROFILE;
    struct wg_cmdline own = {.command = k->c->command, .program_args = k->c->program_args, .of_rank = true};
    for (uint32_t i = 0; i < k->c->items.n; i++)
        if (!wg_merge_is_file(k->c->items.v[i].option)) *WG_PUSH(&own.items) = k->c->items.v[i];
    *WG_PUSH(&own.items) = (struct wg_item){profile ? WG_CLI_REPORT_JSON : WG_CLI_CHECK_JSON, "--json",
                                            rank_file(&k->arena, k, "reports", k->run.rank, ".json")};
    if (wg_cmdline_has(k->c, WG_CLI_CHECK_SARIF))
        *WG_PUSH(&own.items) = (struct wg_item){WG_CLI_CHECK_SARIF, "--sarif",
                                                rank_file(&k->arena, k, "reports", k->run.rank, ".sarif")};
    setenv("WARPGLASS_MPI_EVENTS", events_file(k), 1);
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    bool watched = pthread_create(&k->watcher, NULL, watch, k) == 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    wg_terminal_silence(true);
    int status = command(&own);
    wg_terminal_silence(false);
    atomic_store(&k->over, true);
    if (watched) pthread_join(k->watcher, NULL);
    free(own.items.v);
    return status;
}

/* How it ended, for rank 0. "left": others may wait for it. */
static bool note(struct ranked *k, int status, bool left) {
    const char *text = wg_arena_printf(&k->arena, "%d%s\n", status, left ? " left" : ""),
               *path = rank_file(&k->arena, k, "results", k->run.rank, "");
    if (wg_file_write(path, text, strlen(text))) return true;
    wg_say("%s: %s", path, strerror(errno));
    return false;
}

static bool live(struct ranked *k) {
    const char *path = rank_file(&k->arena, k, "ranks", k->run.rank, "");
    k->own = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (k->own >= 0 && flock(k->own, LOCK_EX) == 0) return true;
    wg_say("%s: %s", path, strerror(errno));
    return false;
}

/* ---- What has become of the others ------------------------------------------------------------------------
 */

enum state { RUNS, ENDED, DEAD };

/* Nobody holds its file, or there is none. */
static bool is_gone(const struct ranked *k, uint32_t rank) {
    struct wg_arena a = {0};
    int fd = open(rank_file(&a, k, "ranks", rank, ""), O_RDONLY | O_CLOEXEC);
    bool gone = fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0) close(fd);
    wg_arena_free(&a);
    return gone;
}

static enum state state_of(const struct ranked *k, uint32_t rank, int *status, bool *left) {
    struct wg_arena a = {0};
    struct wg_strbuf text = {0};
    enum state s = RUNS;
    if (wg_file_read(rank_file(&a, k, "results", rank, ""), &text)) {
        *status = text.s ? atoi(text.s) : 1;
        *left = text.s && strstr(text.s, "left");
        s = ENDED;
    } else if (rank != k->run.rank && is_gone(k, rank)) {
        s = DEAD;
    }
    wg_strbuf_free(&text);
    wg_arena_free(&a);
    return s;
}

static bool is_past(uint64_t began) { return wg_now_ns() - began > GRACE_SECONDS * UINT64_C(1000000000); }

/* Of a rank whose program crashed or left. Launchers kill all when one goes that did not take leave of MPI; it stays until rank 0,
 * whose program may wait for this one, has reported and gone. */
static void wait_for_report(struct ranked *k) {
    uint64_t began = wg_now_ns();
    bool asked = false; /* once: rank 0 may be removing the folder */
    for (int dead = 0; dead < DEAD_LOOKS; pause_a_moment()) {
        dead = is_gone(k, 0) ? dead + 1 : 0;
        if (!dead && !asked && is_past(began)) asked = wg_file_write(k->stop, "", 0);
    }
}

/* Until all have ended or died. Somebody who crashed is waited for by others, who are asked to end. */
static void wait_for_all(struct ranked *k, int *statuses) {
    uint64_t crashed = 0;
    uint32_t *dead = WG_NEW_N(&k->arena, uint32_t, k->run.size);
    for (bool running = true; running;) {
        running = false;
        bool crash = false;
        for (uint32_t i = 0; i < k->run.size; i++) {
            bool left = false;
            enum state s = state_of(k, i, &statuses[i], &left);
            dead[i] = s == DEAD ? dead[i] + 1 : 0; /* it may not have come to lock its file */
            running |= s == RUNS || (s == DEAD && dead[i] < DEAD_LOOKS);
            crash |= dead[i] >= DEAD_LOOKS || left;
        }
        if (crash && !crashed) crashed = wg_now_ns();
        if (crash && running && is_past(crashed)) wg_file_write(k->stop, "", 0);
        if (running) pause_a_moment();
    }
}

/* ---- One report -------------------------------------------------------------------------------------------
 */

/* How a rank ended is known better here than in its report: MPI has handlers of its own for signals, and who calls _exit does not
 * finish it. That a rank did what it was asked for is no status of the job's. */
static void judge(const struct ranked *k, struct wg_merge *m, uint32_t rank, int status) {
    struct wg_merge_rank *r = &m->ranks[rank];
    bool asked = status == WG_STATUS_SIGNAL + SIGTERM && access(k->stop, F_OK) == 0;
    if (asked)
        r->ended = "it was asked to, because another had gone", r->status = 0;
    else if (status > WG_STATUS_SIGNAL && r->ended)
        r->ended = wg_arena_printf(&m->arena, "signal %d", status - WG_STATUS_SIGNAL);
    else if (status >= 0 && r->ended)
        r->ended = wg_arena_printf(&m->arena, "status %d", status);
    if (!asked && status > 0 && !wg_merge_findings(m, rank)) r->status = status;
    if (status < 0 && !r->missing && !r->ended) r->ended = "killed";
}

static int report(struct ranked *k) {
    struct wg_merge m;
    struct wg_strbuf missing = {0};
    int *statuses = WG_NEW_N(&k->arena, int, k->run.size);
    const char **sarifs = WG_NEW_N(&k->arena, const char *, k->run.size);
    wg_suite_missing_ranks(&k->run, &missing);
    for (uint32_t i = 0; i < k->run.size; i++) statuses[i] = -1;
    wait_for_all(k, statuses);
    wg_merge_begin(&m, k->run.size);
    for (uint32_t i = 0; i < k->run.size; i++) {
        const char *path = rank_file(&k->arena, k, "reports", i, ".json");
        sarifs[i] = rank_file(&k->arena, k, "reports", i, ".sarif");
        if (access(path, F_OK) == 0)
            wg_merge_add(&m, i, path);
        else if (statuses[i]) /* otherwise it has made no CUDA call */
            wg_merge_miss(
                &m, i,
                statuses[i] >= 0
                    ? wg_arena_printf(&k->arena, "it left no report, and ended with status %d", statuses[i])
                : access(rank_file(&k->arena, k, "ranks", i, ""), F_OK) == 0
                    ? "it was killed before it left a report"
                    : "it never began");
        wg_merge_add_events(&m, i, rank_file(&k->arena, k, "reports", i, ".mpi"));
        judge(k, &m, i, statuses[i]);
    }
    wg_merge_match(&m);
    int status = wg_merge_show(k->c, &m, sarifs);
    if (!m.kernels.n && !m.checked && !m.missing) {
        wg_say("no rank launched a kernel, so there is nothing to report");
        if (!status) status = 1;
    }
    wg_merge_free(&m);
    wg_strbuf_free(&missing);
    return status;
}

static int run(struct ranked *k, int (*command)(const struct wg_cmdline *)) {
    if (!live(k)) return 1;
    int status = run_program(k, command);
    /* Now whoever asks for an end gets a report. */
    sigset_t end;
    sigemptyset(&end), sigaddset(&end, SIGTERM), sigaddset(&end, SIGINT), sigaddset(&end, SIGHUP);
    sigprocmask(SIG_BLOCK, &end, NULL);
    bool left = status > WG_STATUS_SIGNAL || wg_waits_left_early(events_file(k)),
         noted = note(k, status, left);
    if (k->run.rank) {
        if (left) wait_for_report(k);
        return noted ? 0 : 1;
    }
    status = report(k);
    wg_suite_complete(&k->run);
    if (!wg_cmdline_has(k->c, WG_CLI_RESULTS)) {
        wg_layout_remove(k->run.folder);
        close(k->run.lock);
        char *folder = wg_arena_strdup(&k->arena, k->run.folder);
        *strrchr(folder, '/') = 0;
        unlink(wg_arena_printf(&k->arena, "%s/lock", folder));
        rmdir(folder);
    }
    return status;
}

int wg_command_ranked(const struct wg_cmdline *c) {
    int (*command)(const struct wg_cmdline *) =
        c->command == WG_CMD_PROFILE ? wg_command_profile : wg_command_check;
    struct wg_ranks ranks = wg_ranks_of_process();
    struct ranked k = {.c = c, .own = -1};
    struct wg_strbuf why = {0};
    const char *folder = wg_cmdline_value(c, WG_CLI_RESULTS);
    bool over = false;
    if (ranks.size == 1) return command(c);
    k.run.rank = ranks.rank;
    if (!takes_options(&k)) return 2;
    if (!k.run.rank && !wg_obtain_check_files(c)) return 2;
    if (!k.run.rank && !wg_obtain_may_write(c)) return 1;
    int status = 1;
    if (!wg_suite_begin(&k.arena, folder ? folder : folder_name, ranks.rank, ranks.size, true, &k.run, &over,
                        &why)) {
        wg_say("%s", why.s);
    } else {
        k.stop = wg_arena_printf(&k.arena, "%s/stop", k.run.folder);
        status = run(&k, command);
    }
    wg_strbuf_free(&why);
    wg_arena_free(&k.arena);
    return status;
}
