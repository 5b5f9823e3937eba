/* See terminal.h. */
#include "cli/terminal.h"
#include "cli/ranks.h"
#include "cli/say.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int wg_terminal_width(void) {
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    int width = columns ? atoi(columns) : 0;
    if (width <= 0 && isatty(1) && ioctl(1, TIOCGWINSZ, &size) == 0) width = size.ws_col;
    return width <= 0 ? 80 : width < 60 ? 60 : width > 200 ? 200 : width;
}

bool wg_terminal_has_colour(void) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    /* mpirun gives each rank a terminal, and sends on what it prints to wherever its own output goes. */
    if (wg_ranks_of_process().launcher) return false;
    return isatty(1) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

bool wg_terminal_is_plain(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *v = getenv(names[i]);
        if (v && *v)
            return !strstr(v, "UTF-8") && !strstr(v, "utf8") && strcmp(v, "C") != 0 &&
                   strcmp(v, "POSIX") != 0;
    }
    return false;
}

struct wg_paint wg_terminal_paint(struct wg_strbuf *out) {
    return (struct wg_paint){.out = out,
                             .width = wg_terminal_width(),
                             .colour = wg_terminal_has_colour(),
                             .plain = wg_terminal_is_plain()};
}

static bool silent;

void wg_terminal_silence(bool on) { silent = on; }

bool wg_terminal_print(const struct wg_strbuf *text) {
    static bool gone; /* who read it; the stream fails from then on, and errno says no more why */
    if (silent || gone) return true;
    signal(SIGPIPE, SIG_IGN); /* who reads no further has seen enough: the status still says what was found */
    errno = 0;
    /* A long text fails here, and leaves nothing for fflush to fail with. */
    bool good = !text->n || fwrite(text->s, 1, text->n, stdout) == text->n;
    if (good) good = fflush(stdout) == 0 && !ferror(stdout);
    gone = !good && errno == EPIPE;
    if (good || gone) return true;
    wg_say("standard output: %s", strerror(errno ? errno : EIO));
    return false;
}

int wg_terminal_finish(struct wg_strbuf *text) {
    bool good = wg_terminal_print(text);
    wg_strbuf_free(text);
    return good ? 0 : 1;
}

bool wg_terminal_is_gone(void) {
    struct pollfd out = {.fd = STDOUT_FILENO};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}
