/* Runs, ranks and claims in the folder of results: see folder.h. */
#include "suite/folder.h"
#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* How long ranks wait for each other, who are started at about the same time. */
enum { JOIN_SECONDS = 60, MISSING_SECONDS = 10, LOCK_SECONDS = 2, POLL_NS = 20000000 };

static const char *const rooms[] = {"results", "reports", "output", "claims", "ranks"};

static void pause_a_moment(void) { nanosleep(&(struct timespec){0, POLL_NS}, NULL); }
static bool is_there(struct wg_arena *a, const char *folder, const char *name) {
    return access(wg_arena_printf(a, "%s/%s", folder, name), F_OK) == 0;
}

static bool fail(struct wg_strbuf *why, const char *path) {
    wg_strbuf_printf(why, "%s: %s", path, strerror(errno));
    return false;
}

static bool make_folder(const char *path, struct wg_strbuf *why) {
    return mkdir(path, 0777) == 0 || errno == EEXIST || fail(why, path);
}

/* ---- Runs -------------------------------------------------------------------------------------------------
 */

/* The number of the newest run in the folder up to `most`, of complete ones only; 0: none. */
static uint32_t newest(struct wg_arena *a, const char *folder, uint32_t most, bool complete) {
    uint32_t best = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (strncmp(e->d_name, "run-", 4) != 0) continue;
        unsigned long n = strtoul(e->d_name + 4, NULL, 10);
        if (n <= best || n > most) continue;
        if (complete && !is_there(a, folder, wg_arena_printf(a, "%s/complete", e->d_name))) continue;
        best = (uint32_t)n;
    }
    if (d) closedir(d);
    return best;
}

static const char *run_folder(struct wg_arena *a, const char *folder, uint32_t n) {
    return n ? wg_arena_printf(a, "%s/run-%u", folder, n) : NULL;
}

const char *wg_suite_newest(struct wg_arena *a, const char *folder) {
    return run_folder(a, folder, newest(a, folder, UINT32_MAX, false));
}

/* One run at a time is begun in a folder. One that was just killed may take a moment to go. */
static bool lock(struct wg_arena *a, const char *folder, struct wg_suite_run *run, struct wg_strbuf *why) {
    const char *path = wg_arena_printf(a, "%s/lock", folder);
    run->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (run->lock < 0) return fail(why, path);
    bool held = false;
    for (uint64_t began = wg_now_ns(); !held && wg_now_ns() - began < LOCK_SECONDS * UINT64_C(1000000000);) {
        held = flock(run->lock, LOCK_EX | LOCK_NB) == 0;
        if (!held && errno != EWOULDBLOCK) break;
        if (!held) pause_a_moment();
    }
    if (held) return true;
    if (errno == EWOULDBLOCK)
        wg_strbuf_printf(
            why,
            "%s: another suite runs in this folder now; wait for its end, or name another folder with "
            "--results",
            folder);
    else
        wg_strbuf_printf(why,
                         "%s: the file system has no locks (%s); name a folder on another with --results",
                         folder, strerror(errno));
    return false;
}

/* What ranks of an earlier start left. */
static void forget_ranks(struct wg_arena *a, const char *ranks) {
    DIR *d = opendir(ranks);
    for (struct dirent *e; d && (e = readdir(d));)
        if (*e->d_name != '.') unlink(wg_arena_printf(a, "%s/%s", ranks, e->d_name));
    if (d) closedir(d);
}

static bool begin_first(struct wg_arena *a, const char *folder, bool again, struct wg_suite_run *run,
                        struct wg_strbuf *why) {
    if (!make_folder(folder, why) || !lock(a, folder, run, why)) return false;
    uint32_t n = newest(a, folder, UINT32_MAX, false), last = newest(a, folder, UINT32_MAX, true);
    run->resumed = n > last && !again;
    run->unfinished = n > last && again ? run_folder(a, folder, n) : NULL;
    if (!run->resumed) n++;
    run->folder = run_folder(a, folder, n);
    run->last = run_folder(a, folder, last);
    run->outdated = last ? run_folder(a, folder, newest(a, folder, last - 1, false)) : NULL;
    const char *ranks = wg_arena_printf(a, "%s/ranks", run->folder);
    if (!make_folder(run->folder, why)) return false;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
        if (!make_folder(wg_arena_printf(a, "%s/%s", run->folder, rooms[i]), why)) return false;
    forget_ranks(a, ranks);
    const char *next = wg_arena_printf(a, "%s/next", run->folder);
    if (unlink(next) != 0 && errno != ENOENT) return fail(why, next);
    const char *own = wg_arena_printf(a, "%s/0", ranks), *size = wg_arena_printf(a, "%u\n", run->size);
    return wg_file_write(own, size, strlen(size)) || fail(why, own);
}

/* ---- Ranks ------------------------------------------------------------------------------------------------
 */

static const char *rank_file(struct wg_arena *a, const char *folder, uint32_t rank) {
    return wg_arena_printf(a, "%s/ranks/%u", folder, rank);
}

