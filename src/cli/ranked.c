/* profile and check under mpirun or srun: each rank runs its program and leaves a report in a folder that ranks share, and rank 0
 * makes one report of them all (report/merge.h). Nobody needs MPI for that. When a rank's program crashes, or goes without
 * MPI_Finalize, the others would wait for its messages for ever: after a while they are asked to end, and leave what they
 * know. So the launcher never has to kill anybody, and rank 0 lives to tell. */
#include "cli/commands.h"
#include "base/clock.h"
#include "cli/layout.h"
#include "cli/obtain.h"
#include "cli/rank_folder.h"
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
static const char *rank_file(struct ranked *k, const char *room, const char *end) {
    return wg_rank_file(&k->arena, k->run.folder, room, k->run.rank, end);
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

/* For the rank's program, which may be somewhere else when it begins. */
static const char *wherever(struct ranked *k, const char *path) {
    char *here = *path == '/' ? NULL : getcwd(NULL, 0);
    if (here) path = wg_arena_printf(&k->arena, "%s/%s", here, path);
    free(here);
    return path;
}

static const char *events_file(struct ranked *k) { return wherever(k, rank_file(k, "reports", ".mpi")); }

static int run_program(struct ranked *k, int (*command)(const struct wg_cmdline *)) {
    const char *json = rank_file(k, "reports", ".json");
    struct wg_cmdline own = wg_merge_own(k->c, json, rank_file(k, "reports", ".sarif"));
    own.leave = wherever(k, rank_file(k, "left", "/"));
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
    if (access(json, F_OK) == 0) wg_layout_remove(own.leave);
    free(own.items.v);
    return status;
}

/* How it ended, for rank 0. "left": others may wait for it. */
static bool note(struct ranked *k, int status, bool left) {
    const char *text = wg_arena_printf(&k->arena, "%d%s\n", status, left ? " left" : ""),
               *path = rank_file(k, "results", "");
    if (wg_file_write(path, text, strlen(text))) return true;
    wg_say("%s: %s", path, strerror(errno));
    return false;
}

static bool live(struct ranked *k) {
    const char *path = rank_file(k, "ranks", ""),
               *left = wg_arena_printf(&k->arena, "%s/left", k->run.folder);
    k->own = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool good = k->own >= 0 && flock(k->own, LOCK_EX) == 0;
    if (good && mkdir(path = left, 0777) != 0) good = errno == EEXIST;
    if (good && !k->run.rank) good = wg_rank_folder_note_command(&k->arena, path = k->run.folder);
    if (good) return true;
    wg_say("%s: %s", path, strerror(errno));
    return false;
}

/* ---- What has become of the others ------------------------------------------------------------------------
 */

enum state { RUNS, ENDED, DEAD };

static enum state state_of(const struct ranked *k, uint32_t rank, int *status, bool *left) {
    if (wg_rank_has_ended(k->run.folder, rank, status, left)) return ENDED;
    return rank != k->run.rank && wg_rank_is_gone(k->run.folder, rank) ? DEAD : RUNS;
}

static bool is_past(uint64_t began) { return wg_now_ns() - began > GRACE_SECONDS * UINT64_C(1000000000); }

/* Of a rank whose program crashed or left. Launchers kill all when one goes that did not take leave of MPI; it stays until rank 0,
 * whose program may wait for this one, has reported and gone. */
static void wait_for_report(struct ranked *k) {
    uint64_t began = wg_now_ns();
    bool asked = false; /* once: rank 0 may be removing the folder */
    for (int dead = 0; dead < DEAD_LOOKS; pause_a_moment()) {
        dead = wg_rank_is_gone(k->run.folder, 0) ? dead + 1 : 0;
        if (!dead && !asked && is_past(began)) asked = wg_file_write(k->stop, "", 0);
    }
}

/* Until all have ended or died. Somebody who crashed is waited for by others, who are asked to end. */
static void wait_for_all(struct ranked *k) {
    uint64_t crashed = 0;
    uint32_t *dead = WG_NEW_N(&k->arena, uint32_t, k->run.size);
    for (bool running = true; running;) {
        running = false;
        bool crash = false;
        for (uint32_t i = 0; i < k->run.size; i++) {
            bool left = false;
            int status;
            enum state s = state_of(k, i, &status, &left);
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

/* `shown`: there is no need to show it again. */
static int report(struct ranked *k, int (*command)(const struct wg_cmdline *), bool *shown) {
    struct wg_merge m;
    struct wg_strbuf missing = {0};
    struct wg_rank_folder f = {.arena = &k->arena,
                               .path = k->run.folder,
                               .size = k->run.size,
                               .c = k->c,
                               .command = command,
                               .scratch = wg_layout_scratch()};
    const char **sarifs = WG_NEW_N(&k->arena, const char *, k->run.size);
    if (!f.scratch) return 1;
    wg_suite_missing_ranks(&k->run, &missing);
    wait_for_all(k);
    wg_rank_folder_merge(&f, &m, sarifs);
    *shown = wg_merge_print(k->c, &m, sarifs) && !wg_process_ending_signal() && !wg_terminal_is_gone();
    int status = wg_merge_status(&m);
    if (!status) status = !*shown;
    if (!m.kernels.n && !m.library.n && !m.checked && !m.missing) {
        wg_say("no rank launched a kernel, so there is nothing to report");
        if (!status) status = 1;
    }
    wg_merge_free(&m);
    wg_strbuf_free(&missing);
    return status;
}

static void finish(struct ranked *k) {
    wg_suite_complete(&k->run);
    if (wg_cmdline_has(k->c, WG_CLI_RESULTS)) return;
    wg_layout_remove(k->run.folder);
    close(k->run.lock);
    char *folder = wg_arena_strdup(&k->arena, k->run.folder);
    *strrchr(folder, '/') = 0;
    unlink(wg_arena_printf(&k->arena, "%s/lock", folder));
    rmdir(folder);
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
    bool shown = false;
    status = report(k, command, &shown);
    if (shown)
        finish(k);
    else
        wg_say("what ranks have left stays in %s: \"warpglass merge %s\" makes the report again",
               k->run.folder, k->run.folder);
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
        k.stop = wg_rank_stop(&k.arena, k.run.folder);
        if (k.run.unfinished)
            wg_say("%s is what a job left that was killed: \"warpglass merge %s\" reports of it",
                   k.run.unfinished, k.run.unfinished);
        status = run(&k, command);
    }
    wg_strbuf_free(&why);
    wg_arena_free(&k.arena);
    return status;
}
