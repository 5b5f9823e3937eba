/* The sampling thread of tiered compilation. See tiers.h. */
#include "jit/code/tiers.h"
#include "base/thread.h"

#include <pthread.h>
#include <time.h>

enum { LOOK_NS = 20000000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t made = PTHREAD_COND_INITIALIZER;
static struct wg_tier *all;
static bool looking; /* the thread exists */

static void drop(struct wg_tier *t) {
    for (struct wg_tier **p = &all; *p; p = &(*p)->next)
        if (*p == t) {
            *p = t->next;
            break;
        }
    t->listed = false;
}

/* Only what ran in this process says that it will run long enough to get better code beside its launches. */
static bool is_due(const struct wg_tier *t) { return t->ran_ns - t->before_ns >= t->due_ns; }
/* Two dozen times in all, over all processes. */
static bool is_to_be_told(const struct wg_tier *t) {
    enum { TIMES = 25 };
    return t->ran && t->told_ns < t->cost_ns && t->ran_ns >= t->told_ns + t->cost_ns / TIMES;
}

static void count_time(void) {
    for (struct wg_tier *t = all; t; t = t->next) {
        bool waits = __atomic_load_n(&t->waiting, __ATOMIC_RELAXED);
        if (!waits && __atomic_load_n(t->running, __ATOMIC_RELAXED)) t->ran_ns += LOOK_NS;
    }
}

/* The time it ran is recorded first: the process may end before better code is compiled. */
static void serve(struct wg_tier *t) {
    if (is_to_be_told(t)) {
        t->told_ns = t->ran_ns;
        pthread_mutex_unlock(&lock);
        t->ran(t->user, t->told_ns);
    } else {
        t->before_ns = 0;
        drop(t);
        pthread_mutex_unlock(&lock);
        t->make(t->user);
    }
    pthread_mutex_lock(&lock);
}

static void *look(void *unused) {
    pthread_mutex_lock(&lock);
    while (all) {
        struct wg_tier *t = all;
        while (t && !is_due(t) && !is_to_be_told(t)) t = t->next;
        if (t) {
            t->making = true;
            serve(t);
            t->making = false;
            pthread_cond_broadcast(&made);
        } else {
            pthread_mutex_unlock(&lock);
            nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
            pthread_mutex_lock(&lock);
            count_time();
        }
    }
    looking = false;
    pthread_mutex_unlock(&lock);
    return unused;
}

void wg_tiers_add(struct wg_tier *t) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    if (!t->listed) {
        t->listed = true;
        t->ran_ns = t->told_ns = t->before_ns;
        t->next = all;
        all = t;
    }
    if (!looking && wg_start_thread(&thread, look, NULL)) {
        looking = true;
        pthread_detach(thread);
    }
    pthread_mutex_unlock(&lock);
}

void wg_tiers_remove(struct wg_tier *t) {
    __atomic_store_n(&t->unwanted, true, __ATOMIC_RELAXED);
    pthread_mutex_lock(&lock);
    while (t->making) pthread_cond_wait(&made, &lock);
    if (t->listed) drop(t);
    pthread_mutex_unlock(&lock);
}
