/* See mcp_watch.h. */
#include "cli/mcp_watch.h"
#include "cli/descendants.h"

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
static struct {
    pthread_t thread;
    uint64_t most;
    atomic_bool done, exceeded;
    struct wg_descendants before, now;
} watch;

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

static void *look(void *nothing) {
    struct wg_descendants now = {0};
    while (!atomic_load(&watch.done)) {
        uint64_t sum = 0;
        wg_descendants_find(getpid(), &watch.before, &now);
        for (uint32_t i = 0; i < now.all.n; i++) sum += bytes_of(now.all.v[i].pid);
        if (sum > watch.most) {
            atomic_store(&watch.exceeded, true);
            wg_descendants_signal(&now, SIGKILL);
        }
        nanosleep(&(struct timespec){.tv_nsec = OFTEN_MS * 1000000L}, NULL);
    }
    wg_descendants_free(&now);
    return nothing;
}

bool wg_mcp_watch_begin(uint64_t most_bytes) {
    sigset_t all, old;
    watch.most = most_bytes;
    atomic_store(&watch.done, false);
    atomic_store(&watch.exceeded, false);
    wg_descendants_find(getpid(), NULL, &watch.before);
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
    wg_descendants_find(getpid(), &watch.before, &watch.now);
    for (int i = 0; i < ROUNDS && watch.now.all.n; i++) { /* one that is being ended may start another */
        wg_descendants_signal(&watch.now, SIGKILL);
        for (uint32_t k = 0; k < watch.now.all.n; k++) waitpid(watch.now.all.v[k].pid, NULL, 0);
        wg_descendants_find(getpid(), &watch.before, &watch.now);
    }
    while (waitpid(-1, NULL, WNOHANG) > 0) continue; /* what ended by itself, and was left to this process */
    return atomic_load(&watch.exceeded);
}
