/* See guard.h. */
#include "cli/guard.h"
#include "cli/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 50 };
static const int asking[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
enum { ASKING = sizeof asking / sizeof *asking };

static int held = -1; /* the pipe's end; when it is closed the guard acts */
static pid_t guard;

/* Says to other commands that somebody sees to the folder (layout.c): as long as this process lives. */
static void hold(const char *folder) {
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) flock(fd, LOCK_SH | LOCK_NB);
}

/* What a compiler that ends a moment later still writes goes, too. */
_Noreturn static void watch(const char *folder, int end) {
    char nothing;
    for (int i = 0; i < ASKING; i++) signal(asking[i], SIG_IGN);
    setsid();
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++) dup2(null, fd);
    end = dup2(end, 3);
    syscall(SYS_close_range, 4u, ~0u, 0u); /* nobody waits for what this process alone keeps open */
    hold(folder);
    while (read(end, &nothing, 1) < 0 && errno == EINTR) continue;
    for (int i = 0; i < TRIES && access(folder, F_OK) == 0; i++) {
        if (i) nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
        wg_layout_remove(folder);
    }
    _exit(0);
}

/* Nothing is called here that a signal could have interrupted. */
static void end_by(int sig) {
    if (held >= 0) close(held);
    if (guard > 0) waitpid(guard, NULL, 0);
    signal(sig, SIG_DFL);
    raise(sig);
}

void wg_guard_begin(const char *folder) {
    int ends[2];
    hold(folder);
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    guard = fork();
    if (guard == 0) {
        close(ends[1]);
        watch(folder, ends[0]);
    }
    close(ends[0]);
    held = ends[1];
    for (int i = 0; i < ASKING; i++) {
        struct sigaction old, ours = {.sa_handler = end_by};
        sigfillset(&ours.sa_mask);
        if (sigaction(asking[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(asking[i], &ours, NULL);
    }
}

void wg_guard_forget(void) {
    for (int i = 0; i < ASKING; i++) {
        struct sigaction now;
        if (sigaction(asking[i], NULL, &now) == 0 && now.sa_handler == end_by) signal(asking[i], SIG_DFL);
    }
}

sigset_t wg_guard_hold(void) {
    sigset_t all, before;
    sigemptyset(&all);
    for (int i = 0; i < ASKING; i++) sigaddset(&all, asking[i]);
    sigprocmask(SIG_BLOCK, &all, &before);
    return before;
}

void wg_guard_release(const sigset_t *before) { sigprocmask(SIG_SETMASK, before, NULL); }
