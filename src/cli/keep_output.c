/* A pipe that a thread empties: see keep_output.h. */
#include "cli/keep_output.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of what has ended a process may be left that holds the pipe; nobody waits for that one. */
enum { BEGINNING = 1 << 20, END = 1 << 16, POLL_MS = 100 };

static void put(struct wg_keep *k, const char *bytes, size_t n) {
    if (!k->error && !wg_write_all(k->to, bytes, n)) k->error = errno;
}

static void take(struct wg_keep *k, const char *bytes, size_t n) {
    size_t first = k->bytes < BEGINNING ? BEGINNING - (size_t)k->bytes : 0;
    if (first > n) first = n;
    if (first) put(k, bytes, first);
    for (size_t i = first; i < n; i++) k->end[(k->bytes + i) % END] = bytes[i];
    k->bytes += n;
}

static void put_end(struct wg_keep *k) {
    uint64_t rest = k->bytes > BEGINNING ? k->bytes - BEGINNING : 0, kept = rest < END ? rest : END;
    struct wg_strbuf text = {0};
    if (rest > kept) wg_strbuf_printf(&text, "\n[%llu bytes left out]\n", (unsigned long long)(rest - kept));
    for (uint64_t i = k->bytes - kept; i < k->bytes; i++) wg_strbuf_add(&text, &k->end[i % END], 1);
    if (text.n) put(k, text.s, text.n);
    wg_strbuf_free(&text);
}

static void *empty_pipe(void *user) {
    char bytes[1 << 14];
    struct wg_keep *k = user;
    for (;;) {
        struct pollfd p = {.fd = k->from, .events = POLLIN};
        bool over = atomic_load(&k->over);
        int ready = poll(&p, 1, POLL_MS);
        if (ready == 0 && over) break;
        if (ready <= 0) continue;
        ssize_t n = read(k->from, bytes, sizeof bytes);
        if (n == 0 || (n < 0 && errno != EINTR)) break;
        if (n > 0) take(k, bytes, (size_t)n);
    }
    put_end(k);
    return NULL;
}

bool wg_keep_begin(struct wg_keep *k, const char *path) {
    int pipe[2];
    *k = (struct wg_keep){.to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (k->to < 0) return false;
    if (pipe2(pipe, O_CLOEXEC) != 0) {
        close(k->to);
        return false;
    }
    k->from = pipe[0];
    k->end = wg_xmalloc(END);
    if (!wg_start_thread(&k->thread, empty_pipe, k)) {
        close(k->to), close(k->from), close(pipe[1]);
        free(k->end);
        errno = EAGAIN;
        return false;
    }
    for (int i = 0; i < 2; i++) {
        k->saved[i] = fcntl(i + 1, F_DUPFD_CLOEXEC, 3);
        dup2(pipe[1], i + 1);
    }
    close(pipe[1]);
    return true;
}

bool wg_keep_end(struct wg_keep *k) {
    for (int i = 0; i < 2; i++) {
        if (k->saved[i] < 0) {
            close(i + 1);
            continue;
        }
        dup2(k->saved[i], i + 1);
        close(k->saved[i]);
    }
    atomic_store(&k->over, true);
    pthread_join(k->thread, NULL);
    if (close(k->to) != 0 && !k->error) k->error = errno;
    close(k->from);
    free(k->end);
    errno = k->error;
    return !k->error;
}
