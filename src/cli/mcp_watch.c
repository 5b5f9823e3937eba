/* See mcp_watch.h. */
#include "cli/mcp_watch.h"

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

enum { MOST_PROCESSES = 4096, OFTEN_MS = 20 };
struct processes {
    pid_t of[MOST_PROCESSES];
    int n;
};
static struct {
    pthread_t thread;
    uint64_t most;
    atomic_bool done, exceeded;
    struct processes before, now;
} watch;

static bool holds(const struct processes *p, pid_t pid) {
    for (int i = 0; i < p->n; i++)
        if (p->of[i] == pid) return true;
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
    static struct {
        pid_t pid, parent;
    } all[MOST_PROCESSES];
    int n = 0, known = -1;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && n < MOST_PROCESSES && (e = readdir(d));) {
        char state = 0;
        pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
        pid_t parent = pid > 0 ? parent_of(pid, &state) : 0;
        if (parent > 0 && state != 'Z') all[n].pid = pid, all[n++].parent = parent;
    }
    if (d) closedir(d);
    found->n = 0;
    while (known != found->n) {
        known = found->n;
        for (int i = 0; i < n; i++)
            if ((all[i].parent == getpid() || holds(found, all[i].parent)) && !holds(found, all[i].pid) &&
                !holds(&watch.before, all[i].pid))
                found->of[found->n++] = all[i].pid;
    }
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
    for (int i = 0; i < p->n; i++) kill(p->of[i], SIGKILL);
}

static void *look(void *nothing) {
    static struct processes now;
    while (!atomic_load(&watch.done)) {
        uint64_t sum = 0;
        find(&now);
        for (int i = 0; i < now.n; i++) sum += bytes_of(now.of[i]);
        if (sum > watch.most) {
            atomic_store(&watch.exceeded, true);
            end_all(&now);
        }
        nanosleep(&(struct timespec){.tv_nsec = OFTEN_MS * 1000000L}, NULL);
    }
    return nothing;
}

bool wg_mcp_watch_begin(uint64_t most_bytes) {
    sigset_t all, old;
    watch.most = most_bytes;
    watch.before.n = 0;
    atomic_store(&watch.done, false);
    atomic_store(&watch.exceeded, false);
    find(&watch.now);
    watch.before = watch.now;
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
    for (int i = 0; i < ROUNDS && watch.now.n; i++) { /* one that is being ended may start another */
        end_all(&watch.now);
        for (int k = 0; k < watch.now.n; k++) waitpid(watch.now.of[k], NULL, 0);
        find(&watch.now);
    }
    while (waitpid(-1, NULL, WNOHANG) > 0) continue; /* what ended by itself, and was left to this process */
    return atomic_load(&watch.exceeded);
}
