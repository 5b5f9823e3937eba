/* See descendants.h. */
#include "cli/descendants.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 10 };

static bool holds(const struct wg_descendants *d, pid_t pid) {
    for (uint32_t i = 0; d && i < d->all.n; i++)
        if (d->all.v[i].pid == pid) return true;
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

void wg_descendants_free(struct wg_descendants *d) {
    for (uint32_t i = 0; i < d->all.n; i++)
        if (d->all.v[i].fd >= 0) close(d->all.v[i].fd);
    free(d->all.v);
    *d = (struct wg_descendants){0};
}

/* Children have greater numbers than their parents as a rule, but not when numbers begin anew, so it goes on until there are no
 * more. */
void wg_descendants_find(pid_t of, const struct wg_descendants *others, struct wg_descendants *found) {
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
    wg_descendants_free(found);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < all.n; i++) {
            const struct process *p = &all.v[i];
            if ((p->parent != of && !holds(found, p->parent)) || holds(found, p->pid) ||
                holds(others, p->pid))
                continue;
            *WG_PUSH(&found->all) = (struct wg_descendant){p->pid, (int)syscall(SYS_pidfd_open, p->pid, 0)};
            more = true;
        }
    }
    free(all.v);
}

void wg_descendants_signal(const struct wg_descendants *d, int sig) {
    for (uint32_t i = 0; i < d->all.n; i++) {
        const struct wg_descendant *p = &d->all.v[i];
        if (p->fd < 0)
            kill(p->pid, sig);
        else
            syscall(SYS_pidfd_send_signal, p->fd, sig, NULL, 0);
    }
}

static bool any_lives(const struct wg_descendants *d) {
    for (uint32_t i = 0; i < d->all.n; i++) {
        struct pollfd f = {.fd = d->all.v[i].fd, .events = POLLIN};
        if (f.fd >= 0 && poll(&f, 1, 0) == 0) return true;
    }
    return false;
}

void wg_descendants_end(const struct wg_descendants *d, int patience_ms) {
    static const int signals[] = {SIGTERM, SIGKILL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        for (int waited = 0; waited < patience_ms && any_lives(d); waited += LOOK_MS)
            nanosleep(&(struct timespec){0, LOOK_MS * 1000000L}, NULL);
        wg_descendants_signal(d, signals[i]);
    }
}