/* Is it the run of as many ranks, in which this one has not been? */
static bool join(struct wg_arena *a, const struct wg_suite_run *run) {
    struct wg_strbuf text = {0};
    bool good =
        wg_file_read(rank_file(a, run->folder, 0), &text) && text.s && strtoul(text.s, NULL, 10) == run->size;
    int fd =
        good ? open(rank_file(a, run->folder, run->rank), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (fd >= 0) close(fd);
    wg_strbuf_free(&text);
    return fd >= 0;
}

static bool begin_other(struct wg_arena *a, const char *folder, struct wg_suite_run *run,
                        struct wg_strbuf *why) {
    for (uint64_t began = wg_now_ns(); wg_now_ns() - began < JOIN_SECONDS * UINT64_C(1000000000);
         pause_a_moment()) {
        uint32_t n = newest(a, folder, UINT32_MAX, false);
        run->folder = run_folder(a, folder, n);
        run->last = run_folder(a, folder, newest(a, folder, n ? n - 1 : 0, true));
        if (n && join(a, run)) return true;
    }
    wg_strbuf_printf(
        why,
        "rank %u found no run that rank 0 began in %s within %d seconds: is the folder on a file system "
        "that all ranks share?",
        run->rank, folder, JOIN_SECONDS);
    return false;
}

bool wg_suite_begin(struct wg_arena *a, const char *folder, uint32_t rank, uint32_t size, bool again,
                    struct wg_suite_run *run, bool *over, struct wg_strbuf *why) {
    *run = (struct wg_suite_run){.rank = rank, .size = size, .lock = -1};
    bool good = rank ? begin_other(a, folder, run, why) : begin_first(a, folder, again, run, why);
    *over = good && rank && is_there(a, run->folder, "complete");
    return good;
}

void wg_suite_missing_ranks(const struct wg_suite_run *run, struct wg_strbuf *missing) {
    struct wg_arena a = {0};
    uint64_t began = wg_now_ns();
    for (uint32_t rank = 1; rank < run->size; rank++) {
        const char *path = rank_file(&a, run->folder, rank);
        while (access(path, F_OK) != 0 && wg_now_ns() - began < MISSING_SECONDS * UINT64_C(1000000000))
            pause_a_moment();
        if (access(path, F_OK) != 0) wg_strbuf_printf(missing, "%s%u", missing->n ? ", " : "", rank);
    }
    wg_arena_free(&a);
}

bool wg_suite_complete(const struct wg_suite_run *run) {
    struct wg_arena a = {0};
    bool good = wg_file_write(wg_arena_printf(&a, "%s/complete", run->folder), "", 0);
    wg_arena_free(&a);
    return good;
}

/* ---- Claims -----------------------------------------------------------------------------------------------
 */

const char *wg_suite_file(struct wg_arena *a, const char *run, enum wg_suite_what what,
                          const struct wg_suite_program *p) {
    return wg_arena_printf(a, "%s/%s/%s.%s", run, rooms[what], p->name,
                           what == WG_SUITE_OUTPUT ? "txt" : "json");
}

bool wg_suite_next(struct wg_arena *a, const struct wg_suite_run *run, uint32_t *number,
                   struct wg_strbuf *why) {
    const char *path = wg_arena_printf(a, "%s/next", run->folder);
    char text[16] = "";
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool good = fd >= 0 && flock(fd, LOCK_EX) == 0 && pread(fd, text, sizeof text - 1, 0) >= 0;
    *number = (uint32_t)strtoul(text, NULL, 10);
    int n = snprintf(text, sizeof text, "%u\n", *number + 1);
    good = good && pwrite(fd, text, (size_t)n, 0) == n;
    if (!good) fail(why, path);
    if (fd >= 0) close(fd);
    return good;
}

/* One line for each time that it was begun. */
static void read_begins(struct wg_arena *a, struct wg_suite_claim *c) {
    struct wg_strbuf text = {0};
    if (!wg_read_all(c->fd, &text)) text.n = 0;
    for (char *s = text.s; s && *s; c->before++) {
        size_t n = strcspn(s, "\n");
        c->who = wg_arena_strndup(a, s, n);
        s += n + (s[n] == '\n');
    }
    c->begins = (long)text.n;
    wg_strbuf_free(&text);
}

enum wg_claim wg_suite_claim(struct wg_arena *a, const struct wg_suite_run *run,
                             const struct wg_suite_program *p,
                             bool (*ended)(void *, const struct wg_suite_program *), void *user,
                             struct wg_suite_claim *c, struct wg_strbuf *why) {
    char host[256] = "";
    const char *path = wg_arena_printf(a, "%s/claims/%s", run->folder, p->name);
    *c = (struct wg_suite_claim){.fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)};
    if (c->fd < 0) return fail(why, path), WG_CLAIM_FAILED;
    if (flock(c->fd, LOCK_EX | LOCK_NB) != 0) {
        bool busy = errno == EWOULDBLOCK;
        if (!busy) fail(why, path);
        close(c->fd);
        return busy ? WG_CLAIM_BUSY : WG_CLAIM_FAILED;
    }
    if (ended(user, p)) {
        close(c->fd);
        return WG_CLAIM_ENDED;
    }
    gethostname(host, sizeof host - 1);
    read_begins(a, c);
    const char *line = wg_arena_printf(a, "rank %u on %s\n", run->rank, host);
    if (wg_write_all(c->fd, line, strlen(line))) return WG_CLAIM_MINE;
    fail(why, path);
    wg_suite_release(c, true);
    return WG_CLAIM_FAILED;
}

void wg_suite_release(struct wg_suite_claim *c, bool unbegun) {
    if (unbegun && ftruncate(c->fd, c->begins) != 0) errno = 0; /* then it counts as begun */
    close(c->fd);
}
