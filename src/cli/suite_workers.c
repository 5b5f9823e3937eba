/* See suite_workers.h. */
#include "cli/suite_workers.h"
#include "base/clock.h"
#include "cli/keep_output.h"
#include "cli/layout.h"
#include "cli/process.h"
#include "cli/ranks.h"
#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BEGINS = 2, POLL_NS = 50000000, END_NS = 1000000000 };

/* ---- One program ------------------------------------------------------------------------------------------
 */

/* The command with what the suite asks for: its own options stand first, where the program's count. */
static void words_of(struct wg_arena *a, const struct wg_suite_work *w, const struct wg_suite_program *p,
                     struct wg_args *words) {
    struct wg_args own = {0};
    wg_args_add_words(&own, p->command, " \t\r\n");
    wg_args_add(words, wg_layout_self());
    wg_args_add(words, own.v[0]);
    if (w->timeout) wg_args_addf(words, "--timeout=%s", w->timeout);
    if (strcmp(own.v[0], "run") != 0)
        wg_args_addf(words, "--json=%s", wg_suite_file(a, w->run->folder, WG_SUITE_REPORT, p));
    for (size_t i = 1; i < own.n; i++) wg_args_add(words, own.v[i]);
    wg_args_free(&own);
}

static double since_1970(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A job is ended one process after the other, and its programs may be among the first: whether one was ended alone shows when this
 * worker is still there a while later. */
static void wait_for_own_end(int status) {
    static const int ends[] = {SIGTERM, SIGKILL, SIGINT, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (uint64_t began = wg_now_ns(); status == WG_STATUS_SIGNAL + ends[i] &&
                                           wg_now_ns() - began < END_NS && !wg_process_ending_signal();)
            nanosleep(&(struct timespec){0, POLL_NS}, NULL);
}

/* False when somebody has had enough, or after a message. */
static bool run_program(struct wg_arena *a, const struct wg_suite_work *w, const struct wg_suite_program *p,
                        const struct wg_suite_claim *c) {
    char host[256] = "";
    struct wg_args words = {0};
    struct wg_strbuf why = {0};
    struct wg_keep output;
    gethostname(host, sizeof host - 1);
    struct wg_suite_result r = {.command = p->command,
                                .status = -1,
                                .begun = since_1970(),
                                .rank = w->run->rank,
                                .host = host,
                                .interrupted = c->before,
                                .by = c->who};
    const char *path = wg_suite_file(a, w->run->folder, WG_SUITE_OUTPUT, p);
    words_of(a, w, p, &words);
    unlink(wg_suite_file(a, w->run->folder, WG_SUITE_REPORT, p)); /* of a begin before */
    if (c->before < MOST_BEGINS) {
        if (!wg_keep_begin(&output, path)) {
            wg_say("%s: %s", path, strerror(errno));
            wg_args_free(&words);
            return false;
        }
        uint64_t began = wg_now_ns();
        r.status =
            wg_process_run(&(struct wg_process){.argv = words.v, .path = words.v[0], .is_users = true});
        r.seconds = (double)(wg_now_ns() - began) * 1e-9;
        wait_for_own_end(r.status);
        if (!wg_keep_end(&output)) wg_say("%s: %s", path, strerror(errno));
    }
    wg_args_free(&words);
    if (wg_process_ending_signal()) return false;
    bool good = wg_suite_write_result(w->run, p, &r, &why);
    if (!good)
        wg_say("%s has ended, and the next start runs it again, because this could not be noted: %s", p->name,
               why.s);
    wg_strbuf_free(&why);
    return good;
}

/* ---- A worker ---------------------------------------------------------------------------------------------
 */

struct worker {
    const struct wg_suite_work *w;
    struct wg_arena arena;
};

static bool has_ended(void *user, const struct wg_suite_program *p) {
    struct worker *k = user;
    struct wg_strbuf why = {0};
    bool ended = wg_suite_read_result(&k->arena, k->w->run->folder, p, &why) != NULL;
    if (why.n) wg_say("%s; the program runs again", why.s);
    wg_strbuf_free(&why);
    return ended;
}

/* False when the worker is to end. */
static bool try_program(struct worker *k, const struct wg_suite_program *p, bool *busy) {
    struct wg_suite_claim c;
    struct wg_strbuf why = {0};
    bool good = true;
    switch (wg_suite_claim(&k->arena, k->w->run, p, has_ended, k, &c, &why)) {
    case WG_CLAIM_MINE:
        good = run_program(&k->arena, k->w, p, &c);
        wg_suite_release(&c, !good);
        break;
    case WG_CLAIM_BUSY: *busy = true; break;
    case WG_CLAIM_ENDED: break;
    case WG_CLAIM_FAILED: wg_say("%s", why.s); good = false;
    }
    wg_strbuf_free(&why);
    return good;
}

static bool take_one_after_the_other(struct worker *k) {
    struct wg_strbuf why = {0};
    bool good = true, busy;
    for (uint32_t n; good;) {
        good = wg_suite_next(&k->arena, k->w->run, &n, &why);
        if (!good) wg_say("%s", why.s);
        if (!good || n >= k->w->suite->n) break;
        good = try_program(k, k->w->order[n], &busy);
    }
    wg_strbuf_free(&why);
    return good;
}

/* Until all have ended: what other ranks run is waited for, and what a dead one ran is free again. */
static bool take_what_is_left(struct worker *k) {
    uint32_t n = k->w->suite->n;
    const struct wg_suite_program **left = WG_NEW_N(&k->arena, const struct wg_suite_program *, n);
    for (uint32_t i = 0; i < n; i++) left[i] = k->w->order[i];
    while (n) {
        uint32_t busy = 0;
        for (uint32_t i = 0; i < n; i++) {
            bool runs = false;
            if (!try_program(k, left[i], &runs)) return false;
            if (runs) left[busy++] = left[i];
        }
        n = busy;
        if (n) nanosleep(&(struct timespec){0, POLL_NS}, NULL);
    }
    return true;
}

/* A process of its own, which the one that started it does not outlive. */
_Noreturn static void become_worker(const struct wg_suite_work *w, const sigset_t *mask, pid_t parent,
                                    bool last) {
    struct worker k = {.w = w};
    char threads[16];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    sigprocmask(SIG_SETMASK, mask, NULL);
    close(w->run->lock);
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing > 0) dup2(nothing, STDIN_FILENO), close(nothing);
    wg_ranks_forget();
    snprintf(threads, sizeof threads, "%u", w->threads);
    setenv("WARPGLASS_THREADS", threads, 0);
    bool good = chdir(w->folder) == 0;
    if (!good) wg_say("%s: %s", w->folder, strerror(errno));
    if (good) good = last ? take_what_is_left(&k) : take_one_after_the_other(&k);
    wg_arena_free(&k.arena);
    _exit(!good);
}

/* ---- All of them ------------------------------------------------------------------------------------------
 */

struct crew {
    WG_VEC(pid_t) all;
    sigset_t heard, before;
    int signal; /* that asked for an end */
};

static bool start(struct crew *crew, const struct wg_suite_work *w, bool last) {
    pid_t parent = getpid(), child = fork();
    if (child == 0) become_worker(w, &crew->before, parent, last);
    if (child < 0) wg_say("a worker could not be started: %s", strerror(errno));
    if (child > 0) *WG_PUSH(&crew->all) = child;
    return child > 0;
}

/* What the terminal sends reaches workers by itself, what a process sends does not. */
static bool wait_for_all(struct crew *crew) {
    bool good = true;
    while (crew->all.n) {
        int status;
        pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended > 0) {
            for (uint32_t i = 0; i < crew->all.n; i++)
                if (crew->all.v[i] == ended) crew->all.v[i] = crew->all.v[--crew->all.n];
            if (!WIFEXITED(status) || WEXITSTATUS(status)) good = false;
            continue;
        }
        siginfo_t info;
        int sig = sigwaitinfo(&crew->heard, &info);
        if (sig <= 0 || sig == SIGCHLD) continue;
        crew->signal = sig;
        for (uint32_t i = 0; info.si_code <= 0 && i < crew->all.n; i++) kill(crew->all.v[i], sig);
    }
    return good;
}

bool wg_suite_run_all(const struct wg_suite_work *w, int *signal) {
    struct crew crew = {0};
    sigemptyset(&crew.heard);
    static const int heard[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof heard / sizeof *heard; i++) sigaddset(&crew.heard, heard[i]);
    sigprocmask(SIG_BLOCK, &crew.heard, &crew.before);
    bool good = true;
    for (uint32_t i = 0; good && i < w->jobs; i++) good = start(&crew, w, false);
    good &= wait_for_all(&crew);
    if (good && !crew.signal && !w->run->rank) good = start(&crew, w, true) && wait_for_all(&crew);
    sigprocmask(SIG_SETMASK, &crew.before, NULL);
    *signal = crew.signal;
    free(crew.all.v);
    return good;
}
