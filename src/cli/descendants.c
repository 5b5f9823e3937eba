/* See descendants.h. */
#include "cli/descendants.h"
#include "base/proc.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 10 };

static bool holds(const struct wg_descendants *d, pid_t pid) {
    for (uint32_t i = 0; d && i < d->all.n; i++)
        if (d->all.v[i].pid == pid) return true;
    return false;
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
        struct wg_proc p;
        pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
        if (pid > 0 && wg_proc_read(pid, &p) && p.parent > 0 && p.state != 'Z')
            *WG_PUSH(&all) = (struct process){pid, p.parent};
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
