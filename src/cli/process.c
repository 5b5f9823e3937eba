/* Other programs: see process.h. */
#include "cli/process.h"
#include "cli/descendants.h"
#include "cli/guard.h"
#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* While a child runs, signals that would end this command are blocked and looked at where it waits for the
 * child, which gets the mask as it was. At all other times they end the command, whatever it is about
 * (guard.h). */
static sigset_t heard, before;
static struct sigaction child_before; /* what the command got for SIGCHLD */
static bool listening;
static int ending_signal; /* the last one that came while a child ran and asks for an end */

enum { GRACE_SECONDS = 4 /* between the interrupt at a timeout and the kill */, LAST_MS = 2000 };

void wg_args_add(struct wg_args *a, const char *word) {
    if (a->n + 2 > a->cap) {
        a->cap = a->cap ? a->cap * 2 : 32;
        a->v = wg_xrealloc(a->v, a->cap * sizeof *a->v);
    }
    a->v[a->n++] = wg_xstrdup(word);
    a->v[a->n] = NULL;
}

void wg_args_addf(struct wg_args *a, const char *fmt, ...) {
    struct wg_strbuf word = {0};
    va_list ap;
    va_start(ap, fmt);
    wg_strbuf_vprintf(&word, fmt, ap);
    va_end(ap);
    wg_args_add(a, word.s);
    wg_strbuf_free(&word);
}

void wg_args_append(struct wg_args *a, const struct wg_args *more) {
    for (size_t i = 0; i < more->n; i++) wg_args_add(a, more->v[i]);
}

void wg_args_add_list(struct wg_args *a, const char *list) {
    for (; *list; list += strcspn(list, ",")) {
        list += strspn(list, ",");
        if (*list) wg_args_addf(a, "%.*s", (int)strcspn(list, ","), list);
    }
}

void wg_args_add_words(struct wg_args *a, const char *text, const char *separators) {
    while (*(text += strspn(text, separators))) {
        struct wg_strbuf word = {0};
        char quote = 0;
        wg_strbuf_puts(&word, "");
        for (; *text && (quote || !strchr(separators, *text)); text++) {
            if (quote ? *text == quote : *text == '"' || *text == '\'') {
                quote = quote ? 0 : *text;
                continue;
            }
            if (*text == '\\' && text[1] && quote != '\'') text++;
            wg_strbuf_add(&word, text, 1);
        }
        wg_args_add(a, word.s);
        wg_strbuf_free(&word);
    }
}

void wg_args_free(struct wg_args *a) {
    for (size_t i = 0; i < a->n; i++) free(a->v[i]);
    free(a->v);
    *a = (struct wg_args){0};
}

/* ---- The child's side -----------------------------------------------------------------------------------
 */

static bool redirect(int fd, const char *path) {
    if (!path) return true;
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return to >= 0 && dup2(to, fd) >= 0;
}

/* Becomes the program, or tells the parent through `tell` why not. */
_Noreturn static void become(const struct wg_process *p, const sigset_t *mask, pid_t parent, int tell) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no program outlives the command that started it */
    if (getppid() != parent) _exit(WG_STATUS_CANNOT_RUN); /* which ended before that was said */
    wg_guard_forget();
    sigaction(SIGCHLD, &child_before, NULL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (redirect(STDOUT_FILENO, p->stdout_path) && redirect(STDERR_FILENO, p->stderr_path)) {
        if (p->path)
            execv(p->path, p->argv);
        else
            execvp(p->argv[0], p->argv);
    }
    int why = errno;
    ssize_t told = write(tell, &why, sizeof why);
    _exit(told == sizeof why ? WG_STATUS_CANNOT_RUN : WG_STATUS_NOT_FOUND);
}

/* ---- The parent's ---------------------------------------------------------------------------------------
 */

static struct timespec later(double seconds) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += (time_t)seconds;
    t.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000;
    return t;
}

static struct timespec until(const struct timespec *end) {
    struct timespec now, left;
    clock_gettime(CLOCK_MONOTONIC, &now);
    left.tv_sec = end->tv_sec - now.tv_sec;
    left.tv_nsec = end->tv_nsec - now.tv_nsec;
    if (left.tv_nsec < 0) left.tv_sec--, left.tv_nsec += 1000000000;
    if (left.tv_sec < 0) left = (struct timespec){0, 0};
    return left;
}

static void listen_for_signals(void) {
    sigemptyset(&heard);
    sigaddset(&heard, SIGCHLD), sigaddset(&heard, SIGINT), sigaddset(&heard, SIGQUIT);
    sigaddset(&heard, SIGTERM), sigaddset(&heard, SIGHUP);
    sigset_t now;
    sigprocmask(SIG_BLOCK, &heard, &now);
    if (listening) return;
    before = now;
    listening = true;
    /* Whoever ignores it has no children to wait for, and hands that on. */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, &child_before);
    sigset_t pipe;
    sigemptyset(&pipe),
        sigaddset(&pipe, SIGPIPE); /* who reads no further is no reason to leave files behind */
    sigprocmask(SIG_BLOCK, &pipe, NULL);
}

