/* See rank_folder.h. */
#include "cli/rank_folder.h"
#include "cli/processes.h"
#include "cli/terminal.h"
#include "suite/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

const char *wg_rank_file(struct wg_arena *a, const char *path, const char *room, uint32_t rank,
                         const char *end) {
    return wg_arena_printf(a, "%s/%s/%u%s", path, room, rank, end);
}

const char *wg_rank_stop(struct wg_arena *a, const char *path) { return wg_arena_printf(a, "%s/stop", path); }

bool wg_rank_is_gone(const char *path, uint32_t rank) {
    struct wg_arena a = {0};
    int fd = open(wg_rank_file(&a, path, "ranks", rank, ""), O_RDONLY | O_CLOEXEC);
    bool gone = fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0) close(fd);
    wg_arena_free(&a);
    return gone;
}

bool wg_rank_has_ended(const char *path, uint32_t rank, int *status, bool *left) {
    struct wg_arena a = {0};
    struct wg_strbuf text = {0};
    bool ended = wg_file_read(wg_rank_file(&a, path, "results", rank, ""), &text);
    if (ended) {
        *status = text.s ? atoi(text.s) : 1;
        *left = text.s && strstr(text.s, "left");
    }
    wg_strbuf_free(&text);
    wg_arena_free(&a);
    return ended;
}

/* ---- Afterwards -------------------------------------------------------------------------------------------
 */

static const char *command_file(struct wg_arena *a, const char *path) {
    return wg_arena_printf(a, "%s/command", path);
}

bool wg_rank_folder_note_command(struct wg_arena *a, const char *path) {
    struct wg_strbuf words = {0};
    bool good =
        wg_file_read("/proc/self/cmdline", &words) && wg_file_write(command_file(a, path), words.s, words.n);
    wg_strbuf_free(&words);
    return good;
}

bool wg_rank_folder_open(struct wg_arena *a, const char *folder, struct wg_rank_folder *f,
                         struct wg_args *words, struct wg_strbuf *why) {
    struct wg_strbuf text = {0}, size = {0};
    *f = (struct wg_rank_folder){.arena = a, .path = folder};
    if (access(command_file(a, folder), F_OK) != 0) f->path = wg_suite_newest(a, folder);
    bool good = f->path && wg_file_read(command_file(a, f->path), &text) &&
                wg_file_read(wg_rank_file(a, f->path, "ranks", 0, ""), &size) && size.s;
    if (good && text.n) f->size = (uint32_t)strtoul(size.s, NULL, 10);
    if (access(folder, R_OK | X_OK) != 0)
        wg_strbuf_printf(why, "%s: %s", folder, strerror(errno));
    else if (!f->size)
        wg_strbuf_printf(why,
                         "%s: no profile or check under mpirun or srun was begun in this folder; it is "
                         "warpglass-ranks, or what --results named",
                         folder);
    for (size_t i = 0; f->size && i < text.n; i += strlen(text.s + i) + 1) wg_args_add(words, text.s + i);
    wg_strbuf_free(&text);
    wg_strbuf_free(&size);
    return f->size != 0;
}

/* ---- One report -------------------------------------------------------------------------------------------
 */

/* Of a rank that did not come to make it. The file of which it was made, or NULL: its program has left nothing. */
static const char *report_left(const struct wg_rank_folder *f, uint32_t rank, const char *json,
                               const char *sarif, const char **why) {
    struct wg_processes p = {.arena = f->arena, .folder = wg_rank_file(f->arena, f->path, "left", rank, "/")};
    wg_processes_find(&p);
    if (p.n > 1)
        *why = wg_arena_printf(f->arena, "%u processes of it used a device: a report takes one of each rank",
                               p.n);
    if (p.n != 1) return NULL;
    struct wg_cmdline own = wg_merge_own(f->c, json, sarif);
    own.left = p.file[0];
    wg_terminal_silence(true);
    f->command(&own);
    wg_terminal_silence(false);
    free(own.items.v);
    return access(json, F_OK) == 0 ? own.left : NULL;
}

/* How a rank ended is known better here than in its report: MPI has handlers of its own for signals, and who calls _exit does not
 * finish it. That a rank did what it was asked for is no status of the job's. */
static void judge(const struct wg_rank_folder *f, struct wg_merge *m, uint32_t rank, int status) {
    struct wg_merge_rank *r = &m->ranks[rank];
    bool asked = status == WG_STATUS_SIGNAL + SIGTERM && access(wg_rank_stop(f->arena, f->path), F_OK) == 0;
    if (asked)
        r->ended = "it was asked to, because another had gone", r->status = 0;
    else if (status > WG_STATUS_SIGNAL && r->ended)
        r->ended = wg_arena_printf(&m->arena, "signal %d", status - WG_STATUS_SIGNAL);
    else if (status >= 0 && r->ended)
        r->ended = wg_arena_printf(&m->arena, "status %d", status);
    if (!asked && status > 0 && !wg_merge_findings(m, rank)) r->status = status;
    if (status < 0 && !r->missing && (!r->ended || !strcmp(r->ended, "running"))) {
        m->unfinished += !r->ended;
        r->ended = wg_rank_is_gone(f->path, rank) ? "killed" : "it still runs";
    }
}

static const char *why_missing(const struct wg_rank_folder *f, uint32_t rank, int status) {
    if (status >= 0) return wg_arena_printf(f->arena, "it left no report, and ended with status %d", status);
    if (!wg_rank_is_gone(f->path, rank)) return "it still runs, and has not come to use a device";
    return access(wg_rank_file(f->arena, f->path, "ranks", rank, ""), F_OK) == 0
               ? "it was killed before it left a report"
               : "it never began";
}

static void add(const struct wg_rank_folder *f, struct wg_merge *m, uint32_t rank, const char **sarif) {
    const char *json = wg_rank_file(f->arena, f->path, "reports", rank, ".json"), *why = NULL;
    int status = -1;
    bool left;
    wg_rank_has_ended(f->path, rank, &status, &left);
    *sarif = wg_rank_file(f->arena, f->path, "reports", rank, ".sarif");
    const char *from = access(json, F_OK) == 0 ? json : NULL;
    if (!from && status) {
        json = wg_arena_printf(f->arena, "%s/rank-%u.json", f->scratch, rank);
        *sarif = wg_arena_printf(f->arena, "%s/rank-%u.sarif", f->scratch, rank);
        from = report_left(f, rank, json, *sarif, &why);
    }
    if (from)
        wg_merge_add(m, rank, json), m->ranks[rank].path = wg_arena_strdup(&m->arena, from);
    else if (status) /* otherwise it has made no CUDA call */
        wg_merge_miss(m, rank, why ? why : why_missing(f, rank, status));
    wg_merge_add_events(m, rank, wg_rank_file(f->arena, f->path, "reports", rank, ".mpi"));
    judge(f, m, rank, status);
}

void wg_rank_folder_merge(const struct wg_rank_folder *f, struct wg_merge *m, const char **sarifs) {
    wg_merge_begin(m, f->size);
    for (uint32_t i = 0; i < f->size; i++) add(f, m, i, &sarifs[i]);
    wg_merge_match(m);
}
