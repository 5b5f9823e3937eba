/* See tiers.h. */
#include "jit/tiers.h"
#include "base/thread.h"

#include <pthread.h>
#include <time.h>

enum { LOOK_NS = 50000000, WORTH_IT_NS = 500000000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t made = PTHREAD_COND_INITIALIZER;
static struct wg_tier *all;
static bool looking; /* there is the thread */

static void drop(struct wg_tier *t) {
    for (struct wg_tier **p = &all; *p; p = &(*p)->next)
        if (*p == t) {
            *p = t->next;
            break;
        }
    t->listed = false;
}

static struct wg_tier *find_hot(void) {
    for (struct wg_tier *t = all; t; t = t->next) {
        bool waits = __atomic_load_n(&t->waiting, __ATOMIC_RELAXED);
        if (!waits && __atomic_load_n(t->running, __ATOMIC_RELAXED)) t->ran_ns += LOOK_NS;
        if (t->ran_ns >= WORTH_IT_NS) return t;
    }
    return NULL;
}

static void *look(void *unused) {
    pthread_mutex_lock(&lock);
    while (all) {
        struct wg_tier *t = find_hot();
        if (t) {
            drop(t);
            t->making = true;
        }
        pthread_mutex_unlock(&lock);
        if (t)
            t->make(t->user);
        else
            nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
        pthread_mutex_lock(&lock);
        if (t) {
            t->making = false;
            pthread_cond_broadcast(&made);
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
        t->ran_ns = 0;
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
