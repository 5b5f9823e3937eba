/* See command.h. */
#include "base/command.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether it lies in the bin/ of a folder that "warpglass toolkit" made. */
static bool is_stand_in(const char *path) {
    struct wg_strbuf beside = {0};
    const char *slash = strrchr(path, '/');
    wg_strbuf_add(&beside, path, slash ? (size_t)(slash - path) : 0);
    wg_strbuf_puts(&beside, "/../" WG_TOOLKIT_MARK);
    bool is = slash && access(beside.s, F_OK) == 0;
    wg_strbuf_free(&beside);
    return is;
}

static bool find(const char *name, bool stand_ins, struct wg_strbuf *out) {
    const char *path = strchr(name, '/') ? "" : getenv("PATH");
    if (!path) path = "/usr/local/bin:/usr/bin:/bin";
    for (;; path++) {
        size_t n = strcspn(path, ":");
        struct stat st;
        wg_strbuf_free(out);
        if (n)
            wg_strbuf_printf(out, "%.*s/%s", (int)n, path, name);
        else
            wg_strbuf_puts(out, name);
        bool good = stat(out->s, &st) == 0 && S_ISREG(st.st_mode) && access(out->s, X_OK) == 0;
        if (good && (stand_ins || !is_stand_in(out->s))) return true;
        path += n;
        if (!*path) break;
    }
    wg_strbuf_free(out);
    return false;
}

bool wg_command_find(const char *name, struct wg_strbuf *out) { return find(name, true, out); }
bool wg_command_find_foreign(const char *name, struct wg_strbuf *out) { return find(name, false, out); }

/* The program, with its input and outputs in place, and signals as a shell would hand them on. 0: none. */
static pid_t start(char *const words[], int input, int output) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, all;
    pid_t child = 0;
    sigemptyset(&none), sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    if (posix_spawn(&child, words[0], &files, &how, words, environ) != 0) child = 0;
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return child;
}

/* What comes, until the other end is closed or time is up. Whether it came to its end. */
static bool read_until(int fd, uint64_t end, struct wg_strbuf *out) {
    char buffer[4096];
    for (;;) {
        uint64_t now = wg_now_ns();
        struct pollfd p = {.fd = fd, .events = POLLIN};
        if (end && now >= end) return false;
        int ready = poll(&p, 1, end ? (int)((end - now) / 1000000 + 1) : -1);
        if (ready <= 0) continue;
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0;
        wg_strbuf_add(out, buffer, (size_t)n);
    }
}

/* The child's exit status, -1 when a signal ended it. The program that this is may have waited for it already, with all of its
 * own: then it is taken for a success. */
static int end_of(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return errno == ECHILD ? 0 : -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int wg_command_status(char *const words[], const char *input, size_t n, double seconds,
                      struct wg_strbuf *out) {
    int from[2], text = memfd_create("input", MFD_CLOEXEC);
    if (text < 0) return -1;
    if (!wg_write_all(text, input, n) || lseek(text, 0, SEEK_SET) != 0 || pipe2(from, O_CLOEXEC) != 0) {
        close(text);
        return -1;
    }
    pid_t child = start(words, text, from[1]);
    close(text);
    close(from[1]);
    bool whole = child && read_until(from[0], seconds > 0 ? wg_now_ns() + (uint64_t)(seconds * 1e9) : 0, out);
    close(from[0]);
    if (!child) return -1;
    if (!whole) kill(child, SIGKILL);
    int status = end_of(child);
    return whole ? status : -1;
}

bool wg_command_output(char *const words[], const char *input, size_t n, double seconds,
                       struct wg_strbuf *out) {
    return wg_command_status(words, input, n, seconds, out) == 0;
}