static void stop_listening(void) {
    sigset_t none = before;
    sigaddset(&none, SIGPIPE);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int wg_process_ending_signal(void) { return ending_signal; }

static _Atomic pid_t running; /* the child, until it is known to have ended */

/* And what it has started, of which `all` keeps a list. */
static void end_with_children(pid_t child, int sig, struct wg_descendants *all) {
    wg_descendants_find(child, NULL, all);
    wg_descendants_signal(all, sig);
    kill(child, sig);
}

void wg_process_end_child(int sig) {
    struct wg_descendants all = {0};
    pid_t child = running;
    if (child > 0) end_with_children(child, sig, &all);
    wg_descendants_free(&all);
}

/* Whether the child has ended. */
static bool has_ended(pid_t child, int *status) {
    pid_t ended = waitpid(child, status, WNOHANG);
    if (ended < 0 && errno == ECHILD) *status = WG_STATUS_CANNOT_RUN << 8; /* somebody else was told how */
    return ended != 0 && (ended > 0 || errno == ECHILD);
}

/* Waits for the child while handing signals on. */
static int wait_for(struct wg_process *p, pid_t child) {
    struct timespec end = later(p->timeout);
    struct wg_descendants late = {0}, now = {0};
    int status = 0;
    while (!has_ended(child, &status)) {
        siginfo_t info;
        struct timespec left = until(&end);
        int sig = sigtimedwait(&heard, &info, p->timeout > 0 ? &left : NULL);
        if (sig < 0 && errno == EAGAIN) {
            if (has_ended(child, &status)) break; /* at the last moment */
            end_with_children(child, p->timed_out ? SIGKILL : SIGINT, p->timed_out ? &now : &late);
            p->timed_out = true;
            end = later(GRACE_SECONDS);
        } else if (sig > 0 && sig != SIGCHLD) {
            ending_signal = sig;
            /* What the terminal sends reaches the child by itself, what a process sends does not. */
            if (info.si_code <= 0) kill(child, sig == SIGQUIT && !p->is_users ? SIGTERM : sig);
        }
    }
    if (p->timed_out) { /* a script may have ended before what it started, which may ignore SIGINT */
        wg_descendants_end(&late, LAST_MS);
    }
    wg_descendants_free(&late), wg_descendants_free(&now);
    p->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (p->timed_out) return WG_STATUS_TIMEOUT;
    return p->signal ? WG_STATUS_SIGNAL + p->signal : WEXITSTATUS(status);
}

void wg_process_add_quoted(struct wg_strbuf *out, const char *word) {
    wg_strbuf_puts(out, "'");
    for (; *word; word++)
        if (*word == '\'')
            wg_strbuf_puts(out, "'\\''");
        else
            wg_strbuf_add(out, word, 1);
    wg_strbuf_puts(out, "'");
}

void wg_process_add_words(struct wg_strbuf *line, char **words) {
    for (; *words; words++) {
        bool plain = **words && !(*words)[strcspn(*words, " \t\n'\"\\$&;|<>()*?[]{}#~`!")];
        wg_strbuf_puts(line, " ");
        if (plain)
            wg_strbuf_puts(line, *words);
        else
            wg_process_add_quoted(line, *words);
    }
}

static const char *shown_as;
static bool only_shown;

void wg_process_show_as(const char *beginning) { shown_as = beginning; }
void wg_process_only_show(void) {
    only_shown = true;
    shown_as = "#$";
}

bool wg_process_is_only_shown(void) { return only_shown; }

static void show(const struct wg_process *p) {
    struct wg_strbuf line = {0};
    if (!only_shown && !wg_say_is_verbose()) return;
    if (p->path) wg_strbuf_printf(&line, " %s as", p->path);
    wg_process_add_words(&line, p->argv);
    if (shown_as)
        fprintf(stderr, "%s%s\n", shown_as, line.s);
    else
        wg_say_verbose("run%s", line.s);
    wg_strbuf_free(&line);
}

void wg_process_show_step(char **words, const char *redirection) {
    struct wg_strbuf line = {0};
    if (!only_shown) return;
    wg_process_add_words(&line, words);
    if (redirection) {
        wg_strbuf_puts(&line, " >>");
        wg_process_add_words(&line, (char *[]){(char *)redirection, NULL});
    }
    fprintf(stderr, "%s%s\n", shown_as, line.s);
    wg_strbuf_free(&line);
}

static int start_and_wait(struct wg_process *p) {
    int tell[2], why = 0;
    if (pipe2(tell, O_CLOEXEC) != 0) {
        p->start_error = errno;
        return WG_STATUS_CANNOT_RUN;
    }
    pid_t parent = getpid(), child = fork();
    if (child == 0) become(p, &before, parent, tell[1]);
    p->start_error = child < 0 ? errno : 0;
    close(tell[1]);
    if (child > 0 && read(tell[0], &why, sizeof why) == sizeof why) p->start_error = why;
    close(tell[0]);
    if (child > 0 && !p->start_error) {
        running = child;
        int status = wait_for(p, child);
        running = 0;
        return status;
    }
    if (child > 0) waitpid(child, NULL, 0);
    return p->start_error == ENOENT ? WG_STATUS_NOT_FOUND : WG_STATUS_CANNOT_RUN;
}

static struct timespec limit;
static bool limited, out_of_time;

void wg_process_limit(double seconds) {
    limited = seconds > 0;
    limit = later(seconds);
}

bool wg_process_out_of_time(void) { return out_of_time; }

int wg_process_run(struct wg_process *p) {
    enum { LEAST_NS = 1000000 };
    bool together = limited && p->timeout <= 0;
    if (together) {
        struct timespec left = until(&limit);
        p->timeout = (double)left.tv_sec + (double)(left.tv_nsec + LEAST_NS) * 1e-9;
    }
    p->timed_out = false;
    p->signal = 0;
    show(p);
    if (only_shown) return 0;
    listen_for_signals();
    int status = start_and_wait(p);
    stop_listening();
    out_of_time |= together && p->timed_out;
    return status;
}
