/* See mcp_watch.h. */
#include "cli/mcp_watch.h"
#include "base/arena.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OFTEN_MS = 20 };
struct processes {
    WG_VEC(pid_t) all;
};
static struct {
    pthread_t thread;
    uint64_t most;
    atomic_bool done, exceeded;
    struct processes before, now;
} watch;

static bool holds(const struct processes *p, pid_t pid) {
    for (uint32_t i = 0; i < p->all.n; i++)
        if (p->all.v[i] == pid) return true;
    return false;
}

/* The parent that /proc names, and the letter of the state; 0 when it is gone. */
static pid_t parent_of(pid_t pid, char *state) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f) fclose(f);
    text[n] = 0;
    char *name_end = strrchr(text, ')'); /* the name may have anything in it */
    int parent = 0;
    if (!name_end || sscanf(name_end + 1, " %c %d", state, &parent) != 2) return 0;
    return parent;
}

/* All processes below this one, but for those of before and for what has ended. Children have greater numbers than their
 * parents as a rule, but not when numbers begin anew, so it goes on until there are no more. */
static void find(struct processes *found) {
    struct process {
        pid_t pid, parent;
    };
    WG_VEC(struct process) all = {0};
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));) {
        char state = 0;
        pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
        pid_t parent = pid > 0 ? parent_of(pid, &state) : 0;
        if (parent > 0 && state != 'Z') *WG_PUSH(&all) = (struct process){pid, parent};
    }
    if (d) closedir(d);
    found->all.n = 0;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < all.n; i++) {
            const struct process *p = &all.v[i];
            if ((p->parent != getpid() && !holds(found, p->parent)) || holds(found, p->pid) ||
                holds(&watch.before, p->pid))
                continue;
            *WG_PUSH(&found->all) = p->pid;
            more = true;
        }
    }
    free(all.v);
}

/* Of its own: what it shares with others, as the code of libraries, is not its. */
static uint64_t bytes_of(pid_t pid) {
    char path[64];
    unsigned long long resident = 0, shared = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%*u %llu %llu", &resident, &shared) != 2) resident = shared = 0;
    if (f) fclose(f);
    return (resident > shared ? resident - shared : 0) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void end_all(const struct processes *p) {
    for (uint32_t i = 0; i < p->all.n; i++) kill(p->all.v[i], SIGKILL);
}

static void *look(void *nothing) {
    struct processes now = {0};
    while (!atomic_load(&watch.done)) {
        uint64_t sum = 0;
        find(&now);
        for (uint32_t i = 0; i < now.all.n; i++) sum += bytes_of(now.all.v[i]);
        if (sum > watch.most) {
            atomic_store(&watch.exceeded, true);
            end_all(&now);
        }
        nanosleep(&(struct timespec){.tv_nsec = OFTEN_MS * 1000000L}, NULL);
    }
    free(now.all.v);
    return nothing;
}

bool wg_mcp_watch_begin(uint64_t most_bytes) {
    sigset_t all, old;
    watch.most = most_bytes;
    watch.before.all.n = 0;
    atomic_store(&watch.done, false);
    atomic_store(&watch.exceeded, false);
    find(&watch.before);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old); /* they are for the thread that waits for the call */
    errno = pthread_create(&watch.thread, NULL, look, NULL);
    int why = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = why;
    return !why;
}

bool wg_mcp_watch_end(void) {
    enum { ROUNDS = 100 };
    atomic_store(&watch.done, true);
    pthread_join(watch.thread, NULL);
    find(&watch.now);
    for (int i = 0; i < ROUNDS && watch.now.all.n; i++) { /* one that is being ended may start another */
        end_all(&watch.now);
        for (uint32_t k = 0; k < watch.now.all.n; k++) waitpid(watch.now.all.v[k], NULL, 0);
        find(&watch.now);
    }
    while (waitpid(-1, NULL, WNOHANG) > 0) continue; /* what ended by itself, and was left to this process */
    return atomic_load(&watch.exceeded);
}
